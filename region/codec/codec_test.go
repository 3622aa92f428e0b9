package codec

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"testing"

	"strata/bench/corpus"
	"strata/bench/testbed"
)

// encoders lists every scheme with every level that makes a difference.
func encoders() (list []encoderKind) {
	for _, s := range []Scheme{Gzip, Zlib} {
		for l := Sector; l <= MaxLevel; l++ {
			list = append(list, encoderKind{s, l})
		}
	}
	return append(list, encoderKind{None, Sector}, encoderKind{LZ4, Sector})
}

type encoderKind struct {
	Scheme
	Level
}

func (k encoderKind) String() string { return fmt.Sprintf("%v-%v", k.Scheme, k.Level) }

func (k encoderKind) new(t testing.TB) *Encoder {
	t.Helper()
	e, err := NewEncoder(k.Scheme, k.Level)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func encode(t testing.TB, e *Encoder, src []byte) []byte {
	t.Helper()
	stream, err := e.Append(nil, src)
	if err != nil {
		t.Fatal(err)
	}
	return stream
}

// payloads are small and odd inputs plus some that look like chunks.
func payloads() [][]byte {
	rng := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 200_000)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	return [][]byte{
		{}, {0}, []byte("ab"), bytes.Repeat([]byte{7}, 5000), bytes.Repeat([]byte("xyz"), 70_000),
		noise[:1], noise[:4091], noise[:70_000], noise,
		chunkLike(rng, 3000), chunkLike(rng, 45_000), chunkLike(rng, 300_000),
	}
}

// chunkLike imitates the statistics of a chunk: runs of a few symbols,
// repeated names, and stretches of packed noise.
func chunkLike(rng *rand.Rand, size int) []byte {
	names := []string{"minecraft:stone", "minecraft:deepslate", "block_states", "palette", "SkyLight"}
	var b []byte
	for len(b) < size {
		switch rng.IntN(4) {
		case 0:
			b = append(b, names[rng.IntN(len(names))]...)
		case 1:
			b = append(b, bytes.Repeat([]byte{byte(rng.IntN(3) * 0x77)}, rng.IntN(600))...)
		default:
			for range rng.IntN(300) {
				b = append(b, byte(rng.IntN(4))<<4|byte(rng.IntN(3)))
			}
		}
	}
	return b[:size]
}

var loadCorpus = sync.OnceValues(func() ([]corpus.Chunk, error) { return corpus.Load(corpusPath) })

var corpusPath string

// reduced says that every sample takes long or that time is short.
func reduced() bool { return raceEnabled || testing.Short() }

// fewer is n, or a tenth of it if tests are reduced.
func fewer(n int) int {
	if reduced() {
		return max(1, n/10)
	}
	return n
}

// chunks returns n chunks spread over the shared corpus.
func chunks(t testing.TB, n int) [][]byte {
	t.Helper()
	corpusPath = testbed.Shared(t, "worlds", "chunks-998.bin.zst")
	all, err := loadCorpus()
	if err != nil {
		t.Fatal(err)
	}
	var out [][]byte
	for i := range n {
		out = append(out, all[i*len(all)/n].NBT)
	}
	return out
}

func TestEveryEncoderRoundTrips(t *testing.T) {
	inputs := payloads()
	for _, kind := range encoders() {
		t.Run(kind.String(), func(t *testing.T) {
			e := kind.new(t)
			var d Decoder
			for i, src := range inputs {
				if reduced() && kind.Level > 6 && len(src) > 50_000 {
					continue
				}
				checkRoundTrip(t, e, &d, src, fmt.Sprint("payload ", i))
			}
		})
	}
}

func TestEveryEncoderRoundTripsRealChunks(t *testing.T) {
	for _, kind := range encoders() {
		t.Run(kind.String(), func(t *testing.T) {
			n := fewer(40)
			if kind.Level > 9 {
				n = fewer(4) // these take milliseconds each, many more with -race
			}
			e := kind.new(t)
			var d Decoder
			for i, src := range chunks(t, n) {
				checkRoundTrip(t, e, &d, src, fmt.Sprint("chunk ", i))
			}
		})
	}
}

