package flate

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"runtime"
	"testing"

	"strata/bench/testbed"
)

func TestInflateLimitIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 4))
	var d Decoder
	for name, raw := range samples(rng) {
		if len(raw) < 2 { // a limit of 0 is no limit
			continue
		}
		for packer, pack := range packers() {
			src := pack(raw)
			for _, spare := range []int{0, len(raw) - 1, len(raw), len(raw) + 1000} {
				dst := make([]byte, 3, 3+spare)
				got, _, err := d.Append(dst, src, len(raw))
				if err != nil || !bytes.Equal(got[3:], raw) {
					t.Fatalf("%s by %s, spare %d, limit %d: %d bytes, %v", name, packer, spare, len(raw), len(got), err)
				}
				got, n, err := d.Append(dst, src, len(raw)-1)
				if !errors.Is(err, ErrLimit) || n != 0 || len(got) != 3 {
					t.Fatalf("%s by %s, spare %d, limit %d: %d bytes, %v", name, packer, spare, len(raw)-1, len(got), err)
				}
			}
		}
	}
}

// bomb is 16 MiB of zeros in about 16 KiB.
func bomb() []byte { return packers()["stdlib 9"](make([]byte, 16<<20)) }

func TestInflateBombTakesNoMoreMemoryThanTheLimit(t *testing.T) {
	src := bomb()
	const limit = 1 << 20
	var d Decoder
	allocated := allocatedBy(func() {
		_, _, err := d.Append(nil, src, limit)
		if !errors.Is(err, ErrLimit) {
			t.Errorf("error %v", err)
		}
	})
	// Each step is at least twice the one before, so that all of them together
	// are less than twice the last one.
	if allocated > 2*limit+64<<10 {
		t.Errorf("%d bytes of input took %d bytes of memory", len(src), allocated)
	}
}

func TestInflateGrowsWithWhatTheInputMakes(t *testing.T) {
	var d Decoder
	zeros := packers()["stdlib 9"](make([]byte, 1<<20))
	if got := allocatedBy(func() { mustAppend(t, &d, zeros) }); got > 4<<20 {
		t.Errorf("1 MiB of zeros took %d bytes of memory", got)
	}
	// A cut of a bomb may claim no more than the factor for each byte, in all
	// its steps together no more than three times that.
	for cut := 100; cut < len(zeros); cut += 300 {
		got := allocatedBy(func() { d.Append(nil, zeros[:cut], 0) })
		if most := uint64(3*maxRatio*cut + 32<<10); got > most {
			t.Errorf("%d bytes of input took %d bytes of memory", cut, got)
		}
	}
	// A large input that makes nothing gets its own size at most twice.
	noise := make([]byte, 8<<20)
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	stored := packers()["stdlib 0"](noise)
	if got := allocatedBy(func() { mustAppend(t, &d, stored) }); got > 3*8<<20 {
		t.Errorf("%d stored bytes took %d bytes of memory", len(noise), got)
	}
}

// 258 bytes for every two bits: as many as there can be.
func TestInflateTakesNoMoreMemoryThanTheInputCanFill(t *testing.T) {
	var d Decoder
	for matches := 100; matches < 5000; matches += 97 {
		var c crafter
		c.dynamic(true, lensOf(286, map[int]uint8{0: 2, endOfBlock: 2, 285: 1}), []uint8{1})
		header := len(c.out)
		c.put(code{0b10, 2})
		for range matches {
			c.bits(0, 2)
		}
		c.put(code{0b11, 2})
		got, n, err := d.Append(nil, c.out, 0)
		if err != nil || len(got) != 1+matches*maxMatch || n != len(c.out) {
			t.Fatalf("%d bytes from %d, %v", len(got), n, err)
		}
		body := len(c.out) - header
		if most := maxRatio * body; len(got) > most {
			t.Errorf("%d bytes of input made %d, more than %d", body, len(got), most)
		}
		// The header's bytes count at the first step, before they are read.
		if most := int64(maxRatio*(body+16)) + firstSize(len(c.out)); int64(cap(got)) > most {
			t.Errorf("%d bytes of input took %d bytes of memory for %d", body, cap(got), len(got))
		}
	}
}

func mustAppend(t *testing.T, d *Decoder, src []byte) {
	t.Helper()
	if _, _, err := d.Append(nil, src, 0); err != nil {
		t.Fatal(err)
	}
}

// allocatedBy returns how many bytes f allocates on the heap, freed or not.
func allocatedBy(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
