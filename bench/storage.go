package bench

import (
	"context"
	"errors"
	"fmt"
	"os"

	"strata/bench/corpus"
	"strata/region"
	"strata/region/vfs"
)

// DurableGoal is the ratio to the game's way of writing, two synchronous
// writes a chunk, below which a durable write in groups has to stay.
const DurableGoal = 0.08

// LoadGoal and SaveGoal are the ratios to go-mc below which load and save have
// to stay.
const (
	LoadGoal = 0.25
	SaveGoal = 0.37
)

// StorageOptions say what Storage measures. The zero value works.
type StorageOptions struct {
	// Dir is an existing folder on the file system to measure. Storage makes
	// a temporary folder in it. Default: the working directory, or the
	// system's temporary folder if nothing can be made there.
	Dir string
	// Corpus are the chunks that all ops but durable_write, durable_rewrite,
	// random_rewrite and read_under_flush work on; of more than Chunks every
	// n-th. Default: synthetic ones, made by SyntheticChunks.
	Corpus     []corpus.Chunk
	CorpusName string // of Corpus, for the report
	// Passes is how often each row is measured, 1 to MaxPasses, 0 means
	// DefaultPasses.
	Passes int
	// Chunks is how many chunks a pass has, 1..1024, default 1,000.
	Chunks int
	// Rewrites is how many chunks random_rewrite writes, in whole passes of
	// Chunks; default 50,000.
	Rewrites int
	// Reads is how many reads read_under_flush makes in all passes together,
	// default 1,000.
	Reads int
	// MaxGroup is region.Options.MaxGroup of the rows that write in groups.
	MaxGroup int
	// Peers load, scan and save beside us. Ratios are to the first.
	Peers []*Peers
	// Began, if set, is told the temporary folder before anything is measured.
	Began func(dir string)
	// Progress, if set, is called after each pass with the number of passes
	// done and to do. Both are called on the goroutine that called Storage.
	Progress func(done, total int)

	fs vfs.FS // of the region files; tests count its calls
}

// StorageReport is what Storage has measured.
type StorageReport struct {
	Environment Environment   `json:"environment"`
	FileSystem  string        `json:"file_system"` // type of the one measured, "" if not known
	Sample      StorageSample `json:"sample"`
	Peers       []*PeerInfo   `json:"peers,omitempty"`
	Course
	Rows []StorageRow `json:"rows"`
	// LeftOut are the ops that a chunk of the sample is not fit for, and why.
	LeftOut []string `json:"left_out,omitempty"`
	// Verified is how many chunks were read back after a pass and compared
	// with what was written, in files that region.Check found no fault in.
	Verified int `json:"verified"`
}

// StorageSample is what read, inflate, load, scan and the saves work on. Sizes
// are means a chunk.
type StorageSample struct {
	Source       string `json:"source"` // file name of the corpus, or "synthetic"
	Chunks       int    `json:"chunks"`
	RawBytes     int64  `json:"raw_bytes"`
	PayloadBytes int64  `json:"payload_bytes"` // with the 5-byte record header, mode sector
	SectorBytes  int64  `json:"sector_bytes"`
}

// RangeError says that an option of StorageOptions is out of range.
type RangeError struct {
	Option string // such as passes, chunks or max-group
	Value  int
	Max    int
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("%s %d is not 1 to %d", e.Option, e.Value, e.Max)
}

// Check returns the error, a RangeError mostly, that Storage would return for
// these options before it has done anything.
func (o StorageOptions) Check() error {
	_, err := o.withDefaults()
	return err
}

