package pregen

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/bench/testbed"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// interrupted runs until so many chunks are made.
func interrupted(t testing.TB, fsys vfs.FS, world string, o Options, chunks int64) *Report {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var n atomic.Int64
	seen := o.Seen
	o.Seen = func(d string, c region.ChunkPos, s State) {
		if seen != nil {
			seen(d, c, s)
		}
		if s == New && n.Add(1) == chunks {
			cancel()
		}
	}
	r, err := runIn(ctx, fsys, world, o)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("interrupted: %v", err)
	}
	return r
}

func TestAnInterruptedRunGoesOn(t *testing.T) {
	for _, c := range []struct {
		rim     int
		windows bool
	}{{rim: 0}, {rim: 2}, {rim: 1, windows: true}} {
		whole := vfs.NewMem(vfs.MemOptions{})
		f := newFake()
		f.facts.Rim = c.rim
		area := square(t, 2, 3, 9)
		mustRun(t, whole, createWorld(t, whole, "w"), options(area, f))
		want := files(t, whole, filepath.Join("w", "world"))

		mem := vfs.NewMem(vfs.MemOptions{Windows: c.windows})
		world := createWorld(t, mem, "w")
		made := int64(0)
		for i := range 3 {
			r := interrupted(t, mem, world, options(area, f), 60)
			if r.Resumed != made && i == 0 || r.New < 60 {
				t.Errorf("report %+v", r)
			}
			made += r.New
			// What was finished is safe: a power cut now takes nothing.
			mem = mem.CrashClone(vfs.CrashOptions{})
		}
		r := mustRun(t, mem, world, options(area, f))
		if r.New+made != 361 || r.Resumed != made || r.Existing != 0 {
			t.Errorf("made %d, then %+v", made, r)
		}
		sameFiles(t, fmt.Sprint(c), want, files(t, mem, world))
		noTraces(t, mem, world)
	}
}

