package region

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"strata/bench/testbed"
	"strata/region/codec"
	"strata/region/vfs"
)

// breakHeader changes an entry of the header in one of the ways that broken
// writers, torn sectors and flipped bits do.
func breakHeader(rng *rand.Rand, h *Header) {
	a, b := Slot(rng.IntN(Slots)), Slot(rng.IntN(Slots))
	var used []Slot
	for s := range Slot(Slots) {
		if h.Location(s) != 0 {
			used = append(used, s)
		}
	}
	if len(used) > 0 && rng.IntN(4) > 0 {
		a = used[rng.IntN(len(used))]
	}
	if len(used) > 0 && rng.IntN(2) > 0 {
		b = used[rng.IntN(len(used))]
	}
	e := h.Entry(a)
	sector, count := e.Location.Sector(), e.Location.Count()
	switch rng.IntN(11) {
	case 0:
		h[rng.IntN(HeaderBytes)] ^= 1 << rng.IntN(8)
	case 1:
		h.Set(b, e)
	case 2:
		e.Location = Location(rng.Uint32())
		h.Set(a, e)
	case 3:
		e.Location = MakeLocation(sector, 0)
		h.Set(a, e)
	case 4:
		e.Location = MakeLocation(sector, 255)
		h.Set(a, e)
	case 5:
		h.Set(a, h.Entry(b))
		h.Set(b, e)
	case 6:
		e.Location = MakeLocation(sector+uint32(rng.IntN(3))-1, count)
		h.Set(a, e)
	case 7:
		e.Location = MakeLocation(sector, count+uint32(rng.IntN(5))-2)
		h.Set(a, e)
	case 8:
		e.Location = MakeLocation(uint32(rng.IntN(12)), uint32(rng.IntN(4)))
		h.Set(b, e)
	case 9: // a sector of the device that was not written
		clear(h[512*rng.IntN(HeaderBytes/512):][:512])
	case 10: // or holds something else
		for i := range h[512*rng.IntN(HeaderBytes/512):][:512] {
			h[i] = byte(rng.Uint32())
		}
	}
}

func TestDamagedHeadersDoNotDestroyGoodChunks(t *testing.T) {
	seed := uint64(testbed.Seed(t))
	for run := range testbed.Runs(t, 10) {
		damagedHeaderRun(t, rand.New(rand.NewPCG(seed, uint64(run))))
		if t.Failed() {
			t.Fatalf("run %d", run)
		}
	}
}

