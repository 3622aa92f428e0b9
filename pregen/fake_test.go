package pregen

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"strata/anvil"
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/level"
	"strata/anvil/store"
	"strata/nbt"
	"strata/pregen/plan"
	"strata/region"
	"strata/region/vfs"
)

// fake makes cheap chunks that depend on their position alone.
type fake struct {
	facts Facts
	until chunk.Status
	// before is called before each chunk, and may fail it or panic.
	before func(ctx context.Context, w Wanted, try int) error
	// cost is CPU time that each chunk takes.
	cost time.Duration
	// size is how much noise, in bytes, a chunk carries beside its blocks.
	size int

	workers, releases atomic.Int64
	mu                sync.Mutex
	tries             map[region.ChunkPos]int
}

func newFake() *fake {
	return &fake{
		facts: Facts{Revision: "fake 1", Parameters: "synthetic", Tile: 4},
		until: chunk.StatusFull, size: 200, tries: make(map[region.ChunkPos]int),
	}
}

func (f *fake) Facts() Facts { return f.facts }

func (f *fake) NewWorker() (Worker, error) {
	f.workers.Add(1)
	return &fakeWorker{f: f, tables: chunk.NewTables()}, nil
}

type fakeWorker struct {
	f      *fake
	tables *chunk.Tables
}

func (w *fakeWorker) Release() { w.f.releases.Add(1) }

func (w *fakeWorker) Generate(ctx context.Context, b *Batch, done func(Made) error) error {
	for _, wanted := range b.Chunks {
		if err := ctx.Err(); err != nil {
			return err
		}
		if wanted.Pos.X < b.At.X || wanted.Pos.X >= b.At.X+int32(b.Side) {
			return fmt.Errorf("chunk %v is not in the tile at %v", wanted.Pos, b.At)
		}
		if err := done(w.make(ctx, wanted)); err != nil {
			return err
		}
	}
	return nil
}

func (w *fakeWorker) make(ctx context.Context, wanted Wanted) Made {
	f := w.f
	m := Made{Pos: wanted.Pos}
	if f.before != nil {
		f.mu.Lock()
		try := f.tries[wanted.Pos]
		f.tries[wanted.Pos]++
		f.mu.Unlock()
		if m.Err = f.before(ctx, wanted, try); m.Err != nil {
			return m
		}
	}
	if f.cost > 0 {
		for end := threadTime() + f.cost; threadTime() < end; {
		}
	}
	if wanted.Rim && (wanted.Pos.X+wanted.Pos.Z)&1 != 0 {
		return m // untouched
	}
	m.Chunk, m.Err = fakeChunk(w.tables, wanted, f.until, f.size)
	random := rand.New(rand.NewPCG(uint64(uint32(wanted.Pos.X)), uint64(uint32(wanted.Pos.Z))))
	if random.IntN(3) == 0 {
		m.Entities = fakeDocument("entities", random)
	}
	if random.IntN(4) == 0 {
		m.POI = fakeDocument("poi", random)
	}
	return m
}

func fakeDocument(name string, random *rand.Rand) []byte {
	data := make([]byte, random.IntN(300))
	for i := range data {
		data[i] = byte(random.Uint32())
	}
	out, err := nbt.Marshal(struct {
		DataVersion int32
		Kind        string
		Data        []byte
	}{anvil.NativeVersion, name, data})
	if err != nil {
		panic(err)
	}
	return out
}

// fakeChunk makes a chunk of some blocks and so many bytes of noise.
func fakeChunk(tables *chunk.Tables, wanted Wanted, until chunk.Status, size int) (*chunk.Chunk, error) {
	status := until
	if wanted.Rim {
		status = chunk.StatusCarvers
	}
	c := wanted.Stored
	if c == nil {
		var err error
		c, err = chunk.New(tables, wanted.Pos, chunk.Options{DataVersion: anvil.NativeVersion, MinSection: -4, Sections: 24, Status: status})
		if err != nil {
			return nil, err
		}
	} else {
		// What goes on from a stored chunk keeps its blocks and says so.
		if err := c.SetMember("continued", mustRaw(c.StatusName())); err != nil {
			return nil, err
		}
		c.SetStatus(status)
	}
	random := rand.New(rand.NewPCG(uint64(uint32(wanted.Pos.X))<<32|uint64(uint32(wanted.Pos.Z)), 7))
	stone := block.MustParse("minecraft:stone")
	for range 20 {
		c.SetBlock(random.IntN(16), random.IntN(64)-32, random.IntN(16), stone)
	}
	noise := make([]byte, size)
	for i := 0; i+8 <= len(noise); i += 8 {
		binary.LittleEndian.PutUint64(noise[i:], random.Uint64())
	}
	return c, c.SetMember("noise", mustRaw(noise))
}

func mustRaw(v any) nbt.Raw {
	raw, err := nbt.MarshalRaw(v)
	if err != nil {
		panic(err)
	}
	return raw
}

// testSeed is that of all worlds of the tests.
const testSeed = 1234

// createWorld makes a world without chunks, and returns its folder.
func createWorld(t testing.TB, fsys vfs.FS, parent string) string {
	t.Helper()
	path := filepath.Join(parent, "world")
	w, err := anvil.Create(path, anvil.CreateOptions{
		Options: anvil.Options{FS: fsys}, Fresh: level.Fresh{Name: "test"}, Seed: testSeed, NoStructures: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// openStore opens the world for writing.
func openStore(fsys vfs.FS, path string) (*store.Store, error) {
	w, err := anvil.Open(path, anvil.Options{FS: fsys})
	if err != nil {
		return nil, err
	}
	sw, err := store.WorldOf(w)
	if err != nil {
		return nil, err
	}
	return store.Open(sw, store.Options{Memory: 16 << 20, NoControl: true})
}

// runIn opens the world, runs, and closes it.
func runIn(ctx context.Context, fsys vfs.FS, path string, o Options) (*Report, error) {
	st, err := openStore(fsys, path)
	if err != nil {
		return nil, err
	}
	o.Seed = testSeed
	report, err := Run(ctx, st, o)
	if cerr := st.Close(); err == nil {
		err = cerr
	}
	return report, err
}

func mustRun(t testing.TB, fsys vfs.FS, path string, o Options) *Report {
	t.Helper()
	report, err := runIn(t.Context(), fsys, path, o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func square(t testing.TB, x, z, radius int32) *plan.Area {
	t.Helper()
	a, err := plan.NewArea(plan.Square, plan.Block{X: x * 16, Z: z * 16}, plan.Radius{X: radius, Z: radius})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// options are those of a run in the overworld.
func options(area *plan.Area, g Generator) Options {
	return Options{Targets: []Target{{Dimension: anvil.Overworld, Area: area, Generator: g}}, Workers: 2, Profile: Throughput, Level: 1}
}
