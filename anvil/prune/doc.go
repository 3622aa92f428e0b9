// Package prune decides which chunks of a world may go: those that an
// expression picks, less those that are protected and those that what stays
// needs beside it. It reads and decides; package edit removes.
//
// # Nouns
//
// A [Map] is what is known of each chunk of one dimension, as [Flags]. [Rules]
// say what stays whatever was picked. A [Plan] is the decision for a world: the
// chunks to remove, and how many stay for which reason.
//
// # Protected
//
// The spawn of the world, players, the places where they respawn, each with
// some chunks around them; chunks that are kept loaded (/forceload); circles
// and a selection that the caller gives. A region file that cannot be read stays
// as a whole.
//
// # The margin
//
// Trees, ores and the rest that the step features makes reach into the chunks
// around their own. Where one side of such a border goes, the game makes it anew
// and trees end at the border as if cut. So around every chunk that stays and is
// decorated (status features or later) picked chunks stay as well, up to the
// margin, if they can hold something of it: those at carvers or later. Earlier
// ones hold nothing that the game would not make again. A chunk that is
// unreadable, or older than statuses are, counts as full.
//
// A margin of 1 makes whole what was to be kept. The chunks of the margin itself
// end at nothing, and what they have over their outer border is lost: that lies
// one margin away from where somebody was.
//
// # InhabitedTime
//
// Servers can be set to write one InhabitedTime for all chunks (Paper:
// fixed-chunk-inhabited-time), and what never was on a server has 0. A
// [Histogram] of each dimension shows the values, and says when one dominates: an
// expression over it then picks all or nothing.
//
// # Concurrency and cost
//
// [Decide] uses the goroutines of package query and waits for them. A Map
// belongs to one goroutine. It takes 1 KiB a region; a decision visits every
// chunk some times and the ring around what stays once.
package prune
