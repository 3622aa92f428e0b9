package mob

import (
	"slices"
	"testing"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/settings"
)

const native = 4903

// meadow is a place of a chunk of one kind of ground, with biomes by number.
func meadow(t *testing.T, ground block.ID, biome proto.Biome) (*Place, *feature.Chunk) {
	t.Helper()
	c := proto.New(-64, 384)
	c.Reset(3, -5)
	for i := range (64 + 64) * 256 {
		c.Blocks[i] = block.Stone.Default()
	}
	for i := (63 + 64) * 256; i < (64+64)*256; i++ {
		c.Blocks[i] = ground.Default()
	}
	made := feature.NewChunk(c)
	return &Place{
		Chunk: made, Biome: biome, BiomeAt: func(int, int, int) proto.Biome { return biome },
		Light: func(int, int, int) int { return 15 }, SeaLevel: 63,
	}, made
}

func load(t *testing.T, biomes ...string) *Animals {
	t.Helper()
	source, err := settings.Builtin(native)
	if err != nil {
		t.Fatal(err)
	}
	a, err := Load(source, biomes)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// count draws the animals of many chunks, by type.
func count(a *Animals, p *Place, chunks int32) (n map[string]int, all []feature.Entity) {
	n = make(map[string]int)
	for i := range chunks {
		p.Chunk.X, p.Chunk.Z = i*7, -i*3
		for _, e := range a.Spawn(p, 42) {
			n[e.ID]++
			all = append(all, e)
		}
	}
	return n, all
}

func TestHerdsAreThoseOfTheBiome(t *testing.T) {
	a := load(t, "minecraft:plains", "minecraft:desert", "minecraft:beach", "minecraft:mushroom_fields")
	for _, c := range []struct {
		ground  block.ID
		biome   proto.Biome
		want    []string
		without bool // anything at all
	}{
		{block.GrassBlock, 0, []string{"minecraft:chicken", "minecraft:cow", "minecraft:donkey", "minecraft:horse", "minecraft:pig", "minecraft:sheep"}, false},
		{block.Stone, 0, nil, true},
		{block.Sand, 2, []string{"minecraft:turtle"}, false},
		{block.Mycelium, 3, []string{"minecraft:mooshroom"}, false},
	} {
		p, _ := meadow(t, c.ground, c.biome)
		n, all := count(a, p, 3000)
		for id := range n {
			if !slices.Contains(c.want, id) {
				t.Errorf("%s on %s in biome %d", id, c.ground.Name(), c.biome)
			}
		}
		if c.without != (len(all) == 0) || !c.without && len(n) != len(c.want) {
			t.Errorf("on %s in biome %d: %v", c.ground.Name(), c.biome, n)
		}
		for _, e := range all {
			if e.Y != 64 || len(e.Extra) == 0 {
				t.Fatalf("%+v", e)
			}
		}
	}
}

// In one chunk of nine another herd follows a draw of 0.1, and each has so many
// animals as the biome says.
func TestAnimalsAreAsManyAsTheBiomeSays(t *testing.T) {
	a := load(t, "minecraft:plains")
	p, _ := meadow(t, block.GrassBlock, 0)
	_, all := count(a, p, 9000)
	if herds := 9000.0 / 9; float64(len(all)) < 3.3*herds || float64(len(all)) > 4.1*herds {
		t.Errorf("%d animals in about %v herds", len(all), herds)
	}
}

func TestNothingBeginsInTheDarkNorInBlocks(t *testing.T) {
	a := load(t, "minecraft:plains")
	p, _ := meadow(t, block.GrassBlock, 0)
	p.Light = func(int, int, int) int { return 8 }
	if n, _ := count(a, p, 2000); len(n) > 0 {
		t.Errorf("in the dark: %v", n)
	}
	p, c := meadow(t, block.GrassBlock, 0)
	for i := range 256 {
		c.Blocks[(64+65)*256+i] = block.OakLeaves.Default() // a block of air below
	}
	if n, _ := count(a, p, 2000); len(n) > 0 {
		t.Errorf("below leaves: %v", n)
	}
}

func TestTheSameChunkHasTheSameAnimals(t *testing.T) {
	a := load(t, "minecraft:savanna")
	p, _ := meadow(t, block.GrassBlock, 0)
	_, first := count(a, p, 500)
	_, again := count(a, p, 500)
	if len(first) == 0 || len(first) != len(again) {
		t.Fatalf("%d and %d animals", len(first), len(again))
	}
	for i := range first {
		if first[i].X != again[i].X || first[i].ID != again[i].ID || string(first[i].Extra[0].Value.Data) != string(again[i].Extra[0].Value.Data) {
			t.Fatalf("animal %d: %+v, then %+v", i, first[i], again[i])
		}
	}
}

func TestStridersStandInLava(t *testing.T) {
	a := load(t, "minecraft:nether_wastes")
	p, c := meadow(t, block.Lava, 0)
	p.Ceiling = true
	for i := range 256 {
		c.Blocks[(64+100)*256+i] = block.Bedrock.Default()
	}
	n, all := count(a, p, 500)
	if n["minecraft:strider"] == 0 || len(n) != 1 || all[0].Y != 63 {
		t.Errorf("%v", n)
	}
}

// Every creature of a biome of the game has a way of its own, or begins as most
// do.
func TestAllBiomesOfTheGameAreRead(t *testing.T) {
	for _, version := range []int32{4790, native} {
		source, err := settings.Builtin(version)
		if err != nil {
			t.Fatal(err)
		}
		ids, err := source.IDs("worldgen/biome")
		if err != nil {
			t.Fatal(err)
		}
		a, err := Load(source, ids)
		if err != nil {
			t.Fatal(err)
		}
		for i, h := range a.herds {
			for _, herd := range h.list {
				if _, ok := known[herd.kind.id]; !ok {
					t.Errorf("%s of %s begins as most do", herd.kind.id, ids[i])
				}
			}
		}
	}
}
