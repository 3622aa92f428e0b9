package store

import (
	"testing"

	"strata/anvil/level"
	"strata/nbt"
)

// TestObjectsInMemoryStayBelowTheLimit loads far more than there is room for:
// what is held counts against what may be kept.
func TestObjectsInMemoryStayBelowTheLimit(t *testing.T) {
	w := makeWorld(t, mem(), "w")
	s := openStore(t, w, small())
	const size, objects = 128 << 10, 400 // 50 MiB, 16 is the limit
	for x := range int32(objects) {
		data, err := nbt.Marshal(struct {
			DataVersion int32
			Number      int32
			Rest        []byte
		}{level.NativeVersion, x, make([]byte, size)})
		if err == nil {
			err = s.PutDocument(ctx, at(x, 0).as(POI), data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	barrier(t, s)
	kept := func() int64 { return s.cache.cache.MaxCost() - s.cache.cache.RemainingCost() }
	over := func() bool {
		m := s.Metrics()
		return m.ObjectBytes+m.CacheQueue+kept() > s.opts.Memory+s.cache.limit
	}
	load := func() {
		t.Helper()
		for x := range int32(objects) {
			get(t, s, at(x, 0).as(POI))
			if !over() {
				continue
			}
			// What is deleted goes at once, and is counted when its turn comes.
			if s.cache.cache.Wait(); over() {
				m := s.Metrics()
				t.Fatalf("%d bytes of objects, %d queued, %d kept", m.ObjectBytes, m.CacheQueue, kept())
			}
		}
		s.cache.cache.Wait()
	}
	load()
	if k := kept(); k < 8<<20 {
		t.Errorf("only %d bytes are kept", k)
	}
	var holds []*DocumentHold
	for x := range int32(80) { // 10 MiB
		h, err := s.HoldDocument(ctx, at(x, 0).as(POI), Normal)
		if err != nil {
			t.Fatal(err)
		}
		holds = append(holds, h)
	}
	load()
	if k := kept(); k > 7<<20 {
		t.Errorf("%d bytes are kept beside 10 MiB that are held", k)
	}
	for _, h := range holds {
		h.Release()
	}
	load()
	if m := s.Metrics(); m.Objects != 0 || m.ObjectBytes != 0 {
		t.Errorf("%d objects of %d bytes are held by nobody", m.Objects, m.ObjectBytes)
	}
	closeStore(t, s)
}
