// Package corpus reads the files that benchmarks and tests measure on.
//
// Its nouns:
//
//   - a chunk corpus (*.bin.zst) holds uncompressed chunk payloads: a
//     zstd-compressed run of records, each a little-endian uint32 NBT length, a
//     little-endian uint32 length of the payload the game had stored for it (0
//     = unknown), and the NBT bytes. [Load] reads one into memory.
//   - a world archive (*.tar.zst) holds folders as they lay on disk. [Unpack]
//     writes one out again.
//
// Both take windows of up to 128 MiB, as zstd --long=27 makes them.
//
// Corpora come from files someone else made, so both functions check every
// length against the limits below before they allocate or write, and Unpack
// writes nothing outside its folder. Errors that a caller can test for:
// [ErrFormat] and [ErrLimit], beside those of package io/fs.
//
// All functions may be called concurrently, for Unpack with different folders.
package corpus

import "errors"

// Limits of the inputs. They are far above the corpora in use (45 MB and
// 300 MB) and far below what would harm a machine.
const (
	// MaxChunk is the largest payload of one record.
	MaxChunk = 64 << 20
	// MaxCorpus is the largest sum of payloads in one chunk corpus.
	MaxCorpus = 2 << 30
	// MaxFile is the largest file in a world archive.
	MaxFile = 4 << 30
	// MaxArchive is the largest sum of file sizes in a world archive.
	MaxArchive = 16 << 30
	// MaxEntries is the largest number of files and folders in an archive.
	MaxEntries = 1 << 20

	maxWindow = 128 << 20
)

var (
	// ErrFormat: not a corpus or archive of the described form.
	ErrFormat = errors.New("malformed corpus")
	// ErrLimit: larger than one of the limits above.
	ErrLimit = errors.New("corpus exceeds limit")
)
