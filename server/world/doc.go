// Package world has the loaded chunks of a server's dimensions.
//
// # Nouns
//
//   - a [Dimension] keeps in memory the chunks that somebody views, and asks its
//     [Source] for those that it lacks;
//   - a [Source] has chunks without ever making the caller wait; package source
//     is one.
//
// # Concurrency
//
// A Dimension belongs to the tick goroutine. A chunk that is not there is
// absent, never a wait.
//
// # Not here
//
// Setting blocks, scheduled ticks, weather, time and entities are absent.
package world
