package fsck

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/bench/testbed"
	"strata/nbt"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// A damage is one of the ways worlds were found in. Chunk 1,1 and chunk 5,5 are
// sound in each and stay as they are.
type damage struct {
	name  string
	make  func(r *rig, m *image)
	found []Class // above info
	info  Class   // found as well
	// gone are classes that a repair without options ends.
	left []Class // after it; nil: nothing
	// want are chunks of 0.0 that can be read after the repair, beside the two.
	want [][2]int32
	o    RepairOptions
}

var damages = []damage{
	{name: "nothing", make: func(*rig, *image) {}},
	{name: "zero-length file", info: region.ZeroByte, make: func(r *rig, _ *image) {
		r.write(filepath.Join(r.folder(store.Chunks), "r.7.7.mca"), nil)
	}},
	{name: "last sector unpadded", info: region.Unpadded, want: [][2]int32{{9, 9}}, make: func(_ *rig, m *image) {
		at := m.chunk(9, 9)
		n := int(at.Sector())*region.SectorBytes + 4 + int(m.bytes[int(at.Sector())*region.SectorBytes+2])<<8 + int(m.bytes[int(at.Sector())*region.SectorBytes+3])
		m.bytes = m.bytes[:n]
	}},
	{name: "header of 5,000 bytes", found: []Class{region.ShortHeader}, make: func(r *rig, _ *image) {
		r.write(filepath.Join(r.folder(store.Chunks), "r.7.7.mca"), make([]byte, 5000))
	}},
	{name: "text in the place of a region", found: []Class{region.NotRegion}, make: func(r *rig, _ *image) {
		r.write(filepath.Join(r.folder(store.Chunks), "r.7.7.mca"), bytes.Repeat([]byte("not a region file\n"), 1000))
	}},
	{name: "zeros without end", make: func(r *rig, _ *image) {
		r.write(filepath.Join(r.folder(store.Chunks), "r.7.7.mca"), make([]byte, 1<<20))
	}},
	{
		name: "location inside the header", found: []Class{region.InHeader}, left: []Class{region.InHeader},
		make: func(_ *rig, m *image) { m.set(m.at(2, 2), region.MakeLocation(1, 1)) },
	},
	{
		name: "location past the end", found: []Class{region.OutOfRange}, left: []Class{region.OutOfRange},
		make: func(_ *rig, m *image) { m.set(m.at(2, 2), region.MakeLocation(900, 1)) },
	},
	{
		name: "location past the end, dropped", found: []Class{region.OutOfRange}, o: RepairOptions{DropMissing: true},
		make: func(_ *rig, m *image) { m.set(m.at(2, 2), region.MakeLocation(900, 1)) },
	},
	{
		name: "count of zero", found: []Class{region.ZeroCount}, want: [][2]int32{{2, 2}},
		make: func(_ *rig, m *image) {
			at := m.chunk(2, 2)
			m.set(m.at(2, 2), region.MakeLocation(at.Sector(), 0))
		},
	},
	{
		name: "negative length", found: []Class{region.BadLength}, want: [][2]int32{{2, 2}},
		make: func(_ *rig, m *image) {
			at := m.chunk(2, 2)
			copy(m.bytes[int(at.Sector())*region.SectorBytes:], "\xff\xff\xff\xf0")
		},
	},
	{
		name: "length of 2 GB", found: []Class{region.BadLength}, want: [][2]int32{{2, 2}},
		make: func(_ *rig, m *image) {
			at := m.chunk(2, 2)
			copy(m.bytes[int(at.Sector())*region.SectorBytes:], "\x7f\xff\xff\xff")
		},
	},
	{
		name: "two slots of one record", found: []Class{region.Overlap, region.Overlap, region.WrongPosition}, want: [][2]int32{{2, 2}},
		make: func(_ *rig, m *image) { m.set(m.at(3, 3), m.chunk(2, 2)) },
	},
	{
		name: "chunk in another slot of its region", found: []Class{region.WrongPosition}, want: [][2]int32{{2, 2}},
		make: func(_ *rig, m *image) { m.put(m.at(3, 3), chunkNBT(m.t, m.at(2, 2), nil)) },
	},
	{
		name: "chunk in another region", found: []Class{region.WrongPosition},
		make: func(_ *rig, m *image) { m.put(m.at(3, 3), chunkNBT(m.t, m.at(40, 2), nil)) }, want: [][2]int32{{40, 2}},
	},
	{
		name: "chunk in another region, in its place damage", found: []Class{region.WrongPosition, region.BadStream, DuplicateChunk}, want: [][2]int32{{40, 2}},
		make: func(r *rig, m *image) {
			n := newImage(m.t, 1, 0)
			n.record(n.at(8, 2), byte(codec.Zlib), []byte{1, 2, 3})
			n.save(r, store.Chunks)
			m.put(m.at(3, 3), chunkNBT(m.t, m.at(40, 2), nil))
		},
	},
	{
		name: "the same chunk in two regions", found: []Class{region.WrongPosition, DuplicateChunk}, want: [][2]int32{{40, 2}},
		make: func(r *rig, m *image) {
			n := newImage(m.t, 1, 0)
			n.chunk(8, 2)
			n.save(r, store.Chunks)
			m.put(m.at(3, 3), chunkNBT(m.t, m.at(40, 2), nil))
		},
	},
	{
		name: "another version of a chunk in another region", found: []Class{region.WrongPosition, DuplicateChunk}, want: [][2]int32{{40, 2}, {3, 3}},
		left: []Class{region.WrongPosition, DuplicateChunk},
		make: func(r *rig, m *image) {
			n := newImage(m.t, 1, 0)
			n.chunk(8, 2)
			n.save(r, store.Chunks)
			m.put(m.at(3, 3), chunkNBT(m.t, m.at(40, 2), func(c *chunk.Chunk) { c.SetLastUpdate(5) }))
		},
	},
	{
		name: "chain of chunks over regions", found: []Class{region.WrongPosition, region.WrongPosition, DuplicateChunk}, want: [][2]int32{{40, 2}, {70, 2}},
		make: func(r *rig, m *image) {
			n := newImage(m.t, 1, 0)
			n.put(n.at(8, 2), chunkNBT(m.t, m.at(70, 2), nil))
			n.chunk(9, 9)
			n.save(r, store.Chunks)
			m.put(m.at(3, 3), chunkNBT(m.t, m.at(40, 2), nil))
		},
	},
	{
		name: "header lost", found: []Class{region.LostHeader}, want: [][2]int32{{2, 2}},
		make: func(_ *rig, m *image) { m.chunk(2, 2); clear(m.bytes[:region.HeaderBytes]) },
	},
	{
		name: "external file missing", found: []Class{region.ExternalMissing}, left: []Class{region.ExternalMissing},
		make: func(_ *rig, m *image) { m.record(m.at(2, 2), byte(codec.Zlib)|128, nil) },
	},
	{
		name: "external file missing, stream inside", found: []Class{region.ExternalMissing, region.ExternalInline}, want: [][2]int32{{2, 2}},
		make: func(_ *rig, m *image) {
			m.record(m.at(2, 2), byte(codec.Zlib)|128, encode(m.t, codec.Zlib, chunkNBT(m.t, m.at(2, 2), nil)))
		},
	},
	{
		name: "stream inside and outside", found: []Class{region.ExternalInline}, left: []Class{region.ExternalInline}, want: [][2]int32{{2, 2}},
		make: func(r *rig, m *image) {
			stream := encode(m.t, codec.Zlib, chunkNBT(m.t, m.at(2, 2), nil))
			r.write(filepath.Join(r.folder(store.Chunks), m.at(2, 2).ExternalName()), stream)
			m.record(m.at(2, 2), byte(codec.Zlib)|128, stream)
		},
	},
	{
		name: "external file of another scheme", found: []Class{region.SchemeMismatch}, want: [][2]int32{{2, 2}},
		make: func(r *rig, m *image) {
			r.write(filepath.Join(r.folder(store.Chunks), m.at(2, 2).ExternalName()), encode(m.t, codec.LZ4, chunkNBT(m.t, m.at(2, 2), nil)))
			m.record(m.at(2, 2), byte(codec.Zlib)|128, nil)
		},
	},
	{name: "orphan external file", found: []Class{region.OrphanExternal}, make: func(r *rig, m *image) {
		r.write(filepath.Join(r.folder(store.Chunks), m.at(2, 2).ExternalName()), []byte("body"))
	}},
	{name: "orphan of a region without a file", found: []Class{region.OrphanExternal}, make: func(r *rig, m *image) {
		r.write(filepath.Join(r.folder(store.Chunks), m.at(200, 2).ExternalName()), []byte("body"))
	}},
	{name: "temporary file of the game", found: []Class{region.Leftover}, make: func(r *rig, _ *image) {
		r.write(filepath.Join(r.folder(store.Chunks), "tmp12345.tmp"), []byte("body"))
	}},
	{name: "lz4-java", want: [][2]int32{{2, 2}}, make: func(_ *rig, m *image) {
		m.record(m.at(2, 2), byte(codec.LZ4), encode(m.t, codec.LZ4, chunkNBT(m.t, m.at(2, 2), nil)))
	}},
	{name: "gzip and none", want: [][2]int32{{2, 2}, {2, 3}}, make: func(_ *rig, m *image) {
		m.record(m.at(2, 2), byte(codec.Gzip), encode(m.t, codec.Gzip, chunkNBT(m.t, m.at(2, 2), nil)))
		m.record(m.at(2, 3), byte(codec.None), chunkNBT(m.t, m.at(2, 3), nil))
	}},
	{
		name: "custom scheme", found: []Class{region.UnknownScheme}, left: []Class{region.UnknownScheme}, want: [][2]int32{{2, 2}},
		make: func(_ *rig, m *image) { m.record(m.at(2, 2), 127, []byte("\x00\x04own:bytes")) },
	},
	{
		name: "end tag in the place of a compound", found: []Class{region.BadContent}, left: []Class{region.BadContent}, want: [][2]int32{{2, 2}},
		make: func(_ *rig, m *image) { m.put(m.at(2, 2), []byte{0}) },
	},
	{
		name: "section without a palette", found: []Class{MissingMember}, left: []Class{MissingMember}, want: [][2]int32{{2, 2}},
		make: func(_ *rig, m *image) {
			m.put(m.at(2, 2), marshal(m.t, map[string]any{
				"DataVersion": int32(4903), "xPos": int32(2), "zPos": int32(2), "yPos": int32(-4), "Status": "minecraft:full",
				"sections": []any{map[string]any{"Y": int8(-1), "block_states": map[string]any{}}},
			}))
		},
	},
	{
		name: "sections below the world", found: []Class{SectionRange}, left: []Class{SectionRange}, want: [][2]int32{{2, 2}},
		make: func(_ *rig, m *image) {
			m.put(m.at(2, 2), withSection(m.t, m.at(2, 2), -9))
		},
	},
	{
		name: "chunk newer than the world", found: []Class{NewerThanWorld}, left: []Class{NewerThanWorld}, want: [][2]int32{{2, 2}},
		make: func(_ *rig, m *image) {
			data := chunkNBT(m.t, m.at(2, 2), nil)
			m.put(m.at(2, 2), bytes.Replace(data, []byte("DataVersion\x00\x00\x13\x27"), []byte("DataVersion\x00\x00\x23\x27"), 1))
		},
	},
	{
		name: "chunk from before 1.13", info: TooOld, want: [][2]int32{{2, 2}},
		make: func(_ *rig, m *image) {
			m.put(m.at(2, 2), marshal(m.t, map[string]any{
				"DataVersion": int32(1343), "Level": map[string]any{"xPos": int32(2), "zPos": int32(2)},
			}))
		},
	},
	{name: "old sections of light alone", make: func(_ *rig, m *image) {
		m.put(m.at(2, 2), marshal(m.t, map[string]any{
			"DataVersion": int32(2586), "Level": map[string]any{
				"xPos": int32(2), "zPos": int32(2), "Status": "light",
				"Sections": []any{map[string]any{"Y": int8(-1), "SkyLight": make([]byte, 2048)}},
			},
		}))
	}, want: [][2]int32{{2, 2}}},
	{
		name: "location of zeros", found: []Class{region.BadLength}, left: []Class{region.BadLength},
		make: func(_ *rig, m *image) {
			at := len(m.bytes) / region.SectorBytes
			m.bytes = append(m.bytes, make([]byte, region.SectorBytes)...)
			m.set(m.at(2, 2), region.MakeLocation(uint32(at), 1))
		},
	},
	{
		name: "height above the world", found: []Class{BadHeightmap}, left: []Class{BadHeightmap}, want: [][2]int32{{2, 2}},
		make: func(_ *rig, m *image) {
			data := chunkNBT(m.t, m.at(2, 2), nil)
			at := bytes.Index(data, []byte("WORLD_SURFACE\x00\x00\x00"))
			copy(data[at+17:], "\x7f\xff\xff\xff\xff\xff\xff\xff")
			m.put(m.at(2, 2), data)
		},
	},
}

