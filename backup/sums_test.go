package backup

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"strata/anvil/session"
	"strata/region"
	"strata/region/vfs"
)

// sums are the contents of a world: files by their paths, and chunks by path and
// position.
type sums map[string]string

// sumsOf reads a world. bytes compares region files by their bytes, and not by what
// is in them.
func sumsOf(t testing.TB, fsys vfs.FS, root string, bytes bool) sums {
	t.Helper()
	s := sums{}
	must(t, s.walk(fsys, root, "", bytes))
	return s
}

func (s sums) walk(fsys vfs.FS, root, rel string, bytes bool) error {
	entries, err := fsys.ReadDir(filepath.Join(root, rel))
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := filepath.Join(rel, e.Name())
		info, err := fsys.Stat(filepath.Join(root, name))
		if err != nil {
			return err
		}
		if info.IsDir() {
			if err := s.walk(fsys, root, name, bytes); err != nil {
				return err
			}
			continue
		}
		if e.Name() == session.FileName || strings.HasPrefix(e.Name(), vfs.TempPrefix) {
			continue
		}
		key := filepath.ToSlash(name)
		if pos, ok := region.ParseName(e.Name()); ok && !bytes && info.Size >= region.HeaderBytes {
			if err := s.region(fsys, filepath.Join(root, name), key, pos); err != nil {
				return err
			}
			continue
		}
		if _, ok := region.ParseExternalName(e.Name()); ok && !bytes {
			continue // what is in it is the chunk's
		}
		data, err := vfs.ReadFile(fsys, filepath.Join(root, name), 1<<30)
		if err != nil {
			return err
		}
		s[key] = fmt.Sprintf("%d %x", len(data), sha256.Sum256(data))
	}
	return nil
}

func (s sums) region(fsys vfs.FS, name, key string, pos region.Pos) (err error) {
	f, err := region.Open(name, region.Options{FS: fsys, ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for slot := range region.Slot(region.Slots) {
		e := f.Entry(slot)
		if e == (region.Entry{}) {
			continue
		}
		text := fmt.Sprintf("%d ", e.Timestamp)
		if !e.Empty() {
			rec, err := f.Read(slot, nil)
			var at *region.Error
			switch {
			case errors.As(err, &at):
				text += string(at.Class)
			case err != nil:
				return err
			default:
				text += fmt.Sprintf("%v %x", rec.Scheme, sha256.Sum256(rec.Data))
			}
		}
		s[fmt.Sprintf("%s#%v", key, pos.Chunk(slot))] = text
	}
	return nil
}

// diff lists what differs, at most a few.
func (s sums) diff(other sums) (all []string) {
	keys := slices.Sorted(maps.Keys(s))
	for _, k := range keys {
		if other[k] != s[k] {
			all = append(all, fmt.Sprintf("%s: %q, not %q", k, other[k], s[k]))
		}
	}
	for _, k := range slices.Sorted(maps.Keys(other)) {
		if _, has := s[k]; !has {
			all = append(all, k+" is too much")
		}
	}
	if len(all) > 10 {
		all = append(all[:10], fmt.Sprintf("and %d more", len(all)-10))
	}
	return all
}

// want restores a snapshot and compares it.
func (r *rig) want(id string, want sums, bytes bool) {
	r.t.Helper()
	to := r.path("restored")
	_, err := r.repo.Restore(ctx, id, RestoreOptions{To: to})
	must(r.t, err)
	if diff := want.diff(sumsOf(r.t, r.fs, to, bytes)); len(diff) > 0 {
		r.t.Errorf("snapshot %s does not come back: %s", id, strings.Join(diff, "\n"))
	}
	must(r.t, removeAll(r.fs, to))
}

// wantView compares a snapshot as it is seen without a restore.
func (r *rig) wantView(id string, want sums) {
	r.t.Helper()
	v, err := r.repo.View(ctx, id)
	must(r.t, err)
	if diff := want.diff(sumsOf(r.t, v, v.Root, false)); len(diff) > 0 {
		r.t.Errorf("snapshot %s is not what it was: %s", id, strings.Join(diff, "\n"))
	}
	must(r.t, v.Close())
}

// verify demands that the repository is sound.
func (r *rig) verify() *VerifyReport {
	r.t.Helper()
	v, err := r.repo.Verify(ctx, VerifyOptions{})
	must(r.t, err)
	if !v.OK() {
		r.t.Errorf("damage %v, lost %v", v.Damage, v.Lost)
	}
	return v
}
