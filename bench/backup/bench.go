package backup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"strata/bench"
	"strata/bench/corpus"
)

// Options are what is measured. History has to be given.
type Options struct {
	// History is an archive (.tar.zst) with folders save-1, save-2 and so on.
	History string
	// Dir is the folder on the disk to measure, the system's temporary one by
	// default. All that is made in it is removed.
	Dir string
	// Contenders are the names of those who take part, by default all.
	Contenders []string
	// Saves is how many are replayed, by default all.
	Saves int
	// Progress says what begins.
	Progress func(text string)
}

// Report is what was measured.
type Report struct {
	Environment bench.Environment `json:"environment"`
	History     string            `json:"history"`
	bench.Course
	Saves []Save `json:"saves"`
	Rows  []Row  `json:"rows"`
	// Missing are contenders that are not installed.
	Missing []string `json:"missing"`
}

// Save is what a save changed.
type Save struct {
	Name           string `json:"name"`
	Bytes          int64  `json:"bytes"`           // of all files
	ChangedFiles   int    `json:"changed_files"`   // that were replaced
	TouchedRegions int    `json:"touched_regions"` // of them, region files
	// ChangedRecords are those that the save before did not have in their slot,
	// PayloadBytes their length; DataBytes that of other files that changed.
	ChangedRecords int64 `json:"changed_records"`
	PayloadBytes   int64 `json:"payload_bytes"`
	DataBytes      int64 `json:"data_bytes"`
	// Budget is what a store of chunks may grow by: 1.5 times the bytes that
	// changed, 64 a record and 2,048 a region file.
	Budget int64 `json:"budget_bytes"`
}

// Row is what came out for a contender.
type Row struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Bytes   int64  `json:"bytes"` // of the store after the last save
	// CreateNS is the sum over the saves, CreateCPUNS the CPU time of it, the
	// programs' or this process's; 0 where that is not known.
	CreateNS    int64 `json:"create_ns"`
	CreateCPUNS int64 `json:"create_cpu_ns"`
	RepeatNS    int64 `json:"repeat_ns"` // median of the repeats
	RepeatBytes int64 `json:"repeat_bytes"`
	// RepeatSamples are the repeats, in their order.
	RepeatSamples []int64 `json:"repeat_samples_ns"`
	RestoreNS     int64   `json:"restore_ns"`
	// Equal says how the restored folder was compared: bytes or chunks.
	Equal string `json:"equal"`
	// Creates and Added are by save.
	Creates []int64 `json:"creates_ns"`
	Added   []int64 `json:"added_bytes"`
}

// repeats is how often the last save is backed up again.
const repeats = 5

var (
	// ErrHistory says that the archive holds no saves.
	ErrHistory = errors.New("no folders save-1, save-2 in the archive")
	// ErrDiffers says that something did not come back as it was.
	ErrDiffers = errors.New("what was restored differs")
)

// contender makes snapshots of a folder.
type contender interface {
	name() string
	// prepare makes a store in a folder that is absent. It returns a version.
	prepare(ctx context.Context, store string) (string, error)
	create(ctx context.Context, world string) error
	// restore brings the last snapshot back to a folder that is absent, and
	// returns where the world is in it.
	restore(ctx context.Context, to string) (string, error)
	// byChunk says that region files come back with the same chunks and not the
	// same bytes.
	byChunk() bool
	// outside is the CPU time that programs have used so far; 0 if there are none.
	outside() time.Duration
}

