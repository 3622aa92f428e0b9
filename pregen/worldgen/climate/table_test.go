package climate_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"strata/bench/testbed"
	"strata/pregen/worldgen/climate"
)

// randomPoint gives points over all climates of the world and some beyond, and
// often on the faces of rows, where ties are.
func randomPoint(random *rand.Rand, rows []climate.Row) climate.Point {
	var p climate.Point
	for i := range p {
		switch r := &rows[random.IntN(len(rows))]; random.IntN(6) {
		case 0:
			p[i] = int64(r.Low[i])
		case 1:
			p[i] = int64(r.High[i])
		default:
			p[i] = int64(random.IntN(26000) - 13000)
		}
	}
	return p
}

// nearest is the least distance of a point by brute force, and the rows at it.
func nearest(rows []climate.Row, p climate.Point) (least int64, at []int) {
	least = math.MaxInt64
	for i := range rows {
		switch d := rows[i].Distance(&p); {
		case d < least:
			least, at = d, []int{i}
		case d == least:
			at = append(at, i)
		}
	}
	return least, at
}

// checkMatch compares a match with brute force. before is the row of the
// previous look-up, -1 for none.
func checkMatch(t *testing.T, rows []climate.Row, p climate.Point, got climate.Match, before int) (tied bool) {
	t.Helper()
	_, at := nearest(rows, p)
	found, kept, differ := false, false, false
	for _, row := range at {
		found = found || row == got.Row
		kept = kept || row == before
		differ = differ || rows[row].Biome != rows[got.Row].Biome
	}
	if !found {
		t.Fatalf("point %v: row %d, nearest are %d", p, got.Row, at)
	}
	if kept && got.Row != before {
		t.Fatalf("point %v: row %d, the row of the previous look-up %d is as near", p, got.Row, before)
	}
	if differ != got.Tied {
		t.Fatalf("point %v: tied is %v, nearest rows are %d", p, got.Tied, at)
	}
	return len(at) > 1
}

func TestFindGivesTheNearestRow(t *testing.T) {
	for _, name := range []string{"overworld", "nether"} {
		rows, table := rowsOf(t, version262, name), tableOf(t, version262, name)
		random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 2))
		finder := table.Finder()
		ties, before := 0, -1
		for range 1000 {
			p := randomPoint(random, rows)
			for depth := range int64(3) { // as along a column
				p[climate.Depth] += depth * 313
				got := finder.Find(p)
				if table.Biomes()[got.Biome] != rows[got.Row].Biome {
					t.Fatalf("row %d is biome %d", got.Row, got.Biome)
				}
				if checkMatch(t, rows, p, got, before) {
					ties++
				}
				before = got.Row
			}
			if random.IntN(4) == 0 {
				finder.Forget()
				before = -1
			}
		}
		t.Logf("%s: met %d ties", name, ties)
		if name == "overworld" && ties < 50 { // the nether's rows are five points, which seldom tie
			t.Errorf("%s: met only %d ties", name, ties)
		}
	}
}

func TestFindWithoutAPreviousLookUpIsAFunctionOfThePoint(t *testing.T) {
	rows, table := rowsOf(t, version262, "overworld"), tableOf(t, version262, "overworld")
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 3))
	warm := table.Finder()
	for range 1000 {
		p := randomPoint(random, rows)
		warm.Forget()
		got, want := warm.Find(p), table.Finder().Find(p)
		if got != want {
			t.Fatalf("point %v: %v after other look-ups, %v without", p, got, want)
		}
		for range random.IntN(5) {
			warm.Find(randomPoint(random, rows))
		}
	}
}

// tableOfRandom makes tables that have nothing of the game's regularity: rows
// that overlap, lie in each other, are points, have offsets and are doubled.
func tableOfRandom(random *rand.Rand, n int) []climate.Row {
	rows := make([]climate.Row, n)
	for i := range rows {
		r := &rows[i]
		if i > 0 && random.IntN(8) == 0 {
			*r = rows[random.IntN(i)]
		} else {
			for d := range r.Low {
				r.Low[d] = int32(random.IntN(9)-4) * 2500
				r.High[d] = r.Low[d] + int32(random.IntN(3))*2500
			}
			r.Offset = int32(random.IntN(3)) * 1000
		}
		r.Biome = string(rune('a' + random.IntN(20)))
	}
	return rows
}

func TestFindGivesTheNearestRowOfAnyTable(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 4))
	for _, n := range []int{1, 2, 6, 7, 36, 37, 300} {
		for flat := range 2 { // few groups, or more than are worth it
			rows := tableOfRandom(random, n)
			for i := range rows {
				if flat == 0 {
					rows[i].Low[climate.Depth], rows[i].High[climate.Depth] = 0, int32(i%2)*5000
				}
			}
			table, err := climate.NewTable(rows)
			if err != nil {
				t.Fatal(err)
			}
			finder := table.Finder()
			before := -1
			for range 500 {
				p := randomPoint(random, rows)
				got := finder.Find(p)
				checkMatch(t, rows, p, got, before)
				before = got.Row
			}
		}
	}
}

func TestFindAcceptsPointsThatAreAbsurdlyFarAway(t *testing.T) {
	rows, table := rowsOf(t, version262, "overworld"), tableOf(t, version262, "overworld")
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 5))
	finder := table.Finder()
	for i := range 300 {
		p := randomPoint(random, rows)
		p[random.IntN(len(p))] = []int64{math.MaxInt64, math.MinInt64, 1 << 40, -(1 << 31), 1 << 28}[i%5]
		got := finder.Find(p)
		if i%5 >= 3 { // nothing wraps around yet
			checkMatch(t, rows, p, got, -2)
		}
	}
}

func TestPointsAreRoundedAsTheGameRoundsThem(t *testing.T) {
	for v, want := range map[float64]int64{
		0.1: 1000, -0.45: -4500, 0.7799: 7799, 0.00019: 1, -0.00019: -1, 1e30: math.MaxInt64,
		math.Inf(-1): math.MinInt64, 0.55: 5500, -0.7666: -7666, 2: 20000, 1e6: 10000000000,
	} {
		p := climate.PointOf(&[climate.Parameters]float64{v, math.NaN()})
		if p[0] != want || p[1] != 0 {
			t.Errorf("%g is %d and NaN %d, want %d and 0", v, p[0], p[1], want)
		}
	}
}

func TestTablesOfRowsTheGameRefusesAreErrors(t *testing.T) {
	good := climate.Row{Biome: "minecraft:plains"}
	for name, change := range map[string]func(r *climate.Row){
		"low":    func(r *climate.Row) { r.Low[2] = -20001 },
		"high":   func(r *climate.Row) { r.High[0] = 20001 },
		"order":  func(r *climate.Row) { r.Low[1] = 5 },
		"offset": func(r *climate.Row) { r.Offset = -1 },
		"biome":  func(r *climate.Row) { r.Biome = "" },
	} {
		row := good
		change(&row)
		if _, err := climate.NewTable([]climate.Row{good, row}); !errors.Is(err, climate.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := climate.NewTable(nil); !errors.Is(err, climate.ErrInvalid) {
		t.Errorf("no rows: %v", err)
	}
	if _, err := climate.NewTable([]climate.Row{good}); err != nil {
		t.Error(err)
	}
}
