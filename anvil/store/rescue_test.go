package store

import (
	"context"
	"errors"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"strata/anvil/chunk"
	"strata/region"
	"strata/region/vfs"
)

// badRegion is a world in which nothing can be written to r.0.0.mca of the
// overworld's chunks.
func badRegion(t testing.TB, told *events) (m *vfs.Mem, s *Store, bad *vfs.Planned) {
	t.Helper()
	m = mem()
	w := makeWorld(t, m, "w")
	f := vfs.NewFault(m)
	w.FS = f
	opts := small()
	opts.Events = told.add
	s = openStore(t, w, opts)
	put(t, s, at(0, 0), 1)
	put(t, s, at(1, 0), 1)
	put(t, s, at(40, 0), 1)
	barrier(t, s)
	return m, s, f.Add(vfs.Rule{Ops: vfs.OpWrite, Name: "r.0.0.mca", Forever: true, Err: syscall.EIO})
}

func TestOneBadRegionDoesNotBlockAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told events
		m, s, bad := badRegion(t, &told)
		put(t, s, at(0, 0), 2)
		put(t, s, at(40, 0), 2)
		if err := s.Barrier(ctx); !errors.Is(err, syscall.EIO) {
			t.Errorf("the first failure: %v", err)
		}
		w := worldAt(m, "w")
		if n := onDisk(t, m, w, at(40, 0)); n != 1 {
			t.Errorf("a part of an epoch is on the disk: %d", n)
		}
		if n := get(t, s, at(0, 0)); n != 2 {
			t.Errorf("%d in memory", n)
		}
		time.Sleep(11 * time.Second) // two more
		synctest.Wait()
		if n := onDisk(t, m, w, at(40, 0)); n != 2 {
			t.Errorf("the epoch did not go on without the bad one: %d", n)
		}
		// It is where it can be found, and still what everybody gets.
		all, err := ListRescued(m, "w")
		if err != nil || len(all) != 1 || all[0].Dimension != "minecraft:overworld" || all[0].Kind != Chunks || all[0].Pos != at(0, 0).Pos {
			t.Fatalf("rescued %v, %v", all, err)
		}
		if n := rescuedNumber(t, m.CrashClone(vfs.CrashOptions{}), all[0]); n != 2 {
			t.Errorf("rescued %d", n)
		}
		if n := get(t, s, at(0, 0)); n != 2 {
			t.Errorf("%d in memory", n)
		}
		// The region takes no more changes, even if it would work again; others
		// do.
		bad.Withdraw()
		for _, err := range []error{
			s.Put(ctx, 0, numbered(t, s.Tables(), at(0, 0).Pos, 3)),
			s.Update(ctx, 0, at(1, 0).Pos, Structural, updateNumber(3)),
			s.Delete(ctx, at(1, 0)),
		} {
			if !errors.Is(err, ErrFrozen) {
				t.Errorf("a change of a frozen region: %v", err)
			}
		}
		if n := get(t, s, at(1, 0)); n != 1 {
			t.Errorf("chunk beside it: %d", n)
		}
		put(t, s, at(40, 0), 3)
		put(t, s, at(0, 0).as(Entities), 3)
		barrier(t, s)
		if told.count(ObjectRescued) != 1 || told.count(RegionFrozen) != 1 || told.count(SaveFailed) != 3 || s.Metrics().Rescued != 1 {
			t.Errorf("told %v", told.all)
		}
		closeStore(t, s)
		s = openStore(t, w, small())
		put(t, s, at(0, 0), 4)
		closeStore(t, s)
	})
}

func rescuedNumber(t testing.TB, fsys vfs.FS, r Rescued) int32 {
	t.Helper()
	data, err := ReadRescued(fsys, r)
	if err != nil {
		t.Fatal(err)
	}
	c, err := chunk.NewDecoder(chunk.NewTables()).Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return number(c)
}

