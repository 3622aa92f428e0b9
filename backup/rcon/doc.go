// Package rcon talks to a game server's remote console, and keeps a foreign
// server from writing to its world while a snapshot is taken.
//
// A [Client] is a connection; [Quiesce] turns saving off, has the server
// write all that it has in memory, and gives a [Quiet] back, whose Release turns
// saving on again.
//
// # Saving never stays off
//
// Before saving is turned off a marker file is made, durably; it goes when the
// server has said that saving is on. [Recover] does what a killed process did
// not come to: whoever takes snapshots calls it first. A Release that fails
// leaves the marker and an error that says what to type. A server that was
// started anew has saving on by itself. Where saving had been off already, it was
// somebody else's choice, and stays off.
//
// # Protocol
//
// Frames are the length of what follows, an id, a type, all little-endian int32, and a
// text that two zero bytes end. Types are 3 for the password, 2 for commands
// and 0 for what comes back. The server answers with the id it was asked with, -1 for a
// wrong password, and cuts answers into pieces of 4,096 bytes. A request may have
// 1,446 bytes, as the server reads 1,460 at a time.
//
// Sources: Valve's description of Source RCON, minecraft.wiki (RCON), and what
// the servers of the issues in docker-mc-backup's tracker did.
//
// # Concurrency
//
// A Client takes one command at a time, from any goroutine.
package rcon
