package climate

import (
	"fmt"
	"math"

	"strata/pregen/worldgen/proto"
)

// Table is the rows of a dimension, made ready to be searched.
type Table struct {
	biomes []string
	rows   []proto.Biome // of each row
	tree   tree          // of all rows; its items are their numbers
	groups []group       // none if there would be too many
}

// maxGroups is how many groups are worth to be searched one by one.
const maxGroups = 8

// group is the boxes without depth that stand at the same intervals of depth.
// Along a column of the world all parameters but the depth stay the same, and
// so does the nearest box of each group; only the intervals are left to compare.
// The overworld has three: the surface at depths 0 and 1, caves, the deep dark.
type group struct {
	tree      tree
	intervals []interval
	// rows are those of each box, one for each interval.
	rows []int32
	// covers says that the boxes, without offsets, fill all of the tree's bounds,
	// so that every climate within is in one of them.
	covers bool
}

// interval is a range of depths.
type interval struct{ low, high int32 }

// NewTable makes a table of rows. Their order is that of the game's list, as in
// its reports: it decides between some of those that are equally near.
func NewTable(rows []Row) (*Table, error) {
	if len(rows) == 0 || len(rows) > MaxRows {
		return nil, fmt.Errorf("%d rows, not 1 to %d: %w", len(rows), MaxRows, ErrInvalid)
	}
	t := &Table{rows: make([]proto.Biome, len(rows))}
	numbers := make(map[string]proto.Biome)
	boxes, classes := make([]box, len(rows)), make([]uint32, len(rows))
	for i := range rows {
		r := &rows[i]
		if err := r.validate(); err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
		number, known := numbers[r.Biome]
		if !known {
			if len(t.biomes) > math.MaxUint16 {
				return nil, fmt.Errorf("row %d: more than %d biomes: %w", i, math.MaxUint16+1, ErrInvalid)
			}
			number = proto.Biome(len(t.biomes))
			numbers[r.Biome] = number
			t.biomes = append(t.biomes, r.Biome)
		}
		t.rows[i], classes[i] = number, uint32(number)
		copy(boxes[i].low[:], r.Low[:])
		copy(boxes[i].high[:], r.High[:])
		boxes[i].low[offset], boxes[i].high[offset] = r.Offset, r.Offset
	}
	t.tree = newTree(boxes, classes)
	t.groups = groupRows(boxes)
	return t, nil
}

// groupRows makes the groups of a table.
func groupRows(rows []box) []group {
	type stack struct { // rows that differ in their depth alone
		box       box
		intervals []interval
		rows      []int32
	}
	var stacks []*stack
	byBox := make(map[box]*stack)
	for i, b := range rows {
		depth := interval{b.low[Depth], b.high[Depth]}
		b.low[Depth], b.high[Depth] = 0, 0
		s := byBox[b]
		if s == nil {
			s = &stack{box: b}
			byBox[b] = s
			stacks = append(stacks, s)
		}
		s.intervals = append(s.intervals, depth)
		s.rows = append(s.rows, int32(i))
	}
	var groups []group
	var boxes [][]box
	byIntervals := make(map[string]int)
	for _, s := range stacks {
		key := fmt.Sprint(s.intervals)
		at, known := byIntervals[key]
		if !known {
			if len(groups) == maxGroups {
				return nil
			}
			at = len(groups)
			byIntervals[key] = at
			groups = append(groups, group{intervals: s.intervals})
			boxes = append(boxes, nil)
		}
		groups[at].rows = append(groups[at].rows, s.rows...)
		boxes[at] = append(boxes[at], s.box)
	}
	for i := range groups {
		classes := make([]uint32, len(boxes[i]))
		for j := range classes {
			classes[j] = uint32(j) // boxes are tied with all others
		}
		groups[i].tree = newTree(boxes[i], classes)
		groups[i].tree.findSafe()
		groups[i].covers = groups[i].tree.fills()
	}
	return groups
}

// Biomes lists the biomes of the table, in the order of their first rows. It
// belongs to the table.
func (t *Table) Biomes() []string { return t.biomes }

// Len is the number of rows.
func (t *Table) Len() int { return len(t.rows) }

// Biome is the biome of a row, as a place in Biomes.
func (t *Table) Biome(row int) proto.Biome { return t.rows[row] }
