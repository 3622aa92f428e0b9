package clients

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"

	"strata/region"
	"strata/region/codec"
)

// The tests here fail when a deviation is no more, so that what works round it
// can go.

// deviant has the library write a chunk that runs into one deviation.
type deviant struct {
	world     *ChunkWorld
	numbering *Numbering
	chunk     Chunk
}

func newDeviant(t *testing.T, version string) *deviant {
	t.Helper()
	world, numbering, err := StartChunks(t).Open(version)
	if err != nil {
		t.Fatal(err)
	}
	return &deviant{world, numbering, plainChunk(biomesOf[version])}
}

// write writes the chunk, which must run into the deviation and no other, and
// returns the folder.
func (d *deviant) write(t *testing.T, want ...Deviation) (string, error) {
	t.Helper()
	if met := d.numbering.WriteDeviations(d.chunk); !slices.Equal(met, want) {
		t.Errorf("deviations %v, want %v", met, want)
	}
	dir := t.TempDir()
	return dir, d.world.Write(dir, []Chunk{d.chunk})
}

// document returns the NBT of the chunk in a folder.
func (d *deviant) document(t *testing.T, dir string) Value {
	t.Helper()
	pos := region.ChunkPos{X: int32(d.chunk.X), Z: int32(d.chunk.Z)}
	f, err := region.Open(filepath.Join(dir, pos.Region().Name()), region.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var unpack codec.Decoder
	data, _, err := f.Decode(pos.Slot(), &unpack, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !d.numbering.HasLevel() {
		at := bytes.Index(data, []byte("\x00\x00\x09isLightOn\x09"))
		if at < 0 {
			t.Fatalf("the document does not end %s", EndsEarly)
		}
		data = data[:at+1]
	}
	document, err := StartNBT(t).Decode(NBTify, File, data)
	if err != nil {
		t.Fatal(err)
	}
	return document.Root
}

// member returns a member of a compound, TypeEnd if it has none of that name.
func member(v Value, names ...Text) Value {
	for _, name := range names {
		i := slices.IndexFunc(v.Entries, func(e Entry) bool { return e.Name == name })
		if i < 0 {
			return Value{Type: TypeEnd}
		}
		v = v.Entries[i].Value
	}
	return v
}

func TestProviderCountsIntsOf1_17FromZero(t *testing.T) {
	d := newDeviant(t, "1.17.1")
	snow := slices.Index(d.numbering.States, "minecraft:snow[layers=0]")
	if snow < 0 {
		t.Fatal("no snow")
	}
	if got := d.numbering.Misread["minecraft:snow[layers=1]"]; int(got) != snow+1 {
		t.Errorf("a layer of snow is read as %d, want %d", got, snow+1)
	}
	for i := range d.chunk.Sections[0].Blocks {
		d.chunk.Sections[0].Blocks[i] = uint16(snow)
	}
	dir, err := d.write(t)
	if err != nil {
		t.Fatal(err)
	}
	section := member(d.document(t, dir), "Level", "Sections").Items[0]
	palette := member(section, "Palette").Items
	if got := member(palette[len(palette)-1], "Properties", "layers"); got.Text != "0" {
		t.Errorf("a layer of snow is layers=%s on disk", got.Text)
	}
}

func TestProviderReversesLightUpTo1_17(t *testing.T) {
	d := newDeviant(t, "1.16.5")
	dir, err := d.write(t)
	if err != nil {
		t.Fatal(err)
	}
	section := member(d.document(t, dir), "Level", "Sections").Items[0]
	var got []byte
	for _, n := range member(section, "BlockLight").Numbers {
		got = append(got, byte(n))
	}
	if told := d.chunk.Sections[0].BlockLight; bytes.Equal(got, told) {
		t.Error("the light is in order on disk")
	}
	if want := d.numbering.OnDisk(d.chunk).Sections[0].BlockLight; !bytes.Equal(got, want) {
		t.Error("the light on disk is in an order that is not known")
	}
}

func TestProviderLosesLargePalettes(t *testing.T) {
	fill := func(d *deviant) {
		for i := range d.chunk.Sections[0].Blocks {
			d.chunk.Sections[0].Blocks[i] = uint16(i % (MaxSectionStates + 1))
		}
	}
	d := newDeviant(t, "1.16.5")
	fill(d)
	dir, err := d.write(t, PaletteLost)
	if err != nil {
		t.Fatal(err)
	}
	section := member(d.document(t, dir), "Level", "Sections").Items[0]
	if member(section, "BlockStates").Type != TypeLongArray || member(section, "Palette").Type != TypeEnd {
		t.Error("1.16.5: the section has a palette")
	}
	d = newDeviant(t, "1.20.6")
	fill(d)
	if dir, err = d.write(t, PaletteLost); err != nil {
		t.Fatal(err)
	}
	sections := member(d.document(t, dir), "sections").Items
	at := slices.IndexFunc(sections, func(s Value) bool { return member(s, "Y").Int == 2 })
	if at < 0 {
		t.Fatal("1.20.6: the section is not there")
	}
	palette := member(sections[at], "block_states", "palette").Items
	if len(palette) != 1 || member(palette[0], "Name").Text != "minecraft:" {
		t.Errorf("1.20.6: the section has a palette of %d entries", len(palette))
	}
}

func TestProviderLosesManyBiomes(t *testing.T) {
	d := newDeviant(t, "1.20.6")
	for i := range 64 {
		d.chunk.Biomes[i] = uint16(i % (MaxSectionBiomes + 1))
	}
	dir, err := d.write(t, BiomesLost)
	if err != nil {
		t.Fatal(err)
	}
	palette := member(member(d.document(t, dir), "sections").Items[0], "biomes", "palette").Items
	if len(palette) != 1 || palette[0].Text != "minecraft:undefined" {
		t.Errorf("the lowest section has biomes %+v", palette)
	}
}

func TestProviderLosesLightWithoutBlocks(t *testing.T) {
	for version, y := range map[string]int{"1.16.5": 9, "1.20.6": -5} {
		d := newDeviant(t, version)
		lit := ChunkSection{Y: y, Blocks: make([]uint16, sectionBlocks), SkyLight: bytes.Repeat([]byte{0xff}, sectionLight)}
		want := d.chunk
		d.chunk.Sections = append(slices.Clone(want.Sections), lit)
		dir, err := d.write(t, LightNeedsBlocks)
		if err != nil {
			t.Fatal(err)
		}
		got, err := d.world.Read(dir, [][2]int{{want.X, want.Z}})
		if err != nil || len(got) != 1 {
			t.Fatalf("%d chunks, %v", len(got), err)
		}
		if diff := DiffChunks(got[0], want); diff != "" {
			t.Errorf("%s: without the light there is left: %s", version, diff)
		}
	}
}
