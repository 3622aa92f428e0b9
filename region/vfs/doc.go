// Package vfs is the file system as Strata uses it: an interface with
// positional access, explicit flushes of files and folders, clones, holes and
// locks. It has three implementations: [OS], the machine's; [Mem], one in
// memory that can lose its power; and [Fault], a wrapper that makes planned
// operations fail. Functions over any of them make folders ([MkdirAll],
// [MkdirAllSync]), read and replace whole files ([ReadFile], [WriteFileSync]),
// make temporary ones ([CreateTemp]) and copy ([CopyFile]).
//
// Everything is safe for concurrent use. Nothing here starts goroutines.
//
// # What flushing promises
//
// [File.Sync] makes content and size durable. A new file's name, a rename, a
// link and a removal are durable after [FS.SyncDir] of the folder, a new
// folder's name after SyncDir of its parent. Some file systems do more (fsync
// of a new file on ext4 commits its name too); nothing relies on that.
//
// A failed Sync is final. On Linux the error is reported once for each open
// file description and the pages count as clean afterwards, so that a second
// fsync succeeds without having written them (fsync(2), "Notes"; the errseq_t
// part of the kernel's Documentation/filesystems/vfs.rst; Rebello et al., "Can
// Applications Recover from fsync Failures?", USENIX ATC 2020, which finds the
// new bytes still readable on ext4 and XFS and the old ones back on Btrfs).
// What was written since the last good Sync has to be written again,
// elsewhere or through a new handle.
//
// # Differences between systems
//
//	             Linux           macOS           FreeBSD   Windows
//	Sync         fdatasync       F_FULLFSYNC     fsync     FlushFileBuffers
//	SyncDir      fsync           F_FULLFSYNC     fsync     none
//	Clone        FICLONE         clonefile       none      none
//	PunchHole    fallocate       F_PUNCHHOLE     none      FSCTL_SET_ZERO_DATA
//	Preallocate  fallocate       F_PREALLOCATE   none      FileAllocationInfo
//	Lock         OFD lock        flock           flock     LockFileEx
//	Rename       rename          rename          rename    POSIX rename or MoveFileEx
//
// Linux is tested; the others are cross-compiled and vetted, not run.
//   - Preallocate on macOS and Windows reserves only what lies beyond the
//     present end. It is not one step there: after an error some of it may be
//     reserved.
//   - Asking for the other kind of a lock that is held changes it; on macOS,
//     FreeBSD and Windows the lock may be lost in between and is lost if that
//     fails. On Linux an exclusive lock needs a handle opened for writing.
//   - Locks are advisory except on Windows, where other handles cannot read
//     what is locked exclusively (ErrLocked), nor write what is locked at all.
//   - Sync on Windows needs a handle opened for writing.
//   - Windows opens with all sharing allowed. Renames and removals go through
//     handles with FILE_FLAG_WRITE_THROUGH, which makes NTFS flush the change
//     (CreateFileW, "Caching Behavior"), so SyncDir has nothing to do.
//     Replacing a file that another program holds open without
//     FILE_SHARE_DELETE is ErrInUse.
//   - Writing beyond a file size limit (ulimit -f) also sends SIGXFSZ on Unix;
//     the Go runtime ignores it and the write reports ErrNoSpace.
//
// # The crash model of Mem
//
// Each file has durable content and a list of the changes since its last
// Sync; each name has a durable target and a list of the changes since the
// last SyncDir of its folder. [Mem.CrashClone] builds the file system that
// finds itself on the disk when the power fails now. KeepNone has the durable
// state alone, KeepAll all changes; KeepRandom draws, for every file and for
// the names separately, which changes have landed: none, all, one alone, all
// but one, the first few, the last few, or each by a throw. So it follows that
//
//   - what was synced is there, whatever the seed;
//   - changes land in any order: a later write may be there while an earlier
//     one, of the same file or another, is not;
//   - a write may be torn: a sector of 512 bytes, aligned in the file, is old
//     or new, each for itself or up to a point. A sector that several writes
//     touched has one of the values it had in between, as the page cache
//     would have written it out, never the later write without the earlier;
//   - size and data of a write land apart: zeros where the data should be,
//     or data beyond the size and so lost, or a size part of the way;
//   - a truncation, hole or preallocation is there or not. If a truncation is
//     lost and a write after it is not, old bytes show where zeros did;
//   - a name has one of the targets it had since it was last durable. A new
//     file may have lost its name though its content was synced, and have its
//     name but no content;
//   - a rename is one step for its target, old or new. The old name may stay
//     as well; it is never gone before the new one is there, in another
//     folder too, and then the folders above the new one are there. A folder
//     never has two names: its move lands whole or not at all;
//   - removing a folder brings along what emptied it;
//   - names of one file (hard links) share its content; a link and the removal
//     of the first name are two changes, both of which may land or be lost;
//   - handles, locks and files without a name are gone. Times are those of the
//     live file, inode numbers stay.
//
// The model is wider than a journaling file system, which orders changes of
// names, and follows what crash studies report of weaker ones (Pillai et al.,
// "All File Systems Are Not Created Equal", OSDI 2014). It does not damage
// what was not written: neighbours of a torn sector, blocks in other files.
//
// After a failed flush ([Rule] with OpSync, or [Mem.DropUnsynced]) the changes
// are readable, but no Sync makes them durable until they are made again,
// sector by sector. By default none of them has reached the disk; Rule.Landed
// lets some.
//
// In Windows mode names are durable at once.
//
// # Limits
//
// Mem allows files of 16 GiB and keeps unsynced writes twice, as content and
// as changes, so a file that is never synced costs double. Clones take space
// of their own. Permissions are kept and not checked; there are no symbolic
// links. OpenFile takes the flags of [FS.OpenFile] only.
package vfs
