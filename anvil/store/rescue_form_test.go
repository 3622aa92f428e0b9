package store

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/nbt"
	"strata/region/vfs"
)

// rescuedChunk reads the only chunk that was rescued.
func rescuedChunk(t *testing.T, fsys vfs.FS) *chunk.Chunk {
	t.Helper()
	all, err := ListRescued(fsys, "w")
	if err != nil || len(all) != 1 {
		t.Fatalf("rescued %v, %v", all, err)
	}
	data, err := ReadRescued(fsys, all[0])
	if err != nil {
		t.Fatal(err)
	}
	c, err := chunk.NewDecoder(chunk.NewTables()).Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// paletteOf is the document of a chunk, to look for names in.
func paletteOf(t *testing.T, c *chunk.Chunk) string {
	t.Helper()
	var e chunk.Encoder
	data, err := e.Encode(nil, c)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestAChunkThatCannotBeEncodedIsRescuedAndBlocksNobody(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*chunk.Chunk) error
		want  []string
	}{
		"block states": {func(c *chunk.Chunk) error {
			c.SetBlock(1, 2, 3, block.State(60000))
			c.SetBlock(2, 2, 3, block.State(60001))
			return nil
		}, []string{"strata:unknown_60000", "strata:unknown_60001"}},
		"biomes": {func(c *chunk.Chunk) error { return c.SetBiome(0, 17, 0, chunk.Biome(9999)) }, []string{"strata:unknown_9999"}},
		"status": {func(c *chunk.Chunk) error { c.SetStatusName(strings.Repeat("x", 70000)); return nil }, []string{"strata:unknown"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := mem()
			w := makeWorld(t, m, "w")
			var told events
			opts := small()
			opts.Events = told.add
			opts.Attempts = 2
			s := openStore(t, w, opts)
			put(t, s, at(0, 0), 1)
			put(t, s, at(1, 0), 1)
			put(t, s, at(40, 0), 1)
			barrier(t, s)
			chest, err := nbt.MarshalRaw(map[string]any{"id": "minecraft:chest", "x": int32(5), "y": int32(6), "z": int32(7)})
			if err != nil {
				t.Fatal(err)
			}
			err = s.Update(ctx, 0, at(0, 0).Pos, Structural, func(ch *chunk.Chunk) error {
				ch.SetBlock(4, 4, 4, block.Stone.Default())
				return errors.Join(c.spoil(ch), setNumber(ch, 2), ch.SetBlockEntity(chest))
			})
			if err != nil {
				t.Fatal(err)
			}
			put(t, s, at(40, 0), 2)
			if err := s.Barrier(ctx); err == nil {
				t.Error("the first try succeeded")
			}
			barrier(t, s)
			if told.count(ObjectRescued) != 1 || told.count(RegionFrozen) != 1 || told.all[len(told.all)-1].Path == "" && told.all[len(told.all)-2].Path == "" {
				t.Errorf("told %v", told.all)
			}
			closeStore(t, s)
			if a, b, c := onDisk(t, m, w, at(0, 0)), onDisk(t, m, w, at(1, 0)), onDisk(t, m, w, at(40, 0)); a != 1 || b != 1 || c != 2 {
				t.Errorf("%d, %d and %d on the disk", a, b, c)
			}
			got := rescuedChunk(t, m.CrashClone(vfs.CrashOptions{}))
			if number(got) != 2 || got.Pos() != at(0, 0).Pos {
				t.Errorf("number %d of %v was rescued", number(got), got.Pos())
			}
			if state := got.Block(4, 4, 4); state != block.Stone.Default() {
				t.Errorf("a block of it is %v", state)
			}
			if _, ok := got.BlockEntityAt(chunk.BlockPos{X: 5, Y: 6, Z: 7}); !ok {
				t.Error("its chest has gone")
			}
			document := paletteOf(t, got)
			for _, want := range c.want {
				if !strings.Contains(document, want) {
					t.Errorf("nothing in it says %s", want)
				}
			}
		})
	}
}

// What is too long for a region file is rescued as it is.
func TestWhatIsTooLongIsRescuedWhole(t *testing.T) {
	m := mem()
	w := makeWorld(t, m, "w")
	opts := small()
	opts.Attempts = 1
	s := openStore(t, w, opts)
	s.streamLimit = 1000
	ref := at(0, 0).as(Entities)
	noise := make([]byte, 5000)
	rand.NewChaCha8([32]byte{}).Read(noise)
	data, err := nbt.Marshal(struct {
		DataVersion int32
		Position    []int32
		Noise       []byte
	}{4903, []int32{0, 0}, noise})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.PutDocument(ctx, ref, data); err != nil {
		t.Fatal(err)
	}
	put(t, s, at(40, 0), 2)
	closeStore(t, s)
	if n := onDisk(t, m, w, at(40, 0)); n != 2 {
		t.Errorf("%d on the disk", n)
	}
	all, err := ListRescued(m, "w")
	if err != nil || len(all) != 1 || all[0].Kind != Entities {
		t.Fatalf("rescued %v, %v", all, err)
	}
	if got, err := ReadRescued(m, all[0]); err != nil || !bytes.Equal(got, data) {
		t.Errorf("%d bytes of %d were rescued: %v", len(got), len(data), err)
	}
}