func TestARunWithOtherSettingsIsRefused(t *testing.T) {
	mem := vfs.NewMem(vfs.MemOptions{})
	world := createWorld(t, mem, "w")
	interrupted(t, mem, world, options(square(t, 0, 0, 6), newFake()), 50)
	for name, change := range map[string]func(*Options){
		"area in minecraft:overworld": func(o *Options) { o.Targets[0].Area = square(t, 0, 0, 7) },
		"status":                      func(o *Options) { o.Until = chunk.StatusSurface },
		"level":                       func(o *Options) { o.Level = 3 },
		"timestamp":                   func(o *Options) { o.Timestamp = 9 },
		"generator revision in minecraft:overworld": func(o *Options) { o.Targets[0].Generator.(*fake).facts.Revision = "fake 2" },
		"generator of minecraft:overworld":          func(o *Options) { o.Targets[0].Generator.(*fake).facts.Parameters = "amplified" },
		"chunks beside old ones":                    func(o *Options) { o.NoBlending = true },
		"area in minecraft:the_end": func(o *Options) {
			o.Targets = append(o.Targets, Target{Dimension: anvil.End, Area: square(t, 0, 0, 1), Generator: newFake()})
		},
	} {
		o := options(square(t, 0, 0, 6), newFake())
		change(&o)
		_, err := runIn(t.Context(), mem, world, o)
		mismatch, ok := errors.AsType[*MismatchError](err)
		if !ok || mismatch.Differences[0].Name != name || !strings.Contains(err.Error(), name+" was ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Nothing has changed by that.
	if r := mustRun(t, mem, world, options(square(t, 0, 0, 6), newFake())); r.Resumed < 50 || r.Resumed+r.New != 169 {
		t.Errorf("report %+v", r)
	}
}

func TestTheRequestOfARunIsKept(t *testing.T) {
	mem := vfs.NewMem(vfs.MemOptions{})
	world := createWorld(t, mem, "w")
	look := func(want Request, done bool) {
		t.Helper()
		got, finished, err := ReadRequest(mem, world)
		if err != nil || finished != done || !maps.Equal(want, got) {
			t.Errorf("request %v, finished %v: %v", got, finished, err)
		}
	}
	if err := writeRequest(mem, world, Request{"radius": "9"}); err != nil {
		t.Fatal(err)
	}
	look(Request{"radius": "9"}, false)
	o := options(square(t, 0, 0, 6), newFake())
	o.Request = Request{"radius": "6"}
	interrupted(t, mem, world, o, 20)
	look(o.Request, false)
	f := newFake()
	f.before = func(_ context.Context, w Wanted, _ int) error {
		if w.Pos == (region.ChunkPos{X: 6, Z: 6}) {
			return errors.New("no")
		}
		return nil
	}
	mustRun(t, mem, world, options(square(t, 0, 0, 6), f))
	look(o.Request, true)
	mustRun(t, mem, world, options(square(t, 0, 0, 6), newFake()))
	look(nil, false)
	noTraces(t, mem, world)
}

func TestRestartGivesAnInterruptedRunUp(t *testing.T) {
	mem := vfs.NewMem(vfs.MemOptions{})
	world := createWorld(t, mem, "w")
	interrupted(t, mem, world, options(square(t, 0, 0, 6), newFake()), 50)
	o := options(square(t, 0, 0, 7), newFake())
	o.Restart = true
	// What is in region files is the world's by now, what was in spools is gone.
	if r := mustRun(t, mem, world, o); r.New+r.Existing != 225 || r.New < 225-50 || r.Resumed != 0 {
		t.Errorf("report %+v", r)
	}
	noTraces(t, mem, world)
}

func TestARunFileThatCannotBeReadIsNamed(t *testing.T) {
	mem := vfs.NewMem(vfs.MemOptions{})
	world := createWorld(t, mem, "w")
	interrupted(t, mem, world, options(square(t, 0, 0, 6), newFake()), 50)
	name := filepath.Join(world, runFolder, runName)
	for _, data := range []string{"{", `{"format": 99}`, `{"format": 1, "id": "0", "settings": [], "existed": {}}`} {
		if err := vfs.WriteFileSync(mem, name, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := runIn(t.Context(), mem, world, options(square(t, 0, 0, 6), newFake())); !errors.Is(err, ErrRunFile) && !errors.Is(err, ErrMismatch) {
			t.Errorf("%s: %v", data, err)
		}
	}
	o := options(square(t, 0, 0, 6), newFake())
	o.Restart = true
	mustRun(t, mem, world, o)
	noTraces(t, mem, world)
}

func TestGameFilesMayComeToBe(t *testing.T) {
	mem := vfs.NewMem(vfs.MemOptions{})
	world := createWorld(t, mem, "w")
	interrupted(t, mem, world, options(square(t, 0, 0, 6), newFake()), 50)
	with := newFake()
	with.facts.GameFiles = "digest"
	interrupted(t, mem, world, options(square(t, 0, 0, 6), with), 50)
	if _, err := runIn(t.Context(), mem, world, options(square(t, 0, 0, 6), newFake())); !errors.Is(err, ErrMismatch) {
		t.Errorf("without them again: %v", err)
	}
	mustRun(t, mem, world, options(square(t, 0, 0, 6), with))
}

// TestWhatAnotherProgramHasPutThereMeanwhileStays plays on in a world between
// an interruption and the end.
func TestWhatAnotherProgramHasPutThereMeanwhileStays(t *testing.T) {
	mem := vfs.NewMem(vfs.MemOptions{})
	world := createWorld(t, mem, "w")
	proto := region.ChunkPos{X: 3, Z: 3}
	putChunk(t, mem, world, storedChunk(t, proto, chunk.StatusNoise, anvil.NativeVersion))
	area := square(t, 0, 0, 6)
	done := map[region.ChunkPos]bool{}
	o := options(area, newFake())
	o.Workers = 1
	o.Seen = func(_ string, c region.ChunkPos, _ State) { done[c] = true }
	interrupted(t, mem, world, o, 45)
	full, half := region.ChunkPos{X: 1, Z: 1}, region.ChunkPos{X: 1, Z: 2}
	if !done[full] || !done[half] || !done[proto] {
		t.Fatal("the chunks of this test are not made yet")
	}
	if n := len(records(t, mem, world, region.Pos{})); n != 1 {
		t.Fatalf("the region has %d chunks: this test is about spools", n)
	}
	for _, c := range []struct {
		pos    region.ChunkPos
		status chunk.Status
	}{{full, chunk.StatusFull}, {half, chunk.StatusBiomes}, {proto, chunk.StatusFull}} {
		putChunk(t, mem, world, storedChunk(t, c.pos, c.status, anvil.NativeVersion))
	}
	dropped := map[region.ChunkPos]bool{}
	o = options(area, newFake())
	o.Events = func(e Event) {
		if e.Kind == SpoolDropped {
			dropped[e.Pos] = true
		}
	}
	o.Workers = 1
	r := mustRun(t, mem, world, o)
	if r.Failed != 0 || len(dropped) != 3 {
		t.Errorf("report %+v, dropped %v", r, dropped)
	}
	for _, c := range []region.ChunkPos{full, proto} {
		made := content(t, records(t, mem, world, c.Region())[c])
		if text(made, "theirs") != "keep me" || text(made, "continued") != "" {
			t.Errorf("chunk %v was replaced", c)
		}
	}
	made := content(t, records(t, mem, world, half.Region())[half])
	if text(made, "theirs") != "keep me" || text(made, "continued") != "minecraft:biomes" || text(made, "Status") != "minecraft:full" {
		t.Errorf("chunk %v was not continued", half)
	}
	if got := checkWorld(t, mem, world); len(got) != 169 {
		t.Errorf("%d chunks", len(got))
	}
}

// crashWorld is a world with chunks in the way: a region with a chunk that
// stays and one that is continued.
func crashWorld(t testing.TB) (*vfs.Mem, string, Options) {
	t.Helper()
	mem := vfs.NewMem(vfs.MemOptions{})
	world := createWorld(t, mem, "w")
	putChunk(t, mem, world, storedChunk(t, region.ChunkPos{X: 1, Z: 0}, chunk.StatusFull, anvil.NativeVersion))
	putChunk(t, mem, world, storedChunk(t, region.ChunkPos{X: 2, Z: 1}, chunk.StatusNoise, anvil.NativeVersion))
	f := newFake()
	f.facts.Rim = 1
	o := options(square(t, 1, 1, 2), f)
	o.Workers = 1
	return mem, world, o
}

// TestAfterACrashTheRunComesToTheSameFiles crashes at every operation that
// changes the disk, with nothing, all, or some of what was not durable left,
// and goes on.
func TestAfterACrashTheRunComesToTheSameFiles(t *testing.T) {
	seed := uint64(testbed.Seed(t))
	start, world, o := crashWorld(t)
	whole := start.CrashClone(vfs.CrashOptions{})
	mustRun(t, whole, world, o)
	want := files(t, whole, world)
	// Every tenth operation at a time, others in each run; all in long ones.
	step := max(10/testbed.Runs(t, 1), 1)
	crashes := 0
	for at := int(seed % uint64(step)); ; at += step {
		mem := start.CrashClone(vfs.CrashOptions{})
		fault := vfs.NewFault(mem)
		fault.Add(vfs.Rule{Ops: vfs.OpMutating, Nth: at, Crash: true})
		_, err := runIn(t.Context(), fault, world, o)
		if !fault.Crashed() {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
		crashes++
		for n, keep := range []vfs.Keep{vfs.KeepNone, vfs.KeepAll, vfs.KeepRandom} {
			left := mem.CrashClone(vfs.CrashOptions{Keep: keep, Seed: seed + uint64(at)})
			name := fmt.Sprintf("crash at %d, keep %d", at, n)
			r, err := runIn(t.Context(), left, world, o)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if r.Failed != 0 || r.New+r.Resumed+r.Existing != 25 {
				t.Fatalf("%s: %+v", name, r)
			}
			sameFiles(t, name, want, files(t, left, world))
			noTraces(t, left, world)
		}
	}
	if crashes*step < 100 {
		t.Errorf("only %d crashes, each %d operations", crashes, step)
	}
}

// TestAfterACrashADamagedRegionIsFilledAllTheSame does the same beside a chunk
// that cannot be read, where chunks are added one by one: the bytes depend on
// the clock then, and the chunks do not.
func TestAfterACrashADamagedRegionIsFilledAllTheSame(t *testing.T) {
	seed := uint64(testbed.Seed(t))
	start, world, o := crashWorld(t)
	bad := region.ChunkPos{X: 3, Z: 3}
	putStream(t, start, world, bad, codec.Zlib, []byte("this is no zlib stream"))
	name := filepath.Join(world, overworld("region"), "r.0.0.mca")
	before := rawSlots(t, start, name)[bad.Slot()]
	step := max(20/testbed.Runs(t, 1), 1)
	crashes := 0
	for at := int(seed % uint64(step)); ; at += step {
		mem := start.CrashClone(vfs.CrashOptions{})
		fault := vfs.NewFault(mem)
		fault.Add(vfs.Rule{Ops: vfs.OpMutating, Nth: at, Crash: true})
		_, err := runIn(t.Context(), fault, world, o)
		if !fault.Crashed() {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
		crashes++
		for n, keep := range []vfs.Keep{vfs.KeepNone, vfs.KeepAll, vfs.KeepRandom} {
			left := mem.CrashClone(vfs.CrashOptions{Keep: keep, Seed: seed + uint64(at)})
			name := fmt.Sprintf("crash at %d, keep %d", at, n)
			r, err := runIn(t.Context(), left, world, o)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if r.Failed != 1 || r.Failures[0].Pos != bad || r.New+r.Resumed+r.Existing != 24 {
				t.Fatalf("%s: %+v", name, r)
			}
			checkDamaged(t, left, world, bad, before)
		}
	}
	if crashes*step < 100 {
		t.Errorf("only %d crashes, each %d operations", crashes, step)
	}
}

// checkDamaged looks at the 25 chunks of crashWorld, of which one is bad.
func checkDamaged(t *testing.T, fsys vfs.FS, world string, bad region.ChunkPos, before []byte) {
	t.Helper()
	name := filepath.Join(world, overworld("region"), "r.0.0.mca")
	if !bytes.Equal(before, rawSlots(t, fsys, name)[bad.Slot()]) {
		t.Fatal("the damaged chunk was changed")
	}
	for z := int32(-1); z <= 3; z++ {
		for x := int32(-1); x <= 3; x++ {
			c := region.ChunkPos{X: x, Z: z}
			if c == bad {
				continue
			}
			f, err := region.Open(filepath.Join(world, overworld("region"), c.Region().Name()), region.Options{FS: fsys, ReadOnly: true})
			if err != nil {
				t.Fatal(err)
			}
			data, _, err := f.Decode(c.Slot(), new(codec.Decoder), nil, nil)
			if err == nil {
				var h chunk.Header
				if h, err = chunk.ReadHeader(data); err == nil && chunk.ParseStatus(h.Status) != chunk.StatusFull {
					t.Fatalf("chunk %v is %s", c, h.Status)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			f.Close()
		}
	}
}
