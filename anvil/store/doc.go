// Package store is the one chunk cache and save pipeline of a world: servers,
// generators and commands load, change and save chunks, entities, points of
// interest, players and data files through it, and nothing else opens the
// region files of a world for writing.
//
// # Nouns
//
// An object is a chunk, or the entities or points of interest of one, named by
// a [Ref]. A [Hold] keeps an object in memory. A change is structural or
// drift. An epoch is everything that was changed up to a cut, made durable as
// one through the world's journal: all of it or nothing. A [Snapshot] is a
// pinned epoch. [Raw] is access to records as bytes.
//
// # Who has what
//
// A map of the store's own has every object that is loading, held, changed or
// not yet acknowledged; it alone decides. Objects that nobody holds and that
// are as the disk has them go to a cache, which may drop any of them, and
// count there only as long as the region's entry is the one they were read
// from or saved as. Nothing that is changed is ever only in the cache.
//
// # Loading
//
// Loads of one object are one load, however many wait for it; its context
// ended, a caller stops waiting, and the last one takes the load back if it
// has not begun. What is not there ([ErrAbsent]), what cannot be read
// ([ErrUnreadable]), what is too new, too old or in the wrong place are
// different answers, and none but the first may be put anything over.
//
// # Changing
//
// [Hold.Update] calls a function with the chunk, one at a time, and notices
// what it changed. [Store.Together] keeps changes of several objects in one
// epoch. The functions that may wait do so while more than
// Options.DirtyLimit is changed and not saved, drift left out; on a full disk
// they return an error instead. Hold.Update and Together never wait for the disk.
//
// # Saving
//
// An epoch comes at most Options.Interval after the first structural change,
// Options.Autosave after the first drift, and when somebody calls
// [Store.Barrier]; [Store.SetAutosave] leaves only the last. With ByTick, who ticks
// makes the cut, and may write things down just before (Options.BeforeCut). The cut takes lists, not contents: an object that is
// changed before its content is taken is copied by who changes it, which costs
// its sections' headers. Encoding and compression are done by goroutines of
// the store. A save is left out if the content is that of the last
// acknowledged version, by a digest that is seeded for each process; LastUpdate
// does not count as content.
//
// If an epoch fails, nothing of it is acknowledged, everything stays changed
// and is tried again after an Interval or at the next Barrier. An object whose
// own save has failed Options.Attempts times goes to the folder strata/rescue
// of the world, flushed; its region takes no more changes until the world is
// opened again, and the epoch goes on without it. What cannot even be encoded
// goes there as well: a chunk with names of ours ("strata:unknown_" and the
// number) for block states and biomes that nobody has named, and what is too
// long for a region file as NBT. A full disk is nobody's
// failure: drift waits, WaitForRoom and all that waits for room return an
// error that wraps vfs.ErrNoSpace, and epochs are tried again every Interval.
// When the journal has acknowledged an epoch and could not complete it, the
// store closes all region files, opens the journal again, which completes it,
// and goes on.
//
// # Versions
//
// Chunks and documents of DataVersion 4786 (26.1) up to that of level.dat are
// written; newer ones than level.dat's, or than 4903 (26.2), do not load.
//
// A chunk that is changed keeps its DataVersion. It is raised when the function
// that changes it calls chunk.Chunk.Raise, with [Store.Version] or less, and,
// with Options.Raise, by the first change of it, before the function sees it:
// never by loading, and never for being saved. Where no conversions lead to the
// version nothing is written in it: Raise returns chunk.ErrNoConversion, and
// Options.Raise lets the chunk be what it is. Entities and points of interest
// have the version that whoever puts them gives them.
//
// # Other processes
//
// A store that is open for writing answers other processes of Strata, through
// package session/control: [Remote] connects to it, to have changes flushed, a
// moment pinned, chunks unloaded and region files read again. A [RemotePin] is
// the world of that moment as a file system for reading, so that everything
// that reads worlds reads it. It does not keep the store open, and ends with
// its connection, whoever of the two is killed. There are at most 16 of them;
// each has the store hold every region file open. Nothing keeps the holder from
// loading again what it was asked to unload.
//
// # Concurrency
//
// Everything is safe for concurrent use, but a Together belongs to the
// function that it was given to. The store has one goroutine that makes
// epochs, at most Options.Loads that load, at most Options.Encoders that
// encode and eight that write region files while an epoch is made, the two of
// its cache, and those of the endpoint. Close ends them all and waits for them.
// Functions given to Update, Read and Together are called with the object, or
// the cut, held up: they must be short and not call the store about it.
//
// # Temporaries
//
// Files whose names begin with vfs.TempPrefix are ours while they are written.
// Those that a killed process has left are removed when a store is opened for
// writing, in all folders of the world down to a depth of 16, up to 20,000 of
// them: after the world is locked and the journal, which may need them, is
// replayed.
//
// # Symbolic links
//
// A world from elsewhere must not make us write outside of it. Folders of the
// world may be links, as administrators make them to use another disk: the
// world's own, those of dimensions and of region files, and folders of data
// files that World.Links names. The folder strata must be none, or the store
// does not open (journal.ErrSymlink), nor those in it. Files that are links are
// read by OpenRead and never written: in a store that is open for writing the
// chunks of a region file that is one do not load (ErrUnreadable, with
// vfs.ErrSymlink), and data files are not replaced (level.ErrSymlink).
//
// # Limits
//
// Chunks whose block states or biomes find no room in the tables do not load;
// they can be read and replaced through Raw. Chunks from before 26.1 are not
// raised.
// A stream is at most 64 MiB, an inflated document 256 MiB, a position 2^25
// chunks. Memory counts what objects take by the size of their NBT. A world
// that was opened for reading is not followed while others write to it.
// Data files that are written past the store are not part of its epochs.
package store
