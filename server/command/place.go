package command

import (
	"math"

	"strata/anvil/chunk"
)

// Vec3 is a position in a dimension, in blocks.
type Vec3 struct{ X, Y, Z float64 }

// BlockPos is the position of a block.
type BlockPos = chunk.BlockPos

// Rotation is where something looks, in degrees: yaw 0 is south, pitch 90 down.
type Rotation struct{ Yaw, Pitch float32 }

// Place is where something is.
type Place struct {
	Dimension string // with namespace
	Pos       Vec3
	Rotation  Rotation
}

// Add returns the sum.
func (v Vec3) Add(w Vec3) Vec3 { return Vec3{v.X + w.X, v.Y + w.Y, v.Z + w.Z} }

// Distance returns how far apart two positions are.
func (v Vec3) Distance(w Vec3) float64 {
	return math.Sqrt((v.X-w.X)*(v.X-w.X) + (v.Y-w.Y)*(v.Y-w.Y) + (v.Z-w.Z)*(v.Z-w.Z))
}

// Block returns the position of the block in which v is. Coordinates beyond
// what an int32 holds become its ends.
func (v Vec3) Block() BlockPos {
	return BlockPos{X: floorInt(v.X), Y: floorInt(v.Y), Z: floorInt(v.Z)}
}

func floorInt(f float64) int32 {
	switch f = math.Floor(f); {
	case !(f > math.MinInt32):
		return math.MinInt32
	case f >= math.MaxInt32:
		return math.MaxInt32
	}
	return int32(f)
}

// lookAt returns the rotation with which something at from looks at to.
func lookAt(from, to Vec3) Rotation {
	x, y, z := to.X-from.X, to.Y-from.Y, to.Z-from.Z
	flat := math.Sqrt(x*x + z*z)
	return Rotation{
		Yaw:   wrapDegrees(float32(math.Atan2(z, x)*180/math.Pi) - 90),
		Pitch: wrapDegrees(float32(-math.Atan2(y, flat) * 180 / math.Pi)),
	}
}

// wrapDegrees returns the same direction from -180 up to 180, that excluded.
func wrapDegrees(d float32) float32 {
	f := math.Mod(float64(d), 360)
	switch {
	case f >= 180:
		f -= 360
	case f < -180:
		f += 360
	}
	return float32(f)
}

// local returns pos moved by left, up and forward in the direction of r.
func local(pos Vec3, r Rotation, left, up, forward float64) Vec3 {
	sin := func(d float32) float64 { return math.Sin(float64(d) * math.Pi / 180) }
	cos := func(d float32) float64 { return math.Cos(float64(d) * math.Pi / 180) }
	c, s := cos(r.Yaw+90), sin(r.Yaw+90)
	ahead := Vec3{c * cos(-r.Pitch), sin(-r.Pitch), s * cos(-r.Pitch)}
	above := Vec3{c * cos(-r.Pitch+90), sin(-r.Pitch + 90), s * cos(-r.Pitch+90)}
	side := Vec3{
		-(ahead.Y*above.Z - ahead.Z*above.Y),
		-(ahead.Z*above.X - ahead.X*above.Z),
		-(ahead.X*above.Y - ahead.Y*above.X),
	}
	return pos.Add(Vec3{
		ahead.X*forward + above.X*up + side.X*left,
		ahead.Y*forward + above.Y*up + side.Y*left,
		ahead.Z*forward + above.Z*up + side.Z*left,
	})
}
