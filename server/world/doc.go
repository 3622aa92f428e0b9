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
// # Scheduled ticks
//
// Those that a chunk has (block_ticks, fluid_ticks) are taken up when it is loaded
// and put back when it is let go of or the store makes a cut, which is when
// [Dimension.SaveTicks] is to be called: so an epoch has them as its blocks are.
// Delays count while the chunk is loaded. Ticks of blocks and fluids that nobody
// here knows stay in the chunk and never run.
//
// # Entities
//
// What lies and falls (package entity) is loaded with its chunk. [Dimension.SaveEntities]
// puts it into the file of the chunk's entities: at the end of each tick what has come
// or gone, before a cut what has moved as well. Entities that cannot be read stay as
// they are, and what comes into such a chunk is lost when it is let go of.
//
// # Not here
//
// Weather and time are absent. What generation has marked to be settled
// when a chunk first ticks (PostProcessing) stays marked.
package world
