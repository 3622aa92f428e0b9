package undo

import (
	"errors"
	"math/rand/v2"
	"testing"

	"strata/anvil/store"
	"strata/bench/testbed"
	"strata/region/vfs"
)

// crashAt does work on a copy of a world whose file system dies at the n-th
// operation that changes the disk. It returns what a power cut leaves, or nil if
// the work was through before.
func crashAt(t *testing.T, from *vfs.Mem, n int, o vfs.CrashOptions, work func(*store.Store) error) *vfs.Mem {
	t.Helper()
	m := from.CrashClone(vfs.CrashOptions{Keep: vfs.KeepAll})
	fault := vfs.NewFault(m)
	s, err := store.Open(worldAt(fault, "w"), store.Options{Memory: 16 << 20, NoControl: true})
	if err != nil {
		t.Fatal(err)
	}
	rule := fault.Add(vfs.Rule{Ops: vfs.OpMutating, Nth: n, Crash: true})
	err = work(s)
	if rule.Fired() == 0 {
		rule.Withdraw()
		if err != nil {
			t.Fatalf("without a crash: %v", err)
		}
		closeStore(t, s)
		return nil
	}
	s.Abandon() // its disk is dead
	return m.CrashClone(o)
}

// crashes runs work with a crash at every step operations, until it gets
// through, and looks at what is left each time.
func crashes(t *testing.T, from *vfs.Mem, step int, rng *rand.Rand, work func(*store.Store) error, look func(t *testing.T, n int, s *store.Store)) int {
	t.Helper()
	for n := rng.IntN(step); ; n += step {
		o := vfs.CrashOptions{Keep: []vfs.Keep{vfs.KeepNone, vfs.KeepAll, vfs.KeepRandom}[rng.IntN(3)], Seed: rng.Uint64()}
		left := crashAt(t, from, n, o, work)
		if left == nil {
			return n
		}
		s := open(t, worldAt(left, "w"))
		look(t, n, s)
		closeStore(t, s)
		if t.Failed() {
			t.Fatalf("crash at operation %d, %+v", n, o)
		}
	}
}

func TestChangesThatDieAnywhereAreTakenBack(t *testing.T) {
	rng := random(t)
	m := vfs.NewMem(vfs.MemOptions{})
	s := open(t, makeWorld(t, m, "w"))
	sc := makeScene(t, s, rng, 12, true)
	before := content(t, s)
	closeStore(t, s)
	seed := rng.Uint64()
	change := func(s *store.Store) error { return sc.run(s, rand.New(rand.NewPCG(seed, 2)), true) }
	states := map[State]int{}
	n := crashes(t, m, 1+12/testbed.Runs(t, 6), rng, change, func(t *testing.T, _ int, s *store.Store) {
		infos, err := List(worldOf(s).fs, "w")
		if err != nil || len(infos) > 1 {
			t.Fatal(infos, err)
		}
		state := State("none")
		if len(infos) == 1 {
			state = infos[0].State
		}
		states[state]++
		r, err := undoLast(s, RestoreOptions{})
		switch {
		case errors.Is(err, ErrNoChange) && (state == Saving || state == "none"):
		case err != nil || len(r.Failed) > 0:
			t.Errorf("undo in state %s: %v, %+v", state, err, r)
		}
		if d := compareContent(content(t, s), before); d != "" {
			t.Errorf("after undo in state %s: %s", state, d)
		}
	})
	t.Logf("%d operations, states after the crash: %v", n, states)
	if states[Writing] == 0 {
		t.Error("no crash fell between the first and the last write")
	}
}

func TestUndoThatDiesAnywhereRunsAgainToTheSameEnd(t *testing.T) {
	rng := random(t)
	for _, finished := range []bool{true, false} {
		m := vfs.NewMem(vfs.MemOptions{})
		s := open(t, makeWorld(t, m, "w"))
		sc := makeScene(t, s, rng, 12, true)
		before := content(t, s)
		if finished {
			if err := sc.run(s, rng, true); err != nil {
				t.Fatal(err)
			}
		} else {
			c, err := Begin(s, "killed", Options{})
			if err == nil {
				err = sc.keep(c)
			}
			if err == nil {
				err = sc.change(s, rng, true)
			}
			if err == nil {
				err = c.Abort()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		closeStore(t, s)
		undo := func(s *store.Store) error {
			r, err := undoLast(s, RestoreOptions{})
			if err == nil && len(r.Failed) > 0 {
				err = r.Failed[0].Err
			}
			return err
		}
		n := crashes(t, m, 1+12/testbed.Runs(t, 6), rng, undo, func(t *testing.T, _ int, s *store.Store) {
			if err := undo(s); err != nil && !errors.Is(err, ErrNoChange) {
				t.Errorf("undo again: %v", err)
			}
			if d := compareContent(content(t, s), before); d != "" {
				t.Errorf("after undo: %s", d)
			}
			infos, err := List(worldOf(s).fs, "w")
			if err != nil || len(infos) != 1 || infos[0].State != Undone {
				t.Errorf("%+v, %v", infos, err)
			}
		})
		t.Logf("%d operations", n)
	}
}
