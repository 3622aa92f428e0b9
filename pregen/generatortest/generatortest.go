package generatortest

import (
	"bytes"
	"context"
	"errors"
	"math/bits"
	"slices"
	"sync"

	"strata/anvil/chunk"
	"strata/pregen"
	"strata/region"
)

// Subject is a generator and where to test it.
type Subject struct {
	Generator pregen.Generator
	// Until is the status that it was made for.
	Until chunk.Status
	// Version is the DataVersion of its chunks.
	Version int32
	// Near is a chunk; tiles around it are made, some 50 chunks in all.
	Near region.ChunkPos
}

// TB is what is used of a *testing.T.
type TB interface {
	Helper()
	Error(args ...any)
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Context() context.Context
}

// Run tests the subject.
func Run(t TB, s Subject) {
	t.Helper()
	s.facts(t)
	s.chunks(t)
	s.order(t)
	s.workers(t)
	s.interruption(t)
}

func (s Subject) facts(t TB) {
	f := s.Generator.Facts()
	if f != s.Generator.Facts() {
		t.Error("the facts change")
	}
	if f.Revision == "" {
		t.Error("there is no revision")
	}
	if f.Tile < 0 || f.Tile > 32 || bits.OnesCount(uint(f.Tile)) > 1 {
		t.Errorf("tiles of %d chunks", f.Tile)
	}
	if f.Rim < 0 || f.Rim > 8 {
		t.Errorf("a rim of %d chunks", f.Rim)
	}
}

// side of the tiles.
func (s Subject) side() int { return max(s.Generator.Facts().Tile, 1) }

// tile is a batch of at most nine chunks of the tile that the chunk is in,
// from the corner on, in the order of slots.
func (s Subject) tile(c region.ChunkPos) *pregen.Batch {
	side := int32(s.side())
	b := &pregen.Batch{At: region.ChunkPos{X: c.X &^ (side - 1), Z: c.Z &^ (side - 1)}, Side: int(side), Stored: notStored}
	for z := range min(side, 3) {
		for x := range min(side, 3) {
			b.Chunks = append(b.Chunks, pregen.Wanted{Pos: region.ChunkPos{X: b.At.X + x, Z: b.At.Z + z}})
		}
	}
	return b
}

func notStored(region.ChunkPos) (*chunk.Chunk, error) { return nil, pregen.ErrNotStored }

// tiles are some around the subject's chunk.
func (s Subject) tiles() (all []*pregen.Batch) {
	side := int32(s.side())
	for _, d := range [][2]int32{{0, 0}, {1, 0}, {0, -1}, {-2, 3}} {
		all = append(all, s.tile(region.ChunkPos{X: s.Near.X + d[0]*side, Z: s.Near.Z + d[1]*side}))
	}
	return all
}

// made is chunks as NBT, with entities and points of interest behind.
type made map[region.ChunkPos][]byte

// generate makes a batch with a worker.
func generate(t TB, w pregen.Worker, b *pregen.Batch) made {
	t.Helper()
	all := make(made)
	var enc chunk.Encoder
	err := w.Generate(t.Context(), b, func(m pregen.Made) error {
		if m.Err != nil {
			t.Errorf("chunk %v: %v", m.Pos, m.Err)
			return nil //nolint:nilerr // it is reported
		}
		if _, again := all[m.Pos]; again {
			t.Errorf("chunk %v comes twice", m.Pos)
		}
		if m.Chunk == nil {
			all[m.Pos] = nil
			return nil
		}
		data, err := enc.Encode(nil, m.Chunk)
		all[m.Pos] = slices.Concat(data, []byte("entities"), m.Entities, []byte("poi"), m.POI)
		return err
	})
	if err != nil {
		t.Errorf("tile at %v: %v", b.At, err)
	}
	return all
}

