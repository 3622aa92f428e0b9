// Package diff compares two worlds, two folders of region files, or two
// documents.
//
// # Nouns
//
// A Side is one of the two: OpenWorld and OpenFolder make it. Compare goes
// through the regions of both and delivers a Region for each: the Class of every
// chunk, and a Chunk with its Records for those that are not the same on both
// sides. CompareFiles does so for players and data files. Documents compares two
// documents by NBT paths.
//
// # Classes
//
//	created     only the second side has it
//	deleted     only the first side has it
//	modified    the content differs
//	touched     the content is the same but for LastUpdate and InhabitedTime,
//	            or only the slot's timestamp differs
//	moved       the same content in other sectors, the timestamp included
//	equal       the same content, place and timestamp
//	unreadable  both have it, and at least one cannot be read
//
// Content is the document, not the bytes that it is compressed to: a record that
// was only compressed anew is moved or equal, and Record.Reencoded says so; a
// document whose members are in another order is the same document. Bytes that
// are equal on both sides are the same content, whether they can be read or not.
//
// A chunk is what has a position: its chunk record, entities and points of
// interest. It is created or deleted if its chunk record is (of chunks without
// one, if all its records are); otherwise it is modified if one of its records
// is created, deleted or modified; and of the other classes it has the one that
// stands first in the list above, with unreadable before modified. Counts of the
// three kinds of records stand beside those of chunks.
//
// # What is compared in a modified record
//
// Paths of NBT: elements of lists are matched by UUID, by x, y, z, by Y, by pos or
// by Slot if all elements of both have the key and no two the same one, so that
// an entity that was added makes one difference and not one for each behind it;
// otherwise by index, with what is equal at both ends of the list set aside.
// Paths have the form of package nbt/path.
//
// Blocks and biomes by section, from chunks of any version since the first region
// files: before 1.13 blocks are named by their numbers, as in 5:2. A section that
// is absent is air. Block entities are matched by position, entities by UUID,
// points of interest by position. An entity that went to another chunk is removed
// in one and added in the other.
//
// Two worlds in different layouts are matched by the ids of their dimensions, and
// data files by the names that they have since 26.1.
//
// # Cost
//
// Region files that are the same file, or equal byte for byte, are not looked
// into. Records with equal streams are not inflated. Workers hold one region
// each: memory does not grow with the worlds, and what is listed of a record is
// bounded by Options.
//
// # Concurrency
//
// Compare runs its workers and waits for them; it calls back from one goroutine
// at a time. Sides may be shared.
//
// # Sources
//
// The classes are those of MineDelta's region diff. Forms of sections: observed in
// worlds of 1.21.3, 26.1.2 and 26.2, and minecraft.wiki, "Chunk format", with its
// history; indices since 20w17a (DataVersion 2529) never span two longs.
package diff
