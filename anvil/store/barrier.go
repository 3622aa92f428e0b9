package store

import (
	"context"
)

// request is somebody who waits for an epoch.
type request struct {
	done chan error // gets one value
}

// Barrier makes everything that was changed before it durable as one epoch:
// chunks, entities, points of interest and data files, drift included; drift in
// more than 512 region files takes further epochs. With
// ByTick the cut is at the next Tick; who calls Tick uses BarrierHere.
// It returns the error of the epoch; then what could not be saved is still
// changed and will be tried again.
func (s *Store) Barrier(ctx context.Context) error {
	r, err := s.request()
	if err != nil {
		return err
	}
	return r.await(ctx)
}

// SetAutosave says whether epochs are made by themselves, as they are at first.
// If not they are made for those who ask for one, as Barrier, Snapshot and other
// processes do, when changes would have to wait for room, and by Close.
func (s *Store) SetAutosave(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.onRequest = !on
	s.kick()
}

// BarrierHere is Barrier with the cut at once, for the goroutine that calls
// Tick, between two ticks.
func (s *Store) BarrierHere(ctx context.Context) error {
	r, err := s.request()
	if err != nil {
		return err
	}
	for {
		s.mu.Lock()
		waits := s.tickWanted
		changed := s.tickChanged
		s.mu.Unlock()
		if waits {
			s.Tick() // perhaps for an epoch from before the request
			continue
		}
		select {
		case err := <-r.done:
			return err
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (r *request) await(ctx context.Context) error {
	select {
	case err := <-r.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Store) request() (*request, error) {
	if s.readOnly {
		return nil, ErrReadOnly
	}
	r := &request{done: make(chan error, 1)}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return nil, ErrClosed
	}
	s.requests = append(s.requests, r)
	s.kick()
	return r, nil
}
