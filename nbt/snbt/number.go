package snbt

import (
	"math"
	"strconv"
	"strings"

	"strata/nbt"
)

// sign says how the range of an integer is meant.
type sign uint8

const (
	signDefault  sign = iota // as the base says: decimal signed, the others not
	signSigned               // suffix sb, ss, si, sl
	signUnsigned             // suffix ub, us, ui, ul
)

// literal is a number as it is written, before its value is known: an array
// gives integers without a suffix another type than a list does.
type literal struct {
	text   string // sign, digits and exponent of a float, digits of an integer
	kind   nbt.Type
	base   int  // of an integer
	size   int  // bytes of the literal
	neg    bool // of an integer
	float  bool
	under  bool // text has underscores
	signed sign
}

// scanNumber reads the number at the start of s. Its size is 0 if there is
// none. The error is one of form: ErrLeadingZero or ErrUnderscore, or
// ErrSyntax for 0x without digits; size is then how far the number seems to go.
//
// The grammar is that of 1.21.5 and later: an optional sign, then
//
//	digits . [digits] [exponent] [f|d]
//	. digits [exponent] [f|d]
//	digits exponent [f|d]
//	digits f|d
//	0 | 0x hex | 0b binary | digits, with [u|s] b|s|i|l
func scanNumber(s string) (lit literal, err error) {
	pos := 0
	if pos < len(s) && (s[pos] == '+' || s[pos] == '-') {
		lit.neg = s[pos] == '-'
		pos++
	}
	r := runs{s: s}
	whole := pos
	pos = r.decimal(pos)
	digits := pos > whole
	if float, end := r.float(pos, digits); end > 0 {
		lit.float, lit.kind, lit.under = true, float, r.under
		lit.text, lit.size = s[:end], end
		if float != nbt.TypeEnd {
			lit.size++ // the suffix
		}
		return lit, r.err
	}
	if !digits {
		return literal{}, nil
	}
	return r.integer(lit, whole, pos)
}

// runs reads runs of digits and remembers underscores in wrong places.
type runs struct {
	s     string
	under bool
	err   error
}

func (r *runs) decimal(pos int) int { return r.digits(pos, 10) }

func (r *runs) digits(pos, base int) int {
	start := pos
	seen := false
	for ; pos < len(r.s); pos++ {
		c := r.s[pos]
		if c == '_' {
			r.under = true
			continue
		}
		if c >= '0' && c <= '9' && int(c-'0') < base || base == 16 && is(c, classHex) {
			seen = true
			continue
		}
		break
	}
	if !seen {
		return start
	}
	if r.s[start] == '_' || r.s[pos-1] == '_' {
		r.err = ErrUnderscore
	}
	return pos
}

// float reads what follows the digits of a float, if it has such, at pos, and
// returns where its suffix stands or it ends, 0 if it is none.
func (r *runs) float(pos int, digits bool) (kind nbt.Type, end int) {
	point, exponent := false, false
	if pos < len(r.s) && r.s[pos] == '.' {
		after := r.decimal(pos + 1)
		if !digits && after == pos+1 {
			return 0, 0
		}
		point, pos = true, after
	} else if !digits {
		return 0, 0
	}
	if pos < len(r.s) && r.s[pos]|0x20 == 'e' {
		from := pos + 1
		if from < len(r.s) && (r.s[from] == '+' || r.s[from] == '-') {
			from++
		}
		if to := r.decimal(from); to > from {
			exponent, pos = true, to
		}
	}
	if pos < len(r.s) {
		switch r.s[pos] | 0x20 {
		case 'f':
			return nbt.TypeFloat, pos
		case 'd':
			return nbt.TypeDouble, pos
		}
	}
	if !point && !exponent {
		return 0, 0
	}
	return nbt.TypeEnd, pos
}

// integer reads an integer whose decimal digits end at pos.
func (r *runs) integer(lit literal, whole, pos int) (literal, error) {
	lit.base = 10
	if r.s[whole] == '0' {
		if pos == whole+1 && pos < len(r.s) {
			switch r.s[pos] | 0x20 {
			case 'x':
				r.err = nil
				whole, pos, lit.base = pos+1, r.digits(pos+1, 16), 16
				if pos == whole && r.err == nil {
					r.err = ErrSyntax
				}
			case 'b':
				// 0b alone is a byte.
				if to := r.digits(pos+1, 2); to > pos+1 {
					whole, pos, lit.base = pos+1, to, 2
				}
			}
		} else if pos > whole+1 && r.err == nil {
			r.err = ErrLeadingZero
		}
	}
	lit.text, lit.under = r.s[whole:pos], r.under
	kind, signed, size := integerSuffix(r.s[pos:])
	lit.kind, lit.signed, lit.size = kind, signed, pos+size
	return lit, r.err
}

// integerSuffix reads the suffix at the start of s.
func integerSuffix(s string) (kind nbt.Type, signed sign, size int) {
	if len(s) == 0 {
		return nbt.TypeEnd, signDefault, 0
	}
	if len(s) > 1 {
		if kind = integerType(s[1]); kind != nbt.TypeEnd {
			switch s[0] | 0x20 {
			case 'u':
				return kind, signUnsigned, 2
			case 's':
				return kind, signSigned, 2
			}
		}
	}
	if kind = integerType(s[0]); kind != nbt.TypeEnd {
		return kind, signDefault, 1
	}
	return nbt.TypeEnd, signDefault, 0
}

func integerType(c byte) nbt.Type {
	switch c | 0x20 {
	case 'b':
		return nbt.TypeByte
	case 's':
		return nbt.TypeShort
	case 'i':
		return nbt.TypeInt
	case 'l':
		return nbt.TypeLong
	}
	return nbt.TypeEnd
}

// integerBits is the size of an integer type in bits.
func integerBits(kind nbt.Type) int {
	switch kind {
	case nbt.TypeByte:
		return 8
	case nbt.TypeShort:
		return 16
	case nbt.TypeInt:
		return 32
	}
	return 64
}

// integer returns the value of an integer of the given type, false if that
// cannot hold it. What is unsigned keeps its bits: 255ub is -1.
func (l *literal) integer(kind nbt.Type) (int64, bool) {
	text := l.text
	if l.under {
		text = strings.ReplaceAll(text, "_", "")
	}
	bits := integerBits(kind)
	if l.signed == signUnsigned || l.signed == signDefault && l.base != 10 {
		v, err := strconv.ParseUint(text, l.base, bits)
		if err != nil || l.neg {
			return 0, false
		}
		shift := 64 - bits
		return int64(v<<shift) >> shift, true
	}
	v, ok := uint64(0), true
	if len(text) < 19 && l.base == 10 {
		for i := range len(text) {
			v = v*10 + uint64(text[i]-'0')
		}
	} else {
		var err error
		v, err = strconv.ParseUint(text, l.base, 64)
		ok = err == nil
	}
	largest := uint64(1)<<(bits-1) - 1
	if l.neg {
		return -int64(v), ok && v <= largest+1
	}
	return int64(v), ok && v <= largest
}

// floatBits returns the value of a float literal as the bits of its type, false
// if it would be infinite.
func (l *literal) floatBits() (bits uint64, kind nbt.Type, ok bool) {
	text := l.text
	if l.under {
		text = strings.ReplaceAll(text, "_", "")
	}
	if l.kind == nbt.TypeFloat {
		v, err := strconv.ParseFloat(text, 32)
		return uint64(math.Float32bits(float32(v))), nbt.TypeFloat, err == nil
	}
	v, err := strconv.ParseFloat(text, 64)
	return math.Float64bits(v), nbt.TypeDouble, err == nil
}
