package nbt

import (
	"testing"
)

// benchChunk has what typed readers of chunks ask for; what only few of them
// need stays raw. Its fields are those of the chunk of other libraries, so that
// the figures compare.
type benchChunk struct {
	BlockEntities  []Raw `nbt:"block_entities"`
	BlockTicks     Raw   `nbt:"block_ticks"`
	CarvingMasks   map[string][]int64
	DataVersion    int32
	Entities       []Raw `nbt:"entities,omitempty"`
	FluidTicks     Raw   `nbt:"fluid_ticks"`
	Heightmaps     map[string][]int64
	InhabitedTime  int64
	IsLightOn      bool `nbt:"isLightOn"`
	LastUpdate     int64
	PostProcessing Raw
	Sections       []benchSection `nbt:"sections"`
	Status         string
	Structures     Raw   `nbt:"structures"`
	XPos           int32 `nbt:"xPos"`
	YPos           int32 `nbt:"yPos"`
	ZPos           int32 `nbt:"zPos"`
}

type benchSection struct {
	Y           int8
	BlockStates benchContainer[benchState] `nbt:"block_states"`
	Biomes      benchContainer[string]     `nbt:"biomes"`
	SkyLight    []byte                     `nbt:",omitempty"`
	BlockLight  []byte                     `nbt:",omitempty"`
}

type benchContainer[T any] struct {
	Palette []T     `nbt:"palette"`
	Data    []int64 `nbt:"data,omitempty"`
}

type benchState struct {
	Name       string
	Properties Raw
}

// benchEach runs f over the chunks of the corpus in turn.
func benchEach(b *testing.B, chunks [][]byte, f func(i int) error) {
	b.Helper()
	bytes := 0
	for _, c := range chunks {
		bytes += len(c)
	}
	b.SetBytes(int64(bytes / len(chunks)))
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		if err := f(n % len(chunks)); err != nil {
			b.Fatal(err)
		}
		n++
	}
}

func BenchmarkUnmarshalChunk(b *testing.B) {
	chunks := corpusChunks(b)
	for _, views := range []bool{false, true} {
		b.Run(map[bool]string{false: "copies", true: "views"}[views], func(b *testing.B) {
			d := Decoder{Views: views}
			benchEach(b, chunks, func(i int) error {
				var c benchChunk
				return d.Unmarshal(chunks[i], &c)
			})
		})
	}
}

func BenchmarkMarshalChunk(b *testing.B) {
	chunks := corpusChunks(b)
	values := make([]benchChunk, len(chunks))
	for i := range chunks {
		if err := Unmarshal(chunks[i], &values[i]); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("new", func(b *testing.B) {
		benchEach(b, chunks, func(i int) error {
			_, err := Marshal(&values[i])
			return err
		})
	})
	b.Run("append", func(b *testing.B) {
		var buf []byte
		benchEach(b, chunks, func(i int) (err error) {
			buf, err = AppendMarshal(buf[:0], &values[i])
			return err
		})
	})
}

func BenchmarkUnmarshalAny(b *testing.B) {
	chunks := corpusChunks(b)
	benchEach(b, chunks, func(i int) error {
		var v any
		return Unmarshal(chunks[i], &v)
	})
}

func BenchmarkMarshalAny(b *testing.B) {
	chunks := corpusChunks(b)
	values := make([]any, len(chunks))
	for i := range chunks {
		if err := Unmarshal(chunks[i], &values[i]); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("new", func(b *testing.B) {
		benchEach(b, chunks, func(i int) error {
			_, err := Marshal(values[i])
			return err
		})
	})
	b.Run("append", func(b *testing.B) {
		var buf []byte
		benchEach(b, chunks, func(i int) (err error) {
			buf, err = AppendMarshal(buf[:0], values[i])
			return err
		})
	})
}
