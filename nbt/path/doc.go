// Package path finds and edits tags by NBT paths, in the form of the game's
// /data command: sections[{Y:3b}].block_states.palette[0].Name.
//
// It stands beside package nbt and not in it because filters are SNBT, and
// nbt/snbt imports nbt.
//
// # Nouns
//
// A [Path] is a path that has been parsed, a row of nodes. Each node goes from
// tags to tags within them:
//
//	name        the member of a compound; of several with that name the last
//	name{...}   the same, if it is a compound that matches the filter
//	[3] [-1]    an item of a list or array, from the end if below zero
//	[]          all items
//	[{...}]     all compounds in a list that match the filter
//	{...}       the root, if it matches the filter; only at the start
//
// Nodes are joined by dots, which may be left out before brackets; one may stand
// at the end. Names in double or single quotes may hold anything; others all but
// spaces and "'[]{}. characters. The empty name, "", is read here, while the
// game refuses it in paths. What a path selects comes in the order of the
// document. The empty path selects the root.
//
// A filter matches as [Matches] says: as a part of the tag.
//
// # Values
//
// Paths see the values of a document: an item of an array is a number, and one
// of a list of several types (since 1.21.5) is what stands in its wrapper, see
// [nbt.Tag.Mixed].
//
// # Edits
//
// The methods that edit put their changes into an [nbt.Edit]: they see the
// document as it was parsed, not other edits that are pending, and two that
// touch one tag overlap. They return how many tags were changed; what already
// is as it should be is not touched and not counted. A mistake stays in the
// Edit, as with its own methods.
//
// They do what /data modify does, and differ in this: the root can be set; a
// value that its target cannot take is an error and not passed over; nothing
// is created if the path could not be followed to its end.
//
// # Limits, errors and concurrency
//
// A path has at most [MaxBytes] bytes and [MaxNodes] nodes; filters nest as
// deep as package nbt allows. What is wrong with a path is a [*SyntaxError]
// with its offset. Any number of goroutines may use a Path.
//
// # Sources
//
// minecraft.wiki, NBT path (seven kinds of nodes, matching of filters), and
// Commands/data; public copies of the game's classes of 1.20.4 and 26.1.2 for
// dots at the end, lists shorter than their pattern and numbers set into arrays.
// The quotes ' are read since 1.20.5 only, so [Path.String] writes the other
// ones.
package path
