package server

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// fromFiles is what of the process's memory is parts of files, in KiB.
func fromFiles(t *testing.T) int {
	t.Helper()
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), "RssFile:")
	kib, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return kib
}

func TestCodeThatDoesNotRunIsGivenBack(t *testing.T) {
	s, stop := start(t) // runs much of it
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	before := fromFiles(t)
	releaseText()
	after := fromFiles(t)
	t.Logf("%d KiB before, %d after", before, after)
	if before-after < 1<<10 {
		t.Errorf("%d KiB of files are in memory, %d before", after, before)
	}
	_, stop = again(t, s.options)
	if err := stop(); err != nil { // it runs again
		t.Fatal(err)
	}
}
