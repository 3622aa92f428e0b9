package bench

import (
	"encoding/binary"
	"math/bits"
)

// NBT tag types, from the NBT format page of minecraft.wiki.
const (
	tagByte      = 1
	tagInt       = 3
	tagLong      = 4
	tagByteArray = 7
	tagString    = 8
	tagList      = 9
	tagCompound  = 10
	tagLongArray = 12
)

// nbtWriter appends tags. It knows no nesting: end closes the compound that
// the caller has in mind.
type nbtWriter []byte

func (w *nbtWriter) text(s string) {
	*w = binary.BigEndian.AppendUint16(*w, uint16(len(s)))
	*w = append(*w, s...)
}

func (w *nbtWriter) tag(kind byte, name string) {
	*w = append(*w, kind)
	w.text(name)
}

func (w *nbtWriter) end() { *w = append(*w, 0) }

func (w *nbtWriter) int(name string, v int32) {
	w.tag(tagInt, name)
	*w = binary.BigEndian.AppendUint32(*w, uint32(v))
}

func (w *nbtWriter) long(name string, v int64) {
	w.tag(tagLong, name)
	*w = binary.BigEndian.AppendUint64(*w, uint64(v))
}

func (w *nbtWriter) byte(name string, v byte) {
	w.tag(tagByte, name)
	*w = append(*w, v)
}

func (w *nbtWriter) string(name, v string) {
	w.tag(tagString, name)
	w.text(v)
}

func (w *nbtWriter) list(name string, kind byte, n int) {
	w.tag(tagList, name)
	*w = append(*w, kind)
	*w = binary.BigEndian.AppendUint32(*w, uint32(n))
}

func (w *nbtWriter) byteArray(name string, b []byte) {
	w.tag(tagByteArray, name)
	*w = binary.BigEndian.AppendUint32(*w, uint32(len(b)))
	*w = append(*w, b...)
}

func (w *nbtWriter) longArray(name string, v []uint64) {
	w.tag(tagLongArray, name)
	*w = binary.BigEndian.AppendUint32(*w, uint32(len(v)))
	for _, l := range v {
		*w = binary.BigEndian.AppendUint64(*w, l)
	}
}

// packBits packs values of width bits into longs, none across two of them, as
// the game does since 1.16.
func packBits(values []uint16, width int) []uint64 {
	perLong := 64 / width
	longs := make([]uint64, (len(values)+perLong-1)/perLong)
	for i, v := range values {
		longs[i/perLong] |= uint64(v) << (i % perLong * width)
	}
	return longs
}

// syntheticChunk is the chunk at a position in chunks.
func syntheticChunk(cx, cz int32) []byte {
	var heights [256]int32
	top := int32(synSeaLevel)
	for i := range heights {
		heights[i] = synHeight(cx<<4|int32(i&15), cz<<4|int32(i>>4))
		top = max(top, heights[i]+1)
	}
	w := make(nbtWriter, 0, 64<<10)
	w.tag(tagCompound, "")
	w.int("DataVersion", 4903)
	w.int("xPos", cx)
	w.int("yPos", synMinY>>4)
	w.int("zPos", cz)
	w.string("Status", "minecraft:full")
	w.long("LastUpdate", 24000+int64(synHash(cx, 0, cz, 9)%20000))
	w.long("InhabitedTime", int64(synHash(cx, 0, cz, 10)%600))
	w.byte("isLightOn", 1)
	w.list("sections", tagCompound, synSections)
	for s := range int32(synSections) {
		w.section(cx, cz, synMinY+s*16, &heights, top)
	}
	w.heightmaps(&heights)
	w.list("PostProcessing", tagList, synSections)
	for range synSections {
		w = append(w, 0, 0, 0, 0, 0)
	}
	for _, name := range []string{"block_entities", "block_ticks", "fluid_ticks"} {
		w.list(name, 0, 0)
	}
	w.tag(tagCompound, "structures")
	w.tag(tagCompound, "References")
	w.end()
	w.tag(tagCompound, "starts")
	w.end()
	w.end()
	w.end()
	return w
}

