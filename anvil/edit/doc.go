// Package edit changes the chunks of a world at the level of NBT: documents by
// path, fields of many chunks at once, and the removal of chunks.
//
// # Nouns
//
// A [Picked] is the set of chunks that a query has picked. [Fields] are changes
// to make to each of them, as FIELD=VALUE says; [FieldList] has them all. A
// [Result] counts what was, or would be, changed.
//
// Every function takes a store that is open for writing and an undo.Change,
// which keeps each record before it is written; with a store that is open for
// reading nothing is written and the same counts come out.
//
// # What stays as it is
//
// Documents are edited by splicing: what a field is not about stays byte for
// byte, whatever version of the game wrote it. A document that does not change
// is not written. Records keep their compression. Chunks, entities and points
// of interest that are not picked are not touched.
//
// # What is refused
//
// A chunk that is newer than the world or than this build, one that cannot be
// read, and one whose version does not have what a field is about are skipped
// and counted by reason. So is a change that would put a chunk into a place
// where it does not belong: [ErrPosition].
//
// # Fields
//
// They are those of MCA Selector 2.8, as the names in FieldList say, without its
// Script, which runs programs, and DataVersion, which would make chunks lie
// about their form: both are refused by name.
//
// Replacing blocks or removing sections leaves heightmaps and light wrong: for
// chunks from 26.1 on heightmaps are computed anew, for older ones removed, so
// that the game makes them; light is marked as not right, which makes the game
// do it again. Block entities of replaced blocks go, and points of interest of
// such chunks are marked as not valid, so that the game looks again.
//
// # Limits
//
// Blocks can be replaced in chunks from 1.13 on, biomes from 1.18. A document is
// at most 256 MiB. Memory grows with the regions that are picked from, and with
// the documents of 32 chunks at a time.
//
// # Concurrency
//
// Fields may be used by any number of goroutines, everything else by one. Change
// uses several goroutines and waits for them.
//
// # Sources
//
// Fields: MCA Selector's list of them (github.com/Querz/mcaselector, names and
// meanings). Forms of chunks: those observed in worlds of 1.21.3, 26.1.2 and 26.2,
// and minecraft.wiki, "Chunk format", with its history.
package edit
