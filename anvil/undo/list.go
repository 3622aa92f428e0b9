package undo

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"strata/region/vfs"
)

// Limits say how long changes are kept.
type Limits struct {
	Age   time.Duration // default 7 days
	Bytes int64         // default 1 GiB
}

func (l Limits) withDefaults() Limits {
	if l.Age == 0 {
		l.Age = 7 * 24 * time.Hour
	}
	if l.Bytes == 0 {
		l.Bytes = 1 << 30
	}
	return l
}

// List lists the changes of the world with the main folder given, the newest
// first. It only reads.
func List(fsys vfs.FS, main string) ([]Info, error) {
	all, err := list(fsys, main)
	infos := make([]Info, len(all))
	for i := range all {
		infos[i] = all[i].Info
	}
	return infos, err
}

// Size is how many bytes the changes take on the disk. It only reads.
func Size(fsys vfs.FS, main string) (int64, error) {
	all, err := list(fsys, main)
	total := int64(0)
	for i := range all {
		total += all[i].Bytes
	}
	return total, err
}

func list(fsys vfs.FS, main string) ([]manifest, error) {
	root, err := undoRoot(fsys, main)
	if err != nil {
		return nil, err
	}
	entries, err := fsys.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []manifest
	for _, e := range entries {
		number, ok := parseID(e.Name())
		if !ok || !e.IsDir() {
			continue
		}
		m, err := look(fsys, filepath.Join(root, e.Name()), number)
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed meanwhile
		}
		if err != nil {
			return nil, err
		}
		all = append(all, *m)
	}
	slices.SortFunc(all, func(a, b manifest) int { return cmp.Compare(b.Number, a.Number) })
	return all, nil
}

// look reads a change's manifest and counts its bytes.
func look(fsys vfs.FS, dir string, number int64) (*manifest, error) {
	m, err := readManifest(fsys, dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		m = &manifest{Info: Info{ID: filepath.Base(dir), State: Saving}}
	case errors.Is(err, ErrDamaged):
		m = &manifest{Info: Info{ID: filepath.Base(dir), State: Damaged}}
	case err != nil:
		return nil, err
	}
	m.Number = number
	if m.Time.IsZero() {
		m.Time, _ = timeOf(m.ID)
	}
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	m.Bytes = 0
	for _, e := range entries {
		info, err := fsys.Lstat(filepath.Join(dir, e.Name()))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		m.Bytes += info.Size
	}
	return m, nil
}

const idTime = "20060102T150405Z"

func makeID(t time.Time, number int64) string {
	return fmt.Sprintf("%s-%d", t.UTC().Format(idTime), number)
}

func parseID(name string) (number int64, ok bool) {
	_, text, ok := strings.Cut(name, "-")
	if _, isTime := timeOf(name); !ok || !isTime {
		return 0, false
	}
	number, err := strconv.ParseInt(text, 10, 63)
	return number, err == nil && number > 0 && text == strconv.FormatInt(number, 10)
}

func timeOf(id string) (time.Time, bool) {
	text, _, _ := strings.Cut(id, "-")
	t, err := time.Parse(idTime, text)
	return t, err == nil
}

// Prune removes the changes that are older than the limits allow, and the oldest
// of those that take more together; the newest one that can be undone stays. It
// returns the ids of what it removed. Changes that are being made or undone by
// this process are left alone.
func Prune(fsys vfs.FS, main string, now time.Time, limits Limits) (removed []string, err error) {
	limits = limits.withDefaults()
	all, err := list(fsys, main)
	if err != nil {
		return nil, err
	}
	root, err := undoRoot(fsys, main)
	if err != nil {
		return nil, err
	}
	total, newest := int64(0), true
	for i := range all {
		m := &all[i]
		dir := filepath.Join(root, m.ID)
		total += m.Bytes
		useful := m.State == Done || m.State == Writing || m.State == Undoing
		keep := now.Sub(m.Time) <= limits.Age && (total <= limits.Bytes || useful && newest)
		if useful {
			newest = false
		}
		if m.State == Saving { // has written nothing
			keep = false
		}
		if keep || isActive(dir) {
			continue
		}
		total -= m.Bytes
		if err := removeChange(fsys, dir); err != nil {
			return removed, err
		}
		removed = append(removed, m.ID)
	}
	if len(removed) == 0 {
		return nil, nil
	}
	return removed, fsys.SyncDir(root)
}

// removeChange removes the folder of a change, the manifest first: what a kill
// leaves has none, and is cleared away as a change that has written nothing.
func removeChange(fsys vfs.FS, dir string) error {
	if err := fsys.Remove(filepath.Join(dir, manifestName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := fsys.Remove(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return fsys.Remove(dir)
}
