package source

import (
	"errors"
	"sync/atomic"
	"testing"

	"strata/pregen"
	"strata/region"
)

func TestTheGeneratorIsMadeWhenSomethingIsMissing(t *testing.T) {
	st, _ := memoryRig(t)
	var made atomic.Int32
	s, err := New(Options{Store: st, Workers: 1, Open: func() (pregen.Generator, error) {
		made.Add(1)
		return &fake{tables: st.Tables()}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	s.Want(nil)
	if n := made.Load(); n != 0 {
		t.Fatalf("made %d times before anything was wanted", n)
	}
	for x := range int32(2) {
		s.Want(around(region.ChunkPos{X: 8 * x}, 1))
		got, _ := collect(t, s, 9)
		for pos, r := range got {
			if r.Err != nil {
				t.Errorf("chunk %v: %v", pos, r.Err)
			}
		}
		release(got, nil)
	}
	if n := made.Load(); n != 1 {
		t.Errorf("made %d times", n)
	}
}

func TestWithoutAGeneratorAbsentChunksAreErrors(t *testing.T) {
	st, _ := memoryRig(t)
	broken := errors.New("no noise settings")
	var told atomic.Value
	s, err := New(Options{
		Store: st, Workers: 1, Open: func() (pregen.Generator, error) { return nil, broken },
		Events: func(e Event) { told.Store(e) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	for x := range int32(2) {
		s.Want(around(region.ChunkPos{X: 8 * x}, 1))
		got, _ := collect(t, s, 9)
		for pos, r := range got {
			if r.Err == nil {
				t.Errorf("chunk %v came", pos)
			}
		}
		release(got, nil)
	}
	if e, ok := told.Load().(Event); !ok || !errors.Is(e.Err, broken) {
		t.Errorf("told of %v", e)
	}
}
