package transplant

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil"
	"strata/anvil/edit"
	"strata/anvil/store"
	"strata/anvil/undo"
	"strata/bench/testbed"
	"strata/nbt"
	"strata/region"
	"strata/region/codec"
)

// expect is what a chunk is where it was copied to.
func (r *rig) expect(want map[string]string, dim string, pos region.ChunkPos, note string) {
	want[where(dim, store.Chunks, pos)] = fmt.Sprint(codec.Zlib, " ", snbtOf(r.t, chunkAt(r.t, pos, 4903, note)))
}

func TestCopyBetweenWorldsTouchesNothingElse(t *testing.T) {
	src, dst := newRig(t), newRig(t)
	for _, pos := range square(-3, 3) {
		src.chunk(overworld, pos, fmt.Sprint("source ", pos))
		src.chunk(nether, pos, "another dimension at the same place")
	}
	for _, pos := range square(28, 36) {
		dst.chunk(overworld, pos, "was there")
		dst.chunk(nether, pos, "was there")
	}
	before, source := dst.content(), src.content()
	// They go to 29,35 and so on, where two rows lie on chunks that are there.
	r := src.copyTo(dst, overworld, square(-3, 3), Options{X: 32, Z: 38})
	if r.Created != 35 || r.Existing != 14 || r.Replaced+r.Failed+r.Removed != 0 || r.Chunks != 35 || r.Entities != 35 || r.POI != 35 {
		t.Errorf("%+v", r)
	}
	want := maps.Clone(before)
	m := Move{overworld, overworld, 32, 38}
	moved := func(pos region.ChunkPos) {
		to, err := m.Pos(pos)
		if err != nil {
			t.Fatal(err)
		}
		note := fmt.Sprint("source ", pos)
		dst.expect(want, overworld, to, note)
		want[where(overworld, store.Entities, to)] = fmt.Sprint(codec.None, " ", snbtOf(t, entitiesAt(t, to, pos, note)))
		want[where(overworld, store.POI, to)] = fmt.Sprint(codec.LZ4, " ", snbtOf(t, poiAt(t, to, note)))
	}
	for _, pos := range square(-3, 3) {
		if pos.Z+38 > 36 {
			moved(pos)
		}
	}
	if diff := cmp.Diff(want, dst.content()); diff != "" {
		t.Error(diff)
	}
	dst.undo()
	if diff := cmp.Diff(before, dst.content()); diff != "" {
		t.Error("after undo:", diff)
	}
	r = src.copyTo(dst, overworld, square(-3, 3), Options{X: 32, Z: 38, Overwrite: true})
	if r.Created != 35 || r.Replaced != 14 || r.Existing != 0 {
		t.Errorf("%+v", r)
	}
	for _, pos := range square(-3, 3) {
		moved(pos)
	}
	if diff := cmp.Diff(want, dst.content()); diff != "" {
		t.Error("overwritten:", diff)
	}
	if diff := cmp.Diff(source, src.content()); diff != "" {
		t.Error("the source:", diff)
	}
}

func TestOverwritingRemovesWhatTheSourceLacks(t *testing.T) {
	src, dst := newRig(t), newRig(t)
	at := region.ChunkPos{X: 5, Z: 5}
	src.put(nether, store.Chunks, at, codec.Gzip, chunkAt(t, at, 4903, "alone"))
	dst.chunk(end, at, "full of life")
	r := src.copyTo(dst, nether, []region.ChunkPos{at}, Options{To: end, Overwrite: true})
	if r.Replaced != 1 || r.Removed != 2 || r.Chunks != 1 || r.Entities+r.POI != 0 {
		t.Errorf("%+v", r)
	}
	want := map[string]string{where(end, store.Chunks, at): fmt.Sprint(codec.Gzip, " ", snbtOf(t, chunkAt(t, at, 4903, "alone")))}
	if diff := cmp.Diff(want, dst.content()); diff != "" {
		t.Error(diff)
	}
}

