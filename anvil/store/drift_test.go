package store

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"strata/anvil/chunk"
)

func inhabited(n int64) func(*chunk.Chunk) error {
	return func(c *chunk.Chunk) error { c.SetInhabitedTime(n); return nil }
}

// heldChunks are n saved chunks that are held, step apart.
func heldChunks(t *testing.T, s *Store, n, step int32) []*Hold {
	t.Helper()
	for i := range n {
		put(t, s, at(i*step, 0), 1)
	}
	barrier(t, s)
	holds := make([]*Hold, n)
	for i := range holds {
		h, err := s.Load(ctx, 0, at(int32(i)*step, 0).Pos, Normal)
		if err != nil {
			t.Fatal(err)
		}
		holds[i] = h
	}
	return holds
}

func update(t *testing.T, h *Hold, change Change, f func(*chunk.Chunk) error) {
	t.Helper()
	if err := h.Update(change, f); err != nil {
		t.Fatal(err)
	}
}

// noWait fails if changes have to wait for room.
func noWait(t *testing.T, s *Store) {
	t.Helper()
	short, cancel := context.WithTimeout(ctx, time.Millisecond)
	defer cancel()
	if err := s.WaitForRoom(short); err != nil {
		t.Errorf("no room: %v", err)
	}
}

func TestDriftBeyondTheLimitHoldsNothingBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := makeWorld(t, mem(), "w")
		opts := small()
		opts.DirtyLimit = 24 * minObject
		s := openStore(t, w, opts)
		const n = 40
		holds := heldChunks(t, s, n, 32) // each in a region file of its own
		before := s.Metrics()
		for i, h := range holds {
			time.Sleep(time.Second)
			update(t, h, Structural, inhabited(int64(i+1)))
		}
		m := s.Metrics()
		if m.DriftBytes <= opts.DirtyLimit || m.DirtyBytes != m.DriftBytes {
			t.Fatalf("%d bytes of drift, %d changed, limit %d", m.DriftBytes, m.DirtyBytes, opts.DirtyLimit)
		}
		noWait(t, s)
		// An epoch saves what is structural and no drift.
		update(t, holds[0], Structural, updateNumber(2))
		time.Sleep(6 * time.Second)
		if m = s.Metrics(); m.Saves-before.Saves != 1 || m.Epochs-before.Epochs != 1 {
			t.Errorf("%d saves in %d epochs, not the one that is structural", m.Saves-before.Saves, m.Epochs-before.Epochs)
		}
		// Autosave takes the oldest first, some at a time, and nobody waits.
		time.Sleep(s.opts.Autosave - n*time.Second)
		synctest.Wait()
		saved := s.Metrics().Saves - before.Saves
		if saved == 0 || saved > n/2 {
			t.Errorf("%d of %d saved as soon as the first ones are due", saved, n)
		}
		noWait(t, s)
		time.Sleep(n * time.Second)
		synctest.Wait()
		if m = s.Metrics(); m.Saves-before.Saves != n || m.DriftBytes != 0 || m.DirtyBytes != 0 || m.Waits != before.Waits {
			t.Errorf("%d saves, %d bytes of drift, %d changed, %d waits", m.Saves-before.Saves, m.DriftBytes, m.DirtyBytes, m.Waits-before.Waits)
		}
		for _, h := range holds {
			h.Release()
		}
		closeStore(t, s)
		check(t, w)
	})
}

// Drift that is due at once is saved in epochs that each hold back a part of the
// limit, and in between what is structural is.
func TestDueDriftIsSavedInParts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := makeWorld(t, mem(), "w")
		opts := small()
		opts.DirtyLimit = 40 * minObject
		s := openStore(t, w, opts)
		const n = 60
		holds := heldChunks(t, s, n, 32)
		size := s.Metrics().ObjectBytes / n
		before := s.Metrics()
		for i, h := range holds {
			update(t, h, Structural, inhabited(int64(i+1)))
		}
		time.Sleep(s.opts.Autosave + time.Second)
		synctest.Wait()
		m := s.Metrics()
		atOnce := max(1, opts.DirtyLimit/driftShare/size)
		if least := (n + atOnce - 1) / atOnce; m.Epochs-before.Epochs != least || m.Saves-before.Saves != n {
			t.Errorf("%d saves in %d epochs, want %d in %d", m.Saves-before.Saves, m.Epochs-before.Epochs, n, least)
		}
		for _, h := range holds {
			h.Release()
		}
		closeStore(t, s)
		check(t, w)
	})
}

