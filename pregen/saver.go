package pregen

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"strata/region"
	"strata/region/vfs"
)

// saver makes finished chunks durable, and finished regions files: two
// goroutines while a dimension is worked on.
type saver struct {
	r *runner

	wake chan struct{} // something is to be flushed before its time
	jobs chan *job     // that have to be written
	stop chan struct{}
	wg   sync.WaitGroup
	d    *dimension

	mu sync.Mutex // guards what follows
	// groups and oldest are what was appended since the last flush began.
	groups  int
	oldest  time.Time
	waiting int64 // bytes appended and not flushed
	room    chan struct{}
	// budget is how many bytes may be appended until the disk is looked at
	// again.
	budget int64
	err    error // the first that matters
	misses int   // flushes in a row that have failed
}

const (
	// saveAfter is how old a finished chunk gets before it is flushed: with
	// what the flush takes on a slow disk it is durable within two seconds.
	saveAfter = 250 * time.Millisecond
	saveTick  = 100 * time.Millisecond
	// maxMisses is how often in a row a flush may fail.
	maxMisses = 5
	// lastTries is how often the flush at the end is tried.
	lastTries = 3
	// queuedJobs is how many regions may wait for their file.
	queuedJobs = 4
)

func newSaver(r *runner) *saver {
	return &saver{r: r, wake: make(chan struct{}, 1), room: make(chan struct{})}
}

// start begins to save for a dimension; finish ends it.
func (s *saver) start(d *dimension) {
	s.d, s.stop, s.jobs = d, make(chan struct{}), make(chan *job, queuedJobs)
	s.budget = 0 // the first chunk has the disk looked at
	s.wg.Go(s.flushes)
	s.wg.Go(s.installs)
}

// finish writes the files of the regions that are complete, flushes the rest,
// and returns the first error of saving.
func (s *saver) finish() error {
	close(s.jobs)
	close(s.stop)
	s.wg.Wait()
	err := s.flush()
	for n := 1; err != nil && n < lastTries; n++ {
		err = s.flush()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.keep(err)
	}
	return s.err
}

// dirty is how many bytes are finished and not durable.
func (s *saver) dirty() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.waiting
}

// appended counts a chunk that was appended to a spool, and waits while too
// much is not durable.
func (s *saver) appended(ctx context.Context, bytes int64) error {
	s.mu.Lock()
	s.waiting += bytes
	if s.groups++; s.groups == 1 {
		s.oldest = time.Now()
	}
	// In its spool, once more while the region's file is written beside that,
	// and the rest of a sector.
	s.budget -= 2*bytes + region.SectorBytes
	full := s.full()
	if full || s.groups >= groupChunks {
		s.hurry()
	}
	for full {
		room := s.room
		s.mu.Unlock()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-room:
		}
		s.mu.Lock()
		if full = s.full(); full {
			s.hurry()
		}
	}
	s.mu.Unlock()
	return nil
}

// full is called under mu.
func (s *saver) full() bool { return s.waiting >= s.r.opts.DirtyLimit || s.budget < 0 }

func (s *saver) hurry() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// submit has the file of a complete region written. It waits while others are
// waiting.
func (s *saver) submit(j *job) { s.jobs <- j }

// flushes flushes in time, and looks after the disk and the progress.
func (s *saver) flushes() {
	tick := time.NewTicker(saveTick)
	defer tick.Stop()
	looked := time.Now()
	for {
		now := time.Now()
		select {
		case <-s.stop:
			return
		case <-s.wake:
			s.flushAndLook()
		case now = <-tick.C:
			s.mu.Lock()
			due := s.groups > 0 && now.Sub(s.oldest) >= saveAfter
			s.mu.Unlock()
			if due {
				s.flushAndLook()
			}
		}
		if now.Sub(looked) >= time.Second {
			looked = now
			s.r.opts.Progress(s.r.progress())
		}
	}
}

// flushAndLook flushes, and ends the run when that fails for good or the disk
// is nearly full.
func (s *saver) flushAndLook() {
	err := s.flush()
	if err == nil {
		err = s.lookAfterSpace()
	} else {
		s.r.opts.Events(Event{Kind: FlushFailed, Dimension: s.d.target.Dimension, Err: err})
		select { // what is wrong may pass
		case <-s.stop:
		case <-time.After(saveTick):
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.room)
	s.room = make(chan struct{})
	if err != nil && (s.misses == 0 || s.misses >= maxMisses || errors.Is(err, vfs.ErrNoSpace)) {
		s.keep(err)
	}
}

// flush makes everything durable that was appended.
func (s *saver) flush() error {
	s.mu.Lock()
	s.groups = 0
	s.mu.Unlock()
	var first error
	for _, j := range s.d.open() {
		if err := s.flushJob(j); first == nil {
			first = err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.misses++
	if first == nil {
		s.misses = 0
	} else if s.groups == 0 {
		s.groups, s.oldest = 1, time.Now() // so that it is tried again
	}
	return first
}

// flushJob flushes the spool of a region.
func (s *saver) flushJob(j *job) error {
	err := j.spool.Flush()
	s.mu.Lock()
	defer s.mu.Unlock()
	_, left := j.spool.Pending()
	s.waiting -= j.saved(left)
	return err
}

// keep notes an error that ends the run. Called under mu.
func (s *saver) keep(err error) {
	if s.err == nil {
		s.err = err
	}
	s.r.fail(err)
}

// installs writes the files of complete regions, one after the other.
func (s *saver) installs() {
	for j := range s.jobs {
		// A region that is complete is written even if the run is stopped.
		if err := s.install(j); err != nil {
			s.mu.Lock()
			s.keep(err)
			s.mu.Unlock()
			continue // its spool has everything
		}
		j.finish()
		s.d.forget(j)
	}
}

func (s *saver) install(j *job) error {
	if err := s.flushJob(j); err != nil {
		return err
	}
	if err := s.lookAt(j); err != nil {
		return err
	}
	return j.install(context.Background())
}

// lookAt makes sure that there is room for the file of a region beside its
// spool.
func (s *saver) lookAt(j *job) error {
	free, err := s.r.space.free()
	if err != nil {
		return err
	}
	if need, _ := j.space(); free < need {
		return fmt.Errorf("the file of region %v needs %d bytes, %d are free: %w", j.pos, need, free, vfs.ErrNoSpace)
	}
	return nil
}

// lookAfterSpace returns an error before the disk is full: what is finished
// must find room, and files are written beside their spools, one at a time.
func (s *saver) lookAfterSpace() error {
	reserve, largest := s.dirty(), int64(0)
	for _, j := range s.d.open() {
		whole, growth := j.space()
		largest = max(largest, whole-growth)
		reserve += growth
	}
	e, learned, err := s.r.space.check(s.r.left(), reserve+largest)
	s.mu.Lock()
	s.budget = e.Free - reserve - largest - freeKept
	s.mu.Unlock()
	if learned {
		s.r.opts.Events(Event{Kind: SpaceEstimated, Dimension: s.d.target.Dimension, Estimate: e})
	}
	return err
}
