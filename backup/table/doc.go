// Package table writes sorted lists of keys and values so that a list that
// changed little is stored as what changed.
//
// # Nouns
//
// A table is rows, sorted by their keys. It is stored as a piece: all of it, or
// the rows that differ from those of another table, its base, which is stored as
// a piece in turn. The pieces that are needed to read a table are its chain.
//
// # Why chains stay short
//
// Writing a table whole from time to time would make one run in many store much
// for nothing. Instead each piece also repeats a part of the rows that did not
// change, a window of a 64th of the keys that begins where that of the base ended
// and comes round at the end. What lies in the window of a piece is complete
// there: a key of it that has no row is absent. A reader goes back until the
// windows cover all keys, which are about 64 pieces.
//
// # The form of a piece
//
//	u8       flags: bit 0 has a base, bit 1 all values are of one length
//	base     32 bytes; then the window: uvarint length and key of the last one
//	         before it and of the last one in it
//	uvarint  number of rows
//	keys     for each uvarint bytes shared with the key before, uvarint length of
//	         the rest, rest
//	lengths  for each uvarint length of the value and one; 0 if there is no such
//	         row any more
//	values   one behind the other, or, of one length, all first bytes, all second
//	         bytes and so on, which compresses better
//
// # Limits
//
// A key is at most 64 KiB, a value 64 KiB, a table 4 million rows, a chain 1,024
// pieces.
package table