func TestDriftInManyRegionsHoldsNothingBack(t *testing.T) {
	if testing.Short() {
		t.Skip("makes hundreds of region files")
	}
	synctest.Test(t, func(t *testing.T) {
		w := makeWorld(t, mem(), "w")
		s := openStore(t, w, Options{Memory: 64 << 20})
		const n = maxRegions + 40
		holds := heldChunks(t, s, n, 32)
		before := s.Metrics()
		for i, h := range holds {
			update(t, h, Structural, inhabited(int64(i+1)))
		}
		noWait(t, s)
		time.Sleep(10 * time.Second)
		if m := s.Metrics(); m.Saves != before.Saves {
			t.Errorf("%d saves of what drifts", m.Saves-before.Saves)
		}
		time.Sleep(s.opts.Autosave)
		synctest.Wait()
		if m := s.Metrics(); m.Saves-before.Saves != n || m.Epochs-before.Epochs != 2 {
			t.Errorf("%d saves in %d epochs, want %d in 2", m.Saves-before.Saves, m.Epochs-before.Epochs, n)
		}
		// A barrier and closing take all of it, by as many epochs.
		for _, all := range []func(*testing.T, *Store){func(t *testing.T, s *Store) { barrier(t, s) }, func(t *testing.T, s *Store) { closeStore(t, s) }} {
			before = s.Metrics()
			for _, h := range holds {
				update(t, h, Structural, inhabited(2000+before.Epochs))
			}
			all(t, s)
			if m := s.Metrics(); m.Saves-before.Saves != n || m.Epochs-before.Epochs != 2 || m.DirtyBytes != 0 {
				t.Errorf("%d saves in %d epochs, want %d in 2; %d bytes are left", m.Saves-before.Saves, m.Epochs-before.Epochs, n, m.DirtyBytes)
			}
		}
		for _, h := range holds {
			h.Release()
		}
	})
}

// The counters of what is changed go back to nothing whatever becomes of it.
func TestDriftIsCountedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openStore(t, makeWorld(t, mem(), "w"), small())
		holds := heldChunks(t, s, 3, 1)
		counted := func(dirty, drift bool) {
			t.Helper()
			m := s.Metrics()
			if (m.DirtyBytes-m.DriftBytes > 0) != dirty || (m.DriftBytes > 0) != drift {
				t.Errorf("%d bytes changed, %d of them drift", m.DirtyBytes, m.DriftBytes)
			}
			if m.DirtyBytes > m.ObjectBytes {
				t.Errorf("%d bytes changed of %d", m.DirtyBytes, m.ObjectBytes)
			}
		}
		counted(false, false)
		update(t, holds[0], Structural, inhabited(1))
		update(t, holds[0], Structural, inhabited(2))
		counted(false, true)
		update(t, holds[0], Structural, updateNumber(2)) // drift becomes structural
		counted(true, false)
		update(t, holds[0], Structural, inhabited(3))
		counted(true, false)
		barrier(t, s)
		counted(false, false)
		update(t, holds[1], Structural, inhabited(1))
		holds[1].Release() // what is released is saved at the next epoch
		counted(true, false)
		time.Sleep(6 * time.Second)
		counted(false, false)
		// Changed again between cut and content, once by drift and once not.
		update(t, holds[0], Structural, inhabited(4))
		update(t, holds[2], Structural, updateNumber(4))
		b := s.cut(true)
		update(t, holds[0], Structural, inhabited(5))
		update(t, holds[2], Structural, inhabited(5))
		s.publish.Lock()
		s.take(b)
		counted(false, true)
		err := s.commit(b)
		s.settle(b, err)
		s.publish.Unlock()
		if err != nil {
			t.Fatal(err)
		}
		barrier(t, s)
		counted(false, false)
		holds[0].Release()
		holds[2].Release()
		closeStore(t, s)
	})
}
