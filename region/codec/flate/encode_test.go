package flate_test

import (
	"bytes"
	stdflate "compress/flate"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	kflate "github.com/klauspost/compress/flate"

	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/region/codec/flate"
)

// chunkCorpus returns the NBT of real chunks.
func chunkCorpus(tb testing.TB) [][]byte {
	tb.Helper()
	path := testbed.Shared(tb, "worlds", "chunks-998.bin.zst")
	all, err := loadCorpus(path)
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

var loadCorpus = func() func(string) ([][]byte, error) {
	var once sync.Once
	var all [][]byte
	var err error
	return func(path string) ([][]byte, error) {
		once.Do(func() {
			var chunks []corpus.Chunk
			chunks, err = corpus.Load(path)
			for _, c := range chunks {
				all = append(all, c.NBT)
			}
		})
		return all, err
	}
}()

func newEncoder(tb testing.TB, level int) *flate.Encoder {
	tb.Helper()
	e, err := flate.NewEncoder(level)
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// eachLevel runs test once for each level.
func eachLevel(t *testing.T, test func(t *testing.T, level int)) {
	for level := flate.MinLevel; level <= flate.MaxLevel; level++ {
		t.Run(fmt.Sprintf("level=%d", level), func(t *testing.T) { test(t, level) })
	}
}

// A judge decodes raw streams with another implementation.
type judge struct {
	name string
	in   bytes.Reader
	r    io.ReadCloser
	out  bytes.Buffer
}

func newJudges() []*judge {
	std, kp := &judge{name: "compress/flate"}, &judge{name: "klauspost"}
	std.r = stdflate.NewReader(&std.in)
	kp.r = kflate.NewReader(&kp.in)
	return []*judge{std, kp}
}

// check fails the test unless the stream is whole and decodes to want.
func (j *judge) check(tb testing.TB, what string, stream, want []byte) {
	tb.Helper()
	j.in.Reset(stream)
	if err := j.r.(stdflate.Resetter).Reset(&j.in, nil); err != nil {
		tb.Fatal(err)
	}
	j.out.Reset()
	if _, err := j.out.ReadFrom(j.r); err != nil {
		tb.Fatalf("%s: %s: %v", what, j.name, err)
	}
	if !bytes.Equal(j.out.Bytes(), want) {
		tb.Fatalf("%s: %s decodes other bytes (%d, want %d)", what, j.name, j.out.Len(), len(want))
	}
	if j.in.Len() != 0 {
		tb.Fatalf("%s: %s leaves %d bytes of the stream", what, j.name, j.in.Len())
	}
}

func TestNewEncoderRefusesOtherLevels(t *testing.T) {
	for _, level := range []int{-1, 0, flate.MinLevel - 1, flate.MaxLevel + 1, 1 << 30} {
		if e, err := flate.NewEncoder(level); err == nil || e != nil {
			t.Errorf("level %d: encoder %v, error %v", level, e, err)
		}
	}
}

// generators make sources of a given length of the kinds that stress different
// parts of the encoder.
var generators = []struct {
	name string
	make func(r *rand.Rand, n int) []byte
}{
	{"zeros", func(_ *rand.Rand, n int) []byte { return make([]byte, n) }},
	{"random", func(r *rand.Rand, n int) []byte { return randomBytes(r, n, 256) }},
	{"few-values", func(r *rand.Rand, n int) []byte { return randomBytes(r, n, 1+r.IntN(5)) }},
	{"seven-bits", func(r *rand.Rand, n int) []byte { return randomBytes(r, n, 128) }},
	{"runs", func(r *rand.Rand, n int) []byte {
		return fill(n, func() []byte {
			return bytes.Repeat([]byte{byte(r.IntN(4))}, 1+r.IntN(1<<r.IntN(12)))
		})
	}},
	{"periods", func(r *rand.Rand, n int) []byte {
		return fill(n, func() []byte {
			unit := randomBytes(r, 1+r.IntN(1<<r.IntN(8)), 256)
			return bytes.Repeat(unit, 1+r.IntN(1+4000/len(unit)))
		})
	}},
	{"long-arrays", func(r *rand.Rand, n int) []byte {
		unit := randomBytes(r, 8, 256)
		return fill(n, func() []byte {
			unit[r.IntN(8)] = byte(r.IntN(16))
			return unit
		})
	}},
	{"far-copies", func(r *rand.Rand, n int) []byte {
		var b []byte
		for len(b) < n {
			b = append(b, randomBytes(r, 1+r.IntN(20), 256)...)
			back := min(len(b), 1+r.IntN(40000))
			from := len(b) - back
			b = append(b, b[from:from+min(back, 3+r.IntN(300))]...)
		}
		return b[:n]
	}},
	{"text", func(r *rand.Rand, n int) []byte {
		words := strings.Fields("minecraft:stone minecraft:air palette data sections block_states biomes the of a " +
			"Heightmaps MOTION_BLOCKING WORLD_SURFACE block_entities fluid_ticks structures starts References")
		return fill(n, func() []byte { return []byte(words[r.IntN(len(words))] + " ") })
	}},
	{"nbt", nbtLike},
	{"skewed", func(r *rand.Rand, n int) []byte {
		// Counts like Fibonacci numbers make the longest codes.
		b := make([]byte, n)
		for i := range b {
			for b[i] < 40 && r.Uint32()%1000 < 618 {
				b[i]++
			}
		}
		return b
	}},
	{"mixed", func(r *rand.Rand, n int) []byte {
		return fill(n, func() []byte {
			size := 1 + r.IntN(1<<r.IntN(16))
			switch r.IntN(4) {
			case 0:
				return randomBytes(r, size, 256)
			case 1:
				return nbtLike(r, size)
			case 2:
				return make([]byte, size)
			default:
				return randomBytes(r, size, 3)
			}
		})
	}},
}

func randomBytes(r *rand.Rand, n, values int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.IntN(values))
	}
	return b
}