func damagedHeaderRun(t *testing.T, rng *rand.Rand) {
	m := newImage(t, Pos{0, 0})
	for _, s := range rng.Perm(Slots)[:20+rng.IntN(80)] {
		scheme := []codec.Scheme{codec.Zlib, codec.LZ4, codec.None, codec.Gzip}[rng.IntN(4)]
		if rng.IntN(20) == 0 {
			m.stub(Slot(s), scheme, encode(t, scheme, chunkBytes(m.pos.Chunk(Slot(s)), 7, 50)))
		} else {
			m.chunk(Slot(s), scheme, rng.IntN(20000))
		}
		if rng.IntN(3) == 0 {
			m.grow(m.next + uint32(rng.IntN(4)))
		}
	}
	for range 1 + rng.IntN(30) {
		breakHeader(rng, (*Header)(m.bytes))
	}
	fsys := vfs.NewMem(vfs.MemOptions{})
	path := m.save(fsys, "w")
	want, damaged := readable(t, fsys, path)
	f, err := Open(path, Options{FS: fsys, MaxStream: testMaxStream})
	if err != nil {
		t.Fatal(err)
	}
	var pending []*Commit
	for i := range 1000 {
		s := Slot(rng.IntN(Slots))
		w := Write{Slot: s, Delete: true}
		if rng.IntN(10) > 0 {
			w = Write{Slot: s, Scheme: codec.None, Data: chunkBytes(m.pos.Chunk(s), int64(1000+i), rng.IntN(12000))}
		}
		pending = append(pending, f.Submit(w))
		if rng.IntN(12) > 0 && i < 999 {
			continue
		}
		for _, c := range pending {
			err := c.Wait(context.Background())
			switch s := c.w.Slot; {
			case err == nil && c.w.Delete:
				delete(want, s)
			case err == nil:
				want[s] = c.w.Data
			case !errors.Is(err, ErrUnreadable) || !damaged[s]:
				t.Errorf("write of slot %d: %v", s, err)
			}
		}
		pending = pending[:0]
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	got, _ := readable(t, fsys, path)
	for s, data := range want {
		if !bytes.Equal(got[s], data) {
			t.Errorf("slot %d has %d bytes that are not the %d it had", s, len(got[s]), len(data))
		}
	}
}

// readable are the decoded bytes of the slots that can be read, whatever they
// are, and the slots that cannot.
func readable(t testing.TB, fsys vfs.FS, path string) (got map[Slot][]byte, damaged map[Slot]bool) {
	t.Helper()
	f, err := Open(path, Options{FS: fsys, ReadOnly: true, MaxStream: testMaxStream})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, damaged = map[Slot][]byte{}, map[Slot]bool{}
	var dec codec.Decoder
	buf := make([]byte, countByLength*SectorBytes)
	for s := range Slot(Slots) {
		data, _, err := f.Decode(s, &dec, buf, nil)
		switch {
		case err == nil:
			got[s] = data
		case !errors.Is(err, ErrAbsent):
			damaged[s] = true
		}
	}
	return got, damaged
}

// stormBase is a file that a storm damages over and over.
type stormBase struct {
	*image
	inspect Inspect
	chunks  map[Slot]baseChunk
}

// baseChunk is one chunk of the undamaged file, and where its bytes are.
type baseChunk struct {
	data     []byte
	place    extent
	size     int
	external string // base name of the external file, "" for none
}

// synthetic makes a small file of every kind of record, with freed copies.
func synthetic(t testing.TB, rng *rand.Rand) *image {
	m := newImage(t, Pos{int32(rng.IntN(5)) - 2, int32(rng.IntN(5)) - 2})
	for _, s := range rng.Perm(Slots)[:1+rng.IntN(5)] {
		s := Slot(s)
		scheme := []codec.Scheme{codec.Zlib, codec.Zlib, codec.LZ4, codec.None, codec.Gzip}[rng.IntN(5)]
		if rng.IntN(3) == 0 {
			m.version(s, codec.Zlib, 50, rng.IntN(2000)) // a freed copy
		}
		if rng.IntN(5) == 0 {
			m.stub(s, scheme, encode(t, scheme, chunkBytes(m.pos.Chunk(s), 100, rng.IntN(500))))
		} else {
			m.chunk(s, scheme, rng.IntN(9000))
		}
	}
	return m
}

// inspectNBT finds position and age in the NBT of a chunk by the bytes of its
// tags' names, which is enough for files that are known to be sound.
func inspectNBT(_ ChunkPos, data []byte) (in Inspection, err error) {
	after := func(tag string, n int) []byte {
		i := bytes.Index(data, []byte(tag))
		if i < 0 || len(data) < i+len(tag)+n {
			return nil
		}
		return data[i+len(tag):]
	}
	x, z := after("\x03\x00\x04xPos", 4), after("\x03\x00\x04zPos", 4)
	if x == nil || z == nil {
		return in, errors.New("no position")
	}
	in.Position = ChunkPos{int32(binary.BigEndian.Uint32(x)), int32(binary.BigEndian.Uint32(z))}
	in.HasPosition = true
	if u := after("\x04\x00\x0aLastUpdate", 8); u != nil {
		in.LastUpdate = int64(binary.BigEndian.Uint64(u))
	}
	return in, nil
}

// stormBases are synthetic files and, where they are at hand, small real ones.
func stormBases(t *testing.T, rng *rand.Rand) (bases []*stormBase) {
	for range 24 {
		bases = append(bases, &stormBase{image: synthetic(t, rng), inspect: inspectChunk})
	}
	if root, err := testbed.Root(); err == nil {
		pattern := filepath.Join(filepath.Dir(root), "shared", "oracle", "*", "*", "*", "r.*.mca")
		files, _ := filepath.Glob(pattern)
		for _, path := range files {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			pos, ok := ParseName(filepath.Base(path))
			if ok && len(data) <= 6*SectorBytes && len(bases) < 40 {
				m := newImage(t, pos)
				m.bytes = data
				bases = append(bases, &stormBase{image: m, inspect: inspectNBT})
			}
		}
	}
	for _, b := range bases {
		b.learn(t)
	}
	return bases
}

// learn reads what the undamaged file holds.
func (b *stormBase) learn(t *testing.T) {
	fsys := vfs.NewMem(vfs.MemOptions{})
	path := b.save(fsys, "w")
	r, err := Check(path, CheckOptions{FS: fsys, Inspect: b.inspect})
	if err != nil || r.Worst() >= SeverityWarning {
		t.Fatalf("the undamaged file: %v %v", r.Findings, err)
	}
	b.chunks = map[Slot]baseChunk{}
	got, _ := readable(t, fsys, path)
	h := (*Header)(b.bytes)
	for s, data := range got {
		l := h.Location(s)
		c := baseChunk{data: data, place: extent{l.Sector(), l.Count()}}
		head := b.bytes[int(l.Sector())*SectorBytes:]
		c.size = 4 + int(recordLength(head))
		if head[4]&externalFlag != 0 {
			c.external = b.pos.Chunk(s).ExternalName()
		}
		b.chunks[s] = c
	}
}

// intact reports whether every byte of a chunk's record is in the damaged
// file as it was.
func (b *stormBase) intact(m *image, c baseChunk) bool {
	at := int(c.place.start) * SectorBytes
	if at+c.size > len(m.bytes) || !bytes.Equal(m.bytes[at:at+c.size], b.bytes[at:at+c.size]) {
		return false
	}
	body, ok := m.files[c.external]
	return c.external == "" || ok && bytes.Equal(body, b.files[c.external])
}

// bombs are streams that decode to more than any reader should take.
func bombs(t testing.TB) map[codec.Scheme][]byte {
	zeros := make([]byte, 2*stormMaxStream)
	list := map[codec.Scheme][]byte{}
	for _, s := range []codec.Scheme{codec.Zlib, codec.Gzip, codec.LZ4} {
		list[s] = encode(t, s, zeros)
	}
	return list
}
