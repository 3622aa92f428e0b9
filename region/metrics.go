package region

import "sync/atomic"

type metrics struct {
	reads, retries, groups, writes, bytesWritten, flushes, flushNanos,
	flushFailures, linkBreaks, truncations, compactions atomic.Int64
}

// Metrics counts what a File or Folder has done since it was opened.
type Metrics struct {
	Reads         int64 // records read
	ReadRetries   int64 // reads repeated because the slot changed meanwhile
	Groups        int64 // groups published
	Writes        int64 // writes published
	BytesWritten  int64 // payload, padding, header and external bytes
	Flushes       int64
	FlushNanos    int64 // time spent in flushes
	FlushFailures int64
	LinkBreaks    int64 // files cloned because they had further hard links
	Truncations   int64 // times a free tail was cut off
	Compactions   int64
}

// Metrics is a snapshot of the file's counters.
func (f *File) Metrics() Metrics {
	m := &f.m
	return Metrics{
		Reads: m.reads.Load(), ReadRetries: m.retries.Load(),
		Groups: m.groups.Load(), Writes: m.writes.Load(),
		BytesWritten: m.bytesWritten.Load(),
		Flushes:      m.flushes.Load(), FlushNanos: m.flushNanos.Load(), FlushFailures: m.flushFailures.Load(),
		LinkBreaks: m.linkBreaks.Load(), Truncations: m.truncations.Load(), Compactions: m.compactions.Load(),
	}
}

func (m *Metrics) add(o Metrics) {
	m.Reads += o.Reads
	m.ReadRetries += o.ReadRetries
	m.Groups += o.Groups
	m.Writes += o.Writes
	m.BytesWritten += o.BytesWritten
	m.Flushes += o.Flushes
	m.FlushNanos += o.FlushNanos
	m.FlushFailures += o.FlushFailures
	m.LinkBreaks += o.LinkBreaks
	m.Truncations += o.Truncations
	m.Compactions += o.Compactions
}

// EventKind says what an Event is about.
type EventKind string

const (
	// FlushFailed: a flush failed; what it should have made durable is being
	// written again, or its error is on the way to the caller.
	FlushFailed EventKind = "flush-failed"
	// LinkBroken: the file had further hard links and was cloned first.
	LinkBroken EventKind = "link-broken"
	// CleanupFailed: a file that is no longer needed could not be removed, or
	// a free tail not cut off. Nothing is lost.
	CleanupFailed EventKind = "cleanup-failed"
	// PinRevoked: a pin held back too much space and was given up.
	PinRevoked EventKind = "pin-revoked"
)

// Event is something a caller may want to log.
type Event struct {
	Kind EventKind
	Path string
	Err  error
}

// note keeps an event until deliver: notes are made under locks.
func (f *File) note(kind EventKind, err error) {
	if f.opts.Events == nil {
		return
	}
	f.mu.Lock()
	f.noted = append(f.noted, Event{Kind: kind, Path: f.path, Err: err})
	f.mu.Unlock()
}

// deliver hands the kept events to the listener. Call it without locks.
func (f *File) deliver() {
	if f.opts.Events == nil {
		return
	}
	f.mu.Lock()
	events := f.noted
	f.noted = nil
	f.mu.Unlock()
	for _, e := range events {
		f.opts.Events(e)
	}
}
