package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/Tnze/go-mc/nbt"
	"github.com/Tnze/go-mc/save"
)

// testChunk is a payload like those of the game, of n sections.
func testChunk(t *testing.T, i, n int) []byte {
	t.Helper()
	var sections []any
	for y := range n {
		data, light := make([]int64, 24), make([]byte, 64)
		for k := range data {
			data[k] = int64(i*7+y*31+k*k) << (k % 40)
		}
		for k := range light {
			light[k] = byte(k / 8 * i)
		}
		sections = append(sections, map[string]any{
			"Y": int8(y - 4),
			"block_states": map[string]any{
				"palette": []any{
					map[string]any{"Name": "minecraft:stone"},
					map[string]any{"Name": "minecraft:oak_log", "Properties": map[string]any{"axis": "y"}},
				},
				"data": data,
			},
			"biomes":   map[string]any{"palette": []any{"minecraft:plains"}},
			"SkyLight": light,
		})
	}
	chunk := map[string]any{
		"DataVersion": int32(4903), "Status": "minecraft:full", "xPos": int32(i), "zPos": int32(-i), "sections": sections,
		"structures": map[string]any{"starts": map[string]any{}}, "PostProcessing": []any{},
		"block_ticks": []any{}, "fluid_ticks": []any{},
	}
	if i%2 == 0 { // a value used again must not keep these
		chunk["LastUpdate"] = int64(i + 1)
		chunk["Heightmaps"] = map[string]any{"WORLD_SURFACE": []int64{1, 2, int64(i)}}
	}
	payload, err := nbt.Marshal(chunk)
	if err != nil {
		t.Fatal(err)
	}
	return payload
}

func testChunks(t *testing.T, n int) (chunks [][]byte) {
	t.Helper()
	for i := range n {
		sections := 1
		if i < 9 {
			sections += i % 3
		}
		chunks = append(chunks, testChunk(t, i, sections))
	}
	return chunks
}

func writeSample(t *testing.T, chunks [][]byte) string {
	t.Helper()
	var b []byte
	for _, c := range chunks {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(c)))
		b = append(b, c...)
	}
	return writeFile(t, b)
}

