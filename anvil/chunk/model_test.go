package chunk

import (
	"bytes"
	"fmt"
	"slices"
)

// sameModel tells how two chunks with the same tables differ.
func sameModel(a, b *Chunk) error {
	switch {
	case a.pos != b.pos || a.dataVersion != b.dataVersion || a.form != b.form || a.has != b.has:
		return fmt.Errorf("head %v %d %v %v and %v %d %v %v", a.pos, a.dataVersion, a.form, a.has, b.pos, b.dataVersion, b.form, b.has)
	case a.statusName != b.statusName || a.lastUpdate != b.lastUpdate || a.inhabitedTime != b.inhabitedTime || a.lightOn != b.lightOn:
		return fmt.Errorf("status %s and %s, or times, or light", a.statusName, b.statusName)
	case a.firstY != b.firstY || a.minY != b.minY || a.topY != b.topY || len(a.sections) != len(b.sections):
		return fmt.Errorf("sections %d %d %d %d and %d %d %d %d", a.firstY, a.minY, a.topY, len(a.sections), b.firstY, b.minY, b.topY, len(b.sections))
	case a.heights.kinds != b.heights.kinds || a.heights.kinds != 0 && a.heights.width != b.heights.width || !slices.Equal(a.heights.data, b.heights.data):
		return fmt.Errorf("heightmaps %b of %d bits and %b of %d bits", a.heights.kinds, a.heights.width, b.heights.kinds, b.heights.width)
	case !bytes.Equal(a.extra, b.extra) || !bytes.Equal(a.outer, b.outer) || !bytes.Equal(a.heightsExtra, b.heightsExtra):
		return fmt.Errorf("members that are not known")
	}
	for m := range a.members {
		if !bytes.Equal(a.members[m], b.members[m]) {
			return fmt.Errorf("member %d", m)
		}
	}
	for i := range a.sections {
		if err := sameSection(&a.sections[i], &b.sections[i]); err != nil {
			return fmt.Errorf("section %d: %w", int(a.firstY)+i, err)
		}
	}
	return nil
}

func sameSection(a, b *section) error {
	if a.flags != b.flags || !bytes.Equal(a.extra, b.extra) || (a.inner == nil) != (b.inner == nil) {
		return fmt.Errorf("flags %b and %b, or members that are not known", a.flags, b.flags)
	}
	for l := range a.light {
		x, y := &a.light[l], &b.light[l]
		if (x.state == LightAbsent) != (y.state == LightAbsent) || !bytes.Equal(x.unpacked(), y.unpacked()) {
			return fmt.Errorf("%v", Light(l))
		}
	}
	if a.flags&sectionBlocks != 0 && !sameCells(&a.blocks, &b.blocks, SectionCells) {
		return fmt.Errorf("blocks")
	}
	if a.flags&sectionBiomes != 0 && !sameCells(&a.biomes, &b.biomes, BiomeCells) {
		return fmt.Errorf("biomes")
	}
	return nil
}

// unpacked has the light as an array: edits may have made one uniform, which it
// is only known to be once it has been read again.
func (l *light) unpacked() []byte {
	if l.state == LightArray {
		return l.data
	}
	return bytes.Repeat([]byte{l.value * 0x11}, LightBytes)
}

func sameCells(a, b *container, n int) bool {
	if a.width == 0 && b.width == 0 {
		return a.single == b.single
	}
	x, y := make([]uint16, n), make([]uint16, n)
	a.values(x)
	b.values(y)
	return slices.Equal(x, y)
}
