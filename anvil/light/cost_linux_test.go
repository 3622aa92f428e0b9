package light

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/bench/corpus"
	"strata/bench/testbed"
)

// threadTime is the CPU time of the calling thread.
func threadTime(t testing.TB) time.Duration {
	t.Helper()
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now); err != nil {
		t.Fatal(err)
	}
	return time.Duration(now.Nano())
}

// stage is a piece of a real world to measure on.
type stage struct {
	name      string
	chunks    map[chunkAt]*realChunk
	low, high chunk.SectionY
	sky       bool
}

func stages(b *testing.B) []stage {
	b.Helper()
	dir := filepath.Join(b.TempDir(), "worlds")
	if err := corpus.Unpack(testbed.Shared(b, "worlds", "sample-worlds.tar.zst"), dir); err != nil {
		b.Fatal(err)
	}
	unpackPart(b, testbed.Shared(b, "worlds", "history-6-saves.tar.zst"), "history/save-6/dimensions/minecraft/the_nether", dir)
	r := newRealReader()
	oracle := func(world, dimension string) map[chunkAt]*realChunk {
		return r.folder(b, testbed.Shared(b, "oracle", world, dimension, "full"))
	}
	return []stage{
		{"vanilla-a overworld", oracle("vanilla-a", "overworld"), -4, 20, true},
		{"fabric-b overworld", oracle("fabric-b", "overworld"), -4, 20, true},
		{"paper-c overworld", oracle("paper-c", "overworld"), -4, 20, true},
		{"overworld", r.folder(b, filepath.Join(dir, "sample", "layout-1.21.3", "region")), -4, 20, true},
		{"nether", r.folder(b, filepath.Join(dir, "history", "save-6", "dimensions", "minecraft", "the_nether", "region")), 0, 16, false},
	}
}

// areas returns the areas of a size whose inner chunks are full and have their
// neighbors, without overlap of those.
func (s *stage) areas(b *testing.B, size int) (areas []Area) {
	b.Helper()
	columns := map[chunkAt]*Column{}
	for at, c := range s.chunks {
		if c.full {
			columns[at] = new(Column)
			if err := columns[at].Set(s.low, s.high, c, nil); err != nil {
				b.Fatal(err)
			}
		}
	}
	taken := map[chunkAt]bool{}
	for _, corner := range inOrder(s.chunks) {
		a, ok := Area{Width: size, Depth: size, Sky: s.sky}, true
		for i := range size * size {
			at := chunkAt{corner.x + i%size, corner.z + i/size}
			ok = ok && columns[at] != nil && !taken[at]
			a.Columns = append(a.Columns, columns[at])
		}
		if !ok {
			continue
		}
		for i := range (size - 2) * (size - 2) {
			taken[chunkAt{corner.x + 1 + i%(size-2), corner.z + 1 + i/(size-2)}] = size > 3
		}
		areas = append(areas, a)
	}
	return areas
}

// BenchmarkLight reports the CPU time for a chunk that gets its light, its
// result included, without preparing it.
func BenchmarkLight(b *testing.B) {
	for _, s := range stages(b) {
		for _, size := range []int{3, 6, 10} {
			areas := s.areas(b, size)
			if len(areas) == 0 {
				continue
			}
			b.Run(fmt.Sprintf("%s/area=%d", s.name, size), func(b *testing.B) {
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				var e Engine
				var c Chunk
				lit := 0
				b.ReportAllocs()
				start := threadTime(b)
				for i := 0; b.Loop(); i++ {
					if err := e.Light(areas[i%len(areas)]); err != nil {
						b.Fatal(err)
					}
					for k := range (size - 2) * (size - 2) {
						if err := e.Result(1+k%(size-2), 1+k/(size-2), &c); err != nil {
							b.Fatal(err)
						}
						lit++
					}
				}
				b.ReportMetric(float64(threadTime(b)-start)/float64(lit), "cpu-ns/chunk")
			})
		}
	}
}

func BenchmarkColumn(b *testing.B) {
	for _, s := range stages(b) {
		var list []*realChunk
		for _, c := range s.chunks {
			if c.full {
				list = append(list, c)
			}
		}
		b.Run(s.name, func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			var c Column
			b.ReportAllocs()
			start := threadTime(b)
			for i := 0; b.Loop(); i++ {
				if err := c.Set(s.low, s.high, list[i%len(list)], nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(threadTime(b)-start)/float64(b.N), "cpu-ns/chunk")
		})
	}
}

// BenchmarkUpdate reports the CPU time of an edit alone in its update.
func BenchmarkUpdate(b *testing.B) {
	w := newMemoryWorld(3, 3, Dimension{Low: -4, High: 8, Sky: true})
	newBrush(rand.New(rand.NewPCG(1, 1))).landscape(w)
	var e Engine
	w.take(w.relight(b, &e))
	air, stone, torch := block.Air.Default(), block.Stone.Default(), block.MustParse("minecraft:torch")
	for _, edit := range []struct {
		name string
		at   chunk.BlockPos
		a, b block.State
	}{
		{"stone in the dark", xyz(24, -60, 24), stone, block.MustParse("minecraft:dirt")},
		{"torch in the open", xyz(24, 100, 24), torch, air},
		{"stone in the open", xyz(24, 100, 24), stone, air},
	} {
		b.Run(edit.name, func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			list := []chunk.BlockPos{edit.at}
			b.ReportAllocs()
			start := threadTime(b)
			for i := 0; b.Loop(); i++ {
				w.set(edit.at, edit.a)
				if i%2 == 1 {
					w.set(edit.at, edit.b)
				}
				if err := e.Update(w, w.Dimension, list); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(threadTime(b)-start)/float64(b.N), "cpu-ns/edit")
		})
	}
}
