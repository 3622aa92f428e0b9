package chunk

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/nbt"
	"strata/region"
)

// chunkOf is an empty chunk of a version.
func chunkOf(t testing.TB, version int32) *Chunk {
	t.Helper()
	c, err := New(NewTables(), region.ChunkPos{}, Options{DataVersion: version, MinSection: -4, Sections: 24})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

type m = map[string]any

func blockEntityOf(t testing.TB, id string, x int32, more m) nbt.Raw {
	t.Helper()
	members := m{"id": id, "x": x, "y": int32(64), "z": int32(0), "keepPacked": int8(0)}
	for k, v := range more {
		members[k] = v
	}
	return compound(t, members)
}

func itemOf(id string, components m) m {
	return m{"id": id, "count": int32(1), "components": components}
}

func ids(t *testing.T, c *Chunk) (all []string) {
	t.Helper()
	list, err := c.BlockEntities()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		all = append(all, e.ID)
	}
	return all
}

func TestRaisingRemovesTheBlockEntitiesOfBeds(t *testing.T) {
	for _, version := range []int32{4786, 4790, 4902} {
		c := chunkOf(t, version)
		sulfur := blockEntityOf(t, "minecraft:chest", 3, m{"Lock": "bed"})
		err := c.SetBlockEntities([]nbt.Raw{
			blockEntityOf(t, "minecraft:bed", 1, nil), sulfur, blockEntityOf(t, "bed", 2, nil),
			blockEntityOf(t, "other:bed", 4, nil), blockEntityOf(t, "minecraft:bell", 5, nil),
		})
		if err != nil {
			t.Fatal(err)
		}
		revision := c.Revision()
		applied, err := c.Raise(4903)
		if err != nil || !cmp.Equal(applied, []string{"bed-block-entities"}) {
			t.Fatalf("from %d: applied %q, %v", version, applied, err)
		}
		if c.DataVersion() != 4903 || c.Revision() == revision {
			t.Errorf("from %d: DataVersion %d, revision %d after %d", version, c.DataVersion(), c.Revision(), revision)
		}
		c = reloaded(t, c)
		if got := ids(t, c); !cmp.Equal(got, []string{"minecraft:chest", "other:bed", "minecraft:bell"}) || c.DataVersion() != 4903 {
			t.Errorf("from %d: %d has %q", version, c.DataVersion(), got)
		}
		if e, ok := c.BlockEntityAt(BlockPos{3, 64, 0}); !ok || !cmp.Equal(e.NBT, sulfur) {
			t.Errorf("from %d: the chest has changed", version)
		}
	}
}

func TestRaisingTakesBedsOutOfItemsAlone(t *testing.T) {
	bed := m{"minecraft:block_entity_data": m{"id": "minecraft:bed", "x": int32(1)}, "minecraft:damage": int32(3)}
	before := func(bed m) []m {
		kept := m{
			"minecraft:block_entity_data": m{"id": "minecraft:chest", "Items": []m{itemOf("minecraft:red_bed", bed)}},
			"minecraft:custom_data":       m{"components": m{"minecraft:block_entity_data": m{"id": "minecraft:bed"}}},
		}
		return []m{
			itemOf("minecraft:red_bed", bed), itemOf("minecraft:chest", kept),
			itemOf("minecraft:bundle", m{"minecraft:bundle_contents": []m{itemOf("minecraft:bundle", m{
				"minecraft:bundle_contents": []m{itemOf("minecraft:blue_bed", bed)},
			})}}),
			itemOf("minecraft:shulker_box", m{"minecraft:container": []m{{"slot": int32(2), "item": itemOf("minecraft:red_bed", bed)}}}),
		}
	}
	after := before(m{"minecraft:damage": int32(3)})
	bukkit := m{"x": m{"components": bed}}
	// A bed's data outside of an item's components is no component.
	chest := func(items []m) nbt.Raw {
		return blockEntityOf(t, "minecraft:chest", 1, m{
			"Items": items, "PublicBukkitValues": bukkit, "x": m{"minecraft:block_entity_data": m{"id": "minecraft:bed"}},
		})
	}
	zombie := func(items []m) nbt.Raw {
		return compound(t, m{"id": "minecraft:zombie", "equipment": m{"head": items[0], "feet": items[3]}})
	}
	c := chunkOf(t, 4790)
	if err := errors.Join(c.SetBlockEntities([]nbt.Raw{chest(before(bed))}), c.SetEntities([]nbt.Raw{zombie(before(bed))})); err != nil {
		t.Fatal(err)
	}
	applied, err := c.Raise(4903)
	if err != nil || !cmp.Equal(applied, []string{"bed-item-data"}) {
		t.Fatalf("applied %q, %v", applied, err)
	}
	c = reloaded(t, c)
	all, err := c.BlockEntities()
	if err != nil || len(all) != 1 || !nbt.Equal(valueOf(t, all[0].NBT), valueOf(t, chest(after))) {
		t.Errorf("chest %v, %v", all, err)
	}
	entities, err := c.Entities()
	if err != nil || len(entities) != 1 || !nbt.Equal(valueOf(t, entities[0]), valueOf(t, zombie(after))) {
		t.Errorf("zombie %v, %v", entities, err)
	}
}

func valueOf(t *testing.T, raw nbt.Raw) any {
	t.Helper()
	var tape nbt.Tape
	if err := tape.ParseNetwork(append([]byte{byte(raw.Type)}, raw.Data...)); err != nil {
		t.Fatal(err)
	}
	return tape.Root().Value()
}

