// Package oracletest gives the tests of world generation what the game made:
// its data pack, dumps of chunks, samples, and chunks of real worlds. They lie
// in the shared folder beside the repository; where it is missing the tests
// skip (see bench/testbed). Only tests import it.
package oracletest
