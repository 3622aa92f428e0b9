package template

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"strata/anvil/block"
	"strata/nbt"
	"strata/pregen/worldgen/settings"
)

// ErrTemplate is wrapped by errors about templates that make no sense.
var ErrTemplate = errors.New("damaged structure template")

// Limits of templates. The game's largest has 48 blocks a side.
const (
	MaxBytes = 64 << 20 // of a document
	maxSide  = 1 << 12
)

// Template is what is built as it was saved.
type Template struct {
	Shape
	// Palettes are the states of blocks, of which one is chosen by position;
	// there is one at least.
	Palettes [][]block.State
	// Blocks are in the order in which they are set: full ones first, those
	// with block entities last.
	Blocks   []Block
	Entities []Entity
}

// Block is a block of a template.
type Block struct {
	X, Y, Z int32
	State   int32        // a place in a palette
	NBT     nbt.Compound // of its block entity, nil for none
}

// Entity is an entity of a template.
type Entity struct {
	X, Y, Z                float64
	BlockX, BlockY, BlockZ int32
	NBT                    nbt.Compound
}

// document is a template as it is stored.
type document struct {
	Size     [3]int32         `nbt:"size"`
	Palette  []paletteEntry   `nbt:"palette"`
	Palettes [][]paletteEntry `nbt:"palettes"`
	Blocks   []struct {
		Pos   [3]int32     `nbt:"pos"`
		State int32        `nbt:"state"`
		NBT   nbt.Compound `nbt:"nbt"`
	} `nbt:"blocks"`
	Entities []struct {
		Pos      [3]float64   `nbt:"pos"`
		BlockPos [3]int32     `nbt:"blockPos"`
		NBT      nbt.Compound `nbt:"nbt"`
	} `nbt:"entities"`
}

type paletteEntry struct {
	Name       string            `nbt:"Name"`
	Properties map[string]string `nbt:"Properties"`
}

// state is the state of an entry; what is not known is air, as in the game.
func (e paletteEntry) state() block.State {
	id, ok := block.Find(e.Name)
	if !ok {
		return 0
	}
	s := id.Default()
	for name, value := range e.Properties {
		s, _ = s.With(name, value)
	}
	return s
}

// Read reads a template from a document that is not compressed. The error wraps
// ErrTemplate or is one of package nbt.
func Read(data []byte) (*Template, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("%w: %d bytes", ErrTemplate, len(data))
	}
	var d document
	if err := nbt.Unmarshal(data, &d); err != nil {
		return nil, err
	}
	for _, side := range d.Size {
		if side < 0 || side > maxSide {
			return nil, fmt.Errorf("%w: size %v", ErrTemplate, d.Size)
		}
	}
	t := &Template{Shape: Shape{SizeX: d.Size[0], SizeY: d.Size[1], SizeZ: d.Size[2]}}
	if d.Palettes == nil {
		d.Palettes = [][]paletteEntry{d.Palette}
	}
	for _, entries := range d.Palettes {
		states := make([]block.State, len(entries))
		for i, e := range entries {
			states[i] = e.state()
		}
		t.Palettes = append(t.Palettes, states)
	}
	if len(t.Palettes) == 0 {
		return nil, fmt.Errorf("%w: no palette", ErrTemplate)
	}
	for i := range d.Blocks {
		b := &d.Blocks[i]
		for _, states := range t.Palettes {
			if b.State < 0 || int(b.State) >= len(states) {
				return nil, fmt.Errorf("%w: block %d has state %d of %d", ErrTemplate, i, b.State, len(states))
			}
		}
		t.Blocks = append(t.Blocks, Block{b.Pos[0], b.Pos[1], b.Pos[2], b.State, b.NBT})
	}
	for i := range d.Entities {
		e := &d.Entities[i]
		t.Entities = append(t.Entities, Entity{e.Pos[0], e.Pos[1], e.Pos[2], e.BlockPos[0], e.BlockPos[1], e.BlockPos[2], e.NBT})
	}
	t.sort()
	t.connect()
	return t, nil
}

// ReadShape reads the shape of a template.
func ReadShape(data []byte) (*Shape, error) {
	t, err := Read(data)
	if err != nil {
		return nil, err
	}
	return &t.Shape, nil
}

// sort puts the blocks in the order in which they are set.
func (t *Template) sort() {
	class := func(b *Block) int {
		switch {
		case b.NBT != nil:
			return 2
		case t.Palettes[0][b.State].FullCollision():
			return 0
		}
		return 1
	}
	slices.SortStableFunc(t.Blocks, func(a, b Block) int {
		return cmp.Or(cmp.Compare(class(&a), class(&b)), cmp.Compare(a.Y, b.Y), cmp.Compare(a.X, b.X), cmp.Compare(a.Z, b.Z))
	})
}

// connect takes the connectors from the blocks.
func (t *Template) connect() {
	for i := range t.Blocks {
		b := &t.Blocks[i]
		if s := t.Palettes[0][b.State]; s.Block() == block.Jigsaw {
			t.Connectors = append(t.Connectors, connectorOf(b, s))
		}
	}
}

// connectorOf reads a jigsaw block.
func connectorOf(b *Block, s block.State) Connector {
	c := Connector{X: b.X, Y: b.Y, Z: b.Z}
	c.Front, c.Top = Orientation(s)
	text := func(name, standard string) string {
		if v, _ := b.NBT.Get(name); v != nil {
			if text, ok := v.(string); ok {
				return text
			}
		}
		return standard
	}
	const empty = "minecraft:empty"
	c.Name, c.Target = settings.ID(text("name", empty)), settings.ID(text("target", empty))
	c.Pool = settings.ID(text("pool", empty))
	c.FinalState = text("final_state", "minecraft:air")
	switch text("joint", "") {
	case "rollable":
		c.Rollable = true
	case "aligned":
	default:
		c.Rollable = c.Front < block.North
	}
	number := func(name string) int32 {
		v, _ := b.NBT.Get(name)
		n, _ := v.(int32)
		return n
	}
	c.SelectionPriority, c.PlacementPriority = number("selection_priority"), number("placement_priority")
	return c
}

// Orientation returns the two directions of a jigsaw block's state.
func Orientation(s block.State) (front, top block.Direction) {
	o := s.Property("orientation")
	for d := block.Down; d <= block.East; d++ {
		for u := block.Down; u <= block.East; u++ {
			if o == d.String()+"_"+u.String() {
				return d, u
			}
		}
	}
	return block.North, block.Up
}
