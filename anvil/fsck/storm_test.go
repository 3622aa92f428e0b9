package fsck

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/bench/testbed"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// stormWorld is a small world of all that there is, which is damaged over and
// over.
type stormWorld struct {
	files     map[string][]byte // of region folders, by path
	positions map[store.Kind][]region.ChunkPos
}

func makeStorm(t *testing.T, r *rig) *stormWorld {
	w := &stormWorld{files: map[string][]byte{}, positions: map[store.Kind][]region.ChunkPos{}}
	add := func(m *image, k store.Kind, pos region.ChunkPos, scheme codec.Scheme, data []byte) {
		m.record(pos, byte(scheme), encode(t, scheme, data))
		w.positions[k] = append(w.positions[k], pos)
	}
	for x := range int32(2) {
		chunks, entities, poi := newImage(t, x, 0), newImage(t, x, 0), newImage(t, x, 0)
		for i, at := range []region.ChunkPos{chunks.at(0, 0), chunks.at(1, 0), chunks.at(7, 9), chunks.at(31, 31)} {
			// A freed copy lies between the others.
			chunks.put(at, chunkNBT(t, at, func(c *chunk.Chunk) { c.SetLastUpdate(5) }))
			add(chunks, store.Chunks, at, []codec.Scheme{codec.Zlib, codec.Gzip, codec.LZ4, codec.None}[i], chunkNBT(t, at, nil))
			add(entities, store.Entities, at, codec.Zlib, entitiesNBT(t, at, at))
			add(poi, store.POI, at, codec.Zlib, poiNBT(t, at))
		}
		outside := chunks.at(3, 3)
		chunks.record(outside, byte(codec.Zlib)|128, nil)
		w.positions[store.Chunks] = append(w.positions[store.Chunks], outside)
		w.files[filepath.Join(r.folder(store.Chunks), outside.ExternalName())] = encode(t, codec.Zlib, chunkNBT(t, outside, nil))
		for k, m := range map[store.Kind]*image{store.Chunks: chunks, store.Entities: entities, store.POI: poi} {
			w.files[filepath.Join(r.folder(k), m.pos.Name())] = m.bytes
		}
	}
	return w
}

