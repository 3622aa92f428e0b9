// Package source reads worlds for backups, whoever else has them open.
//
// # Nouns
//
// A World is a world that is held still as far as that can be done, and what could
// be done is its [State]:
//
//   - Held: nobody had it open, and its session lock is ours until Close.
//   - Pinned: a process of Strata, this one or another, has it open and pins an
//     epoch for us until Close.
//   - Quiet: another program was asked not to write, and its answer is trusted.
//   - Moving: another program may write. Every record and file is read until it is
//     the same before and after, and checked.
//
// A File is a file of the world: a region file, the external file of a large
// record, or any other. Paths have the name of one of the world's folders first,
// and slashes. A Region is a region file that is being read.
//
// # What is left out
//
// session.lock, files of ours that are temporary, and of the folder strata the
// control endpoint, spools of generation and what an interrupted restore staged.
// A pin leaves out the whole folder strata.
//
// # Concurrency
//
// A World is safe for concurrent use, a Region belongs to one goroutine. Handles
// are kept open for one file at a time.
//
// # Limits
//
// Folders are entered 32 deep. A stream is at most 256 MiB.
package source
