package store

import (
	"math/rand/v2"
	"os"
	"runtime"
	counted "runtime/metrics"
	"slices"
	"sync"
	"testing"
	"time"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/bench/testbed"
)

// What a server with loadedChunks loaded does in each tick: blocks are changed
// in the few chunks where something is going on, in others only time goes by,
// and chunks beyond those that are held are loaded and let go of, since
// somebody is always on the way.
const (
	loadedChunks  = 4000
	busyChunks    = 200
	beyondChunks  = 4000
	tickTime      = time.Second / 20
	tickChanges   = 64
	tickDrifts    = 256
	tickLoads     = 24
	measuredTicks = 600
)

// TestCostOfLoadedChunks measures what 4,000 held chunks of the corpus cost
// while a world ticks 20 times a second: heap objects and bytes a chunk, the
// collector's part of the processor, and for how long a cut holds up the
// tick. The store cuts every second, five times as often as by default, and
// the memory is such that what is not held soon becomes garbage. Time that goes
// by makes nearly all chunks changed, far beyond DirtyLimit: an epoch must leave
// them alone until they are due.
func TestCostOfLoadedChunks(t *testing.T) {
	if testing.Short() || os.Getenv("STRATA_COST") == "" {
		t.Skip("a measurement of a minute: set STRATA_COST=1")
	}
	rng := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 8))
	w := wideWorld(t, t.TempDir(), loadedChunks+beyondChunks)
	s := openStore(t, w, Options{Memory: 256 << 20, Interval: time.Second, ByTick: true})
	holds := holdAll(t, s)
	before := collector(t)
	ticks, cuts := tickOn(t, s, holds, rng)
	c := collector(t).since(before)
	m := s.Metrics()
	slices.Sort(ticks)
	slices.Sort(cuts)
	t.Logf("%d ticks, median %v, longest %v; %d chunks loaded, %d saved in %d epochs",
		len(ticks), ticks[len(ticks)/2], ticks[len(ticks)-1], m.Loads, m.Saves, m.Epochs)
	c.judge(t)
	if m.Saves > busyChunks*m.Epochs {
		t.Errorf("%d chunks saved in %d epochs: more than are busy", m.Saves, m.Epochs)
	}
	if len(cuts) < measuredTicks/40 {
		t.Fatalf("only %d cuts", len(cuts))
	}
	median := cuts[len(cuts)/2]
	t.Logf("%d cuts, median %v, longest %v", len(cuts), median, cuts[len(cuts)-1])
	if median > time.Millisecond {
		t.Errorf("a cut holds the tick up for %v", median)
	}
	for _, h := range holds {
		h.Release()
	}
	closeStore(t, s)
	check(t, w)
}

// tickOn lets the world tick, and says how long each tick took and how long
// those of the calls of Tick that made a cut.
func tickOn(t *testing.T, s *Store, holds []*Hold, rng *rand.Rand) (ticks, cuts []time.Duration) {
	t.Helper()
	travel := make(chan int, measuredTicks*tickLoads) // beside the ticks, which wait for nothing
	var traveller sync.WaitGroup
	traveller.Go(func() {
		for i := range travel {
			visit(t, s, walkPos(i))
		}
	})
	next := time.NewTicker(tickTime)
	defer next.Stop()
	for n := range measuredTicks {
		<-next.C
		for range tickLoads {
			travel <- loadedChunks + rng.IntN(beyondChunks)
		}
		start := time.Now()
		changeSome(t, holds, rng, int64(n))
		at, wanted := time.Now(), s.cutWanted()
		s.Tick()
		if wanted {
			cuts = append(cuts, time.Since(at))
		}
		ticks = append(ticks, time.Since(start))
	}
	close(travel)
	traveller.Wait()
	return ticks, cuts
}

// cutWanted says whether the next Tick makes a cut.
func (s *Store) cutWanted() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tickWanted
}

