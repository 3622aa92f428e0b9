package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"time"

	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// rewriter is a contender of random_rewrite with its file, and what each slot was
// written with at last.
type rewriter struct {
	strataFile
	name    string
	path    string
	streams *randomStreams // the same for all
	last    []region.Record
	series  *series
	curve   []SpacePoint
	bytes   int64
}

// rewriters are measured in this order, rotated from wave to wave.
var rewriters = []struct {
	name  string
	punch bool
}{{"strata", false}, {"strata-punch", true}}

// randomRewrite measures rewrites with records of random sizes, and what they
// and a compaction leave of the file. Each wave is all slots once, in a new
// random order, submitted at once: groups are then as full as they can be and
// hold back the most freed sectors.
func (r *storageRun) randomRewrite(ctx context.Context, waves int) (err error) {
	var all []*rewriter
	defer func() {
		for _, w := range all { // of which nothing is left but after an error
			err = errors.Join(err, w.Close())
		}
	}()
	for i, c := range rewriters {
		w, err := r.openRewriter(ctx, i, c.name, c.punch)
		if w != nil {
			all = append(all, w)
		}
		if err != nil {
			return err
		}
		r.begin("", w.series)
	}
	for wave := range waves {
		for turn := range all {
			w := all[(wave+turn)%len(all)]
			if err = w.wave(ctx, r); err != nil {
				break
			}
		}
		if err != nil {
			break
		}
		r.step()
		if err = ctx.Err(); err != nil {
			break
		}
	}
	if err != nil && ctx.Err() == nil {
		return err
	}
	// An interrupt leaves whole files too, and their waves are as good.
	for len(all) > 0 {
		w := all[0]
		all = all[1:]
		if ferr := w.finish(r); ferr != nil {
			return ferr
		}
	}
	if err == nil {
		r.addUnfinished()
	}
	return err
}

// openRewriter makes the file of a contender, with every slot written once.
func (r *storageRun) openRewriter(ctx context.Context, i int, name string, punch bool) (*rewriter, error) {
	path := filepath.Join(r.dir, region.Pos{X: int32(10 + i)}.Name())
	file, err := openStrata(path, region.Options{FS: r.fs, MaxGroup: r.MaxGroup, PunchHoles: punch})
	if err != nil {
		return nil, err
	}
	w := &rewriter{
		strataFile: file, name: name, path: path, streams: newRandomStreams(3),
		last: make([]region.Record, r.Chunks), series: newSeries(name, "random_rewrite", clockWall, r.Chunks, 0),
	}
	for i := range w.last {
		w.last[i] = w.streams.next()
	}
	if err := w.writeAll(ctx, w.last, make([]time.Duration, len(w.last))); err != nil {
		return w, err
	}
	return w, w.note(r.fs)
}

// wave rewrites all slots in a random order.
func (w *rewriter) wave(ctx context.Context, r *storageRun) error {
	n := len(w.last)
	records, commits, waits := make([]region.Record, n), make([]*region.Commit, n), make([]time.Duration, n)
	slots, bytes := w.streams.random.Perm(n), int64(0)
	for i := range records {
		records[i] = w.streams.next()
		w.last[slots[i]] = records[i]
		bytes += int64(len(records[i].Data))
	}
	before, start := w.flushes(), time.Now()
	for i := range records {
		commits[i] = w.submit(region.Slot(slots[i]), records[i])
	}
	for i, c := range commits {
		if err := c.Wait(ctx); err != nil {
			return err
		}
		waits[i] = time.Since(start)
	}
	w.series.pass(time.Since(start), waits)
	w.bytes += bytes
	w.series.row.Bytes = w.bytes / int64(len(w.series.passes))
	w.series.row.Flushes = w.flushes() - before
	return w.note(r.fs)
}

// note adds a point to the curve.
func (w *rewriter) note(disk vfs.FS) error {
	p := SpacePoint{Rewrites: len(w.series.passes) * len(w.last)}
	p.FileBytes, p.LiveBytes = w.Size()
	info, err := disk.Stat(w.path)
	p.AllocatedBytes = info.Allocated
	w.curve = append(w.curve, p)
	return err
}

// finish compacts and closes the file, and reads it back.
func (w *rewriter) finish(r *storageRun) error {
	var err error
	if len(w.series.passes) > 0 {
		w.series.row.Space, err = w.space(r.fs)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return fmt.Errorf("random_rewrite: %s: %w", w.name, err)
	}
	if err := r.verify(w.path, w.last); err != nil {
		return fmt.Errorf("random_rewrite: %s: %w", w.name, err)
	}
	return r.settle(w.path)
}

// space compacts the file and says what that did. The map is that of the first
// contender: a hole is no sector less.
func (w *rewriter) space(disk vfs.FS) (*StorageSpace, error) {
	end := w.curve[len(w.curve)-1]
	space := &StorageSpace{
		Rewrites: end.Rewrites, Curve: w.curve, AllocatedBytes: end.AllocatedBytes,
		FileBytes: end.FileBytes, LiveBytes: end.LiveBytes, FilePerLive: float64(end.FileBytes) / float64(end.LiveBytes),
	}
	now, _ := w.Size()
	before := newSectorMap(w.Header(), now)
	start := time.Now()
	if err := w.Compact(); err != nil {
		return nil, err
	}
	space.CompactNS = time.Since(start)
	size, live := w.Size()
	space.CompactedBytes, space.CompactedPerLive = size, float64(size)/float64(live)
	if w.name == "strata" {
		space.Map = &RegionMap{Name: filepath.Base(w.path), Before: before, After: newSectorMap(w.Header(), size)}
	}
	info, err := disk.Stat(w.path)
	space.CompactedAllocatedBytes = info.Allocated
	return space, err
}

// randomStreams makes records of random sizes out of one block of random
// bytes, so that making them costs nothing: 1 KiB and an exponential share of
// 6 KiB on average, much as chunks are spread, 96 KiB at most.
type randomStreams struct {
	random *rand.Rand
	block  []byte
}

const maxRandomStream = 96 << 10

func newRandomStreams(seed uint64) *randomStreams {
	source := rand.NewChaCha8([32]byte{byte(seed)})
	block := make([]byte, 1<<20)
	source.Read(block) //nolint:errcheck // never fails
	return &randomStreams{rand.New(source), block}
}

func (s *randomStreams) next() region.Record {
	n := min(1<<10+int(math.Round(s.random.ExpFloat64()*(6<<10))), maxRandomStream)
	at := s.random.IntN(len(s.block) - n)
	return region.Record{Scheme: codec.None, Data: s.block[at : at+n]}
}
