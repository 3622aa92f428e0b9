// Package sine holds the table of sines that the game takes its angles'
// sines and cosines from: 65,536 entries in single precision, one for each
// step of a turn. World generation that walks along angles must use it; real
// sines lead elsewhere after a few blocks.
//
// The indices are those of Java Edition since 1.21.11: angles are doubles, and
// the index is the angle times 65536/2pi, rounded towards zero. Older versions
// did this in single precision, and differ.
//
// The table is made on first use, in 1.5 ms, and has 256 kB. All functions
// may be called concurrently; they do not allocate.
//
// Sources of the facts: public descriptions of the game's table; the tests
// compare each entry with what Java computes, and the carvers' tests the paths
// of real caves.
package sine