// fill joins parts to n bytes.
func fill(n int, part func() []byte) []byte {
	b := make([]byte, 0, n)
	for len(b) < n {
		p := part()
		b = append(b, p[:min(len(p), n-len(b))]...)
	}
	return b
}

// nbtLike makes named lists of packed longs.
func nbtLike(r *rand.Rand, n int) []byte {
	return fill(n, func() []byte {
		b := append([]byte{12, 0, 4}, "data"...)
		b = append(b, 0, 0, 1, 0)
		width, height := 1+r.IntN(6), r.Uint64()&0x0303030303030303
		for range 64 {
			for k := range width {
				if r.IntN(3) == 0 {
					height ^= 1 << (8*(k&7) + r.IntN(4))
				}
			}
			for shift := 56; shift >= 0; shift -= 8 {
				b = append(b, byte(height>>shift))
			}
		}
		return b
	})
}

func TestAppendRoundTripsGeneratedSources(t *testing.T) {
	seed := testbed.Seed(t)
	runs := testbed.Runs(t, 10)
	eachLevel(t, func(t *testing.T, level int) {
		t.Parallel()
		r := rand.New(rand.NewPCG(uint64(seed), uint64(level)))
		e, judges := newEncoder(t, level), newJudges()
		var dst []byte
		for _, g := range generators {
			for run := range runs {
				n := r.IntN(1 << (2 + (run*5+r.IntN(5))%17))
				src := g.make(r, n)
				dst = e.Append(dst[:0], src)
				for _, j := range judges {
					j.check(t, fmt.Sprintf("%s of %d bytes", g.name, n), dst, src)
				}
			}
		}
	})
}

