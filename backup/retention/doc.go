// Package retention says which snapshots to keep, in the words and with the
// meaning of restic's forget.
//
// A [Policy] keeps the newest snapshots by their number, the newest of each
// hour, day, week, month and year for so many of those, all or the newest of
// each period within a span of time before the newest, and those with tags. A snapshot is kept
// if one rule keeps it. Protected snapshots are kept whatever the policy says,
// and are nevertheless counted by its rules. A policy that is empty keeps
// everything.
//
// Hours to years are those of the zone that a snapshot's time is in; weeks are
// those of ISO 8601. Snapshots in the future do not count as the newest, so
// that a clock that was wrong once does not let a span begin there.
//
// [Fit] goes on where the result is still too large: it gives up the oldest
// ones first.
//
// # Sources
//
// restic's documentation of forget; the test compares with restic itself, which
// it lets judge thousands of snapshots in repositories that it makes.
package retention
