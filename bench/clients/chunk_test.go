package clients

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
)

// plainChunk is a chunk without deviations: in its section some states, the
// same ones in all versions, and light on both sides of them.
func plainChunk(biomes int) Chunk {
	c := Chunk{X: -3, Z: 7, Biomes: make([]uint16, biomes)}
	for i := range c.Biomes {
		c.Biomes[i] = uint16(i / 7 % 3)
	}
	s := ChunkSection{Y: 2, Blocks: make([]uint16, sectionBlocks), BlockLight: make([]byte, sectionLight), SkyLight: make([]byte, sectionLight)}
	for i := range s.Blocks {
		s.Blocks[i] = uint16(i*i) % 40
		s.BlockLight[i/2] += byte(i % 11)
		s.SkyLight[i/2] ^= byte(i * 3)
	}
	c.Sections = append(c.Sections, s)
	return c
}

// biomesOf is how many biomes the chunks of versions have.
var biomesOf = map[string]int{"1.14.4": 256, "1.16.5": 1024, "1.17.1": 1024, "1.20.6": 1536}

func TestChunkIsReadAsItWasTold(t *testing.T) {
	judge := StartChunks(t)
	for version, biomes := range biomesOf {
		world, numbering, err := judge.Open(version)
		if err != nil {
			t.Fatal(err)
		}
		if numbering.States[0] != "minecraft:air" || !slices.Contains(numbering.Biomes, "minecraft:plains") {
			t.Errorf("%s: numbering begins with %q, %q", version, numbering.States[:2], numbering.Biomes[:2])
		}
		want, dir := plainChunk(biomes), t.TempDir()
		if met := numbering.WriteDeviations(want); met != nil {
			t.Errorf("%s: %v", version, met)
		}
		if err := world.Write(dir, []Chunk{want}); err != nil {
			t.Fatalf("%s: %v", version, err)
		}
		at := [][2]int{{want.X, want.Z}}
		got, err := world.Read(dir, at)
		if err != nil || len(got) != 1 {
			t.Fatalf("%s: %d chunks, %v", version, len(got), err)
		}
		if diff := DiffChunks(got[0], want); diff != "" {
			t.Errorf("%s: %s", version, diff)
		}
		digests, err := world.Digests(dir, at)
		if err != nil || len(digests) != 1 {
			t.Fatalf("%s: %d digests, %v", version, len(digests), err)
		}
		if diff := DiffDigests(digests[0], want); diff != "" {
			t.Errorf("%s: %s", version, diff)
		}
	}
}

func TestChunkJudgeRefuses(t *testing.T) {
	judge := StartChunks(t)
	refused := func(name, want string, err error) {
		t.Helper()
		var refusal *Refusal
		if !errors.As(err, &refusal) || !strings.Contains(refusal.Text, want) {
			t.Errorf("%s: error %v, want a refusal with %q", name, err, want)
		}
	}
	_, _, err := judge.Open("0.30")
	refused("version that there is not", "0.30", err)
	refused("world that was not opened", "no world", (&ChunkWorld{judge.judge, "1.16.5"}).Write(t.TempDir(), nil))
	world, _, err := judge.Open("1.16.5")
	if err != nil {
		t.Fatal(err)
	}
	_, err = world.Read(t.TempDir(), [][2]int{{1, 2}})
	refused("chunk that there is not", "no chunk at 1, 2", err)
	refused("way of reading", "no way", world.read(t.TempDir(), nil, "toString", &struct{}{}))
}

const twoBlocks = `{
	"minecraft:air": {"states": [{"id": 0, "default": true}]},
	"minecraft:lever": {
		"properties": {"face": ["floor", "wall"], "powered": ["true", "false"]},
		"states": [
			{"id": 1, "properties": {"face": "floor", "powered": "true"}},
			{"id": 2, "properties": {"face": "floor", "powered": "false"}},
			{"id": 3, "properties": {"face": "wall", "powered": "true"}},
			{"id": 4, "properties": {"face": "wall", "powered": "false"}}
		]
	}
}`

func TestDefinedWorldHasTheNumbersOfItsReport(t *testing.T) {
	judge := StartChunks(t)
	world, states, err := judge.Define("small", json.RawMessage(twoBlocks), []string{"minecraft:plains"})
	if err != nil || states != 5 {
		t.Errorf("%d states, %v", states, err)
	}
	var refusal *Refusal
	if err := world.Write(t.TempDir(), []Chunk{plainChunk(1536)}); !errors.As(err, &refusal) {
		t.Errorf("writing: error %v, want a refusal", err)
	}
	swapped := strings.NewReplacer(`"id": 2`, `"id": 3`, `"id": 3`, `"id": 2`).Replace(twoBlocks)
	_, _, err = judge.Define("swapped", json.RawMessage(swapped), []string{"minecraft:plains"})
	if !errors.As(err, &refusal) || !strings.Contains(refusal.Text, "minecraft:lever") {
		t.Errorf("report with its numbers in another order: error %v, want a refusal", err)
	}
}

