package shrink

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"strata/anvil/store"
	"strata/bench/testbed"
	"strata/region"
	"strata/region/vfs"
)

func TestCompactingTakesFreeSectorsOutAndNothingElse(t *testing.T) {
	rng := random(t)
	m := vfs.NewMem(vfs.MemOptions{})
	w := makeWorld(t, m, "w")
	fill(t, w, rng, 30, true, true)
	s := open(t, w)
	before := read(t, s)
	v, err := Look(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	planned := v.Estimate()
	got, err := Compact(ctx, s, v, CompactOptions{Workers: 2})
	if err != nil || len(got.Failed) > 0 || got.Rewritten == 0 || got.BytesAfter >= got.BytesBefore {
		t.Fatalf("%v, %+v", err, got)
	}
	if planned.BytesAfter != got.BytesAfter || planned.Rewritten != got.Rewritten || planned.Records != got.Records {
		t.Errorf("planned %+v, done %+v", planned, got)
	}
	if d := differ(read(t, s), before, true, true); d != "" {
		t.Error(d)
	}
	if v, err = Look(ctx, s); err != nil {
		t.Fatal(err)
	}
	if again := v.Estimate(); again.Rewritten != 0 || again.BytesBefore != got.BytesAfter {
		t.Errorf("again %+v", again)
	}
	closeStore(t, s)
	check(t, w)
}

func TestFilesWithOverlapsAreNotCompacted(t *testing.T) {
	m := vfs.NewMem(vfs.MemOptions{})
	w := makeWorld(t, m, "w")
	fill(t, w, random(t), 20, false, false)
	path := filepath.Join(w.Dimensions[0].Region, "r.0.0.mca")
	data, err := vfs.ReadFile(m, path, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	copy(data[900*4:901*4], data[:4]) // slot 900 names what slot 0 does
	if err := vfs.WriteFileSync(m, path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	s := open(t, w)
	defer closeStore(t, s)
	before := read(t, s)
	v, err := Look(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	if planned := v.Estimate(); len(planned.Failed) != 1 {
		t.Errorf("planned %+v", planned)
	}
	got, err := Compact(ctx, s, v, CompactOptions{})
	if err != nil || len(got.Failed) != 1 || !errors.Is(got.Failed[0].Err, region.ErrNeedsRepair) {
		t.Errorf("%v, %+v", err, got)
	}
	// Recompressing writes copies of their own, and leaves the rest.
	out, err := recompressed(s, RecompressOptions{Level: 9})
	if err != nil || len(out.Failed) > 0 {
		t.Errorf("%v, %+v", err, out)
	}
	if d := differ(read(t, s), before, true, false); d != "" {
		t.Error(d)
	}
}

func TestFilesWithLostHeadersAreNotCompacted(t *testing.T) {
	m := vfs.NewMem(vfs.MemOptions{})
	w := makeWorld(t, m, "w")
	fill(t, w, random(t), 20, false, false)
	var paths []string
	for i, damage := range [][]byte{make([]byte, region.HeaderBytes), {0x70, 0, 0, 1}, {0, 0, 1, 1}, {0, 0, 9, 0}} {
		from, to := filepath.Join(w.Dimensions[0].Region, "r.0.0.mca"), filepath.Join(w.Dimensions[0].Region, region.Pos{X: int32(10 + i)}.Name())
		data, err := vfs.ReadFile(m, from, 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		copy(data, damage)
		if err := vfs.WriteFileSync(m, to, data, 0o644); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, to)
	}
	s := open(t, w)
	defer closeStore(t, s)
	v, err := Look(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	planned := v.Estimate()
	got, err := Compact(ctx, s, v, CompactOptions{})
	if err != nil || len(got.Failed) != len(paths) || len(planned.Failed) != len(paths) || planned.BytesAfter != got.BytesAfter {
		t.Errorf("%v, planned %+v, done %+v", err, planned, got)
	}
	for _, path := range paths {
		info, err := m.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range v.Files {
			if v.Files[i].Path == path && v.Files[i].Bytes != info.Size {
				t.Errorf("%s has %d bytes, had %d", path, info.Size, v.Files[i].Bytes)
			}
		}
	}
}

func TestLinkedFilesAreNotChangedInPlace(t *testing.T) {
	w := makeWorld(t, vfs.OS(), filepath.Join(t.TempDir(), "w"))
	fill(t, w, random(t), 20, false, false)
	path := filepath.Join(w.Dimensions[0].Region, "r.0.0.mca")
	other := filepath.Join(t.TempDir(), "snapshot.mca")
	if err := os.Link(path, other); err != nil {
		testbed.SkipOrFail(t, "no hard links here: %v", err)
	}
	want, err := os.ReadFile(other)
	if err != nil {
		t.Fatal(err)
	}
	for name, run := range map[string]func(*store.Store) (int, error){
		"compact": func(s *store.Store) (int, error) {
			v, err := Look(ctx, s)
			if err != nil {
				return 0, err
			}
			c, err := Compact(ctx, s, v, CompactOptions{})
			return c.Linked, err
		},
		"recompress": func(s *store.Store) (int, error) {
			_, err := recompressed(s, RecompressOptions{Level: 9})
			return 1, err
		},
	} {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := os.Link(other, path); err != nil {
			t.Fatal(err)
		}
		s := open(t, w)
		before := read(t, s)
		if linked, err := run(s); linked != 1 || err != nil {
			t.Errorf("%s: %d linked files, %v", name, linked, err)
		}
		if d := differ(read(t, s), before, true, false); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		closeStore(t, s)
		if now, err := os.ReadFile(other); err != nil || string(now) != string(want) {
			t.Errorf("%s: the other name's file has changed, %v", name, err)
		}
	}
}

func TestRoomIsAskedForBeforeAnythingIsDone(t *testing.T) {
	m := vfs.NewMem(vfs.MemOptions{})
	w := makeWorld(t, m, "w")
	fill(t, w, random(t), 5, false, false)
	s := open(t, w)
	defer closeStore(t, s)
	v, err := Look(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	free, err := m.FreeBytes("w")
	if errors.Is(err, vfs.ErrUnsupported) {
		testbed.SkipOrFail(t, "no hard links here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Room(s, 2, 0); err != nil {
		t.Errorf("there is room: %v", err)
	}
	var room *RoomError
	if err := v.Room(s, 2, free); !errors.As(err, &room) || !errors.Is(err, vfs.ErrNoSpace) || room.Need <= room.Free {
		t.Errorf("no room: %v", err)
	}
}

func TestOrphansOfOthersStay(t *testing.T) {
	m := vfs.NewMem(vfs.MemOptions{})
	w := makeWorld(t, m, "w")
	fill(t, w, random(t), 10, false, true)
	orphan := filepath.Join(w.Dimensions[0].Region, "c.3.3.mcc")
	if err := vfs.WriteFileSync(m, orphan, []byte("perhaps of use"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := open(t, w)
	defer closeStore(t, s)
	if out, err := recompressed(s, RecompressOptions{Level: 9}); err != nil || out.Replaced == 0 || len(out.Failed) > 0 {
		t.Fatalf("%v, %+v", err, out)
	}
	if data, err := vfs.ReadFile(m, orphan, 100); err != nil || string(data) != "perhaps of use" {
		t.Errorf("%q, %v", data, err)
	}
}
