package flate

import (
	"bytes"
	"compress/flate"
	"testing"
)

// Run the fuzz targets with -fuzzminimizetime 1x; seeds are kept under 1 KiB.

func FuzzInflate(f *testing.F) {
	for _, k := range corners {
		var c crafter
		k.craft(&c)
		f.Add(c.out)
		f.Add(append(c.out, make([]byte, 24)...))
	}
	for _, level := range []int{-2, 0, 1, 6} {
		f.Add(packAt(level, bytes.Repeat([]byte("stone dirt air "), 20)))
	}
	var d Decoder
	std, klauspost := newStdReference(), newKlauspostReference()
	f.Fuzz(func(t *testing.T, src []byte) {
		agree(t, &d, std, src)
		agree(t, &d, klauspost, src)
	})
}

// FuzzInflateMutated packs a small input and then changes the stream as ops
// say: pairs of a place and a byte to XOR there. A zero byte cuts the stream
// off instead.
func FuzzInflateMutated(f *testing.F) {
	f.Add(byte(6), []byte("stone dirt air stone stone dirt"), []byte{})
	f.Add(byte(1), bytes.Repeat([]byte{1, 2, 3, 4, 5, 6, 7, 8}, 40), []byte{3, 1})
	f.Add(byte(9), []byte("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), []byte{1, 0x80, 7, 0})
	f.Add(byte(255), []byte("abracadabra"), []byte{0, 4})
	var d Decoder
	std, klauspost := newStdReference(), newKlauspostReference()
	f.Fuzz(func(t *testing.T, level byte, raw, ops []byte) {
		if len(raw) > 4096 {
			return
		}
		src := packAt(int(level)%12-2, raw)
		if got, _, err := d.Append(nil, src, 0); err != nil || !bytes.Equal(got, raw) {
			t.Fatalf("valid stream: %d bytes of %d, %v", len(got), len(raw), err)
		}
		for ; len(ops) >= 2 && len(src) > 0; ops = ops[2:] {
			at := int(ops[0]) * len(src) / 256
			if ops[1] == 0 {
				src = src[:at]
				continue
			}
			src[at] ^= ops[1]
		}
		agree(t, &d, std, src)
		agree(t, &d, klauspost, src)
		agree(t, &d, std, append(src, make([]byte, 24)...))
	})
}

func packAt(level int, raw []byte) []byte {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, level)
	if err != nil {
		panic(err)
	}
	w.Write(raw)
	w.Close()
	return b.Bytes()
}