func (w *nbtWriter) section(cx, cz, y0 int32, heights *[256]int32, top int32) {
	w.byte("Y", byte(int8(y0>>4)))
	w.blockStates(cx, cz, y0, heights, top)
	w.tag(tagCompound, "biomes")
	w.list("palette", tagString, 1)
	w.text([]string{"minecraft:plains", "minecraft:forest", "minecraft:savanna"}[synHash(cx>>2, 0, cz>>2, 11)%3])
	w.end()
	if y0 <= top+16 && y0+32 > synSeaLevel {
		w.byteArray("SkyLight", synSkyLight(y0, heights))
	}
	if y0 < 0 {
		if light, lit := synBlockLight(cx, cz, y0); lit {
			w.byteArray("BlockLight", light)
		}
	}
	w.end()
}

func (w *nbtWriter) blockStates(cx, cz, y0 int32, heights *[256]int32, top int32) {
	var cells [4096]uint16
	var index [32]uint16 // of a state in the palette, plus 1
	var palette []uint8
	ground := newSynGround(cx, cz, y0)
	for i := range cells {
		state := uint8(synAir)
		if y := y0 + int32(i>>8); y <= top {
			state = synState(ground, cx<<4|int32(i&15), y, cz<<4|int32(i>>4&15), heights[i&255])
		}
		if index[state] == 0 {
			palette = append(palette, state)
			index[state] = uint16(len(palette))
		}
		cells[i] = index[state] - 1
	}
	w.tag(tagCompound, "block_states")
	w.list("palette", tagCompound, len(palette))
	for _, state := range palette {
		text := synStates[state]
		w.string("Name", text[0])
		if len(text) > 1 {
			w.tag(tagCompound, "Properties")
			w.string(text[1], text[2])
			w.end()
		}
		w.end()
	}
	if len(palette) > 1 {
		w.longArray("data", packBits(cells[:], max(4, bits.Len(uint(len(palette)-1)))))
	}
	w.end()
}

// synSkyLight is full light above the ground, less with each block of water,
// none below.
func synSkyLight(y0 int32, heights *[256]int32) []byte {
	light := make([]byte, 2048)
	for i := range 4096 {
		y, height := y0+int32(i>>8), heights[i&255]
		level := int32(15)
		switch {
		case y < height:
			level = 0
		case y < synSeaLevel:
			level = max(0, 15-(synSeaLevel-y))
		}
		light[i/2] |= byte(level) << (i & 1 * 4)
	}
	return light
}

// synBlockLight is the light around one block of lava for each 8-block cell
// of the section that has one, in the ground as well as outside of it.
func synBlockLight(cx, cz, y0 int32) (light []byte, lit bool) {
	light = make([]byte, 2048)
	for cell := range int32(8) {
		x0, y1, z0 := cell&1*8, cell>>2*8, cell>>1&1*8
		h := synHash(cx<<1|x0>>3, y0>>3|y1>>3, cz<<1|z0>>3, 12)
		if h%8 != 0 {
			continue
		}
		lit = true
		for i := range int32(4096) {
			x, y, z := i&15-x0-int32(h>>8&7), i>>8-y1-int32(h>>11&7), i>>4&15-z0-int32(h>>14&7)
			level := byte(max(0, 15-max(x, -x)-max(y, -y)-max(z, -z)))
			shift := i & 1 * 4
			if level > light[i/2]>>shift&15 {
				light[i/2] = light[i/2]&^(15<<shift) | level<<shift
			}
		}
	}
	return light, lit
}

func (w *nbtWriter) heightmaps(heights *[256]int32) {
	var surface, floor [256]uint16
	for i, h := range heights {
		floor[i] = uint16(h - synMinY)
		surface[i] = uint16(max(h, synSeaLevel) - synMinY)
	}
	w.tag(tagCompound, "Heightmaps")
	for _, m := range []struct {
		name   string
		values []uint16
	}{
		{"MOTION_BLOCKING", surface[:]}, {"MOTION_BLOCKING_NO_LEAVES", surface[:]},
		{"OCEAN_FLOOR", floor[:]}, {"WORLD_SURFACE", surface[:]},
	} {
		w.longArray(m.name, packBits(m.values, 9))
	}
	w.end()
}