func TestDiffChunksFindsEachKindOfDifference(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*Chunk)
		want   string
	}{
		"nothing":           {func(*Chunk) {}, ""},
		"section of air":    {func(c *Chunk) { c.Sections = append(c.Sections, ChunkSection{Y: 9, Blocks: make([]uint16, 4096)}) }, ""},
		"position":          {func(c *Chunk) { c.X++ }, "is at -2,7"},
		"biome":             {func(c *Chunk) { c.Biomes[5] = 9 }, "biome 5 is 9, want 0"},
		"number of biomes":  {func(c *Chunk) { c.Biomes = c.Biomes[1:] }, "1023 of biome, want 1024"},
		"block":             {func(c *Chunk) { c.Sections[0].Blocks[3] = 77 }, "section 2: block 3 is 77, want 9"},
		"block light":       {func(c *Chunk) { c.Sections[0].BlockLight[1]++ }, "section 2: byte of block light 1 is"},
		"sky light":         {func(c *Chunk) { c.Sections[0].SkyLight = nil }, "section 2: 0 of byte of sky light, want 2048"},
		"section":           {func(c *Chunk) { c.Sections = nil }, "section 2: block 1 is 0, want 1"},
		"section elsewhere": {func(c *Chunk) { c.Sections[0].Y = 3 }, "section 2: block 1 is 0, want 1"},
	} {
		got := plainChunk(1024)
		tc.change(&got)
		diff := DiffChunks(got, plainChunk(1024))
		if (diff == "") != (tc.want == "") || !strings.Contains(diff, tc.want) {
			t.Errorf("%s: %q, want %q", name, diff, tc.want)
		}
		if (DiffDigests(got.Digest(), plainChunk(1024)) == "") != (tc.want == "") {
			t.Errorf("%s: digests say %q", name, DiffDigests(got.Digest(), plainChunk(1024)))
		}
	}
}

func TestAnswerWithAShortArrayIsAnError(t *testing.T) {
	for _, wire := range []wireSection{
		{Blocks: make([]byte, 2*sectionBlocks-2)},
		{Blocks: make([]byte, 2*sectionBlocks), BlockLight: make([]byte, 1)},
		{Blocks: make([]byte, 2*sectionBlocks), SkyLight: make([]byte, sectionLight+1)},
	} {
		if _, err := (wireChunk{Sections: []wireSection{wire}}).chunk(); err == nil {
			t.Errorf("no error for %d, %d, %d bytes", len(wire.Blocks), len(wire.BlockLight), len(wire.SkyLight))
		}
	}
}

func TestNumberingCountsPropertiesFromTheLast(t *testing.T) {
	wire := wireNumbering{Blocks: []wireBlock{
		{Name: "b", First: 1, Properties: []wireProperty{
			{Name: "z", Type: "bool", Count: 2}, {Name: "a", Type: "int", Count: 2}, {Name: "e", Type: "enum", Count: 1, Values: []string{"only"}},
		}},
		{Name: "air", First: 0},
	}}
	n, err := wire.numbering("1.20.6")
	want := []string{
		"minecraft:air",
		"minecraft:b[a=0,e=only,z=true]", "minecraft:b[a=1,e=only,z=true]",
		"minecraft:b[a=0,e=only,z=false]", "minecraft:b[a=1,e=only,z=false]",
	}
	if err != nil || !slices.Equal(n.States, want) {
		t.Errorf("%q, %v", n.States, err)
	}
}

func TestNumberingWithoutSenseIsAnError(t *testing.T) {
	for name, wire := range map[string]wireNumbering{
		"gap":             {Blocks: []wireBlock{{Name: "a", First: 1}}},
		"two of a number": {Blocks: []wireBlock{{Name: "a"}, {Name: "b"}}},
		"negative":        {Blocks: []wireBlock{{Name: "a", First: -1}}},
		"too large":       {Blocks: []wireBlock{{Name: "a", First: maxStates}}},
		"no values":       {Blocks: []wireBlock{{Name: "a", Properties: []wireProperty{{Name: "p", Type: "enum", Count: 2}}}}},
		"too many states": {Blocks: []wireBlock{{Name: "a", Properties: slices.Repeat([]wireProperty{{Name: "p", Type: "int", Count: 60000}}, 2)}}},
	} {
		if _, err := wire.numbering("1.20.6"); !errors.Is(err, ErrNoAnswer) {
			t.Errorf("%s: error %v, want ErrNoAnswer", name, err)
		}
	}
}
