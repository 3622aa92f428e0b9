package pregen

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/pregen/plan"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// files reads all region files and external bodies of a world, by their paths.
func files(t testing.TB, fsys vfs.FS, world string) map[string][]byte {
	t.Helper()
	all := make(map[string][]byte)
	walk(t, fsys, world, func(name string) {
		if ext := path.Ext(name); ext != ".mca" && ext != ".mcc" {
			return
		}
		data, err := vfs.ReadFile(fsys, name, 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		rel, err := filepath.Rel(world, name)
		if err != nil {
			t.Fatal(err)
		}
		all[rel] = data
	})
	return all
}

func walk(t testing.TB, fsys vfs.FS, dir string, f func(name string)) {
	t.Helper()
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if e.IsDir() {
			walk(t, fsys, name, f)
		} else {
			f(name)
		}
	}
}

// sameFiles compares two worlds' region files.
func sameFiles(t testing.TB, name string, want, got map[string][]byte) {
	t.Helper()
	a, b := slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))
	if !slices.Equal(a, b) {
		t.Fatalf("%s: files %v, want %v", name, b, a)
	}
	for file, data := range want {
		if !bytes.Equal(data, got[file]) {
			t.Fatalf("%s: %s differs (%d bytes, %d)", name, file, len(data), len(got[file]))
		}
	}
}

// overworldFiles is the folder of a kind.
func overworld(kind string) string {
	return filepath.Join("dimensions", "minecraft", "overworld", kind)
}

// checkWorld checks every region file and what is left beside them, and
// returns the statuses of the overworld's chunks.
func checkWorld(t testing.TB, fsys vfs.FS, world string) map[region.ChunkPos]chunk.Status {
	t.Helper()
	all := make(map[region.ChunkPos]chunk.Status)
	for _, kind := range []string{"region", "entities", "poi"} {
		dir := filepath.Join(world, overworld(kind))
		opts := region.CheckOptions{FS: fsys}
		if kind == "region" {
			opts.Inspect = func(c region.ChunkPos, data []byte) (region.Inspection, error) {
				h, err := chunk.ReadHeader(data)
				all[c] = chunk.ParseStatus(h.Status)
				return region.Inspection{Position: h.Pos, HasPosition: h.HasPos}, err
			}
		}
		report, err := region.CheckFolder(t.Context(), dir, opts)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if report.Worst() > region.SeverityInfo {
			t.Fatalf("%s: %+v", dir, report)
		}
	}
	return all
}

// noTraces fails if a run has left something beside the world.
func noTraces(t testing.TB, fsys vfs.FS, world string) {
	t.Helper()
	walk(t, fsys, world, func(name string) {
		if strings.Contains(name, "pregen") || strings.Contains(filepath.Base(name), vfs.TempPrefix) {
			t.Errorf("%s is left", name)
		}
	})
}

func TestARunMakesEveryChunkOfItsArea(t *testing.T) {
	mem := vfs.NewMem(vfs.MemOptions{})
	world := createWorld(t, mem, "w")
	area := square(t, 3, -7, 12)
	r := mustRun(t, mem, world, options(area, newFake()))
	if r.New != 25*25 || r.Planned != 25*25 || r.Existing+r.Failed+r.Resumed+r.Rim+r.LeftToGame != 0 {
		t.Errorf("report %+v", r)
	}
	all := checkWorld(t, mem, world)
	b := area.Bounds()
	for z := b.MinZ; z <= b.MaxZ; z++ {
		for x := b.MinX; x <= b.MaxX; x++ {
			c := region.ChunkPos{X: x, Z: z}
			if s := all[c]; area.Contains(c) != (s == chunk.StatusFull) || !area.Contains(c) && s != 0 {
				t.Fatalf("chunk %v is %v", c, s)
			}
		}
	}
	noTraces(t, mem, world)
	sectors := int64(0)
	for _, data := range files(t, mem, world) {
		sectors += int64(len(data)) - region.HeaderBytes
	}
	if r.Bytes != sectors {
		t.Errorf("Bytes is %d, the files have %d", r.Bytes, sectors)
	}
	// Again there is nothing to do (a request that people report as "it does
	// not start").
	again := mustRun(t, mem, world, options(area, newFake()))
	if again.New != 0 || again.Existing != 25*25 || again.Failed != 0 {
		t.Errorf("again: %+v", again)
	}
}