func TestRaisingChangesNothingElse(t *testing.T) {
	n := 0
	for _, data := range corpusIfThere(t) {
		c, err := NewDecoder(NewTables()).Decode(data)
		if err != nil || CheckRaise(c.DataVersion(), 4903) != nil || c.DataVersion() == 4903 {
			continue
		}
		n++
		before := c.Clone()
		all, err := c.BlockEntities()
		if err != nil {
			t.Fatal(err)
		}
		var want []nbt.Raw
		beds := 0
		for _, e := range all {
			if e.ID == "minecraft:bed" {
				beds++
			} else {
				want = append(want, e.NBT)
			}
		}
		applied, err := c.Raise(4903)
		if err != nil || (beds > 0) != (len(applied) > 0) {
			t.Fatalf("chunk %v with %d beds: applied %q, %v", c.Pos(), beds, applied, err)
		}
		before.dataVersion = 4903
		if beds > 0 {
			if err := before.SetBlockEntities(want); err != nil {
				t.Fatal(err)
			}
		}
		if err := sameModel(before, c); err != nil {
			t.Errorf("chunk %v: %v", c.Pos(), err)
		}
	}
	t.Logf("raised %d chunks of the corpus", n)
}

func TestNothingIsRaisedWithoutAConversion(t *testing.T) {
	for _, v := range []struct{ from, to int32 }{
		{4785, 4903}, {4903, 4790}, {4786, 4790}, {4790, 4904}, {4903, 5023}, {2975, 4903}, {4786, 4902}, {4790, 0},
	} {
		c := chunkOf(t, v.from)
		if err := c.SetBlockEntities([]nbt.Raw{blockEntityOf(t, "minecraft:bed", 1, nil)}); err != nil {
			t.Fatal(err)
		}
		before := c.Clone()
		applied, err := c.Raise(v.to)
		var re *RaiseError
		if applied != nil || !errors.Is(err, ErrNoConversion) || !errors.As(err, &re) || re.From != v.from || re.To != v.to {
			t.Errorf("%d to %d: %q, %v", v.from, v.to, applied, err)
		}
		if err := sameModel(before, c); err != nil || before.Revision() != c.Revision() {
			t.Errorf("%d to %d: the chunk has changed: %v", v.from, v.to, err)
		}
	}
	c := chunkOf(t, 4790)
	if applied, err := c.Raise(4790); applied != nil || err != nil {
		t.Errorf("to its own version: %q, %v", applied, err)
	}
}

func TestAChunkThatCannotBeConvertedStaysAsItIs(t *testing.T) {
	c := chunkOf(t, 4790)
	if err := c.SetMember("block_entities", compound(t, m{"a": int32(1)})); err != nil {
		t.Fatal(err)
	}
	stays := func(reason error, name string) {
		t.Helper()
		before := c.Clone()
		applied, err := c.Raise(4903)
		if applied != nil || !errors.Is(err, reason) || !strings.Contains(err.Error(), name) {
			t.Errorf("%q, %v", applied, err)
		}
		if err := sameModel(before, c); err != nil || c.Revision() != before.Revision() {
			t.Errorf("the chunk has changed: %v", err)
		}
	}
	stays(ErrType, "bed-block-entities")
	// Nor does one stay half converted.
	if err := c.SetBlockEntities([]nbt.Raw{blockEntityOf(t, "minecraft:bed", 1, nil)}); err != nil {
		t.Fatal(err)
	}
	all := steps
	defer func() { steps = all }()
	steps = Steps()
	steps[0].Conversions = append(steps[0].Conversions, Conversion{"never", func(*Chunk) (bool, error) { return false, ErrElement }})
	stays(ErrElement, "never")
}

// A clone shares its members with the chunk that is raised.
func TestRaisingLeavesClonesAlone(t *testing.T) {
	c := chunkOf(t, 4790)
	chest := blockEntityOf(t, "minecraft:chest", 1, m{"Items": []m{itemOf("minecraft:red_bed", m{"minecraft:block_entity_data": m{"id": "minecraft:bed"}})}})
	if err := c.SetBlockEntities([]nbt.Raw{blockEntityOf(t, "minecraft:bed", 1, nil), chest}); err != nil {
		t.Fatal(err)
	}
	var e Encoder
	clone := c.Clone()
	want, err := e.Encode(nil, clone)
	if err != nil {
		t.Fatal(err)
	}
	if applied, err := c.Raise(4903); err != nil || len(applied) != 2 {
		t.Fatalf("applied %q, %v", applied, err)
	}
	if got, err := e.Encode(nil, clone); err != nil || !cmp.Equal(got, want) {
		t.Errorf("the clone has changed: %v", err)
	}
}

// bedroom is the document of a chunk of 26.1.2 with beds in both forms.
func bedroom(t testing.TB) []byte {
	t.Helper()
	bed := m{"minecraft:block_entity_data": m{"id": "minecraft:bed"}}
	c := chunkOf(t, 4790)
	err := c.SetBlockEntities([]nbt.Raw{
		blockEntityOf(t, "minecraft:bed", 1, nil),
		blockEntityOf(t, "minecraft:chest", 2, m{"Items": []m{itemOf("minecraft:red_bed", bed), itemOf("minecraft:stone", nil)}}),
	})
	if err != nil {
		t.Fatal(err)
	}
	var e Encoder
	data, err := e.Encode(nil, c)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
