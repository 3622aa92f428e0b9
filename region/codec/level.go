package codec

import (
	"fmt"
	"strconv"
)

// Level says how hard an [Encoder] of scheme zlib or gzip tries. The zero
// value is [Sector]. LZ4 and none have no levels and ignore it.
type Level int

const (
	// Sector is the default mode: fast, and harder only where that saves a
	// 4 KiB sector of the region file.
	Sector Level = 0

	// MinLevel is the fastest level.
	MinLevel Level = 1
	// MaxLevel is the smallest one.
	MaxLevel Level = 12
)

// String returns "1" to "12", "sector", or "invalid(N)".
func (l Level) String() string {
	switch {
	case l == Sector:
		return "sector"
	case l.valid():
		return strconv.Itoa(int(l))
	}
	return "invalid(" + strconv.Itoa(int(l)) + ")"
}

func (l Level) valid() bool { return l == Sector || l >= MinLevel && l <= MaxLevel }

// ParseLevel is the inverse of [Level.String]: "1" to "12", or "sector". Any
// other text gives an error that is [ErrUnknownLevel].
func ParseLevel(text string) (Level, error) {
	if text == "sector" {
		return Sector, nil
	}
	n, err := strconv.Atoi(text)
	// The second test refuses what Atoi lets through: "+5", "05".
	if l := Level(n); err == nil && l >= MinLevel && l <= MaxLevel && l.String() == text {
		return l, nil
	}
	return 0, fmt.Errorf("%w %q: want 1 to 12 or sector", ErrUnknownLevel, text)
}
