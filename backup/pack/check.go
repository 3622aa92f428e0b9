package pack

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"strata/region/vfs"
)

// Damage is a place of a pack that is not what was written.
type Damage struct {
	Pack   string
	Offset int64 // in the file, -1: unknown
	What   string
}

// Checked is what Check found.
type Checked struct {
	Packs   int64
	Bytes   int64
	Objects int64
	Damage  []Damage
	// Bad are the objects of which no sound copy was met.
	Bad map[ID]struct{}
}

// Check reads all packs and compares every byte with what their names, frames and
// IDs say. progress may be nil. The error is that of ctx or of the disk.
func (s *Store) Check(ctx context.Context, progress func(done, total int64)) (*Checked, error) {
	_, total := s.Objects() // reads all indexes
	c := &checker{s: s, Checked: Checked{Bad: map[ID]struct{}{}}}
	s.mu.Lock()
	packs := append([]*packFile(nil), s.packs...)
	s.mu.Unlock()
	for _, p := range packs {
		if p == nil {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := c.pack(p); err != nil {
			return nil, err
		}
		if progress != nil {
			progress(c.Bytes, total)
		}
	}
	for id := range c.Bad {
		if !s.damaged(id) {
			delete(c.Bad, id) // there is another copy
		}
	}
	return &c.Checked, nil
}

type checker struct {
	Checked
	s *Store
}

func (c *checker) add(p *packFile, at int64, format string, args ...any) {
	c.Damage = append(c.Damage, Damage{p.name, at, fmt.Sprintf(format, args...)})
}

// pack checks a pack.
func (c *checker) pack(p *packFile) error {
	c.Packs++
	c.Bytes += p.size
	sound, err := c.s.sameHash(p)
	switch {
	case errors.Is(err, os.ErrNotExist):
		c.add(p, -1, "is gone")
	case err != nil:
		c.add(p, -1, "cannot be read: %v", err)
	case !sound:
		c.add(p, -1, "its bytes are not those that it is named after")
	}
	if p.index == nil {
		c.add(p, -1, "nothing of it can be read: %v", p.err)
		return nil
	}
	if p.rebuilt {
		c.add(p, p.size, "the index is damaged")
	}
	bad := map[int]bool{}
	for i := range p.index.frames {
		f := &p.index.frames[i]
		if _, err := c.s.readFrame(p, f); err != nil {
			bad[i] = true
			c.add(p, f.at, "a frame is damaged: %v", err)
		}
	}
	return c.objects(p, bad)
}

// objects checks the objects of a pack of which some frames are bad.
func (c *checker) objects(p *packFile, bad map[int]bool) error {
	x := p.index
	s := c.s
	s.mu.Lock()
	at := uint32(0)
	for i, q := range s.packs {
		if q == p {
			at = uint32(i)
		}
	}
	s.mu.Unlock()
	var buf []byte
	for i := range x.objects() {
		c.Objects++
		out, err := s.get(place{p, i, at}, x.id(i), buf[:0])
		if err == nil {
			buf = out
			continue
		}
		c.Bad[x.id(i)] = struct{}{}
		if len(bad) == 0 {
			c.add(p, -1, "object %v: %v", x.id(i), err)
		}
	}
	return nil
}

// sameHash reports whether a pack is what its name says.
func (s *Store) sameHash(p *packFile) (bool, error) {
	f, err := s.fs.OpenFile(s.path(p.name), os.O_RDONLY, 0)
	if err != nil {
		return false, err
	}
	defer f.Close()
	sum := sha256.New()
	buf := make([]byte, 256<<10)
	for at := int64(0); ; {
		n, err := f.ReadAt(buf, at)
		sum.Write(buf[:n])
		at += int64(n)
		if err != nil && !errors.Is(err, io.EOF) {
			return false, err
		}
		if err != nil {
			break
		}
	}
	_, want, _ := parseName(p.name)
	return hex.EncodeToString(sum.Sum(nil))[:hashDigits] == want, nil
}

// RemoveLeftovers removes what a killed Writer has left. The caller sees to it
// that there is no Writer.
func RemoveLeftovers(fsys vfs.FS, dir string) (n int, err error) {
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		return 0, err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), vfs.TempPrefix) && !e.IsDir() {
			n++
			err = errors.Join(err, fsys.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return n, err
}
