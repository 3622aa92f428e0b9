package climate

import (
	"crypto/sha256"
	"encoding/binary"
)

// Zoom is how a world moves the borders of biomes from quarter cells to blocks.
// Cells have their centre moved by up to 0.45 of their size each way, by the
// seed, and a block belongs to the one of the eight cells around it whose
// centre is nearest.
type Zoom struct{ seed int64 }

// NewZoom returns the zoom of a world seed.
func NewZoom(world int64) Zoom {
	var text [8]byte
	binary.LittleEndian.PutUint64(text[:], uint64(world))
	sum := sha256.Sum256(text[:])
	return Zoom{int64(binary.LittleEndian.Uint64(sum[:8]))}
}

// Seed is the hash of the world seed, which the game also tells its clients.
func (z Zoom) Seed() int64 { return z.seed }

// Cell returns the quarter cell whose biome a block has. Its y may lie outside
// the dimension, for blocks at its ends; the biome is then that of the outermost
// cell.
func (z Zoom) Cell(blockX, blockY, blockZ int) (qx, qy, qz int) {
	blockX, blockY, blockZ = blockX-2, blockY-2, blockZ-2
	qx, qy, qz = blockX>>2, blockY>>2, blockZ>>2
	var moved [8]shift
	for i := range moved {
		moved[i] = z.shift(qx+i>>2, qy+i>>1&1, qz+i&1)
	}
	i := nearestCorner(&moved, blockX&3, blockY&3, blockZ&3)
	return qx + i>>2, qy + i>>1&1, qz + i&1
}

// shift is how far a cell is moved, in cells.
type shift struct{ x, y, z float64 }

// shift returns how far a cell is moved.
func (z Zoom) shift(qx, qy, qz int) shift {
	x, y, zz := int64(int32(qx)), int64(int32(qy)), int64(int32(qz))
	mixed := mix(mix(mix(z.seed, x), y), zz)
	mixed = mix(mix(mix(mixed, x), y), zz)
	var s shift
	s.x = fraction(mixed)
	mixed = mix(mixed, z.seed)
	s.y = fraction(mixed)
	mixed = mix(mixed, z.seed)
	s.z = fraction(mixed)
	return s
}

// mix is a step of a congruential generator, with salt.
func mix(state, salt int64) int64 {
	return state*(state*6364136223846793005+1442695040888963407) + salt
}

// fraction makes a number of at least -0.45 and less than 0.45.
func fraction(state int64) float64 {
	return float64((float64(float64(state>>24&1023)/1024) - 0.5) * 0.9)
}

// nearestCorner returns which of eight cells is nearest to a block: bit 2 is the
// step along x, bit 1 along y, bit 0 along z. The block is at x, y, z fourths of
// a cell from the first one.
func nearestCorner(moved *[8]shift, x, y, z int) int {
	fromX, fromY, fromZ := float64(float64(x)/4), float64(float64(y)/4), float64(float64(z)/4)
	nearest, least := 0, 1e9
	for i := range moved {
		m := &moved[i]
		dx := fromX - float64(i>>2) + m.x
		dy := fromY - float64(i>>1&1) + m.y
		dz := fromZ - float64(i&1) + m.z
		if d := float64(dz*dz) + float64(dy*dy) + float64(dx*dx); d < least {
			nearest, least = i, d
		}
	}
	return nearest
}
