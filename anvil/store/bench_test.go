package store

import (
	"fmt"
	"io/fs"
	"testing"
	"time"

	"strata/anvil/chunk"
	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/region"
	"strata/region/vfs"
)

// corpusWorld is a world on the disk with the chunks of the corpus, and where
// they are.
func corpusWorld(tb testing.TB) (World, []region.ChunkPos) {
	tb.Helper()
	chunks, err := corpus.Load(testbed.Shared(tb, "worlds", "chunks-998.bin.zst"))
	if err != nil {
		tb.Fatal(err)
	}
	w := makeWorld(tb, vfs.OS(), tb.TempDir())
	s := openStore(tb, w, Options{})
	defer closeStore(tb, s)
	d := chunk.NewDecoder(s.Tables())
	var places []region.ChunkPos
	for i, data := range chunks {
		c, err := d.Decode(data.NBT)
		if err != nil {
			tb.Fatal(err)
		}
		if s.checkVersion(c.DataVersion()) != nil {
			continue
		}
		pos := region.ChunkPos{X: int32(i) % 64, Z: int32(i) / 64}
		c.SetPos(pos)
		if err := s.Put(ctx, 0, c); err != nil {
			tb.Fatal(err)
		}
		places = append(places, pos)
	}
	return w, places
}

// BenchmarkLoad reads, inflates and decodes one chunk of the corpus after the
// other, with nothing in memory.
func BenchmarkLoad(b *testing.B) {
	w, places := corpusWorld(b)
	s := openStore(b, w, Options{})
	defer closeStore(b, s)
	b.ReportAllocs()
	worker := s.workers.get()
	n, bytes := 0, int64(0)
	clock := startClock()
	for b.Loop() {
		c, err := s.read(worker, Ref{0, Chunks, places[n%len(places)]})
		if err != nil || c.value == nil {
			b.Fatal(err)
		}
		n++
		bytes += c.bytes
	}
	b.ReportMetric(float64(clock.stop())/float64(n), "cpu-ns/op")
	b.SetBytes(bytes / int64(n))
}

// BenchmarkEncode encodes and compresses one chunk of the corpus after the
// other in the default mode.
func BenchmarkEncode(b *testing.B) {
	w, places := corpusWorld(b)
	s := openStore(b, w, Options{})
	defer closeStore(b, s)
	var values []content
	worker := s.workers.get()
	for _, pos := range places {
		c, err := s.read(worker, Ref{0, Chunks, pos})
		if err != nil {
			b.Fatal(err)
		}
		values = append(values, c.value)
	}
	e := s.encoders.get()
	b.ReportAllocs()
	n, bytes := 0, 0
	clock := startClock()
	for b.Loop() {
		sv := &save{o: &object{}, value: values[n%len(values)]}
		s.encode(e, sv)
		if sv.err != nil {
			b.Fatal(sv.err)
		}
		n++
		bytes += len(sv.payload)
	}
	b.ReportMetric(float64(clock.stop())/float64(n), "cpu-ns/op")
	b.ReportMetric(float64(bytes)/float64(n), "B/chunk")
}

// BenchmarkSave changes and saves groups of chunks, flushed and as one epoch
// each. Times are of the whole way, by chunk.
func BenchmarkSave(b *testing.B) {
	for _, group := range []int{1, 16, 64, 256} {
		for _, sync := range []string{"synced", "unsynced"} {
			b.Run(fmt.Sprintf("group=%d/%s", group, sync), func(b *testing.B) { benchmarkSave(b, group, sync == "synced") })
		}
	}
}

func benchmarkSave(b *testing.B, group int, synced bool) {
	w, places := corpusWorld(b)
	if !synced {
		w.FS = unsynced{vfs.OS()}
	}
	s := openStore(b, w, Options{})
	defer closeStore(b, s)
	holds := make([]*Hold, group)
	for i := range holds {
		h, err := s.Load(ctx, 0, places[i], Normal)
		if err != nil {
			b.Fatal(err)
		}
		defer h.Release()
		holds[i] = h
	}
	n := 0
	before := processTime()
	for b.Loop() {
		n++
		for _, h := range holds {
			if err := h.Update(Structural, updateNumber(int32(n))); err != nil {
				b.Fatal(err)
			}
		}
		if err := s.Barrier(ctx); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(processTime()-before)/float64(n*group), "cpu-ns/chunk")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n*group), "ns/chunk")
}

// unsynced is a file system that flushes nothing: what a save costs but for
// the disk.
type unsynced struct{ vfs.FS }

type unsyncedFile struct{ vfs.File }

func (u unsynced) OpenFile(name string, flag int, perm fs.FileMode) (vfs.File, error) {
	f, err := u.FS.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return unsyncedFile{f}, nil
}

func (unsynced) SyncDir(string) error { return nil }

func (unsyncedFile) Sync() error { return nil }

// TestCutOfManyChangedChunksIsShort bounds how long the goroutine that ticks
// the world is held up: 4,000 loaded chunks, all of them changed. What is
// tested is the best of some cuts, since the machine may be busy.
func TestCutOfManyChangedChunksIsShort(t *testing.T) {
	w := makeWorld(t, mem(), "w")
	opts := Options{Memory: 1 << 30, ByTick: true}
	s := openStore(t, w, opts)
	const chunks = 4000
	holds := make([]*Hold, chunks)
	for i := range holds {
		ref := at(int32(i%64), int32(i/64))
		put(t, s, ref, 1)
		h, err := s.Load(ctx, 0, ref.Pos, Normal)
		if err != nil {
			t.Fatal(err)
		}
		holds[i] = h
	}
	best := time.Hour
	for n := range int32(5) {
		for _, h := range holds {
			if err := h.Update(Structural, updateNumber(n+2)); err != nil {
				t.Fatal(err)
			}
		}
		s.publish.Lock()
		start := time.Now()
		b := s.cut(true)
		best = min(best, time.Since(start))
		s.take(b)
		if len(b.saves) != chunks {
			t.Errorf("%d chunks are in the cut", len(b.saves))
		}
		s.settle(b, nil)
		s.publish.Unlock()
	}
	if best > time.Millisecond {
		t.Errorf("the cut took %v at best", best)
	}
	t.Logf("cut of %d changed chunks: %v", chunks, best)
	for _, h := range holds {
		h.Release()
	}
	if err := s.Abandon(); err != nil {
		t.Error(err)
	}
}
