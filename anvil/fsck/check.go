package fsck

import (
	"context"
	"fmt"
	"time"

	"strata/anvil"
	"strata/anvil/scan"
	"strata/anvil/store"
	"strata/region"
	"strata/region/vfs"
)

// Options of a check. The zero value checks everything.
type Options struct {
	// Workers is how many region files are read at the same time, by default one
	// for each processor.
	Workers int
	// Dimensions are the ids to look at, by default all. Data files belong to
	// the world and are looked at in any case.
	Dimensions []string
	// Own says that it is the caller who has the world open for writing, and
	// nobody else.
	Own bool
	// Ignore leaves findings out of the report, and out of what a repair begins
	// with. A region file that is mended is mended as a whole.
	Ignore func(*Finding) bool
	// Progress is called with the size of every region file that was read.
	Progress func(bytes int64)

	pause time.Duration // between reading a file that changes
}

// folderRef is a folder of region files.
type folderRef struct {
	dim  string
	kind store.Kind
}

// check is one run.
type check struct {
	w          *anvil.World
	fs         vfs.FS
	opts       Options
	report     *Report
	rules      map[folderRef]rules
	inspectors inspectors
	// external are the regions that have external files, and stubs their slots
	// that may be stubs.
	external map[regionRef]bool
	stubs    map[regionRef]*[region.Slots / 64]uint64
	uuids    map[string]*uuids
}

// Check reads a whole world and reports what is wrong with it. It changes
// nothing and takes no lock; beside a running server it reports as Unstable
// what it could not read as it was written. It goes on after everything that
// cannot be read. The errors are those of ctx.
func Check(ctx context.Context, w *anvil.World, o Options) (*Report, error) {
	c := &check{
		w: w, fs: w.FS(), opts: o, report: &Report{Findings: []Finding{}},
		external: map[regionRef]bool{}, stubs: map[regionRef]*[region.Slots / 64]uint64{}, uuids: map[string]*uuids{},
	}
	c.setRules()
	if live, err := w.Live(); err == nil {
		c.report.Live = live && !o.Own && w.Lock() == nil
	}
	c.world()
	c.data()
	if err := c.regions(ctx); err != nil {
		return nil, fmt.Errorf("check %s: %w", w.Path(), err)
	}
	return c.report, nil
}

// setRules notes what chunks of each folder have to keep to.
func (c *check) setRules() {
	c.rules = map[folderRef]rules{}
	t := newTables()
	for _, d := range c.w.Dimensions() {
		r := rules{world: c.w.DataVersion(), tables: t}
		if h, err := c.w.Height(d.ID); err == nil {
			r.height, r.bounded = h, true
		}
		for _, k := range kinds {
			r.kind = k
			c.rules[folderRef{d.ID, k}] = r
		}
	}
}

var kinds = [...]store.Kind{store.Chunks, store.Entities, store.POI}

// dirOf is a dimension's folder of a kind.
func dirOf(d *anvil.Dimension, k store.Kind) string {
	switch k {
	case store.Entities:
		return d.Entities
	case store.POI:
		return d.POI
	}
	return d.Region
}

// regions checks all region files, then what takes more than one to see.
func (c *check) regions(ctx context.Context) error {
	list := scan.Files(c.w, c.opts.Dimensions...)
	for _, f := range list.Failed {
		c.find(Finding{Class: region.IOError, path: f.Path, Detail: f.Err.Error()})
	}
	folders := c.listFolders()
	err := scan.Run(ctx, list.Files, c.opts.Workers,
		func(ctx context.Context, _ *scan.Reader, f scan.File) (fileResult, error) { return c.file(ctx, f) },
		func(f scan.File, r fileResult, err error) error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			c.merge(f, r, err)
			if c.opts.Progress != nil {
				c.opts.Progress(f.Bytes)
			}
			return nil
		})
	if err != nil {
		return err
	}
	for i := range folders {
		c.names(&folders[i])
	}
	c.duplicates()
	c.withoutChunks(list.Files)
	return ctx.Err()
}

// merge puts what was found in one region file into the report.
func (c *check) merge(f scan.File, r fileResult, err error) {
	if r.gone {
		return
	}
	c.report.Files++
	at := Finding{path: f.Path, Dimension: f.Dimension, Kind: f.Kind.String(), kind: f.Kind}
	if err != nil {
		at.Class, at.Detail = region.IOError, err.Error()
		c.find(at)
		return
	}
	none := isNoRegion(r.report)
	if !none {
		c.report.Chunks += int64(r.report.Chunks)
	}
	var all []Finding
	add := func(class Class, pos *region.ChunkPos, detail string) {
		one := at
		one.Class, one.Severity, one.Detail, one.Count = class, severityOf(class), detail, 1
		if pos != nil {
			one.setChunk(*pos)
		}
		all = append(all, one)
	}
	for i := range r.report.Findings {
		rf := &r.report.Findings[i]
		switch {
		case none && (rf.Slot >= 0 || rf.Severity < region.SeverityWarning): // text taken for locations
		case rf.Slot < 0:
			add(rf.Class, nil, rf.Detail)
		default:
			add(rf.Class, &rf.Chunk, rf.Detail)
		}
	}
	for i := range r.notes {
		add(r.notes[i].class, &r.notes[i].pos, r.notes[i].detail)
	}
	for i := range r.unstable {
		add(Unstable, &r.unstable[i], "changed whenever it was read")
	}
	kept := map[Class]bool{}
	for _, one := range together(all) {
		if c.find(one) {
			kept[one.Class] = true
		}
	}
	ref := regionRef{dim: f.Dimension, kind: f.Kind, pos: f.Pos, lostHeader: kept[region.LostHeader]}
	if r.stubs != nil {
		c.stubs[regionRef{dim: f.Dimension, kind: f.Kind, pos: f.Pos}] = r.stubs
	}
	c.leads(ref, &r, kept)
	if f.Kind == store.Entities {
		c.entityIDs(f, r.ids)
	}
}

func isNoRegion(r *region.Report) bool {
	for i := range r.Findings {
		if r.Findings[i].Class == region.NotRegion {
			return true
		}
	}
	return false
}

// together makes one finding of those of severity info of one class; the rest
// is sorted by chunk.
func together(all []Finding) []Finding {
	first := map[Class]int{}
	var out []Finding
	for _, f := range all {
		if f.Severity > region.SeverityInfo {
			out = append(out, f)
			continue
		}
		if at, ok := first[f.Class]; ok {
			out[at].Count++
			out[at].X, out[at].Z = nil, nil
			continue
		}
		first[f.Class] = len(out)
		out = append(out, f)
	}
	for _, at := range first {
		if n := out[at].Count; n > 1 {
			out[at].Detail = fmt.Sprintf("%d times, such as: %s", n, out[at].Detail)
		}
	}
	return out
}

// find adds a finding and reports whether it counts.
func (c *check) find(f Finding) bool {
	f.Severity, f.Count = severityOf(f.Class), max(f.Count, 1)
	f.File = relative(c.w.Path(), f.path)
	if c.opts.Ignore != nil && c.opts.Ignore(&f) {
		c.report.Ignored += f.Count
		return false
	}
	c.report.Findings = append(c.report.Findings, f)
	return true
}
