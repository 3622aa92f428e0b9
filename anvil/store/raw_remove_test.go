package store

import (
	"errors"
	"io/fs"
	"testing"

	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

func TestRemoveEmptyTakesAwayOnlyWhatHoldsNothing(t *testing.T) {
	m := mem()
	w := makeWorld(t, m, "w")
	s := openStore(t, w, small())
	defer closeStore(t, s)
	r := raw(t, s, Chunks)
	put(t, s, at(0, 0), 1)
	put(t, s, at(1, 0), 2)
	put(t, s, at(40, 0), 3)
	barrier(t, s)
	home := at(0, 0).Pos.Region()
	remove := func(want bool) {
		t.Helper()
		s.cache.cache.Wait()
		if removed, err := r.RemoveEmpty(ctx, home); err != nil || removed != want {
			t.Errorf("removed %v, %v, want %v", removed, err, want)
		}
	}
	remove(false)
	for x := range int32(2) {
		_, old := again(t, r, at(x, 0).Pos, codec.Zlib, 6)
		if err := r.Delete(ctx, at(x, 0).Pos, old); err != nil {
			t.Fatal(err)
		}
		remove(x == 1)
	}
	remove(false)
	if _, err := m.Stat(r.f.path(home)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is there: %v", err)
	}
	if n := get(t, s, at(40, 0)); n != 3 {
		t.Errorf("the other region has %d", n)
	}
	// And the region can be written again.
	put(t, s, at(1, 0), 5)
	barrier(t, s)
	if n := onDisk(t, m, w, at(1, 0)); n != 5 {
		t.Errorf("written again: %d", n)
	}
}

func TestRawReplaceSetsATimestamp(t *testing.T) {
	m := mem()
	w := makeWorld(t, m, "w")
	s := openStore(t, w, small())
	defer closeStore(t, s)
	r := raw(t, s, Chunks)
	put(t, s, at(0, 0), 1)
	barrier(t, s)
	for _, stamp := range []uint32{7, 0, 1 << 31} {
		rec, old := again(t, r, at(0, 0).Pos, codec.Zlib, 6)
		if err := r.Replace(ctx, at(0, 0).Pos, RawWrite{Old: old, Record: rec, SameContent: true, Timestamp: &stamp}); err != nil {
			t.Fatal(err)
		}
		if rec, err := r.Read(at(0, 0).Pos, nil); err != nil || rec.Entry.Timestamp != stamp {
			t.Errorf("timestamp %d, %v, want %d", rec.Entry.Timestamp, err, stamp)
		}
	}
}

func TestRemoveOrphanTakesAwayOnlyWhatNoRecordNames(t *testing.T) {
	m := mem()
	w := makeWorld(t, m, "w")
	s := openStore(t, w, small())
	defer closeStore(t, s)
	r := raw(t, s, Chunks)
	put(t, s, at(0, 0), 1)
	barrier(t, s)
	large := region.Record{Scheme: codec.None, Data: make([]byte, 2<<20)}
	if err := r.Replace(ctx, at(1, 0).Pos, RawWrite{Record: large}); err != nil {
		t.Fatal(err)
	}
	for x := range int32(3) {
		if x != 1 {
			if err := vfs.WriteFileSync(m, r.f.body(at(x, 0).Pos), []byte("orphan"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if removed, err := r.RemoveOrphan(ctx, at(x, 0).Pos); err != nil || removed != (x != 1) {
			t.Errorf("%d: removed %v, %v", x, removed, err)
		}
	}
	if rec, err := r.Read(at(1, 0).Pos, nil); err != nil || len(rec.Data) != 2<<20 {
		t.Errorf("the external record: %d bytes, %v", len(rec.Data), err)
	}
}
