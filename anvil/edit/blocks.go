package edit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"strata/anvil/chunk"
	"strata/nbt"
)

// Block is what there is at a place.
type Block struct {
	// State is NAME or NAME[PROPERTY=VALUE,...].
	State      string            `json:"state"`
	Name       string            `json:"name"`
	Properties map[string]string `json:"properties"`
	Biome      string            `json:"biome"` // "" before 1.18
}

// Run is blocks of one state on top of each other.
type Run struct {
	Low   int    `json:"low"` // y of the lowest and the highest
	High  int    `json:"high"`
	State string `json:"state"`
}

// Count is how many blocks of a state there are.
type Count struct {
	State string `json:"state"`
	Count int64  `json:"count"`
}

// grid is the blocks or biomes of a section.
type grid struct {
	palette nbt.Tag
	cells   []uint16
}

// cellAt is the cell of a block in a section, by x, y and z of 0 to 15.
func cellAt(x, y, z int) int { return y<<8 | z<<4 | x }

func cellOf(pos chunk.BlockPos) int { return cellAt(int(pos.X&15), int(pos.Y&15), int(pos.Z&15)) }

// blocksOf reads the blocks of a section; no palette if it has none.
func (r *record) blocksOf(section nbt.Tag) (grid, error) {
	if r.version < flatVersion {
		return grid{}, fmt.Errorf("%w: blocks have numbers before 1.13", ErrVersion)
	}
	holder, palette, longs := blockPalette(r, section)
	return gridOf(holder, palette, longs, packing{sectionCells, 4, r.version >= alignedVersion})
}

func gridOf(holder, palette nbt.Tag, longs string, p packing) (grid, error) {
	if palette.Len() == 0 {
		return grid{}, nil
	}
	var packed []byte
	if data := holder.Get(longs); data.Exists() {
		array, ok := data.LongArray()
		if !ok {
			return grid{}, fmt.Errorf("%w: %s is a %v", ErrShape, longs, data.Type())
		}
		packed = array.Bytes()
	}
	cells, ok := p.unpack(packed, palette.Len())
	if !ok {
		return grid{}, fmt.Errorf("%w: the cells of a section do not go with its palette of %d", ErrShape, palette.Len())
	}
	return grid{palette, cells}, nil
}

// stateText is a state of a palette as people write it.
func stateText(entry nbt.Tag) string {
	name, _ := entry.Get("Name").Text()
	var pairs []string
	for k, v := range entry.Get("Properties").Members() {
		value, _ := v.Text()
		pairs = append(pairs, string(nbt.AppendUTF8(nil, k))+"="+value)
	}
	if len(pairs) == 0 {
		return name
	}
	slices.Sort(pairs) // versions write them in different orders
	return name + "[" + strings.Join(pairs, ",") + "]"
}

// section finds the section that a height is in.
func (r *record) section(y int) (nbt.Tag, bool) {
	for _, s := range sections(r) {
		if at, ok := s.Get("Y").Int(); ok && at == int64(y>>4) {
			return s, true
		}
	}
	return nbt.Tag{}, false
}

// BlockAt says what is at a place of the chunk. ErrAbsent if it has no blocks at
// that height, ErrVersion before 1.13.
func (d *Document) BlockAt(pos chunk.BlockPos) (Block, error) {
	section, ok := d.r.section(int(pos.Y))
	if !ok {
		return Block{}, fmt.Errorf("%w: the chunk has no blocks at y %d", ErrAbsent, pos.Y)
	}
	g, err := d.r.blocksOf(section)
	if err != nil {
		return Block{}, err
	}
	if g.cells == nil {
		return Block{}, fmt.Errorf("%w: the chunk has no blocks at y %d", ErrAbsent, pos.Y)
	}
	entry := g.palette.At(int(g.cells[cellOf(pos)]))
	b := Block{State: stateText(entry), Properties: map[string]string{}}
	b.Name, _ = entry.Get("Name").Text()
	for k, v := range entry.Get("Properties").Members() {
		b.Properties[string(nbt.AppendUTF8(nil, k))], _ = v.Text()
	}
	biomes := section.Get("biomes")
	if g, err := gridOf(biomes, biomes.Get("palette"), "data", packing{biomeCells, 1, true}); err == nil && g.cells != nil {
		cell := pos.Y&15>>2<<4 | pos.Z&15>>2<<2 | pos.X&15>>2
		b.Biome, _ = g.palette.At(int(g.cells[cell])).Text()
	}
	return b, nil
}

