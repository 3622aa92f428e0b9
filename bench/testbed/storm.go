package testbed

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

const (
	envLongRuns = "STRATA_LONG_RUNS"
	envSeed     = "STRATA_SEED"

	// shortDivisor is what -short leaves of a storm: a tenth, since -race
	// makes a run about ten times as slow.
	shortDivisor = 10
)

// Runs returns how many times a storm repeats: the integer in
// STRATA_LONG_RUNS when that is set, otherwise ci, the count that a
// submission runs; under -short a tenth of ci, but one run at least. The test
// fails when STRATA_LONG_RUNS is not a positive integer, or ci is not
// positive.
func Runs(t testing.TB, ci int) int {
	t.Helper()
	return runs(t, ci, testing.Short())
}

func runs(t testing.TB, ci int, short bool) int {
	t.Helper()
	if ci <= 0 {
		t.Fatalf("a storm of %d runs tests nothing", ci)
	}
	if text := os.Getenv(envLongRuns); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n <= 0 {
			t.Fatalf("%s=%q is not a positive integer", envLongRuns, text)
		}
		return n
	}
	if short {
		return max(1, ci/shortDivisor)
	}
	return ci
}

// Seed returns the seed for a random test and logs it with the way to use it
// again: a fresh one each run, or the integer in STRATA_SEED when that is
// set. The test fails when STRATA_SEED is not an integer.
func Seed(t testing.TB) int64 {
	t.Helper()
	seed := rand.Int64()
	if text := os.Getenv(envSeed); text != "" {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			t.Fatalf("%s=%q is not an integer", envSeed, text)
		}
		seed = n
	}
	t.Logf("seed %d (repeat with %s=%d)", seed, envSeed, seed)
	return seed
}
