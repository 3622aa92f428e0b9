// Package testbed is what tests of every package share: where the test
// material lies, when a missing tool is a failure, how many runs a storm
// makes and which seed a random test uses.
//
// Its nouns:
//
//   - the root is the folder whose go.mod names the module strata, found by
//     walking up from the working directory;
//   - the shared folder is the root's sibling named "shared". It holds real
//     chunks, worlds and game data that are not part of the repository, so a
//     checkout without it must still pass: tests that need it skip, saying
//     why;
//   - a storm is a test that repeats a random operation many times. Its count
//     on a submission is written at the call; nightly and release runs raise
//     it through the environment;
//   - a pseudo terminal lets a test type (Linux only).
//
// The environment:
//
//   - STRATA_MUST_RUN=1 turns each such skip into a failure. CI sets it, so
//     that a green run can not hide a test that never ran.
//   - STRATA_LONG_RUNS=N replaces the count of every storm.
//   - STRATA_SEED=N replaces the random seed; the seed in use is logged, so
//     that a failure can be run again.
//
// The package imports the standard library alone, and every test may import
// it. All functions may be called from parallel tests. They call only Fatal,
// Skip, Log, Helper and Cleanup of the test they are given, and so must run on that
// test's goroutine.
package testbed
