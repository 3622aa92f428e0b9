package chunk_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/bench/clients"
)

// dealer makes random chunks of a version's states and biomes. It deals the
// states from a shuffled pack, so that in enough sections each occurs.
type dealer struct {
	*rand.Rand
	speaker *speaker
	level   bool // the form with Level
	pack    []uint16
	next    int
	dealt   map[uint16]bool
	biomes  []uint16
}

func newDealer(r *rand.Rand, s *speaker, level bool, states int) *dealer {
	d := &dealer{Rand: r, speaker: s, level: level, dealt: map[uint16]bool{}}
	// Air, number 0, is in nearly every section anyway.
	for i := 1; i < states; i++ {
		d.pack = append(d.pack, uint16(i))
	}
	d.Shuffle(len(d.pack), func(i, j int) { d.pack[i], d.pack[j] = d.pack[j], d.pack[i] })
	for i, name := range s.names {
		if name != "" {
			d.biomes = append(d.biomes, uint16(i))
		}
	}
	return d
}

func (d *dealer) states(n int) []uint16 {
	states := make([]uint16, n)
	for i := range states {
		states[i] = d.pack[d.next%len(d.pack)]
		d.dealt[states[i]] = true
		d.next++
	}
	return states
}

// chunk makes a chunk with at least so many states, within what the library
// can write.
func (d *dealer) chunk(x, z, states int) clients.Chunk {
	palettes := [][]uint16{d.states(1), append(d.states(1+d.IntN(15)), 0), append(d.states(16+d.IntN(100)), 0)}
	for n := 0; n < states; n += clients.MaxSectionStates - 1 {
		palettes = append(palettes, append(d.states(clients.MaxSectionStates-1), 0))
	}
	c := clients.Chunk{X: x, Z: z, Biomes: d.chunkBiomes()}
	ys := d.Perm(d.speaker.count)[:len(palettes)+1]
	for i, palette := range palettes {
		s := clients.ChunkSection{Y: d.speaker.low + ys[i], Blocks: d.blocks(palette)}
		s.BlockLight, s.SkyLight = d.light(), d.light()
		c.Sections = append(c.Sections, s)
	}
	if !d.level {
		air := clients.ChunkSection{Y: d.speaker.low + ys[len(palettes)], Blocks: make([]uint16, chunk.SectionCells)}
		air.SkyLight = d.lightArray()
		c.Sections = append(c.Sections, air)
	}
	slices.SortFunc(c.Sections, func(a, b clients.ChunkSection) int { return a.Y - b.Y })
	return c
}

// blocks fills a section so that each state occurs.
func (d *dealer) blocks(palette []uint16) []uint16 {
	blocks := make([]uint16, chunk.SectionCells)
	for i := range blocks {
		blocks[i] = palette[d.IntN(len(palette))]
	}
	// An odd step reaches every cell once.
	at, step := d.IntN(len(blocks)), 2*d.IntN(2000)+1
	for _, state := range palette {
		blocks[at%len(blocks)] = state
		at += step
	}
	return blocks
}

func (d *dealer) light() []byte {
	switch d.IntN(4) {
	case 0:
		return nil
	case 1:
		return bytes.Repeat([]byte{byte(1+d.IntN(15)) * 0x11}, chunk.LightBytes)
	}
	return d.lightArray()
}

func (d *dealer) lightArray() []byte {
	light := make([]byte, chunk.LightBytes)
	for i := range light {
		light[i] = byte(d.Uint32())
	}
	return light
}

// chunkBiomes gives each section up to seven biomes: biome 0 makes eight.
func (d *dealer) chunkBiomes() []uint16 {
	total := 64 * d.speaker.count
	if d.speaker.columns {
		total = 256
	}
	biomes := make([]uint16, total)
	var some []uint16
	for i := range biomes {
		if i%64 == 0 {
			some = some[:0]
			for range 1 + d.IntN(clients.MaxSectionBiomes-1) {
				some = append(some, d.biomes[d.IntN(len(d.biomes))])
			}
		}
		biomes[i] = some[d.IntN(len(some))]
	}
	return biomes
}

// editor changes a chunk of ours, and in the same way the plain arrays that
// say what should be in it then.
type editor struct {
	*rand.Rand
	t       *testing.T
	speaker *speaker
	numbers []uint16 // states to set, by the judge's numbers
	c       *chunk.Chunk
	want    *clients.Chunk
}

// edit makes edits of each kind.
func (e *editor) edit() {
	low, height := e.c.MinY(), e.c.Height()
	for range 200 {
		e.set(e.IntN(16), low+e.IntN(height), e.IntN(16))
	}
	e.fill(low, height)
	e.largePalette()
	e.light()
	for range 8 {
		e.biome()
	}
}

func (e *editor) state() (uint16, block.State) {
	n := e.numbers[e.IntN(len(e.numbers))]
	return n, e.speaker.states[n]
}

