// Package nbt reads, edits and writes NBT, the tag format of everything the
// game stores: chunks, level.dat, players, structure templates, and parts of
// the protocol. Its text form is in nbt/snbt.
//
// # Nouns
//
// A document is one root tag with all in it, in one of two forms: rooted, as
// in files, with a name at the root (nearly always empty); or the network form
// of protocol 764 (1.20.2) and later, without one. A tag has one of thirteen
// types ([Type]); compounds have members with names, lists have elements of
// one type without.
//
// A [Tape] is the index of a document, made in one pass without decoding
// anything; a [Tag] is a view of one tag through it. A [Raw] is a tag's payload
// byte for byte. [ScanRoot] finds single members of the root without a tape.
//
// # Which way in
//
//   - To look at some tags of a document: a Tape and its tags, or ScanRoot.
//   - To fill Go values from one: [Unmarshal], with struct tags, and a field
//     for the rest, so that nothing is lost on the way back; or any, as
//     [Compound], [List] and numbers.
//   - To change a few tags: [Edit] splices them into the bytes that are there.
//     Package nbt/path finds and changes places as the game's commands write
//     them.
//   - To make a document: a [Writer], tag by tag, or [Marshal].
//   - Files are compressed or not: [Unpack] finds out, [Pack] does it again.
//
// # Lossless
//
// What is not changed stays as it is, byte for byte: unknown tags, the order of
// members, members whose name repeats (the last one counts, as in the game),
// element types of empty lists, bits of NaNs, and strings that are not valid.
// Strings are in Java's modified UTF-8 and decoded only when asked for; see
// [AppendUTF8] for how they look in Go.
//
// # Limits and errors
//
// [Limits] bound depth, size and number of tags; every length in a document is
// checked against what is left of it before anything is done with it, and
// memory grows with what was read, never with what a document claims. Damaged
// input is a [*SyntaxError] with offset and path. Nothing panics.
//
// # Ownership and concurrency
//
// What is called a view points into the document and is good while that is
// unchanged and its tape has not parsed another one. A parsed tape and its
// tags may be read from any number of goroutines.
//
// # Sources
//
// The format is described at minecraft.wiki (NBT format); modified UTF-8 in
// Java's DataInput. The depth of 512, and lists of several types since 1.21.5
// ([Tag.Mixed]), are the game's own rules.
package nbt
