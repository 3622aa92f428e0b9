package bench

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"time"

	"strata/region"
	"strata/region/codec"
)

// randomRewrite measures rewrites with records of random sizes, and what they
// and a compaction leave of the file. Each wave is all slots once, in a new
// random order, submitted at once: groups are then as full as they can be and
// hold back the most freed sectors.
func (r *storageRun) randomRewrite(ctx context.Context, waves int) error {
	streams := newRandomStreams(3)
	path := filepath.Join(r.dir, region.Pos{}.Name())
	w, err := openStrata(path, region.Options{FS: r.fs, MaxGroup: r.MaxGroup})
	if err != nil {
		return err
	}
	last := make([]region.Record, r.Chunks)
	for i := range last {
		last[i] = streams.next()
	}
	s := newSeries("strata", "random_rewrite", clockWall, r.Chunks, 0)
	if err = w.writeAll(ctx, last, make([]time.Duration, len(last))); err == nil {
		err = r.rewriteWaves(ctx, s, w, streams, last, waves)
	}
	if err == nil {
		s.row.Space, err = spaceOf(w.File, waves*r.Chunks)
	}
	if cerr := w.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = r.verify(path, last)
	}
	if err == nil {
		err = r.settle(path)
	}
	if err != nil {
		return err
	}
	r.add("", s)
	return nil
}

// rewriteWaves leaves in last what each slot was written with at last.
func (r *storageRun) rewriteWaves(ctx context.Context, s *series, w strataFile, streams *randomStreams, last []region.Record, waves int) error {
	records := make([]region.Record, r.Chunks)
	commits := make([]*region.Commit, r.Chunks)
	before, bytes := w.flushes(), int64(0)
	for range waves {
		slots := streams.random.Perm(r.Chunks)
		for i := range records {
			records[i] = streams.next()
			last[slots[i]] = records[i]
			bytes += int64(len(records[i].Data))
		}
		waits := make([]time.Duration, r.Chunks)
		start := time.Now()
		for i := range records {
			commits[i] = w.submit(region.Slot(slots[i]), records[i])
		}
		for i, c := range commits {
			if err := c.Wait(ctx); err != nil {
				return err
			}
			waits[i] = time.Since(start)
		}
		s.pass(time.Since(start), waits)
		r.step()
	}
	s.row.Bytes, s.row.Flushes = bytes/int64(waves), (w.flushes()-before)/int64(waves)
	return nil
}

func spaceOf(f *region.File, rewrites int) (*StorageSpace, error) {
	space := &StorageSpace{Rewrites: rewrites}
	space.FileBytes, space.LiveBytes = f.Size()
	space.FilePerLive = float64(space.FileBytes) / float64(space.LiveBytes)
	start := time.Now()
	if err := f.Compact(); err != nil {
		return nil, err
	}
	space.CompactNS = time.Since(start)
	size, live := f.Size()
	space.CompactedBytes, space.CompactedPerLive = size, float64(size)/float64(live)
	return space, nil
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