func TestAppendRoundTripsEveryShortLength(t *testing.T) {
	seed := testbed.Seed(t)
	eachLevel(t, func(t *testing.T, level int) {
		r := rand.New(rand.NewPCG(uint64(seed), uint64(level)))
		e, judges := newEncoder(t, level), newJudges()
		for n := range 300 {
			for _, g := range generators[:4] {
				src := g.make(r, n)
				stream := e.Append(nil, src)
				if limit := n + 10; len(stream) > limit {
					t.Fatalf("%s of %d bytes becomes %d", g.name, n, len(stream))
				}
				for _, j := range judges {
					j.check(t, fmt.Sprintf("%s of %d bytes", g.name, n), stream, src)
				}
			}
		}
	})
}

func TestAppendRoundTripsRealChunks(t *testing.T) {
	chunks := chunkCorpus(t)
	eachLevel(t, func(t *testing.T, level int) {
		t.Parallel()
		step := 1
		if level > 9 {
			step = 20
		}
		if testing.Short() {
			step *= 20
		}
		e, judges := newEncoder(t, level), newJudges()
		var dst []byte
		for i := 0; i < len(chunks); i += step {
			dst = e.Append(dst[:0], chunks[i])
			for _, j := range judges {
				j.check(t, fmt.Sprintf("chunk %d", i), dst, chunks[i])
			}
		}
	})
}

func TestIncompressibleSourcesAreStored(t *testing.T) {
	seed := testbed.Seed(t)
	size := 2 << 20
	if testing.Short() {
		size = 400_000
	}
	eachLevel(t, func(t *testing.T, level int) {
		t.Parallel()
		r := rand.New(rand.NewPCG(uint64(seed), 0))
		src := randomBytes(r, size, 256)
		e := newEncoder(t, level)
		for _, n := range []int{1, 100, 65535, 65536, 140_000, size} {
			stream := e.Append(nil, src[:n])
			if most := n + 5*(n/65535) + 16; len(stream) > most {
				t.Errorf("%d random bytes become %d, want at most %d", n, len(stream), most)
			}
			for _, j := range newJudges() {
				j.check(t, fmt.Sprintf("%d random bytes", n), stream, src[:n])
			}
		}
	})
}

func TestSourcesOfManySegmentsRoundTrip(t *testing.T) {
	seed := testbed.Seed(t)
	eachLevel(t, func(t *testing.T, level int) {
		t.Parallel()
		size := 3 << 20
		if level == 6 {
			size = 64 << 20 // two thousand windows
		}
		if level > 9 {
			size = 1 << 20
		}
		if testing.Short() {
			size = 400_000
		}
		r := rand.New(rand.NewPCG(uint64(seed), 0))
		// Half of it comes again at every distance up to 200 KiB, so that
		// matches lie across segments and just outside the window.
		mixed := generators[len(generators)-1].make(r, 256<<10)
		src := fill(size, func() []byte {
			from := r.IntN(len(mixed))
			return mixed[from : from+r.IntN(min(len(mixed)-from, 1+r.IntN(100_000)))+1]
		})
		e := newEncoder(t, level)
		stream := e.Append(nil, src)
		newJudges()[level%2].check(t, "mixed data", stream, src)
	})
}

func TestUniformSourcesAreNotCutUp(t *testing.T) {
	eachLevel(t, func(t *testing.T, level int) {
		// Sixteen values in no order are worth four bits each, and headers
		// are all that can come on top.
		src := randomBytes(rand.New(rand.NewPCG(5, 6)), 600_000, 16)
		got := len(newEncoder(t, level).Append(nil, src))
		if most := len(src)/2 + len(src)/64; got > most {
			t.Errorf("%d bytes become %d, want at most %d", len(src), got, most)
		}
	})
}

