package source

import (
	"context"
	"errors"
	"testing"
	"time"

	"strata/anvil/store"
	"strata/pregen"
	"strata/region"
)

func TestASpiralPassesEachSquareOnce(t *testing.T) {
	const rings = 6
	seen := map[[2]int32]bool{}
	far := int32(0)
	for n := range int64((2*rings + 1) * (2*rings + 1)) {
		x, z := spiral(n)
		if seen[[2]int32{x, z}] {
			t.Fatalf("%d: %d %d again", n, x, z)
		}
		seen[[2]int32{x, z}] = true
		ring := max(x, -x, z, -z)
		if ring < far || ring > rings {
			t.Fatalf("%d: %d %d is of ring %d, after ring %d", n, x, z, ring, far)
		}
		far = ring
	}
}

// pregenerated waits until the area is done.
func pregenerated(t *testing.T, s *Source) Progress {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(time.Millisecond) {
		p, ok := s.Pregeneration()
		if !ok {
			t.Fatal("there is no area")
		}
		if p.Done {
			return p
		}
		if time.Now().After(end) {
			t.Fatalf("still at %+v", p)
		}
	}
}

func TestAnAreaIsMadeForNobody(t *testing.T) {
	st, _ := memoryRig(t)
	bad := region.ChunkPos{X: 3, Z: -2}
	s, f := fakeSource(t, st, func(_ context.Context, pos region.ChunkPos) error {
		if pos == bad {
			return errors.New("not this one")
		}
		return nil
	})
	// One is there before.
	s.Want([]Request{{Pos: region.ChunkPos{X: 1, Z: 1}}})
	got, _ := collect(t, s, 1)
	release(got, nil)
	s.Want(nil)
	center := region.ChunkPos{X: 2, Z: -3}
	if err := s.Pregenerate(center, 10); err != nil {
		t.Fatal(err)
	}
	if err := s.Pregenerate(center, 10); !errors.Is(err, ErrBusy) {
		t.Errorf("a second area: %v", err)
	}
	// What somebody wants comes all the same.
	s.Want(around(region.ChunkPos{X: 100, Z: 100}, 1))
	got, _ = collect(t, s, 9)
	release(got, nil)
	s.Want(nil)
	p := pregenerated(t, s)
	if p.Chunks != 441 || p.Seen != 441 || p.Made != 439 || p.Failed != 1 {
		t.Errorf("%+v", p)
	}
	for z := center.Z - 11; z <= center.Z+11; z++ {
		for x := center.X - 11; x <= center.X+11; x++ {
			pos := region.ChunkPos{X: x, Z: z}
			hold, err := st.Load(t.Context(), 0, pos, store.Normal)
			inside := max(x-center.X, center.X-x, z-center.Z, center.Z-z) <= 10
			if (err == nil) != (inside && pos != bad) {
				t.Errorf("chunk %v: %v", pos, err)
			}
			if err == nil {
				hold.Release()
			}
		}
	}
	f.mu.Lock()
	made := len(f.order)
	f.mu.Unlock()
	// Again there is nothing to do but what has failed.
	if err := s.Pregenerate(center, 10); err != nil {
		t.Fatal(err)
	}
	if p := pregenerated(t, s); p.Made != 0 || p.Seen != 441 || p.Failed != 1 {
		t.Errorf("again: %+v", p)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if n := len(f.order) - made; n > 2 {
		t.Errorf("%d chunks were made again", n)
	}
}

func TestAnAreaEndsWhenAsked(t *testing.T) {
	st, _ := memoryRig(t)
	began := make(chan struct{}, 1)
	s, _ := fakeSource(t, st, func(context.Context, region.ChunkPos) error {
		select {
		case began <- struct{}{}:
		default:
		}
		return nil
	})
	if s.EndPregeneration() {
		t.Error("there was one")
	}
	if err := s.Pregenerate(region.ChunkPos{}, 100_000); err != nil {
		t.Fatal(err)
	}
	<-began
	if !s.EndPregeneration() {
		t.Error("there was none")
	}
	if _, ok := s.Pregeneration(); ok {
		t.Error("there is one still")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Pregenerate(region.ChunkPos{}, 1); !errors.Is(err, ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
}

func TestWithoutAGeneratorThereAreNoAreas(t *testing.T) {
	st, _ := memoryRig(t)
	s, err := New(Options{Store: st})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := s.Pregenerate(region.ChunkPos{}, 1); !errors.Is(err, ErrNoGenerator) {
		t.Errorf("%v", err)
	}
	late, err := New(Options{Store: st, Open: func() (pregen.Generator, error) { return nil, errors.New("none") }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = late.Close() })
	if err := late.Pregenerate(region.ChunkPos{}, 1); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(time.Millisecond) {
		if _, ok := late.Pregeneration(); !ok {
			break
		}
		if time.Now().After(end) {
			t.Fatal("it goes on")
		}
	}
}