// TestCopyOntoItselfReadsBeforeItOverwrites moves areas of more than a batch by
// less than their size, in all directions.
func TestCopyOntoItselfReadsBeforeItOverwrites(t *testing.T) {
	rng := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 3))
	for range 4 {
		o := Options{X: rng.Int32N(7) - 3, Z: rng.Int32N(7) - 3, Overwrite: true, Same: true, NewIDs: true, Workers: 3}
		if o.X == 0 && o.Z == 0 {
			o.X = 1
		}
		r := newRig(t)
		area := square(-6, 6)
		for _, pos := range area {
			r.put(overworld, store.Chunks, pos, codec.Zlib, chunkAt(t, pos, 4903, fmt.Sprint(pos)))
		}
		want := r.content()
		r.copyTo(r, overworld, area, o)
		for _, pos := range area {
			r.expect(want, overworld, region.ChunkPos{X: pos.X + o.X, Z: pos.Z + o.Z}, fmt.Sprint(pos))
		}
		if diff := cmp.Diff(want, r.content()); diff != "" {
			t.Errorf("by %d,%d: %s", o.X, o.Z, diff)
		}
	}
}

func TestWhatCannotBeCopiedIsLeftOutWhole(t *testing.T) {
	src, dst := newRig(t), newRig(t)
	pos := func(x int32) region.ChunkPos { return region.ChunkPos{X: x} }
	for x := range int32(6) {
		src.chunk(overworld, pos(x), "ok")
	}
	src.flush()
	src.put(overworld, store.Chunks, pos(1), codec.Zlib, chunkAt(t, pos(1), 4904, "newer than the world"))
	src.put(overworld, store.Chunks, pos(2), codec.Zlib, chunkAt(t, pos(7), 4903, "another place"))
	src.put(overworld, store.Entities, pos(3), codec.Zlib, []byte("no document"))
	src.put(overworld, store.POI, pos(4), codec.Zlib, document(t, `{DataVersion:9999}`))
	chunks := append(square(0, 0), pos(1), pos(2), pos(3), pos(4), pos(5), pos(99))
	r := src.copyTo(dst, overworld, chunks, Options{X: 1})
	if r.Created != 2 || r.Failed != 5 || len(r.List) != 5 {
		t.Fatalf("%+v", r)
	}
	for i, want := range []error{nil, ErrMisplaced, ErrShape, nil, store.ErrAbsent} {
		if want != nil && !errors.Is(r.List[i].Err, want) {
			t.Errorf("%v: %v, want %v", r.List[i].Pos, r.List[i].Err, want)
		}
	}
	for _, i := range []int{0, 3} {
		if _, ok := errors.AsType[*anvil.VersionError](r.List[i].Err); !ok {
			t.Errorf("%v: %v", r.List[i].Pos, r.List[i].Err)
		}
	}
	if n := len(dst.content()); n != 6 {
		t.Errorf("%d records", n)
	}
	if r := src.copyTo(dst, overworld, chunks[:1], Options{X: MaxChunk + 1}); r.Failed != 1 || !errors.Is(r.List[0].Err, ErrRange) {
		t.Errorf("%+v", r)
	}
	picked := &edit.Picked{}
	picked.Add(src.dim(overworld), pos(0))
	if _, err := Copy(ctx, src.s, dst.s, picked, Options{To: "other:place"}); !errors.Is(err, ErrDimension) {
		t.Error(err)
	}
}

// TestAnInterruptedCopyIsTakenBack ends copies after some of their batches.
func TestAnInterruptedCopyIsTakenBack(t *testing.T) {
	src, dst := newRig(t), newRig(t)
	for _, pos := range square(0, 16) { // more than two batches
		src.put(overworld, store.Chunks, pos, codec.Zlib, chunkAt(t, pos, 4903, "source"))
		if pos.X%2 == 0 {
			dst.chunk(overworld, pos, "was there")
		}
	}
	src.flush()
	before := dst.content()
	picked := &edit.Picked{}
	for _, pos := range square(0, 16) {
		picked.Add(src.dim(overworld), pos)
	}
	for _, batches := range []int{1, 2} {
		stop, cancel := context.WithCancel(ctx)
		change, err := undo.Begin(dst.s, "copy", undo.Options{})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		o := Options{Overwrite: true, Change: change, Progress: func(int64) {
			if n++; n == batches {
				cancel()
			}
		}}
		if _, err := Copy(stop, src.s, dst.s, picked, o); !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d batches: %v", n, err)
		}
		if err := change.Abort(); err != nil {
			t.Fatal(err)
		}
		if cmp.Equal(before, dst.content()) {
			t.Error("nothing was copied")
		}
		dst.undo()
		if diff := cmp.Diff(before, dst.content()); diff != "" {
			t.Errorf("after %d batches and undo: %s", batches, diff)
		}
	}
}

