package store

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/adler32"
	"path/filepath"
	"testing"

	"strata/anvil/chunk"
	"strata/anvil/level"
	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/nbt"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// walkWidth is how many region files a wide world has in a row.
const walkWidth = 10

// walkPos is the place of the i-th chunk of a wide world: region file after
// region file, so that only the last one is not full.
func walkPos(i int) region.ChunkPos {
	r := i / region.Slots
	at := region.Pos{X: int32(r % walkWidth), Z: int32(r / walkWidth)}
	return at.Chunk(region.Slot(i % region.Slots))
}

// walkIndex is the i of walkPos, -1 if there is none.
func walkIndex(pos region.ChunkPos) int {
	r := pos.Region()
	if r.X < 0 || r.X >= walkWidth || r.Z < 0 {
		return -1
	}
	return (int(r.Z)*walkWidth+int(r.X))*region.Slots + int(pos.Slot())
}

// wideWorld makes a world in dir with the chunks of the corpus over and over,
// count in all, each with its own position.
func wideWorld(tb testing.TB, dir string, count int) World {
	tb.Helper()
	templates := walkTemplates(tb)
	w := makeWorld(tb, unsynced{vfs.OS()}, dir)
	folder := w.Dimensions[0].Region
	if err := vfs.MkdirAllSync(w.FS, folder, 0o755); err != nil {
		tb.Fatal(err)
	}
	for first := 0; first < count; first += region.Slots {
		at := walkPos(first).Region()
		out, err := region.Create(filepath.Join(folder, at.Name()), region.Options{FS: w.FS})
		if err != nil {
			tb.Fatal(err)
		}
		for i := first; i < min(first+region.Slots, count); i++ {
			pos := walkPos(i)
			rec := region.Record{Scheme: codec.Zlib, Data: templates[i%len(templates)].at(pos)}
			if err := out.Put(pos.Slot(), rec); err != nil {
				tb.Fatal(err)
			}
		}
		if err := out.Finish(); err != nil {
			tb.Fatal(err)
		}
	}
	return worldAt(vfs.OS(), dir)
}

// walkTemplates are the chunks of the corpus that a store of our version reads
// and writes; under -short, which the race detector is run with, an eighth.
func walkTemplates(tb testing.TB) []*template {
	tb.Helper()
	chunks, err := corpus.Load(testbed.Shared(tb, "worlds", "chunks-998.bin.zst"))
	if err != nil {
		tb.Fatal(err)
	}
	var all []*template
	for i, c := range chunks {
		if testing.Short() && i%8 != 0 {
			continue
		}
		h, err := chunk.ReadHeader(c.NBT)
		if err != nil {
			tb.Fatal(err)
		}
		if h.DataVersion >= MinVersion && h.DataVersion <= level.NativeVersion {
			all = append(all, newTemplate(tb, c.NBT))
		}
	}
	if len(all) < len(chunks)/16 {
		tb.Fatalf("only %d of %d chunks are of our versions", len(all), len(chunks))
	}
	return all
}

// template is a compressed chunk that can be put at any position without
// compressing it again: the two coordinates are in stored blocks of the zlib
// stream, and nothing refers back over them.
type template struct {
	data   []byte // the NBT
	stream []byte // zlib; the position and the checksum are those of the last at
	inData [2]int // where in data xPos and zPos are
	inZlib [2]int // and where in stream
}

func newTemplate(tb testing.TB, data []byte) *template {
	tb.Helper()
	var tape nbt.Tape
	if err := tape.Parse(data); err != nil {
		tb.Fatal(err)
	}
	t := &template{data: bytes.Clone(data)}
	for i, name := range []string{"xPos", "zPos"} {
		tag := tape.Root().Get(name)
		if tag.Type() != nbt.TypeInt {
			tb.Fatalf("%s is a %v", name, tag.Type())
		}
		t.inData[i] = tag.Offset()
	}
	first, second := 0, 1
	if t.inData[0] > t.inData[1] {
		first, second = 1, 0
	}
	out := bytes.NewBuffer([]byte{0x78, 0x01})
	from := 0
	for _, i := range []int{first, second} {
		deflatePart(tb, out, t.data[from:t.inData[i]], false)
		from = t.inData[i] + 4
		out.Write([]byte{0, 4, 0, 0xfb, 0xff}) // a stored block of four bytes
		t.inZlib[i] = out.Len()
		out.Write(make([]byte, 4))
	}
	deflatePart(tb, out, t.data[from:], true)
	out.Write(make([]byte, 4)) // the checksum
	t.stream = out.Bytes()
	return t
}

// deflatePart compresses a part of a stream that refers to nothing before it,
// and ends at a whole byte.
func deflatePart(tb testing.TB, out *bytes.Buffer, data []byte, last bool) {
	tb.Helper()
	w, err := flate.NewWriter(out, flate.BestSpeed)
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		tb.Fatal(err)
	}
	end := w.Flush
	if last {
		end = w.Close
	}
	if err := end(); err != nil {
		tb.Fatal(err)
	}
}

// at is the stream of the chunk at a position, good until the next call.
func (t *template) at(pos region.ChunkPos) []byte {
	for i, v := range []int32{pos.X, pos.Z} {
		binary.BigEndian.PutUint32(t.data[t.inData[i]:], uint32(v))
		binary.BigEndian.PutUint32(t.stream[t.inZlib[i]:], uint32(v))
	}
	binary.BigEndian.PutUint32(t.stream[len(t.stream)-4:], adler32.Checksum(t.data))
	return t.stream
}

// visit loads a chunk and lets go of it, on any goroutine.
func visit(t *testing.T, s *Store, pos region.ChunkPos) {
	h, err := s.Load(ctx, 0, pos, Normal)
	if err != nil {
		t.Error(err)
		return
	}
	h.Release()
}

// TestWideWorldHoldsEachChunkAtItsPosition checks the other tests' world.
func TestWideWorldHoldsEachChunkAtItsPosition(t *testing.T) {
	const count = region.Slots + 300
	w := wideWorld(t, t.TempDir(), count)
	s := openStore(t, w, small())
	defer closeStore(t, s)
	for i := range count {
		pos := walkPos(i)
		if walkIndex(pos) != i {
			t.Fatalf("chunk %d is at %v, which has %d", i, pos, walkIndex(pos))
		}
		if !testing.Short() || i%16 == 0 {
			visit(t, s, pos)
		}
	}
	if _, err := s.Load(ctx, 0, walkPos(count), Normal); !isAbsent(err) {
		t.Errorf("a chunk behind the last: %v", err)
	}
}
