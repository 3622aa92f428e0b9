// Package journal commits changes of many files of a world as one: the chunks
// of several region files, entities and points of interest included, player
// files and data files. After a kill or a power cut a world has all of such an
// epoch or nothing of it, so that nothing is duplicated or lost between files.
//
// # Nouns
//
// The journal is the file strata/journal in the world's main folder. An
// [Epoch] gathers sealed changes: [region.Group]s, files to be replaced and
// files to be removed. A record is what the journal holds of one epoch. A root
// is a folder of the world that the journal may change files in: the main
// folder, and where servers split a world those of the other dimensions. The
// state of a file is absent, or its size and the xxh64 of its content.
//
// # How an epoch commits
//
//  1. Payloads lie in free sectors, new files under temporary names; they and
//     the folders that hold new names are flushed. Region headers are sealed.
//  2. One record is written and flushed. This acknowledges the epoch. The
//     record has each region file's whole new header, each changed entry's old
//     and new value with the xxh64 of its record, each file's temporary and
//     final name with its old and new state, each removal with the state of
//     what is removed, and the old and new state of level.dat.
//  3. Files are renamed, headers published, files removed, folders flushed.
//  4. The record is retired and that is flushed. Only then are the sectors of
//     replaced chunks free, and may anything else be published in the regions.
//
// If a step before the record's flush fails, nothing of the epoch happens and
// everything it wrote is removed. If the flush fails, the record is written
// once more through a reopened file; if that fails too it is erased and the
// epoch has not happened, and if even that fails it is [ErrInDoubt]. After the
// record is durable the epoch has happened: a step that then fails is tried
// once more, unless it was a flush, and then the error is [ErrIncomplete]. In
// both cases the journal takes no more epochs ([ErrBroken]) and the region
// files concerned no more writes ([region.ErrStranded]) until the world is
// opened again.
//
// # Replay
//
// [Open] completes an epoch that was acknowledged and not completed, as a
// whole, if level.dat, every named entry and every named file is in its
// recorded old or new state, every other entry of the headers is unchanged,
// and every payload has its checksum. Otherwise another program has written
// meanwhile: nothing is changed, and the journal is renamed to journal.stale,
// or journal.stale.1 and so on, and reported with the file and entry that
// differ. A record of which only a part reached the disk was not acknowledged
// and is dropped, which is reported too. A replay that is interrupted is
// repeated by the next one. An error of the file system stops Open and leaves
// the record for the next try.
//
// [Inspect] says the same of a world without changing anything. A clean
// [Journal.Close] leaves an empty file.
//
// # Concurrency
//
// A Journal is safe for concurrent use; its epochs commit one after the other.
// An Epoch belongs to one goroutine at a time. Nothing here starts goroutines.
// One Journal at a time opens a world: the caller holds the session lock, and
// the journal file itself is locked beside it. Region files that an epoch has
// named must stay open until the Journal is closed if it is broken.
//
// # Limits
//
// Paths are recorded relative to a root and may not leave it: links below a
// root are refused, both when an epoch is made and when it is replayed. A
// folder of the world that is a symbolic link has to be a root itself. The
// folder strata and the journal in it must not be links at all. The journal is preallocated to 4 MiB; a record is at most [MaxRecord], and is
// never split.
//
// A process that is killed while it makes an epoch leaves temporary files that
// no record names, and a journal that is set aside leaves those that its record
// does. They begin with vfs.TempPrefix; whoever holds the session lock may
// remove them once the journal is open. External bodies should keep their
// compression scheme where that costs nothing: between rename and header a
// body of another scheme is read by trying the schemes, which does not find
// uncompressed ones.
//
// # Cost
//
// An epoch costs two flushes more than its parts alone: that of the record and
// that of its retirement. Folders are flushed twice, before the record and
// after the renames, however many files they hold. A record is about 8.3 KiB a
// region file, 30 bytes a chunk and 100 bytes a file.
//
// # Format
//
// The format is our own. All numbers are little-endian. The first 512 bytes,
// which a device writes whole or not at all, are the head: "strataJ1", state
// (1 retired, 2 counts), length of the body, sequence number, a random number
// of this opening, the xxh64 of head and body, the xxh64 of the head; then
// zeros. The body follows; encode.go describes it. A record always begins at
// the start of the file, so bytes of an older and longer one behind it mean
// nothing.
package journal
