package backup

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"strata/region"
	"strata/region/vfs"
)

// replay makes the world what the save is: files whose bytes differ are replaced by
// a rename and have their own modification time, files that the save does not have
// are removed.
func replay(save, world string) (*Save, error) {
	s := &Save{Name: filepath.Base(save)}
	wanted := map[string]bool{}
	err := filepath.WalkDir(save, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(save, path)
		if err != nil {
			return err
		}
		wanted[rel] = true
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(world, rel), 0o755)
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return s.file(path, filepath.Join(world, rel), info)
	})
	if err != nil {
		return nil, err
	}
	s.Budget = (s.PayloadBytes+s.DataBytes)*3/2 + 64*s.ChangedRecords + 2048*int64(s.TouchedRegions)
	return s, filepath.WalkDir(world, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		rel, rerr := filepath.Rel(world, path)
		if err = errors.Join(err, rerr); err != nil || wanted[rel] || d.Name() == "session.lock" {
			return err
		}
		if err := os.RemoveAll(path); err != nil || !d.IsDir() {
			return err
		}
		return filepath.SkipDir
	})
}

// file takes one file of the save over.
func (s *Save) file(from, to string, info fs.FileInfo) error {
	now, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	s.Bytes += int64(len(now))
	old, err := os.ReadFile(to)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil && bytes.Equal(old, now) {
		return nil
	}
	s.ChangedFiles++
	if _, ok := region.ParseName(filepath.Base(from)); ok {
		s.TouchedRegions++
		if err := s.records(from, to); err != nil {
			return err
		}
	} else {
		s.DataBytes += int64(len(now))
	}
	temporary := to + ".new"
	if err := os.WriteFile(temporary, now, 0o644); err != nil {
		return err
	}
	if err := os.Chtimes(temporary, info.ModTime(), info.ModTime()); err != nil {
		return err
	}
	return os.Rename(temporary, to)
}

// records counts the records of a region file that the one before it does not have.
func (s *Save) records(now, old string) error {
	before, err := recordSums(old)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	after, err := recordSums(now)
	if err != nil {
		return err
	}
	for slot, r := range after {
		if before[slot].sum != r.sum {
			s.ChangedRecords++
			s.PayloadBytes += r.bytes
		}
	}
	return nil
}

type recordSum struct {
	sum   [sha256.Size]byte
	bytes int64
	stamp uint32
}

// recordSums lists the records of a region file.
func recordSums(name string) (_ map[region.Slot]recordSum, err error) {
	f, err := region.Open(name, region.Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	all := map[region.Slot]recordSum{}
	var buf []byte
	for slot := range region.Slot(region.Slots) {
		if f.Entry(slot).Empty() {
			continue
		}
		rec, err := f.Read(slot, buf)
		if err != nil {
			return nil, err
		}
		buf = rec.Buffer()
		h := sha256.New()
		h.Write([]byte{byte(rec.Scheme)})
		h.Write(rec.Data)
		all[slot] = recordSum{[sha256.Size]byte(h.Sum(nil)), int64(len(rec.Data)) + 1, rec.Entry.Timestamp}
	}
	return all, nil
}

// compare compares two worlds, region files by their chunks if byChunk says so.
func compare(a, b string, byChunk bool) error {
	seen := map[string]bool{}
	err := filepath.WalkDir(a, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() == "session.lock" {
			return err
		}
		rel, err := filepath.Rel(a, path)
		if err != nil {
			return err
		}
		seen[rel] = true
		if d.IsDir() {
			return nil
		}
		return compareFile(path, filepath.Join(b, rel), byChunk)
	})
	if err != nil {
		return err
	}
	return filepath.WalkDir(b, func(path string, d fs.DirEntry, err error) error {
		rel, rerr := filepath.Rel(b, path)
		if err = errors.Join(err, rerr); err != nil || seen[rel] || d.Name() == "session.lock" {
			return err
		}
		return fmt.Errorf("%w: %s was not there", ErrDiffers, rel)
	})
}

func compareFile(a, b string, byChunk bool) error {
	x, err := os.ReadFile(a)
	if err != nil {
		return err
	}
	y, err := os.ReadFile(b)
	if err != nil {
		return err
	}
	if bytes.Equal(x, y) {
		return nil
	}
	if _, ok := region.ParseName(filepath.Base(a)); !ok || !byChunk {
		return fmt.Errorf("%w: %s", ErrDiffers, filepath.Base(a))
	}
	before, err := recordSums(a)
	if err != nil {
		return err
	}
	after, err := recordSums(b)
	if err != nil {
		return err
	}
	if len(before) != len(after) {
		return fmt.Errorf("%w: %s has %d chunks, not %d", ErrDiffers, filepath.Base(a), len(after), len(before))
	}
	for slot, r := range before {
		if after[slot] != r {
			return fmt.Errorf("%w: %s, slot %d", ErrDiffers, filepath.Base(a), slot)
		}
	}
	return nil
}

// storeBytes is the size of the files below a folder, those with several names
// counted once, with 4 KiB for each folder if folders says so.
func storeBytes(dir string, folders bool) (n int64, err error) {
	seen := map[[2]uint64]bool{}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch {
		case d.IsDir() && folders:
			n += 4096
		case d.Type().IsRegular():
			stat, err := vfs.OS().Lstat(path)
			if err != nil {
				return err
			}
			if id := [2]uint64{stat.Device, stat.Inode}; stat.Inode == 0 || !seen[id] {
				seen[id] = true
				n += stat.Size
			}
		}
		return nil
	})
	return n, err
}

// removeAll removes a folder in which folders may be read-only.
func removeAll(dir string) error {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			err = os.Chmod(path, 0o755)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, os.RemoveAll(dir))
}
