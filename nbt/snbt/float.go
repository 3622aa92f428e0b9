package snbt

import (
	"math"
	"strconv"
)

// appendJavaFloat appends the shortest digits that read back as the same
// float of 32 or double of 64 bits, in the form that Java gives them: 1.0,
// 0.001, 1.0E7, 1.0E-4.
func appendJavaFloat(dst []byte, v float64, size int) []byte {
	abs := math.Abs(v)
	if v == 0 || abs >= 1e-3 && abs < 1e7 {
		at := len(dst)
		dst = strconv.AppendFloat(dst, v, 'f', -1, size)
		for _, c := range dst[at:] {
			if c == '.' {
				return dst
			}
		}
		return append(dst, ".0"...)
	}
	var buf [32]byte
	text := strconv.AppendFloat(buf[:0], v, 'e', -1, size)
	if whole := exponentAt(text); text[whole-1] != '.' && !hasPoint(text[:whole]) {
		text = twoDigits(text, v, size)
	}
	return appendExponent(dst, text)
}

// twoDigits returns the form with two digits in place of one, which Java
// takes where both read back: 4.9E-324, not 5.0E-324.
func twoDigits(one []byte, v float64, size int) []byte {
	two := strconv.AppendFloat(make([]byte, 0, 32), v, 'e', 1, size)
	if back, err := strconv.ParseFloat(string(two), size); err == nil && back == v {
		return two
	}
	return one
}

func exponentAt(text []byte) int {
	for i, c := range text {
		if c == 'e' {
			return i
		}
	}
	return len(text)
}

func hasPoint(text []byte) bool {
	for _, c := range text {
		if c == '.' {
			return true
		}
	}
	return false
}

// appendExponent turns Go's 1e-04 into 1.0E-4.
func appendExponent(dst, text []byte) []byte {
	at := exponentAt(text)
	dst = append(dst, text[:at]...)
	if !hasPoint(text[:at]) {
		dst = append(dst, ".0"...)
	}
	dst = append(dst, 'E')
	if text[at+1] == '-' {
		dst = append(dst, '-')
	}
	digits := text[at+2:]
	if digits[0] == '0' {
		digits = digits[1:]
	}
	return append(dst, digits...)
}

// appendNotFinite appends an infinity or NaN as the operation that reads it.
func appendNotFinite(dst []byte, bits uint64, size int) []byte {
	name, v, usual := "double(", math.Float64frombits(bits), uint64(javaNaN64)
	if size == 32 {
		name, v, usual = "float(", float64(math.Float32frombits(uint32(bits))), javaNaN32
	}
	dst = append(dst, name...)
	switch {
	case math.IsInf(v, 1):
		dst = append(dst, `"Infinity"`...)
	case math.IsInf(v, -1):
		dst = append(dst, `"-Infinity"`...)
	case bits == usual:
		dst = append(dst, `"NaN"`...)
	default:
		dst = append(dst, "0x"...)
		dst = strconv.AppendUint(dst, bits, 16)
		if size == 64 {
			dst = append(dst, 'L')
		}
	}
	return append(dst, ')')
}
