package flate

import (
	"bytes"
	"compress/zlib"
	"io"
	"testing"

	kzlib "github.com/klauspost/compress/zlib"
)

// zlibStreams are the chunks packed by the standard library at level 6.
func zlibStreams(tb testing.TB, count int) (streams [][]byte, rawBytes int) {
	tb.Helper()
	raws := chunks(tb)
	raws = raws[:min(count, len(raws))]
	w, _ := zlib.NewWriterLevel(nil, 6)
	for _, raw := range raws {
		var b bytes.Buffer
		w.Reset(&b)
		w.Write(raw)
		w.Close()
		streams = append(streams, b.Bytes())
		rawBytes += len(raw)
	}
	return streams, rawBytes
}

// unpackers are the decoders to compare: each returns a function that unpacks a
// zlib stream into memory that it reuses.
var unpackers = []struct {
	name string
	make func() func(src []byte) ([]byte, error)
}{
	{"strata", func() func([]byte) ([]byte, error) {
		var d Decoder
		var out []byte
		return func(src []byte) ([]byte, error) {
			var err error
			out, _, err = d.AppendZlib(out[:0], src, 0)
			return out, err
		}
	}},
	{"strata-raw", func() func([]byte) ([]byte, error) {
		var d Decoder
		var out []byte
		return func(src []byte) ([]byte, error) {
			var err error
			out, _, err = d.Append(out[:0], src[2:], 0)
			return out, err
		}
	}},
	{"stdlib", func() func([]byte) ([]byte, error) { return streamUnpacker(zlib.NewReader) }},
	{"klauspost", func() func([]byte) ([]byte, error) { return streamUnpacker(kzlib.NewReader) }},
}

// streamUnpacker reuses a reader, and reads straight into a buffer that has
// grown to the largest stream.
func streamUnpacker(newReader func(io.Reader) (io.ReadCloser, error)) func([]byte) ([]byte, error) {
	var in bytes.Reader
	var r io.ReadCloser
	out := make([]byte, 64<<10)
	return func(src []byte) (_ []byte, err error) {
		in.Reset(src)
		if r == nil {
			r, err = newReader(&in)
		} else {
			err = r.(zlib.Resetter).Reset(&in, nil)
		}
		if err != nil {
			return nil, err
		}
		for n := 0; ; {
			if n == len(out) {
				out = append(out, make([]byte, len(out))...)
			}
			m, err := r.Read(out[n:])
			n += m
			if err == io.EOF {
				return out[:n], nil
			}
			if err != nil {
				return nil, err
			}
		}
	}
}

func BenchmarkInflate(b *testing.B) {
	streams, rawBytes := zlibStreams(b, 998)
	for _, u := range unpackers {
		b.Run("decoder="+u.name, func(b *testing.B) {
			unpack := u.make()
			b.SetBytes(int64(rawBytes))
			b.ReportAllocs()
			for b.Loop() {
				for _, s := range streams {
					if _, err := unpack(s); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(streams)), "ns/chunk")
		})
	}
}