func TestOutputDependsOnSettingsAlone(t *testing.T) {
	variants := []struct {
		name   string
		change func(*Options, *fake)
	}{
		{"one worker", func(o *Options, _ *fake) { o.Workers = 1 }},
		{"four workers", func(o *Options, _ *fake) { o.Workers = 4 }},
		{"low", func(o *Options, _ *fake) { o.Profile, o.Workers = Low, 0 }},
		{"concentric", func(o *Options, _ *fake) { o.Order = plan.Concentric }},
		{"spiral", func(o *Options, _ *fake) { o.Order, o.Targets[0].Centre = plan.Spiral, region.ChunkPos{X: 30, Z: 2} }},
		{"loop", func(o *Options, _ *fake) { o.Order = plan.Loop }},
		{"tiles of 1", func(_ *Options, f *fake) { f.facts.Tile = 0 }},
		{"tiles of 32", func(_ *Options, f *fake) { f.facts.Tile = 32 }},
		{"limited", func(o *Options, _ *fake) { o.Rate, o.DirtyLimit, o.MemoryLimit = 20_000, minDirty, minMemory }},
	}
	for _, rim := range []int{0, 2} {
		var want map[string][]byte
		for i, v := range variants {
			if rim > 0 && i%4 != 0 {
				continue
			}
			mem := vfs.NewMem(vfs.MemOptions{})
			world := createWorld(t, mem, "w")
			f := newFake()
			f.facts.Rim = rim
			o := options(square(t, 3, -7, 7), f)
			v.change(&o, f)
			r := mustRun(t, mem, world, o)
			if r.New != 15*15 {
				t.Fatalf("%s: %+v", v.name, r)
			}
			// Every second chunk of the rim is touched.
			if touched := int64(19*19-15*15) / 2; rim > 0 && r.Rim != touched {
				t.Errorf("%s: a rim of %d, want %d", v.name, r.Rim, touched)
			}
			got := files(t, mem, world)
			if want == nil {
				want = got
			}
			sameFiles(t, v.name, want, got)
			noTraces(t, mem, world)
		}
	}
}

func TestNewRegionFilesAreCanonical(t *testing.T) {
	mem := vfs.NewMem(vfs.MemOptions{})
	world := createWorld(t, mem, "w")
	f := newFake()
	f.size = 3000
	o := options(square(t, 0, 0, 10), f)
	o.Timestamp, o.Level = 77, codec.Sector
	mustRun(t, mem, world, o)
	for name, data := range files(t, mem, world) {
		var h region.Header
		copy(h[:], data)
		next := uint32(region.HeaderSectors)
		for s := range region.Slot(region.Slots) {
			e := h.Entry(s)
			if e.Empty() {
				if e.Timestamp != 0 {
					t.Fatalf("%s: slot %d is empty and has a timestamp", name, s)
				}
				continue
			}
			if e.Timestamp != 77 || e.Location.Sector() != next {
				t.Fatalf("%s: slot %d is at %d, want %d, timestamp %d", name, s, e.Location.Sector(), next, e.Timestamp)
			}
			record := data[int64(next)*region.SectorBytes:][:e.Location.Count()*region.SectorBytes]
			length := int(record[0])<<24 | int(record[1])<<16 | int(record[2])<<8 | int(record[3])
			if region.RecordSectors(length-1) != e.Location.Count() {
				t.Fatalf("%s: slot %d has %d sectors for %d bytes", name, s, e.Location.Count(), length)
			}
			if i := bytes.IndexFunc(record[4+length:], func(r rune) bool { return r != 0 }); i >= 0 {
				t.Fatalf("%s: slot %d is not padded with zeros", name, s)
			}
			next += e.Location.Count()
		}
		if int64(len(data)) != int64(next)*region.SectorBytes {
			t.Fatalf("%s has %d bytes, its records end at sector %d", name, len(data), next)
		}
	}
}

func TestChunksTooLargeForARegionFileGoBesideIt(t *testing.T) {
	mem := vfs.NewMem(vfs.MemOptions{})
	world := createWorld(t, mem, "w")
	f := newFake()
	f.size = 1100 << 10
	r := mustRun(t, mem, world, options(square(t, 0, 0, 1), f))
	checkWorld(t, mem, world)
	bodies := 0
	for name, data := range files(t, mem, world) {
		if path.Ext(name) == ".mcc" {
			bodies++
			r.Bytes -= int64(len(data))
		} else {
			r.Bytes -= int64(len(data)) - region.HeaderBytes
		}
	}
	if bodies != 9 || r.Bytes != 0 {
		t.Errorf("%d bodies; Bytes is off by %d", bodies, r.Bytes)
	}
}

