package ui

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// FormatBytes returns a size for people, in binary units with three digits or
// so: "512 B", "6.06 KiB", "43.1 MiB".
func FormatBytes(n int64) string {
	const step = 1024
	value, units := float64(n), []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	if n > -step && n < step {
		return strconv.FormatInt(n, 10) + " B"
	}
	i := 0
	// 1023.5 would be shown as 1024 of the smaller unit.
	for ; math.Abs(value) >= step-0.5 && i < len(units)-1; i++ {
		value /= step
	}
	return threeDigits(value) + " " + units[i]
}

// FormatCount returns n with a comma between groups of three digits.
func FormatCount(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	head := (len(digits)-1)%3 + 1
	text := digits[:head]
	for at := head; at < len(digits); at += 3 {
		text += "," + digits[at:at+3]
	}
	return sign + text
}

// FormatDuration returns d for people: three digits or so below a minute
// ("532 ns", "15.2 µs", "7.90 ms", "1.25 s"), whole units above ("3m12s",
// "2h05m", "3d04h").
func FormatDuration(d time.Duration) string {
	if d < 0 {
		return "-" + FormatDuration(-d)
	}
	switch {
	case d < time.Microsecond:
		return strconv.FormatInt(int64(d), 10) + " ns"
	case d < time.Millisecond-500*time.Nanosecond:
		return threeDigits(float64(d)/1e3) + " µs"
	case d < time.Second-500*time.Microsecond:
		return threeDigits(float64(d)/1e6) + " ms"
	case d < time.Minute-50*time.Millisecond:
		return threeDigits(d.Seconds()) + " s"
	case d < time.Hour-500*time.Millisecond:
		s := int64(d.Round(time.Second).Seconds())
		return fmt.Sprintf("%dm%02ds", s/60, s%60)
	case d < 24*time.Hour-30*time.Second:
		m := int64(d.Round(time.Minute).Minutes())
		return fmt.Sprintf("%dh%02dm", m/60, m%60)
	default:
		h := int64(d.Round(time.Hour).Hours())
		return fmt.Sprintf("%dd%02dh", h/24, h%24)
	}
}

// threeDigits keeps three significant digits of numbers below 1000.
func threeDigits(v float64) string {
	switch abs := math.Abs(v); {
	case abs >= 99.95:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case abs >= 9.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	default:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
}
