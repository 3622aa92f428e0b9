package diff

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strconv"

	"strata/nbt"
	"strata/region"
)

// names numbers the names of block states and biomes, so that cells of two
// palettes can be compared.
type names struct {
	ids  map[string]uint32
	text []string
}

// maxNames is how many are kept from one record to the next.
const maxNames = 1 << 16

func (n *names) reset() {
	if n.ids == nil || len(n.text) > maxNames {
		n.ids, n.text = map[string]uint32{}, nil
	}
}

func (n *names) id(name []byte) uint32 {
	if id, known := n.ids[string(name)]; known {
		return id
	}
	id := uint32(len(n.text))
	n.ids[string(name)] = id
	n.text = append(n.text, string(name))
	return id
}

// air is the name of blocks that nobody has stored.
const air = "minecraft:air"

// sections compares blocks and biomes of two chunks.
type sections struct {
	names    names
	scratch  []byte
	old, now [blockCells]uint32
	palette  []uint32
	kinds    map[[2]uint32]int64
	biomes   map[[2]uint32]int64
	r        *Record
	pos      region.ChunkPos
	keep     int
}

// chunkParts are the tags of a chunk that sections are in.
type chunkParts struct {
	content nbt.Tag // the root, or Level in it
	aligned bool
	byY     []member
}

func partsOf(root nbt.Tag) chunkParts {
	version, _ := root.Get("DataVersion").Int()
	p := chunkParts{content: root, aligned: version >= alignedVersion}
	if level := root.Get("Level"); level.Exists() {
		p.content = level
	}
	list := p.content.Get("sections")
	if !list.Exists() {
		list = p.content.Get("Sections")
	}
	for _, s := range list.Elements() {
		y, ok := s.Get("Y").Int()
		if !ok {
			continue
		}
		// As a name that sorts as the number does.
		p.byY = append(p.byY, member{binary.BigEndian.AppendUint64(nil, uint64(y)^1<<63), s})
	}
	p.byY = lastOfEach(p.byY)
	return p
}

// compare fills in what differs in the cells of a chunk.
func (s *sections) compare(r *Record, pos region.ChunkPos, a, b nbt.Tag, keep int) {
	s.names.reset()
	s.kinds, s.biomes = map[[2]uint32]int64{}, map[[2]uint32]int64{}
	s.r, s.pos, s.keep = r, pos, keep
	old, now := partsOf(a), partsOf(b)
	pairs(old.byY, now.byY, func(_ []byte, x, y nbt.Tag) { s.section(x, y, old.aligned, now.aligned) })
	s.oldBiomes(old.content.Get("Biomes"), now.content.Get("Biomes"))
	r.BlockKinds, r.BiomeKinds = s.exchanges(s.kinds), s.exchanges(s.biomes)
}

func (s *sections) exchanges(counts map[[2]uint32]int64) []Exchange {
	var all []Exchange
	for pair, n := range counts {
		all = append(all, Exchange{s.names.text[pair[0]], s.names.text[pair[1]], n})
	}
	sortExchanges(all)
	return all
}

func sortExchanges(all []Exchange) {
	slices.SortFunc(all, func(a, b Exchange) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Old, b.Old), cmp.Compare(a.New, b.New))
	})
}

// section compares two sections of the same Y, either of which may not exist.
func (s *sections) section(a, b nbt.Tag, alignedA, alignedB bool) {
	if a.Exists() && b.Exists() && alignedA == alignedB && sameBytes(a, b) {
		return
	}
	y, ok := a.Get("Y").Int()
	if !ok {
		y, _ = b.Get("Y").Int()
	}
	out := Section{Y: y}
	okA := s.blocksOf(a, s.old[:], alignedA)
	okB := s.blocksOf(b, s.now[:], alignedB)
	if okA && okB {
		out.Blocks = s.countBlocks(y)
	} else {
		out.Damaged = true
	}
	biomesA, haveA, okA := s.biomesOf(a, s.old[:biomeCells])
	biomesB, haveB, okB := s.biomesOf(b, s.now[:biomeCells])
	switch {
	case haveA && haveB && okA && okB:
		out.Biomes = s.countBiomes(biomesA, biomesB)
	case haveA && !okA || haveB && !okB:
		out.Damaged = true
	}
	if out.Blocks > 0 || out.Biomes > 0 || out.Damaged {
		s.r.Sections = append(s.r.Sections, out)
	}
}

func (s *sections) countBlocks(sectionY int64) (n int64) {
	for i, old := range s.old {
		if old == s.now[i] {
			continue
		}
		n++
		s.kinds[[2]uint32{old, s.now[i]}]++
		if len(s.r.BlockList) < s.keep {
			s.r.BlockList = append(s.r.BlockList, BlockChange{
				X: int64(s.pos.X)*16 + int64(i&15), Z: int64(s.pos.Z)*16 + int64(i>>4&15), Y: sectionY*16 + int64(i>>8),
				Old: s.names.text[old], New: s.names.text[s.now[i]],
			})
		}
	}
	s.r.Blocks += n
	return n
}

