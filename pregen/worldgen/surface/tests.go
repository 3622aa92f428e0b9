package surface

// op is what a node does.
type op uint8

const (
	// Ends.
	opNothing   op = iota // leave the block
	opState               // the node's state
	opBandlands           // the clay band
	// Tests.
	opAboveSurface
	opAboveY
	opBiome
	opCeiling
	opFloor
	opGradient
	opHole
	opNoise
	opSolidNoise
	opSteep
	opTemperature
	opWater
)

func (o op) ends() bool { return o <= opBandlands }

// test is a condition that is ready to be asked. Equal tests are one.
type test struct {
	op         op
	ref        int32 // noise, gradient or set of biomes
	offset     int32 // y, offset, or depth that still counts
	multiplier int32 // of the surface depth
	secondary  int32 // range of the secondary depth
	addStone   int32 // 1 to add the stone depth
	low, high  float64
}

// fixedHeight reports whether the test depends on y alone.
func (t *test) fixedHeight() bool {
	return t.op == opAboveY && t.multiplier == 0 && t.addStone == 0
}

// gradient is a vertical gradient with its random source.
type gradient struct {
	from, to int32 // all true at from and below, all false at to and above
	random   positional
}

// biomeSet is a set of biomes by number.
type biomeSet []bool