func writeFile(t *testing.T, b []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "sample.bin")
	if err := os.WriteFile(name, b, 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// client is the other side of serve.
type client struct {
	t     *testing.T
	in    io.WriteCloser
	lines *bufio.Scanner
	ended chan error
	hello hello
}

func newClient(t *testing.T) *client {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &client{t: t, in: inW, lines: bufio.NewScanner(outR), ended: make(chan error, 1)}
	go func() {
		err := serve(inR, outW, "v0", "go0")
		inR.CloseWithError(io.ErrClosedPipe)
		outW.Close()
		c.ended <- err
	}()
	t.Cleanup(func() {
		inW.Close()
		outR.Close()
	})
	if !c.lines.Scan() || json.Unmarshal(c.lines.Bytes(), &c.hello) != nil {
		t.Fatalf("hello %q", c.lines.Text())
	}
	return c
}

func (c *client) ask(req request) reply {
	c.t.Helper()
	line, err := json.Marshal(req)
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := c.in.Write(append(line, '\n')); err != nil {
		c.t.Fatal(err)
	}
	var r reply
	if !c.lines.Scan() {
		c.t.Fatalf("no reply to %s", line)
	}
	if err := json.Unmarshal(c.lines.Bytes(), &r); err != nil {
		c.t.Fatalf("reply %q: %v", c.lines.Text(), err)
	}
	if r.Op != req.Op {
		c.t.Errorf("reply to %s is for %s", req.Op, r.Op)
	}
	return r
}

func TestEveryOpMeasuresAPass(t *testing.T) {
	chunks := testChunks(t, slots+9) // more than one region file
	c := newClient(t)
	if !slices.Equal(c.hello.Ops, opNames()) || c.hello.Peer != "go-mc" {
		t.Errorf("hello %+v", c.hello)
	}
	var bytes int64
	for _, p := range chunks {
		bytes += int64(len(p))
	}
	dir := t.TempDir()
	if r := c.ask(request{Op: opLoad, Sample: writeSample(t, chunks), Dir: dir}); r.Error != "" || r.Chunks != len(chunks) || r.Bytes != bytes {
		t.Fatalf("load: %+v", r)
	}
	for range 2 {
		for _, o := range ops {
			r := c.ask(request{Op: o.name})
			clock := threadClock
			if o.name == "storage/save" {
				clock = clockWall
			}
			if r.Error != "" || r.Chunks != len(chunks) || r.Bytes != bytes || r.Clock != clock || r.NS <= 0 || r.WallNS <= 0 {
				t.Errorf("%s: %+v", o.name, r)
			}
			if r.Mallocs < uint64(len(chunks)) || r.AllocBytes < r.Mallocs {
				t.Errorf("%s: %d allocations of %d bytes", o.name, r.Mallocs, r.AllocBytes)
			}
			if r.Clock != clockWall && r.ProcessNS < r.NS/2 {
				t.Errorf("%s: %d ns of the process, %d of its thread", o.name, r.ProcessNS, r.NS)
			}
		}
	}
	for _, folder := range []string{sampleFolder, savedFolder} {
		for i := range 2 {
			if _, err := os.Stat((&sample{dir: dir}).fileName(folder, i)); err != nil {
				t.Error(err)
			}
		}
	}
	c.in.Close()
	if err := <-c.ended; err != nil {
		t.Errorf("ended with %v", err)
	}
}

func TestRegionFilesOfTheOtherSideAreCompared(t *testing.T) {
	chunks := testChunks(t, 5)
	dir := t.TempDir()
	s := &sample{chunks: chunks, dir: dir}
	names, err := s.writeRegions()
	if err != nil {
		t.Fatal(err)
	}
	c := newClient(t)
	c.ask(request{Op: opLoad, Sample: writeSample(t, chunks), Regions: names, Dir: t.TempDir()})
	if r := c.ask(request{Op: "storage/load"}); r.Error != "" {
		t.Errorf("the same chunks: %s", r.Error)
	}
	for _, other := range [][][]byte{chunks[1:], append(slices.Clone(chunks), chunks[0]), {chunks[1], chunks[0], chunks[2], chunks[3], chunks[4]}} {
		if r := c.ask(request{Op: opLoad, Sample: writeSample(t, other), Regions: names, Dir: t.TempDir()}); r.Error != "" {
			t.Fatal(r.Error)
		}
		for _, name := range []string{"storage/load", "storage/scan-kept"} {
			if r := c.ask(request{Op: name}); r.Error == "" {
				t.Errorf("%s of %d chunks in place of others went well", name, len(other))
			}
		}
	}
}

func TestFailedRequestsLeaveThePeerRunning(t *testing.T) {
	good := writeSample(t, testChunks(t, 2))
	c := newClient(t)
	dir := t.TempDir()
	for _, tc := range []struct {
		req  request
		want string
	}{
		{request{Op: "nbt/marshal"}, "nothing is loaded"},
		{request{Op: "nbt/fly"}, "no such op"},
		{request{Op: opLoad, Sample: good}, "not an absolute path"},
		{request{Op: opLoad, Sample: good + ".absent", Dir: dir}, "absent"},
		{request{Op: opLoad, Sample: writeFile(t, nil), Dir: dir}, "no chunks"},
		{request{Op: opLoad, Sample: writeFile(t, []byte{9, 0, 0, 0, 1, 2}), Dir: dir}, "record 0"},
		{request{Op: opLoad, Sample: writeFile(t, []byte{9, 0}), Dir: dir}, "record 0"},
		{request{Op: opLoad, Sample: writeFile(t, []byte{0, 0, 0, 4}), Dir: dir}, "EOF"},
		{request{Op: opLoad, Sample: writeFile(t, []byte{1, 0, 0, 4}), Dir: dir}, "limit"},
	} {
		if r := c.ask(tc.req); !strings.Contains(r.Error, tc.want) {
			t.Errorf("%+v: %q, want %q", tc.req, r.Error, tc.want)
		}
	}
	if r := c.ask(request{Op: opLoad, Sample: good, Dir: dir}); r.Error != "" {
		t.Fatal(r.Error)
	}
	if r := c.ask(request{Op: "nbt/marshal"}); r.Error != "" {
		t.Error(r.Error)
	}
}

func TestRequestsOutOfFormEndThePeer(t *testing.T) {
	for line, want := range map[string]string{
		"load it\n":                                "request",
		strings.Repeat("x", maxLine+1):             "more than",
		strings.Repeat("[", maxLine-1) + "\n":      "request",
		`{"op":["nbt/marshal"],"sample":1}` + "\n": "request",
	} {
		c := newClient(t)
		go io.WriteString(c.in, line) // serve may stop reading within it
		if err := <-c.ended; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: ended with %v, want %q", line, err, want)
		}
	}
}