func (s *sections) countBiomes(old, now []uint32) (n int64) {
	for i, id := range old {
		if id != now[i] {
			n++
			s.biomes[[2]uint32{id, now[i]}]++
		}
	}
	s.r.Biomes += n
	return n
}

// blocksOf reads the blocks of a section of any version. One that does not exist,
// or has none, is air.
func (s *sections) blocksOf(section nbt.Tag, cells []uint32, aligned bool) bool {
	if numbers, ok := section.Get("Blocks").ByteArray(); ok {
		return s.numberedBlocks(section, numbers, cells)
	}
	states, data := section.Get("block_states").Get("palette"), section.Get("block_states").Get("data")
	if !states.Exists() {
		states, data = section.Get("Palette"), section.Get("BlockStates")
	}
	if !states.Exists() {
		id := s.names.id([]byte(air))
		for i := range cells {
			cells[i] = id
		}
		return true
	}
	s.palette = s.palette[:0]
	for _, entry := range states.Elements() {
		s.scratch = appendState(s.scratch[:0], entry)
		s.palette = append(s.palette, s.names.id(s.scratch))
	}
	return s.fromPalette(cells, data, 4, aligned)
}

func (s *sections) fromPalette(cells []uint32, data nbt.Tag, leastBits int, aligned bool) bool {
	var packed []byte
	if data.Type() == nbt.TypeLongArray {
		packed = data.Raw().Data[4:] // behind their number
	} else if data.Exists() {
		return false
	}
	if !unpackCells(cells, packed, len(s.palette), leastBits, aligned) {
		return false
	}
	for i, c := range cells {
		cells[i] = s.palette[c]
	}
	return true
}

// numberedBlocks reads blocks by number and data, as before 1.13.
func (s *sections) numberedBlocks(section nbt.Tag, low []byte, cells []uint32) bool {
	data, _ := section.Get("Data").ByteArray()
	high, _ := section.Get("Add").ByteArray()
	if len(low) != len(cells) {
		return false
	}
	known := map[uint32]uint32{}
	for i := range cells {
		number := (uint32(low[i])|nibble(high, i)<<8)<<4 | nibble(data, i)
		id, ok := known[number]
		if !ok {
			s.scratch = append(strconv.AppendUint(s.scratch[:0], uint64(number>>4), 10), ':')
			s.scratch = strconv.AppendUint(s.scratch, uint64(number&15), 10)
			if number == 0 {
				s.scratch = append(s.scratch[:0], air...)
			}
			id = s.names.id(s.scratch)
			known[number] = id
		}
		cells[i] = id
	}
	return true
}

// biomesOf reads the biomes of a section, which it has since 1.18.
func (s *sections) biomesOf(section nbt.Tag, cells []uint32) (_ []uint32, have, ok bool) {
	biomes := section.Get("biomes")
	if !biomes.Exists() {
		return nil, false, true
	}
	s.palette = s.palette[:0]
	for _, entry := range biomes.Get("palette").Elements() {
		name, _ := entry.Bytes()
		s.palette = append(s.palette, s.names.id(name))
	}
	return cells, true, s.fromPalette(cells, biomes.Get("data"), 0, true)
}

// oldBiomes compares the biomes of a chunk by number, as before 1.18: of cells
// since 1.15, of columns before.
func (s *sections) oldBiomes(a, b nbt.Tag) {
	old, now := biomeNumbers(a), biomeNumbers(b)
	if len(old) != len(now) {
		return
	}
	for i := range old {
		if old[i] != now[i] {
			s.r.Biomes++
			s.biomes[[2]uint32{s.biomeNumber(old[i]), s.biomeNumber(now[i])}]++
		}
	}
}

func (s *sections) biomeNumber(n int64) uint32 {
	return s.names.id(strconv.AppendInt(s.scratch[:0], n, 10))
}

// biomeNumbers reads an array of ints, or of bytes before 1.13.
func biomeNumbers(t nbt.Tag) []int64 {
	if t.Type() != nbt.TypeIntArray && t.Type() != nbt.TypeByteArray {
		return nil
	}
	all := make([]int64, 0, t.Len())
	for _, item := range t.Items() {
		n, _ := item.Int()
		all = append(all, n)
	}
	return all
}

// appendState appends a block state as name[property=value,...], properties by
// name, from an entry of a palette.
func appendState(to []byte, entry nbt.Tag) []byte {
	name, _ := entry.Get("Name").Bytes()
	to = append(to, name...)
	properties := members(entry.Get("Properties"))
	for i, p := range properties {
		sep := byte(',')
		if i == 0 {
			sep = '['
		}
		value, _ := p.tag.Bytes()
		to = append(append(append(append(to, sep), p.name...), '='), value...)
	}
	if len(properties) > 0 {
		to = append(to, ']')
	}
	return to
}
