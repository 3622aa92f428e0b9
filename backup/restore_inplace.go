package backup

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"strata/anvil"
	"strata/anvil/session"
	"strata/backup/source"
	"strata/region/vfs"
)

// keptFor is how long what a restore in place has replaced is protected.
const keptFor = 7 * 24 * time.Hour

// hold locks a world that is to be written. Its level.dat may be what is to be
// restored.
func (x *restorer) hold(dir string) (*session.Lock, error) {
	folders := []string{dir}
	if w, err := anvil.Open(dir, anvil.Options{FS: x.FS}); err == nil {
		folders = w.Folders()
	}
	l, err := session.Acquire(x.FS, folders...)
	if err != nil {
		return nil, fmt.Errorf("restore in place: %w", err)
	}
	if len(l.Unprotected()) > 0 {
		x.rep.Notes = append(x.rep.Notes, "the file system has no locks: nobody may have the world open meanwhile")
	}
	return l, nil
}

// before makes the snapshot of what is there, and lists that. The lock may be nil
// in a dry run.
func (x *restorer) before(ctx context.Context, dir string, l *session.Lock, keep keeper) (map[string]*entry, error) {
	expires := x.now.Add(keptFor).UTC()
	id, files, err := keep(ctx, dir, CreateOptions{
		FS: x.FS, Reason: PreRestore, Protected: true, Expires: &expires, DryRun: x.DryRun, lock: l, bare: true,
	})
	if err != nil {
		return nil, fmt.Errorf("keep what is there: %w", err)
	}
	x.rep.Kept = id
	return files, nil
}

// inPlace replaces files of a world.
func (x *restorer) inPlace(ctx context.Context, names []string, keep keeper) (err error) {
	x.rep.To = x.InPlace
	dir, err := resolveWorld(x.FS, x.InPlace)
	if err != nil {
		return err
	}
	var l *session.Lock
	if !x.DryRun {
		if l, err = x.hold(dir); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, l.Release()) }()
		if err := recoverSwap(x.FS, dir); err != nil {
			return fmt.Errorf("complete an interrupted restore: %w", err)
		}
	}
	there, err := x.before(ctx, dir, l, keep)
	if err != nil {
		return err
	}
	p, err := x.compare(names, there, filepath.Base(dir))
	if err != nil {
		return err
	}
	if x.DryRun {
		return nil
	}
	if err := x.checkSpace(dir, p.bytes); err != nil {
		return err
	}
	stage := filepath.Join(dir, source.OwnFolder, source.RestoreFolder)
	if _, err := x.stage(ctx, p.write, filepath.Join(stage, stageFolder)); err != nil {
		return errors.Join(err, removeAll(x.FS, stage))
	}
	s, err := x.swapOf(p, stage)
	if err == nil {
		err = s.check(x.FS, dir)
	}
	if err == nil {
		err = s.write(x.FS, stage)
	}
	if err != nil {
		return errors.Join(err, removeAll(x.FS, stage))
	}
	return s.apply(x.FS, dir)
}

// resolveWorld follows symbolic links: a link to a world stays one.
func resolveWorld(fsys vfs.FS, dir string) (string, error) {
	if fsys != vfs.OS() {
		return filepath.Clean(dir), nil
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// replacing is what a restore in place does.
type replacing struct {
	write  []string // files of the snapshot
	remove []target // files that are there
	bytes  int64
}

// target is a file below one of the world's folders.
type target struct{ suffix, rel string }

// path is where the file is, relative to the world's main folder.
func (t target) path(base string) string {
	if t.suffix == "" {
		return t.rel
	}
	return filepath.Join("..", base+t.suffix, t.rel)
}

// compare finds out what differs between the snapshot and what is there, whose
// main folder has that name.
func (x *restorer) compare(names []string, there map[string]*entry, base string) (*replacing, error) {
	p := &replacing{}
	live := map[target]*entry{}
	for name, e := range there {
		root, rel, _ := strings.Cut(name, "/")
		suffix, ok := strings.CutPrefix(root, base)
		if !ok {
			return nil, fmt.Errorf("%s lies beside the world %s", root, base)
		}
		live[target{suffix, filepath.FromSlash(rel)}] = e
	}
	wanted := map[target]bool{}
	for _, n := range names {
		suffix, rel, err := x.local(n)
		if err != nil {
			return nil, err
		}
		t, e := target{suffix, rel}, x.files[n]
		wanted[t] = true
		if e.kind == source.Folder {
			continue
		}
		if sameContent(e, live[t]) {
			x.rep.Same++
			continue
		}
		p.write = append(p.write, n)
		p.bytes += e.stat.size
		if x.DryRun {
			x.plan("write", n, e.stat.size)
			x.wrote(n)
		}
	}
	scope := scopeOf(x.Scope, there)
	scope.data = map[string]bool{}
	for dir := range x.scope.data {
		_, rel, _ := strings.Cut(dir, "/")
		scope.data[path.Join(base, rel)] = true
	}
	for name, e := range there {
		root, rel, _ := strings.Cut(name, "/")
		t := target{strings.TrimPrefix(root, base), filepath.FromSlash(rel)}
		if e.kind == source.Folder || wanted[t] || !scope.has(name, e) {
			continue
		}
		p.remove = append(p.remove, t)
		x.rep.Removed++
		if x.DryRun {
			x.plan("remove", name, e.stat.size)
		}
	}
	slices.SortFunc(p.remove, func(a, b target) int { return strings.Compare(a.suffix+"/"+a.rel, b.suffix+"/"+b.rel) })
	return p, nil
}

// sameContent reports whether two files hold the same.
func sameContent(a, b *entry) bool {
	if b == nil || a.kind != b.kind || (a.region == nil) != (b.region == nil) {
		return false
	}
	if a.region == nil {
		return a.data == b.data
	}
	g, h := a.region, b.region
	if g.odd || h.odd || g.exact {
		return g.table == h.table && g.rest == h.rest && g.exact == h.exact && a.stat.size == b.stat.size
	}
	return g.table == h.table
}
