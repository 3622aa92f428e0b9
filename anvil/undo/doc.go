// Package undo keeps what a command is about to change in a world, and brings
// it back: chunks, entities and points of interest as the bytes they are stored
// as, data files as a whole, and files of region folders that are set aside.
//
// # Nouns
//
// A [Change] is one run of a command. It keeps objects and files as they are
// before the command writes anything; Commit makes that durable, and Finish
// notes what the command has made of them. [Undo] puts back what was kept. An
// [Info] is what there is to say of a change without undoing it.
//
// # What a caller does
//
//	c, err := undo.Begin(s, "delete", undo.Options{Command: "strata world delete ..."})
//	defer c.Abort()          // does nothing after Commit
//	err = c.Keep(dim, kind, pos) // for everything that is to be written
//	err = c.Commit()         // durable: only now may the world be written
//	...                      // the command's own writes
//	err = c.Finish(ctx)
//
// Keep and Commit may follow again for what is written later. A change that is
// off ([Options].Off) takes the same calls and keeps nothing.
//
// # On disk
//
// Each change has a folder strata/undo/<time>-<number> in the world's main
// folder, with
//
//	manifest.json  what, when, the command line, counts, the state
//	records.log    what was kept, one frame after another (see log.go)
//	after.log      what Finish found in the same order, without the payloads
//
// Logs grow at their ends only and are flushed before the manifest says that
// they count. Numbers rise, so that a clock that was set back does not change
// the order of changes.
//
// # Kills
//
// Whatever moment a process is killed at, the change is listed with the state
// that it was in, and Undo takes back what had been written: it compares every
// object with what was kept and writes those that differ. A change that was
// killed before its first Commit has written nothing and is cleared away by the
// next Begin. Undo that is killed can be run again and comes to the same end.
//
// # What has changed since
//
// Undo refuses to put anything over an object that is neither as the change
// found it nor as it left it, and names such objects. Of a change that was
// killed nobody knows how it left them: there all that differs counts as its
// own, unless level.dat is another one than then, so that a game has run in
// between, or a later change kept the same object. RestoreOptions.Force overrides
// that; what it replaces is kept as a change of its own first.
//
// After undo payloads, external bodies and data files are what they were, byte
// for byte. Records lie in other sectors and have new timestamps, but for those
// of which the change had set the timestamp alone.
//
// What could not be read when it was kept cannot be put back through a region
// file: its sectors are in the log, and Undo leaves them in the change's folder
// as a file and says so. An external body keeps its scheme only if the record
// that stands there now has the same one or is none; see package region.
//
// Files that the change moved to the rescue folder (KeepAside) are moved back
// from there, after all else, as another file may have stood in their place.
// Their bytes are kept there alone: where somebody has removed them, Undo lists
// the file as a failure.
//
// # Limits
//
// Changes are kept for 7 days and up to 1 GiB together; the oldest go first, but
// never the newest one of all, however large. Begin sees to that. A kept payload or file is at most
// 256 MiB. Memory grows with the regions that a change touches, not with its
// chunks.
//
// # Concurrency
//
// A Change is safe for concurrent use. Begin, Undo and Prune are for who has the
// world open for writing; List and Size read only, beside a writer too.
package undo
