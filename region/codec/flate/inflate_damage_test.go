package flate

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"strata/bench/testbed"
)

// smallStreams are short streams of all block types and several blocks.
func smallStreams(rng *rand.Rand) [][]byte {
	var all [][]byte
	pack := packers()
	text := bytes.Repeat([]byte("air stone dirt air air "), 8)
	for i := range text {
		if rng.IntN(5) == 0 {
			text[i] = byte('a' + rng.IntN(26))
		}
	}
	for _, name := range []string{"stdlib 0", "stdlib 6", "stdlib -2", "klauspost 1", "klauspost 9"} {
		all = append(all, pack[name](text))
	}
	all = append(all, pack["stdlib 6"]([]byte("short")), pack["stdlib 6"](nil))
	for range 3 {
		var c crafter
		made := c.randomBlock(rng, false, 30, 0)
		c.randomBlock(rng, true, 30, made)
		all = append(all, c.out)
	}
	return all
}

func TestInflateReportsEveryTruncation(t *testing.T) {
	rng := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 2))
	std := newStdReference()
	var d Decoder
	for _, src := range smallStreams(rng) {
		_, n, err := d.Append(nil, src, 0)
		if err != nil {
			continue // a crafted block without an end
		}
		for cut := range n {
			agree(t, &d, std, src[:cut])
			_, _, err := d.Append(nil, src[:cut], 0)
			var e *Error
			if !errors.As(err, &e) || e.Err != ErrTruncated || e.Offset != cut {
				t.Fatalf("cut at %d of %d: %v", cut, n, err)
			}
		}
	}
}

func TestInflateAgreesOnEveryFlippedBit(t *testing.T) {
	rng := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 3))
	std, klauspost := newStdReference(), newKlauspostReference()
	var d Decoder
	accepted, total := 0, 0
	step := 1
	if testing.Short() {
		step = 7 // prime to 8, so that each bit of a byte has its turn
	}
	for _, src := range smallStreams(rng) {
		for bit := 0; bit < len(src)*8; bit += step {
			src[bit/8] ^= 1 << (bit % 8)
			// Alone and with input behind it, for both loops.
			for _, s := range [][]byte{src, append(src[:len(src):len(src)], make([]byte, 24)...)} {
				total++
				if agree(t, &d, std, s) {
					accepted++
				}
				agree(t, &d, klauspost, s)
			}
			src[bit/8] ^= 1 << (bit % 8)
		}
	}
	t.Logf("%d of %d damaged streams are still valid", accepted, total)
	if accepted == 0 || accepted == total {
		t.Error("the flips test nothing")
	}
}
