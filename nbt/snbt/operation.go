package snbt

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"strata/nbt"
)

// operation reads the arguments of an operation, and puts its result in their
// place. Those of the game (1.21.5 and later) are
//
//	bool(number)   a byte, 1 for what is not 0
//	uuid("text")   an int array of four
//
// and ours, for what the game has no text of, are
//
//	float("NaN")   also "Infinity", "-Infinity" or an integer with the bits
//	double("NaN")  likewise
func (p *parser) operation(start int, name string) (value, *SyntaxError) {
	var run func(nbt.Raw) (nbt.Type, bool)
	switch name {
	case "bool":
		run = p.opBool
	case "uuid":
		run = p.opUUID
	case "float":
		run = p.opFloat
	case "double":
		run = p.opDouble
	default:
		return value{}, p.failAt(start, ErrOperation, "")
	}
	at, wraps := len(p.buf), len(p.wraps)
	p.space()
	argument := p.pos
	arg, err := p.value()
	if err != nil {
		return value{}, err
	}
	p.accept(',')
	if !p.accept(')') {
		return value{}, p.fail("')'")
	}
	raw := nbt.Raw{Type: arg.kind, Data: p.buf[at:]}
	p.buf, p.wraps = p.buf[:at], p.wraps[:wraps]
	kind, ok := run(raw)
	if !ok {
		return value{}, p.failAt(argument, ErrArgument, "")
	}
	return value{kind: kind}, nil
}

func (p *parser) opBool(arg nbt.Raw) (nbt.Type, bool) {
	var on bool
	switch arg.Type {
	case nbt.TypeFloat:
		on = math.Float32frombits(binary.BigEndian.Uint32(arg.Data)) != 0
	case nbt.TypeDouble:
		on = math.Float64frombits(binary.BigEndian.Uint64(arg.Data)) != 0
	default:
		v, ok := arg.Int()
		if !ok {
			return 0, false
		}
		on = v != 0
	}
	p.buf = appendBool(p.buf, on)
	return nbt.TypeByte, true
}

func (p *parser) opUUID(arg nbt.Raw) (nbt.Type, bool) {
	text, ok := arg.Text()
	if !ok {
		return 0, false
	}
	high, low, ok := parseUUID(text)
	if !ok {
		return 0, false
	}
	p.buf = binary.BigEndian.AppendUint32(p.buf, 4)
	p.buf = binary.BigEndian.AppendUint64(p.buf, high)
	p.buf = binary.BigEndian.AppendUint64(p.buf, low)
	return nbt.TypeIntArray, true
}

// parseUUID reads a UUID as Java's UUID.fromString does: five groups of
// hexadecimal digits, which may be shorter than usual, and of which the low
// bits count if they are longer.
func parseUUID(text string) (high, low uint64, ok bool) {
	groups := strings.Split(text, "-")
	if len(text) > 36 || len(groups) != 5 {
		return 0, 0, false
	}
	bits := [...]int{32, 16, 16, 16, 48}
	var v [5]uint64
	for i, g := range groups {
		n, err := strconv.ParseUint(g, 16, 63)
		if err != nil {
			return 0, 0, false
		}
		v[i] = n & (1<<bits[i] - 1)
	}
	return v[0]<<32 | v[1]<<16 | v[2], v[3]<<48 | v[4], true
}

func (p *parser) opFloat(arg nbt.Raw) (nbt.Type, bool) {
	bits, ok := arg.Int()
	if !ok || arg.Type != nbt.TypeInt {
		v, ok := notFinite(arg)
		if !ok {
			return 0, false
		}
		bits = int64(javaBits32(v))
	}
	p.buf = binary.BigEndian.AppendUint32(p.buf, uint32(bits))
	return nbt.TypeFloat, true
}

func (p *parser) opDouble(arg nbt.Raw) (nbt.Type, bool) {
	bits, ok := arg.Int()
	if !ok || arg.Type != nbt.TypeLong {
		v, ok := notFinite(arg)
		if !ok {
			return 0, false
		}
		bits = int64(javaBits(v))
	}
	p.buf = binary.BigEndian.AppendUint64(p.buf, uint64(bits))
	return nbt.TypeDouble, true
}

// Java's NaNs, which stand without bits.
const (
	javaNaN32 = 0x7FC00000
	javaNaN64 = 0x7FF8000000000000
)

// javaBits32 is math.Float32bits with Java's NaN.
func javaBits32(v float64) uint32 {
	if v != v {
		return javaNaN32
	}
	return math.Float32bits(float32(v))
}

// javaBits is math.Float64bits, which for NaN has another one in Go.
func javaBits(v float64) uint64 {
	if v != v {
		return javaNaN64
	}
	return math.Float64bits(v)
}

// notFinite returns the value that a string names.
func notFinite(arg nbt.Raw) (float64, bool) {
	name, _ := arg.Bytes()
	return notFiniteName(string(name))
}

func notFiniteName(name string) (float64, bool) {
	switch name {
	case "NaN":
		return math.NaN(), true
	case "Infinity":
		return math.Inf(1), true
	case "-Infinity":
		return math.Inf(-1), true
	}
	return 0, false
}
