package pack

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"strata/bench/testbed"
	"strata/region/vfs"
)

func random(t testing.TB) *rand.Rand {
	return rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 2))
}

// object is random bytes that compress a little, or not at all.
func object(rnd *rand.Rand, n int) []byte {
	mask := ^uint64(0)
	if n%3 == 0 {
		mask = 0x0707070707070707
	}
	b := make([]byte, 0, n+8)
	for len(b) < n {
		b = binary.LittleEndian.AppendUint64(b, rnd.Uint64()&mask)
	}
	return b[:n]
}

func newStore(t testing.TB, fsys vfs.FS) *Store {
	t.Helper()
	if err := vfs.MkdirAll(fsys, "packs", 0o755); err != nil {
		t.Fatal(err)
	}
	return reopen(t, fsys)
}

func reopen(t testing.TB, fsys vfs.FS) *Store {
	t.Helper()
	s, err := Open(fsys, "packs", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// put writes objects, each as often as it is there.
func put(t testing.TB, s *Store, objects ...[]byte) (ids []ID) {
	t.Helper()
	w := s.NewWriter(false)
	for _, o := range objects {
		id, _, err := w.Put(o)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	return ids
}

func wantObjects(t testing.TB, s *Store, ids []ID, objects [][]byte) {
	t.Helper()
	for i, id := range ids {
		got, err := s.Get(id, nil)
		if err != nil || !bytes.Equal(got, objects[i]) {
			t.Fatalf("object %d of %d bytes: %d bytes came back, %v", i, len(objects[i]), len(got), err)
		}
	}
}

func someObjects(rnd *rand.Rand) (all [][]byte) {
	for range 200 {
		all = append(all, object(rnd, 1+rnd.IntN(6000)))
	}
	for _, n := range []int{1, FrameBytes - 3, FrameBytes, FrameBytes + 1, 3*FrameBytes - 2, 1 << 20} {
		all = append(all, object(rnd, n))
	}
	for range 50 {
		all = append(all, object(rnd, 1+rnd.IntN(900)))
	}
	return all
}

func TestObjectsComeBack(t *testing.T) {
	rnd, fsys := random(t), vfs.NewMem(vfs.MemOptions{})
	s := newStore(t, fsys)
	all := someObjects(rnd)
	ids := put(t, s, all...)
	wantObjects(t, s, ids, all)
	more := someObjects(rnd)
	moreIDs := put(t, s, more...)
	s = reopen(t, fsys)
	wantObjects(t, s, moreIDs, more)
	wantObjects(t, s, ids, all)
	if _, err := s.Get(ID{1, 2, 3}, nil); !errors.Is(err, ErrAbsent) {
		t.Errorf("an object that was never put: %v", err)
	}
}

func TestAnObjectIsStoredOnce(t *testing.T) {
	rnd, fsys := random(t), vfs.NewMem(vfs.MemOptions{})
	s := newStore(t, fsys)
	o := object(rnd, 5000)
	put(t, s, o, o)
	put(t, s, o)
	s = reopen(t, fsys)
	put(t, s, o)
	if n, _ := s.Objects(); n != 1 || len(s.Names()) != 1 {
		t.Errorf("%d objects in %d packs", n, len(s.Names()))
	}
}

func TestPacksEndAtTheirSize(t *testing.T) {
	rnd, fsys := random(t), vfs.NewMem(vfs.MemOptions{})
	s := newStore(t, fsys)
	w := s.NewWriter(false)
	for range 36 {
		if _, _, err := w.Put(object(rnd, 1<<20|1)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	names := s.Names()
	if len(names) != 2 || names[0].Bytes < 16<<20 || names[0].Bytes > 32<<20 {
		t.Errorf("packs are %v", names)
	}
}

// TestDamageIsFoundAndTheRestIsRead changes single bytes of a pack.
func TestDamageIsFoundAndTheRestIsRead(t *testing.T) {
	rnd, fsys := random(t), vfs.NewMem(vfs.MemOptions{})
	s := newStore(t, fsys)
	all := someObjects(rnd)
	ids := put(t, s, all...)
	name := "packs/" + s.Names()[0].Name
	whole, err := vfs.ReadFile(fsys, name, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	for range testbed.Runs(t, 25) {
		at := rnd.IntN(len(whole))
		if rnd.IntN(2) == 0 {
			at = len(whole) - 1 - rnd.IntN(12000) // the index
		}
		damaged := bytes.Clone(whole)
		damaged[at] ^= byte(1 + rnd.IntN(255))
		overwrite(t, fsys, name, damaged)
		s := reopen(t, fsys)
		c, err := s.Check(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Damage) == 0 {
			t.Fatalf("a changed byte at %d of %d was not found", at, len(whole))
		}
		for i, id := range ids {
			got, err := s.Get(id, nil)
			_, bad := c.Bad[id]
			if err != nil {
				if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrAbsent) {
					t.Fatal(err)
				}
				if !bad && s.Has(id) {
					t.Fatalf("object %d cannot be read and is not listed", i)
				}
				continue
			}
			if bad || !bytes.Equal(got, all[i]) {
				t.Fatalf("object %d is listed as bad (%v) and reads as %d bytes", i, bad, len(got))
			}
		}
	}
}

func overwrite(t testing.TB, fsys vfs.FS, name string, data []byte) {
	t.Helper()
	f, err := fsys.OpenFile(name, os.O_RDWR|os.O_TRUNC, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt(data, 0); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestALostIndexIsMadeAnew(t *testing.T) {
	rnd, fsys := random(t), vfs.NewMem(vfs.MemOptions{})
	s := newStore(t, fsys)
	all := someObjects(rnd)
	ids := put(t, s, all...)
	name := "packs/" + s.Names()[0].Name
	whole, err := vfs.ReadFile(fsys, name, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	overwrite(t, fsys, name, whole[:len(whole)-30])
	wantObjects(t, reopen(t, fsys), ids, all)
}

func TestRepackKeepsWhatIsNeeded(t *testing.T) {
	rnd, fsys := random(t), vfs.NewMem(vfs.MemOptions{})
	s := newStore(t, fsys)
	var ids []ID
	var all [][]byte
	for range 10 {
		more := someObjects(rnd)[:100]
		ids, all = append(ids, put(t, s, more...)...), append(all, more...)
	}
	live := map[ID]bool{}
	var kept []ID
	var keptObjects [][]byte
	for i := range ids {
		if i < 500 && i%5 == 0 || i >= 900 {
			live[ids[i]] = true
			kept, keptObjects = append(kept, ids[i]), append(keptObjects, all[i])
		}
	}
	o := RepackOptions{Live: func(id ID) bool { return live[id] }, Threshold: 50, DryRun: true}
	plan, err := s.Repack(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(s.Names()); got != 10 {
		t.Fatalf("a dry run leaves %d packs", got)
	}
	o.DryRun = false
	done, err := s.Repack(context.Background(), o)
	if err != nil || fmt.Sprint(done) != fmt.Sprint(plan) {
		t.Fatalf("planned %+v, done %+v, %v", plan, done, err)
	}
	wantObjects(t, s, kept, keptObjects)
	s = reopen(t, fsys)
	wantObjects(t, s, kept, keptObjects)
	if n, _ := s.Objects(); n != int64(len(kept)) {
		t.Errorf("%d objects are left, %d are needed", n, len(kept))
	}
}

func FuzzIndex(f *testing.F) {
	x := index{frames: []frame{{at: 8, length: 20, raw: 30, begins: true}}}
	x.add(ID{1}, 1, 29)
	b := x.append(nil)
	f.Add(b[:len(b)-trailerBytes])
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := parseIndex(b, 8+16+20)
		if err != nil && !errors.Is(err, ErrDamaged) {
			t.Fatal(err)
		}
		if err == nil && got.objects() > len(b) {
			t.Fatal("more objects than bytes")
		}
	})
}
