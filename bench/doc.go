// Package bench measures Strata beside what else there is to use, on the
// machine it runs on.
//
// # Nouns
//
// A scenario is one function of this package: [Codec] and [Storage]. It takes
// a sample (bench/corpus) and returns a report: an [Environment] and rows. A
// row is one contender doing one thing. Every scenario measures its references
// in the same run, pass by pass in turn, because timings of one machine, or of
// one hour, do not carry over to another; ratios do.
//
// # What is measured
//
// Our side of a scenario calls what the product calls: region writers and the
// codec scenario share codec.Encoder and codec.Decoder and nothing stands
// between. Results are checked before their time counts: streams are decoded
// and compared, files are read back.
//
// Work that waits for nothing is measured in CPU time of its thread, so other
// programs on the machine do not count; Environment.CPUClock says where that
// is not to be had. What waits for the disk is measured on the wall clock. A
// figure is the median over passes and stands beside its spread.
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
