package stream

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/server/protocol"
)

// Containers on the wire: of states 4 to 8 bits have a palette, of biomes 1 to
// 3; wider ones have the numbers themselves.
const (
	minStateBits, maxStateBits = 4, 8
	maxBiomeBits               = 3
)

// appendSection appends a section: its counts, states and biomes.
func (e *Encoder) appendSection(dst []byte, c *chunk.Chunk, y chunk.SectionY) []byte {
	at := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	dst, filled, fluids := e.appendStates(dst, c, y)
	binary.BigEndian.PutUint16(dst[at:], uint16(filled))
	binary.BigEndian.PutUint16(dst[at+2:], uint16(fluids))
	return e.appendBiomes(dst, c, y)
}

// appendStates appends the states of a section, and says how many are not air
// and how many hold a fluid.
func (e *Encoder) appendStates(dst []byte, c *chunk.Chunk, y chunk.SectionY) (_ []byte, filled, fluids int) {
	width, palette, longs := c.PackedBlocks(y, e.palette[:0], e.longs[:0])
	e.palette, e.longs = palette, longs
	for i, s := range palette {
		if !s.Native() {
			palette[i] = native(s, e.tables)
		}
		if e.flags[palette[i]]&flagBed != 0 {
			e.beds = append(e.beds, y)
		}
	}
	switch {
	case width == 0:
		flags := e.flags[palette[0]]
		if flags&flagAir == 0 {
			filled = chunk.SectionCells
		}
		if flags&flagFluid != 0 {
			fluids = chunk.SectionCells
		}
		dst = append(dst, 0)
		return protocol.AppendVarInt(dst, int32(e.numbers.states[palette[0]])), filled, fluids
	case width > maxStateBits || len(palette) == 0:
		return e.appendDirect(dst, width, y)
	}
	filled, fluids = e.count(width)
	if width < minStateBits {
		e.widen(width)
		width = minStateBits
	}
	dst = append(dst, byte(width))
	dst = protocol.AppendVarInt(dst, int32(len(palette)))
	for _, s := range palette {
		dst = protocol.AppendVarInt(dst, int32(e.numbers.states[s]))
	}
	return appendLongs(dst, e.longs), filled, fluids
}

// count counts the cells of e.longs whose palette entry is not air, or holds a
// fluid.
func (e *Encoder) count(width int) (filled, fluids int) {
	filled = chunk.SectionCells
	for i, s := range e.palette {
		flags := e.flags[s]
		if flags&(flagAir|flagFluid) == 0 {
			continue
		}
		n := countCells(e.longs, width, uint64(i), chunk.SectionCells)
		if flags&flagAir != 0 {
			filled -= n
		}
		if flags&flagFluid != 0 {
			fluids += n
		}
	}
	return filled, fluids
}

// countCells counts the cells that hold a value, all cells of a long at once:
// what differs from the value in any bit carries into the cell's highest.
func countCells(longs []uint64, width int, value uint64, cells int) int {
	per := 64 / width
	ones := uint64(0)
	for i := range per {
		ones |= 1 << (i * width)
	}
	high := ones << (width - 1)
	low := high - ones // all bits of a cell but its highest
	same := value * ones
	differ, whole := 0, cells/per
	for _, v := range longs[:whole] {
		x := v ^ same
		differ += bits.OnesCount64(((x & low) + low | x) & high)
	}
	if rest := cells - whole*per; rest > 0 {
		x := longs[whole] ^ same
		differ += bits.OnesCount64(((x & low) + low | x) & high & (1<<(rest*width) - 1))
	}
	return cells - differ
}

// widen makes cells of e.longs, of fewer bits than the wire has, as wide.
func (e *Encoder) widen(width int) {
	wide := e.wide[:0]
	per, mask := 64/width, uint64(1)<<width-1
	for cell := 0; cell < chunk.SectionCells; {
		var v uint64
		for shift := 0; shift < 64; shift += minStateBits {
			v |= e.longs[cell/per] >> (cell % per * width) & mask << shift
			cell++
		}
		wide = append(wide, v)
	}
	e.longs, e.wide = wide, e.longs
}

// appendDirect appends states without a palette.
func (e *Encoder) appendDirect(dst []byte, width int, y chunk.SectionY) (_ []byte, filled, fluids int) {
	direct := int(e.numbers.stateBits)
	dst = append(dst, byte(direct))
	per, mask, outPer := 64/width, uint64(1)<<width-1, 64/direct
	filled = chunk.SectionCells
	beds := false
	var out uint64
	n := 0
	for cell := 0; cell < chunk.SectionCells; {
		v := e.longs[cell/per]
		for range min(per, chunk.SectionCells-cell) {
			s := block.State(v & mask)
			v >>= width
			cell++
			if len(e.palette) > 0 {
				s = e.palette[s]
			} else if !s.Native() {
				s = native(s, e.tables)
			}
			flags := e.flags[s]
			filled -= int(flags & flagAir)
			fluids += int(flags & flagFluid / flagFluid)
			beds = beds || flags&flagBed != 0
			out |= uint64(e.numbers.states[s]) << (n * direct)
			if n++; n == outPer {
				dst = binary.BigEndian.AppendUint64(dst, out)
				out, n = 0, 0
			}
		}
	}
	if n > 0 {
		dst = binary.BigEndian.AppendUint64(dst, out)
	}
	if beds && len(e.palette) == 0 {
		e.beds = append(e.beds, y)
	}
	return dst, filled, fluids
}

// appendBiomes appends the biomes of a section.
func (e *Encoder) appendBiomes(dst []byte, c *chunk.Chunk, y chunk.SectionY) []byte {
	width, palette, longs, ok := c.PackedBiomes(y, e.biomePalette[:0], e.longs[:0])
	e.biomePalette, e.longs = palette, longs
	switch {
	case !ok:
		dst = append(dst, 0)
		return protocol.AppendVarInt(dst, e.fallback)
	case width == 0:
		dst = append(dst, 0)
		return protocol.AppendVarInt(dst, e.biome(palette[0]))
	case width > maxBiomeBits || len(palette) == 0:
		return e.appendDirectBiomes(dst, width)
	}
	dst = append(dst, byte(width))
	dst = protocol.AppendVarInt(dst, int32(len(palette)))
	for _, b := range palette {
		dst = protocol.AppendVarInt(dst, e.biome(b))
	}
	return appendLongs(dst, longs)
}

func (e *Encoder) appendDirectBiomes(dst []byte, width int) []byte {
	direct := int(e.biomeBits)
	dst = append(dst, byte(direct))
	per, mask, outPer := 64/width, uint64(1)<<width-1, 64/direct
	var out uint64
	n := 0
	for cell := range chunk.BiomeCells {
		b := chunk.Biome(e.longs[cell/per] >> (cell % per * width) & mask)
		if len(e.biomePalette) > 0 {
			b = e.biomePalette[b]
		}
		out |= uint64(e.biome(b)) << (n * direct)
		if n++; n == outPer {
			dst = binary.BigEndian.AppendUint64(dst, out)
			out, n = 0, 0
		}
	}
	if n > 0 {
		dst = binary.BigEndian.AppendUint64(dst, out)
	}
	return dst
}

// appendLongs appends longs as they are sent.
func appendLongs(dst []byte, longs []uint64) []byte {
	at := len(dst)
	dst = slices.Grow(dst, 8*len(longs))[:at+8*len(longs)]
	out := dst[at:]
	for _, v := range longs {
		binary.BigEndian.PutUint64(out, v)
		out = out[8:]
	}
	return dst
}
