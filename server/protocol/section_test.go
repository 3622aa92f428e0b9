package protocol

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
)

// bitsOf packs numbers as containers do.
func bitsOf(bits uint8, values []int32) []byte {
	perLong := 64 / int(bits)
	longs := make([]uint64, longsFor(len(values), bits))
	for i, v := range values {
		longs[i/perLong] |= uint64(v) << (i % perLong * int(bits))
	}
	w := Writer{}
	for _, l := range longs {
		w.Long(int64(l))
	}
	return w.Bytes()
}

func TestSectionsAreTheSameAfterARoundTrip(t *testing.T) {
	index := func(size, n int) []int32 {
		values := make([]int32, size)
		for i := range values {
			values[i] = int32(i * 7 % n)
		}
		return values
	}
	direct := index(statesSize, 20000)
	for _, s := range []Section{
		{States: Container{Palette: []int32{0}}, Biomes: Container{Palette: []int32{40}}},
		{
			Blocks: 4096, Fluids: 5,
			States: Container{Bits: 4, Palette: []int32{9, 8, 70000}, Data: bitsOf(4, index(statesSize, 3))},
			Biomes: Container{Bits: 1, Palette: []int32{1, 2}, Data: bitsOf(1, index(biomesSize, 2))},
		},
		{
			Blocks: -1,
			States: Container{Bits: 15, Data: bitsOf(15, direct)},
			Biomes: Container{Bits: 7, Data: bitsOf(7, index(biomesSize, 65))},
		},
	} {
		data, err := AppendSection(nil, &s)
		if err != nil {
			t.Fatal(err)
		}
		r := NewReader(data)
		got := r.Section()
		if err := r.End(); err != nil || !reflect.DeepEqual(got, s) {
			t.Errorf("got %+v, error %v, want %+v", got, err, s)
		}
		if s.States.Bits == 15 {
			for i, want := range direct {
				if id, ok := got.States.At(i); !ok || id != want {
					t.Fatalf("state %d: %d, want %d", i, id, want)
				}
			}
		}
	}
}

func TestSectionBytesAreThoseOfTheGame(t *testing.T) {
	s := Section{Blocks: 4096, Fluids: 2, States: Container{Palette: []int32{200}}, Biomes: Container{Bits: 1, Palette: []int32{3, 4}, Data: []byte{0, 0, 0, 0, 0, 0, 0, 2}}}
	got, err := AppendSection(nil, &s)
	if want := unhex(t, "1000 0002 00 c801 01 02 03 04 0000000000000002"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("got % x, error %v, want % x", got, err, want)
	}
	if id, ok := s.Biomes.At(1); !ok || id != 4 {
		t.Errorf("biome 1: %d", id)
	}
}

func TestDamagedSectionsAreErrors(t *testing.T) {
	for name, data := range map[string]string{
		"bits for no palette": "0000 0000 03 00",
		"far too many bits":   "0000 0000 20",
		"palette too long":    "0000 0000 04 11" + zeros(17),
		"ends in the longs":   "0000 0000 04 01 00 00",
		"ends before biomes":  "0000 0000 00 00",
	} {
		r := NewReader(unhex(t, data))
		r.Section()
		if r.Err() == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for _, c := range []Container{{}, {Bits: 3, Palette: []int32{1}}, {Bits: 4}, {Bits: 9, Palette: []int32{1}}, {Bits: 4, Palette: make([]int32, 17)}} {
		if _, err := AppendSection(nil, &Section{States: c}); !errors.Is(err, ErrMismatch) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
