package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/level"
	"strata/anvil/session"
	"strata/anvil/session/control"
	"strata/nbt"
	"strata/region"
	"strata/region/vfs"
)

// held opens a world of the operating system's, at the relative path "w", with
// version 1 of everything in it, and connects to it by its absolute path.
func held(t *testing.T, o Options) (*Store, *RemoteStore) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	s := openStore(t, makeWorld(t, vfs.OS(), "w"), o)
	t.Cleanup(func() {
		if err := s.Close(); err != nil && !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
		check(t, worldAt(vfs.OS(), filepath.Join(dir, "w")))
	})
	putEverything(t, s, 1)
	return s, connect(t, worldAt(vfs.OS(), filepath.Join(dir, "w")))
}

func pinnedNumber(t *testing.T, s *Store, path string) int32 {
	t.Helper()
	data, err := s.ReadFile(path, 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return -1
	}
	if err != nil {
		t.Fatal(err)
	}
	return fileNumber(t, data)
}

// Everything there is, an external body and data files that come and go
// included, is in a pin as it was, however often it is replaced.
func TestPinHasBodiesAndDataFilesAsTheyWere(t *testing.T) {
	s, r := held(t, small())
	bulk := at(3, 3).as(Entities)
	putHuge(t, s, bulk, 1)
	p := pinOf(t, r)
	main := r.World().Roots[0].Dir
	look := func(p *RemotePin, n int32) {
		t.Helper()
		o, err := OpenRead(p.World(), small())
		if err != nil {
			t.Fatal(err)
		}
		defer closeStore(t, o)
		for _, ref := range append([]Ref{bulk}, everything...) {
			if got := get(t, o, ref); got != n {
				t.Errorf("%v: %d, want %d", ref, got, n)
			}
		}
		if rec, err := rawOf(t, o, bulk).Read(bulk.Pos, nil); err != nil || !rec.External {
			t.Errorf("%v is not external, %v", bulk, err)
		}
		if got := get(t, o, at(70, 0)); got != -1 {
			t.Errorf("a region that came later: %d", got)
		}
		for path, want := range map[string]int32{
			"players/data/1.dat": n, "data/1.dat": []int32{-1, n}[n%2], "data/0.dat": []int32{n, -1}[n%2],
		} {
			if got := pinnedNumber(t, o, filepath.Join(main, path)); got != want {
				t.Errorf("%s: %d, want %d", path, got, want)
			}
		}
		l, _, err := level.Read(p, main)
		if err != nil || l.Time() != int64(n) {
			t.Errorf("level.dat: %v", err)
		}
		if err := p.Check(ctx); err != nil {
			t.Error(err)
		}
	}
	look(p, 1)
	files := filesOf(p)
	for n := range int32(3) {
		putEverything(t, s, n+2)
		putHuge(t, s, bulk, n+2)
		put(t, s, at(70, 0), 1)
		barrier(t, s)
		look(p, 1)
		if entries, err := p.ReadDir(filepath.Join(main, "data")); err != nil || len(entries) != 1 || entries[0].Name() != "1.dat" {
			t.Errorf("folder: %v, %v", entries, err)
		}
	}
	if d := cmp.Diff(files, filesOf(p)); d != "" {
		t.Error(d)
	}
	if err := p.Release(ctx); err != nil {
		t.Error(err)
	}
	if _, err := p.OpenFile(filepath.Join(main, "level.dat"), os.O_RDONLY, 0); !errors.Is(err, ErrNoPin) {
		t.Errorf("a data file of a released pin: %v", err)
	}
	if err := s.Delete(ctx, at(70, 0)); err != nil {
		t.Fatal(err)
	}
	look(pinOf(t, r), 4)
}