func TestSeveralDimensionsInOneRun(t *testing.T) {
	mem := vfs.NewMem(vfs.MemOptions{})
	world := createWorld(t, mem, "w")
	o := options(square(t, 0, 0, 3), newFake())
	nether, end := newFake(), newFake()
	nether.facts.Tile = 8
	o.Targets = append(o.Targets,
		Target{Dimension: anvil.Nether, Area: square(t, 50, 0, 2), Generator: nether},
		Target{Dimension: anvil.End, Area: square(t, 0, -90, 1), Generator: end})
	if r := mustRun(t, mem, world, o); r.New != 49+25+9 {
		t.Errorf("report %+v", r)
	}
	got := map[string]int{}
	for name := range files(t, mem, world) {
		if strings.HasSuffix(filepath.Dir(name), "region") {
			got[filepath.Base(filepath.Dir(filepath.Dir(name)))]++
		}
	}
	if want := map[string]int{"overworld": 4, "the_nether": 2, "the_end": 2}; !maps.Equal(want, got) {
		t.Errorf("region files %v, want %v", got, want)
	}
}

func TestSeenTellsOfEveryChunk(t *testing.T) {
	mem := vfs.NewMem(vfs.MemOptions{})
	world := createWorld(t, mem, "w")
	seen := make(chan State, 4096)
	o := options(square(t, 0, 0, 9), newFake())
	o.Seen = func(dimension string, _ region.ChunkPos, s State) {
		if dimension != anvil.Overworld {
			t.Errorf("dimension %s", dimension)
		}
		seen <- s
	}
	mustRun(t, mem, world, o)
	counts := map[State]int{}
	for len(seen) > 0 {
		counts[<-seen]++
	}
	if want := map[State]int{New: 361}; !maps.Equal(want, counts) {
		t.Errorf("seen %v, want %v", counts, want)
	}
}

func TestFailedChunksAreTriedAgainAndListed(t *testing.T) {
	mem := vfs.NewMem(vfs.MemOptions{})
	world := createWorld(t, mem, "w")
	f := newFake()
	broken := errors.New("it is broken")
	f.before = func(_ context.Context, w Wanted, try int) error {
		switch {
		case w.Pos == region.ChunkPos{X: 1, Z: 1}:
			return broken
		case w.Pos == region.ChunkPos{X: 2, Z: -5}:
			panic("at the disco")
		case w.Pos.X == 0 && try < 2:
			return broken // at last it works
		}
		return nil
	}
	o := options(square(t, 0, 0, 6), f)
	retried := make(chan region.ChunkPos, 1000)
	o.Events = func(e Event) {
		if e.Kind == ChunkRetried {
			retried <- e.Pos
		}
	}
	r := mustRun(t, mem, world, o)
	if r.New != 169-2 || r.Failed != 2 || len(r.Failures) != 2 {
		t.Fatalf("report %+v", r)
	}
	texts := map[region.ChunkPos]string{}
	for _, x := range r.Failures {
		texts[x.Pos] = x.Err.Error()
	}
	if texts[region.ChunkPos{X: 1, Z: 1}] != broken.Error() || !strings.HasPrefix(texts[region.ChunkPos{X: 2, Z: -5}], "panic: at the disco") {
		t.Errorf("failures %q", texts)
	}
	for _, c := range []region.ChunkPos{{X: 1, Z: 1}, {X: 2, Z: -5}} {
		if f.tries[c] != 3 {
			t.Errorf("chunk %v was tried %d times", c, f.tries[c])
		}
	}
	all := checkWorld(t, mem, world)
	if len(all) != 167 {
		t.Errorf("%d chunks in the world", len(all))
	}
	// The same settings try them again, whatever was made stays.
	f.before = nil
	again := mustRun(t, mem, world, options(square(t, 0, 0, 6), f))
	if again.New != 2 || again.Failed != 0 || again.Resumed != 167 {
		t.Errorf("again: %+v", again)
	}
	noTraces(t, mem, world)
	want := vfs.NewMem(vfs.MemOptions{})
	whole := createWorld(t, want, "w")
	mustRun(t, want, whole, options(square(t, 0, 0, 6), newFake()))
	sameFiles(t, "after failures", files(t, want, whole), files(t, mem, world))
}