// Run measures. If ctx ends, the report has the saves that all contenders have
// backed up, if there is one, and what was finished of the repeats and restores;
// what was not is 0. The error wraps ErrHistory or ErrDiffers, those of package corpus,
// or is that of a contender.
func Run(ctx context.Context, o Options) (_ *Report, err error) {
	dir, err := os.MkdirTemp(o.Dir, ".strata-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, removeAll(dir)) }()
	r := &runner{o: o, dir: dir, rep: &Report{Environment: bench.ReadEnvironment(), History: filepath.Base(o.History), Missing: []string{}}}
	end := r.rep.Begin()
	ran := r.run(ctx)
	end()
	finished := r.collect()
	if err := r.rep.Interrupt(ctx, ran, finished); err != nil {
		return nil, err
	}
	var spreads []float64
	for _, row := range r.rep.Rows {
		if all := row.RepeatSamples; len(all) > 0 {
			spreads = append(spreads, bench.SpreadOf(time.Duration(row.RepeatNS), time.Duration(slices.Min(all)), time.Duration(slices.Max(all))))
		}
	}
	r.rep.Warn(r.rep.Environment, spreads)
	return r.rep, nil
}

func (r *runner) run(ctx context.Context) error {
	if err := r.unpack(); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{r.enter, r.replay, r.repeat, r.restore} {
		if err := step(ctx); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// collect makes the rows, of the saves that every contender has backed up, and
// returns how many saves those are. Without an interrupt that is all of them.
func (r *runner) collect() int {
	r.rep.Rows = []Row{}
	n := len(r.rep.Saves)
	for _, e := range r.entries {
		n = min(n, len(e.row.Creates))
	}
	if n == 0 || len(r.entries) == 0 {
		return 0
	}
	r.rep.Saves = r.rep.Saves[:n]
	for _, e := range r.entries {
		row := e.row
		for i, took := range row.Creates[n:] {
			row.CreateNS -= took
			row.Bytes -= row.Added[n+i]
			row.CreateCPUNS = 0 // not known for single saves
		}
		row.Creates, row.Added = row.Creates[:n], row.Added[:n]
		if all := slices.Sorted(slices.Values(row.RepeatSamples)); len(all) > 0 {
			row.RepeatNS = all[len(all)/2]
		}
		r.rep.Rows = append(r.rep.Rows, row)
	}
	return n
}

type runner struct {
	o       Options
	dir     string
	saves   []string // folders
	entries []*entered
	rep     *Report
}

// entered is a contender with its store and its row.
type entered struct {
	contender
	store string
	row   Row
}

func (r *runner) say(format string, args ...any) {
	if r.o.Progress != nil {
		r.o.Progress(fmt.Sprintf(format, args...))
	}
}

func (r *runner) world() string { return filepath.Join(r.dir, "live", "world") }

var saveName = regexp.MustCompile(`^save-([0-9]{1,6})$`)

// unpack unpacks the saves and finds them.
func (r *runner) unpack() error {
	r.say("unpack %s", r.rep.History)
	root := filepath.Join(r.dir, "history")
	if err := corpus.Unpack(r.o.History, root); err != nil {
		return err
	}
	numbers := map[string]int{}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		m := saveName.FindStringSubmatch(d.Name())
		if m == nil {
			return nil
		}
		n, err := strconv.Atoi(m[1])
		if err != nil {
			return err
		}
		r.saves = append(r.saves, path)
		numbers[path] = n
		return filepath.SkipDir
	})
	if err != nil {
		return err
	}
	slices.SortFunc(r.saves, func(a, b string) int { return numbers[a] - numbers[b] })
	if r.o.Saves > 0 && r.o.Saves < len(r.saves) {
		r.saves = r.saves[:r.o.Saves]
	}
	if len(r.saves) == 0 {
		return ErrHistory
	}
	return nil
}

// enter prepares the contenders.
func (r *runner) enter(ctx context.Context) error {
	for _, c := range contenders(r.dir) {
		if len(r.o.Contenders) > 0 && !slices.Contains(r.o.Contenders, c.name()) {
			continue
		}
		e := &entered{contender: c, store: filepath.Join(r.dir, "stores", c.name()), row: Row{Name: c.name()}}
		if err := os.MkdirAll(filepath.Dir(e.store), 0o755); err != nil {
			return err
		}
		var err error
		e.row.Version, err = c.prepare(ctx, e.store)
		if errors.Is(err, errMissing) {
			r.rep.Missing = append(r.rep.Missing, c.name())
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c.name(), err)
		}
		r.entries = append(r.entries, e)
	}
	return nil
}

// replay goes through the saves.
func (r *runner) replay(ctx context.Context) error {
	for i, save := range r.saves {
		s, err := replay(save, r.world())
		if err != nil {
			return fmt.Errorf("replay %s: %w", filepath.Base(save), err)
		}
		r.rep.Saves = append(r.rep.Saves, *s)
		for k := range r.entries {
			e := r.entries[(i+k)%len(r.entries)]
			r.say("%s: %s", s.Name, e.name())
			before, err := storeBytes(e.store, false)
			if err != nil {
				return err
			}
			cpu, outside := processTime(), e.outside()
			ns, err := timed(func() error { return e.create(ctx, r.world()) })
			if err != nil {
				return fmt.Errorf("%s, %s: %w", e.name(), s.Name, err)
			}
			cpu = processTime() - cpu
			if now := e.outside(); now > outside {
				cpu = now - outside
			}
			e.row.CreateCPUNS += cpu.Nanoseconds()
			after, err := storeBytes(e.store, false)
			if err != nil {
				return err
			}
			e.row.CreateNS += ns
			e.row.Creates = append(e.row.Creates, ns)
			e.row.Added = append(e.row.Added, after-before)
			e.row.Bytes = after
		}
	}
	return nil
}

func timed(f func() error) (int64, error) {
	start := time.Now()
	err := f()
	return time.Since(start).Nanoseconds(), err
}

// repeat backs the last save up again. Times are of all repeats, bytes of the
// first, which is the one that a file written just before makes read again.
func (r *runner) repeat(ctx context.Context) error {
	for i := range repeats {
		for k := range r.entries {
			e := r.entries[(i+k)%len(r.entries)]
			r.say("repeat %d: %s", i+1, e.name())
			before, err := storeBytes(e.store, true)
			if err != nil {
				return err
			}
			ns, err := timed(func() error { return e.create(ctx, r.world()) })
			if err != nil {
				return fmt.Errorf("%s, repeat: %w", e.name(), err)
			}
			after, err := storeBytes(e.store, true)
			if err != nil {
				return err
			}
			e.row.RepeatSamples = append(e.row.RepeatSamples, ns)
			if i == 0 {
				e.row.RepeatBytes = after - before
			}
		}
	}
	return nil
}

// restore restores and compares.
func (r *runner) restore(ctx context.Context) error {
	for _, e := range r.entries {
		r.say("restore: %s", e.name())
		to := filepath.Join(r.dir, "restored", e.name())
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		var world string
		ns, err := timed(func() (err error) {
			world, err = e.restore(ctx, to)
			return err
		})
		if err != nil {
			return fmt.Errorf("%s, restore: %w", e.name(), err)
		}
		e.row.RestoreNS = ns
		e.row.Equal = "bytes"
		if e.byChunk() {
			e.row.Equal = "chunks"
		}
		if err := compare(r.world(), world, e.byChunk()); err != nil {
			return fmt.Errorf("%s: %w", e.name(), err)
		}
		if err := removeAll(to); err != nil {
			return err
		}
	}
	return nil
}
