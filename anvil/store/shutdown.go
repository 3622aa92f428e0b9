package store

import (
	"errors"
	"fmt"
)

// unsaved reports whether anything is changed. Called under mu.
func (s *Store) unsaved() bool {
	return len(s.structural.objects)+len(s.drift.order)+len(s.files) > 0
}

// shutdown saves everything and closes the world, or leaves it open.
func (s *Store) shutdown(abandon bool) error {
	s.setShut(true)
	close(s.stop)
	s.kept.Wait()
	err := s.lastEpochs(abandon)
	if err != nil && !abandon {
		s.stop = make(chan struct{})
		s.setShut(false)
		s.kept.Go(s.keeper)
		return fmt.Errorf("close %s: %w: %w", s.world.Roots[0].Dir, ErrUnsaved, err)
	}
	s.stopControl()
	s.wait.Wait()
	if all, err := ListRescued(s.fs, s.world.Roots[0].Dir); err == nil && len(all) > 0 {
		s.event(Event{Kind: RescueLeft, Path: s.rescueDir()})
	}
	return s.closeAll()
}

func (s *Store) setShut(shut bool) {
	s.gate.Lock()
	s.shut = shut
	s.mu.Lock()
	s.closing = shut
	s.mu.Unlock()
	s.gate.Unlock()
	s.makeRoom()
}

// lastEpochs saves what is changed. It tries as often as it takes to find out
// which objects cannot be saved.
func (s *Store) lastEpochs(abandon bool) (err error) {
	for range s.opts.Attempts + 1 {
		s.mu.Lock()
		more := s.unsaved()
		s.mu.Unlock()
		if !more || abandon || s.readOnly {
			break
		}
		if err = s.everything(); err == nil {
			break
		}
	}
	s.mu.Lock()
	requests := s.requests
	s.requests = nil
	if err == nil && !abandon && s.unsaved() {
		err = errors.New("changes are left")
	}
	s.mu.Unlock()
	for _, r := range requests {
		if abandon {
			r.done <- ErrClosed
		} else {
			r.done <- err
		}
	}
	return err
}

func (s *Store) closeAll() error {
	s.publish.Lock()
	defer s.publish.Unlock()
	var errs []error
	for _, f := range s.folders {
		f.swap.Lock()
		errs = append(errs, f.closeForGood())
		f.swap.Unlock()
	}
	if s.journal != nil {
		errs = append(errs, s.journal.Close())
	}
	if s.lock != nil {
		errs = append(errs, s.lock.Release())
	}
	s.cache.close()
	return errors.Join(errs...)
}
