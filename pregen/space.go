package pregen

import (
	"errors"
	"fmt"
	"sync"

	"strata/anvil/chunk"
	"strata/region/vfs"
)

// space keeps a run from filling the disk.
type space struct {
	fs   vfs.FS
	path string
	// guess is the bytes that a chunk takes, before anything is known.
	guess int64

	mu sync.Mutex // guards what follows
	// confirmed: somebody said that the run is to begin although it may not
	// fit.
	confirmed bool
	learned   bool
	chunks    int64 // that the bytes are of
	bytes     int64
}

// firstGuess is what a chunk takes in region files: with and without what
// features and light add. (Means of worlds of 26.2, in mode sector, were 8.4 and
// 4.1 KiB.)
func firstGuess(until chunk.Status) int64 {
	if until < chunk.StatusFeatures {
		return 4608
	}
	return 8704
}

func (s *space) free() (int64, error) {
	n, err := s.fs.FreeBytes(s.path)
	if errors.Is(err, vfs.ErrUnsupported) {
		return 1 << 62, nil // then the disk says so itself
	}
	return n, err
}

// add counts what a new chunk takes.
func (s *space) add(bytes int64) {
	s.mu.Lock()
	s.chunks++
	s.bytes += bytes
	s.mu.Unlock()
}

// estimate says what the chunks that are left need.
func (s *space) estimate(left, free int64) Estimate {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := Estimate{PerChunk: s.guess, Free: free}
	if s.chunks >= learnAfter {
		e.PerChunk, e.Learned = s.bytes/s.chunks, true
	}
	e.Needed = left*e.PerChunk + freeKept
	return e
}

// check returns an error that wraps vfs.ErrNoSpace when the run has to stop:
// less than reserve is free, which is what it takes to write what is finished;
// or it is known by now that all will not fit. learned is true once, when the
// estimate is no longer a guess.
func (s *space) check(left, reserve int64) (e Estimate, learned bool, err error) {
	free, err := s.free()
	if err != nil {
		return e, false, err
	}
	e = s.estimate(left, free)
	if free < reserve+freeKept {
		return e, false, fmt.Errorf("%d bytes are free, and as many may be needed to write what is finished: %w", free, vfs.ErrNoSpace)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	learned = e.Learned && !s.learned
	s.learned = e.Learned
	if e.Learned && !s.confirmed && e.Needed*(100-estimateMargin)/100 > free {
		return e, learned, fmt.Errorf("%d bytes are needed for the rest, %d are free: %w", e.Needed, free, vfs.ErrNoSpace)
	}
	return e, learned, nil
}

// begin asks whether to begin if it is likely that all will not fit.
func (s *space) begin(left int64, confirm func(Estimate) error) error {
	e, _, err := s.check(left, 0)
	if err != nil || e.Fits() || left == 0 {
		return err
	}
	if confirm == nil {
		if e.Needed/2 <= e.Free {
			return nil // the guess may be wrong, and is put right soon
		}
		return fmt.Errorf("about %d bytes are needed, %d are free: %w", e.Needed, e.Free, vfs.ErrNoSpace)
	}
	s.confirmed = true
	return confirm(e)
}
