package flate

import (
	"bytes"
	"testing"
)

func TestInflateUnpacksRealChunks(t *testing.T) {
	raws := chunks(t)
	streams, _ := zlibStreams(t, 100)
	var d Decoder
	var out []byte
	for i, s := range streams {
		var n int
		var err error
		out, n, err = d.AppendZlib(out[:0], s, 0)
		if err != nil {
			t.Fatalf("chunk %d: %v", i, err)
		}
		if n != len(s) || !bytes.Equal(out, raws[i]) {
			t.Fatalf("chunk %d: %d bytes from %d of %d, want %d", i, len(out), n, len(s), len(raws[i]))
		}
	}
}