func TestGeneratorsThatBreakTheirContractFail(t *testing.T) {
	for name, g := range map[string]func(done func(Made) error, b *Batch) error{
		"nothing":    func(func(Made) error, *Batch) error { return nil },
		"no chunk":   func(done func(Made) error, b *Batch) error { return done(Made{Pos: b.Chunks[0].Pos}) },
		"not asked":  func(done func(Made) error, _ *Batch) error { return done(Made{Pos: region.ChunkPos{X: 999}}) },
		"its error":  func(func(Made) error, *Batch) error { return errors.New("no") },
		"another":    wrongChunk(func(c *chunk.Chunk) { c.SetPos(region.ChunkPos{X: 5}) }),
		"unfinished": wrongChunk(func(c *chunk.Chunk) { c.SetStatus(chunk.StatusNoise) }),
	} {
		mem := vfs.NewMem(vfs.MemOptions{})
		world := createWorld(t, mem, "w")
		r := mustRun(t, mem, world, options(square(t, 0, 0, 0), generatorFunc(g)))
		if r.Failed != 1 || r.New != 0 {
			t.Errorf("%s: %+v", name, r)
		}
		if name != "its error" && !errors.Is(r.Failures[0].Err, ErrGenerator) {
			t.Errorf("%s: %v", name, r.Failures[0].Err)
		}
	}
}

func wrongChunk(change func(*chunk.Chunk)) func(done func(Made) error, b *Batch) error {
	return func(done func(Made) error, b *Batch) error {
		c, err := fakeChunk(chunk.NewTables(), b.Chunks[0], chunk.StatusFull, 0)
		if err != nil {
			return err
		}
		change(c)
		return done(Made{Pos: b.Chunks[0].Pos, Chunk: c})
	}
}

// generatorFunc is a generator that is one function.
type generatorFunc func(done func(Made) error, b *Batch) error

func (g generatorFunc) Facts() Facts               { return Facts{Revision: "func"} }
func (g generatorFunc) NewWorker() (Worker, error) { return g, nil }
func (g generatorFunc) Release()                   {}
func (g generatorFunc) Generate(_ context.Context, b *Batch, done func(Made) error) error {
	return g(done, b)
}

func TestOptionsThatMakeNoSenseAreRefused(t *testing.T) {
	mem := vfs.NewMem(vfs.MemOptions{})
	world := createWorld(t, mem, "w")
	for i, change := range []func(*Options){
		func(o *Options) { o.Targets = nil },
		func(o *Options) { o.Targets = append(o.Targets, o.Targets[0]) },
		func(o *Options) { o.Targets[0].Generator = nil },
		func(o *Options) { o.Targets[0].Dimension = "minecraft:../x" },
		func(o *Options) { o.Targets[0].Dimension = "minecraft:nowhere" },
		func(o *Options) { o.Until = chunk.StatusPostprocessed },
		func(o *Options) { o.Level = 13 },
		func(o *Options) { o.Workers = -1 },
		func(o *Options) { o.Rate = -1 },
		func(o *Options) { o.MemoryLimit = 1 },
		func(o *Options) { o.DirtyLimit = 1 },
		func(o *Options) { o.Profile = "huge" },
	} {
		o := options(square(t, 0, 0, 1), newFake())
		change(&o)
		if _, err := runIn(t.Context(), mem, world, o); !errors.Is(err, ErrOptions) {
			t.Errorf("%d: %v", i, err)
		}
	}
	noTraces(t, mem, world)
}

// putChunk stores a chunk as some program has left it.
func putChunk(t testing.TB, fsys vfs.FS, world string, c *chunk.Chunk) {
	t.Helper()
	var enc chunk.Encoder
	data, err := enc.Encode(nil, c)
	if err != nil {
		t.Fatal(err)
	}
	deflate, err := codec.NewEncoder(codec.Zlib, 1)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := deflate.Append(nil, data)
	if err != nil {
		t.Fatal(err)
	}
	putStream(t, fsys, world, c.Pos(), codec.Zlib, stream)
}

func putStream(t testing.TB, fsys vfs.FS, world string, c region.ChunkPos, scheme codec.Scheme, stream []byte) {
	t.Helper()
	st, err := openStore(fsys, world)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	raw, err := st.Raw(0, store.Chunks)
	if err != nil {
		t.Fatal(err)
	}
	old := region.Entry{}
	if h, err := raw.Header(c.Region()); err == nil {
		old = h.Entry(c.Slot())
	}
	err = raw.Replace(t.Context(), c, store.RawWrite{Old: old, Record: region.Record{Scheme: scheme, Data: stream}, Overwrite: true})
	if err != nil {
		t.Fatal(fmt.Errorf("put %v: %w", c, err))
	}
}
