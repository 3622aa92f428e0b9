package noise_test

import (
	"fmt"
	"testing"

	"strata/pregen/worldgen/noise"
	"strata/pregen/worldgen/rng"
)

var (
	netherBlend    = noise.BlendedParameters{XZScale: 0.25, YScale: 0.375, XZFactor: 80, YFactor: 60, SmearScale: 8}
	endBlend       = noise.BlendedParameters{XZScale: 0.25, YScale: 0.25, XZFactor: 80, YFactor: 160, SmearScale: 4}
	overworldBlend = noise.BlendedParameters{XZScale: 0.25, YScale: 0.125, XZFactor: 80, YFactor: 160, SmearScale: 8}
)

// legacyBlended makes the terrain noise of a Nether or an End.
func legacyBlended(t testing.TB, world int64, data noise.BlendedParameters) *noise.Blended {
	t.Helper()
	source := rng.NewLegacy(world)
	n, err := noise.NewBlended(&source, data)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func mix(t, a, b float64) float64 { return a + float64(t*(b-a)) }

// slope is the data's y_clamped_gradient.
func slope(y, fromY, toY int, from, to float64) float64 {
	part := float64(y-fromY) / float64(toY-fromY)
	return mix(min(max(part, 0), 1), from, to)
}

// netherDensity and endDensity are what the 26.2 noise settings say of one
// corner, without the squeeze at the end, which keeps the sign.
func netherDensity(y int, base float64) float64 {
	top := 0.9375 + float64(slope(y, 104, 128, 1, 0)*(-0.9375+base))
	return 0.64 * (2.5 + float64(slope(y, -8, 24, 0, 1)*(-2.5+top)))
}

func endDensity(y int, base float64) float64 {
	top := -23.4375 + float64(slope(y, 56, 312, 1, 0)*(23.4375+base))
	return 0.64 * (-0.234375 + float64(slope(y, 4, 32, 0, 1)*(0.234375+top)))
}

// solidMask interpolates a density between the corners of cells and calls
// visit for each block of a chunk with whether it is solid.
func solidMask(chunkX, chunkZ, cellWidth, cellHeight int, column func(x, stepY, z int, out []float64), visit func(x, y, z int, solid bool)) {
	const height = 128
	across, rows := 16/cellWidth+1, height/cellHeight+1
	corners := make([][]float64, across*across)
	for i := range corners {
		corners[i] = make([]float64, rows)
		column(chunkX*16+i/across*cellWidth, cellHeight, chunkZ*16+i%across*cellWidth, corners[i])
	}
	for x := range 16 {
		for z := range 16 {
			at := x/cellWidth*across + z/cellWidth
			partX, partZ := float64(x%cellWidth)/float64(cellWidth), float64(z%cellWidth)/float64(cellWidth)
			for y := range height {
				row, partY := y/cellHeight, float64(y%cellHeight)/float64(cellHeight)
				edge := func(i int) float64 { return mix(partY, corners[i][row], corners[i][row+1]) }
				near := mix(partX, edge(at), edge(at+across))
				far := mix(partX, edge(at+1), edge(at+across+1))
				visit(x, y, z, mix(partZ, near, far) > 0)
			}
		}
	}
}

func TestBlendedGivesTheGamesTerrain(t *testing.T) {
	nether := legacyBlended(t, 0, netherBlend)
	end, islands := legacyBlended(t, 0, endBlend), noise.NewIslands(0)
	dimensions := []struct {
		name                  string
		cellWidth, cellHeight int
		column                func(x, stepY, z int, out []float64)
	}{
		{"nether", 4, 8, func(x, stepY, z int, out []float64) {
			nether.Column(x, 0, stepY, z, out)
			for i := range out {
				out[i] = netherDensity(i*stepY, out[i])
			}
		}},
		{"end", 8, 4, func(x, stepY, z int, out []float64) {
			end.Column(x, 0, stepY, z, out)
			for i := range out {
				out[i] = endDensity(i*stepY, islands.At(int32(x), int32(z))+out[i])
			}
		}},
	}
	for _, d := range dimensions {
		for _, chunk := range [][2]int{{0, 0}, {7, 4}} {
			t.Run(fmt.Sprint(d.name, chunk), func(t *testing.T) {
				var states []int
				readReference(t, "reference-chunks-26.2.tar.zst", fmt.Sprintf("noise_%s_no_blend_no_beard_%d_%d.chunk", d.name, chunk[0], chunk[1]), &states)
				counts := map[bool]map[int]int{false: {}, true: {}}
				solidMask(chunk[0], chunk[1], d.cellWidth, d.cellHeight, d.column, func(x, y, z int, solid bool) {
					counts[solid][states[(x*128+y)*16+z]]++
				})
				t.Logf("states of solid blocks %v, of open ones %v", counts[true], counts[false])
				for state, n := range counts[true] {
					if wrong := counts[false][state]; wrong != 0 {
						t.Errorf("state %d is solid %d times and open %d times", state, n, wrong)
					}
				}
			})
		}
	}
}