// putHuge puts entities that no compression brings below 1 MiB.
func putHuge(t *testing.T, s *Store, ref Ref, n int32) {
	t.Helper()
	rest := make([]byte, 5<<18)
	rng := rand.NewChaCha8([32]byte{byte(n)})
	rng.Read(rest)
	data, err := nbt.Marshal(struct {
		DataVersion int32
		Position    []int32
		Number      int32
		Rest        []byte
	}{level.NativeVersion, []int32{ref.Pos.X, ref.Pos.Z}, n, rest})
	if err == nil {
		err = s.PutDocument(ctx, ref, data)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func rawOf(t *testing.T, s *Store, ref Ref) *Raw {
	t.Helper()
	r, err := s.Raw(ref.Dim, ref.Kind)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func filesOf(p *RemotePin) (all []string) {
	p.Files(func(path string) bool { all = append(all, path); return true })
	slices.Sort(all)
	return all
}

// Files that a backup has linked are exchanged for copies when they are next
// written to. A pin reads on, through handles from before and from after it,
// and by several goroutines at a time.
func TestPinReadsOnWhileLinkedFilesAreExchanged(t *testing.T) {
	s, r := held(t, small())
	p := pinOf(t, r)
	want := pinnedRecords(t, p)
	before, err := p.Folder(0, Chunks)
	if err != nil {
		t.Fatal(err)
	}
	defer before.Close()
	reads := func(d *region.Folder) error {
		for ref, data := range want {
			if ref.Dim != 0 || ref.Kind != Chunks {
				continue
			}
			if rec, err := d.Read(ref.Pos, nil); err != nil || !bytes.Equal(rec.Data, data) {
				return fmt.Errorf("%v has changed, or %w", ref, err)
			}
		}
		_, err := vfs.ReadFile(p, filepath.Join(r.World().Roots[0].Dir, "level.dat"), 1<<20)
		return err
	}
	var readers sync.WaitGroup
	var stop atomic.Bool
	var done atomic.Int64
	for range 3 {
		readers.Go(func() {
			for !stop.Load() && !t.Failed() {
				after, err := p.Folder(0, Chunks)
				if err == nil {
					err = errors.Join(reads(before), reads(after), after.Close())
				}
				if err != nil {
					t.Error(err)
				}
				done.Add(1)
			}
		})
	}
	for n := range int32(4) {
		path := filepath.Join("w", "dimensions", "minecraft", "overworld", "region", at(0, 0).Pos.Region().Name())
		inode := stat(t, path).Inode
		if err := os.Link(path, fmt.Sprint(path, ".", n)); err != nil {
			t.Fatal(err)
		}
		putEverything(t, s, n+2)
		barrier(t, s)
		if now := stat(t, path); inode != 0 && now.Inode == inode {
			t.Error("the file was not exchanged")
		}
		now := done.Load()
		eventually(t, "the pin is read", func() bool { return done.Load() > now+3 || t.Failed() })
	}
	stop.Store(true)
	readers.Wait()
	if err := p.Check(ctx); err != nil {
		t.Error(err)
	}
}

func stat(t *testing.T, path string) vfs.FileInfo {
	t.Helper()
	info, err := vfs.OS().Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

func TestPinCannotBeWrittenTo(t *testing.T) {
	_, r := held(t, small())
	p := pinOf(t, r)
	dat := filepath.Join(r.World().Roots[0].Dir, "level.dat")
	_, err := p.OpenFile(dat, os.O_RDWR, 0)
	for what, err := range map[string]error{
		"open": err, "mkdir": p.Mkdir(dat+"x", 0o755), "remove": p.Remove(dat), "rename": p.Rename(dat, dat+"x"),
		"link": p.Link(dat, dat+"x"), "clone": p.Clone(dat, dat+"x"), "sync": p.SyncDir(dat),
	} {
		if !errors.Is(err, ErrReadOnly) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, name := range []string{session.FileName, "strata/control", "strata/journal", "nothing"} {
		if _, err := p.OpenFile(filepath.Join(r.World().Roots[0].Dir, name), os.O_RDONLY, 0); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFlushOfAnotherProcessMakesChangesDurable(t *testing.T) {
	s, r := held(t, small())
	put(t, s, at(0, 0), 7)
	if err := r.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unsaved() {
		t.Error("something is not saved")
	}
}

func TestUnloadSaysWhatStays(t *testing.T) {
	s, r := held(t, small())
	barrier(t, s)
	h, err := s.Load(ctx, 0, at(0, 0).Pos, Normal)
	if err != nil {
		t.Fatal(err)
	}
	get(t, s, at(1, 0)) // into the cache
	s.cache.cache.Wait()
	if _, ok := s.cache.cache.Get(at(1, 0).key()); !ok {
		t.Error("the chunk is not in the cache")
	}
	area := []RegionRef{{0, Chunks, at(0, 0).Pos.Region()}}
	want := []Stayed{{at(0, 0), StaysHeld}}
	for what, unload := range map[string]func() ([]Stayed, error){
		"chunks":  func() ([]Stayed, error) { return r.Unload(ctx, []Ref{at(0, 0), at(1, 0)}, nil) },
		"regions": func() ([]Stayed, error) { return r.Unload(ctx, nil, area) },
		"reload":  func() ([]Stayed, error) { return r.Reload(ctx, area) },
	} {
		stay, err := unload()
		if d := cmp.Diff(want, stay); err != nil || d != "" {
			t.Errorf("%s: %v %s", what, err, d)
		}
	}
	s.cache.cache.Wait()
	if _, ok := s.cache.cache.Get(at(1, 0).key()); ok {
		t.Error("the chunk is still in the cache")
	}
	h.Release()
	if stay, err := r.Unload(ctx, nil, area); err != nil || len(stay) > 0 {
		t.Errorf("%v stays, %v", stay, err)
	}
}

// What comes into a region's file past the store is seen after a reload, not
// before.
func TestReloadReadsRegionsAgain(t *testing.T) {
	s, r := held(t, small())
	ref := at(0, 0)
	area := []RegionRef{{ref.Dim, ref.Kind, ref.Pos.Region()}}
	if get(t, s, ref) != 1 {
		t.Error("not at 1")
	}
	if stay, err := r.Unload(ctx, nil, area); err != nil || len(stay) > 0 {
		t.Fatalf("%v stays, %v", stay, err)
	}
	writeRecord(t, s.World(), ref, encoded(t, numbered(t, s.Tables(), ref.Pos, 9)))
	if n := get(t, s, ref); n != 1 {
		t.Errorf("before the reload: %d", n)
	}
	p := pinOf(t, r)
	if _, err := r.Reload(ctx, area); !errors.Is(err, region.ErrPinned) {
		t.Errorf("under a pin: %v", err)
	}
	if err := p.Release(ctx); err != nil {
		t.Error(err)
	}
	if stay, err := r.Reload(ctx, area); err != nil || len(stay) > 0 {
		t.Fatalf("%v stays, %v", stay, err)
	}
	if n := get(t, s, ref); n != 9 {
		t.Errorf("after the reload: %d", n)
	}
	// What a load has brought into the cache since the unloading, of the file
	// as it was, does not count either.
	s.cache.cache.Wait()
	if h, ok := s.Peek(ref.Dim, ref.Pos); ok {
		h.Release()
	} else {
		t.Error("the chunk is not in the cache")
	}
	s.cache.cache.Wait()
	if err := s.forgetFiles(wireRegions(area)); err != nil {
		t.Error(err)
	}
	if h, ok := s.Peek(ref.Dim, ref.Pos); ok {
		h.Release()
		t.Error("the cache still counts")
	}
}

func TestUnloadRefusesTooMuchAndWhatCannotBe(t *testing.T) {
	_, r := held(t, small())
	if _, err := r.Unload(ctx, make([]Ref, maxUnloadChunks+1), nil); !errors.Is(err, ErrTooMany) {
		t.Error(err)
	}
	sel := selection{Regions: make([]wireRef, maxUnloadRegions+1)}
	if err := r.call(ctx, opUnload, sel, nil, nil); !errors.Is(err, ErrTooMany) {
		t.Errorf("the holder: %v", err)
	}
	for _, ref := range []Ref{{2, Chunks, at(0, 0).Pos}, {0, kinds, at(0, 0).Pos}, at(maxPos+1, 0)} {
		if _, err := r.Unload(ctx, []Ref{ref}, nil); !errors.Is(err, ErrRange) {
			t.Errorf("%v: %v", ref, err)
		}
		if _, err := r.Reload(ctx, []RegionRef{{ref.Dim, ref.Kind, region.Pos{X: ref.Pos.X, Z: 0}}}); !errors.Is(err, ErrRange) {
			t.Errorf("region of %v: %v", ref, err)
		}
	}
	if stay, err := r.Unload(ctx, nil, []RegionRef{{0, Chunks, region.Pos{X: maxPos / 32, Z: -maxPos / 32}}}); err != nil || len(stay) > 0 {
		t.Errorf("the outermost region: %v, %v", stay, err)
	}
}

// The pins of others do not keep the world open.
func TestCloseEndsPinsOfOthers(t *testing.T) {
	s, r := held(t, small())
	p := pinOf(t, r)
	putEverything(t, s, 2)
	closeStore(t, s)
	if err := p.Check(ctx); !errors.Is(err, control.ErrClosed) {
		t.Errorf("the world is closed: %v", err)
	}
	if _, err := os.Stat("w/strata/control"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the endpoint's file: %v", err)
	}
	if held, err := session.Held(vfs.OS(), "w"); err != nil || held {
		t.Errorf("still held: %v, %v", held, err)
	}
	all, err := filepath.Glob("w/strata/*/" + vfs.TempPrefix + "*")
	if err != nil || len(all) > 0 {
		t.Errorf("left of the pin: %v, %v", all, err)
	}
}

// A pin that holds back too much is given up, and Check says so.
func TestRevokedPinOfAnotherIsSaid(t *testing.T) {
	o := small()
	o.PinLimit = 4096
	s, r := held(t, o)
	p := pinOf(t, r)
	if err := p.Check(ctx); err != nil {
		t.Fatal(err)
	}
	for n := range int32(4) {
		putEverything(t, s, n+2)
		barrier(t, s)
	}
	if err := p.Check(ctx); !errors.Is(err, region.ErrPinRevoked) {
		t.Errorf("4 times everything was held back: %v", err)
	}
	if err := p.Release(ctx); err != nil {
		t.Error(err)
	}
}

func TestPinsAreBounded(t *testing.T) {
	_, r := held(t, small())
	for range maxPins {
		pinOf(t, r)
	}
	if _, err := r.Pin(ctx); !errors.Is(err, ErrTooMany) {
		t.Errorf("one pin too many: %v", err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	again := connect(t, r.World())
	eventually(t, "there is room again", func() bool {
		_, err := again.Pin(ctx)
		return err == nil
	})
}

func TestWorldWithoutEndpointIsForeign(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "w")
	w := makeWorld(t, vfs.OS(), dir)
	o := small()
	o.NoControl = true
	s := openStore(t, w, o)
	if _, err := Remote(ctx, w); !errors.Is(err, ErrForeign) || !errors.Is(err, control.ErrNoEndpoint) {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Remote(ended, w); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	closeStore(t, s)
	// What is in the way of the file does not keep the world from opening.
	if err := os.MkdirAll(filepath.Join(dir, "strata", "control", "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	var e events
	o = small()
	o.Events = e.add
	s = openStore(t, w, o)
	if n := e.count(ControlFailed); n != 1 {
		t.Errorf("%d events", n)
	}
	closeStore(t, s)
}

// Whoever holds the world may be of another version, or mad: what it says is
// checked.
func TestAnswersThatMakeNoSenseAreErrors(t *testing.T) {
	good := layout{Protocol: controlVersion, Roots: []string{""}, Dimensions: []dimensionLayout{{Name: "a", Dirs: [kinds]*place{{0, []byte("region")}}}}}
	hello := func(change func(*layout)) layout {
		l := good
		change(&l)
		return l
	}
	for name, c := range map[string]struct {
		hello  layout
		item   any
		result pinResult
		want   error
	}{
		"version":      {hello: hello(func(l *layout) { l.Protocol++ }), want: ErrProtocol},
		"root":         {hello: hello(func(l *layout) { l.Roots = []string{"", "other"} }), want: ErrPath},
		"way out":      {hello: hello(func(l *layout) { l.Dimensions = dirAt(place{0, []byte("../region")}) }), want: ErrPath},
		"no such root": {hello: hello(func(l *layout) { l.Dimensions = dirAt(place{3, []byte("region")}) }), want: ErrPath},
		"relative":     {hello: hello(func(l *layout) { l.Dimensions = dirAt(place{-1, []byte("region")}) }), want: ErrPath},
		"dimension":    {hello: good, item: pinItem{Region: &wireRegion{Dim: 1, Header: make([]byte, region.HeaderBytes)}}, want: ErrRange},
		"kind":         {hello: good, item: pinItem{Region: &wireRegion{Kind: kinds, Header: make([]byte, region.HeaderBytes)}}, want: ErrRange},
		"header":       {hello: good, item: pinItem{Region: &wireRegion{Header: make([]byte, 100)}}, want: ErrRange},
		"file":         {hello: good, item: pinItem{File: &place{0, []byte("../../etc/passwd")}}, want: ErrPath},
		"nothing":      {hello: good, item: pinItem{}},
		"no object":    {hello: good, item: []int{1}},
		"count":        {hello: good, item: pinItem{File: &place{0, []byte("level.dat")}}, result: pinResult{Files: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			l, err := session.Acquire(vfs.OS(), dir)
			if err != nil {
				t.Fatal(err)
			}
			defer l.Release()
			server, err := control.Serve(vfs.OS(), l, map[string]control.Handler{
				opHello: func(context.Context, *control.Call) (any, error) { return c.hello, nil },
				opPin: func(_ context.Context, call *control.Call) (any, error) {
					return c.result, call.Send(c.item)
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			defer server.Close()
			r, err := Remote(ctx, worldAt(vfs.OS(), dir))
			if err == nil {
				defer r.Close()
				_, err = r.Pin(ctx)
			}
			if err == nil || c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
}

func dirAt(p place) []dimensionLayout { return []dimensionLayout{{Name: "a", Dirs: [kinds]*place{&p}}} }

// The longest lines there can be fit into what the endpoint carries.
func TestMessagesFitTheirLines(t *testing.T) {
	sel := selection{Chunks: make([]wireRef, maxUnloadChunks), Regions: make([]wireRef, maxUnloadRegions)}
	far := wireRef{255, kinds - 1, -maxPos, -maxPos, StaysChanged}
	for i := range sel.Chunks {
		sel.Chunks[i] = far
	}
	for i := range sel.Regions {
		sel.Regions[i] = far
	}
	item := make([]wireRef, stayedItems)
	for i := range item {
		item[i] = far
	}
	long := place{-1, make([]byte, 64<<10)}
	l := layout{}
	for range 256 {
		l.Dimensions = append(l.Dimensions, dimensionLayout{Name: string(make([]byte, 64)), Dirs: [kinds]*place{{-1, make([]byte, 500)}, {-1, make([]byte, 500)}, {-1, make([]byte, 500)}}})
	}
	for what, v := range map[string]any{
		"selection": sel, "stayed": item, "file": pinItem{File: &long}, "body": make([]byte, bodyPiece), "layout": l,
		"region": pinItem{Region: &wireRegion{Header: make([]byte, region.HeaderBytes)}},
	} {
		if line, err := json.Marshal(v); err != nil || len(line) > control.MaxLine-100 {
			t.Errorf("%s takes %d bytes, %v", what, len(line), err)
		}
	}
}
