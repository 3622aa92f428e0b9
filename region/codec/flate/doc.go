// Package flate is a DEFLATE codec for payloads that are wholly in memory, as
// the payloads of region files are. It has no streaming interface: knowing
// both ends of the data is what makes it fast.
//
// Its nouns:
//
//   - an [Encoder] turns one source into one stream, raw (RFC 1951) or in a
//     zlib (RFC 1950) or gzip (RFC 1952) wrapper, at one of the levels
//     [MinLevel] to [MaxLevel];
//   - a [Decoder] turns a stream back into its source, within a limit;
//   - a sequence is a run of literals and the match that follows it; a match
//     repeats bytes up to 32 KiB back, the window;
//   - a segment is the stretch of source that is parsed into sequences before
//     any of it is written, at most 256 KiB. Chunk payloads are one segment;
//   - a block is a stretch of a segment with codes of its own.
//
// Encoding goes through three stages: a parser makes the sequences of a
// segment (lazy matching over hash chains at levels 5 to 9, a search for the
// cheapest parse over binary trees at 10 to 12), a splitter divides them into
// blocks, and a block writer writes each block stored, with the fixed codes or
// with codes of its own, whichever is shortest.
//
// Encoders and decoders are for one goroutine at a time and keep working
// memory between calls; use one of each per worker. Adler32 may be called
// concurrently. Neither side can be made to panic or to take unbounded memory
// by its input: an encoder's memory does not grow with the source, a decoder
// checks the caller's limit first.
//
// Limits: no preset dictionaries, and no flush points within a stream.
//
// The build tag purego replaces the unchecked loads and stores of
// load_unsafe.go by checked ones.
//
// The format facts come from RFC 1950, 1951 and 1952. The codes follow Huffman
// (1952), length-limited by the package-merge method of Larmore and Hirschberg
// (1990).
package flate
