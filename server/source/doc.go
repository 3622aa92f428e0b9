// Package source has the chunks of a dimension for a tick goroutine that never
// waits: it loads them from the store, or generates them to full, in the order
// of their ranks, and hands them over through a queue.
//
// # Nouns
//
//   - a [Source] is the one scheduler of a dimension in this process; [Limit]
//     bounds the work of several together;
//   - a [Request] is a chunk that is wanted, with a rank: lower ones first. What
//     is wanted is planned anew as a whole, by [Source.Want];
//   - a [Result] is a chunk that is held, or why it cannot be had, or new light
//     for a chunk that is full already;
//   - a job is the generation of some chunks that lie together;
//   - [Generators] are the generators of a world's dimensions.
//
// The tick goroutine, each tick:
//
//	for _, r := range src.Take(results[:0], 32) { ... }
//	if theSetHasChanged {
//		src.Want(requests) // all that it lacks now
//	}
//
// Results are of what the last Want asked for. Who takes a result releases its
// Hold. What failed is not tried again until a Want leaves it out.
//
// # Generation
//
// A job continues what the store has: chunks below full from their blocks at
// their status, and decorates its own chunks and one ring around them. All that
// this wrote into is saved, at the status that it has, together with the
// chunks that are finished, and nothing is put over a chunk that is full: if
// the light of one has changed, the change goes through the queue, and whoever
// owns the chunk makes it, by [Result.ApplyLight]. A job is saved as a whole or,
// after an error, not at all; then each of its chunks is tried alone, once.
// A panic of the generator is an error.
//
// Jobs of a dimension come one after the other, so that a chunk below full has
// one owner; its workers share the job. Where nothing was made around, the first
// job is the nearest 3 by 3 chunks, so that somebody who joins has ground soon;
// the next ones are tiles, which cost less a chunk. Chunks come out in the
// order of what was wanted when: other decoration order at the borders of jobs
// than pregen has, as the game itself does it.
//
// A job begins when the store has room for changes. On a full disk none does,
// and loading goes on.
//
// # Absent and unreadable
//
// Only what is absent is generated. A chunk that cannot be read, is too new or
// in the wrong place is a result with that error, as the store words it, and
// so are those that would need it as a neighbour.
//
// # Areas
//
// [Source.Pregenerate] has a square of chunks made for nobody, tile after tile, while
// no chunk is missing that somebody wants. There is one scheduler of generation, so
// players and areas never make the same chunk twice.
//
// # Concurrency
//
// All methods of a Source may be called from any goroutine; none of them but
// Close waits. It has Options.Loads goroutines that load, one that plans, and
// during a job Options.Workers that generate. Close ends them all and waits: for
// a job that is being saved, two seconds at most if the store has no room.
//
// # Limits
//
// A kill between two epochs of the store can part the chunks of one job if the
// cut fell between them being put, which takes a few milliseconds: then what was
// decorated into the lost ones is missing there. Chunks from before 26.1 and
// those to be blended are not continued (gen.ErrContinue).
package source
