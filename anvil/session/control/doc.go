// Package control is how processes of Strata talk to the one that holds a
// world: to pin a moment for a backup, to have everything flushed, to have
// chunks unloaded or read again. It carries the calls; what they do, the
// handlers given to [Serve] know.
//
// # Nouns
//
// The holder of a world's session lock may publish an endpoint: a Unix socket,
// or a port of the loopback interface where there are none, whose address and
// token lie in the file strata/control of the world. A connection is a client
// ([Dial]) that has proved that it read the file. A call names an operation and
// carries arguments; it is answered by any number of items and then a result or
// an error. What a call leaves behind, such as a pin, ends with its connection
// at the latest (Call.OnEnd).
//
// # Who may call
//
// The file is readable for its owner alone, and so is the folder that the socket
// lies in; where the file system cannot keep others out, Serve refuses
// (ErrNotPrivate). The token, 32 random bytes, is never sent: each side proves
// that it has it by an HMAC over two nonces, so that a stranger who listens on
// a port that was Strata's learns nothing. On Windows the file has the access
// rights of the folder it lies in.
//
// # When the holder dies
//
// Its file stays behind. Dial then finds nobody who knows the token and says
// ErrStale; the next holder of the lock replaces the file and removes the
// socket. A world that is locked and has no endpoint, or a stale one, is in
// the hands of somebody else than Strata.
//
// The file names the folder of its world, by device and inode: one that came
// along when the folder of a held world was copied, be it by hard links, counts
// as stale, and its socket, the first world's, stays.
//
// # The wire
//
// Lines of JSON of at most 1 MiB, 4 KiB until the token is proved. The client
// begins with {"strata":1,"nonce"}, gets {"nonce","proof"}, sends {"proof"} and
// gets {"ok":true}; then requests {"op","args"} follow one another, each
// answered by lines {"item"} and one {"result"} or {"error":{"code","message"}}.
//
// # Limits and concurrency
//
// 64 connections at a time, one call at a time on each, 5 seconds to prove the
// token and 30 for a line to be taken. A Server runs an accepting goroutine and
// two for each connection; Close waits for all of them. A Client may be used by
// several goroutines, whose calls wait for one another.
package control
