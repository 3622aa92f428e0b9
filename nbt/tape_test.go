package nbt

import (
	"errors"
	"testing"
)

// document writes a document with every type.
func document(tb testing.TB) []byte {
	tb.Helper()
	var w Writer
	w.Name("").BeginCompound()
	w.Name("byte").Byte(-5)
	w.Name("short").Short(-300)
	w.Name("int").Int(70000)
	w.Name("long").Long(-1 << 40)
	w.Name("float").Float(1.5)
	w.Name("double").Double(-2.25)
	w.Name("bytes").ByteArray([]byte{1, 2, 255})
	w.Name("text").String("grüße\x00😀")
	w.Name("ints").IntArray([]int32{1, -2})
	w.Name("longs").LongArray([]int64{3, -4, 5})
	w.Name("empty").BeginList(TypeEnd, 0)
	w.End()
	w.Name("numbers").BeginList(TypeShort, 3)
	w.Short(1)
	w.Short(2)
	w.Short(-3)
	w.End()
	w.Name("strings").BeginList(TypeEnd, -1)
	w.String("a")
	w.String("b")
	w.End()
	w.Name("sections").BeginList(TypeCompound, 2)
	for y := range int8(2) {
		w.BeginCompound()
		w.Name("Y").Byte(y)
		w.Name("palette").BeginList(TypeCompound, -1)
		w.BeginCompound()
		w.Name("Name").String("minecraft:air")
		w.End()
		w.End()
		w.End()
	}
	w.End()
	w.Name("nested").BeginList(TypeList, -1)
	w.BeginList(TypeInt, 1)
	w.Int(7)
	w.End()
	w.BeginList(TypeString, 1)
	w.String("deep")
	w.End()
	w.End()
	w.Name("inner").BeginCompound()
	w.End()
	w.End()
	data, err := w.Bytes()
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func TestTapeReadsWhatTheWriterWrote(t *testing.T) {
	var tape Tape
	data := document(t)
	if err := tape.Parse(append(data, "trailing"...)); err != nil {
		t.Fatal(err)
	}
	if tape.Size() != len(data) {
		t.Errorf("Size %d, want %d", tape.Size(), len(data))
	}
	root := tape.Root()
	for name, want := range map[string]int64{"byte": -5, "short": -300, "int": 70000, "long": -1 << 40} {
		if v, ok := root.Get(name).Int(); !ok || v != want {
			t.Errorf("%s = %d, %t, want %d", name, v, ok, want)
		}
	}
	if v, ok := root.Get("double").Float(); !ok || v != -2.25 {
		t.Errorf("double = %g, %t", v, ok)
	}
	if s, ok := root.Get("text").Text(); !ok || s != "grüße\x00😀" {
		t.Errorf("text = %q, %t", s, ok)
	}
	if v, ok := root.Get("longs").LongArray(); !ok || v.Len() != 3 || v.At(1) != -4 {
		t.Errorf("longs = %v, %t", v, ok)
	}
	if v, ok := root.Get("numbers").At(2).Int(); !ok || v != -3 {
		t.Errorf("numbers[2] = %d, %t", v, ok)
	}
	if !root.Get("strings").At(1).Is("b") {
		t.Error("strings[1] is not b")
	}
	if !root.Get("sections").At(1).Get("palette").At(0).Get("Name").Is("minecraft:air") {
		t.Error("no air in sections[1]")
	}
	if !root.Get("nested").At(1).At(0).Is("deep") {
		t.Error("nested[1][0] is not deep")
	}
	if root.Get("sections").At(2).Get("palette").Exists() {
		t.Error("sections[2] exists")
	}
}

func TestErrorsNameOffsetAndPath(t *testing.T) {
	data := document(t)
	var tape Tape
	for n := range data {
		err := tape.Parse(data[:n])
		if !errors.Is(err, ErrTruncated) {
			t.Fatalf("%d bytes: %v", n, err)
		}
	}
	err := tape.Parse(data[:len(data)-20])
	t.Log(err)
}

// TestMixedListsAreThoseThatReadAndWriteTheSame holds Mixed to its rule: with
// the wrappers taken off and put on again where they are needed, a list must
// have the same bytes.
func TestMixedListsAreThoseThatReadAndWriteTheSame(t *testing.T) {
	wrapped := func(w *Writer, value func(w *Writer)) {
		w.BeginCompound()
		w.Name("")
		value(w)
		w.End()
	}
	number := func(w *Writer) { w.Int(5) }
	text := func(w *Writer) { w.String("x") }
	plain := func(w *Writer) { w.BeginCompound(); w.Name("a").Int(1); w.End() }
	wrapper := func(w *Writer) { wrapped(w, number) }
	for name, test := range map[string]struct {
		elements []func(w *Writer)
		want     bool
	}{
		"two types":                     {[]func(*Writer){func(w *Writer) { wrapped(w, number) }, func(w *Writer) { wrapped(w, text) }}, true},
		"a type and a compound":         {[]func(*Writer){func(w *Writer) { wrapped(w, number) }, plain}, true},
		"a compound and a type":         {[]func(*Writer){plain, func(w *Writer) { wrapped(w, number) }}, true},
		"a wrapper in a wrapper":        {[]func(*Writer){func(w *Writer) { wrapped(w, wrapper) }, func(w *Writer) { wrapped(w, text) }}, true},
		"one type":                      {[]func(*Writer){func(w *Writer) { wrapped(w, number) }, func(w *Writer) { wrapped(w, number) }}, false},
		"compounds":                     {[]func(*Writer){plain, plain}, false},
		"wrappers in wrappers alone":    {[]func(*Writer){func(w *Writer) { wrapped(w, wrapper) }, plain}, false},
		"a wrapper that is not needed":  {[]func(*Writer){func(w *Writer) { wrapped(w, plain) }, func(w *Writer) { wrapped(w, number) }}, false},
		"one that is not needed at end": {[]func(*Writer){func(w *Writer) { wrapped(w, number) }, plain, func(w *Writer) { wrapped(w, plain) }}, false},
		"nothing":                       {nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			var w Writer
			w.BeginList(TypeCompound, -1)
			for _, e := range test.elements {
				e(&w)
			}
			w.End()
			data, err := w.Bytes()
			if err != nil {
				t.Fatal(err)
			}
			var tape Tape
			if err := tape.ParseNetwork(data); err != nil {
				t.Fatal(err)
			}
			if got := tape.Root().Mixed(); got != test.want {
				t.Errorf("Mixed is %t", got)
			}
			back, err := MarshalNetwork(tape.Root().Value())
			if err != nil || string(back) != string(data) {
				t.Errorf("through values: %x, %v\nwant %x", back, err, data)
			}
		})
	}
}
