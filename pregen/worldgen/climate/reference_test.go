package climate_test

import (
	"math"
	"math/rand/v2"
	"sort"
	"testing"

	"strata/bench/testbed"
	"strata/pregen/worldgen/climate"
)

// reference is the game's tree as it is described, without any thought of speed:
// what the package's own searches must agree with even where rows are tied.
type reference struct {
	low, high [7]int64
	row       int // of a leaf
	children  []*reference
}

func referenceLeaves(rows []climate.Row) []*reference {
	var list []*reference
	for i := range rows {
		leaf := &reference{row: i}
		for d := range rows[i].Low {
			leaf.low[d], leaf.high[d] = int64(rows[i].Low[d]), int64(rows[i].High[d])
		}
		leaf.low[6], leaf.high[6] = int64(rows[i].Offset), int64(rows[i].Offset)
		list = append(list, leaf)
	}
	return list
}

func referenceOver(children []*reference) *reference {
	r := &reference{low: children[0].low, high: children[0].high, children: children}
	for _, c := range children {
		for d := range r.low {
			r.low[d], r.high[d] = min(r.low[d], c.low[d]), max(r.high[d], c.high[d])
		}
	}
	return r
}

// middle is the centre of a dimension, as a distance from 0 if absolute.
func (r *reference) middle(d int, absolute bool) int64 {
	if m := (r.low[d] + r.high[d]) / 2; m >= 0 || !absolute {
		return m
	}
	return -((r.low[d] + r.high[d]) / 2)
}

func referenceSort(list []*reference, first int, absolute bool) {
	sort.SliceStable(list, func(i, j int) bool {
		for k := range 7 {
			d := (first + k) % 7
			if a, b := list[i].middle(d, absolute), list[j].middle(d, absolute); a != b {
				return a < b
			}
		}
		return false
	})
}

func referenceTree(list []*reference) *reference {
	if len(list) == 1 {
		return list[0]
	}
	if len(list) <= 6 {
		sum := func(r *reference) (sum int64) {
			for d := range 7 {
				sum += r.middle(d, true)
			}
			return sum
		}
		sort.SliceStable(list, func(i, j int) bool { return sum(list[i]) < sum(list[j]) })
		return referenceOver(list)
	}
	size := int(math.Pow(6, math.Floor(math.Log(float64(len(list))-0.01)/math.Log(6))))
	var best []*reference
	bestCost, bestDimension := int64(math.MaxInt64), 0
	for d := range 7 {
		referenceSort(list, d, false)
		var buckets []*reference
		cost := int64(0)
		for from := 0; from < len(list); from += size {
			bucket := referenceOver(append([]*reference(nil), list[from:min(from+size, len(list))]...))
			for k := range 7 {
				cost += bucket.high[k] - bucket.low[k]
			}
			buckets = append(buckets, bucket)
		}
		if cost < bestCost {
			best, bestCost, bestDimension = buckets, cost, d
		}
	}
	referenceSort(best, bestDimension, true)
	for i, bucket := range best {
		best[i] = referenceTree(bucket.children)
	}
	return referenceOver(best)
}

func (r *reference) distance(p *climate.Point) int64 {
	sum := r.low[6] * r.low[6]
	for d, v := range p {
		away := max(v-r.high[d], r.low[d]-v, 0)
		sum += away * away
	}
	return sum
}

// find returns the best leaf below a node, or the one before it.
func (r *reference) find(p *climate.Point, before *reference) *reference {
	if r.children == nil {
		return r
	}
	least := int64(math.MaxInt64)
	if before != nil {
		least = before.distance(p)
	}
	for _, child := range r.children {
		if child.distance(p) >= least {
			continue
		}
		if leaf := child.find(p, before); leaf.distance(p) < least {
			before, least = leaf, leaf.distance(p)
		}
	}
	return before
}

func TestFindTakesTheGamesRowWhereRowsAreTied(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 10))
	tables := [][]climate.Row{rowsOf(t, version262, "overworld")}
	for _, n := range []int{2, 5, 6, 7, 8, 35, 36, 37, 43, 200, 217} {
		tables = append(tables, tableOfRandom(random, n))
	}
	for _, rows := range tables {
		table, err := climate.NewTable(rows)
		if err != nil {
			t.Fatal(err)
		}
		tree := referenceTree(referenceLeaves(rows))
		finder := table.Finder()
		var before *reference
		for range 3000 {
			p := randomPoint(random, rows)
			if random.IntN(3) == 0 {
				finder.Forget()
				before = nil
			}
			got := finder.Find(p)
			before = tree.find(&p, before)
			if got.Row != before.row {
				t.Fatalf("%d rows, point %v: row %d, the game's is %d", len(rows), p, got.Row, before.row)
			}
		}
	}
}
