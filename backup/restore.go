package backup

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"strata/region"
	"strata/region/vfs"
)

// Restore implements Repository.
func (r *repo) Restore(ctx context.Context, name string, o RestoreOptions) (_ *RestoreReport, err error) {
	if o.FS == nil {
		o.FS = r.fs
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	u := reading
	if o.InPlace != "" && !o.DryRun {
		u = adding
	}
	j, err := r.begin(u)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, j.end()) }()
	rec, err := r.find(name)
	if err != nil {
		return nil, err
	}
	x, err := j.restorer(rec, o)
	if err != nil {
		return nil, err
	}
	create := func(ctx context.Context, world string, o CreateOptions) (string, map[string]*entry, error) {
		return r.keep(ctx, j, world, o)
	}
	return x.run(ctx, create)
}

func (o *RestoreOptions) check() error {
	if (o.To == "") == (o.InPlace == "") {
		return fmt.Errorf("restore to a folder or in place, one of them: %w", ErrOptions)
	}
	return o.Scope.check()
}

// keep makes a snapshot of a world and lists its files.
func (r *repo) keep(ctx context.Context, j *job, world string, o CreateOptions) (string, map[string]*entry, error) {
	c, err := r.createIn(ctx, j, world, o)
	if err != nil {
		return "", nil, err
	}
	files, err := c.listed()
	return c.rep.ID, files, err
}

// keeper makes the snapshot of what a restore in place replaces, and lists what is
// in it.
type keeper func(ctx context.Context, world string, o CreateOptions) (id string, files map[string]*entry, err error)

// origin is where a restore takes files from.
type origin interface {
	// write writes a file to a path that is absent, and verifies it. wrote is
	// called with the names of files that it makes beside it.
	write(ctx context.Context, name string, e *entry, fsys vfs.FS, to string, wrote func(base string)) error
	// chunk returns a record of a region file as a slot that has it and its
	// content; an empty slot if there is none.
	chunk(name string, e *entry, s region.Slot) (slot, []byte, error)
}

// restorer is one restore.
type restorer struct {
	RestoreOptions
	origin
	rec   *record
	files map[string]*entry
	scope *scoped
	now   time.Time

	mu  sync.Mutex // guards the rest
	rep RestoreReport
	// total and done are bytes.
	total, done int64
}

func (j *job) restorer(rec *record, o RestoreOptions) (*restorer, error) {
	_, files, err := j.files(rec)
	if err != nil {
		return nil, err
	}
	x := &restorer{RestoreOptions: o, rec: rec, files: files, scope: scopeOf(o.Scope, files), now: j.r.opts.Now()}
	x.origin = &repoOrigin{fs: newRepoFS(j.objects, files), x: x}
	return x, nil
}

func (x *restorer) run(ctx context.Context, keep keeper) (*RestoreReport, error) {
	x.rep.Snapshot, x.rep.DryRun = x.rec.ID, x.DryRun
	names := x.scope.sorted(x.files)
	if len(names) == 0 {
		return nil, fmt.Errorf("nothing of the snapshot is in the scope: %w", ErrNoSnapshot)
	}
	for _, n := range names {
		x.total += x.files[n].stat.size
	}
	var err error
	switch {
	case x.InPlace != "" && x.Scope.Chunks != nil:
		err = x.chunksInPlace(ctx, names, keep)
	case x.InPlace != "":
		err = x.inPlace(ctx, names, keep)
	default:
		err = x.toFolder(ctx, names)
	}
	if err != nil {
		return nil, err
	}
	return &x.rep, nil
}

// wrote counts a file that was written.
func (x *restorer) wrote(name string) {
	e := x.files[name]
	x.mu.Lock()
	defer x.mu.Unlock()
	x.rep.Files++
	x.rep.Bytes += e.stat.size
	if e.region != nil && e.record == 0 {
		x.rep.Chunks += e.region.chunks
	}
	x.done += e.stat.size
	if x.Progress != nil {
		x.Progress(x.done, x.total)
	}
}

func (x *restorer) plan(action, path string, bytes int64) {
	x.rep.Changes = append(x.rep.Changes, Planned{Action: action, Path: path, Bytes: bytes})
}

// suffixOf is what the name of a root has behind that of the main one.
func (x *restorer) suffixOf(root string) (string, error) {
	if len(x.rec.Roots) == 0 {
		return "", fmt.Errorf("snapshot %s has no folders: %w", x.rec.ID, ErrDamaged)
	}
	suffix, ok := strings.CutPrefix(root, x.rec.Roots[0])
	if !ok {
		return "", fmt.Errorf("folder %q of snapshot %s: %w", root, x.rec.ID, ErrDamaged)
	}
	return suffix, nil
}

// local splits a path of the snapshot into the suffix of its root and what is
// below. What leads out of the root is refused.
func (x *restorer) local(name string) (suffix, rel string, err error) {
	root, rest, _ := strings.Cut(name, "/")
	if suffix, err = x.suffixOf(root); err != nil {
		return "", "", err
	}
	rel = filepath.FromSlash(rest)
	if strings.ContainsAny(suffix, `/\`) || rel != "" && !filepath.IsLocal(rel) {
		return "", "", fmt.Errorf("path %q of snapshot %s: %w", name, x.rec.ID, ErrDamaged)
	}
	return suffix, rel, nil
}
