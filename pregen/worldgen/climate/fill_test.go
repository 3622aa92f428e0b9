package climate_test

import (
	"math/rand/v2"
	"testing"

	"strata/bench/testbed"
	"strata/pregen/worldgen/climate"
	"strata/pregen/worldgen/proto"
)

// lattice is a climate of few values, which lie on the faces of rows, so that
// many cells are tied. It has columns in which all parameters change.
type lattice struct {
	seed   uint64
	values [climate.Parameters][]float64
}

func newLattice(seed uint64, rows []climate.Row) *lattice {
	random := rand.New(rand.NewPCG(seed, 9))
	l := &lattice{seed: seed}
	for i := range l.values {
		for range 3 {
			r := &rows[random.IntN(len(rows))]
			l.values[i] = append(l.values[i], float64(r.Low[i])/10000, float64(r.High[i])/10000, random.Float64()*2-1)
		}
	}
	return l
}

// at is the climate of a cell.
func (l *lattice) at(qx, qy, qz int) (out [climate.Parameters]float64) {
	tall := uint64(0) // of columns in which all changes
	if qx&3 == 2 {
		tall = uint64(qy >> 2)
	}
	random := rand.New(rand.NewPCG(l.seed^uint64(qx>>1)<<32^tall, uint64(qz>>1)))
	for i := range out {
		out[i] = l.values[i][random.IntN(len(l.values[i]))]
	}
	out[climate.Depth] = 1 - float64(qy)/24
	return out
}

func (l *lattice) Climate(qx, qz int, qys []int, out [][climate.Parameters]float64) {
	for i, qy := range qys {
		out[i] = l.at(qx, qy, qz)
	}
}

func TestFillGoesThroughCellsInTheGamesOrder(t *testing.T) {
	seed := uint64(testbed.Seed(t))
	rows := rowsOf(t, version262, "overworld")
	source := load(t, `{"type":"minecraft:multi_noise","preset":"minecraft:overworld"}`)
	finder := tableOf(t, version262, "overworld").Finder()
	c := proto.New(-32, 160)
	tied := 0
	for round := range 12 {
		sampler := newLattice(seed+uint64(round), rows)
		reader := source.Reader(sampler)
		c.Reset(int32(round-6), int32(round*3))
		reader.Fill(c)
		finder.Forget()
		ties := reader.Ties()
		for section := -2; section < 8; section++ {
			for i := range 64 {
				x, y, z := i>>4, section*4+i>>2&3, i&3
				p := sampler.at(int(c.X)*4+x, y, int(c.Z)*4+z)
				want := finder.Find(climate.PointOf(&p))
				at := c.BiomeIndex(x*4, y*4, z*4)
				if c.Biomes[at] != want.Biome {
					t.Fatalf("cell %d %d %d: biome %d, want %d (tied %v)", x, y, z, c.Biomes[at], want.Biome, want.Tied)
				}
				if !want.Tied {
					continue
				}
				tied++
				if len(ties) == 0 || ties[0] != at {
					t.Fatalf("cell %d %d %d is tied and not the next of %d", x, y, z, ties)
				}
				ties = ties[1:]
			}
		}
		if len(ties) > 0 {
			t.Errorf("%d cells are said to be tied and are not", len(ties))
		}
	}
	if tied < 50 {
		t.Errorf("met only %d ties", tied)
	}
	t.Logf("met %d ties", tied)
}

func TestFillDoesNotAllocate(t *testing.T) {
	rows := rowsOf(t, version262, "overworld")
	for _, document := range []string{
		`{"type":"minecraft:multi_noise","preset":"minecraft:overworld"}`,
		`{"type":"minecraft:the_end"}`,
		`{"type":"minecraft:checkerboard","biomes":["plains","desert"]}`,
	} {
		s := load(t, document)
		ready := &readyClimate{columns: [][][climate.Parameters]float64{make([][climate.Parameters]float64, 96)}}
		sampler := newLattice(1, rows)
		for i := range ready.columns[0] {
			ready.columns[0][i] = sampler.at(0, i, 0)
		}
		reader, c := s.Reader(ready), proto.New(-64, 384)
		view := climate.NewView(-64, 384)
		reader.Fill(c)
		if n := testing.AllocsPerRun(20, func() {
			reader.Fill(c)
			view.Reset(climate.NewZoom(7), 0, 0)
			view.Load(c)
			view.At(3, 4, 5)
			reader.At(1, 2, 3)
		}); n != 0 {
			t.Errorf("%s: %g allocations", document, n)
		}
	}
}