// checkRoundTrip also checks that dst's content stays, that the standard
// library agrees, and that trailing bytes are ignored and counted.
func checkRoundTrip(t *testing.T, e *Encoder, d *Decoder, src []byte, what string) {
	t.Helper()
	prefix := []byte("prefix")
	out, err := e.Append(bytes.Clone(prefix), src)
	if err != nil || !bytes.HasPrefix(out, prefix) {
		t.Fatalf("%s: encode: %v", what, err)
	}
	stream := out[len(prefix):]
	got, err := d.Append(bytes.Clone(prefix), e.Scheme(), stream, len(src))
	if len(src) == 0 { // a limit of 0 would mean the default
		got, err = d.Append(bytes.Clone(prefix), e.Scheme(), stream, 1)
	}
	if err != nil {
		t.Fatalf("%s: decode: %v", what, err)
	}
	if !bytes.HasPrefix(got, prefix) || !bytes.Equal(got[len(prefix):], src) {
		t.Fatalf("%s: decodes to other bytes", what)
	}
	if std := standardDecode(t, e.Scheme(), stream); std != nil && !bytes.Equal(std, src) {
		t.Fatalf("%s: the standard library decodes it to other bytes", what)
	}
	if e.Scheme() == None {
		return
	}
	got, n, err := d.AppendN(nil, e.Scheme(), append(bytes.Clone(stream), "trailing"...), 0)
	if err != nil || n != len(stream) || !bytes.Equal(got, src) {
		t.Fatalf("%s: with trailing bytes: took %d of %d bytes, %v", what, n, len(stream), err)
	}
}