func (e *editor) section(y int) *clients.ChunkSection {
	i, found := slices.BinarySearchFunc(e.want.Sections, y, func(s clients.ChunkSection, y int) int { return s.Y - y })
	if !found {
		empty := clients.ChunkSection{Y: y, Blocks: make([]uint16, chunk.SectionCells)}
		e.want.Sections = slices.Insert(e.want.Sections, i, empty)
	}
	return &e.want.Sections[i]
}

func (e *editor) set(x, y, z int) {
	n, state := e.state()
	cell := &e.section(y >> 4).Blocks[y&15<<8|z<<4|x]
	old, ok := e.c.SetBlock(x, y, z, state)
	if !ok || e.speaker.said[old] != int32(*cell) {
		e.t.Fatalf("chunk %v: SetBlock at %d,%d,%d: %v, %t, was %d", e.c.Pos(), x, y, z, old, ok, *cell)
	}
	*cell = n
}

func (e *editor) fill(low, height int) {
	x0, y0, z0 := e.IntN(16), low+e.IntN(height-40), e.IntN(16)
	x1, y1, z1 := x0+e.IntN(16-x0), y0+e.IntN(40), z0+e.IntN(16-z0)
	n, state := e.state()
	if err := e.c.Fill(x0, y0, z0, x1, y1, z1, state); err != nil {
		e.t.Fatal(err)
	}
	for y := y0; y <= y1; y++ {
		blocks := e.section(y >> 4).Blocks
		for z := z0; z <= z1; z++ {
			for x := x0; x <= x1; x++ {
				blocks[y&15<<8|z<<4|x] = n
			}
		}
	}
}

// largePalette makes a section of more states than fit in eight bits, now and
// then of most that there can be.
func (e *editor) largePalette() {
	low, high := e.c.Range()
	y := low + chunk.SectionY(e.IntN(int(high-low)))
	numbers := make([]uint16, 257+e.IntN(200))
	if e.IntN(20) == 0 {
		numbers = make([]uint16, 2*chunk.SectionCells)
	}
	for i := range numbers {
		numbers[i], _ = e.state()
	}
	var states [chunk.SectionCells]block.State
	blocks := e.section(int(y)).Blocks
	for i := range states {
		blocks[i] = numbers[e.IntN(len(numbers))]
		states[i] = e.speaker.states[blocks[i]]
	}
	if err := e.c.SetSectionBlocks(y, &states); err != nil {
		e.t.Fatal(err)
	}
}

// light changes the light of a section that has blocks: all, then one by one.
func (e *editor) light() {
	s := &e.want.Sections[e.IntN(len(e.want.Sections))]
	var light [chunk.LightBytes]byte
	for i := range light {
		light[i] = byte(e.Uint32())
	}
	if !e.c.HasBlocks(chunk.SectionY(s.Y)) || !slices.ContainsFunc(s.Blocks, func(n uint16) bool { return n != 0 }) {
		return
	}
	if err := e.c.SetSectionLight(chunk.SkyLight, chunk.SectionY(s.Y), &light); err != nil {
		e.t.Fatal(err)
	}
	s.SkyLight = light[:]
	for range 20 {
		e.level(s, e.IntN(16), e.IntN(16), e.IntN(16))
	}
}

// level changes the sky light of one block.
func (e *editor) level(s *clients.ChunkSection, x, y, z int) {
	cell, level := y<<8|z<<4|x, byte(e.IntN(16))
	shift := cell & 1 * 4
	both := &s.SkyLight[cell/2]
	if got, ok := e.c.Light(chunk.SkyLight, x, s.Y*16+y, z); !ok || got != *both>>shift&15 {
		e.t.Fatalf("chunk %v: light in section %d at %d,%d,%d is %d, %t", e.c.Pos(), s.Y, x, y, z, got, ok)
	}
	if err := e.c.SetLight(chunk.SkyLight, x, s.Y*16+y, z, level); err != nil {
		e.t.Fatal(err)
	}
	*both = *both&^(15<<shift) | level<<shift
}

func (e *editor) biome() {
	n := e.want.Biomes[e.IntN(len(e.want.Biomes))]
	biome, err := e.speaker.tables.Biomes.InternString(e.speaker.names[n])
	if err != nil {
		e.t.Fatal(err)
	}
	x, y, z := e.IntN(16), e.c.MinY()+e.IntN(e.c.Height()), e.IntN(16)
	if err := e.c.SetBiome(x, y, z, biome); err != nil {
		e.t.Fatal(err)
	}
	e.speaker.eachBiome(func(i, bx, by, bz int) {
		if bx>>2 == x>>2 && bz>>2 == z>>2 && (e.speaker.columns || by>>2 == y>>2) {
			e.want.Biomes[i] = n
		}
	})
}
