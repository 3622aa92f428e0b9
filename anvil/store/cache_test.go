package store

import (
	"math/rand/v2"
	"testing"

	"strata/bench/testbed"
	"strata/region"
)

// value is a clean object that says which version it is.
func cleanDocument(n byte, entry region.Entry) *clean {
	return &clean{value: document{data: []byte{n}}, tag: tag{entry: entry}, bytes: minObject}
}

func version(c *clean) int {
	if c == nil {
		return -1
	}
	return int(c.value.(document).data[0])
}

// stalled is a cache whose goroutine stands still until it is let go: what is
// set stays in its queue.
func stalled(t *testing.T) (v *victims, letGo func()) {
	t.Helper()
	v, err := newVictims(16 << 20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.close)
	going, begun := make(chan struct{}), make(chan struct{})
	v.onCost = func() {
		begun <- struct{}{}
		<-going
	}
	v.put(1<<60, cleanDocument(0, region.Entry{}))
	<-begun
	v.onCost = nil // seen by the goroutine when it is let go
	return v, func() { close(going); v.cache.Wait() }
}

// The cache has a mind of its own: a second Set of a queued key is refused and
// the first value comes up later, and a Set is dropped when the queue is full.
// This is what the tags are for.
func TestCacheKeepsTheFirstOfTwoQueuedValues(t *testing.T) {
	v, letGo := stalled(t)
	v.put(7, cleanDocument(1, region.Entry{Timestamp: 1}))
	v.put(7, cleanDocument(2, region.Entry{Timestamp: 2}))
	letGo()
	if got := version(v.take(7)); got != 1 {
		t.Errorf("version %d: ristretto behaves otherwise by now, and this test and its tags should be looked at", got)
	}
}

func TestCacheForgetsWhatWasTakenWhileQueued(t *testing.T) {
	v, letGo := stalled(t)
	v.put(7, cleanDocument(1, region.Entry{Timestamp: 1}))
	if c := v.take(7); c != nil {
		t.Errorf("took version %d out of the queue", version(c))
	}
	v.put(7, cleanDocument(2, region.Entry{Timestamp: 2}))
	letGo()
	if got := version(v.take(7)); got != 2 {
		t.Errorf("version %d", got)
	}
	if got := v.take(7); got != nil {
		t.Error("taken twice")
	}
}

func TestBytesInTheQueueAreBounded(t *testing.T) {
	v, letGo := stalled(t)
	v.limit = 10 * minObject
	for n := range byte(20) {
		v.put(uint64(n)+1, cleanDocument(n, region.Entry{}))
		if q := v.queued.Load(); q > v.limit {
			t.Fatalf("%d bytes are queued", q)
		}
	}
	// One of the ten is being taken off: it counts until it is.
	if d := v.drops.Load(); d != 11 {
		t.Errorf("%d dropped, want 11", d)
	}
	letGo()
	if q := v.queued.Load(); q != 0 {
		t.Errorf("%d bytes are queued for ever", q)
	}
}

// versionAfter edits a chunk while the cache does what forces says, and returns
// what is served then.
func TestNoOldVersionIsServedFromTheCache(t *testing.T) {
	for name, force := range map[string]func(s *Store, old *clean){
		// The old value comes up after the new one was saved: the new one's Set
		// was refused since the old one was still in the queue.
		"double set": func(s *Store, old *clean) { s.cache.put(at(0, 0).key(), old) },
		// The new value's Set was dropped, the old one never went away.
		"dropped set": func(s *Store, old *clean) {
			s.cache.take(at(0, 0).key())
			s.cache.cache.Set(at(0, 0).key(), old, 0)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := makeWorld(t, mem(), "w")
			s := openStore(t, w, small())
			defer closeStore(t, s)
			put(t, s, at(0, 0), 1)
			barrier(t, s)
			s.cache.cache.Wait()
			old := s.cache.take(at(0, 0).key())
			if old == nil {
				t.Fatal("the first version did not get into the cache")
			}
			old.claimed.Store(false)
			put(t, s, at(0, 0), 2)
			barrier(t, s)
			s.cache.cache.Wait()
			s.cache.cache.Del(at(0, 0).key())
			s.cache.cache.Wait()
			force(s, old)
			s.cache.cache.Wait()
			if n := get(t, s, at(0, 0)); n != 2 {
				t.Errorf("version %d is served", n)
			}
			if m := s.Metrics(); m.Stale != 1 {
				t.Errorf("%d stale values were met: the test did not force what it should", m.Stale)
			}
		})
	}
}

