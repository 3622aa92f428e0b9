package flate

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"strata/bench/testbed"
)

// stormRuns is how many streams the storm decodes on a submission. Nightly and
// release runs set STRATA_LONG_RUNS=10000000.
const stormRuns = 200_000

// TestInflateDifferentialStorm decodes valid, mutated, cut and spliced streams
// and blocks with random codes, each in one of several kinds of destination,
// and compares verdict, bytes and input taken with the standard library, and
// now and then with klauspost.
func TestInflateDifferentialStorm(t *testing.T) {
	runs := testbed.Runs(t, stormRuns)
	seed := testbed.Seed(t)
	t.Run("source=generated", func(t *testing.T) {
		newStorm(t, seed, generatedStreams).run(runs / 2)
	})
	t.Run("source=chunks", func(t *testing.T) {
		raws := chunks(t)
		newStorm(t, seed+1, func(rng *rand.Rand) []byte { return chunkPiece(rng, raws) }).run(runs - runs/2)
	})
}

// storm is the state of one run.
type storm struct {
	t         *testing.T
	rng       *rand.Rand
	source    func(*rand.Rand) []byte
	streams   [][]byte // a pool, renewed bit by bit
	std       *reference
	klauspost *reference
	d         Decoder
	src, mem  []byte

	accepted, refused, limited int
}

func newStorm(t *testing.T, seed int64, source func(*rand.Rand) []byte) *storm {
	s := &storm{
		t: t, source: source, rng: rand.New(rand.NewPCG(uint64(seed), 5)),
		std: newStdReference(), klauspost: newKlauspostReference(),
		mem: make([]byte, 1<<18),
	}
	for range 200 {
		s.streams = append(s.streams, source(s.rng))
	}
	return s
}

func (s *storm) run(count int) {
	start := time.Now()
	for i := range count {
		if i%50 == 49 {
			s.streams[s.rng.IntN(len(s.streams))] = s.source(s.rng)
		}
		s.src = append(s.src[:0], s.streams[s.rng.IntN(len(s.streams))]...)
		if s.rng.IntN(16) != 0 {
			s.mutate()
		}
		if s.rng.IntN(2) == 0 { // input behind the stream keeps the fast loop going
			for range 16 + s.rng.IntN(16) {
				s.src = append(s.src, byte(s.rng.Uint32()))
			}
		}
		s.decode(i%16 == 0)
	}
	took := time.Since(start)
	s.t.Logf("%d streams: %d accepted, %d refused, %d limits checked; %.0f a second",
		count, s.accepted, s.refused, s.limited, float64(count)/took.Seconds())
	if count >= 1000 && (s.accepted < count/50 || s.refused < count/50) {
		s.t.Error("the storm does not test both verdicts")
	}
}

// mutate damages src, most often near its start, where the headers are.
func (s *storm) mutate() {
	rng := s.rng
	place := func() int {
		if rng.IntN(2) == 0 {
			return rng.IntN(min(len(s.src), 80))
		}
		return rng.IntN(len(s.src))
	}
	for range 1 + rng.IntN(3) {
		if len(s.src) == 0 {
			return
		}
		i := place()
		switch rng.IntN(8) {
		case 0, 1, 2:
			s.src[i] ^= 1 << rng.IntN(8)
		case 3:
			s.src[i] = byte(rng.Uint32())
		case 4:
			s.src = s.src[:rng.IntN(len(s.src)+1)]
		case 5:
			s.src = append(s.src[:i], s.src[i+1:]...)
		case 6:
			s.src = append(s.src[:i+1], s.src[i:]...)
		default:
			other := s.streams[rng.IntN(len(s.streams))]
			s.src = append(s.src[:i], other[min(i, len(other)):]...)
		}
	}
}

// decode decodes src into memory of some kind and compares.
func (s *storm) decode(klauspost bool) {
	const guard = 0xC3
	rng, t := s.rng, s.t
	prefix := rng.IntN(4)
	spare := [4]int{0, 1 + rng.IntN(300), 1 + rng.IntN(3000), len(s.mem) - 100}[rng.IntN(4)]
	end := prefix + spare
	copy(s.mem, "abcd")
	fence := s.mem[end : end+64]
	for i := range fence {
		fence[i] = guard
	}
	dst := s.mem[:prefix:end]

	got, n, err := s.d.Append(dst, s.src, agreeLimit)
	if string(got[:prefix]) != "abcd"[:prefix] || err != nil && (len(got) != prefix || n != 0) {
		t.Fatalf("prefix %d spare %d: result %d bytes, %d, %v\ninput %x", prefix, spare, len(got), n, err, s.src)
	}
	for i, x := range fence {
		if x != guard {
			t.Fatalf("prefix %d spare %d: wrote %d bytes behind the capacity\ninput %x", prefix, spare, i, s.src)
		}
	}
	if e := (*Error)(nil); err != nil && (!errors.As(err, &e) || e.Offset > len(s.src)) {
		t.Fatalf("error %#v\ninput %x", err, s.src)
	}
	made := got[prefix:]
	compare(t, s.std, s.src, made, n, err)
	if klauspost {
		compare(t, s.klauspost, s.src, made, n, err)
	}
	if err != nil {
		s.refused++
		return
	}
	s.accepted++
	if len(made) > 1 && rng.IntN(8) == 0 {
		s.limited++
		size := len(made)
		if _, _, err := s.d.Append(dst, s.src, size-1); !errors.Is(err, ErrLimit) {
			t.Fatalf("limit %d of %d: %v\ninput %x", size-1, size, err, s.src)
		}
		if got, _, err := s.d.Append(dst, s.src, size); err != nil || len(got) != prefix+size {
			t.Fatalf("limit %d: %d bytes, %v\ninput %x", size, len(got), err, s.src)
		}
	}
}

// generatedStreams makes a stream of generated data, or of random symbols in
// random codes, whose headers may be damaged before the symbols are written.
func generatedStreams(rng *rand.Rand) []byte {
	if rng.IntN(2) == 0 {
		var c crafter
		made := 0
		blocks := 1 + rng.IntN(3)
		for i := range blocks {
			if rng.IntN(8) == 0 {
				c.stored(false, "stored bytes"[:rng.IntN(13)])
			}
			made += c.randomBlock(rng, i == blocks-1, rng.IntN(150), made)
		}
		return c.out
	}
	raw := make([]byte, rng.IntN(1500))
	kinds := 1 + rng.IntN(255)
	for i := range raw {
		switch {
		case i > 40 && rng.IntN(3) > 0:
			raw[i] = raw[i-1-rng.IntN(1+kinds%40)]
		default:
			raw[i] = byte(rng.IntN(kinds))
		}
	}
	return packed(rng, raw)
}

// chunkPiece packs a piece of a real chunk.
func chunkPiece(rng *rand.Rand, raws [][]byte) []byte {
	raw := raws[rng.IntN(len(raws))]
	at := rng.IntN(len(raw))
	return packed(rng, raw[at:min(len(raw), at+rng.IntN(4000))])
}

// packed packs raw in one of the ways of packers.
func packed(rng *rand.Rand, raw []byte) []byte {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, []int{-2, 0, 1, 5, 6, 9}[rng.IntN(6)])
	if err != nil {
		panic(fmt.Sprint("level: ", err))
	}
	if rng.IntN(4) == 0 {
		half := rng.IntN(len(raw) + 1)
		w.Write(raw[:half])
		w.Flush()
		raw = raw[half:]
	}
	w.Write(raw)
	w.Close()
	return b.Bytes()
}