func (o StorageOptions) withDefaults() (StorageOptions, error) {
	for _, f := range []struct {
		name          string
		value         *int
		preset, limit int
	}{
		{"passes", &o.Passes, DefaultPasses, MaxPasses},
		{"chunks", &o.Chunks, 1000, region.Slots},
		{"rewrites", &o.Rewrites, 50_000, 10_000_000},
		{"reads", &o.Reads, 1000, 1_000_000},
	} {
		if *f.value == 0 {
			*f.value = f.preset
		}
		if *f.value < 1 || *f.value > f.limit {
			return o, &RangeError{Option: f.name, Value: *f.value, Max: f.limit}
		}
	}
	if o.MaxGroup < 0 || o.MaxGroup > region.Slots {
		return o, &RangeError{Option: "max-group", Value: o.MaxGroup, Max: region.Slots}
	}
	if o.CorpusName != "" && len(o.Corpus) == 0 {
		return o, errors.New("the corpus has no chunks")
	}
	if o.fs == nil {
		o.fs = vfs.OS()
	}
	return o, nil
}

// Storage measures reading and writing chunks in region files:
//
//   - durable_write, durable_rewrite: chunks of two sectors made durable in
//     groups (strata), each on its own (strata-each), and as the game does it
//     (osync); durable_write also into a file that is seen when it is whole
//     (strata-create);
//   - open: a region file opened and closed again, for reading (strata) and for
//     writing (strata-write), beside its header read without a look at it (pread);
//   - read, inflate: records read, and read and inflated, from a file in the
//     page cache, beside a bare read of the same bytes (pread) and the inflate
//     of the standard library (stdlib);
//   - load: each chunk read, inflated and decoded into a new chunk of
//     anvil/chunk, with all else kept from chunk to chunk;
//   - scan: a file opened, and every chunk of it read, inflated and indexed by a
//     tape, as a scan of a world does, from the page cache;
//   - save: decoded chunks encoded, compressed in mode sector, and written with
//     region.Create to a new file that gets its name, but without a flush;
//   - durable_save: documents of chunks compressed in mode sector and made
//     durable in groups;
//   - random_rewrite: what rewriting in random order costs in time and space,
//     wave by wave, and what compacting does to it; the same with the blocks of
//     freed sectors given back to the file system at once (strata-punch);
//   - read_under_flush: single reads while a writer waits for the disk.
//
// A peer's rows stand beside open, load, scan and save, of the very same file. Its
// load and scan decode each chunk into a struct, with all it can keep from chunk
// to chunk kept (go-mc) or, in scan, as its own API does it (go-mc-fresh); its
// save starts from chunks decoded to generic values, for want of an encoder of
// that struct, compresses with level 6 and does not wait for the disk. In load
// both end with a decoded chunk, in scan with one whose tags can be asked for,
// in save with a file of the same chunks, whose size stands beside the time.
//
// A row of save has the CPU time of the whole process, with that of the garbage
// collector, which has much to do in the peer's; or the time of the wall clock
// where a side does not know the former.
//
// Before load and save are measured each chunk is loaded and encoded again, and
// a judge of this package compares what the two documents say. A sample with a
// chunk that the model does not read has neither: see StorageReport.LeftOut.
//
// Contenders of one op take turns pass by pass, and each is first equally
// often; slow ops of a peer make fewer passes. What is written is read back and
// compared, outside of what is measured. What a peer refuses to do is left out
// and noted in the report.
//
// If ctx ends, the report has what is finished. The error is a RangeError for
// options out of range, ctx's if it ends before a pass is finished, that of the
// disk or of a file that did not read back, or says how the peer was lost.
// Storage waits for the disk, for the peer, and for a goroutine or two of its
// own; the temporary folder is removed before it returns, also when ctx ends.
func Storage(ctx context.Context, opts StorageOptions) (report *StorageReport, err error) {
	opts, err = opts.withDefaults()
	if err != nil {
		return nil, err
	}
	dir, err := makeStorageDir(opts.Dir)
	if err != nil {
		return nil, err
	}
	defer func() {
		if gone := os.RemoveAll(dir); err == nil && gone != nil {
			report, err = nil, gone
		}
	}()
	r := &storageRun{
		StorageOptions: opts, dir: dir,
		report: &StorageReport{Environment: ReadEnvironment(), FileSystem: fileSystemOf(dir), Rows: []StorageRow{}},
	}
	end := r.report.Begin()
	err = peerError(ctx, r.run(ctx), opts.Peers...)
	end()
	if err != nil && ctx.Err() != nil {
		r.addUnfinished()
	}
	if err := r.report.Interrupt(ctx, err, len(r.report.Rows)); err != nil {
		return nil, err
	}
	r.report.Warn(r.report.Environment, r.spreads())
	return r.report, nil
}