func TestPlainCopiesAreThePayloadsThemselves(t *testing.T) {
	src, dst := newRig(t), newRig(t)
	src.chunk(overworld, region.ChunkPos{X: -1, Z: 9}, "as it is")
	src.copyTo(dst, overworld, []region.ChunkPos{{X: -1, Z: 9}}, Options{})
	for _, k := range kinds {
		a, errA := src.raw(overworld, k).Read(region.ChunkPos{X: -1, Z: 9}, nil)
		b, errB := dst.raw(overworld, k).Read(region.ChunkPos{X: -1, Z: 9}, nil)
		if errA != nil || errB != nil || a.Scheme != b.Scheme || string(a.Data) != string(b.Data) {
			t.Errorf("%v: %v %v", k, errA, errB)
		}
	}
}

// large stores a chunk that needs a file of its own.
func (r *rig) large(at region.ChunkPos, scheme codec.Scheme, version int32, note string) {
	r.t.Helper()
	data, err := nbt.Marshal(map[string]any{"DataVersion": version, "xPos": at.X, "zPos": at.Z, "note": note, "big": make([]int64, 1<<18)})
	if err != nil {
		r.t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := len(data) / 2; i < len(data)-256; i++ {
		data[i] = byte(rng.Uint32())
	}
	r.put(overworld, store.Chunks, at, scheme, data)
}

func TestLargeChunksAreNotCopiedIntoWorldsWithoutFilesForThem(t *testing.T) {
	src, dst := rigOf(t, 2202), rigOf(t, 2202)
	large, small := region.ChunkPos{X: 3, Z: 3}, region.ChunkPos{X: 3, Z: 4}
	src.large(large, codec.Zlib, 2200, "from a tool that does not know better")
	src.put(overworld, store.Chunks, small, codec.Zlib, chunkAt(t, small, 2202, "small"))
	r := src.copyTo(dst, overworld, []region.ChunkPos{large, small}, Options{X: 5})
	if r.Created != 1 || r.Failed != 1 || !errors.Is(r.List[0].Err, ErrExternal) {
		t.Errorf("%+v", r)
	}
}

func TestExternalBodiesKeepTheirScheme(t *testing.T) {
	src, dst := newRig(t), newRig(t)
	at := region.ChunkPos{X: 3, Z: 3}
	src.large(at, codec.Zlib, 4903, "source")
	dst.large(at, codec.Gzip, 4903, "was there")
	if r := src.copyTo(dst, overworld, []region.ChunkPos{at}, Options{Overwrite: true}); r.Replaced != 1 || r.Failed != 0 {
		t.Fatalf("%+v", r)
	}
	rec, err := dst.raw(overworld, store.Chunks).Read(at, nil)
	if err != nil || !rec.External || rec.Scheme != codec.Gzip {
		t.Fatalf("external %v, %v: %v", rec.External, rec.Scheme, err)
	}
	if src.document(at) != dst.document(at) {
		t.Error("the copy is another chunk")
	}
}

// document is the document of a chunk.
func (r *rig) document(at region.ChunkPos) string {
	r.t.Helper()
	rec, err := r.raw(overworld, store.Chunks).Read(at, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	data, err := rec.AppendDecoded(new(codec.Decoder), nil, maxDocument)
	if err != nil {
		r.t.Fatal(err)
	}
	return string(data)
}

func TestHeightsHaveToBeTheSame(t *testing.T) {
	r := newRig(t)
	for _, c := range []struct {
		from, to string
		want     error
	}{{overworld, overworld, nil}, {nether, end, nil}, {overworld, nether, ErrHeight}, {end, overworld, ErrHeight}, {nether, "other:place", ErrHeight}} {
		if err := CheckHeights(r.w, r.w, c.from, c.to); !errors.Is(err, c.want) {
			t.Errorf("%s to %s: %v", c.from, c.to, err)
		}
	}
}
