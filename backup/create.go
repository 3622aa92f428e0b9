package backup

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"strata/backup/pack"
	"strata/backup/source"
	"strata/backup/table"
	"strata/region/vfs"
)

// Create implements Repository.
func (r *repo) Create(ctx context.Context, world string, o CreateOptions) (_ *Report, err error) {
	u := adding
	if o.DryRun {
		u = reading
	}
	j, err := r.begin(u)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, j.end()) }()
	c, err := r.createIn(ctx, j, world, o)
	if err != nil {
		return nil, err
	}
	return &c.rep, nil
}

// createIn is Create within a job that adds.
func (r *repo) createIn(ctx context.Context, j *job, world string, o CreateOptions) (_ *creator, err error) {
	start := r.opts.Now()
	src, err := openSource(ctx, r.fs, r.dir, world, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	c, err := r.newCreator(j, src, start, o)
	if err != nil {
		return nil, err
	}
	if err := c.run(ctx); err != nil {
		c.w.Abort()
		return nil, err
	}
	if err := src.Check(ctx); err != nil {
		c.w.Abort()
		return nil, fmt.Errorf("%w: %w", ErrUnstable, err)
	}
	return c, c.finish()
}

// openSource opens a world for a snapshot in the repository dir, and completes a restore in place that
// was interrupted, if nobody else has the world.
func openSource(ctx context.Context, fsys vfs.FS, dir, world string, o CreateOptions) (*source.World, error) {
	if o.FS == nil {
		o.FS = fsys
	}
	leave := ""
	if o.FS == fsys {
		leave = dir
	}
	src, err := source.Open(ctx, world, source.Options{
		FS: o.FS, Quiesce: o.Quiesce, RefuseForeign: o.RefuseForeign, Exclude: o.Exclude, Lock: o.lock, Bare: o.bare, Leave: leave,
	})
	if errors.Is(err, source.ErrForeign) {
		return nil, fmt.Errorf("%w: %w", ErrForeign, err)
	}
	if err != nil {
		return nil, err
	}
	if src.State == source.Held && !o.DryRun {
		if err := recoverSwap(o.FS, src.Dir); err != nil {
			return nil, errors.Join(fmt.Errorf("complete an interrupted restore: %w", err), src.Close())
		}
	}
	return src, nil
}

// consistencyOf says what a snapshot of a world in that state is.
func consistencyOf(s source.State) Consistency {
	switch s {
	case source.Held, source.Pinned:
		return Epoch
	case source.Quiet:
		return Quiesced
	default:
		return PerChunk
	}
}

// creator makes one snapshot.
type creator struct {
	r   *repo
	j   *job
	src *source.World
	o   CreateOptions
	w   *pack.Writer
	cw  *contentWriter
	out record
	rep Report

	comparer
	elider elider
	root   *table.Table // of parent

	rows   []tableRow
	tables []*pendingTable
	externals
	done, total int64
}

// pendingTable is a region's table, to be stored behind all records so that the
// tables of one run lie together.
type pendingTable struct {
	row   int // of the region file
	e     *entry
	piece []byte
}

func (r *repo) newCreator(j *job, src *source.World, start time.Time, o CreateOptions) (*creator, error) {
	c := &creator{r: r, j: j, src: src, o: o, w: j.store.NewWriter(o.DryRun)}
	c.cw = newContentWriter(c.w)
	if o.Paranoid {
		c.w.Mend()
	}
	ids, err := r.ids()
	if err != nil {
		return nil, err
	}
	if c.parent, err = r.latest(ids, src.Dir, o.Compare); err != nil {
		return nil, fmt.Errorf("snapshot to compare with: %w", err)
	}
	if c.parent != nil {
		if err := c.loadParent(); err != nil {
			c.rep.Notes = append(c.rep.Notes, fmt.Sprintf("snapshot %s cannot be compared with: %v", c.parent.ID, err))
			c.comparer, c.root = comparer{}, nil
		}
	}
	c.out.Snapshot = newSnapshot(src, start, o)
	c.out.ID = newID(ids)
	c.begin(&c.out.Snapshot, o.Paranoid, src.State == source.Pinned)
	return c, nil
}

// newSnapshot is what is known before anything is read.
func newSnapshot(src *source.World, start time.Time, o CreateOptions) Snapshot {
	if o.Reason == "" {
		o.Reason = Manual
	}
	host, err := os.Hostname()
	if err != nil {
		host = ""
	}
	s := Snapshot{
		Time: start.UTC(), World: src.Dir, Name: filepath.Base(src.Dir), Host: host, DataVersion: src.DataVersion,
		Reason: o.Reason, Tags: append([]string{}, o.Tags...), Protected: o.Protected, Expires: o.Expires,
		Consistency: consistencyOf(src.State), Exact: o.Exact,
	}
	for _, r := range src.Roots {
		s.Roots = append(s.Roots, r.Name)
	}
	for _, d := range src.Dimensions {
		s.Dimensions = append(s.Dimensions, DimensionSize{ID: d.ID})
	}
	return s
}

func (c *creator) loadParent() (err error) {
	if c.root, c.before, err = c.j.files(c.parent); err != nil {
		return err
	}
	return nil
}

// files reads the table of a snapshot.
func (o objects) files(r *record) (*table.Table, map[string]*entry, error) {
	var id pack.ID
	if n, err := hex.Decode(id[:], []byte(r.Root)); err != nil || n != len(id) {
		return nil, nil, fmt.Errorf("snapshot %s has no table: %w", r.ID, ErrDamaged)
	}
	t, err := o.table(id)
	if err != nil {
		return nil, nil, err
	}
	all, err := parseEntries(t.Rows)
	return t, all, err
}

// run reads the world.
func (c *creator) run(ctx context.Context) error {
	files, skipped, err := c.src.Files(ctx)
	if err != nil {
		return err
	}
	for _, s := range skipped {
		c.skip(s.Path, s.Err)
	}
	c.externals.look(c, files)
	for i := range files {
		c.total += files[i].Info.Size
	}
	// Region files first: what their stubs say is how external files are stored.
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
	return c.putTables()
}

func (c *creator) skip(path string, err error) {
	c.out.Skipped = append(c.out.Skipped, Skipped{path, err.Error()})
}

// file takes one file in.
func (c *creator) file(ctx context.Context, f *source.File) error {
	e := &entry{kind: f.Kind, stat: statOf(f.Info), dimension: f.Dimension, record: f.Record}
	if len(e.dimension) > 255 {
		e.dimension = ""
	}
	prev := c.before[f.Path]
	var err error
	switch f.Kind {
	case source.RegionFile:
		err = c.region(ctx, f, e, prev)
	case source.External:
		err = c.external(ctx, f, e, prev)
	case source.Data:
		err = c.data(ctx, f, e, prev)
	}
	if isGone(err) {
		return nil
	}
	if skippable(err) {
		c.skip(f.Path, err)
		return nil
	}
	if err != nil {
		return err
	}
	c.row(f.Path, e)
	if f.Kind != source.Folder {
		c.out.Files++
		c.out.Bytes += e.stat.size
		c.done += f.Info.Size
		if c.o.Progress != nil {
			c.o.Progress(c.done, c.total)
		}
	}
	return nil
}

func (c *creator) row(path string, e *entry) {
	c.rows = append(c.rows, tableRow{Key: path, Value: string(e.append(nil))})
	if e.region != nil {
		c.count(e)
	}
}

// data takes a data file in.
func (c *creator) data(ctx context.Context, f *source.File, e, prev *entry) error {
	if c.unchanged(e, prev) && prev.region == nil {
		e.data = prev.data
		c.rep.LinkedBytes += e.stat.size
		return nil
	}
	e.kind = source.Data
	info, err := c.src.ReadFile(ctx, *f, 1<<20, c.cw.reset, c.cw.write)
	if err != nil {
		return c.readError(ctx, err)
	}
	if e.data, err = c.cw.finish(); err != nil {
		return err
	}
	e.stat = statOf(info)
	e.stat.size = e.data.size
	c.read(e.stat.size)
	return nil
}

// readError tells errors of reading the world from those of storing.
func (c *creator) readError(ctx context.Context, err error) error {
	if ctx.Err() != nil || c.cw.err != nil || c.w.Err() != nil {
		return err
	}
	return readError(err)
}

func (c *creator) read(n int64) {
	c.rep.CopiedBytes += n
	c.rep.ChangedFiles++
}
