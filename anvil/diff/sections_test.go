package diff

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/bench/testbed"
	"strata/region"
)

// packNaive packs cells bit by bit.
func packNaive(cells []uint32, width int, aligned bool) []byte {
	var longs []uint64
	at := 0
	for _, c := range cells {
		if aligned && at%64+width > 64 {
			at += 64 - at%64
		}
		for bit := range width {
			for len(longs) <= at/64 {
				longs = append(longs, 0)
			}
			longs[at/64] |= uint64(c>>bit&1) << (at % 64)
			at++
		}
	}
	var data []byte
	for _, l := range longs {
		data = binary.BigEndian.AppendUint64(data, l)
	}
	return data
}

func TestCellsOfAllWidthsAreRead(t *testing.T) {
	seed := testbed.Seed(t)
	r := rand.New(rand.NewPCG(uint64(seed), 1))
	for _, n := range []int{1, 2, 3, 16, 17, 31, 33, 100, 300, 600, 1025, 4096} {
		for _, aligned := range []bool{false, true} {
			for _, least := range []int{0, 4} {
				cells := make([]uint32, blockCells)
				for i := range cells {
					cells[i] = uint32(r.IntN(n))
				}
				data := packNaive(cells, max(least, bits.Len(uint(n-1))), aligned)
				got := make([]uint32, blockCells)
				if !unpackCells(got, data, n, least, aligned) || !cmp.Equal(got, cells) {
					t.Errorf("%d entries, aligned %v, least %d: not read", n, aligned, least)
				}
				if n > 1 && (unpackCells(got, data[8:], n, least, aligned) || unpackCells(got, nil, n, least, aligned)) {
					t.Errorf("%d entries, aligned %v, least %d: too few longs were read", n, aligned, least)
				}
			}
		}
	}
	if unpackCells(make([]uint32, 16), packNaive([]uint32{3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 4, true), 3, 4, true) {
		t.Error("an index without an entry was read")
	}
}

// chunkText is a chunk of one section, in the form of a version.
func chunkText(version int, cells []uint32) string {
	text := func(data []byte) string {
		var s strings.Builder
		for i := 0; i < len(data); i += 8 {
			fmt.Fprintf(&s, "%dL,", int64(binary.BigEndian.Uint64(data[i:])))
		}
		return s.String()
	}
	palette := `[{Name:"minecraft:air"},{Name:"minecraft:stone"},{Name:"minecraft:lever",Properties:{powered:"true",face:"wall"}}]`
	switch {
	case version < 1451:
		var blocks, data strings.Builder
		for i, c := range cells {
			fmt.Fprintf(&blocks, "%db,", []int{0, 1, 69}[c])
			if i%2 == 0 {
				low, high := 0, 0
				if c == 2 {
					low = 4
				}
				if cells[i+1] == 2 {
					high = 4
				}
				fmt.Fprintf(&data, "%db,", int8(low|high<<4))
			}
		}
		return fmt.Sprintf(`{DataVersion:%d,Level:{Sections:[{Y:3b,Blocks:[B;%s],Data:[B;%s]}],Biomes:[B;1b,%d]}}`, version, &blocks, &data, cells[0])
	case version < 2844:
		return fmt.Sprintf(`{DataVersion:%d,Level:{Sections:[{Y:3b,Palette:%s,BlockStates:[L;%s]}],Biomes:[I;1,%d]}}`, version, palette, text(packNaive(cells, 4, version >= alignedVersion)), cells[0])
	default:
		return fmt.Sprintf(`{DataVersion:%d,sections:[{Y:3b,block_states:{palette:%s,data:[L;%s]},biomes:{palette:["minecraft:b%d"]}}]}`, version, palette, text(packNaive(cells, 4, true)), cells[0])
	}
}

func TestBlocksOfAllVersionsAreCompared(t *testing.T) {
	old, now := make([]uint32, blockCells), make([]uint32, blockCells)
	now[0], now[17], now[4095] = 1, 2, 1 // 0,48,0 1,48,1 15,63,15
	for _, version := range []int{1343, 2230, 2586, 4903} {
		names := []string{"minecraft:air", "minecraft:stone", "minecraft:lever[face=wall,powered=true]"}
		biomes := Exchange{"0", "1", 1}
		if version < 1451 {
			names = []string{"minecraft:air", "1:0", "69:4"}
		}
		if version == 4903 {
			biomes = Exchange{"minecraft:b0", "minecraft:b1", biomeCells}
		}
		a := side(t, "region", []region.Slot{33}, map[region.Slot]stored{33: {text: chunkText(version, old)}})
		b := side(t, "region", []region.Slot{33}, map[region.Slot]stored{33: {text: chunkText(version, now)}})
		result, regions := compare(t, a, b, Options{})
		r := regions[0].Chunks[0].Region
		want := []BlockChange{{16, 48, 16, names[0], names[1]}, {17, 48, 17, names[0], names[2]}, {31, 63, 31, names[0], names[1]}}
		if d := cmp.Diff(want, r.BlockList); d != "" || r.Blocks != 3 || result.Blocks != 3 {
			t.Errorf("version %d: %d blocks%s", version, r.Blocks, d)
		}
		if d := cmp.Diff([]Exchange{{names[0], names[1], 2}, {names[0], names[2], 1}}, r.BlockKinds); d != "" {
			t.Errorf("version %d:%s", version, d)
		}
		if d := cmp.Diff([]Exchange{biomes}, r.BiomeKinds); d != "" || r.Biomes != biomes.Count {
			t.Errorf("version %d: %d biomes%s", version, r.Biomes, d)
		}
		if r.Sections[0].Y != 3 || r.Sections[0].Blocks != 3 || r.Sections[0].Damaged {
			t.Errorf("version %d: %+v", version, r.Sections)
		}
	}
}

func TestAnAbsentSectionIsAir(t *testing.T) {
	cells := make([]uint32, blockCells)
	cells[5] = 1
	compareTexts := func(old, now string) *Record {
		a := side(t, "region", []region.Slot{0}, map[region.Slot]stored{0: {text: old}})
		b := side(t, "region", []region.Slot{0}, map[region.Slot]stored{0: {text: now}})
		_, regions := compare(t, a, b, Options{})
		return regions[0].Chunks[0].Region
	}
	r := compareTexts(`{DataVersion:4903,sections:[]}`, chunkText(4903, cells))
	if r.Blocks != 1 || r.Sections[0].Y != 3 || r.Changes != 1 {
		t.Errorf("%+v", r)
	}
	r = compareTexts(chunkText(4903, cells), `{DataVersion:4903,sections:[{Y:3b,block_states:{palette:[{Name:"a"},{Name:"b"}],data:[L;1L]}}]}`)
	if r.Blocks != 0 || !r.Sections[0].Damaged {
		t.Errorf("%+v", r.Sections)
	}
}

func TestObjectsAreMatchedByWhoTheyAre(t *testing.T) {
	a := side(t, "entities", []region.Slot{0}, map[region.Slot]stored{0: {text: `{Entities:[{id:"pig",UUID:[I;1,2,3,4],Pos:[0d,0d,0d]},{id:"cow",UUID:[I;9,9,9,9]}]}`}})
	b := side(t, "entities", []region.Slot{0}, map[region.Slot]stored{0: {text: `{Entities:[{id:"bat",UUID:[I;0,0,0,1]},{id:"pig",UUID:[I;1,2,3,4],Pos:[1d,0d,1d]}]}`}})
	_, regions := compare(t, a, b, Options{})
	want := []ObjectChange{
		{"entity", Created, "bat", "00000000-0000-0000-0000-000000000001", 1},
		{"entity", Modified, "pig", "00000001-0000-0002-0000-000300000004", 2},
		{"entity", Deleted, "cow", "00000009-0000-0009-0000-000900000009", 1},
	}
	if d := cmp.Diff(want, regions[0].Chunks[0].Entities.ObjectList); d != "" {
		t.Error(d)
	}
	a = side(t, "poi", []region.Slot{0}, map[region.Slot]stored{0: {text: `{Sections:{"4":{Records:[{pos:[I;1,2,3],type:"bell",free_tickets:0}]}}}`}})
	b = side(t, "poi", []region.Slot{0}, map[region.Slot]stored{0: {text: `{Sections:{"4":{Records:[{pos:[I;1,2,3],type:"bell",free_tickets:1}]}}}`}})
	_, regions = compare(t, a, b, Options{})
	if d := cmp.Diff([]ObjectChange{{"poi", Modified, "bell", "1,2,3", 1}}, regions[0].Chunks[0].POI.ObjectList); d != "" {
		t.Error(d)
	}
	a = side(t, "region", []region.Slot{0}, map[region.Slot]stored{0: {text: `{block_entities:[{id:"chest",x:1,y:2,z:3,Items:[]}]}`}})
	b = side(t, "region", []region.Slot{0}, map[region.Slot]stored{0: {text: `{block_entities:[{id:"chest",x:1,y:2,z:3,Items:[{Slot:0b}]}]}`}})
	_, regions = compare(t, a, b, Options{})
	if d := cmp.Diff([]ObjectChange{{"block_entity", Modified, "chest", "1,2,3", 1}}, regions[0].Chunks[0].Region.ObjectList); d != "" {
		t.Error(d)
	}
}
