package pregen

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"strata/anvil/level"
	"strata/anvil/store"
	"strata/pregen/plan"
	"strata/pregen/spool"
	"strata/region"
	"strata/region/vfs"
)

// dimension is the part of a run that is in one of the world's dimensions.
type dimension struct {
	r      *runner
	target Target
	facts  Facts
	index  store.Dim
	raw    [3]*store.Raw // by store.Kind
	spools string        // folder
	plan   *plan.Plan
	// planned is the chunks of the area.
	planned int64
	// existed is the chunks that the world had before the run.
	existed map[region.Pos]plan.Mask

	factsMu sync.Mutex
	known   map[region.Pos]regionFacts // of factsOf

	originals *originals
	aside     *aside

	cursor sync.Mutex // guards next; taken before runner.mu
	next   func() (plan.Tile, bool)
	stop   func()

	mu   sync.Mutex // guards jobs
	jobs map[region.Pos]*job
}

// newDimension finds the dimension in the world.
func (r *runner) newDimension(t Target) (*dimension, error) {
	d := &dimension{
		r: r, target: t, facts: t.Generator.Facts(),
		known: make(map[region.Pos]regionFacts), jobs: make(map[region.Pos]*job),
	}
	namespace, name, ok := strings.Cut(t.Dimension, ":")
	if !ok || !level.ValidID(t.Dimension) {
		return nil, fmt.Errorf("dimension %q: %w", t.Dimension, ErrOptions)
	}
	d.spools = filepath.Join(r.folder, namespace, filepath.FromSlash(path.Clean(name)))
	found := false
	for i, w := range r.store.World().Dimensions {
		if w.Name == t.Dimension {
			d.index, found = store.Dim(i), true
		}
	}
	if !found {
		return nil, fmt.Errorf("dimension %s is not in the world: %w", t.Dimension, ErrOptions)
	}
	for _, k := range []store.Kind{store.Chunks, store.Entities, store.POI} {
		raw, err := r.store.Raw(d.index, k)
		if err != nil {
			return nil, err
		}
		d.raw[k] = raw
	}
	return d, nil
}

// folder is where the region files of a kind lie.
func (d *dimension) folder(k store.Kind) string {
	w := d.r.store.World().Dimensions[d.index]
	return [...]string{store.Chunks: w.Region, store.Entities: w.Entities, store.POI: w.POI}[k]
}

// find lists the chunks that the world has now, where they matter to the run.
func (d *dimension) find() (map[region.Pos]plan.Mask, error) {
	keep := func(region.Pos) bool { return true }
	if d.target.Area != nil {
		b := d.target.Area.Bounds()
		keep = func(p region.Pos) bool {
			return p.X >= b.MinX>>5-1 && p.X <= b.MaxX>>5+1 && p.Z >= b.MinZ>>5-1 && p.Z <= b.MaxZ>>5+1
		}
	}
	return stored(d.raw[store.Chunks], keep)
}

// prepare makes the plan.
func (d *dimension) prepare(file *runFile) error {
	var err error
	if d.existed, err = file.existed(d.target.Dimension); err != nil {
		return err
	}
	area := d.target.Area
	if area == nil {
		area = plan.NewExisting(d.existed)
	}
	d.planned = area.Chunks()
	d.originals = newOriginals(d)
	d.aside = newAside(d.r.fs, d.spools)
	d.plan, err = plan.New(area, plan.Options{
		Order: d.r.opts.Order, Centre: d.target.Centre, Side: d.facts.Tile, Rim: d.reach(),
	})
	return err
}

// reach is how far around the area chunks may change.
func (d *dimension) reach() int {
	if d.facts.Relights {
		return d.facts.Rim + 1
	}
	return d.facts.Rim
}

// has estimates how many chunks of the area are in the world or in spools,
// without looking at them.
func (d *dimension) has() (int64, error) {
	if d.target.Area == nil {
		return 0, nil // how many of them are at the wanted status is not known
	}
	now, err := d.find()
	if err != nil {
		return 0, err
	}
	n := int64(0)
	for p, m := range now {
		in := both(d.plan.Area().Mask(p), m)
		n += int64(in.Count())
	}
	entries, err := d.r.fs.ReadDir(d.spools)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	for _, e := range entries {
		if _, ok := spool.ParseName(e.Name()); !ok {
			continue
		}
		if info, err := d.r.fs.Stat(filepath.Join(d.spools, e.Name())); err == nil {
			n += info.Size / d.r.space.guess
		}
	}
	return n, nil
}

// begin makes the folder of the spools and the walk through the tiles.
func (d *dimension) begin() error {
	if err := vfs.MkdirAllSync(d.r.fs, d.spools, 0o755); err != nil {
		return err
	}
	d.next, d.stop = iter.Pull(d.plan.Tiles())
	return nil
}

// job returns the job of a region, and makes it if the region is new.
func (d *dimension) job(p region.Pos) *job {
	d.mu.Lock()
	defer d.mu.Unlock()
	j := d.jobs[p]
	if j == nil {
		j = &job{d: d, pos: p}
		d.jobs[p] = j
	}
	return j
}

// open lists the jobs that are begun and may have something to flush.
func (d *dimension) open() []*job {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := make([]*job, 0, len(d.jobs))
	for _, j := range d.jobs {
		j.mu.Lock()
		begun := j.begun
		j.mu.Unlock()
		if begun {
			all = append(all, j)
		}
	}
	return all
}

// forget drops a job that is over.
func (d *dimension) forget(j *job) {
	if !j.over() {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.jobs[j.pos] == j {
		delete(d.jobs, j.pos)
	}
}

// removeSpools removes all spools below a folder, and what was left over of
// writing them.
func removeSpools(fsys vfs.FS, folder string) error {
	entries, err := fsys.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	removed := false
	for _, e := range entries {
		name := filepath.Join(folder, e.Name())
		if e.IsDir() {
			if err := removeSpools(fsys, name); err != nil {
				return err
			}
			continue
		}
		_, ours := spool.ParseName(e.Name())
		if !ours && !strings.HasPrefix(e.Name(), vfs.TempPrefix) {
			continue
		}
		if err := fsys.Remove(name); err != nil {
			return err
		}
		removed = true
	}
	if removed {
		return fsys.SyncDir(folder)
	}
	return nil
}

// removeFolders removes what is empty of the run's folders, from below.
func removeFolders(fsys vfs.FS, folder string) {
	entries, err := fsys.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.IsDir() {
			removeFolders(fsys, filepath.Join(folder, e.Name()))
		}
	}
	fsys.Remove(folder) //nolint:errcheck // not empty, or in use: it may stay
}
