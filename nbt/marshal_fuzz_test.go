package nbt

import (
	"bytes"
	"errors"
	"testing"
)

// fuzzLimits keep a run short; the tape counts the same.
var fuzzLimits = Limits{Depth: 32, Tags: 1 << 12}

// fuzzBytes is the longest input that is looked at.
const fuzzBytes = 1 << 12

func addDocuments(f *testing.F) {
	f.Helper()
	f.Add(document(f))
	for _, v := range []any{
		int8(1), "text", []int64{1, 2}, []any{int32(1), "a", Compound{{"", "b"}}},
		Compound{{"", Compound{{"", int8(1)}}}, {"a", List{TypeInt, nil}}, {"a", []string{"x"}}},
		[]Compound{{{"", Compound{}}}, {{"", int8(1)}}},
		benchChunk{Sections: []benchSection{{Y: -4, SkyLight: []byte{1, 2}}}, Status: "minecraft:full"},
	} {
		data, err := Marshal(v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
}

// canonical reports whether every string in a tag is in the form in which it
// would be written, which no string need be.
func canonical(t Tag) bool {
	same := func(b []byte) bool { return bytes.Equal(AppendModifiedUTF8(nil, AppendUTF8(nil, b)), b) }
	if s, ok := t.Bytes(); ok {
		return same(s)
	}
	for name, m := range t.Members() {
		if !same(name) || !canonical(m) {
			return false
		}
	}
	if numberSize[t.Elem()] == 0 {
		for _, e := range t.Elements() {
			if !canonical(e) {
				return false
			}
		}
	}
	return true
}

// FuzzUnmarshalAny: the generic form takes what the tape takes, and is written
// as it was.
func FuzzUnmarshalAny(f *testing.F) {
	addDocuments(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > fuzzBytes {
			return
		}
		tape := Tape{Limits: fuzzLimits}
		d := Decoder{Limits: fuzzLimits}
		var v any
		want, err := tape.Parse(data), d.Unmarshal(data, &v)
		if (want == nil) != (err == nil) {
			t.Fatalf("%v, the tape says %v", err, want)
		}
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) {
				t.Fatalf("%v", err)
			}
			return
		}
		back, err := MarshalRaw(v)
		if err != nil {
			if errors.Is(err, ErrStringLength) && !canonical(tape.Root()) {
				return // longer in the form that is written
			}
			t.Fatal(err)
		}
		if raw := tape.Root().Raw(); back.Type != raw.Type || canonical(tape.Root()) && !bytes.Equal(back.Data, raw.Data) {
			t.Fatalf("% x became % x", raw.Data, back.Data)
		}
		if !Equal(v, tape.Root().Value()) {
			t.Fatal("Tag.Value differs")
		}
		var again any
		if err := back.Decode(&again); err != nil || !Equal(v, again) {
			t.Fatalf("other values when read again: %v", err)
		}
	})
}

// fuzzed has every kind of field.
type fuzzed struct {
	Bool   bool    `nbt:"byte"`
	Short  uint16  `nbt:"short"`
	Int    *int32  `nbt:"int"`
	Long   int     `nbt:"long"`
	Float  float32 `nbt:"float"`
	Double float64 `nbt:"double,omitempty"`
	Bytes  []int8  `nbt:"bytes"`
	Text   string  `nbt:"text"`
	Ints   [2]int32
	Longs  []uint64 `nbt:"longs,list"`
	Empty  []any    `nbt:"empty"`
	Floats []float64
	Any    any `nbt:"strings"`
	Nested [][]int16
	Raw    Raw      `nbt:"nested"`
	Own    []pair   `nbt:"pairs"`
	Cold   *celsius `nbt:"cold"`
	Map    map[string]map[string]string
	Inner  *fuzzed `nbt:"inner"`
	benchChunk
	Rest []RawMember `nbt:",rest"`
}

// FuzzUnmarshalStruct: a struct takes no document that the tape refuses, and
// what it took comes back.
func FuzzUnmarshalStruct(f *testing.F) {
	addDocuments(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > fuzzBytes {
			return
		}
		var v fuzzed
		err := Unmarshal(data, &v)
		if err != nil {
			var syntax *SyntaxError
			var typed *TypeError
			if !errors.As(err, &syntax) && !errors.As(err, &typed) {
				t.Fatalf("%v", err)
			}
			return
		}
		var tape Tape
		if err := tape.Parse(data); err != nil {
			t.Fatalf("taken, but the tape says %v", err)
		}
		first, err := Marshal(&v)
		if err != nil {
			if errors.Is(err, ErrStringLength) || errors.Is(err, ErrNil) {
				return
			}
			t.Fatal(err)
		}
		var again fuzzed
		if err := Unmarshal(first, &again); err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		second, err := AppendMarshal(make([]byte, 0, 8), &again)
		if err != nil || !bytes.Equal(first, second) {
			t.Fatalf("written again it differs: %v\n% x\n% x", err, first, second)
		}
	})
}
