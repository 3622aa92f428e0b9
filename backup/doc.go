// Package backup makes snapshots of worlds and brings them back: whole, or a
// dimension, a region, a rectangle of chunks, a player or a file of them.
//
// # Nouns
//
// A repository is a folder that holds snapshots. Its target says how:
//
//   - repo, the default, is a store of chunks. Each chunk payload and each file
//     is kept once, whichever worlds, dimensions and moments it belongs to.
//   - tree is plain folders of worlds. A file that did not change is a hard link
//     to that of the snapshot before, any other a copy (a reflink where the file
//     system has them). Nothing is ever linked to a live file.
//
// A snapshot is a world as it was at one moment, if its Consistency says so. A
// [View] is a snapshot as a file system for reading: all that reads worlds reads
// it. A [Scope] names a part of a world.
//
// # What a snapshot promises
//
//   - It exists only once all that it needs is durable. A kill at any point
//     leaves the earlier snapshots, and what the next run cleans up.
//   - Payloads come back byte for byte, whatever they are. Of a region file in
//     which something cannot be read, and with CreateOptions.Exact of every one,
//     all other bytes come back as well.
//   - Of a world that nobody writes, and of one that a process of Strata holds, it
//     is of one moment ([Epoch]). Beside another program it is that if the program
//     was quieted ([Quiesced]); otherwise each chunk is whole, and chunks and
//     players may be of different moments ([PerChunk]).
//   - One with less than half of the chunks of the snapshot before, or without one
//     of its dimensions, is marked: Snapshot.Suspect.
//
// # What counts as unchanged
//
// A file whose device, inode, size, modification and change time are those of
// the snapshot before, and a region file whose header is so as well and has no
// slot stamped at or after that snapshot's start less a second. Of a region file
// that did change, the slots with another entry, and those that recent, are read.
// A new inode has all of the file read, and a clock behind that of the snapshot
// before all of the world. CreateOptions.Paranoid reads everything.
//
// # On disk
//
//	strata-backup.json   what the repository was made with, and a checksum
//	lock, append.lock    are locked, and empty
//	snapshots/ID.json    what is known of a snapshot, and a checksum; last of all
//	repo: packs/*.pack   objects; see package pack
//	      key            of an encrypted one, sealed with age (age-encryption.org/v1)
//	tree: snapshots/ID/  the world's folders, and strata-files, the list of files
//
// An object of a repo begins with a byte that says what it is: below 128 a record,
// whose compression scheme it is, with its stream behind it; 128 a part of a file,
// of at most 4 MiB; 129 a list of parts; 130 a piece of a table (package table). A
// snapshot has a table of its files, and a region file one of its slots: entry,
// flags, half of the object's ID, and in semantic repositories LastUpdate. A region
// file in which nothing is odd comes back with its records in their order and no
// gaps between them; a view has them in their places.
//
// A restore in place stages in strata/restore of the world and then writes
// swap.json there: from then on it will be completed, by the next snapshot or
// restore of the world if it is killed.
//
// # Left out of snapshots
//
// The repository itself, session.lock, temporary files (".strata-*"), and of the folder strata of a world
// the control endpoint, spools of generation and an interrupted restore.
//
// # Concurrency
//
// A Repository may be used by several goroutines. Between processes, one makes
// snapshots at a time, others read meanwhile, and Prune is alone (ErrLocked).
// Where the file system has no locks nothing keeps them apart.
package backup
