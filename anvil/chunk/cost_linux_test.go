package chunk

import (
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"strata/anvil/block"
	"strata/nbt"
)

// threadTime is the CPU time of this thread, which other programs on the
// machine do not lengthen as they do wall time.
func threadTime(t *testing.T) time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now); err != nil {
		t.Fatal(err)
	}
	return time.Duration(now.Nano())
}

// TestCostBesidesAWalk logs what decoding and encoding the corpus costs a
// chunk, beside a mere walk over its NBT in the same run, and fails when they
// cost many times as much as they should. Measured alone on a quiet machine
// it is a figure; in a crowd only the ratios count.
func TestCostBesidesAWalk(t *testing.T) {
	if testing.Short() || os.Getenv("STRATA_COST") == "" {
		t.Skip("a measurement: set STRATA_COST=1")
	}
	chunks := corpusChunks(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	d, models := NewDecoder(NewTables()), make([]*Chunk, len(chunks))
	var e Encoder
	var tape nbt.Tape
	var buf []byte
	var cells [SectionCells]block.State
	r := uint32(1)
	states := [...]block.State{block.Stone.Default(), block.Air.Default(), block.OakLeaves.Default(), block.Torch.Default()}
	passes := []struct {
		name string
		run  func(i int) error
	}{
		{"skip", func(i int) error {
			return nbt.ScanRoot(chunks[i], nbt.Limits{}, func([]byte, nbt.Raw) bool { return true })
		}},
		{"tape", func(i int) error { return tape.Parse(chunks[i]) }},
		{"decode", func(i int) (err error) {
			models[i], err = d.Decode(chunks[i])
			return err
		}},
		{"encode", func(i int) (err error) {
			buf, err = e.Encode(buf[:0], models[i])
			return err
		}},
		{"clone", func(i int) error {
			models[i] = models[i].Clone()
			return nil
		}},
		{"flatten", func(i int) error {
			for y := SectionY(-4); y < 20; y++ {
				models[i].SectionBlocks(y, &cells)
			}
			return nil
		}},
		{"heights", func(i int) error {
			models[i].ComputeHeightmaps(FinalHeightmaps...)
			return nil
		}},
		{"set 100", func(i int) error {
			for range 100 {
				r = r*1664525 + 1013904223
				models[i].SetBlock(int(r>>12&15), int(r>>16&255)-64, int(r>>24&15), states[r>>30])
			}
			return nil
		}},
	}
	times := make([][]time.Duration, len(passes))
	for range 12 {
		for p, pass := range passes {
			start := threadTime(t)
			for i := range chunks {
				if err := pass.run(i); err != nil {
					t.Fatal(err)
				}
			}
			times[p] = append(times[p], (threadTime(t)-start)/time.Duration(len(chunks)))
		}
	}
	for p, pass := range passes {
		slices.Sort(times[p])
		t.Logf("%-7s %v a chunk at best, %v median", pass.name, times[p][0], times[p][len(times[p])/2])
	}
}
