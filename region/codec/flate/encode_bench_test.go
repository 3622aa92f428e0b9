package flate_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"testing"

	kzlib "github.com/klauspost/compress/zlib"

	"strata/region/codec/flate"
)

// A packer is a zlib encoder under its name in a benchmark grid. The result of
// make packs src into dst, from its beginning.
type packer struct {
	name string
	make func(tb testing.TB) func(dst, src []byte) []byte
}

// packers are our levels and what they are compared with.
func packers() []packer {
	var list []packer
	for level := flate.MinLevel; level <= flate.MaxLevel; level++ {
		list = append(list, packer{fmt.Sprintf("level=%d", level), func(tb testing.TB) func(dst, src []byte) []byte {
			e := newEncoder(tb, level)
			return func(dst, src []byte) []byte { return e.AppendZlib(dst[:0], src) }
		}})
	}
	for _, level := range []int{1, 6, 9} {
		list = append(list, packer{fmt.Sprintf("stdlib=%d", level), func(tb testing.TB) func(dst, src []byte) []byte {
			w, err := zlib.NewWriterLevel(io.Discard, level)
			return streamPacker(tb, w, err)
		}})
	}
	for _, level := range []int{1, 5, 6, 7, 8, 9} {
		list = append(list, packer{fmt.Sprintf("klauspost=%d", level), func(tb testing.TB) func(dst, src []byte) []byte {
			w, err := kzlib.NewWriterLevel(io.Discard, level)
			return streamPacker(tb, w, err)
		}})
	}
	return list
}

// streamPacker makes a packer's function of a writer, which it reuses.
func streamPacker(tb testing.TB, w interface {
	io.WriteCloser
	Reset(io.Writer)
}, err error) func(dst, src []byte) []byte {
	if err != nil {
		tb.Fatal(err)
	}
	return func(dst, src []byte) []byte {
		out := bytes.NewBuffer(dst[:0])
		w.Reset(out)
		if _, err := w.Write(src); err != nil {
			tb.Fatal(err)
		}
		if err := w.Close(); err != nil {
			tb.Fatal(err)
		}
		return out.Bytes()
	}
}

// A chunk's payload in a region file has five bytes in front and fills up
// sectors of 4 KiB.
const (
	recordHeaderBytes = 5
	sectorBytes       = 4096
)

// sizes are sums over chunks.
type sizes struct {
	chunks, raw, payload, sectors int
}

func (s *sizes) add(raw, stream int) {
	s.chunks++
	s.raw += raw
	s.payload += recordHeaderBytes + stream
	s.sectors += (recordHeaderBytes + stream + sectorBytes - 1) / sectorBytes * sectorBytes
}

func (s *sizes) mean(sum int) float64 { return float64(sum) / float64(s.chunks) }

// BenchmarkEncode packs the whole corpus in each operation.
func BenchmarkEncode(b *testing.B) {
	chunks := chunkCorpus(b)
	for _, p := range packers() {
		b.Run(p.name+"/corpus=chunks-998", func(b *testing.B) {
			pack := p.make(b)
			dst := make([]byte, 0, 1<<20)
			var s sizes
			b.ReportAllocs()
			for b.Loop() {
				s = sizes{}
				for _, c := range chunks {
					dst = pack(dst, c)
					s.add(len(c), len(dst))
				}
			}
			b.SetBytes(int64(s.raw))
			b.ReportMetric(s.mean(s.payload), "B/chunk")
			b.ReportMetric(s.mean(s.sectors), "sectorB/chunk")
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(s.chunks), "us/chunk")
		})
	}
}
