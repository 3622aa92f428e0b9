package codec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pierrec/lz4/v4"

	"strata/bench/corpus"
	"strata/bench/testbed"
)

// lz4Stream builds a block stream by hand, with any block size and with
// headers that lie.
type lz4Stream []byte

func (s lz4Stream) block(method byte, sizeLog int, stored []byte, original int, checksum uint32) lz4Stream {
	s = append(s, "LZ4Block"...)
	s = append(s, method|byte(sizeLog-10))
	for _, v := range []uint32{uint32(len(stored)), uint32(original), checksum} {
		s = binary.LittleEndian.AppendUint32(s, v)
	}
	return append(s, stored...)
}

func (s lz4Stream) raw(sizeLog int, b []byte) lz4Stream {
	return s.block(0x10, sizeLog, b, len(b), xxh32(b, 0x9747b28c)&0x0FFFFFFF)
}

func (s lz4Stream) compressed(t *testing.T, sizeLog int, b []byte) lz4Stream {
	t.Helper()
	stored := make([]byte, lz4.CompressBlockBound(len(b)))
	n, err := lz4.CompressBlock(b, stored, nil)
	if err != nil || n == 0 {
		t.Fatalf("block does not compress: %d, %v", n, err)
	}
	return s.block(0x20, sizeLog, stored[:n], len(b), xxh32(b, 0x9747b28c)&0x0FFFFFFF)
}

func (s lz4Stream) end() lz4Stream { return s.block(0x10, 16, nil, 0, 0) }

func TestLZ4DecodesEveryBlockSizeAndMethod(t *testing.T) {
	text := bytes.Repeat([]byte("block state "), 4000)
	var d Decoder
	for sizeLog := 10; sizeLog <= 25; sizeLog++ {
		b := text[:min(len(text), 1<<sizeLog)]
		stream := lz4Stream{}.raw(sizeLog, b).compressed(t, sizeLog, b).raw(sizeLog, b[:1]).end()
		want := append(append(bytes.Clone(b), b...), b[0])
		if got, n, err := d.AppendN(nil, LZ4, stream, 0); err != nil || n != len(stream) || !bytes.Equal(got, want) {
			t.Errorf("block size 1<<%d: %d of %d bytes, %v", sizeLog, len(got), len(want), err)
		}
	}
}

func TestLZ4RefusesDamagedHeaders(t *testing.T) {
	b := bytes.Repeat([]byte("abcd"), 100)
	sum := xxh32(b, 0x9747b28c) & 0x0FFFFFFF
	const huge = 1 << 25
	tests := []struct {
		name   string
		stream lz4Stream
		want   error
	}{
		{"empty", nil, ErrTruncated},
		{"no end mark", lz4Stream{}.raw(16, b), ErrTruncated},
		{"end mark cut", lz4Stream{}.raw(16, b).end()[:430], ErrTruncated},
		{"body cut", lz4Stream{}.raw(16, b)[:100], ErrTruncated},
		{"other magic", append(lz4Stream("LZ4Blok_"), lz4Stream{}.raw(16, b)[8:]...), ErrCorrupt},
		{"short and no magic", lz4Stream("x"), ErrCorrupt},
		{"frame format", lz4Stream{0x04, 0x22, 0x4d, 0x18, 0x64, 0x40, 0xa7}, ErrCorrupt},
		{"garbage after a block", append(lz4Stream{}.raw(16, b), "garbage that is long enough"...), ErrCorrupt},
		{"unknown method", lz4Stream{}.block(0x30, 16, b, len(b), sum).end(), ErrCorrupt},
		{"original over block size", lz4Stream{}.block(0x20, 10, b, 1025, sum).end(), ErrCorrupt},
		{"raw with two lengths", lz4Stream{}.block(0x10, 16, b, len(b)-1, sum).end(), ErrCorrupt},
		{"end mark with a body", lz4Stream{}.block(0x10, 16, b, 0, 0), ErrCorrupt},
		{"end mark with a checksum", lz4Stream{}.block(0x10, 16, nil, 0, 1), ErrCorrupt},
		{"data from nothing", lz4Stream{}.block(0x20, 16, nil, 10, sum), ErrCorrupt},
		{"more than the bytes can hold", lz4Stream{}.block(0x20, 25, b[:10], huge, sum).end(), ErrCorrupt},
		{"negative lengths", lz4Stream("LZ4Block\x26\xff\xff\xff\xff\x05\x00\x00\x00\x00\x00\x00\x00"), ErrCorrupt},
		{"body is no LZ4", lz4Stream{}.block(0x20, 16, bytes.Repeat([]byte{0xff}, 50), 100, sum).end(), ErrCorrupt},
		{"checksum of other data", lz4Stream{}.block(0x10, 16, b, len(b), sum^1).end(), ErrChecksum},
		{"checksum with high bits", lz4Stream{}.block(0x10, 16, b, len(b), sum|1<<28).end(), ErrChecksum},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := new(Decoder).Append(nil, LZ4, tt.stream, 0)
			if !errors.Is(err, tt.want) || !typed(err, LZ4) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
}

// A header may claim 32 MiB; with a limit below that nothing of the kind may
// be allocated, nor for a body that could never hold it.
func TestLZ4ChecksClaimsBeforeAllocating(t *testing.T) {
	body := make([]byte, 1<<18) // enough for the claim by ratio
	honest := lz4Stream{}.block(0x20, 25, body, 1<<25, 0).end()
	tiny := lz4Stream{}.block(0x20, 25, body[:4], 1<<25, 0).end()
	for name, tt := range map[string]struct {
		stream []byte
		limit  int
		want   error
	}{
		"limit": {honest, 1 << 20, ErrLimit},
		"ratio": {tiny, 1 << 30, ErrCorrupt},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := new(Decoder).Append(nil, LZ4, tt.stream, tt.limit)
		runtime.ReadMemStats(&after)
		// A decoder's own tables are some 20 KiB.
		if grown := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, tt.want) || grown > 256<<10 {
			t.Errorf("%s: %v after allocating %d bytes", name, err, grown)
		}
	}
}