func TestResultDependsOnSourceAndLevelOnly(t *testing.T) {
	seed := testbed.Seed(t)
	eachLevel(t, func(t *testing.T, level int) {
		t.Parallel()
		r := rand.New(rand.NewPCG(uint64(seed), uint64(level)))
		used := newEncoder(t, level)
		for range testbed.Runs(t, 20) {
			g := generators[r.IntN(len(generators))]
			src := g.make(r, r.IntN(1<<(8+r.IntN(11))))
			got := used.Append(nil, src)
			want := newEncoder(t, level).Append(nil, src)
			if !bytes.Equal(got, want) {
				t.Fatalf("%s of %d bytes: a used encoder gives another stream than a new one", g.name, len(src))
			}
		}
	})
}

func TestAppendKeepsWhatDstHolds(t *testing.T) {
	eachLevel(t, func(t *testing.T, level int) {
		e := newEncoder(t, level)
		src := nbtLike(rand.New(rand.NewPCG(1, 2)), 20000)
		want := e.Append(nil, src)
		for _, room := range []int{0, 1, 8, 100, len(want), len(want) + 16, 40000} {
			dst := append(make([]byte, 0, 5+room), "begin"...)
			dst = e.Append(dst, src)
			if string(dst[:5]) != "begin" || !bytes.Equal(dst[5:], want) {
				t.Errorf("with room for %d bytes the result differs", room)
			}
		}
	})
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	src := nbtLike(rand.New(rand.NewPCG(1, 2)), 50000)
	eachLevel(t, func(t *testing.T, level int) {
		e := newEncoder(t, level)
		dst := e.AppendZlib(nil, src)
		dst = append(dst, make([]byte, 16)...)
		if n := testing.AllocsPerRun(5, func() { e.AppendZlib(dst[:0], src) }); n != 0 {
			t.Errorf("%v allocations a call", n)
		}
	})
}

func TestWrappersFollowTheirFormats(t *testing.T) {
	flags := map[int]byte{5: 0x5e, 6: 0x9c, 7: 0xda}
	eachLevel(t, func(t *testing.T, level int) {
		e := newEncoder(t, level)
		for _, src := range [][]byte{nil, []byte("x"), nbtLike(rand.New(rand.NewPCG(1, 2)), 70000)} {
			z := e.AppendZlib(nil, src)
			if want := flags[min(level, 7)]; z[0] != 0x78 || z[1] != want {
				t.Errorf("zlib header % x, want 78 %x", z[:2], want)
			}
			zr, err := zlib.NewReader(bytes.NewReader(z))
			if err != nil {
				t.Fatal(err)
			}
			checkRead(t, "zlib", zr, src)

			g := e.AppendGzip(nil, src)
			gr, err := gzip.NewReader(bytes.NewReader(g))
			if err != nil {
				t.Fatal(err)
			}
			if h := gr.Header; !h.ModTime.IsZero() || h.OS != 255 || h.Name != "" || h.Comment != "" || len(h.Extra) > 0 {
				t.Errorf("gzip header %+v", h)
			}
			checkRead(t, "gzip", gr, src)
		}
	})
}

func checkRead(t *testing.T, format string, r io.Reader, want []byte) {
	t.Helper()
	got, err := io.ReadAll(r)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s of %d bytes: %d bytes, error %v", format, len(want), len(got), err)
	}
}

func TestAppendZlibLimitIsExact(t *testing.T) {
	eachLevel(t, func(t *testing.T, level int) {
		r := rand.New(rand.NewPCG(3, 4))
		e := newEncoder(t, level)
		for _, src := range [][]byte{nil, []byte("abc"), nbtLike(r, 30000), randomBytes(r, 70000, 256), append(nbtLike(r, 9000), randomBytes(r, 9000, 256)...)} {
			want := e.AppendZlib(nil, src)
			for _, limit := range []int{-1, 0, 5, 6, 7, len(want) / 2, len(want) - 1, len(want), len(want) + 1} {
				got, ok := e.AppendZlibLimit([]byte("ab"), src, limit)
				if ok != (limit >= len(want)) {
					t.Fatalf("%d bytes within %d: reported %v", len(want), limit, ok)
				}
				if !ok && string(got) != "ab" || ok && string(got[2:]) != string(want) {
					t.Fatalf("limit %d: wrong result of %d bytes", limit, len(got))
				}
			}
		}
	})
}

