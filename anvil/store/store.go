package store

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"strata/anvil/chunk"
	"strata/anvil/level"
	"strata/anvil/session"
	"strata/anvil/store/journal"
	"strata/region/vfs"
)

// Store is the open world. All methods are safe for concurrent use.
//
// Locks, in the order in which they are taken: publish, gate, folder.swap,
// object.edit, mu.
type Store struct {
	world    World
	opts     Options
	fs       vfs.FS
	id       identity
	readOnly bool
	lock     *session.Lock
	control  *holder // nil without an endpoint
	report   *journal.Report
	tables   *chunk.Tables
	folders  []*folder // by dimension and kind
	cache    *victims
	workers  pool[loadWorker]
	encoders pool[encoder]
	version  atomic.Int32
	// streamLimit is the longest compressed object, maxStream but in tests.
	streamLimit int
	m           metrics
	wait        sync.WaitGroup // loads

	// publish is held while an epoch is made, a snapshot begins, or a region
	// file is installed; shared by raw access.
	publish sync.RWMutex
	journal *journal.Journal // guarded by publish
	broken  bool             // guarded by publish: see healthy

	// gate is held shared by whoever changes contents, and exclusively for a
	// cut.
	gate sync.RWMutex
	shut bool // guarded by gate: no more changes

	stop   chan struct{} // closed to end the keeper
	kept   sync.WaitGroup
	wake   chan struct{}
	ticked chan *batch

	mu          sync.Mutex // guards the rest
	objects     map[uint64]*object
	queue       loadQueue
	loaders     int
	loads       uint64
	held        int64 // bytes of objects
	fitted      int64 // held when the cache was last made to fit
	structural  *list
	drift       drift
	cuts        uint64 // the number of the next cut
	dirtyBytes  int64  // structural
	driftBytes  int64
	flying      int64
	files       map[string]*fileChange
	flyingFiles map[string]*fileChange
	filesSince  time.Time
	requests    []*request
	room        chan struct{}
	retryAt     time.Time
	noSpace     error
	closing     bool
	tickWanted  bool
	tickFull    bool
	onRequest   bool // see SetAutosave
	tickChanged chan struct{}
	snapshots   map[*Snapshot]struct{}
}

// newStore makes a store that has opened nothing yet.
func newStore(w World, o Options, readOnly bool) (*Store, error) {
	s := &Store{
		world: w, opts: o, fs: w.FS, readOnly: readOnly, tables: chunk.NewTables(), streamLimit: maxStream,
		stop: make(chan struct{}), wake: make(chan struct{}, 1), ticked: make(chan *batch, 1),
		objects: map[uint64]*object{}, files: map[string]*fileChange{}, cuts: 1,
		room: make(chan struct{}), tickChanged: make(chan struct{}), snapshots: map[*Snapshot]struct{}{},
	}
	s.structural, s.drift.lists = newList(atNextEpoch), map[regionAt]*list{}
	for d := range w.Dimensions {
		for k := range Kind(kinds) {
			s.folders = append(s.folders, newFolder(s, Dim(d), k))
		}
	}
	s.workers.make, s.encoders.make = s.newLoadWorker, s.newEncoder
	return s, nil
}

// start opens what a store needs.
func (s *Store) start() error {
	var err error
	if s.cache, err = newVictims(s.opts.Memory); err != nil {
		return err
	}
	if err = s.open(); err != nil {
		s.cache.close()
		return err
	}
	if !s.readOnly {
		s.kept.Go(s.keeper)
		s.startControl()
	}
	return nil
}

func (s *Store) open() error {
	main := s.world.Roots[0].Dir
	if s.readOnly {
		return s.openRead(main)
	}
	dirs := make([]string, len(s.world.Roots))
	for i, r := range s.world.Roots {
		dirs[i] = r.Dir
	}
	var err error
	if s.lock, err = session.Acquire(s.fs, dirs...); err != nil {
		return err
	}
	if s.journal, err = journal.Open(s.journalOptions()); err != nil {
		return errors.Join(err, s.lock.Release())
	}
	l, _, err := level.Read(s.fs, main) // after a replay, which may have been of level.dat
	if err != nil {
		return errors.Join(err, s.journal.Close(), s.lock.Release())
	}
	s.version.Store(l.DataVersion())
	s.sweep()
	s.reportJournal(s.journal.Report())
	return nil
}

func (s *Store) openRead(main string) error {
	info, err := s.fs.Stat(main)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is not a folder", main)
	}
	if err != nil {
		return err
	}
	if s.report, err = journal.Inspect(s.journalOptions()); err != nil {
		return err
	}
	// Without a level.dat there is still much to read.
	if l, _, err := level.Read(s.fs, main); err == nil {
		s.version.Store(l.DataVersion())
	}
	return nil
}

func (s *Store) reportJournal(r *journal.Report) {
	s.mu.Lock()
	s.report = r
	s.mu.Unlock()
	switch r.Outcome {
	case journal.Replayed:
		s.event(Event{Kind: JournalReplayed})
	case journal.SetAside:
		s.event(Event{Kind: JournalSetAside, Path: r.Path, Err: r.Reason})
	case journal.Unfinished:
		s.event(Event{Kind: JournalUnfinished})
	}
}

// Journal is what was found in the world's journal when it was opened.
func (s *Store) Journal() *journal.Report {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.report
}

// World is what the store was opened with.
func (s *Store) World() World { return s.world }

// Tables give numbers to the block states and biomes of all chunks of the
// store. Chunks that are put into it have to use them.
func (s *Store) Tables() *chunk.Tables { return s.tables }

// Unprotected lists the folders of the world that cannot be locked.
func (s *Store) Unprotected() []string {
	if s.lock == nil {
		return nil
	}
	return s.lock.Unprotected()
}

func (s *Store) isClosing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closing
}

// fitCache gives the cache what held objects leave of Memory. Small changes
// are not worth the cache's lock.
func (s *Store) fitCache() {
	s.mu.Lock()
	now := s.held + s.flying
	d := now - s.fitted
	if d > -s.opts.Memory/32 && d < s.opts.Memory/32 {
		s.mu.Unlock()
		return
	}
	s.fitted = now
	s.mu.Unlock()
	s.cache.resize(s.opts.Memory - now)
}

// space notes whether the disk is full by the end of an epoch.
func (s *Store) space(err error) {
	full := errors.Is(err, vfs.ErrNoSpace)
	s.mu.Lock()
	before := s.noSpace
	switch {
	case full:
		s.noSpace = fmt.Errorf("changes wait for space: %w", err)
	case err == nil:
		s.noSpace = nil
	}
	after := s.noSpace
	s.mu.Unlock()
	switch {
	case before == nil && after != nil:
		s.makeRoom() // who waits learns why
		s.event(Event{Kind: SpaceOut, Err: err})
	case before != nil && after == nil:
		s.event(Event{Kind: SpaceBack})
	}
}
