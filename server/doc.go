// Package server is the game server: it opens a world, or makes one, listens,
// and ticks twenty times a second until its context ends.
//
// # Goroutines
//
// One goroutine, that of [Server.Run], ticks the world and its players; each
// connection has one that reads and one that writes. The store cuts its epochs
// where a tick ends.
//
// # When behind
//
// A tick that is late is made up for at once. Who is more than two seconds
// behind leaves out what is missing, and says so.
//
// # Not here
//
// Time, weather and players are not saved, and players are all in the
// overworld.
package server
