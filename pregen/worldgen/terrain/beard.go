package terrain

import "fmt"

// Adaptation is how a structure changes the ground around its pieces.
type Adaptation uint8

// The adaptations, by their names in the data.
const (
	NoAdaptation Adaptation = iota // none
	Bury                           // bury: ground all around
	BeardThin                      // beard_thin: ground below, air above
	BeardBox                       // beard_box: the same, as wide as the piece is high
	Encapsulate                    // encapsulate: ground around the box
)

var adaptations = [...]string{"none", "bury", "beard_thin", "beard_box", "encapsulate"}

// ParseAdaptation returns the adaptation with a name of the data.
func ParseAdaptation(name string) (Adaptation, error) {
	for i, known := range adaptations {
		if name == known {
			return Adaptation(i), nil
		}
	}
	return 0, fmt.Errorf("terrain adaptation %q is not known", name)
}

// String returns the name in the data.
func (a Adaptation) String() string {
	if int(a) < len(adaptations) {
		return adaptations[a]
	}
	return fmt.Sprintf("Adaptation(%d)", uint8(a))
}

// Box is a box of blocks, its ends included.
type Box struct{ MinX, MinY, MinZ, MaxX, MaxY, MaxZ int32 }

// Piece is a piece of a structure that changes the ground.
type Piece struct {
	Box        Box
	Adaptation Adaptation
	// GroundDelta is the height of the ground above the box's lowest y: that
	// of the template for rigid pieces of a jigsaw structure, else 0.
	GroundDelta int32
}

// Junction is where two pieces of a jigsaw structure join: a block of ground.
type Junction struct{ X, GroundY, Z int32 }

// Beard is what the pieces of structures do to the density of a chunk. It is
// scratch for one worker; its zero value is that of a chunk without pieces.
//
// The game adds the contributions in the order of the pieces, so Add and Join
// are called in the order of the structures' starts and of the pieces in them.
type Beard struct {
	minX, minZ int32 // of the chunk
	pieces     []adapted
	junctions  []Junction

	// Those that reach into the box of the last Touches.
	nearPieces    []*adapted
	nearJunctions []Junction
}

// adapted is a piece with the box outside which it adds nothing.
type adapted struct {
	Piece
	reach Box
}

// Begin empties the beard and moves it to a chunk.
func (b *Beard) Begin(chunkX, chunkZ int32) {
	b.minX, b.minZ = chunkX*16, chunkZ*16
	b.pieces, b.junctions = b.pieces[:0], b.junctions[:0]
	b.nearPieces, b.nearJunctions = b.nearPieces[:0], b.nearJunctions[:0]
}

// Empty reports whether nothing changes the chunk's density.
func (b *Beard) Empty() bool { return len(b.pieces) == 0 && len(b.junctions) == 0 }

// Add adds a piece, if it is within 12 blocks of the chunk, and reports whether
// it is. Pieces without an adaptation add nothing.
func (b *Beard) Add(p Piece) bool {
	box := p.Box
	near := box.MaxX >= b.minX-kernelRadius && box.MinX <= b.minX+15+kernelRadius &&
		box.MaxZ >= b.minZ-kernelRadius && box.MinZ <= b.minZ+15+kernelRadius
	if near && p.Adaptation != NoAdaptation {
		b.pieces = append(b.pieces, adapted{p, p.reach()})
	}
	return near
}

// Join adds a junction, if it is less than 12 blocks from the chunk. The game
// asks only those of pieces for which Add is true.
func (b *Beard) Join(j Junction) {
	if j.X > b.minX-kernelRadius && j.X < b.minX+15+kernelRadius &&
		j.Z > b.minZ-kernelRadius && j.Z < b.minZ+15+kernelRadius {
		b.junctions = append(b.junctions, j)
	}
}

// reach is the box outside which the piece adds nothing.
func (p *Piece) reach() Box {
	const far = kernelRadius - 1
	r := p.Box
	r.MinX, r.MaxX, r.MinZ, r.MaxZ = r.MinX-far, r.MaxX+far, r.MinZ-far, r.MaxZ+far
	ground := p.Box.MinY + p.GroundDelta
	switch p.Adaptation {
	case Bury, BeardThin:
		r.MinY, r.MaxY = ground-kernelRadius, ground+far
	case BeardBox:
		r.MinY, r.MaxY = ground-far, r.MaxY+far
	default:
		r.MinY, r.MaxY = r.MinY-far, r.MaxY+far
	}
	return r
}

// reach is the box outside which the junction adds nothing.
func (j *Junction) reach() Box {
	const far = kernelRadius - 1
	return Box{j.X - kernelRadius, j.GroundY - kernelRadius, j.Z - kernelRadius, j.X + far, j.GroundY + far, j.Z + far}
}

func (b *Box) meets(o *Box) bool {
	return b.MinX <= o.MaxX && o.MinX <= b.MaxX && b.MinY <= o.MaxY && o.MinY <= b.MaxY && b.MinZ <= o.MaxZ && o.MinZ <= b.MaxZ
}

// At is what the pieces and junctions add to the density of a block.
func (b *Beard) At(blockX, blockY, blockZ int) float64 {
	x, y, z := int32(blockX), int32(blockY), int32(blockZ)
	sum := 0.0
	for i := range b.pieces {
		sum += b.pieces[i].at(x, y, z)
	}
	for i := range b.junctions {
		sum += b.junctions[i].at(x, y, z)
	}
	return sum
}

// at is what the junction adds to the density of a block.
func (j *Junction) at(x, y, z int32) float64 {
	above := y - j.GroundY
	return float64(beard(x-j.X, above, z-j.Z, above) * 0.4)
}

// at is what the piece adds to the density of a block.
func (p *Piece) at(x, y, z int32) float64 {
	box := &p.Box
	awayX := max(0, box.MinX-x, x-box.MaxX)
	awayZ := max(0, box.MinZ-z, z-box.MaxZ)
	ground := box.MinY + p.GroundDelta
	above := y - ground
	switch p.Adaptation {
	case Bury:
		return bury(float64(awayX), float64(above)/2, float64(awayZ))
	case BeardThin:
		return float64(beard(awayX, above, awayZ, above) * 0.8)
	case BeardBox:
		return float64(beard(awayX, max(0, ground-y, y-box.MaxY), awayZ, above) * 0.8)
	case Encapsulate:
		awayY := max(0, box.MinY-y, y-box.MaxY)
		return float64(bury(float64(awayX)/2, float64(awayY)/2, float64(awayZ)/2) * 0.8)
	}
	return 0
}
