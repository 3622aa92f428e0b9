package store

import "strata/region"

// EventKind says what an Event is about.
type EventKind string

// What a caller may want to log.
const (
	// EpochFailed: nothing of an epoch was made durable; it will be tried
	// again. Err says why.
	EpochFailed EventKind = "epoch-failed"
	// SaveFailed: saving one object or file failed.
	SaveFailed EventKind = "save-failed"
	// ObjectRescued: an object or file was put into the rescue folder, at
	// Path; if that is empty, it was to be removed.
	ObjectRescued EventKind = "object-rescued"
	// RegionFrozen: the region that Ref lies in takes no more changes.
	RegionFrozen EventKind = "region-frozen"
	// RescueLeft: the world is closed and there is something in its rescue
	// folder, which is Path, from now or from earlier.
	RescueLeft EventKind = "rescue-left"
	// SpaceOut and SpaceBack: the disk is full, and is so no more.
	SpaceOut  EventKind = "space-out"
	SpaceBack EventKind = "space-back"
	// JournalReplayed: an epoch of an earlier process was completed.
	JournalReplayed EventKind = "journal-replayed"
	// JournalSetAside: the journal of an earlier process does not go with the
	// world, which another program has changed. Path is where it lies now.
	JournalSetAside EventKind = "journal-set-aside"
	// JournalUnfinished: an epoch that was not acknowledged was dropped.
	JournalUnfinished EventKind = "journal-unfinished"
	// CleanupFailed: something that is no longer needed could not be closed or
	// removed.
	CleanupFailed EventKind = "cleanup-failed"
	// ControlFailed: other processes cannot ask for anything, since the control
	// endpoint could not be published, or it could not be taken away.
	ControlFailed EventKind = "control-failed"
	// RegionEvent: one of package region, which is in Region.
	RegionEvent EventKind = "region"
)

// Event is something a caller may want to log.
type Event struct {
	Kind   EventKind
	Ref    Ref    // of SaveFailed, ObjectRescued and RegionFrozen, for objects
	Path   string // of a file
	Err    error
	Region region.EventKind
}

func (s *Store) event(e Event) {
	if s.opts.Events != nil {
		s.opts.Events(e)
	}
}

func (s *Store) regionEvent(e region.Event) {
	s.event(Event{Kind: RegionEvent, Path: e.Path, Err: e.Err, Region: e.Kind})
}
