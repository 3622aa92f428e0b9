package backup

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"strata/backup/source"
	"strata/region"
	"strata/region/vfs"
)

// Create implements Repository.
func (t *tree) Create(ctx context.Context, world string, o CreateOptions) (_ *Report, err error) {
	u := adding
	if o.DryRun {
		u = reading
	}
	l, err := t.begin(u)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.release()) }()
	c, err := t.createIn(ctx, world, o)
	if err != nil {
		return nil, err
	}
	return &c.rep, nil
}

func (t *tree) createIn(ctx context.Context, world string, o CreateOptions) (_ *treeCreator, err error) {
	start := t.opts.Now()
	src, err := openSource(ctx, t.fs, t.dir, world, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	c := &treeCreator{t: t, src: src, o: o, out: newSnapshot(src, start, o), dirs: map[string]bool{}, named: map[string]bool{}}
	if err := c.prepare(); err != nil {
		return nil, err
	}
	err = c.run(ctx)
	if err == nil {
		if err = src.Check(ctx); err != nil {
			err = fmt.Errorf("%w: %w", ErrUnstable, err)
		}
	}
	if err != nil {
		return nil, errors.Join(err, c.flush.Wait(), t.removeFolder(c.stage))
	}
	return c, c.finish()
}

// treeCreator makes one snapshot.
type treeCreator struct {
	t   *tree
	src *source.World
	o   CreateOptions
	out Snapshot
	rep Report
	comparer
	stage  string // the folder that is being filled
	dirs   map[string]bool
	rows   []tableRow
	named  map[string]bool // external files that were written with their region file
	links  bool
	clones bool
	noted  map[string]bool
	// flush makes files and folders durable, several at a time: a journal commits
	// them together.
	flush errgroup.Group

	done, total int64
}

// flushes is how many are made at a time.
const flushes = 8

func (c *treeCreator) prepare() error {
	ids, err := c.t.ids()
	if err != nil {
		return err
	}
	c.noted = map[string]bool{}
	c.flush.SetLimit(flushes)
	c.out.ID = newID(ids)
	c.out.Exact = !c.src.Moves() && c.src.State != source.Pinned
	c.stage = filepath.Join(c.t.dir, snapshotsDir, vfs.TempPrefix+c.out.ID)
	if c.parent, err = c.t.latest(ids, c.src.Dir, c.o.Compare); err != nil {
		return fmt.Errorf("snapshot to compare with: %w", err)
	}
	if c.parent != nil {
		if c.before, err = c.t.files(c.parent.ID); err != nil {
			c.note("snapshot %s cannot be compared with: %v", c.parent.ID, err)
			c.comparer = comparer{}
		}
	}
	c.begin(&c.out, c.o.Paranoid, c.src.State == source.Pinned)
	if c.o.DryRun {
		return nil
	}
	if c.links, c.clones, err = probe(c.t.fs, filepath.Join(c.t.dir, snapshotsDir)); err != nil {
		return err
	}
	if !c.links {
		c.note("the file system of the repository has no hard links: every snapshot is a copy")
	}
	return vfs.MkdirAll(c.t.fs, c.stage, 0o755)
}

// note says something once.
func (c *treeCreator) note(format string, args ...any) {
	if !c.noted[format] {
		c.noted[format] = true
		c.rep.Notes = append(c.rep.Notes, fmt.Sprintf(format, args...))
	}
}

func (c *treeCreator) run(ctx context.Context) error {
	files, skipped, err := c.src.Files(ctx)
	if err != nil {
		return err
	}
	for _, s := range skipped {
		c.out.Skipped = append(c.out.Skipped, Skipped{s.Path, s.Err.Error()})
	}
	for _, r := range c.src.Roots {
		if err := c.mkdir(r.Name); err != nil {
			return err
		}
	}
	for i := range files {
		c.total += files[i].Info.Size
	}
	for pass := range 2 {
		for i := range files {
			f := &files[i]
			if (f.Kind == source.RegionFile) != (pass == 0) {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := c.file(ctx, f); err != nil {
				return fmt.Errorf("back up %s: %w", f.Path, err)
			}
		}
	}
	return nil
}

// to is where a file of the snapshot is being made.
func (c *treeCreator) to(name string) string { return filepath.Join(c.stage, filepath.FromSlash(name)) }

func (c *treeCreator) mkdir(name string) error {
	if c.o.DryRun || c.dirs[name] {
		return nil
	}
	if err := vfs.MkdirAll(c.t.fs, c.to(name), 0o755); err != nil {
		return err
	}
	for d := name; d != "." && d != "/" && !c.dirs[d]; d = path.Dir(d) {
		c.dirs[d] = true
	}
	return nil
}

func (c *treeCreator) file(ctx context.Context, f *source.File) error {
	e := &entry{kind: f.Kind, stat: statOf(f.Info), dimension: f.Dimension, record: f.Record}
	if len(e.dimension) > 255 {
		e.dimension = ""
	}
	if f.Kind == source.Folder {
		c.rows = append(c.rows, tableRow{Key: f.Path, Value: string(e.append(nil))})
		return c.mkdir(f.Path)
	}
	if c.named[f.Path] {
		return nil // it was made with its region file
	}
	if err := c.mkdir(path.Dir(f.Path)); err != nil {
		return err
	}
	err := c.take(ctx, f, e)
	switch {
	case isGone(err):
		return nil
	case skippable(err):
		c.out.Skipped = append(c.out.Skipped, Skipped{f.Path, err.Error()})
		return nil
	case err != nil:
		return err
	}
	c.add(f.Path, e)
	c.done += f.Info.Size
	if c.o.Progress != nil {
		c.o.Progress(c.done, c.total)
	}
	return nil
}

// add lists a file.
func (c *treeCreator) add(name string, e *entry) {
	c.rows = append(c.rows, tableRow{Key: name, Value: string(e.append(nil))})
	c.out.Files++
	c.out.Bytes += e.stat.size
	if e.region != nil && e.dimension != "" && e.record == 0 {
		c.out.count(e)
	}
}

// take links a file that did not change, and copies any other.
func (c *treeCreator) take(ctx context.Context, f *source.File, e *entry) error {
	prev := c.before[f.Path]
	var header *region.Header
	if f.Kind == source.RegionFile {
		var err error
		if header, err = c.header(f, e); err != nil {
			return err
		}
	}
	same := header == nil && c.unchanged(e, prev) && prev.region == nil || header != nil && c.sameRegion(e, prev, header)
	if same {
		e.data, e.region = prev.data, prev.region
		if e.region != nil && c.pinned {
			// It lies in the snapshot as the pin had it.
			e.stat.size = prev.stat.size
		}
		return c.link(ctx, f.Path, e)
	}
	if header != nil && e.dimension != "" && e.record == 0 {
		c.out.NewChunks += c.changed(f, header)
	}
	return c.copy(ctx, f, e, prev, header)
}

// header reads the header of a region file; nil if it is too short to have one.
func (c *treeCreator) header(f *source.File, e *entry) (_ *region.Header, err error) {
	r, err := c.src.OpenRegion(*f)
	if errors.Is(err, source.ErrShort) {
		e.kind = source.Data
		return nil, nil
	}
	if err != nil {
		return nil, readError(err)
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	e.region = &regionEntry{sum: headerSum(&r.Header), chunks: chunksIn(&r.Header)}
	return &r.Header, nil
}

func chunksIn(h *region.Header) (n int64) {
	for s := range region.Slot(region.Slots) {
		if h.Location(s) != 0 {
			n++
		}
	}
	return n
}

// changed counts the chunks of a region file that the parent has otherwise or not.
func (c *treeCreator) changed(f *source.File, h *region.Header) (n int64) {
	var old region.Header
	if prev := c.before[f.Path]; prev != nil && prev.region != nil {
		file, err := region.Open(c.inParent(f.Path), region.Options{FS: c.t.fs, ReadOnly: true})
		if err == nil {
			old = *file.Header()
			file.Close() //nolint:errcheck // it was only read
		}
	}
	for s := range region.Slot(region.Slots) {
		if e := h.Entry(s); !e.Empty() && e != old.Entry(s) {
			n++
		}
	}
	return n
}

func (c *treeCreator) inParent(name string) string {
	return filepath.Join(c.t.folder(c.parent.ID), filepath.FromSlash(name))
}

// link makes a file that of the parent.
func (c *treeCreator) link(ctx context.Context, name string, e *entry) error {
	if c.o.DryRun {
		c.rep.LinkedBytes += e.stat.size
		return nil
	}
	from := c.inParent(name)
	if c.links {
		err := c.t.fs.Link(from, c.to(name))
		if err == nil {
			c.rep.LinkedBytes += e.stat.size
			return nil
		}
		// The file may have as many links as it can; the next ones get a new copy.
		c.note("a file could not be linked and was copied: %v", err)
	}
	return c.copyFrom(ctx, from, name, e)
}
