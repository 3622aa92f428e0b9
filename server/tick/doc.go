// Package tick watches the loop of a server: how long its ticks take, how many of
// them there are in a second, and whether one does not end.
//
// # Nouns
//
//   - [Times] keeps the durations of the last ticks, and counts all of them;
//   - a [Watchdog] tells of a tick that takes too long, while it does.
//
// # Concurrency
//
// The goroutine that ticks calls [Times.Add], [Watchdog.Begin] and
// [Watchdog.End], none of which allocates or waits for longer than a reader
// copies some kilobytes. Everything else may be called from any goroutine.
//
// # Not here
//
// The loop itself is the server's.
package tick