// TestStoreServesWhatWasPutLast runs random operations of many kinds against a
// map, with so little memory that the cache drops most objects.
func TestStoreServesWhatWasPutLast(t *testing.T) {
	seed := testbed.Seed(t)
	rng := rand.New(rand.NewPCG(uint64(seed), 1))
	w := makeWorld(t, mem(), "w")
	opts := small()
	s := openStore(t, w, opts)
	s.cache.cache.UpdateMaxCost(100 << 10)
	model := map[Ref]int32{}
	holds := map[Ref]*Hold{}
	var hits, loads, saves int64
	count := func() {
		m := s.Metrics()
		hits, loads, saves = hits+m.Hits, loads+m.Loads, saves+m.Saves
	}
	steps := testbed.Runs(t, 4000)
	for step := range steps {
		ref := at(rng.Int32N(12)-6, rng.Int32N(12)-6)
		ref.Kind = Kind(rng.IntN(kinds))
		n := int32(step + 1)
		switch op := rng.IntN(20); {
		case op < 6:
			put(t, s, ref, n)
			model[ref] = n
		case op < 8 && model[ref] != 0 && ref.Kind == Chunks:
			h, err := s.Load(ctx, 0, ref.Pos, Normal)
			if err != nil {
				t.Fatal(err)
			}
			if old := holds[ref]; old != nil {
				old.Release()
			}
			holds[ref] = h
		case op < 10 && holds[ref] != nil && model[ref] != 0:
			change := Change(rng.IntN(2))
			if err := holds[ref].Update(change, updateNumber(n)); err != nil {
				t.Fatal(err)
			}
			model[ref] = n
		case op == 10:
			if err := s.Delete(ctx, ref); err != nil {
				t.Fatal(err)
			}
			delete(model, ref)
		case op == 11 && rng.IntN(10) == 0:
			barrier(t, s)
		case op == 11:
			s.cache.cache.Wait() // so that what is queued there is found
		case op == 12 && rng.IntN(40) == 0:
			for ref, h := range holds {
				h.Release()
				delete(holds, ref)
			}
			barrier(t, s)
			count()
			closeStore(t, s)
			s = openStore(t, w, opts)
			s.cache.cache.UpdateMaxCost(100 << 10)
		case op == 13 && holds[ref] != nil:
			holds[ref].Release()
			delete(holds, ref)
		default:
			want, has := model[ref]
			if !has {
				want = -1
			}
			if got := get(t, s, ref); got != want {
				t.Fatalf("step %d: %v is %d, want %d", step, ref, got, want)
			}
		}
	}
	for _, h := range holds {
		h.Release()
	}
	barrier(t, s)
	count()
	if hits == 0 && steps >= 4000 || loads == 0 || saves == 0 {
		t.Errorf("not much happened: hits %d, loads %d, saves %d", hits, loads, saves)
	}
	closeStore(t, s)
	check(t, w)
	t.Logf("hits %d, loads %d, saves %d", hits, loads, saves)
}

func TestATrimmedCacheIsEmpty(t *testing.T) {
	v, letGo := stalled(t)
	for key := range uint64(50) {
		v.put(key, cleanDocument(1, region.Entry{Timestamp: 1}))
	}
	letGo()
	v.cache.Wait()
	if v.cache.RemainingCost() == v.cache.MaxCost() {
		t.Fatal("nothing was kept")
	}
	v.drop()
	v.cache.Wait()
	if left := v.cache.MaxCost() - v.cache.RemainingCost(); left != 0 {
		t.Errorf("%d bytes are left", left)
	}
	v.put(7, cleanDocument(2, region.Entry{Timestamp: 2}))
	v.cache.Wait()
	if got := version(v.take(7)); got != 2 {
		t.Errorf("version %d", got)
	}
}
