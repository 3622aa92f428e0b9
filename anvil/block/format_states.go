package block

// shapeUnit is the unit of the boxes in the table, in parts of a block.
const shapeUnit = 32

func readShapes(r *reader, t *table) {
	t.shapes = make([][]Box, r.count(maxItems))
	whole := Box{MaxX: 1, MaxY: 1, MaxZ: 1}
	for i := range t.shapes {
		boxes := make([]Box, r.count(maxShapeBoxes))
		for j := range boxes {
			var at [6]float64
			for k, b := range r.column(6) {
				at[k] = float64(int8(b)) / shapeUnit
			}
			boxes[j] = Box{at[0], at[1], at[2], at[3], at[4], at[5]}
		}
		t.shapes[i] = boxes
		if len(boxes) == 1 && boxes[0] == whole {
			t.fullCube = uint16(i)
		}
	}
}

func readFaces(r *reader, t *table) {
	masks := make([]faceMask, r.count(256)) // their numbers are bytes
	for i := range masks {
		for j, b := range r.column(32) {
			masks[i][j/8] |= uint64(b) << (j % 8 * 8)
		}
	}
	sides := make([][6]uint8, r.count(255))
	for i := range sides {
		copy(sides[i][:], r.column(6))
		for _, side := range sides[i] {
			if int(side) >= len(masks) {
				r.fail("side mask %d of %d", side, len(masks))
			}
		}
	}
	if r.err == nil {
		t.faces = newFaceTable(masks, sides)
	}
}

func readColors(r *reader, t *table) {
	t.rgb = make([]uint32, r.count(256))
	for i := range t.rgb {
		c := r.column(3)
		t.rgb[i] = uint32(c[0])<<16 | uint32(c[1])<<8 | uint32(c[2])
	}
}

// readStates reads the columns of the native states and fills the rest of the
// range with what unknown states are taken for.
func readStates(r *reader, t *table) {
	shapeLow, shapeHigh := r.column(StateCount), r.column(StateCount)
	light := r.column(StateCount)      // emission, opacity << 4
	occlusions := r.column(StateCount) // index of an occlusion shape
	fluids := r.column(StateCount)     // amount, kind << 4, falling << 6
	flags := r.column(StateCount)      // from bitAir on
	colors := r.column(StateCount)
	if r.err != nil {
		return
	}
	for s := range StateCount {
		info := &t.states[s]
		info.shape = uint16(shapeLow[s]) | uint16(shapeHigh[s])<<8
		if int(info.shape) >= len(t.shapes) || int(colors[s]) >= len(t.rgb) || occlusions[s] >= t.faces.shapes {
			r.fail("state %d refers to what is not there", s)
			return
		}
		info.bits = uint32(light[s])<<emissionBits | uint32(occlusions[s])<<occlusionBits |
			uint32(fluids[s])<<amountBits | uint32(flags[s])*bitAir
		if info.shape == t.fullCube {
			info.bits |= bitFullCollision
		}
		t.colors[s] = MapColor(colors[s])
	}
	stone := t.states[t.blocks[Stone].initial]
	stone.block = Unknown
	for s := StateCount; s < maxStates; s++ {
		t.states[s] = stone
		t.colors[s] = t.colors[t.blocks[Stone].initial]
	}
}
