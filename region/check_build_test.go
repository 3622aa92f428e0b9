package region

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/cespare/xxhash/v2"

	"strata/region/codec"
	"strata/region/vfs"
)

// chunkBytes is the content of a test's chunk: it says where it is and how
// new it is, like the game's NBT, and fills up with bytes that do not
// compress below fill/2. A digest ends it, so that damage shows in every
// scheme.
func chunkBytes(c ChunkPos, lastUpdate int64, fill int) []byte {
	b := append([]byte(nil), "CHNK"...)
	b = binary.BigEndian.AppendUint32(b, uint32(c.X))
	b = binary.BigEndian.AppendUint32(b, uint32(c.Z))
	b = binary.BigEndian.AppendUint64(b, uint64(lastUpdate))
	b = binary.BigEndian.AppendUint32(b, uint32(fill))
	r := uint64(c.X)<<40 ^ uint64(c.Z)<<20 ^ uint64(lastUpdate) ^ 0x9e3779b97f4a7c15
	for range fill {
		r ^= r << 13
		r ^= r >> 7
		r ^= r << 17
		b = append(b, byte(r)&0x3f)
	}
	return binary.BigEndian.AppendUint64(b, xxhash.Sum64(b))
}

// inspectChunk reads what chunkBytes wrote, and checks that it is whole.
func inspectChunk(_ ChunkPos, data []byte) (in Inspection, err error) {
	if len(data) < 24 || string(data[:4]) != "CHNK" {
		return in, errors.New("no chunk")
	}
	in.Position = ChunkPos{int32(binary.BigEndian.Uint32(data[4:])), int32(binary.BigEndian.Uint32(data[8:]))}
	in.HasPosition = true
	in.LastUpdate = int64(binary.BigEndian.Uint64(data[12:]))
	end := 24 + int64(binary.BigEndian.Uint32(data[20:]))
	if int64(len(data)) != end+8 || binary.BigEndian.Uint64(data[end:]) != xxhash.Sum64(data[:end]) {
		return in, errors.New("chunk is damaged")
	}
	return in, nil
}

var testEncoders = map[codec.Scheme]*codec.Encoder{}

func encode(t testing.TB, scheme codec.Scheme, data []byte) []byte {
	t.Helper()
	e := testEncoders[scheme]
	if e == nil {
		var err error
		if e, err = codec.NewEncoder(scheme, codec.MinLevel); err != nil {
			t.Fatal(err)
		}
		testEncoders[scheme] = e
	}
	out, err := e.Append(nil, data)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// image is a region file under construction, byte by byte: it holds what no
// writer of ours would write.
type image struct {
	t     testing.TB
	pos   Pos
	bytes []byte
	files map[string][]byte // others of the folder, by base name
	next  uint32            // first sector behind what was put
}

func newImage(t testing.TB, pos Pos) *image {
	return &image{t: t, pos: pos, bytes: make([]byte, HeaderBytes), files: map[string][]byte{}, next: HeaderSectors}
}

// record puts a record at sector at, 0 for the next free one, with padding,
// and returns its place.
func (m *image) record(at uint32, typ byte, stream []byte) extent {
	if at == 0 {
		at = m.next
	}
	x := extent{at, sectorsFor(RecordHeaderBytes + int64(len(stream)))}
	m.grow(x.end())
	b := m.bytes[int(at)*SectorBytes:]
	binary.BigEndian.PutUint32(b, uint32(len(stream)+1))
	b[4] = typ
	copy(b[RecordHeaderBytes:], stream)
	return x
}

func (m *image) grow(sectors uint32) {
	if n := int(sectors) * SectorBytes; n > len(m.bytes) {
		m.bytes = append(m.bytes, make([]byte, n-len(m.bytes))...)
	}
	m.next = max(m.next, sectors)
}

// set makes the entry of slot s.
func (m *image) set(s Slot, sector, count, timestamp uint32) {
	h := (*Header)(m.bytes[:HeaderBytes])
	h.Set(s, Entry{MakeLocation(sector, count), timestamp})
}

// chunk puts a whole chunk of about fill bytes into slot s.
func (m *image) chunk(s Slot, scheme codec.Scheme, fill int) extent {
	m.t.Helper()
	x := m.record(0, byte(scheme), encode(m.t, scheme, chunkBytes(m.pos.Chunk(s), 100, fill)))
	m.set(s, x.start, x.n, 1000)
	return x
}

// stub puts an external chunk into slot s; body nil leaves its file out.
func (m *image) stub(s Slot, scheme codec.Scheme, body []byte) extent {
	x := m.record(0, byte(scheme)|externalFlag, nil)
	m.set(s, x.start, x.n, 1000)
	if body != nil {
		m.files[m.pos.Chunk(s).ExternalName()] = body
	}
	return x
}

// save writes the file and its folder into fsys and returns the file's path.
func (m *image) save(fsys vfs.FS, dir string) string {
	m.t.Helper()
	if err := vfs.MkdirAll(fsys, dir, 0o755); err != nil {
		m.t.Fatal(err)
	}
	path := filepath.Join(dir, m.pos.Name())
	putFile(m.t, fsys, path, m.bytes)
	for name, data := range m.files {
		putFile(m.t, fsys, filepath.Join(dir, name), data)
	}
	return path
}

func putFile(t testing.TB, fsys vfs.FS, path string, data []byte) {
	t.Helper()
	f, err := fsys.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteAt(data, 0)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

func fileBytes(t testing.TB, fsys vfs.FS, path string) []byte {
	t.Helper()
	b, err := vfs.ReadFile(fsys, path, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// contents are the decoded chunks of a region file that can be read, and that
// are what inspect takes for the slot's chunk.
func contents(t testing.TB, fsys vfs.FS, path string) map[Slot][]byte {
	t.Helper()
	f, err := Open(path, Options{FS: fsys, ReadOnly: true, MaxStream: testMaxStream})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got := map[Slot][]byte{}
	var dec codec.Decoder
	buf := make([]byte, countByLength*SectorBytes)
	for s := range Slot(Slots) {
		if f.Entry(s).Empty() {
			continue
		}
		data, _, err := f.Decode(s, &dec, buf, nil)
		if err != nil {
			continue
		}
		if in, err := inspectChunk(ChunkPos{}, data); err == nil && in.Position == f.pos.Chunk(s) {
			got[s] = data
		}
	}
	return got
}

// testMaxStream bounds streams in tests of damaged files.
const testMaxStream = 4 << 20

func testCheck(t testing.TB, fsys vfs.FS, path string) *Report {
	t.Helper()
	r, err := Check(path, CheckOptions{FS: fsys, Inspect: inspectChunk, MaxStream: testMaxStream})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// wantSame fails the test if a chunk of want is not in got as it was.
func wantSame(t testing.TB, what string, got, want map[Slot][]byte, except ...Slot) {
	t.Helper()
	for s, data := range want {
		skip := false
		for _, e := range except {
			skip = skip || e == s
		}
		if !skip && !bytes.Equal(got[s], data) {
			t.Errorf("%s: slot %d has %d bytes that are not the %d it had", what, s, len(got[s]), len(data))
		}
	}
}
