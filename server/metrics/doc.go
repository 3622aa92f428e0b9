// Package metrics shows those who run a server what it is at: its counters in the
// form of Prometheus, and the profiles of the Go runtime.
//
// # Nouns
//
//   - a [Source] has the counters: a server;
//   - [Handler] answers at /metrics with them, and with those of the Go runtime and
//     of the process;
//   - [Profiles] answers below /debug/pprof/;
//   - an [Endpoint] is an HTTP server with one of these.
//
// # Names
//
// All counters of ours begin with strata_. Times are in seconds, sizes in bytes, and
// what only grows ends in _total. One that is of a dimension has the label
// dimension, such as minecraft:overworld. A scrape reads snapshots and never waits
// for the tick goroutine.
//
// # Limits
//
// Nobody is asked for a password: an endpoint belongs on an address that only its
// readers reach, such as 127.0.0.1. Profiles show memory of the process, in part,
// and taking them costs time.
package metrics