func TestLZ4EncoderStoresWhatDoesNotShrinkRaw(t *testing.T) {
	noise := payloads()[8] // 200,000 random bytes: four blocks
	got := encode(t, encoderKind{LZ4, 0}.new(t), noise)
	want := lz4Stream{}
	for b := noise; len(b) > 0; b = b[min(len(b), 1<<16):] {
		want = want.raw(16, b[:min(len(b), 1<<16)])
	}
	if !bytes.Equal(got, want.end()) {
		t.Error("not the raw blocks expected")
	}
	if empty := encode(t, encoderKind{LZ4, 0}.new(t), nil); !bytes.Equal(empty, lz4Stream{}.end()) {
		t.Errorf("empty payload: % x", empty)
	}
}

// The golden folder holds inputs and the exact stream that lz4-java 1.8.0
// wrote for each.
func TestLZ4ReadsGoldenStreams(t *testing.T) {
	dir := t.TempDir()
	if err := corpus.Unpack(testbed.Shared(t, "worlds", "lz4block-golden.tar.zst"), dir); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "lz4", "*.lz4b"))
	if err != nil || len(files) != 4 {
		t.Fatalf("want four golden streams, got %v, %v", files, err)
	}
	e := encoderKind{LZ4, 0}.new(t)
	for _, file := range files {
		stream, input := readFile(t, file), readFile(t, file[:len(file)-len(".lz4b")])
		got, n, err := new(Decoder).AppendN(nil, LZ4, stream, 0)
		if err != nil || n != len(stream) || !bytes.Equal(got, input) {
			t.Errorf("%s: %d of %d bytes, took %d of %d, %v", filepath.Base(file), len(got), len(input), n, len(stream), err)
		}
		// The LZ4 bytes may differ from lz4-java's; methods and lengths of
		// raw blocks, original lengths and checksums may not.
		want, have := walkBlocks(t, stream), walkBlocks(t, encode(t, e, input))
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("%s: blocks differ (-lz4-java +ours)\n%s", filepath.Base(file), diff)
		}
	}
}

type walkedBlock struct {
	Token    byte
	Original uint32
	Checksum uint32
}

// walkBlocks is a second reader of the framing, written from the description
// alone and using nothing of the first.
func walkBlocks(t *testing.T, s []byte) (blocks []walkedBlock) {
	t.Helper()
	for len(s) >= 21 {
		if string(s[:8]) != "LZ4Block" {
			t.Fatalf("block %d has no magic", len(blocks))
		}
		stored := binary.LittleEndian.Uint32(s[9:13])
		b := walkedBlock{s[8], binary.LittleEndian.Uint32(s[13:17]), binary.LittleEndian.Uint32(s[17:21])}
		blocks = append(blocks, b)
		s = s[21+stored:]
	}
	if len(s) != 0 {
		t.Fatalf("%d bytes after the last block", len(s))
	}
	return blocks
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
