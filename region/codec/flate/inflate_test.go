package flate

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	kflate "github.com/klauspost/compress/flate"

	"strata/bench/testbed"
)

// samples are small inputs of different nature.
func samples(rng *rand.Rand) map[string][]byte {
	random := make([]byte, 5000)
	for i := range random {
		random[i] = byte(rng.Uint32())
	}
	text := bytes.Repeat([]byte("minecraft:deepslate minecraft:stone minecraft:tuff "), 60)
	for range 200 {
		text[rng.IntN(len(text))] = byte('a' + rng.IntN(26))
	}
	var longs []byte // a word array as in block states: period 8 with changes
	for i := range 4000 {
		longs = append(longs, byte(i%8*3))
		if rng.IntN(60) == 0 {
			longs[i] = byte(rng.Uint32())
		}
	}
	skewed := make([]byte, 6000) // literals of very uneven frequency: long codes
	for i := range skewed {
		skewed[i] = byte(bitsUntilOne(rng)*7 + rng.IntN(2))
	}
	m := map[string][]byte{
		"empty": {}, "one": {42}, "random": random, "text": text, "longs": longs,
		"skewed": skewed, "zeros": make([]byte, 40000),
	}
	for _, n := range []int{2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 31, 33} {
		m[fmt.Sprintf("period%d", n)] = bytes.Repeat(random[:n], 700/n)
	}
	return m
}

func bitsUntilOne(rng *rand.Rand) (n int) {
	for rng.Uint32()&1 == 0 && n < 30 {
		n++
	}
	return n
}

// packers are the encoders whose streams we read.
func packers() map[string]func(raw []byte) []byte {
	m := map[string]func([]byte) []byte{}
	for level := -2; level <= 9; level++ {
		m[fmt.Sprintf("stdlib %d", level)] = func(raw []byte) []byte {
			var b bytes.Buffer
			w, _ := flate.NewWriter(&b, level)
			w.Write(raw[:len(raw)/2])
			w.Flush() // a block boundary and an empty stored block
			w.Write(raw[len(raw)/2:])
			w.Close()
			return b.Bytes()
		}
		if level == -1 {
			continue
		}
		m[fmt.Sprintf("klauspost %d", level)] = func(raw []byte) []byte {
			var b bytes.Buffer
			w, _ := kflate.NewWriter(&b, level)
			w.Write(raw)
			w.Close()
			return b.Bytes()
		}
	}
	return m
}

func TestInflateUnpacksEveryLevelOfOtherEncoders(t *testing.T) {
	rng := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 1))
	var d Decoder
	for name, raw := range samples(rng) {
		for packer, pack := range packers() {
			src := pack(raw)
			got, n, err := d.Append(nil, src, len(raw)+1)
			if err != nil || n != len(src) || !bytes.Equal(got, raw) {
				t.Fatalf("%s by %s: %d bytes from %d of %d, %v", name, packer, len(got), n, len(src), err)
			}
		}
	}
}

func TestInflateUnpacksRealChunks(t *testing.T) {
	raws := chunks(t)
	if testing.Short() {
		raws = raws[:40]
	}
	var d Decoder
	var out []byte
	for i, raw := range raws {
		var b bytes.Buffer
		w, _ := flate.NewWriter(&b, []int{1, 6, 4, -2}[i%4])
		w.Write(raw)
		w.Close()
		var n int
		var err error
		out, n, err = d.Append(out[:0], b.Bytes(), 0)
		if err != nil || n != b.Len() || !bytes.Equal(out, raw) {
			t.Fatalf("chunk %d: %d bytes from %d of %d, want %d: %v", i, len(out), n, b.Len(), len(raw), err)
		}
	}
}