// holdAll loads the chunks that are held and measures what they take. The
// buffers of the loaders have grown before.
func holdAll(t *testing.T, s *Store) []*Hold {
	t.Helper()
	for i := range beyondChunks / 4 {
		visit(t, s, walkPos(loadedChunks+i))
	}
	s.cache.cache.Clear()
	objects, bytes := liveHeap()
	holds := make([]*Hold, loadedChunks)
	for i := range holds {
		h, err := s.Load(ctx, 0, walkPos(i), Normal)
		if err != nil {
			t.Fatal(err)
		}
		holds[i] = h
	}
	nowObjects, nowBytes := liveHeap()
	perObjects, perBytes := float64(nowObjects-objects)/loadedChunks, float64(nowBytes-bytes)/loadedChunks
	t.Logf("a held chunk: %.1f heap objects, %.1f KiB; counted as %.1f KiB", perObjects, perBytes/1024,
		float64(s.Metrics().ObjectBytes)/loadedChunks/1024)
	if perObjects > 64 || perBytes > 64<<10 {
		t.Error("a held chunk takes more than 64 heap objects or 64 KiB")
	}
	return holds
}

// liveHeap is what is reachable.
func liveHeap() (objects, bytes int64) {
	runtime.GC()
	runtime.GC() // what the first one has only found unreachable
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapObjects), int64(m.HeapAlloc)
}

// changeSome is what a tick changes.
func changeSome(t *testing.T, holds []*Hold, rng *rand.Rand, tick int64) {
	t.Helper()
	states := [...]block.State{block.Stone.Default(), block.Air.Default(), block.OakLeaves.Default()}
	for range tickChanges {
		r := rng.Uint32()
		err := holds[rng.IntN(busyChunks)].Update(Structural, func(c *chunk.Chunk) error {
			c.SetBlock(int(r&15), int(r>>8&127), int(r>>4&15), states[r>>16%3])
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for range tickDrifts {
		err := holds[rng.IntN(len(holds))].Update(Drift, func(c *chunk.Chunk) error {
			c.SetInhabitedTime(c.InhabitedTime() + tick + 1)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// collected is what the collector and the rest of the process have taken, in
// seconds of one processor.
type collected struct {
	cycles                               uint64
	total, unused, gc, atLeisure, assist float64
}

// collector reads what the runtime has counted. It does so at the end of a
// cycle, and so there is one first.
func collector(t *testing.T) collected {
	t.Helper()
	runtime.GC()
	samples := []counted.Sample{
		{Name: "/gc/cycles/total:gc-cycles"},
		{Name: "/cpu/classes/total:cpu-seconds"},
		{Name: "/cpu/classes/idle:cpu-seconds"},
		{Name: "/cpu/classes/gc/total:cpu-seconds"},
		{Name: "/cpu/classes/gc/mark/idle:cpu-seconds"},
		{Name: "/cpu/classes/gc/mark/assist:cpu-seconds"},
	}
	counted.Read(samples)
	if samples[0].Value.Kind() != counted.KindUint64 {
		t.Fatal("the runtime does not count cycles")
	}
	c := collected{cycles: samples[0].Value.Uint64()}
	for i, to := range []*float64{&c.total, &c.unused, &c.gc, &c.atLeisure, &c.assist} {
		if samples[i+1].Value.Kind() != counted.KindFloat64 {
			t.Fatalf("the runtime does not count %s", samples[i+1].Name)
		}
		*to = samples[i+1].Value.Float64()
	}
	return c
}

func (c collected) since(before collected) collected {
	return collected{
		cycles: c.cycles - before.cycles, total: c.total - before.total, unused: c.unused - before.unused,
		gc: c.gc - before.gc, atLeisure: c.atLeisure - before.atLeisure, assist: c.assist - before.assist,
	}
}

// judge bounds the collector's part of the processor time that the process has
// used, which is GOMAXPROCS times the time that passed less what was idle. All
// of the collector counts, even what it does on processors that nobody else
// wants, and the cycle that was made to read the figures. Its part of all
// that might have been used is logged beside it.
func (c collected) judge(t *testing.T) {
	t.Helper()
	used := c.total - c.unused
	t.Logf("collector: %d cycles, %.3f s of %.1f s used of %.1f s: %.2f %% of what was used, %.2f %% of all; %.3f s at leisure, %.5f s assists",
		c.cycles, c.gc, used, c.total, 100*c.gc/used, 100*c.gc/c.total, c.atLeisure, c.assist)
	if c.cycles < 3 {
		t.Errorf("%d cycles are too few to tell", c.cycles)
	}
	if c.gc > 0.03*used {
		t.Errorf("the collector takes %.2f %% of the processor", 100*c.gc/used)
	}
}
