// Package query finds the chunks of a world that an expression picks.
//
// Its nouns:
//
//   - a Query is an expression over the Fields of a chunk that is true or
//     false: status == "full" && inhabited < 1200 && !block("#logs"). The
//     language is that of github.com/expr-lang/expr: and, or, not, comparisons,
//     arithmetic, in, matches, and its functions on text, lists and times.
//   - a Row is one chunk with its fields. Only what a query, or the columns
//     beside it, name is read: a query of positions reads headers alone.
//   - a Selection is a set of chunks by position, as MCA Selector keeps them in
//     CSV files.
//   - World is what rows need to know of the world as a whole: where players
//     are, which chunks are kept loaded, which exist.
//
// Select runs a query over a world with package scan: in parallel, in the order
// of files and slots, in constant memory.
//
// # Names
//
// Names of blocks, biomes, structures and so on may lack the namespace
// minecraft. With a # in front they are tags, of the game's own data of 26.2.
// Statuses come without the namespace.
//
// # What cannot be read
//
// A chunk that cannot be read has readable == false and an error; the fields
// that need its content are zero, and functions that do are false. Rows whose
// expression itself fails, by an index out of range for instance, are counted
// as failed and not selected.
package query
