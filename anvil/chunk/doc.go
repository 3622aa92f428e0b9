// Package chunk is the chunk as programs work with it, and the way from and
// to its NBT.
//
// # Nouns
//
// A [Chunk] is a column of 16 by 16 blocks with all that its file record
// holds. It is made of sections of 16 by 16 by 16 blocks, each with paletted
// containers of block states and of biomes, the latter one a quarter cell of
// 4 by 4 by 4 blocks, and with block and sky light. Over them lie heightmaps.
// All else is kept as NBT: block entities, ticks, structures and so on, which
// typed methods read and write on demand, and members that nobody knows.
//
// [Tables] gives numbers to block states and biomes that the game does not
// have. Chunks that exchange numbers share one.
//
// A [Decoder] makes chunks of NBT, an [Encoder] NBT of chunks. [ReadHeader]
// reads little, of chunks of all ages.
//
// # What is read
//
// Every chunk of DataVersion 1451 (17w47a, for 1.13) and later reads into the
// one model: the form with Level up to 1.17, indices that straddle longs
// before 2529, biomes by number before 2834. An older chunk is a
// [*TooOldError]. Encoding keeps the chunk's DataVersion and form.
//
// # Raising
//
// Edits keep the DataVersion. [Chunk.Raise] alone changes it, by the named
// conversions of [Steps]; where none lead there is no way. The one step so far
// takes chunks of 26.1 (4786 to 4902, the snapshots of 26.2 included) to those
// of 26.2 (4903), which have no block entity for beds: bed-block-entities
// removes it, bed-item-data removes it from items that were to place one.
// Chunks alone are raised, not the entities and points of interest beside them:
// of what 26.2 removed their files hold nothing but HurtByTimestamp, which it
// ignores.
//
// # Lossless
//
// Decoding and encoding changes nothing but what follows, none of which the
// game can tell apart:
//
//   - the order of members in the root, Level, sections, palette entries that
//     the game has, and heightmaps; the order of sections
//   - members that a later one of the same name hides, where the name is one
//     that this package knows; the root's name, which becomes empty
//   - the integer type of numbers that this package knows; an isLightOn that
//     is neither 0 nor 1; Properties without any in a palette entry, which go
//   - palettes with more than 256 entries: unused entries go, the order
//     changes; the array of indices of a palette with one entry, which only
//     the form with Level has to have
//   - unused bits of packed arrays, and the width of indices in chunks before
//     1.18 that are wider than their palette needs
//   - the element type of an empty list of sections
//   - bytes after the document, which go; [Decoder.Trailing] counts them
//
// After an edit, palettes of edited sections are made anew, most frequent
// first, without unused entries, and heightmaps follow the blocks.
//
// # Concurrency and ownership
//
// A Chunk belongs to one goroutine, as does a Decoder and an Encoder.
// [Chunk.Clone] is cheap: both share all arrays, and whoever edits a section
// copies it first. So an owner can hand a clone to another goroutine, which
// reads and encodes it, and go on editing. Reading a chunk that nobody edits
// may be done from any number of goroutines. No slice that goes in or out is
// shared, but for [nbt.Raw] values, which must not be changed.
//
// # Limits
//
// A document is bounded by [nbt.Limits], a section by Y of -128 to 127, a
// palette by 4,096 entries, 64 for biomes, and the entries that the game does
// not have by those of [block.States] and by [MaxBiomes]. A chunk that finds
// no room there cannot be decoded (ErrFull of package block, ErrBiomesFull):
// it can be handled as NBT.
//
// # Cost
//
// A chunk of the corpus (44.8 KB of NBT) takes 21 us to decode and 8.5 us to
// encode, beside 5.0 us for a mere walk over its NBT; in memory it has 4.9
// objects and 42.7 kB on the mean. A clone takes 1.1 us, all its sections as
// flat arrays 16 us, four heightmaps 28 us, a block set in a chunk that is not
// in the cache 0.19 us. STRATA_COST=1 go test -run 'Cost|Memory' -v, thread CPU
// time, best of 12 passes, on two cores of an AMD EPYC shared with much else,
// 2026-11-30.
//
// # Sources
//
// The form of 1.18 and later was seen in 1.21.3 to 26.2. Older forms are those
// described at minecraft.wiki (Chunk format and its history), names of
// statuses before 1.14 in files of 1.13. Widths of indices and heights were
// checked on 23,336 chunks of 26.1 and 26.2. What changed from 26.1 to 26.2 are
// the published notes of its snapshots and the generator's reports of 26.1.2
// and 26.2.
package chunk