// makeStorageDir makes the run's temporary folder.
func makeStorageDir(parent string) (string, error) {
	const pattern = ".strata-bench-*"
	if parent != "" {
		return os.MkdirTemp(parent, pattern)
	}
	if dir, err := os.MkdirTemp(".", pattern); err == nil {
		return dir, nil
	}
	return os.MkdirTemp(os.TempDir(), pattern)
}

// storageRun is one call of Storage.
type storageRun struct {
	StorageOptions
	dir    string
	report *StorageReport
	sample *sample
	model  *model        // nil if the sample is none for it
	beside []*besidePeer // those that have the sample

	unfinished []unfinished // of the op at hand

	done, total int // passes, for Progress
}

func (r *storageRun) run(ctx context.Context) error {
	if r.Began != nil {
		r.Began(r.dir)
	}
	waves := max(1, r.Rewrites/r.Chunks)
	for _, prepare := range []func(context.Context) error{r.makeSample, r.checkModel, r.loadPeers} {
		if err := prepare(ctx); err != nil {
			return err
		}
	}
	load, save := r.load, r.save
	r.total = (len(durableContenders)+7)*r.Passes + waves
	if r.model == nil {
		load, save = skipped, skipped
		r.total -= 2 * r.Passes
	}
	for _, op := range []func(context.Context) error{
		r.durable, r.open, r.read, load, r.scan, save, r.durableSave,
		func(ctx context.Context) error { return r.randomRewrite(ctx, waves) },
		r.readUnderFlush,
	} {
		if err := op(ctx); err != nil {
			return err
		}
	}
	return nil
}

// skipped is an op that is left out.
func skipped(context.Context) error { return nil }

func (r *storageRun) step() {
	r.done++
	if r.Progress != nil {
		r.Progress(r.done, r.total)
	}
}

// unfinished are series that are not in the report yet, and what they are
// compared with.
type unfinished struct {
	series    []*series
	reference string
}

// begin says what is being measured, so that an interrupt does not lose the
// passes that are finished by then.
func (r *storageRun) begin(reference string, all ...*series) {
	r.unfinished = append(r.unfinished, unfinished{all, reference})
}

// add adds the rows of finished series, compared with the reference if there
// is one.
func (r *storageRun) add(reference string, all ...*series) {
	r.unfinished = []unfinished{{all, reference}}
	r.addUnfinished()
}

// addUnfinished adds the rows of what was being measured, as far as it was.
func (r *storageRun) addUnfinished() {
	for _, u := range r.unfinished {
		var rows []StorageRow
		for _, s := range u.series {
			if len(s.passes) > 0 {
				rows = append(rows, s.finish())
			}
		}
		compareTo(rows, u.reference)
		r.report.Rows = append(r.report.Rows, rows...)
	}
	r.unfinished = nil
}

func (r *storageRun) spreads() (spreads []float64) {
	for i := range r.report.Rows {
		row := &r.report.Rows[i]
		spreads = append(spreads, SpreadOf(row.NS, row.MinNS, row.MaxNS))
	}
	return spreads
}

// setGoal sets the goal of our row of an op, if it is compared with anything.
func (r *storageRun) setGoal(op string, goal float64) {
	for i := range r.report.Rows {
		if row := &r.report.Rows[i]; row.Op == op && row.Name == "strata" && row.Reference != "" {
			row.Goal = goal
		}
	}
}