func (s Subject) worker(t TB) pregen.Worker {
	t.Helper()
	w, err := s.Generator.NewWorker()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// chunks: each that is wanted comes, and is what was asked for.
func (s Subject) chunks(t TB) {
	w := s.worker(t)
	defer w.Release()
	for _, b := range s.tiles() {
		wanted := make(map[region.ChunkPos]bool)
		for _, c := range b.Chunks {
			wanted[c.Pos] = true
		}
		err := w.Generate(t.Context(), b, func(m pregen.Made) error {
			switch c := m.Chunk; {
			case !wanted[m.Pos]:
				t.Errorf("chunk %v came and was not wanted", m.Pos)
			case m.Err != nil || c == nil:
				t.Errorf("chunk %v: %v", m.Pos, m.Err)
			case c.Pos() != m.Pos || c.DataVersion() != s.Version || !m.LeftToGame && c.Status() != s.Until:
				t.Errorf("chunk %v says it is %v, of version %d, %s", m.Pos, c.Pos(), c.DataVersion(), c.StatusName())
			case c.LastUpdate() != 0 || c.InhabitedTime() != 0:
				t.Errorf("chunk %v has times of %d and %d", m.Pos, c.LastUpdate(), c.InhabitedTime())
			}
			delete(wanted, m.Pos)
			return nil
		})
		if err != nil || len(wanted) > 0 {
			t.Errorf("tile at %v: %v; not made: %v", b.At, err, wanted)
		}
	}
}

// order: a chunk does not depend on what was made before it, with it or
// between.
func (s Subject) order(t TB) {
	w := s.worker(t)
	defer w.Release()
	tiles := s.tiles()
	want := make(made)
	for _, b := range tiles {
		for c, data := range generate(t, w, b) {
			want[c] = data
		}
	}
	w.Release()
	slices.Reverse(tiles)
	for i, b := range tiles {
		if i == 1 {
			w.Release()
		}
		// One by one, and backwards.
		for _, c := range slices.Backward(b.Chunks) {
			one := *b
			one.Chunks = []pregen.Wanted{c}
			want.compare(t, "alone", generate(t, w, &one))
		}
	}
}

func (want made) compare(t TB, how string, got made) {
	t.Helper()
	for c, data := range got {
		if !bytes.Equal(want[c], data) {
			t.Errorf("chunk %v, made %s, is another one", c, how)
		}
	}
}

// workers: all make the same chunks, also at the same time.
func (s Subject) workers(t TB) {
	w := s.worker(t)
	want := make(made)
	for _, b := range s.tiles() {
		for c, data := range generate(t, w, b) {
			want[c] = data
		}
	}
	w.Release()
	var wg sync.WaitGroup
	for i := range 3 {
		other := s.worker(t)
		tiles := s.tiles()
		wg.Go(func() {
			defer other.Release()
			for k := range tiles {
				want.compare(t, "by another worker", generate(t, other, tiles[(k+i)%len(tiles)]))
			}
		})
	}
	wg.Wait()
}

// interruption: an error of done comes back, and a context that has ended ends
// the batch early or not at all.
func (s Subject) interruption(t TB) {
	w := s.worker(t)
	defer w.Release()
	stop := errors.New("stop")
	calls := 0
	err := w.Generate(t.Context(), s.tile(s.Near), func(pregen.Made) error { calls++; return stop })
	if !errors.Is(err, stop) || calls != 1 {
		t.Errorf("done was called %d times after its error, which came back as %v", calls, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	calls = 0
	b := s.tile(s.Near)
	if err := w.Generate(ctx, b, func(pregen.Made) error { calls++; return nil }); err == nil && calls != len(b.Chunks) {
		t.Errorf("%d of %d chunks came, without an error", calls, len(b.Chunks))
	} else if err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
	// The worker is still good.
	if got := generate(t, w, s.tile(s.Near)); len(got) != len(b.Chunks) {
		t.Errorf("%d of %d chunks came afterwards", len(got), len(b.Chunks))
	}
}
