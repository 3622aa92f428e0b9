package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"strata/region"
	"strata/region/codec"
)

// durableStream is the size of a stream whose record fills two sectors.
const durableStream = 2*region.SectorBytes - region.RecordHeaderBytes

// durableWriter makes chunks durable. Record i goes to slot i.
type durableWriter interface {
	// writeAll returns when every record is durable, and sets waits[i] to how
	// long that took for record i, all of them counted from the call.
	writeAll(ctx context.Context, records []region.Record, waits []time.Duration) error
	flushes() int64 // since it was opened
	Close() error
}

// durableContenders are measured in this order, rotated from pass to pass.
var durableContenders = []struct {
	name string
	open func(r *storageRun, path string) (durableWriter, error)
	// once: the file cannot be written to again.
	once bool
}{
	{name: "strata", open: func(r *storageRun, path string) (durableWriter, error) {
		return openStrata(path, region.Options{FS: r.fs, MaxGroup: r.MaxGroup})
	}},
	{name: "osync", open: func(_ *storageRun, path string) (durableWriter, error) { return openOsync(path) }},
	{name: "strata-each", open: func(r *storageRun, path string) (durableWriter, error) {
		return openStrata(path, region.Options{FS: r.fs, Sync: region.SyncEach})
	}},
	{name: "strata-create", open: func(r *storageRun, path string) (durableWriter, error) { return createStrata(path, r.fs) }, once: true},
}

// durable measures durable_write, into a fresh file, and durable_rewrite, all
// slots of that file once more: a fresh file grows with nearly every flush.
func (r *storageRun) durable(ctx context.Context) error {
	first, second := durableRecords(r.Chunks, 1), durableRecords(r.Chunks, 2)
	var write, rewrite []*series
	for _, c := range durableContenders {
		bytes := int64(r.Chunks) * durableStream
		write = append(write, newSeries(c.name, "durable_write", clockWall, r.Chunks, bytes))
		rewrite = append(rewrite, newSeries(c.name, "durable_rewrite", clockWall, r.Chunks, bytes))
	}
	r.begin("osync", append(write, rewrite...)...)
	path := filepath.Join(r.dir, region.Pos{}.Name())
	for pass := range r.Passes {
		for turn := range durableContenders {
			i := (pass + turn) % len(durableContenders)
			w, err := durableContenders[i].open(r, path)
			if err != nil {
				return err
			}
			passes, last := []durablePass{{write[i], first}, {rewrite[i], second}}, second
			if durableContenders[i].once {
				passes, last = passes[:1], first
			}
			err = writePasses(ctx, w, passes)
			if cerr := w.Close(); err == nil {
				err = cerr
			}
			if err == nil {
				err = r.verify(path, last)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", durableContenders[i].name, err)
			}
			if err := r.settle(path); err != nil {
				return err
			}
			r.step()
		}
	}
	r.add("osync", append(write, rewrite...)...)
	r.setGoal("durable_write", DurableGoal)
	return nil
}

// durablePass is one timed writing of records.
type durablePass struct {
	series  *series
	records []region.Record
}

func writePasses(ctx context.Context, w durableWriter, passes []durablePass) error {
	for _, p := range passes {
		waits, before := make([]time.Duration, len(p.records)), w.flushes()
		start := time.Now()
		if err := w.writeAll(ctx, p.records, waits); err != nil {
			return err
		}
		p.series.pass(time.Since(start), waits)
		p.series.row.Flushes = w.flushes() - before
	}
	return nil
}

// durableRecords are records of random bytes, which no layer below can
// compress away.
func durableRecords(n int, seed uint64) []region.Record {
	random := rand.NewChaCha8([32]byte{byte(seed)})
	records := make([]region.Record, n)
	for i := range records {
		records[i] = region.Record{Scheme: codec.None, Data: make([]byte, durableStream)}
		random.Read(records[i].Data) //nolint:errcheck // never fails
	}
	return records
}

// strataFile writes through region.File.
type strataFile struct{ *region.File }

func openStrata(path string, opts region.Options) (strataFile, error) {
	file, err := region.Open(path, opts)
	return strataFile{file}, err
}

func (w strataFile) writeAll(ctx context.Context, records []region.Record, waits []time.Duration) error {
	start := time.Now()
	commits := make([]*region.Commit, len(records))
	for i := range records {
		commits[i] = w.submit(region.Slot(i), records[i])
	}
	// They become durable in the order in which they were submitted.
	for i, c := range commits {
		if err := c.Wait(ctx); err != nil {
			return err
		}
		waits[i] = time.Since(start)
	}
	return nil
}

func (w strataFile) submit(s region.Slot, rec region.Record) *region.Commit {
	return w.Submit(region.Write{Slot: s, Scheme: rec.Scheme, Data: rec.Data})
}

func (w strataFile) flushes() int64 { return w.Metrics().Flushes }

func (w *osyncFile) writeAll(ctx context.Context, records []region.Record, waits []time.Duration) error {
	start := time.Now()
	for i := range records {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := w.put(region.Slot(i), records[i]); err != nil {
			return err
		}
		waits[i] = time.Since(start)
	}
	return nil
}

// settle removes a pass's file and makes that durable, so that the next flush
// does not pay for it.
func (r *storageRun) settle(path string) error {
	if err := os.Remove(path); err != nil {
		return err
	}
	return r.fs.SyncDir(r.dir)
}
