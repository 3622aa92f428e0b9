// Package flate compresses and decompresses DEFLATE from memory to memory, in
// one call for a whole chunk. Knowing all of the input at once is what makes
// it faster than a stream coder: no window to slide, no state to suspend, one
// growth of the output.
//
// An [Encoder] writes levels 5 to 12: 5 to 9 match lazily over hash chains and
// split blocks where the statistics change, for saving while a server runs; 10
// to 12 search for the cheapest parse over a binary tree of matches, for
// offline work. A [Decoder] reads any DEFLATE, zlib or gzip stream, with a
// limit on what it may produce, and accepts exactly what the standard library
// accepts. [Adler32] is the checksum of zlib streams.
//
// Output depends on the source and the level only: estimates are computed in
// integers, so every architecture writes the same bytes. Nothing is allocated
// in steady state. Encoders and decoders are for one goroutine at a time.
//
// Loads and stores of the inner loops are unsafe by default, behind proofs in
// the callers; the build tag purego replaces them by bounds-checked ones and
// drops the assembly of the Adler-32 sum, for about a third more time.
//
// Formats: RFC 1951 (DEFLATE), RFC 1950 (zlib), RFC 1952 (gzip). Measured
// sizes and times per level are in the project's README.
package flate
