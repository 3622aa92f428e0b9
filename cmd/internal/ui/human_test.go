package ui

import (
	"math"
	"testing"
	"time"
)

func TestFormatBytes(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 1023: "1023 B", 1024: "1.00 KiB", 6205: "6.06 KiB", 10235: "10.0 KiB",
		10 << 10: "10.0 KiB", 100 << 10: "100 KiB", 1<<20 - 1: "1.00 MiB", 1<<20 - 100: "1.00 MiB",
		45 << 20: "45.0 MiB", 3 << 30: "3.00 GiB", math.MaxInt64: "8.00 EiB", -2048: "-2.00 KiB",
	} {
		if got := FormatBytes(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestFormatCount(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 999: "999", 1000: "1,000", 12345: "12,345", 123456: "123,456", 1234567: "1,234,567",
		-1: "-1", -1000: "-1,000", math.MinInt64: "-9,223,372,036,854,775,808",
	} {
		if got := FormatCount(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestFormatDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                                  "0 ns",
		999:                                "999 ns",
		15200:                              "15.2 µs",
		999*time.Microsecond + 600:         "1.00 ms",
		7900 * time.Microsecond:            "7.90 ms",
		123 * time.Millisecond:             "123 ms",
		1250 * time.Millisecond:            "1.25 s",
		59*time.Second + 960e6:             "1m00s",
		192 * time.Second:                  "3m12s",
		time.Hour - time.Millisecond:       "1h00m",
		125 * time.Minute:                  "2h05m",
		24*time.Hour - time.Second:         "1d00h",
		76 * time.Hour:                     "3d04h",
		-1500 * time.Millisecond:           "-1.50 s",
		time.Duration(math.MaxInt64) / 100: "1067d12h",
	} {
		if got := FormatDuration(d); got != want {
			t.Errorf("%d ns: %q, want %q", d, got, want)
		}
	}
}
