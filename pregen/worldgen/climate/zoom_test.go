package climate_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"strata/bench/testbed"
	"strata/pregen/worldgen/climate"
	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/proto"
)

func TestZoomGivesTheGamesCells(t *testing.T) {
	var rows [][6]int
	oracletest.JSON(t, "biome_mixer.json", &rows)
	zoom := climate.NewZoom(-777)
	wrong := 0
	for _, row := range rows {
		x, y, z := zoom.Cell(row[0], row[1], row[2])
		if x != row[3] || y != row[4] || z != row[5] {
			wrong++
		}
	}
	if wrong != 0 || len(rows) != 82176 {
		t.Errorf("%d of %d cells differ, want 0 of 82176", wrong, len(rows))
	}
}

// mottled fills a chunk with few biomes in lumps.
func mottled(random *rand.Rand, c *proto.Chunk) {
	for i := range c.Biomes {
		c.Biomes[i] = proto.Biome(i >> 7 & 3)
		if random.IntN(10) == 0 {
			c.Biomes[i] = proto.Biome(random.IntN(5))
		}
	}
}

func TestViewGivesTheBiomesOfTheZoomsCells(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 6))
	const minY, height = -64, 128
	view := climate.NewView(minY, height)
	for range 4 {
		zoom := climate.NewZoom(random.Int64())
		chunkX, chunkZ := int32(random.IntN(4000)-2000), int32(random.IntN(4000)-2000)
		view.Reset(zoom, chunkX, chunkZ)
		chunks := make(map[[2]int]*proto.Chunk)
		for i := range int32(9) {
			c := proto.New(minY, height)
			c.Reset(chunkX+i%3-1, chunkZ+i/3-1)
			mottled(random, c)
			chunks[[2]int{int(c.X), int(c.Z)}] = c
			view.Load(c)
		}
		for range 20000 {
			x, z := int(chunkX)*16+random.IntN(16), int(chunkZ)*16+random.IntN(16)
			y := minY - 20 + random.IntN(height+40)
			qx, qy, qz := zoom.Cell(x, y, z)
			c := chunks[[2]int{qx >> 2, qz >> 2}]
			inside := min(max(qy*4, minY), minY+height-4)
			want := c.Biomes[c.BiomeIndex(qx&3*4, inside, qz&3*4)]
			if got := view.At(x, y, z); got != want {
				t.Fatalf("block %d %d %d of chunk %d %d: biome %d, want %d", x, y, z, chunkX, chunkZ, got, want)
			}
			low, high := y-random.IntN(3), y+random.IntN(3)
			if present := view.Present(low, high, nil); !slices.Contains(present, want) {
				t.Fatalf("biome %d at y %d is not among those from %d to %d, %d", want, y, low, high, present)
			}
		}
	}
}

func BenchmarkZoom(b *testing.B) {
	zoom, sum, i := climate.NewZoom(1), 0, 0
	report := onThread(b)
	for b.Loop() {
		qx, _, _ := zoom.Cell(i&15, i>>8, i>>4&15)
		sum += qx
		i = (i + 1) & 0xffff
	}
	report(1, "block")
}

// The worst chunk for a view is one in which all bricks are between biomes, the
// best one has a single biome.
func BenchmarkView(b *testing.B) {
	for _, kind := range []struct {
		name string
		many bool
	}{{"biomes=one", false}, {"biomes=many", true}} {
		b.Run(kind.name, func(b *testing.B) {
			view, c := climate.NewView(-64, 384), proto.New(-64, 384)
			c.Reset(0, 0)
			if kind.many {
				for i := range c.Biomes {
					c.Biomes[i] = proto.Biome(i & 1)
				}
			}
			sum := 0
			report := onThread(b)
			for b.Loop() {
				view.Reset(climate.NewZoom(1), 0, 0)
				view.Load(c)
				for x := range 16 {
					for z := range 16 {
						for y := -64; y < 320; y++ {
							sum += int(view.At(x, y, z))
						}
					}
				}
			}
			report(16*16*384, "block")
		})
	}
}
