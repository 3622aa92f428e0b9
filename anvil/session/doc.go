// Package session holds a world for one owner: it takes the lock that the game
// takes, session.lock in the world's folder. Its subpackage control is how
// other processes of Strata talk to the owner.
//
// # What the lock promises
//
// [Acquire] locks all folders that it is given, those of one world, or none.
// While a [Lock] is held no game, no other process of Strata and no second
// caller in this process gets one, as long as they ask for it; the game since
// 1.16 does. [LockedError] names the folder that somebody else has.
//
// The file is never truncated or written before the lock is held, so that the
// holder's content stays whole; never deleted, or two processes could lock two
// files of one name; and never copied: it is no part of a backup. Its content
// is the snowman U+2603 in UTF-8, three bytes, as the game writes it since 1.16
// (observed in worlds of 1.21.3 and 26.1.2). A symbolic link in its place is
// refused: a world from elsewhere could have any file overwritten.
//
// A lock has users: who goes on working when the one who acquired it ends, such
// as a backup, calls Retain and then Release of his own. The last Release gives
// the world away. The system gives it away too when the process dies, however
// that happens, so a session.lock that is there says nothing.
//
// Check tells whether the lock is still the world's: somebody may have put
// another file or folder in its place, by restoring a backup for instance. A
// writer calls it before each commit and stops on ErrLost.
//
// # Systems
//
// On Linux the lock is an OFD lock, which does not vanish when another handle
// of this process on the file is closed, as classic POSIX locks do; Java's
// FileChannel.tryLock and it exclude each other (tested with OpenJDK 17). macOS
// and FreeBSD use flock, Windows LockFileEx; both are cross-compiled, not run.
// Where the file system has no locks, as on some network file systems,
// Lock.Unprotected lists the folders: the caller warns.
//
// # Concurrency
//
// Everything is safe for concurrent use. Nothing waits but for the disk, and
// no goroutines are started.
package session
