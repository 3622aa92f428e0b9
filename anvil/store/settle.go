package store

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"strata/region/vfs"
)

// acked notes what the disk has of an object now.
func (s *Store) acked(sv *save, t tag) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sv.o.tag, sv.o.sum, sv.o.fails = t, sv.sum, 0
	if sv.size > 0 {
		s.resize(sv.o, sv.size)
	}
	s.m.saves.Add(1)
	s.m.bytesSaved.Add(int64(len(sv.payload)))
}

// settle ends the saves of an epoch. After an error everything is due again.
func (s *Store) settle(b *batch, err error) {
	type victim struct {
		key uint64
		c   *clean
	}
	var victims []victim
	s.mu.Lock()
	for _, sv := range b.saves {
		o := sv.o
		s.flying -= sv.bytes
		o.saving = false
		switch {
		case sv.rescued:
			o.rescued = true
		case sv.elided:
		case err != nil:
			o.sum = digest{} // nobody knows what the disk has
			s.setDue(o, atNextEpoch)
		}
		if c := s.letGo(o); c != nil {
			victims = append(victims, victim{o.key, c})
		}
	}
	for _, f := range b.files {
		s.flying -= int64(len(f.data))
		if err != nil && !f.rescued && s.files[f.path] == nil {
			s.files[f.path] = f
			s.filesSince = time.Now()
			s.dirtyBytes += int64(len(f.data))
		}
	}
	s.flyingFiles = nil
	s.mu.Unlock()
	for _, v := range victims {
		s.keep(v.key, v.c)
	}
	s.fitCache()
	s.makeRoom()
}

// makeRoom wakes those who wait for room.
func (s *Store) makeRoom() {
	s.mu.Lock()
	close(s.room)
	s.room = make(chan struct{})
	s.mu.Unlock()
}

// plainFolder returns an error that wraps vfs.ErrSymlink if a folder of our
// own, or the folder strata that it is in, is a symbolic link: what is ours
// belongs into the world.
func (s *Store) plainFolder(dir string) error {
	for _, at := range [...]string{filepath.Dir(dir), dir} {
		if info, err := s.fs.Lstat(at); err == nil && info.Mode&fs.ModeSymlink != 0 {
			return fmt.Errorf("%s: %w", at, vfs.ErrSymlink)
		}
	}
	return nil
}

// temporaryFolder is where the store keeps what only this process needs.
func (s *Store) temporaryFolder() string {
	return filepath.Join(s.world.Roots[0].Dir, ownFolder, "pins")
}
