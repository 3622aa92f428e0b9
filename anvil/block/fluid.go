package block

// Fluid is a kind of fluid.
type Fluid uint8

// The fluids.
const (
	NoFluid Fluid = iota
	WaterFluid
	LavaFluid
)

// FullFluid is the amount of a source and of falling fluid.
const FullFluid = 8

// Fluid returns the fluid in the block: of water and lava, of waterlogged
// states, and of plants and bubbles that exist only in water.
func (s State) Fluid() Fluid { return Fluid(s.bits() >> fluidBits & 3) }

// FluidAmount returns how full of fluid the block is, 1 to [FullFluid]; 0
// without fluid.
func (s State) FluidAmount() int { return int(s.bits() >> amountBits & 15) }

// FluidFalling reports whether the fluid falls, from the block above.
func (s State) FluidFalling() bool { return s.bits()&bitFalling != 0 }

// FluidSource reports whether the fluid is a source.
func (s State) FluidSource() bool {
	return s.bits()&(15<<amountBits|bitFalling) == FullFluid<<amountBits
}
