package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestLowerPriorityIsForAllThreads looks at each thread of this process. It
// stays that way, since giving a priority back takes privileges.
func TestLowerPriorityIsForAllThreads(t *testing.T) {
	if err := lowerPriority(); err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob("/proc/self/task/*/stat")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(data), ") ") // the name may hold anything
		// From the state on, which is field 3: nice is field 19.
		if nice, err := strconv.Atoi(strings.Fields(rest)[16]); err != nil || nice < niceness {
			t.Errorf("%s: priority %d, %v", name, nice, err)
		}
	}
}