// harm damages one file in one of the ways that are seen. Nil is a file that
// is gone.
func harm(rng *rand.Rand, data []byte) []byte {
	data = append([]byte(nil), data...)
	if len(data) < region.HeaderBytes { // an external file
		switch rng.IntN(3) {
		case 0:
			return nil
		case 1:
			return data[:rng.IntN(len(data)+1)]
		}
		if len(data) > 0 {
			data[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
		}
		return data
	}
	h := (*region.Header)(data)
	var used []region.Slot
	for s := range region.Slot(region.Slots) {
		if h.Location(s) != 0 {
			used = append(used, s)
		}
	}
	slot := func() region.Slot {
		if len(used) == 0 || rng.IntN(4) == 0 {
			return region.Slot(rng.IntN(region.Slots))
		}
		return used[rng.IntN(len(used))]
	}
	a, b := slot(), slot()
	at := int(h.Location(a).Sector()) * region.SectorBytes
	inside := at >= region.HeaderBytes && at+8 <= len(data)
	switch rng.IntN(16) {
	case 0:
		h[rng.IntN(region.HeaderBytes)] ^= 1 << rng.IntN(8)
	case 1:
		h.Set(b, h.Entry(a))
	case 2:
		x, y := h.Entry(a), h.Entry(b)
		h.Set(a, y)
		h.Set(b, x)
	case 3:
		h.Set(a, region.Entry{Location: region.Location(rng.Uint32()), Timestamp: 9})
	case 4:
		h.Set(a, region.Entry{Location: region.MakeLocation(h.Location(a).Sector(), uint32(rng.IntN(4))), Timestamp: 9})
	case 5:
		h.Set(a, region.Entry{Location: region.MakeLocation(uint32(rng.IntN(20)), 1), Timestamp: 9})
	case 6:
		h.Set(a, region.Entry{})
	case 7:
		clear(h[512*rng.IntN(16):][:512])
	case 8:
		clear(h[:])
	case 9:
		if inside {
			binary.BigEndian.PutUint32(data[at:], rng.Uint32()>>rng.IntN(32))
		}
	case 10:
		if inside {
			data[at+4] = byte(rng.Uint32())
		}
	case 11:
		data = data[:rng.IntN(len(data)+1)]
	case 12:
		if body := len(data) - region.HeaderBytes; body > 0 {
			data[region.HeaderBytes+rng.IntN(body)] ^= 1 << rng.IntN(8)
		}
	case 13:
		if body := len(data)/region.SectorBytes - region.HeaderSectors; body > 0 {
			from := (region.HeaderSectors + rng.IntN(body)) * region.SectorBytes
			for i := range data[from : from+region.SectorBytes] {
				data[from+i] = byte(rng.Uint32())
			}
		}
	case 14:
		for i := range data {
			data[i] = "neither chunk nor header\n"[i%25]
		}
	case 15:
		if inside && rng.IntN(2) == 0 {
			clear(data[at:min(len(data), at+region.SectorBytes)])
		}
	}
	return data
}

// judged is what a reader that is not the checker's finds in a slot.
type judged struct {
	good    bool
	content string
	err     error
}

// look reads every chunk of the storm through region.File and decodes it.
func (w *stormWorld) look(t *testing.T, r *rig) map[objectRef]judged {
	t.Helper()
	all := map[objectRef]judged{}
	var dec codec.Decoder
	buf := make([]byte, 255*region.SectorBytes)
	for _, k := range kinds {
		dir := r.folder(k)
		j := newInspector(rules{kind: k, world: 4903, tables: newTables()})
		for x := range int32(4) {
			for z := range int32(4) {
				p := region.Pos{X: x - 1, Z: z - 1}
				file, err := region.Open(filepath.Join(dir, p.Name()), region.Options{FS: r.fs, ReadOnly: true})
				if err != nil {
					continue
				}
				for s := range region.Slot(region.Slots) {
					if file.Entry(s).Empty() {
						continue
					}
					pos := p.Chunk(s)
					data, _, err := file.Decode(s, &dec, buf, nil)
					one := judged{err: err, content: string(data)}
					if err == nil {
						in, err := j.inspect(pos, data)
						worst, why := j.worst(pos)
						switch {
						case err != nil:
							one.err = err
						case worst >= region.SeverityError:
							one.err = errors.New(why)
						case in.HasPosition && in.Position != pos:
							one.err = fmt.Errorf("says that it is %v", in.Position)
						}
					}
					one.good = one.err == nil
					all[objectRef{over, k, pos}] = one
				}
				if err := file.Close(); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return all
}

// lay writes the files of one run, and takes away what is left of the last.
func (w *stormWorld) lay(r *rig, files map[string][]byte) {
	r.t.Helper()
	for _, k := range kinds {
		entries, err := r.fs.ReadDir(r.folder(k))
		if err != nil {
			continue
		}
		for _, e := range entries {
			if err := r.fs.Remove(filepath.Join(r.folder(k), e.Name())); err != nil {
				r.t.Fatal(err)
			}
		}
	}
	for path, data := range files {
		if data != nil {
			r.write(path, data)
		}
	}
}

func TestStormOfDamages(t *testing.T) {
	seed := uint64(testbed.Seed(t))
	var r *rig
	var w *stormWorld
	for run := range testbed.Runs(t, 60) {
		if run%100 == 0 { // what repairs keep fills the memory
			r = rigAt(t, vfs.NewMem(vfs.MemOptions{}), "world")
			w = makeStorm(t, r)
		}
		rng := rand.New(rand.NewPCG(seed, uint64(run)))
		files := map[string][]byte{}
		var paths []string
		for _, k := range kinds {
			for x := range int32(2) {
				paths = append(paths, filepath.Join(r.folder(k), region.Pos{X: x}.Name()))
			}
		}
		maps.Copy(files, w.files)
		for x := range int32(2) {
			paths = append(paths, filepath.Join(r.folder(store.Chunks), region.ChunkPos{X: 32*x + 3, Z: 3}.ExternalName()))
		}
		for range 1 + rng.IntN(3) {
			path := paths[rng.IntN(len(paths))]
			if files[path] != nil {
				files[path] = harm(rng, files[path])
			}
		}
		w.lay(r, files)
		w.run(t, r)
		if t.Failed() {
			t.Fatalf("run %d", run)
		}
	}
}

// run checks and repairs the world as it lies there.
func (w *stormWorld) run(t *testing.T, r *rig) {
	before := w.look(t, r)
	report := r.check()
	said := map[objectRef]bool{}
	whole := map[string]bool{}
	for i := range report.Findings {
		f := &report.Findings[i]
		switch {
		case f.Severity < region.SeverityWarning || f.Dimension == "":
		case f.X != nil:
			said[objectRef{f.Dimension, f.kind, f.pos}] = true
		default:
			whole[f.File] = true
		}
	}
	for ref, one := range before {
		path := relative(r.dir, filepath.Join(r.folder(ref.kind), ref.pos.Region().Name()))
		if !one.good && !said[ref] && !whole[path] {
			t.Errorf("%v %v cannot be read and nothing is said: %v", ref.kind, ref.pos, one.err)
		}
	}
	r.repair(RepairOptions{})
	after := w.look(t, r)
	for ref, one := range before {
		if one.good && after[ref].content != one.content {
			t.Errorf("%v %v could be read and has changed: %v", ref.kind, ref.pos, after[ref].err)
		}
	}
	second := r.check()
	plan, _ := r.repair(RepairOptions{})
	for i := range plan.Steps {
		t.Errorf("a second repair: %v", plan.Steps[i].String())
	}
	if t.Failed() {
		for i := range report.Findings {
			t.Logf("found: %v", report.Findings[i].String())
		}
		for i := range second.Findings {
			t.Logf("left: %v", second.Findings[i].String())
		}
	}
}
