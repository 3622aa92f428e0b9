package codec

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"strata/bench/testbed"
)

// typed reports whether err is what the package promises for a damaged
// stream of scheme s.
func typed(err error, s Scheme) bool {
	var e *Error
	return errors.As(err, &e) && e.Scheme == s && e.Offset >= 0 &&
		(e.Err == ErrCorrupt || e.Err == ErrTruncated || e.Err == ErrChecksum || e.Err == ErrLimit)
}

func checkedStreams(t *testing.T, src []byte) map[Scheme][]byte {
	t.Helper()
	out := map[Scheme][]byte{}
	for _, s := range []Scheme{Gzip, Zlib, LZ4} {
		out[s] = encode(t, encoderKind{s, 6}.new(t), src)
	}
	return out
}

func TestEveryTruncationIsReported(t *testing.T) {
	src := payloads()[9] // 3000 bytes
	var d Decoder
	for s, stream := range checkedStreams(t, src) {
		for n := range stream {
			out, err := d.Append([]byte("kept"), s, stream[:n], 0)
			if string(out) != "kept" || !typed(err, s) {
				t.Fatalf("%v cut at %d of %d: got %d bytes, %v", s, n, len(stream), len(out), err)
			}
			if !errors.Is(err, ErrTruncated) {
				t.Errorf("%v cut at %d of %d: got %v, want ErrTruncated", s, n, len(stream), err)
			}
		}
	}
}

// A flipped bit gives an error or, in parts of a header that carry no data,
// the same payload. It never gives another payload.
func TestEveryFlippedBitIsReportedOrHarmless(t *testing.T) {
	src := payloads()[9]
	var d Decoder
	for s, stream := range checkedStreams(t, src) {
		harmless := 0
		for bit := range 8 * len(stream) {
			damaged := bytes.Clone(stream)
			damaged[bit/8] ^= 1 << (bit % 8)
			out, err := d.Append([]byte("kept"), s, damaged, 1<<20)
			switch {
			case err == nil && bytes.Equal(out[4:], src):
				harmless++
			case err == nil:
				t.Fatalf("%v with bit %d flipped decodes to another payload", s, bit)
			case string(out) != "kept" || !typed(err, s):
				t.Fatalf("%v with bit %d flipped: %d bytes, %v", s, bit, len(out), err)
			}
		}
		// gzip: time, flags and system; zlib: none that keep the header's
		// check; LZ4: a larger block size in the token.
		if limit := 12 * 8; harmless > limit {
			t.Errorf("%v: %d flipped bits went unnoticed", s, harmless)
		}
	}
}

func TestRandomDamageToRealChunksIsReported(t *testing.T) {
	seed := testbed.Seed(t)
	rng := rand.New(rand.NewPCG(uint64(seed), 1))
	var d Decoder
	for i, src := range chunks(t, max(2, fewer(5))) {
		for s, stream := range checkedStreams(t, src) {
			for range 200 {
				damaged := bytes.Clone(stream)
				for range 1 + rng.IntN(4) {
					damaged[rng.IntN(len(damaged))] = byte(rng.Uint32())
				}
				out, err := d.Append(nil, s, damaged, 1<<20)
				if err == nil && !bytes.Equal(out, src) || err != nil && !typed(err, s) {
					t.Fatalf("chunk %d, %v: %d bytes, %v", i, s, len(out), err)
				}
			}
		}
	}
}

func TestLimitStopsEveryScheme(t *testing.T) {
	src := bytes.Repeat([]byte("chunk"), 100_000)
	var d Decoder
	for _, kind := range []encoderKind{{Gzip, 6}, {Zlib, 6}, {None, 0}, {LZ4, 0}} {
		stream := encode(t, kind.new(t), src)
		for _, limit := range []int{1, 100, 65_535, 65_536, len(src) - 1} {
			out, err := d.Append([]byte("kept"), kind.Scheme, stream, limit)
			if string(out) != "kept" || !errors.Is(err, ErrLimit) || !typed(err, kind.Scheme) {
				t.Errorf("%v, limit %d: %d bytes, %v", kind.Scheme, limit, len(out), err)
			}
		}
		for _, limit := range []int{len(src), len(src) + 1, 0, -1} {
			if out, err := d.Append(nil, kind.Scheme, stream, limit); err != nil || !bytes.Equal(out, src) {
				t.Errorf("%v, limit %d: %d bytes, %v", kind.Scheme, limit, len(out), err)
			}
		}
	}
}

func TestDecoderRefusesUnknownSchemes(t *testing.T) {
	var d Decoder
	for _, s := range []Scheme{0, 5, 57, Custom, 0x80 | Zlib} {
		out, err := d.Append([]byte("kept"), s, []byte("stream"), 0)
		var e *Error
		if string(out) != "kept" || !errors.Is(err, ErrUnknownScheme) || !errors.As(err, &e) || e.Scheme != s {
			t.Errorf("%v: got %q, %v", s, out, err)
		}
	}
}

func TestErrorsNameSchemePlaceAndCause(t *testing.T) {
	stream := encode(t, encoderKind{Zlib, 6}.new(t), []byte("hello, hello, hello"))
	stream[len(stream)-1] ^= 1
	_, err := new(Decoder).Append(nil, Zlib, stream, 0)
	want := fmt.Sprintf("zlib stream: checksum mismatch at offset %d: Adler-32", len(stream)-4)
	if err == nil || err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	_, err = new(Decoder).Append(nil, Zlib, []byte{0x78, 0x20 | 0x9c&0xc0 | 0x1b}, 0)
	if !errors.Is(err, ErrCorrupt) {
		t.Errorf("preset dictionary: got %v", err)
	}
}
