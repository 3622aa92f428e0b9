// Package fsck checks a whole world and repairs it: region files and what is in
// them, data files, and what other programs or a crash have left.
//
// # Nouns
//
// A check reads everything once and gives a [Report] of findings, each with a
// class and a severity. A [Plan] is what a repair would do, step by step, and
// what it has to leave. A [Donor] has other copies of the world's chunks.
//
// # What is checked
//
// Classes are those of package region, of anvil's findings, and this package's.
// Severity info is what worlds of real servers are full of, and is put together
// to one finding for each class and file; a warning loses no chunk; an error is
// a chunk that cannot be read or is not what it should be; fatal a file.
//
//   - region files (package region): zero-byte, unpadded, short-padding,
//     stale-bytes, empty-timestamp, short-header, in-header, out-of-range,
//     zero-count, oversized-count, overlap, bad-length, truncated,
//     unknown-scheme, bad-stream, scheme-mismatch, too-large, external-missing,
//     external-inline, orphan-external, leftover, wrong-position, moved-region,
//     bad-nbt, io-error, beyond-limit, not-region, lost-header, misnamed,
//     kept-copy; a repair adds ambiguous
//   - chunks: bad-chunk, missing-member, bad-palette, section-range,
//     bad-heightmap, newer-than-world, too-old, not-modelled, duplicate-chunk
//   - entities and points of interest: bad-entities, bad-poi, misplaced-entity,
//     duplicate-uuid, misplaced-poi, no-chunk
//   - the world: level-from-old, damaged-data, bad-json, duplicate-dimension,
//     leftover-dimension, duplicate-data, layout-newer-than-level,
//     strange-dimension, too-many-dimensions, part-of-split
//   - ours: rescued, journal-pending, journal-unfinished, journal-void,
//     journal-stale
//   - unstable: it changed whenever it was read, which is no damage
//
// A chunk is decoded as a whole, which is what "can be read" means here; chunks
// from before 1.13, and those newer than this build, only as NBT. Where points of
// interest belong their records say.
//
// # Repair
//
// Structure is mended by region.Repair, through the store, which keeps raw
// copies in strata/rescue. Then chunks that belong to another region go to their
// place if it is free, rescued objects go back unless a newer one is there, and
// chunks that cannot be read are taken from donors: the same position, not newer
// than the world, sound. A donor's chunk also takes the place of an older copy
// that was found in free sectors, of copies that nobody can choose between, and
// goes where another chunk stood. Files that belong to nothing are moved to
// strata/rescue, and back by undo. A data file that cannot be read gets the
// content of its "_old". Nothing is thrown away: every object and file that is replaced is kept in an undo.Change,
// durably and before anything is written.
//
// A repair that is through leaves nothing for a second one. One that was killed
// is run again. Two regions whose files were swapped stay, and are reported:
// none of the places is free.
//
// # Concurrency and cost
//
// Check runs a goroutine for each worker; MakePlan and Apply are for one
// goroutine. A check holds one region file's findings and the largest chunk for
// each worker, and up to 24 MB of UUIDs; otherwise memory grows with what is
// wrong, not with the world.
//
// # Limits
//
// UUIDs of the first million entities of a dimension are compared. Heightmaps
// are checked for what cannot be, not computed anew. Headers of a journal that
// does not fit to the world are not used. Without donors what is found of an
// entity chunk in free sectors may be old: entities do not say when they were
// saved.
package fsck
