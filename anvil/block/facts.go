package block

// blockFacts are what all states of a block have in common.
type blockFacts struct {
	hardness, resistance        float32
	friction, speedFactor, jump float32
	tool                        Tool
	tier                        Tier
	needsTool                   bool
	push                        PushReaction
	ignite, burn                uint8
	climbable                   bool
}

// Tool is the kind of tool that digs a block faster.
type Tool uint8

// The tools; blocks of none are dug by hand as fast as with any.
const (
	NoTool Tool = iota
	Pickaxe
	Axe
	Shovel
	Hoe
)

// Tier is the worst material of tool that still gets a block's drops.
type Tier uint8

// The tiers, by the game's tags needs_*_tool.
const (
	AnyTier Tier = iota
	StoneTier
	IronTier
	DiamondTier
)

// PushReaction is what a piston does to a block.
type PushReaction uint8

// The reactions.
const (
	PushMoves     PushReaction = iota // it moves
	PushDestroys                      // it breaks
	PushBlocked                       // it stays, and the piston does too
	PushOnlyMoves                     // it moves when pushed but is never pulled
)

// Hardness returns how long digging takes, in the game's unit: 1.5 for stone;
// -1 for what cannot be dug.
func (id ID) Hardness() float32 { return get().block(id).facts.hardness }

// BlastResistance returns what the block takes from an explosion: 6 for
// stone.
func (id ID) BlastResistance() float32 { return get().block(id).facts.resistance }

// Tool returns the tool that digs the block faster.
func (id ID) Tool() Tool { return get().block(id).facts.tool }

// Tier returns the worst material of a tool that gets the block's drops.
func (id ID) Tier() Tier { return get().block(id).facts.tier }

// NeedsTool reports whether the block drops nothing without the right tool.
func (id ID) NeedsTool() bool { return get().block(id).facts.needsTool }

// Friction returns how slippery the block is to walk on: 0.6, ice 0.98.
func (id ID) Friction() float32 { return get().block(id).facts.friction }

// SpeedFactor returns what walking on the block multiplies speed with: 1,
// soul sand 0.4.
func (id ID) SpeedFactor() float32 { return get().block(id).facts.speedFactor }

// JumpFactor returns what it multiplies the height of jumps with: 1, honey
// 0.5.
func (id ID) JumpFactor() float32 { return get().block(id).facts.jump }

// Climbable reports whether one can climb in the block as on a ladder.
func (id ID) Climbable() bool { return get().block(id).facts.climbable }

// Push returns what pistons do to the block. A piston's base is
// [PushBlocked] only while extended, which the caller looks at.
func (id ID) Push() PushReaction { return get().block(id).facts.push }

// Flammability returns the odds, of 100 and more, that fire beside the block
// ignites it and that fire on it burns it away; 0 for what does not burn. A
// waterlogged state never burns.
func (id ID) Flammability() (ignite, burn uint8) {
	f := &get().block(id).facts
	return f.ignite, f.burn
}
