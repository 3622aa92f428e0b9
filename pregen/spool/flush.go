package spool

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"strata/region/vfs"
)

// Flush makes everything durable that was appended before. After an error it
// is all still in memory, and the next Flush tries again. On a full disk the
// error wraps vfs.ErrNoSpace.
func (s *Spool) Flush() error {
	s.flush.Lock()
	defer s.flush.Unlock()
	s.mu.Lock()
	if len(s.flying) == 0 {
		s.flying, s.pending = s.pending, s.flying[:0]
	} else {
		// What an earlier flush did not get through.
		s.flying, s.pending = append(s.flying, s.pending...), nil
	}
	s.groups = 0
	data := s.flying
	s.mu.Unlock()
	if len(data) == 0 {
		return nil
	}
	if err := s.write(data); err != nil {
		return fmt.Errorf("flush %s: %w", s.path, err)
	}
	s.mu.Lock()
	s.durable += int64(len(data))
	s.flying = data[:0]
	if cap(data) > maxKept {
		s.flying = nil
	}
	s.mu.Unlock()
	return nil
}

// maxKept is how much memory a spool keeps for the next flush, in bytes.
const maxKept = 1 << 20

// write makes data durable behind what is so already.
func (s *Spool) write(data []byte) error {
	synced, err := s.writeAt(data)
	if err == nil || synced || errors.Is(err, vfs.ErrNoSpace) {
		return err
	}
	// The system may hold the pages for clean now, and what is in the file for
	// written: so nothing of this handle counts, and the file is made anew.
	if again := s.rewrite(data); again != nil {
		return errors.Join(err, again)
	}
	return nil
}

// writeAt writes data into the file. If it reports synced, only making the
// file's name durable failed, which can be tried again.
func (s *Spool) writeAt(data []byte) (synced bool, err error) {
	f, err := s.open(os.O_CREATE)
	if err != nil {
		return true, err // nothing was written
	}
	if s.durable == 0 {
		_, err = f.WriteAt(fileHead(s.run, s.pos), 0)
	}
	if err == nil {
		_, err = f.WriteAt(data, max(s.durable, headBytes))
	}
	if err != nil {
		err = errors.Join(err, f.Close())
		return false, err
	}
	err = f.Sync()
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return false, err
	}
	if err := s.nameDurable(); err != nil {
		return true, err
	}
	s.durable = max(s.durable, headBytes)
	return true, nil
}

func (s *Spool) nameDurable() error {
	if s.made {
		return nil
	}
	err := s.fs.SyncDir(filepath.Dir(s.path))
	s.made = err == nil
	return err
}

// rewrite puts a new file in the place of the present one: what was durable in
// it, and data.
func (s *Spool) rewrite(data []byte) error {
	temporary := filepath.Join(filepath.Dir(s.path), vfs.TempPrefix+filepath.Base(s.path))
	f, err := s.fs.OpenFile(temporary, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	err = s.copyTo(f, data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = s.fs.Rename(temporary, s.path)
	}
	if err != nil {
		return errors.Join(err, s.fs.Remove(temporary))
	}
	s.made = false
	if err := s.nameDurable(); err != nil {
		return err
	}
	s.durable = max(s.durable, headBytes)
	return nil
}

// copyTo fills f and syncs it. Every record that is copied is checked, since
// the old file has had an error.
func (s *Spool) copyTo(f vfs.File, data []byte) error {
	if _, err := f.WriteAt(fileHead(s.run, s.pos), 0); err != nil {
		return err
	}
	if s.durable > headBytes {
		old, err := s.fs.OpenFile(s.path, os.O_RDONLY, 0)
		if err != nil {
			return err
		}
		defer old.Close()
		r := &reader{f: old, at: headBytes, end: s.durable}
		for r.at < s.durable {
			at := r.at
			h, payload, ok, err := r.next()
			if err != nil {
				return err
			}
			if !ok {
				return fmt.Errorf("record at %d: %w", at, ErrDamaged)
			}
			rec := Record{h.kind, h.slot, h.scheme, payload, h.base}
			if _, err := f.WriteAt(appendRecord(nil, &rec), at); err != nil {
				return err
			}
		}
	}
	if _, err := f.WriteAt(data, max(s.durable, headBytes)); err != nil {
		return err
	}
	return f.Sync()
}
