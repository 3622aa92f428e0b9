package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"strata/region"
)

// load measures loading the sample from its file, beside peers with all that
// they can keep from chunk to chunk.
func (r *storageRun) load(ctx context.Context) (err error) {
	l, err := r.openLoader(r.model.tables)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.file.Close()) }()
	ours := newSeries("strata", "load", threadClockKind, len(r.sample.raw), r.sample.rawBytes)
	peers, err := r.peers(ctx, "", "load", "storage/load-kept")
	if err != nil {
		return err
	}
	r.begin(r.peerName(), peers.behind(ours)...)
	// The first does not count, as with the peer.
	if err := r.loadPass(newSeries("", "", "", len(r.sample.raw), 0), l); err != nil {
		return fmt.Errorf("load: %w", err)
	}
	turns := []func() error{
		func() error { return r.loadPass(ours, l) },
		func() error { return peers.turn(ctx) },
	}
	for pass := range r.Passes {
		for turn := range turns {
			if err := turns[(pass+turn)%len(turns)](); err != nil {
				return fmt.Errorf("load: %w", err)
			}
		}
		r.step()
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	r.add(r.peerName(), peers.behind(ours)...)
	r.setGoal("load", LoadGoal)
	return nil
}

// loadPass loads all chunks, once for the time of the pass and once for those
// of the single chunks. Garbage is collected before, as the peer does it.
func (r *storageRun) loadPass(s *series, l *modelLoader) error {
	n, sections := len(r.sample.raw), 0
	runtime.GC()
	clock := startThreadClock()
	defer clock.stop()
	process := processTime()
	for i := range n {
		c, err := l.load(region.Slot(i))
		if err != nil {
			return err
		}
		sections += sectionsOf(c)
	}
	took, processTook := clock.elapsed(), processTime()-process
	if sections != r.model.sections {
		return fmt.Errorf("%w: %d sections, not %d", errWrong, sections, r.model.sections)
	}
	single := make([]time.Duration, n)
	for i := range n {
		before := clock.elapsed()
		if _, err := l.load(region.Slot(i)); err != nil {
			return err
		}
		single[i] = clock.elapsed() - before
	}
	s.pass(took, single)
	s.passProcess(processTook)
	return nil
}
