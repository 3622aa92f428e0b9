package main

import (
	"fmt"
	"slices"

	"strata/anvil/block"
)

// shapeUnit is the unit of the table's boxes, in parts of a block.
const shapeUnit = 32

// box is min x, y, z, max x, y, z in units.
type box [6]int8

// shape is boxes, in order.
type shape []box

func newShape(boxes [][6]float64) (shape, error) {
	s := make(shape, len(boxes))
	for i, b := range boxes {
		for k, v := range b {
			units := v * shapeUnit
			if units != float64(int8(units)) {
				return nil, fmt.Errorf("edge at %v is not at a multiple of 1/%d", v, shapeUnit)
			}
			s[i][k] = int8(units)
		}
	}
	slices.SortFunc(s, func(a, b box) int { return slices.Compare(a[:], b[:]) })
	return s, nil
}

// cube is the whole block between two heights.
func cube(low, high int) shape { return shape{{0, int8(low), 0, shapeUnit, int8(high), shapeUnit}} }

func (s shape) whole() bool { return len(s) == 1 && s[0] == cube(0, shapeUnit)[0] }

// extent is the size of the bounds in blocks.
func (s shape) extent() (x, y, z float64) {
	bounds := s[0]
	for _, b := range s[1:] {
		for k := range 3 {
			bounds[k] = min(bounds[k], b[k])
			bounds[k+3] = max(bounds[k+3], b[k+3])
		}
	}
	size := func(k int) float64 { return float64(bounds[k+3]-bounds[k]) / shapeUnit }
	return size(0), size(1), size(2)
}

// shape returns the number of a shape.
func (b *builder) shape(s shape) int {
	key := fmt.Sprint(s)
	n, ok := b.shapeNumbers[key]
	if !ok {
		n = len(b.out.shapes)
		b.shapeNumbers[key] = n
		b.out.shapes = append(b.out.shapes, s)
	}
	return n
}

// faceMask is what a shape covers of a side, a bit for each 16th: bit u+16*v,
// where u and v are the side's axes in the order x, y, z.
type faceMask [256 / 8]byte

// side returns what a shape covers of a side: what of it reaches the side.
func (s shape) side(d block.Direction) faceMask {
	var m faceMask
	axis := map[block.Direction]int{block.Down: 1, block.Up: 1, block.North: 2, block.South: 2, block.West: 0, block.East: 0}[d]
	u, v := (axis+1)%3, (axis+2)%3
	if u > v {
		u, v = v, u
	}
	const step = shapeUnit / 16
	for _, b := range s {
		if d%2 == 0 && b[axis] > 0 || d%2 == 1 && b[axis+3] < shapeUnit {
			continue
		}
		for j := range 16 {
			for i := range 16 {
				x, y := int8(i*step), int8(j*step)
				// A 16th that is covered in part does not count.
				if b[u] <= x && x+step <= b[u+3] && b[v] <= y && y+step <= b[v+3] {
					m[(i+16*j)/8] |= 1 << (i % 8)
				}
			}
		}
	}
	return m
}

// occlusion returns the number of what a shape covers of the six sides.
func (b *builder) occlusion(s shape) int {
	var sides [6]uint8
	for d := range sides {
		m := s.side(block.Direction(d))
		n, ok := b.maskNos[string(m[:])]
		if !ok {
			n = len(b.out.masks)
			b.maskNos[string(m[:])] = n
			b.out.masks = append(b.out.masks, m)
		}
		sides[d] = uint8(n)
	}
	n, ok := b.occlusionNos[sides]
	if !ok {
		n = len(b.out.occlusions)
		b.occlusionNos[sides] = n
		b.out.occlusions = append(b.out.occlusions, sides)
	}
	return n
}