// standardDecode returns nil for schemes the standard library lacks.
func standardDecode(t *testing.T, s Scheme, stream []byte) []byte {
	t.Helper()
	var r io.Reader
	var err error
	switch s {
	case Zlib:
		r, err = zlib.NewReader(bytes.NewReader(stream))
	case Gzip:
		r, err = gzip.NewReader(bytes.NewReader(stream))
	default:
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return append([]byte{}, out...)
}

func TestDecoderReadsStandardLibraryStreams(t *testing.T) {
	var d Decoder
	for i, src := range payloads() {
		var z, g bytes.Buffer
		zw, gw := zlib.NewWriter(&z), gzip.NewWriter(&g)
		for _, w := range []io.WriteCloser{zw, gw} {
			if _, err := w.Write(src); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		for s, stream := range map[Scheme][]byte{Zlib: z.Bytes(), Gzip: g.Bytes()} {
			if got, err := d.Append(nil, s, stream, 0); err != nil || !bytes.Equal(got, src) {
				t.Errorf("payload %d, %v: %d of %d bytes, %v", i, s, len(got), len(src), err)
			}
		}
	}
}

// A used encoder must write what a new one writes, whatever it saw before;
// region files of one run are promised to be equal byte for byte.
func TestStreamsDoNotDependOnWhatWentBefore(t *testing.T) {
	inputs := payloads()[3:]
	for _, kind := range encoders() {
		t.Run(kind.String(), func(t *testing.T) {
			inputs := inputs
			if kind.Level > 9 || reduced() {
				inputs = [][]byte{inputs[0], inputs[6], inputs[7], inputs[6]} // 0 is short, 7 like a chunk
			} else {
				inputs = append(inputs, inputs[7], inputs[0], inputs[7])
			}
			used := kind.new(t)
			for i, src := range inputs {
				if !bytes.Equal(encode(t, used, src), encode(t, kind.new(t), src)) {
					t.Errorf("payload %d: a used encoder writes another stream", i)
				}
			}
		})
	}
}

func TestStreamsOfRealChunksDoNotDependOnOrder(t *testing.T) {
	all := chunks(t, fewer(100))
	for _, kind := range []encoderKind{{Zlib, 1}, {Zlib, 2}, {Zlib, 3}, {Zlib, 4}, {Zlib, Sector}, {LZ4, Sector}} {
		t.Run(kind.String(), func(t *testing.T) {
			forward, backward := kind.new(t), kind.new(t)
			streams := make([][]byte, len(all))
			for i, src := range all {
				streams[i] = encode(t, forward, src)
			}
			for i := len(all) - 1; i >= 0; i-- {
				if !bytes.Equal(encode(t, backward, all[i]), streams[i]) {
					t.Fatalf("chunk %d: another stream in backward order", i)
				}
			}
		})
	}
}

func TestLevelsShrinkRealChunks(t *testing.T) {
	sample := chunks(t, max(3, fewer(20)))
	last := 0
	for l := MinLevel; l <= MaxLevel; l++ {
		e := encoderKind{Zlib, l}.new(t)
		total := 0
		for _, src := range sample {
			total += len(encode(t, e, src))
		}
		// 9 and 12 may end where the level before them ended.
		slack := last / 500
		if l > MinLevel && total > last+slack {
			t.Errorf("level %v: %d bytes, more than the level before: %d", l, total, last)
		}
		last = total
	}
}

func TestEncoderRefusesHugePayloads(t *testing.T) {
	for _, kind := range []encoderKind{{Zlib, 6}, {Gzip, 0}, {None, 0}, {LZ4, 0}} {
		e := kind.new(t)
		if e.maxPayload != MaxPayload {
			t.Errorf("%v: takes %d bytes, documented are %d", kind, e.maxPayload, MaxPayload)
		}
		e.maxPayload = 1000
		if _, err := e.Append(nil, make([]byte, 1000)); err != nil {
			t.Errorf("%v: at the limit: %v", kind, err)
		}
		out, err := e.Append([]byte("kept"), make([]byte, 1001))
		if !errors.Is(err, ErrLimit) || string(out) != "kept" {
			t.Errorf("%v: over the limit: got %q, %v", kind, out, err)
		}
	}
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	src := payloads()[10]
	for _, kind := range encoders() {
		if kind.Level > 6 && reduced() {
			continue
		}
		t.Run(kind.String(), func(t *testing.T) {
			e := kind.new(t)
			var d Decoder
			stream := make([]byte, 0, 2*len(src)+1024)
			payload := make([]byte, 0, len(src)+64)
			var err error
			runs := 5
			if allocs := testing.AllocsPerRun(runs, func() {
				if stream, err = e.Append(stream[:0], src); err != nil {
					t.Fatal(err)
				}
			}); allocs != 0 {
				t.Errorf("encode allocates %v times", allocs)
			}
			if allocs := testing.AllocsPerRun(runs, func() {
				if payload, err = d.Append(payload[:0], kind.Scheme, stream, 0); err != nil {
					t.Fatal(err)
				}
			}); allocs != 0 {
				t.Errorf("decode allocates %v times", allocs)
			}
		})
	}
}

// What encoders of one process share, tables above all, must not be written
// to after they exist.
func TestEncodersAndDecodersAreIndependent(t *testing.T) {
	inputs := [][]byte{payloads()[9], payloads()[3], payloads()[9]}
	var wg sync.WaitGroup
	for _, kind := range encoders() {
		want := encode(t, kind.new(t), inputs[0])
		for range 2 {
			wg.Go(func() {
				e, err := NewEncoder(kind.Scheme, kind.Level)
				if err != nil {
					t.Error(err)
					return
				}
				var d Decoder
				for _, src := range inputs {
					stream, err := e.Append(nil, src)
					if err != nil || len(src) == len(inputs[0]) && !bytes.Equal(stream, want) {
						t.Errorf("%v: another stream beside other goroutines, or %v", kind, err)
					}
					if got, err := d.Append(nil, kind.Scheme, stream, 0); err != nil || !bytes.Equal(got, src) {
						t.Errorf("%v: %d of %d bytes, %v", kind, len(got), len(src), err)
					}
				}
			})
		}
	}
	wg.Wait()
}