func TestInflateAppendsBehindWhatDstHolds(t *testing.T) {
	raw := bytes.Repeat([]byte("stone dirt "), 300)
	src := packers()["stdlib 6"](raw)
	var d Decoder
	for _, spare := range []int{0, 1, 10, len(raw) - 1, len(raw), len(raw) + 1, len(raw) + fastSlack, 3 * len(raw)} {
		backing := bytes.Repeat([]byte{0xA5}, 7+spare+64)
		dst := backing[: 7 : 7+spare]
		got, n, err := d.Append(dst, src, 0)
		if err != nil || n != len(src) {
			t.Fatalf("spare %d: n %d, %v", spare, n, err)
		}
		if !bytes.Equal(got[:7], backing[:7]) || !bytes.Equal(got[7:], raw) {
			t.Fatalf("spare %d: wrong bytes", spare)
		}
		if in := spare >= len(raw); in != (&got[0] == &backing[0]) {
			t.Errorf("spare %d: stays in place: %v", spare, !in)
		}
		for i, x := range backing[7+spare:] {
			if x != 0xA5 {
				t.Fatalf("spare %d: byte %d behind the capacity was written", spare, i)
			}
		}
	}
}

func TestInflateMatchesDoNotReachIntoDst(t *testing.T) {
	var c crafter
	lit, dist := fixedLens()
	c.start(true, 1)
	c.put(canonical(lit)[257])
	c.put(canonical(dist)[0])
	c.put(canonical(lit)[endOfBlock])
	var d Decoder
	dst := []byte("history")
	for _, src := range [][]byte{c.out, append(c.out, make([]byte, 32)...)} {
		got, n, err := d.Append(append(dst, make([]byte, 1000)...)[:7], src, 0)
		if !errors.Is(err, ErrCorrupt) || n != 0 || string(got) != "history" {
			t.Fatalf("%q, %d, %v", got, n, err)
		}
	}
}

func TestInflateLeavesDataBehindTheStream(t *testing.T) {
	raw := bytes.Repeat([]byte("abcdefgh"), 100)
	var d Decoder
	for packer, pack := range packers() {
		src := pack(raw)
		for extra := range 40 {
			padded := append(bytes.Clone(src), bytes.Repeat([]byte{0xFF}, extra)...)
			got, n, err := d.Append(nil, padded, 0)
			if err != nil || n != len(src) || !bytes.Equal(got, raw) {
				t.Fatalf("%s with %d bytes behind it: n %d of %d, %v", packer, extra, n, len(src), err)
			}
		}
	}
}

func TestInflateOnErrorReturnsDstAsItWas(t *testing.T) {
	src := packers()["stdlib 6"](bytes.Repeat([]byte("some text, "), 500))
	var d Decoder
	for _, bad := range [][]byte{nil, src[:len(src)-1], src[:len(src)/2], {0x07}} {
		for _, spare := range []int{0, 10, 10000} {
			dst := append(make([]byte, 0, 4+spare), "keep"...)
			got, n, err := d.Append(dst, bad, 0)
			if err == nil || n != 0 || string(got) != "keep" || cap(got) != cap(dst) || &got[0] != &dst[0] {
				t.Fatalf("%q cap %d, %d, %v", got, cap(got), n, err)
			}
		}
	}
	// The decoder still works.
	if _, _, err := d.Append(nil, src, 0); err != nil {
		t.Fatal(err)
	}
}

func TestInflateErrorsNameTheirPlace(t *testing.T) {
	var d Decoder
	_, _, err := d.Append(nil, []byte{0, 0}, 0)
	var e *Error
	if !errors.As(err, &e) || e.Format != "deflate" || e.Offset != 2 || !errors.Is(err, ErrTruncated) {
		t.Fatalf("%#v", err)
	}
	if want := "deflate offset 2: input ends too early"; err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
}

func TestInflateDoesNotAllocateWithEnoughCapacity(t *testing.T) {
	raw := bytes.Repeat([]byte("minecraft:oak_log[axis=y] "), 400)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		raw[rng.IntN(len(raw))] = byte(rng.Uint32())
	}
	src := packers()["stdlib 6"](raw)
	var d Decoder
	out := make([]byte, 0, len(raw)) // exactly
	allocs := testing.AllocsPerRun(100, func() {
		var err error
		if out, _, err = d.Append(out[:0], src, len(raw)); err != nil {
			t.Fatal(err)
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}
