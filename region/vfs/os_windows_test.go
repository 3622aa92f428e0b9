package vfs

import (
	"strings"
	"testing"
)

func TestLongPathGetsItsPrefix(t *testing.T) {
	long := strings.Repeat(`long\`, 60) + "f"
	for in, want := range map[string]string{
		`C:\short`:         `C:\short`,
		`C:\` + long:       `\\?\C:\` + long,
		`\\host\s\` + long: `\\?\UNC\host\s\` + long,
		`\\?\C:\` + long:   `\\?\C:\` + long,
	} {
		if got := longPath(in); got != want {
			t.Errorf("longPath(%q) = %q, want %q", in, got, want)
		}
	}
}
