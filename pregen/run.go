package pregen

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/region/vfs"
)

// runner is a run in this process.
type runner struct {
	store  *store.Store
	fs     vfs.FS
	opts   Options
	folder string // strata/pregen of the world
	file   *runFile
	tables *chunk.Tables

	pace  *pace
	gate  *memoryGate
	saver *saver
	space *space

	dims []*dimension

	mu     sync.Mutex // guards what follows
	report Report
	now    string // the dimension that is worked on
	began  time.Time
	cpu    time.Duration
	halt   error // why the run stops: the first reason
	stop   context.CancelFunc
	// begin is how many chunks there seemed to be work for at the beginning.
	begin int64
}

// Run makes the chunks of the targets in the world that the store has open for
// writing, or goes on with a run that was interrupted. It returns when all is
// done, when ctx ends, or when something is wrong; everything that was finished
// is durable then, and the report is valid whatever the error.
//
// When ctx ends the workers finish the chunks that they are at, and the error
// wraps ctx's. It wraps vfs.ErrNoSpace when the disk is too small: the run
// stops before it is full. Chunks that could not be made are no error, see
// Report.Failed. Errors of the first group in errors.go leave the world
// unchanged.
//
// One run at a time may be made in a world; there are at most Options.Workers
// workers, three other goroutines, and while a region is looked at as many
// again.
func Run(ctx context.Context, st *store.Store, o Options) (*Report, error) {
	opts, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	w := st.World()
	fsys := w.FS
	if fsys == nil {
		fsys = vfs.OS()
	}
	r := &runner{
		store: st, fs: fsys, opts: opts,
		folder: filepath.Join(w.Roots[0].Dir, filepath.FromSlash(runFolder)),
		tables: opts.Tables,
		gate:   &memoryGate{limit: opts.MemoryLimit, used: memoryUsed},
		space:  &space{fs: fsys, path: w.Roots[0].Dir, guess: firstGuess(opts.Until)},
		began:  time.Now(), cpu: cpuTime(),
	}
	r.pace = newPace(opts.Rate, opts.MaxLoad, cpuTime)
	r.saver = newSaver(r)
	defer opts.limitMemory()()
	err = r.run(ctx)
	p := r.progress()
	opts.Progress(p)
	return &p.Report, err
}

func (r *runner) run(ctx context.Context) error {
	if err := r.prepare(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r.stop = cancel
	for _, d := range r.dims {
		if err := r.dimension(ctx, d); err != nil {
			return err
		}
	}
	return r.end()
}

// prepare finds the dimensions, and what an interrupted run has left.
func (r *runner) prepare() error {
	for _, t := range r.opts.Targets {
		d, err := r.newDimension(t)
		if err != nil {
			return err
		}
		r.dims = append(r.dims, d)
	}
	fresh, err := r.findRun()
	if err != nil {
		return err
	}
	for _, d := range r.dims {
		if err := d.prepare(r.file); err != nil {
			return err
		}
		r.report.Planned += d.planned
		has, err := d.has()
		if err != nil {
			return err
		}
		r.begin += max(d.planned-has, 0)
	}
	if err := r.space.begin(r.begin, r.opts.Confirm); err != nil {
		if fresh {
			// Refused: another run may be asked for next.
			err = errors.Join(err, dropRequest(r.fs, r.folder))
		}
		return err
	}
	kind := RunResumed
	if fresh {
		kind = RunBegun
		// What is left of a run that was given up is of no use.
		if err := removeSpools(r.fs, r.folder); err != nil {
			return err
		}
	}
	if err := r.file.write(r.fs, r.folder); err != nil {
		return err
	}
	if err := dropRequest(r.fs, r.folder); err != nil {
		return err
	}
	r.opts.Events(Event{Kind: kind})
	for _, d := range r.dims {
		r.opts.Begin(d.target.Dimension, d.plan.Area())
	}
	return nil
}

// findRun reads the run file, or makes one, which is fresh.
func (r *runner) findRun() (fresh bool, err error) {
	file, err := readRunFile(r.fs, r.folder)
	if err != nil && !(r.opts.Restart && errors.Is(err, ErrRunFile)) {
		return false, err
	}
	settings := settingsOf(&r.opts, r.store.Version())
	if file != nil && !r.opts.Restart {
		differences := file.compare(settings)
		if len(differences) == 0 {
			file.adopt(settings)
			file.Finished = false
			if r.opts.Request != nil {
				file.Request = r.opts.Request
			}
			r.file = file
			return false, nil
		}
		if !file.Finished {
			return false, &MismatchError{differences}
		}
	}
	r.file = newRunFile(settings)
	r.file.Request = r.opts.Request
	for _, d := range r.dims {
		masks, err := d.find()
		if err != nil {
			return false, err
		}
		r.file.record(d.target.Dimension, masks)
	}
	return true, nil
}

// dimension makes the chunks of one dimension.
func (r *runner) dimension(ctx context.Context, d *dimension) error {
	r.mu.Lock()
	r.now = d.target.Dimension
	r.mu.Unlock()
	if err := d.begin(); err != nil {
		return err
	}
	defer d.stop()
	r.saver.start(d)
	var workers errgroup.Group
	for range r.opts.Workers {
		workers.Go(func() error { return r.work(ctx, d) })
	}
	err := workers.Wait()
	// What was finished is made durable, however the workers ended.
	if serr := r.saver.finish(); serr != nil {
		err = r.reason(serr)
	} else if err != nil {
		err = r.reason(err)
	}
	if cerr := d.aside.close(); err == nil {
		err = cerr
	}
	return err
}

// reason is why the run stops: the first error, not what followed from it.
func (r *runner) reason(err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.halt != nil {
		return r.halt
	}
	return err
}

// fail stops the run.
func (r *runner) fail(err error) {
	r.mu.Lock()
	if r.halt == nil {
		r.halt = err
	}
	r.mu.Unlock()
	r.stop()
}

// end removes what the run has beside the world, or notes that it is done but
// for what failed.
func (r *runner) end() error {
	r.mu.Lock()
	failed := r.report.Failed
	r.mu.Unlock()
	if failed > 0 {
		r.file.Finished = true
		return r.file.write(r.fs, r.folder)
	}
	if err := removeSpools(r.fs, r.folder); err != nil {
		return err
	}
	if err := r.fs.Remove(filepath.Join(r.folder, runName)); err != nil {
		return err
	}
	if err := r.fs.SyncDir(r.folder); err != nil {
		return err
	}
	removeFolders(r.fs, r.folder)
	return nil
}
