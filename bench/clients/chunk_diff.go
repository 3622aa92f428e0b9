package clients

import (
	"fmt"
	"slices"
)

// DiffChunks returns the first difference between two chunks, or "" when there
// is none.
func DiffChunks(got, want Chunk) string {
	if d := diffDigests(got.Digest(), want.Digest()); d == "" {
		return ""
	}
	where := fmt.Sprintf("chunk %d,%d", want.X, want.Z)
	if got.X != want.X || got.Z != want.Z {
		return fmt.Sprintf("%s is at %d,%d", where, got.X, got.Z)
	}
	if d := diffCells("biome", got.Biomes, want.Biomes); d != "" {
		return where + ": " + d
	}
	for y := lowest(got, want); y <= highest(got, want); y++ {
		g, w := got.section(y), want.section(y)
		for _, d := range []string{
			diffCells("block", g.Blocks, w.Blocks),
			diffCells("byte of block light", g.BlockLight, w.BlockLight),
			diffCells("byte of sky light", g.SkyLight, w.SkyLight),
		} {
			if d != "" {
				return fmt.Sprintf("%s: section %d: %s", where, y, d)
			}
		}
	}
	return where + ": sections in another order"
}

// DiffDigests is DiffChunks of a digest and the chunk that it should be of. It
// cannot tell which cell differs.
func DiffDigests(got ChunkDigest, want Chunk) string { return diffDigests(got, want.Digest()) }

func diffDigests(got, want ChunkDigest) string {
	where := fmt.Sprintf("chunk %d,%d", want.X, want.Z)
	switch {
	case got.X != want.X || got.Z != want.Z:
		return fmt.Sprintf("%s is at %d,%d", where, got.X, got.Z)
	case got.Biomes != want.Biomes:
		return where + ": biomes differ"
	case len(got.Sections) != len(want.Sections):
		return fmt.Sprintf("%s: %d sections, want %d", where, len(got.Sections), len(want.Sections))
	}
	for i, w := range want.Sections {
		if g := got.Sections[i]; g != w {
			return fmt.Sprintf("%s: section %d: differs from section %d (blocks %t, block light %t, sky light %t)", where,
				g.Y, w.Y, g.Blocks != w.Blocks, g.BlockLight != w.BlockLight, g.SkyLight != w.SkyLight)
		}
	}
	return ""
}

func diffCells[T uint8 | uint16](what string, got, want []T) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d of %s, want %d", len(got), what, len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			return fmt.Sprintf("%s %d is %d, want %d", what, i, got[i], want[i])
		}
	}
	return ""
}

// section returns the section of a Y, air without light if there is none.
func (c Chunk) section(y int) ChunkSection {
	if i := slices.IndexFunc(c.Sections, func(s ChunkSection) bool { return s.Y == y }); i >= 0 {
		return c.Sections[i]
	}
	return ChunkSection{Y: y, Blocks: make([]uint16, sectionBlocks)}
}

func lowest(chunks ...Chunk) int {
	y := 0
	for _, c := range chunks {
		for _, s := range c.Sections {
			y = min(y, s.Y)
		}
	}
	return y
}

func highest(chunks ...Chunk) int {
	y := 0
	for _, c := range chunks {
		for _, s := range c.Sections {
			y = max(y, s.Y)
		}
	}
	return y
}