// A list of ints becomes an array of ints in v1.20.2. That is what
// checkFaithful is for: no op may be measured on other work than there is.
func TestPayloadsThatChangeAreNotMeasured(t *testing.T) {
	list := []byte("\x0a\x00\x00" + "\x09\x00\x04ints\x03\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x02" + "\x00")
	for name, chunks := range map[string][][]byte{
		"encoded again": {testChunk(t, 1, 1), list},
		"no chunk has":  {[]byte("\x0a\x00\x00\x00")},
		"chunk 0":       {[]byte("\x0a\x00\x00")},
	} {
		c := newClient(t)
		if r := c.ask(request{Op: opLoad, Sample: writeSample(t, chunks), Dir: t.TempDir()}); r.Error != "" {
			t.Fatal(r.Error)
		}
		for _, o := range ops {
			if r := c.ask(request{Op: o.name}); !strings.Contains(r.Error, name) || r.NS != 0 {
				t.Errorf("%s: %q and %d ns, want %q", o.name, r.Error, r.NS, name)
			}
		}
	}
}

func TestWrongResultsAreFound(t *testing.T) {
	decode := func() (*save.Chunk, *sample) {
		s := &sample{chunks: [][]byte{testChunk(t, 2, 2)}}
		var chunk save.Chunk
		if err := nbt.Unmarshal(s.chunks[0], &chunk); err != nil {
			t.Fatal(err)
		}
		return &chunk, s
	}
	chunk, s := decode()
	if err := s.compare(0, chunk); err != nil {
		t.Fatalf("right results: %v", err)
	}
	for name, spoil := range map[string]func(*save.Chunk){
		"position":   func(c *save.Chunk) { c.XPos++ },
		"stale":      func(c *save.Chunk) { c.InhabitedTime = 7 },
		"heightmap":  func(c *save.Chunk) { c.Heightmaps["WORLD_SURFACE"][0]++ },
		"stale map":  func(c *save.Chunk) { c.Heightmaps["OCEAN_FLOOR"] = nil },
		"sections":   func(c *save.Chunk) { c.Sections = c.Sections[:1] },
		"y":          func(c *save.Chunk) { c.Sections[1].Y++ },
		"light":      func(c *save.Chunk) { c.Sections[1].SkyLight[60]++ },
		"blocks":     func(c *save.Chunk) { c.Sections[0].BlockStates.Data[23]++ },
		"name":       func(c *save.Chunk) { c.Sections[0].BlockStates.Palette[0].Name = "minecraft:dirt" },
		"properties": func(c *save.Chunk) { c.Sections[0].BlockStates.Palette[1].Properties = nbt.RawMessage{} },
		"biome":      func(c *save.Chunk) { c.Sections[1].Biomes.Palette[0] = "minecraft:desert" },
	} {
		chunk, s := decode()
		spoil(chunk)
		if s.compare(0, chunk) == nil {
			t.Errorf("%s: not found", name)
		}
	}
}

// The package's documentation says so, and nbt/marshal is what it is for it.
func TestTypedChunkCannotBeEncoded(t *testing.T) {
	var chunk save.Chunk
	if err := nbt.Unmarshal(testChunk(t, 0, 1), &chunk); err != nil {
		t.Fatal(err)
	}
	_, err := nbt.Marshal(chunk)
	if want := `encode "Properties" error: unsupport type nbt.RawMessage`; fmt.Sprint(err) != want {
		t.Errorf("encoding a decoded save.Chunk: %v, want %s", err, want)
	}
}

func TestEmptiedChunkKeepsNothing(t *testing.T) {
	var used, fresh save.Chunk
	for i := range 4 {
		if err := nbt.Unmarshal(testChunk(t, i, 1), &used); err != nil {
			t.Fatal(err)
		}
	}
	empty(&used)
	if len(used.Heightmaps)+len(used.CarvingMasks)+len(used.Sections) > 0 || used.Status != fresh.Status || used.LastUpdate != 0 ||
		used.Structures.Type != 0 || len(used.Structures.Data)+len(used.PostProcessing.Data) > 0 {
		t.Errorf("kept %+v", used)
	}
}
