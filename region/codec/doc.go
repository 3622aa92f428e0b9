// Package codec turns chunk payloads into the byte streams that region files
// hold, and back.
//
// # Nouns
//
// A payload is the uncompressed bytes of one chunk; this package never looks
// inside. A stream is what stands behind the five-byte record header of a
// region file, or alone in an external chunk file. A [Scheme] is the type
// byte of that record header. A [Level] says how hard an [Encoder] tries:
// 1 to 12, or [Sector], the default of every writer.
//
// # Levels
//
// One scale for zlib and gzip: each level is smaller and slower than the one
// before it on full chunks. 1 to 4 run klauspost/compress; 5 to 9 run
// codec/flate with lazy matching, 10 to 12 with a near-optimal parse, meant
// for offline work.
//
// Mode [Sector] minds what a region file really costs. A record occupies
// whole sectors of 4096 bytes, so bytes only count where they cross a sector
// boundary. The mode compresses fast and compresses again, harder, only when
// the record oversteps a boundary by so little that the harder encoder is
// likely to get back under it; the second result is kept only if it saves a
// sector. See sector.go for the thresholds and the measurement behind them.
//
// # Determinism
//
// A stream depends on the payload, the scheme and the level alone: not on
// what the encoder compressed before, the processor, the clock or the number
// of workers.
//
// # Concurrency and memory
//
// An [Encoder] and a [Decoder] belong to one goroutine at a time. They are
// meant to be kept, one per worker: an Encoder holds about 1 MB of tables, 3 MB
// in mode sector, 7 MB at levels 10 to 12. Once warm neither allocates, other
// than to grow the caller's dst.
//
// # Limits
//
// [Decoder.Append] appends at most limit bytes ([DefaultLimit] when the
// caller names none) and never allocates from a length that the input claims
// before that length was checked against the limit and against what the
// remaining input could possibly hold. [Encoder.Append] refuses payloads over
// [MaxPayload].
//
// # Sources
//
// Type bytes 1 to 4 and 127: the Region file format page of the Minecraft
// Wiki and files of data versions 2730 to 4903; 4 (LZ4) exists since snapshot
// 24w04a. zlib: RFC 1950; deflate: RFC 1951; gzip: RFC 1952. The LZ4 block
// framing of type 4 was taken from streams that lz4-java 1.8.0 wrote and is
// tested against them; its checksum is XXH32 as the xxHash specification
// (doc/xxhash_spec.md, version 0.2.0) defines it.
package codec
