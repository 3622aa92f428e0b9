// Package bench measures Strata beside what else there is to use, on the
// machine it runs on.
//
// # Nouns
//
// A scenario is one function of this package: [Codec], [Compression], [NBT] and
// [Storage]. It takes a sample (bench/corpus, or [SampleWorld]) and returns a
// report: an [Environment] and rows. A row is one contender doing one thing. Every scenario measures its
// references in the same run, pass by pass in turn, because timings of one
// machine, or of one hour, do not carry over to another; ratios do.
//
// A peer is another program that takes its turns in the same run. [Peers]
// starts the one in bench/peers, which runs other Go libraries. Without it its
// rows are missing from the report, and nothing else.
//
// An outside program, of bench/outside, does the same for codecs that are no Go:
// C zlib as Python has it, and Java's, which is the game's.
//
// A result is the JSON of any report. [Compare] sets two of them against each
// other, and package bench/report makes pages and pictures of them.
//
// # What is measured
//
// Our side of a scenario calls what the product calls: region writers and the
// codec scenario share codec.Encoder and codec.Decoder and nothing stands
// between. Results are checked before their time counts: streams are decoded
// and compared, files read back, documents encoded again and their tags counted
// by a judge of our own; a peer checks its own. Where a peer's work is not the
// same as ours there is no ratio, and the row's description says how they
// differ.
//
// Work that waits for nothing is measured in CPU time of its thread, so other
// programs on the machine do not count; Environment.CPUClock says where that
// is not to be had. Saving is measured in CPU time of the whole process, since
// a peer tells no other for it. What waits for the disk is measured on the wall
// clock. A figure is the median over passes and stands beside its spread. The
// CPU time of a thread leaves out what the garbage collector does on others, so
// rows that allocate have the time of the whole process beside it.
//
// # Formats
//
// The JSON names of reports are stable: scripts rely on them. Durations are
// integer nanoseconds, sizes bytes, times RFC 3339.
//
// # Concurrency and limits
//
// Scenarios may be called from any goroutine, but two at a time disturb each
// other. They honour their context. They print nothing.
package bench