// BlockEntityAt is the block entity at a place; one that does not exist if there
// is none.
func (d *Document) BlockEntityAt(pos chunk.BlockPos) nbt.Tag {
	list := d.r.level().Get("block_entities")
	if !d.r.rootForm() {
		list = d.r.level().Get("TileEntities")
	}
	for _, b := range list.Elements() {
		x, _ := b.Get("x").Int()
		y, _ := b.Get("y").Int()
		z, _ := b.Get("z").Int()
		if x == int64(pos.X) && y == int64(pos.Y) && z == int64(pos.Z) {
			return b
		}
	}
	return nbt.Tag{}
}

// byHeight are the sections that have a height, the lowest first.
func (r *record) byHeight() []nbt.Tag {
	all := slices.DeleteFunc(sections(r), func(s nbt.Tag) bool { _, ok := s.Get("Y").Int(); return !ok })
	slices.SortStableFunc(all, func(a, b nbt.Tag) int {
		ay, _ := a.Get("Y").Int()
		by, _ := b.Get("Y").Int()
		return cmp.Compare(ay, by)
	})
	return all
}

// Column lists the blocks of a column, the highest first. x and z are those of
// any block of it.
func (d *Document) Column(x, z int) ([]Run, error) {
	var runs []Run
	for _, section := range d.r.byHeight() {
		g, err := d.r.blocksOf(section)
		if err != nil {
			return nil, err
		}
		if g.cells == nil {
			continue
		}
		base, _ := section.Get("Y").Int()
		for y := range 16 {
			state := stateText(g.palette.At(int(g.cells[cellAt(x&15, y, z&15)])))
			at := int(base)*16 + y
			if n := len(runs); n > 0 && runs[n-1].State == state && runs[n-1].High == at-1 {
				runs[n-1].High = at
				continue
			}
			runs = append(runs, Run{at, at, state})
		}
	}
	slices.Reverse(runs)
	return runs, nil
}

// Palette counts the blocks of the chunk by their states, the most frequent
// first.
func (d *Document) Palette() ([]Count, error) {
	counts := map[string]int64{}
	for _, section := range sections(d.r) {
		g, err := d.r.blocksOf(section)
		if err != nil {
			return nil, err
		}
		if g.cells == nil {
			continue
		}
		n := make([]int64, g.palette.Len())
		for _, c := range g.cells {
			n[c]++
		}
		for i, entry := range g.palette.Elements() {
			if n[i] > 0 {
				counts[stateText(entry)] += n[i]
			}
		}
	}
	all := make([]Count, 0, len(counts))
	for state, n := range counts {
		all = append(all, Count{state, n})
	}
	slices.SortFunc(all, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.State, b.State))
	})
	return all, nil
}

// setBlock sets a cell. What else a palette has stays.
func (r *record) setBlock(pos chunk.BlockPos, to *target) error {
	section, ok := r.section(int(pos.Y))
	if !ok {
		return fmt.Errorf("%w: the chunk has no blocks at y %d", ErrAbsent, pos.Y)
	}
	g, err := r.blocksOf(section)
	if err != nil {
		return err
	}
	if g.cells == nil {
		return fmt.Errorf("%w: the chunk has no blocks at y %d", ErrAbsent, pos.Y)
	}
	cell := cellOf(pos)
	old := g.palette.At(int(g.cells[cell]))
	value, err := to.become(nbt.Tag{})
	if err != nil {
		return err
	}
	wanted := stateOfRaw(value)
	entries := make([]nbt.Raw, 0, g.palette.Len()+1)
	at := -1
	for i, e := range g.palette.Elements() {
		if at < 0 && stateText(e) == wanted {
			at = i
		}
		entries = append(entries, e.Raw())
	}
	if at < 0 {
		at = len(entries)
		entries = append(entries, value)
	}
	if int(g.cells[cell]) == at {
		return nil
	}
	g.cells[cell] = uint16(at)
	list, err := listOf(entries)
	if err != nil {
		return err
	}
	holder, palette, longs := blockPalette(r, section)
	if len(entries) > palette.Len() {
		r.e().Replace(palette, list)
	}
	r.set(holder, longs, longArray(packing{sectionCells, 4, r.version >= alignedVersion}.pack(g.cells, len(entries))))
	if !old.Get("Name").Is(to.name) {
		removeBlockEntities(r, func(x, y, z int) bool { return x == int(pos.X&15) && y == int(pos.Y) && z == int(pos.Z&15) })
	}
	r.blocks = true
	return nil
}

// stateOfRaw is the text of a state that is in no document yet.
func stateOfRaw(value nbt.Raw) string {
	var tape nbt.Tape
	if err := tape.Parse(append([]byte{byte(nbt.TypeCompound), 0, 0}, value.Data...)); err != nil {
		return ""
	}
	return stateText(tape.Root())
}
