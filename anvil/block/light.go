package block

// LightEmission returns the block light that the state gives off, 0 to 15.
func (s State) LightEmission() uint8 { return uint8(s.bits() >> emissionBits & 15) }

// Opacity returns how much light loses on its way into the block beyond what
// it loses anyway: it arrives weaker by the greater of 1 and this. Sky light
// falls through 0 without loss. 15 lets nothing in.
func (s State) Opacity() uint8 { return uint8(s.bits() >> opacityBits & 15) }

// PropagatesSkylightDown reports whether full sky light falls through.
func (s State) PropagatesSkylightDown() bool { return s.bits()>>opacityBits&15 == 0 }

// SolidRender reports whether the state is a whole cube that hides what is
// behind it.
func (s State) SolidRender() bool { return s.bits()&bitSolidRender != 0 }

// Occludes reports whether the state hides what its shape covers; glass,
// leaves and doors do not.
func (s State) Occludes() bool { return s.bits()&bitOccludes != 0 }

// UsesShapeForLight reports whether the state's shape can stop light at a
// side, as of slabs and stairs. Where this is false of both blocks,
// FaceBlocksLight need not be asked.
func (s State) UsesShapeForLight() bool { return s.bits()>>occlusionBits&0xFF != 0 }

// FaceBlocksLight reports whether no light passes from one block to the one
// beside it in direction d because the shapes of the two cover the whole side
// between them. Opacity is another matter.
func FaceBlocksLight(from, to State, d Direction) bool {
	t := get()
	a, b := t.states[from].bits>>occlusionBits&0xFF, t.states[to].bits>>occlusionBits&0xFF
	if a|b == 0 {
		return false
	}
	return t.faces.cover(t.faces.sides[a][d], t.faces.sides[b][d.Opposite()])
}

// faceMask is what a shape covers of a side: bit u+16*v is set for each 16th
// covered. u and v are the two axes of the side in the order x, y, z, so that
// the masks of touching sides can be put over each other.
type faceMask [4]uint64

func (a faceMask) full(b faceMask) bool {
	for i := range a {
		if a[i]|b[i] != ^uint64(0) {
			return false
		}
	}
	return true
}

// faceTable tells for each pair of side masks whether they cover the side.
type faceTable struct {
	shapes uint8
	sides  [256][6]uint8 // of each occlusion shape; shape 0 covers nothing
	count  int           // of masks
	both   []bool        // count*count
}

func newFaceTable(masks []faceMask, sides [][6]uint8) faceTable {
	t := faceTable{shapes: uint8(len(sides)), count: len(masks), both: make([]bool, len(masks)*len(masks))}
	copy(t.sides[:], sides)
	for i, a := range masks {
		for j, b := range masks {
			t.both[i*t.count+j] = a.full(b)
		}
	}
	return t
}

func (t *faceTable) cover(a, b uint8) bool { return t.both[int(a)*t.count+int(b)] }