func TestMeanSizesOfRealChunksKeepTheirBars(t *testing.T) {
	// Shares of what the game's own codec, zlib at level 6, makes of the same
	// chunks: 6,209.9 B a chunk with the record header, 8,458.8 B in sectors,
	// over the whole corpus.
	const gamePayload, gameSectors = 6209.9, 8458.8
	bars := map[int]struct{ payload, sectors float64 }{
		5:  {6270 / gamePayload, 8545 / gameSectors},
		6:  {6200 / gamePayload, 8457 / gameSectors},
		7:  {6150 / gamePayload, 8420 / gameSectors},
		8:  {6120 / gamePayload, 8390 / gameSectors},
		9:  {6070 / gamePayload, 8350 / gameSectors},
		10: {5920 / gamePayload, 8230 / gameSectors},
		11: {5790 / gamePayload, 8080 / gameSectors},
		12: {5755 / gamePayload, 8050 / gameSectors},
	}
	if testing.Short() {
		t.Skip("encodes a thousand chunks at each level")
	}
	chunks, err := corpus.Load(testbed.Shared(t, "worlds", "chunks-998.bin.zst"))
	if err != nil {
		t.Fatal(err)
	}
	var smallest [flate.MaxLevel + 1]sizes
	eachLevel(t, func(t *testing.T, level int) {
		step := 1
		if level > 9 {
			step = 16
		}
		e := newEncoder(t, level)
		var dst []byte
		var ours, game, sample sizes
		for i := 0; i < len(chunks); i += step {
			c := chunks[i]
			if c.StoredBytes <= recordHeaderBytes {
				continue
			}
			dst = e.AppendZlib(dst[:0], c.NBT)
			ours.add(len(c.NBT), len(dst))
			game.add(len(c.NBT), c.StoredBytes-recordHeaderBytes)
			if i%16 == 0 {
				sample.add(len(c.NBT), len(dst))
			}
		}
		smallest[level] = sample
		payload := float64(ours.payload) / float64(game.payload)
		sectors := float64(ours.sectors) / float64(game.sectors)
		t.Logf("payload %.1f B, %.4f of the game's; sectors %.1f B, %.4f",
			ours.mean(ours.payload), payload, ours.mean(ours.sectors), sectors)
		if bar := bars[level]; payload > bar.payload || sectors > bar.sectors {
			t.Errorf("larger than the bars of %.4f and %.4f", bar.payload, bar.sectors)
		}
		if last := smallest[level-1]; last.chunks > 0 && sample.payload >= last.payload {
			t.Errorf("%d bytes, level %d makes %d", sample.payload, level-1, last.payload)
		}
	})
}

func FuzzEncode(f *testing.F) {
	f.Add([]byte{}, 6)
	f.Add([]byte("aaaaaaaaaaaaaaaaaaaabaaaaaaaaaaaaaaaaaaaa"), 5)
	f.Add([]byte("minecraft:air minecraft:stone minecraft:air"), 12)
	f.Add(bytes.Repeat([]byte{0, 0, 0, 1, 0, 2, 0, 3}, 200), 9)
	encoders := map[int]*flate.Encoder{}
	judges := newJudges()
	f.Fuzz(func(t *testing.T, src []byte, n int) {
		const levels = flate.MaxLevel - flate.MinLevel + 1
		level := flate.MinLevel + (n%levels+levels)%levels
		if encoders[level] == nil {
			encoders[level] = newEncoder(t, level)
		}
		stream := encoders[level].Append(nil, src)
		if len(stream) > len(src)+16+5*(len(src)/65535) {
			t.Fatalf("%d bytes become %d", len(src), len(stream))
		}
		for _, j := range judges {
			j.check(t, "fuzz input", stream, src)
		}
	})
}
