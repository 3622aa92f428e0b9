package template

import (
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/nbt"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
)

// Processor changes or drops the blocks of a template. It does not change and
// may be shared.
type Processor interface {
	// process changes a block, and reports false to drop it.
	process(w *work, b *placed) bool
}

// finisher is a processor that looks at all blocks together.
type finisher interface {
	finish(w *work, blocks []placed)
}

// placed is a block on its way into the world.
type placed struct {
	x, y, z  int32 // in the world
	state    block.State
	nbt      nbt.Compound // nil for none
	original *Block       // of the template
	was      block.State  // the original's state
	// table is the loot table of a block that is to be brushed.
}

// work is one setting down of a template.
type work struct {
	context                *feature.Context
	settings               *Settings
	x, y, z                int32 // where the template begins
	pivotX, pivotY, pivotZ int32
	random                 rng.Worldgen // of processors
}

// seeded returns a random that is seeded by a block's position.
func (w *work) seeded(b *placed) *rng.Worldgen {
	w.random = rng.NewWorldgenLegacy(rng.PositionSeed(b.x, b.y, b.z))
	return &w.random
}

// drawn is seeded, or the random of the settings if they have one.
func (w *work) drawn(b *placed) *rng.Worldgen {
	if w.settings.Random != nil {
		return w.settings.Random
	}
	return w.seeded(b)
}

func (w *work) at(b *placed) block.State {
	return w.context.Block(int(b.x), int(b.y), int(b.z))
}

// ignore drops blocks.
type ignore []block.ID

// Ignore returns a processor that drops blocks.
func Ignore(blocks ...block.ID) Processor { return ignore(blocks) }

func (p ignore) process(_ *work, b *placed) bool {
	for _, id := range p {
		if b.state.Block() == id {
			return false
		}
	}
	return true
}

// IgnoreStructureBlocks, IgnoreAir and IgnoreBoth drop what most templates do
// not set.
var (
	IgnoreStructureBlocks = Ignore(block.StructureBlock)
	IgnoreAir             = Ignore(block.Air)
	IgnoreBoth            = Ignore(block.Air, block.StructureBlock)
)

// rot drops blocks at random.
type rot struct {
	integrity float32
	among     *feature.Blocks // nil for all
}

// Rot returns a processor that keeps blocks with a chance; among are those that
// it may drop, nil for all.
func Rot(integrity float32, among *feature.Blocks) Processor { return rot{integrity, among} }

func (p rot) process(w *work, b *placed) bool {
	if p.among != nil && !p.among.Has(b.was) {
		return true
	}
	return w.drawn(b).Float() <= p.integrity
}

// protected keeps blocks of the world.
type protected struct{ blocks *feature.Blocks }

// Protect returns a processor that leaves some blocks of the world in place.
func Protect(blocks *feature.Blocks) Processor { return protected{blocks} }

func (p protected) process(w *work, b *placed) bool { return !p.blocks.Has(w.at(b)) }

// gravity moves blocks to the ground.
type gravity struct {
	heightmap chunk.Heightmap
	offset    int32
}

// Gravity returns a processor that moves each block by the height of the ground
// in its column.
func Gravity(heightmap chunk.Heightmap, offset int32) Processor { return gravity{heightmap, offset} }

func (p gravity) process(w *work, b *placed) bool {
	b.y = int32(w.context.Height(p.heightmap, int(b.x), int(b.z))) + p.offset + b.original.Y
	return true
}

// submerged turns what is in lava and not a full block into lava.
type submerged struct{}

// Submerged returns a processor that leaves lava where a block is not full.
func Submerged() Processor { return submerged{} }

func (submerged) process(w *work, b *placed) bool {
	if w.at(b).Block() == block.Lava && !b.state.FullCollision() {
		b.state = block.Lava.Default()
	}
	return true
}

// jigsaws turns jigsaw blocks into what they are in the end.
type jigsaws struct{}

// Jigsaws returns a processor that turns jigsaw blocks into their final states.
func Jigsaws() Processor { return jigsaws{} }

func (jigsaws) process(_ *work, b *placed) bool {
	if b.state.Block() != block.Jigsaw || b.nbt == nil {
		return true
	}
	b.state = FinalState(b.nbt)
	b.nbt = nil
	return b.state.Block() != block.StructureVoid
}

// FinalState returns what a jigsaw block is in the end; air if that is not
// known.
func FinalState(c nbt.Compound) block.State {
	v, _ := c.Get("final_state")
	text, ok := v.(string)
	if !ok {
		return 0
	}
	s, err := block.Parse(text)
	if err != nil {
		return 0
	}
	return s
}

// nothing changes nothing.
type nothing struct{}

func (nothing) process(*work, *placed) bool { return true }

// capped applies a processor to a limited number of blocks, in an order that is
// drawn.
type capped struct {
	inner Processor
	limit provider.Int
}

// Capped returns a processor that applies another one until it has changed as
// many blocks as are drawn from limit.
func Capped(inner Processor, limit provider.Int) Processor { return capped{inner, limit} }

func (capped) process(*work, *placed) bool { return true }

func (p capped) finish(w *work, blocks []placed) {
	if len(blocks) == 0 {
		return
	}
	source := rng.NewLegacy(w.context.Seed)
	random := source.Factory().ValueAt(w.x, w.y, w.z)
	limit := min(int(p.limit.Sample(&random)), len(blocks))
	if limit < 1 {
		return
	}
	order := make([]int32, len(blocks))
	for i := range order {
		order[i] = int32(i)
	}
	for i := len(order); i > 1; i-- {
		j := random.IntN(int32(i))
		order[i-1], order[j] = order[j], order[i-1]
	}
	changed := 0
	for _, at := range order {
		if changed >= limit {
			break
		}
		b := blocks[at]
		if p.inner.process(w, &b) && b.differs(&blocks[at]) {
			blocks[at] = b
			changed++
		}
	}
}

func (b *placed) differs(o *placed) bool {
	return b.x != o.x || b.y != o.y || b.z != o.z || b.state != o.state || !nbt.Equal(b.nbt, o.nbt)
}
