// Package pack is a store of objects that are named by their content. It knows
// nothing of worlds.
//
// # Nouns
//
// An object is bytes, of which the first says what kind it is; its [ID] is their
// SHA-256. Objects lie in packs, files that are written once and never change.
// A pack's stream, objects one behind the other, each after its length, is cut
// into frames of at most 128 KiB, compressed one by one, so that reading an
// object costs one frame. An object that does not fit into the rest of a frame
// begins the next one; a larger one goes on over several. The index at the end
// of a pack lists frames and objects.
//
// # The form of a pack
//
//	"STRPACK1"
//	frames   u32 length, of which bit 31: not compressed, bit 30: an object
//	         begins with it; u32 length of the stream; u64 xxh64 of these eight
//	         bytes and the data; data (zstd)
//	index    uvarint number of frames; for each uvarint length and stream length,
//	         flags in the lowest two bits of the first; uvarint number of objects;
//	         for each its ID and uvarint length
//	trailer  u64 xxh64 of the index and its length, u32 length of the index,
//	         "STRPEND1"
//
// Numbers are little-endian. The name of the file is a number that rises, and the
// beginning of the SHA-256 of its bytes. A pack whose index is damaged is read
// frame by frame instead. With a [Sealer] all of this is what is sealed, and the
// name is the hash of the sealed bytes.
//
// # Order on disk
//
// A pack is written under a temporary name, flushed, renamed, and the folder
// flushed: Writer.Commit returns after that. Who refers to objects does so after
// Commit. Repack removes packs when the new ones are durable, so that a kill
// leaves objects twice and never not at all.
//
// # Concurrency and memory
//
// A Store is safe for concurrent use, a Writer belongs to one goroutine; it runs
// one more that compresses. There should be one Writer of a folder at a time. In
// memory an object takes about 50 bytes. Indexes are read when they are needed,
// those of the newest packs first.
//
// # Limits
//
// An object is at most 1 GiB, a pack 24 MiB and its last object.
package pack
