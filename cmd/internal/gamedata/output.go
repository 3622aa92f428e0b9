package gamedata

import (
	"bytes"
	"errors"
	"fmt"
	"os"
)

// envMustRun is the variable by which CI forbids to leave work out.
const envMustRun = "STRATA_MUST_RUN"

// Write replaces the file at path unless it holds data already, so that its
// time stays when nothing changes.
func Write(path string, data []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, data) {
		return nil
	}
	return os.WriteFile(path, data, 0o644)
}

// Exit ends a generator. Absent data is told, and is no failure unless
// STRATA_MUST_RUN=1; every other error is.
func Exit(generator string, err error) {
	os.Exit(report(generator, err))
}

func report(generator string, err error) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, ErrAbsent) && os.Getenv(envMustRun) != "1":
		fmt.Fprintf(os.Stderr, "%s: generated files are left as they are: %v\n", generator, err)
		return 0
	}
	fmt.Fprintf(os.Stderr, "%s: %v\n", generator, err)
	return 1
}