// What was changed in a region before it became read-only is rescued too, and
// closing does not lose it.
func TestCloseRescuesWhatCannotBeSaved(t *testing.T) {
	var told events
	m, s, _ := badRegion(t, &told)
	put(t, s, at(0, 0), 2)
	put(t, s, at(1, 0), 3)
	put(t, s, at(40, 0), 4)
	closeStore(t, s)
	if told.count(RescueLeft) != 1 {
		t.Errorf("closing says nothing of it: %v", told.all)
	}
	all, err := ListRescued(m, "w")
	if err != nil || len(all) != 2 {
		t.Fatalf("rescued %v, %v", all, err)
	}
	for i, want := range []int32{2, 3} {
		if n := rescuedNumber(t, m, all[i]); n != want {
			t.Errorf("rescued %d, want %d", n, want)
		}
	}
	if n := onDisk(t, m, worldAt(m, "w"), at(40, 0)); n != 4 {
		t.Errorf("%d on the disk", n)
	}
}

func TestADataFileThatCannotBeReplacedDoesNotBlockAll(t *testing.T) {
	m := mem()
	w := makeWorld(t, m, "w")
	f := vfs.NewFault(m)
	w.FS = f
	s := openStore(t, w, small())
	stage := func(path string) {
		t.Helper()
		if err := s.StageFile(path, playerDat(t, 7), FileOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	stage(playerPath)
	stage("w/players/data/2.dat")
	put(t, s, at(0, 0), 1)
	bad := f.Add(vfs.Rule{Ops: vfs.OpStat, Name: "1.dat", Forever: true, Err: syscall.EIO})
	for n := range 3 {
		if err := s.Barrier(ctx); (err == nil) != (n == 2) {
			t.Errorf("barrier %d: %v", n, err)
		}
	}
	bad.Withdraw()
	all, err := ListRescued(m, "w")
	if err != nil || len(all) != 1 || all[0].File != "1.dat" {
		t.Fatalf("rescued %v, %v", all, err)
	}
	if data, err := ReadRescued(m, all[0]); err != nil || fileNumber(t, data) != 7 {
		t.Errorf("rescued %q, %v", data, err)
	}
	if data, err := vfs.ReadFile(m, "w/players/data/2.dat", 100); err != nil || fileNumber(t, data) != 7 {
		t.Errorf("the other file: %v", err)
	}
	if n := onDisk(t, m, worldAt(m, "w"), at(0, 0)); n != 1 {
		t.Errorf("%d on the disk", n)
	}
	if d := s.Metrics(); d.DirtyBytes != 0 || d.FlyingBytes != 0 {
		t.Errorf("still counted: %d and %d bytes", d.DirtyBytes, d.FlyingBytes)
	}
	closeStore(t, s)
}

// A record that cannot be read came to be where a chunk was loaded from: the
// region refuses writing over it, which is that one object's failure.
func TestOneBadObjectIsBlamedAlone(t *testing.T) {
	m := mem()
	w := makeWorld(t, m, "w")
	var told events
	opts := small()
	opts.Events = told.add
	opts.Attempts = 1
	s := openStore(t, w, opts)
	put(t, s, at(40, 0), 1)
	// Behind the store's back, after it has looked.
	h, err := s.HoldDocument(ctx, at(0, 0).as(Entities), Normal)
	if err != nil {
		t.Fatal(err)
	}
	writeRecord(t, w, at(0, 0).as(Entities), numberedDocument(t, at(0, 0), 1))
	d, err := region.OpenFolder(w.Dimensions[0].Entities, region.FolderOptions{Options: region.Options{FS: m}})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Write(context.Background(), at(0, 0).Pos, region.Write{Scheme: 2, Data: []byte("no stream")}); err != nil {
		t.Fatal(err)
	}
	d.Close()
	if err := s.Together(func(tx Together) error {
		return tx.UpdateDocument(h, Structural, func([]byte) ([]byte, error) { return numberedDocument(t, at(0, 0), 2), nil })
	}); err != nil {
		t.Fatal(err)
	}
	put(t, s, at(1, 1).as(Entities), 5)
	barrier(t, s)
	h.Release()
	var saved []string
	for _, e := range told.all {
		if e.Kind == SaveFailed {
			saved = append(saved, e.Ref.String())
			if !errors.Is(e.Err, region.ErrUnreadable) {
				t.Errorf("failed with %v", e.Err)
			}
		}
	}
	if len(saved) != 1 || saved[0] != at(0, 0).as(Entities).String() {
		t.Errorf("blamed %v", saved)
	}
	// What shares its region is rescued with it: the region is read-only.
	if all, _ := ListRescued(m, "w"); len(all) != 2 {
		t.Errorf("rescued %v", all)
	}
	closeStore(t, s)
	if n := onDisk(t, m, w, at(40, 0)); n != 1 {
		t.Errorf("%d on the disk", n)
	}
}

func TestRescueNamesReadBack(t *testing.T) {
	s := &Store{world: World{Dimensions: []Dimension{{Name: "minecraft:overworld"}, {Name: "a/b@c%:\u2603.-_Z"}}}}
	for dim := range Dim(2) {
		for k := range Kind(kinds) {
			ref := Ref{dim, k, region.ChunkPos{X: -1875000, Z: 17}}
			name := s.rescueName(ref)
			r, ok := parseRescued(name)
			if !ok || r.Dimension != s.world.Dimensions[dim].Name || r.Kind != k || r.Pos != ref.Pos {
				t.Errorf("%s: %+v", name, r)
			}
			if strings.ContainsAny(name, `:/\*?"<>|`) {
				t.Errorf("%s is no name on some systems", name)
			}
		}
	}
	for name, want := range map[string]Rescued{
		"region@a@1@2.nbt@2": {Dimension: "a", Pos: region.ChunkPos{X: 1, Z: 2}},
		"poi@a@1@2.nbt@1000": {Dimension: "a", Kind: POI, Pos: region.ChunkPos{X: 1, Z: 2}},
		"file@level.dat":     {File: "level.dat"},
		"file@level.dat@2":   {File: "level.dat"},
		"file@a%402.nbt@3":   {File: "a@2.nbt"},
		"file@2":             {File: "2"},
	} {
		if r, ok := parseRescued(name); !ok || r != want {
			t.Errorf("%s: %+v", name, r)
		}
	}
	for _, name := range []string{"", "region@x@1.nbt", "region@x@1@2.nbt@1", "region@x@1@2.nbt@1001", "region@x@1@2.nbt@", "region@x@1@2@2", "region@x@1@2@3.nbt", "regions@x@1@2.nbt", "region@%@1@2.nbt", "region@%zz@1@2.nbt", "region@x@a@2.nbt"} {
		if _, ok := parseRescued(name); ok {
			t.Errorf("%q was read", name)
		}
	}
}

// What was rescued earlier, and nobody has taken back, is not lost to what is
// rescued later.
func TestRescueKeepsWhatIsThere(t *testing.T) {
	m := mem()
	w := makeWorld(t, m, "w")
	opts := small()
	opts.Attempts = 1
	for n := range int32(3) {
		f := vfs.NewFault(m)
		w.FS = f
		s := openStore(t, w, opts)
		f.Add(vfs.Rule{Ops: vfs.OpCreate, Name: "r.0.0.mca", Forever: true, Err: syscall.EIO})
		put(t, s, at(0, 0), n+1)
		closeStore(t, s)
	}
	all, err := ListRescued(m, "w")
	if err != nil || len(all) != 3 {
		t.Fatalf("rescued %v, %v", all, err)
	}
	seen := map[int32]bool{}
	for _, r := range all {
		if r.Pos != at(0, 0).Pos || r.Kind != Chunks {
			t.Errorf("rescued %+v", r)
		}
		seen[rescuedNumber(t, m, r)] = true
	}
	if !seen[1] || !seen[2] || !seen[3] {
		t.Errorf("versions %v", seen)
	}
}
