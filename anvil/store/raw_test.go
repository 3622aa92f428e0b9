package store

import (
	"errors"
	"io/fs"
	"testing"

	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

func raw(t testing.TB, s *Store, k Kind) *Raw {
	t.Helper()
	r, err := s.Raw(0, k)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// again is a chunk's record in another encoding, or another number.
func again(t testing.TB, r *Raw, pos region.ChunkPos, scheme codec.Scheme, level codec.Level) (region.Record, region.Entry) {
	t.Helper()
	rec, err := r.Read(pos, nil)
	if err != nil {
		t.Fatal(err)
	}
	payload, err := rec.AppendDecoded(new(codec.Decoder), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	enc, err := codec.NewEncoder(scheme, level)
	if err != nil {
		t.Fatal(err)
	}
	data, err := enc.Append(nil, payload)
	if err != nil {
		t.Fatal(err)
	}
	return region.Record{Scheme: scheme, Data: data}, rec.Entry
}

func TestRawReplaceGoesWithTheCacheAndHolds(t *testing.T) {
	m := mem()
	w := makeWorld(t, m, "w")
	s := openStore(t, w, small())
	defer closeStore(t, s)
	r := raw(t, s, Chunks)
	for x := range int32(3) {
		put(t, s, at(x, 0), x+1)
	}
	barrier(t, s)
	h, err := s.Load(ctx, 0, at(1, 0).Pos, Normal)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Release()
	// Another encoding, in use or not.
	for x := range int32(2) {
		rec, old := again(t, r, at(x, 0).Pos, codec.Gzip, 9)
		if err := r.Replace(ctx, at(x, 0).Pos, RawWrite{Old: old, Record: rec, SameContent: true}); err != nil {
			t.Error(err)
		}
		if err := r.Replace(ctx, at(x, 0).Pos, RawWrite{Old: old, Record: rec, SameContent: true}); !errors.Is(err, region.ErrChanged) {
			t.Errorf("replaced once more: %v", err)
		}
	}
	// Other content, in use: no. Not in use: yes, whatever the cache has.
	rec, _ := again(t, r, at(2, 0).Pos, codec.Zlib, 6)
	_, held := again(t, r, at(1, 0).Pos, codec.Zlib, 6)
	if err := r.Replace(ctx, at(1, 0).Pos, RawWrite{Old: held, Record: rec}); !errors.Is(err, ErrHeld) {
		t.Errorf("replaced what is in use: %v", err)
	}
	if err := r.Delete(ctx, at(1, 0).Pos, held); !errors.Is(err, ErrHeld) {
		t.Errorf("deleted what is in use: %v", err)
	}
	s.cache.cache.Wait()
	other := encodedStream(t, s, at(2, 0), 77)
	_, old := again(t, r, at(2, 0).Pos, codec.Zlib, 6)
	if err := r.Replace(ctx, at(2, 0).Pos, RawWrite{Old: old, Record: other}); err != nil {
		t.Error(err)
	}
	if n := get(t, s, at(2, 0)); n != 77 {
		t.Errorf("after the replacement %d is served", n)
	}
	// The held chunk goes on.
	if err := h.Update(Structural, updateNumber(50)); err != nil {
		t.Error(err)
	}
	_, old = again(t, r, at(0, 0).Pos, codec.Zlib, 6)
	if err := r.Delete(ctx, at(0, 0).Pos, old); err != nil {
		t.Error(err)
	}
	barrier(t, s)
	for x, want := range []int32{-1, 50, 77} {
		if n := get(t, s, at(int32(x), 0)); n != want {
			t.Errorf("chunk %d: %d, want %d", x, n, want)
		}
		if n := onDisk(t, m, w, at(int32(x), 0)); n != want {
			t.Errorf("chunk %d: %d on the disk, want %d", x, n, want)
		}
	}
	var seen []region.ChunkPos
	if err := r.Each(ctx, func(pos region.ChunkPos, rec region.Record, err error) error {
		seen = append(seen, pos)
		if len(rec.Data) == 0 {
			t.Errorf("%v is empty", pos)
		}
		return err
	}); err != nil || len(seen) != 2 || seen[0] != at(1, 0).Pos {
		t.Errorf("each: %v, %v", seen, err)
	}
	if err := r.Compact(at(0, 0).Pos.Region()); err != nil {
		t.Error(err)
	}
	if n := get(t, s, at(2, 0)); n != 77 {
		t.Errorf("after compacting: %d", n)
	}
	if err := raw(t, s, POI).Each(ctx, func(region.ChunkPos, region.Record, error) error { return errors.New("x") }); err != nil {
		t.Errorf("a folder that is not there: %v", err)
	}
}

func encodedStream(t testing.TB, s *Store, ref Ref, n int32) region.Record {
	t.Helper()
	enc, err := codec.NewEncoder(codec.Zlib, 6)
	if err != nil {
		t.Fatal(err)
	}
	data, err := enc.Append(nil, encoded(t, numbered(t, s.Tables(), ref.Pos, n)))
	if err != nil {
		t.Fatal(err)
	}
	return region.Record{Scheme: codec.Zlib, Data: data}
}

func install(t testing.TB, s *Store, r *Raw, n int32) error {
	t.Helper()
	return r.Install(ctx, at(0, 0).Pos.Region(), func(w *region.Writer) error {
		return w.Put(at(0, 0).Pos.Slot(), encodedStream(t, s, at(0, 0), n))
	})
}

// A canonical region file has the same entries as the one before it: what the
// cache has must not count all the same.
func TestInstalledRegionReplacesWhatTheCacheHas(t *testing.T) {
	m := mem()
	w := makeWorld(t, m, "w")
	s := openStore(t, w, small())
	defer closeStore(t, s)
	r := raw(t, s, Chunks)
	if n := get(t, s, at(0, 0)); n != -1 {
		t.Fatal(n)
	}
	for n := range int32(3) {
		if err := install(t, s, r, n+1); err != nil {
			t.Fatal(err)
		}
		h, err := r.Header(at(0, 0).Pos.Region())
		if err != nil || h.Entry(0) != (region.Entry{Location: region.MakeLocation(2, 1)}) {
			t.Fatalf("the file is not canonical: %v, %v", h.Entry(0), err)
		}
		if got := get(t, s, at(0, 0)); got != n+1 {
			t.Errorf("%d is served, want %d", got, n+1)
		}
		s.cache.cache.Wait()
	}
	h, err := s.Load(ctx, 0, at(0, 0).Pos, Normal)
	if err != nil {
		t.Fatal(err)
	}
	if err := install(t, s, r, 9); !errors.Is(err, ErrHeld) {
		t.Errorf("installed over what is in use: %v", err)
	}
	h.Release()
	sn, err := s.Snapshot(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := install(t, s, r, 9); !errors.Is(err, region.ErrPinned) {
		t.Errorf("installed under a snapshot: %v", err)
	}
	if err := sn.Release(); err != nil {
		t.Error(err)
	}
	if n := get(t, s, at(0, 0)); n != 3 {
		t.Errorf("%d", n)
	}
	if err := r.Install(ctx, at(0, 0).Pos.Region(), func(*region.Writer) error { return errors.New("no") }); err == nil {
		t.Error("installed what could not be made")
	}
	if _, err := r.Header(region.Pos{X: 9}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("header of an absent file: %v", err)
	}
	put(t, s, at(0, 0), 4)
	barrier(t, s)
	if n := onDisk(t, m, w, at(0, 0)); n != 4 {
		t.Errorf("%d on the disk", n)
	}
	entries, err := m.ReadDir(w.Dimensions[0].Region)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v is left in the folder, %v", entries, err)
	}
}

// External bodies of the file before go with it.
func TestInstallRemovesBodiesThatNobodyNames(t *testing.T) {
	m := mem()
	w := makeWorld(t, m, "w")
	s := openStore(t, w, small())
	defer closeStore(t, s)
	big := at(0, 0).as(Entities)
	if err := s.PutDocument(ctx, big, bulky(t, big, 1)); err != nil {
		t.Fatal(err)
	}
	barrier(t, s)
	body := w.Dimensions[0].Entities + "/" + big.Pos.ExternalName()
	if _, err := m.Stat(body); err != nil {
		t.Fatal(err)
	}
	s.cache.cache.Wait()
	r := raw(t, s, Entities)
	if err := r.Install(ctx, big.Pos.Region(), func(*region.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Stat(body); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the body: %v", err)
	}
	if n := get(t, s, big); n != -1 {
		t.Errorf("%d is served", n)
	}
}

func TestInstallIsOneOrTheOtherFileAfterACrash(t *testing.T) {
	m := mem()
	w := makeWorld(t, m, "w")
	f := vfs.NewFault(m)
	w.FS = f
	s := openStore(t, w, small())
	r := raw(t, s, Chunks)
	if err := install(t, s, r, 1); err != nil {
		t.Fatal(err)
	}
	var crashes []*vfs.Mem
	f.Add(vfs.Rule{Ops: vfs.OpMutating, Forever: true, Hook: func(vfs.OpInfo) {
		crashes = append(crashes, m.CrashClone(vfs.CrashOptions{}), m.CrashClone(vfs.CrashOptions{Keep: vfs.KeepAll}))
	}})
	if err := install(t, s, r, 2); err != nil {
		t.Fatal(err)
	}
	f.Clear()
	crashes = append(crashes, m.CrashClone(vfs.CrashOptions{}))
	closeStore(t, s)
	for i, c := range crashes {
		s := openStore(t, worldAt(c, "w"), small())
		n := get(t, s, at(0, 0))
		if n != 1 && n != 2 || i == len(crashes)-1 && n != 2 {
			t.Errorf("crash %d: %d", i, n)
		}
		closeStore(t, s)
	}
	if len(crashes) < 8 {
		t.Errorf("%d crashes", len(crashes))
	}
}