// withSection is a chunk with blocks in a section more.
func withSection(t testing.TB, pos region.ChunkPos, y int8) []byte {
	t.Helper()
	var tape nbt.Tape
	if err := tape.Parse(chunkNBT(t, pos, nil)); err != nil {
		t.Fatal(err)
	}
	section, err := nbt.MarshalRaw(map[string]any{
		"Y": y, "block_states": map[string]any{"palette": []any{map[string]any{"Name": "minecraft:stone"}}},
		"biomes": map[string]any{"palette": []string{"minecraft:plains"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	e := tape.Edit()
	e.Append(tape.Root().Get("sections"), section)
	data, err := e.AppendTo(nil)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestDamageIsFoundAndRepaired(t *testing.T) {
	for _, d := range damages {
		t.Run(d.name, func(t *testing.T) {
			r := newRig(t)
			m := newImage(t, 0, 0)
			m.chunk(1, 1)
			d.make(r, m)
			if len(m.bytes) > 3*region.SectorBytes && d.name != "header lost" && d.info != region.Unpadded {
				m.chunk(5, 5)
			}
			m.save(r, store.Chunks)
			before, files := r.payloads(), r.tree()
			report := r.check()
			wantClasses(t, report, d.found...)
			if d.info != "" && !hasInfo(report, d.info) {
				t.Errorf("no %s", d.info)
			}
			plan, _ := r.repair(d.o)
			if needs := len(d.found) > 0 && len(d.left) < len(d.found); plan.Empty() == needs {
				t.Errorf("the plan has %d steps", len(plan.Steps))
			}
			for i := range plan.Steps {
				path := filepath.Join(r.dir, filepath.FromSlash(plan.Steps[i].File))
				if _, was := files[path]; !was {
					t.Errorf("a step is about %s, which was not there", path)
				}
			}
			wantClasses(t, r.check(), d.left...)
			after := r.payloads()
			for _, at := range append(d.want, [2]int32{1, 1}) {
				pos := region.ChunkPos{X: at[0], Z: at[1]}
				if after[name(store.Chunks, pos)] == "" {
					t.Errorf("chunk %v is not there after the repair", pos)
				}
			}
			// What could be read and was in its place is byte-equal.
			for key, payload := range before {
				if strings.HasSuffix(key, " 2,2") && slices.Contains(d.found, region.SchemeMismatch) {
					continue // the stub names another scheme now
				}
				if after[key] != payload && !strings.HasSuffix(key, " 3,3") && !strings.HasSuffix(key, " 40,2") {
					t.Errorf("%s has changed", key)
				}
			}
			r.wantSettled(d.o)
		})
	}
}

func TestMovedRegionIsMovedOnRequest(t *testing.T) {
	r := newRig(t)
	m := newImage(t, 0, 0)
	m.pos = region.Pos{X: 4, Z: 4} // the chunks say 4,4
	for z := range int32(6) {
		m.chunk(z, 3)
	}
	want := map[string]string{}
	m.save(r, store.Chunks)
	maps.Copy(want, r.payloads())
	if err := r.fs.Rename(filepath.Join(r.folder(store.Chunks), "r.4.4.mca"), filepath.Join(r.folder(store.Chunks), "r.0.0.mca")); err != nil {
		t.Fatal(err)
	}
	wantClasses(t, r.check(), region.MovedRegion)
	if plan, _ := r.repair(RepairOptions{}); !plan.Empty() || len(plan.Left) != 1 || !strings.Contains(plan.Left[0].Reason, "r.4.4.mca") {
		t.Errorf("unasked: %+v", plan)
	}
	o := RepairOptions{MoveRegions: true}
	r.repair(o)
	wantClasses(t, r.check())
	if got := r.payloads(); !maps.Equal(got, want) {
		t.Errorf("%d chunks are there, want %d", len(got), len(want))
	}
	r.wantSettled(o)
}

func TestEntitiesAndPOIOfOtherChunksAreFound(t *testing.T) {
	r := newRig(t)
	chunks := newImage(t, 0, 0)
	chunks.chunk(1, 1)
	chunks.chunk(2, 2)
	chunks.chunk(3, 3)
	chunks.save(r, store.Chunks)
	at := chunks.at
	entities := newImage(t, 0, 0)
	entities.put(at(1, 1), entitiesNBT(t, at(1, 1), at(1, 1), at(4, 4)))
	entities.put(at(2, 2), entitiesNBT(t, at(2, 2), at(1, 1))) // the same pig
	entities.put(at(9, 9), entitiesNBT(t, at(3, 3)))           // and not in its slot
	entities.save(r, store.Entities)
	poi := newImage(t, 0, 0)
	poi.put(at(1, 1), poiNBT(t, at(1, 1), at(2, 2)))
	poi.put(at(7, 7), poiNBT(t, at(2, 2)))
	poi.save(r, store.POI)
	wantClasses(t, r.check(), MisplacedEntity, MisplacedEntity, DuplicateUUID, region.WrongPosition, MisplacedPOI, region.WrongPosition)
	r.repair(RepairOptions{})
	wantClasses(t, r.check(), MisplacedEntity, MisplacedEntity, DuplicateUUID, MisplacedPOI)
	got := r.payloads()
	if got[name(store.Entities, at(3, 3))] == "" || got[name(store.POI, at(2, 2))] == "" {
		t.Error("entities and points of interest are not in their places")
	}
	r.wantSettled(RepairOptions{})
}

func TestEntitiesWithoutChunksAreInfo(t *testing.T) {
	r := newRig(t)
	m := newImage(t, 0, 0)
	m.put(m.at(3, 3), entitiesNBT(t, m.at(3, 3), m.at(3, 3)))
	m.save(r, store.Entities)
	report := r.check()
	wantClasses(t, report)
	if !hasInfo(report, NoChunk) {
		t.Error("not reported")
	}
}

func TestChunksAreTakenFromAnotherWorld(t *testing.T) {
	fsys := vfs.NewMem(vfs.MemOptions{})
	donor, r := rigAt(t, fsys, "donor"), rigAt(t, fsys, "world")
	m := newImage(t, 0, 0)
	for z := range int32(4) {
		m.chunk(2, z)
	}
	m.put(m.at(3, 0), bytes.Replace(chunkNBT(t, m.at(3, 0), nil), []byte("DataVersion\x00\x00\x13\x27"), []byte("DataVersion\x00\x00\x23\x27"), 1))
	m.put(m.at(3, 1), chunkNBT(t, m.at(9, 9), nil))
	m.put(m.at(3, 2), []byte{0})
	m.save(donor, store.Chunks)

	n := newImage(t, 0, 0)
	n.chunk(2, 0)                                     // sound
	n.put(n.at(2, 1), []byte{0})                      // no NBT
	n.set(n.at(2, 2), region.MakeLocation(900, 1))    // nowhere
	n.record(n.at(2, 3), byte(codec.Zlib), []byte{1}) // no stream
	n.put(n.at(3, 0), []byte{0})                      // the donor's is newer than the world
	n.put(n.at(3, 1), []byte{0})                      // or another chunk
	n.put(n.at(3, 2), []byte{0})                      // or damaged
	n.put(n.at(3, 3), []byte{0})                      // or not there
	n.record(n.at(5, 5), byte(codec.Zlib)|128, nil)   // no external file
	n.save(r, store.Chunks)
	sound := r.payloads()[name(store.Chunks, n.at(2, 0))]
	w, err := NewWorldDonor(donor.open())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	o := RepairOptions{Donors: []Donor{w}}
	plan, _ := r.repair(o)
	if len(plan.Steps) != 3 || len(plan.Left) != 5 {
		t.Errorf("plan %+v", plan)
	}
	want, got := donor.payloads(), r.payloads()
	for z := range int32(4) {
		key := name(store.Chunks, n.at(2, z))
		if got[key] != want[key] {
			t.Errorf("%s is not the donor's", key)
		}
	}
	if got[name(store.Chunks, n.at(2, 0))] != sound {
		t.Error("a sound chunk has changed")
	}
	r.wantSettled(o)
}

func TestLostRegionIsTakenFromAnotherWorld(t *testing.T) {
	fsys := vfs.NewMem(vfs.MemOptions{})
	donor, r := rigAt(t, fsys, "donor"), rigAt(t, fsys, "world")
	m := newImage(t, 0, 0)
	m.chunk(2, 2)
	m.chunk(3, 3)
	m.save(donor, store.Chunks)
	text := bytes.Repeat([]byte("not a region file\n"), 1000)
	path := filepath.Join(r.folder(store.Chunks), "r.0.0.mca")
	r.write(path, text)
	w, err := NewWorldDonor(donor.open())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	_, out := r.repair(RepairOptions{Donors: []Donor{w}})
	if !maps.Equal(r.payloads(), donor.payloads()) {
		t.Error("the chunks are not the donor's")
	}
	if len(out.Kept) != 1 || !bytes.Equal(r.read(out.Kept[0]), text) {
		t.Errorf("the original is not in %v", out.Kept)
	}
	r.wantSettled(RepairOptions{})
}

func TestChunksTooLargeForOldWorldsAreRefused(t *testing.T) {
	j := newJudge(rules{kind: store.POI, world: 1976, tables: newTables()})
	_, err := j.document(marshal(t, map[string]any{"DataVersion": int32(1976)}), 300*region.SectorBytes, region.ChunkPos{})
	if err == nil || !strings.Contains(err.Error(), "2203") {
		t.Errorf("%v", err)
	}
	j.i.rules.world = 2225
	if _, err := j.document(marshal(t, map[string]any{"DataVersion": int32(2225)}), 300*region.SectorBytes, region.ChunkPos{}); err != nil {
		t.Error(err)
	}
}

func TestFilesOver2GiBAreRead(t *testing.T) {
	r := rigAt(t, vfs.OS(), filepath.Join(t.TempDir(), "world"))
	m := newImage(t, 0, 0)
	m.chunk(1, 1)
	stream := encode(t, codec.Zlib, chunkNBT(t, m.at(2, 2), nil))
	const far = region.MaxSectors + 7
	m.set(m.at(2, 2), region.MakeLocation(far, 1))
	m.save(r, store.Chunks)
	file, err := os.OpenFile(filepath.Join(r.folder(store.Chunks), "r.0.0.mca"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	record := append([]byte{0, 0, byte((len(stream) + 1) >> 8), byte(len(stream) + 1), byte(codec.Zlib)}, stream...)
	_, err = file.WriteAt(record, far*region.SectorBytes)
	if err := errors.Join(err, file.Close()); err != nil {
		testbed.SkipOrFail(t, "no room for a sparse file: %v", err)
	}
	wantClasses(t, r.check(), region.BeyondLimit)
}
