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
// # Changes
//
// [Dimension.SetBlock] changes blocks, [Context] is that for package blocks, and
// [Dimension.Flush] brings the light up to date and tells what to send. What blocks
// and fluids have scheduled is run by [Dimension.RunTicks].
//
// # Not here
//
// Weather, time and entities are absent. Scheduled ticks are lost when the server
// stops, and those that the world's files have are not run.
package world
