package clients

import (
	"slices"
	"strings"
)

// The deviations of prismarine-chunk 1.41.0 and prismarine-provider-anvil
// 2.13.0 that a sound chunk can run into, seen with minecraft-data 3.119.0.
// "Up to 1.17" means the form with Level.
const (
	// IntsFromZero: in chunks of 1.17 the provider counts the values of a
	// number from 0 whatever the first one is: snow of one layer is
	// layers=0 on disk, in both directions. Other versions name their values.
	// A Numbering has the texts that are on disk, so that it need not be
	// avoided.
	IntsFromZero Deviation = "ints-from-zero"
	// LightReversed: up to 1.17 the provider writes and reads the light of a
	// section with every eight bytes in reverse. (In its own files of the game
	// of 1.14 and 1.16 the block light of neighbours in x that both have some
	// never differs by more than 1 as we read it, and in 8 % of the pairs as it
	// does.) OnDisk has it the right way round.
	LightReversed Deviation = "light-reversed"
	// LightAlwaysThere: sections of 1.13 have light that is dark at first, so
	// that the library cannot tell whether there is any. The judge says none
	// for that version, which is for reading alone.
	LightAlwaysThere Deviation = "light-always-there"
	// PaletteLost: a section that has held more than 256 states, air among
	// them, keeps numbers of the version in place of a palette. The provider
	// writes those without one up to 1.17, and a palette of one entry of no
	// name since 1.18. It reads larger palettes.
	PaletteLost Deviation = "palette-lost"
	// BiomesLost: the same of a section that has held more than 8 biomes,
	// number 0 among them, since 1.18.
	BiomesLost Deviation = "biomes-lost"
	// LightNeedsBlocks: up to 1.17 the provider neither writes nor reads the
	// light of sections with air alone; since 1.18 it does not write that of
	// the sections below the lowest and above the highest with blocks, which
	// it does read.
	LightNeedsBlocks Deviation = "light-needs-blocks"
	// BlocksNeeded: since 1.18 the provider cannot read a chunk in which a
	// section has no block_states, such as those of Paper that hold light
	// alone. The judge takes these sections out before.
	BlocksNeeded Deviation = "blocks-needed"
	// EndsEarly: since 1.18 the provider gives isLightOn a type that there is
	// not, which becomes an end tag. So the root ends before it, without
	// block_ticks, fluid_ticks and PostProcessing, whose bytes lie behind the
	// document. Sections come before.
	EndsEarly Deviation = "ends-early"
)

// Most that a section can hold without PaletteLost and BiomesLost, state and
// biome 0 included.
const (
	MaxSectionStates = 256
	MaxSectionBiomes = 8
)

// HasLevel reports whether chunks of the version have the form with Level.
func (n *Numbering) HasLevel() bool {
	for _, prefix := range []string{"1.13", "1.14", "1.15", "1.16", "1.17"} {
		if n.is(prefix) {
			return true
		}
	}
	return false
}

// is reports whether the version is a major one or a later one of it.
func (n *Numbering) is(major string) bool {
	return n.version == major || strings.HasPrefix(n.version, major+".")
}

// OnDisk returns the chunk that is in the file when the library has c, whether
// it was told c and wrote it, or has read it. Of what the library is told that
// holds if WriteDeviations finds nothing.
func (n *Numbering) OnDisk(c Chunk) Chunk { return n.swapped(c) }

// InLibrary returns the chunk that the library reads when c is in the file.
func (n *Numbering) InLibrary(c Chunk) Chunk {
	if !n.HasLevel() {
		return c
	}
	c = n.swapped(c)
	for i, s := range c.Sections {
		if s.air() || n.is("1.13") {
			c.Sections[i].BlockLight, c.Sections[i].SkyLight = nil, nil
		}
	}
	return c
}

// swapped is LightReversed, in either direction.
func (n *Numbering) swapped(c Chunk) Chunk {
	if !n.HasLevel() {
		return c
	}
	c.Sections = slices.Clone(c.Sections)
	for i, s := range c.Sections {
		c.Sections[i].BlockLight = reverseEights(s.BlockLight)
		c.Sections[i].SkyLight = reverseEights(s.SkyLight)
	}
	return c
}

func reverseEights(light []byte) []byte {
	light = slices.Clone(light)
	for eight := range slices.Chunk(light, 8) {
		slices.Reverse(eight)
	}
	return light
}

// WriteDeviations returns the deviations, but for EndsEarly and those that
// OnDisk and the texts of n account for, that the library runs into when it is told a chunk
// and writes it.
func (n *Numbering) WriteDeviations(c Chunk) []Deviation {
	var met []Deviation
	meet := func(d Deviation, is bool) {
		if is && !slices.Contains(met, d) {
			met = append(met, d)
		}
	}
	sections := len(c.Biomes) / 64
	for _, s := range c.Sections {
		meet(PaletteLost, distinct(s.Blocks) > MaxSectionStates)
		lit := s.BlockLight != nil || s.SkyLight != nil
		meet(LightAlwaysThere, lit && n.is("1.13"))
		if n.HasLevel() {
			meet(LightNeedsBlocks, lit && s.air())
		} else {
			meet(LightNeedsBlocks, lit && (s.Y < lowestSection || s.Y >= lowestSection+sections))
		}
	}
	if !n.HasLevel() {
		for biomes := range slices.Chunk(c.Biomes, 64) {
			meet(BiomesLost, distinct(biomes) > MaxSectionBiomes)
		}
	}
	return met
}

// lowestSection is that of the overworld since 1.18, the one dimension that
// the provider knows.
const lowestSection = -4

// distinct counts the different numbers, 0 whether it is there or not.
func distinct(numbers []uint16) int {
	var seen [maxStates]bool
	seen[0] = true
	count := 1
	for _, n := range numbers {
		if !seen[n] {
			seen[n] = true
			count++
		}
	}
	return count
}
