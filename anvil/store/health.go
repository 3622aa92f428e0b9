package store

import (
	"errors"
	"fmt"
	"slices"

	"strata/anvil/level"
	"strata/anvil/store/journal"
)

// readVersion takes the world's version over from a level.dat.
func (s *Store) readVersion(data []byte) {
	if l, err := level.Parse(data); err == nil {
		s.version.Store(l.DataVersion())
	}
}

// noteBroken remembers that the world has to be opened again.
func (s *Store) noteBroken(err error) error {
	if errors.Is(err, journal.ErrIncomplete) || errors.Is(err, journal.ErrInDoubt) || errors.Is(err, journal.ErrBroken) {
		s.broken = true
	}
	return err
}

// healthy checks before an epoch that the world is still ours and the journal
// takes epochs. A broken journal is closed with all region files and opened
// again, which completes what was acknowledged.
func (s *Store) healthy() error {
	if err := s.lock.Check(); err != nil {
		return err
	}
	if !s.broken {
		return nil
	}
	for _, f := range s.folders {
		f.swap.Lock()
	}
	defer func() {
		for _, f := range s.folders {
			f.swap.Unlock()
		}
	}()
	var errs []error
	for _, f := range s.folders {
		errs = append(errs, f.close())
	}
	if s.journal != nil {
		errs = append(errs, s.journal.Close())
		s.journal = nil
	}
	if err := errors.Join(errs...); err != nil {
		s.event(Event{Kind: CleanupFailed, Err: err})
	}
	j, err := journal.Open(s.journalOptions())
	if err != nil {
		return fmt.Errorf("open the journal again: %w", err)
	}
	s.journal, s.broken = j, false
	s.reportJournal(j.Report())
	return nil
}

func (s *Store) journalOptions() journal.Options {
	return journal.Options{FS: s.fs, Roots: slices.Concat(s.world.Roots, s.world.Links)}
}
