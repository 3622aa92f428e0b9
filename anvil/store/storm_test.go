package store

import (
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"strata/anvil/chunk"
	"strata/bench/testbed"
	"strata/region"
	"strata/region/codec"
)

// TestStorm does everything at once: every chunk has one writer, who knows its
// number; others read, peek, take snapshots and recompress.
func TestStorm(t *testing.T) {
	seed := testbed.Seed(t)
	m := mem()
	w := makeWorld(t, m, "w")
	opts := small()
	opts.Interval = time.Millisecond
	opts.DirtyLimit = 1 << 20
	s := openStore(t, w, opts)
	s.cache.cache.UpdateMaxCost(20 << 10)
	const owners, each = 4, 20
	var numbers [owners][each]atomic.Int32
	place := func(owner, i int) Ref { return at(int32(i), int32(owner*13)) }
	var all, others sync.WaitGroup
	var stop atomic.Bool
	steps := testbed.Runs(t, 400)
	for owner := range owners {
		all.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(seed), uint64(owner)))
			for n := range int32(steps) {
				i := rng.IntN(each)
				ref := place(owner, i)
				now := numbers[owner][i].Load()
				if got := get(t, s, ref); got != now && (got != -1 || now != 0) {
					t.Errorf("%v is %d, not %d", ref, got, now)
					return
				}
				numbers[owner][i].Store(n + 1)
				var err error
				if now != 0 && rng.IntN(2) == 0 {
					err = s.Update(ctx, 0, ref.Pos, Change(rng.IntN(2)), updateNumber(n+1))
				} else {
					err = s.Put(ctx, 0, numbered(t, s.Tables(), ref.Pos, n+1))
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	until := func(f func(rng *rand.Rand) error) {
		others.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(seed), 99))
			for !stop.Load() {
				if err := f(rng); err != nil {
					t.Error(err)
					return
				}
				time.Sleep(100 * time.Microsecond)
			}
		})
	}
	// Readers see numbers that never go back.
	var seen sync.Map
	until(func(rng *rand.Rand) error {
		owner, i := rng.IntN(owners), rng.IntN(each)
		h, ok := s.Peek(0, place(owner, i).Pos)
		if !ok {
			return nil
		}
		defer h.Release()
		return h.Read(func(c *chunk.Chunk) {
			before, _ := seen.Swap(place(owner, i), number(c))
			if b, _ := before.(int32); number(c) < b {
				t.Errorf("%v went back from %d to %d", place(owner, i), b, number(c))
			}
		})
	})
	r := raw(t, s, Chunks)
	until(func(rng *rand.Rand) error {
		pos := place(rng.IntN(owners), rng.IntN(each)).Pos
		rec, err := r.Read(pos, nil)
		if errors.Is(err, ErrAbsent) {
			return nil
		}
		if err != nil {
			return err
		}
		payload, err := rec.AppendDecoded(new(codec.Decoder), nil, 0)
		if err != nil {
			return err
		}
		enc, err := codec.NewEncoder(codec.Zlib, 1)
		if err != nil {
			return err
		}
		data, err := enc.Append(nil, payload)
		if err != nil {
			return err
		}
		err = r.Replace(ctx, pos, RawWrite{Old: rec.Entry, Record: region.Record{Scheme: codec.Zlib, Data: data}, SameContent: true})
		if errors.Is(err, region.ErrChanged) {
			err = nil
		}
		return err
	})
	until(func(*rand.Rand) error {
		sn, err := s.Snapshot(ctx)
		if err != nil {
			return err
		}
		return sn.Release()
	})
	all.Wait()
	stop.Store(true)
	others.Wait()
	got := s.Metrics()
	t.Logf("loads %d, hits %d, stale %d, saves %d, elided %d, epochs %d, waits %d",
		got.Loads, got.Hits, got.Stale, got.Saves, got.Elided, got.Epochs, got.Waits)
	closeStore(t, s)
	s = openStore(t, w, small())
	for owner := range owners {
		for i := range each {
			want := numbers[owner][i].Load()
			if got := get(t, s, place(owner, i)); got != want && (got != -1 || want != 0) {
				t.Errorf("%v is %d in the end, not %d", place(owner, i), got, want)
			}
		}
	}
	if n := s.Metrics(); n.Objects != 0 || n.ObjectBytes != 0 || n.DirtyBytes != 0 || n.FlyingBytes != 0 {
		t.Errorf("something is still counted: %+v", n)
	}
	closeStore(t, s)
	check(t, w)
}
