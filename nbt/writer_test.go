package nbt

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestWriterBytes(t *testing.T) {
	var w Writer
	w.Reset([]byte("kept"))
	w.Name("r").BeginCompound()
	w.Name("b").Bool(true)
	w.NameBytes([]byte("l")).BeginList(TypeEnd, -1)
	w.Long(-2)
	w.End()
	w.Name("e").BeginList(TypeString, 0)
	w.End()
	w.Name("x").Raw(Raw{TypeIntArray, []byte{0, 0, 0, 1, 0, 0, 0, 9}})
	w.End()
	got, err := w.Bytes()
	want := "kept\x0a\x00\x01r" +
		"\x01\x00\x01b\x01" +
		"\x09\x00\x01l\x04\x00\x00\x00\x01\xff\xff\xff\xff\xff\xff\xff\xfe" +
		"\x09\x00\x01e\x08\x00\x00\x00\x00" +
		"\x0b\x00\x01x\x00\x00\x00\x01\x00\x00\x00\x09" +
		"\x00"
	if err != nil || string(got) != want || w.Len() != len(want)-4 {
		t.Errorf("%x, %d bytes, %v\nwant %x", got, w.Len(), err, want)
	}
	w.Reset(got[:0])
	w.String("hi")
	if got, err := w.Bytes(); err != nil || string(got) != "\x08\x00\x02hi" {
		t.Errorf("network form: %x, %v", got, err)
	}
}

func TestWriterKeepsItsFirstMistake(t *testing.T) {
	long := strings.Repeat("ü", 40000)
	for name, test := range map[string]struct {
		write func(w *Writer)
		want  error
	}{
		"no End":                      {func(w *Writer) { w.Name("").BeginCompound() }, ErrUnbalanced},
		"one End too many":            {func(w *Writer) { w.Name("").Int(1); w.End() }, ErrUnbalanced},
		"two roots":                   {func(w *Writer) { w.Name("").Int(1); w.Int(2) }, ErrUnbalanced},
		"two named roots":             {func(w *Writer) { w.Name("").Int(1); w.Name("b").Int(2) }, ErrUnbalanced},
		"a name only":                 {func(w *Writer) { w.Name("a") }, ErrUnbalanced},
		"two names":                   {func(w *Writer) { w.Name("").BeginCompound(); w.Name("a"); w.Name("b").Int(1) }, ErrUnbalanced},
		"End after a name":            {func(w *Writer) { w.BeginCompound(); w.Name("a"); w.End() }, ErrUnbalanced},
		"no name in a compound":       {func(w *Writer) { w.BeginCompound(); w.Int(1) }, ErrUnbalanced},
		"a name in a list":            {func(w *Writer) { w.BeginList(TypeInt, 1); w.Name("a").Int(1) }, ErrUnbalanced},
		"another type than the list":  {func(w *Writer) { w.BeginList(TypeInt, 1); w.Long(1) }, ErrElementType},
		"another type than the first": {func(w *Writer) { w.BeginList(TypeEnd, -1); w.Long(1); w.Int(1) }, ErrElementType},
		"too few elements":            {func(w *Writer) { w.BeginList(TypeInt, 2); w.Int(1); w.End() }, ErrUnbalanced},
		"too many elements":           {func(w *Writer) { w.BeginList(TypeInt, 1); w.Int(1); w.Int(1) }, ErrUnbalanced},
		"no element type":             {func(w *Writer) { w.BeginList(77, 1) }, ErrElementType},
		"too long a list":             {func(w *Writer) { n := math.MaxInt32; w.BeginList(TypeInt, n+1) }, ErrSize},
		"a long string":               {func(w *Writer) { w.String(long) }, ErrStringLength},
		"a string of a byte too many": {func(w *Writer) { w.String(strings.Repeat("x", 65536)) }, ErrStringLength},
		"a long name":                 {func(w *Writer) { w.Name(long).Int(1) }, ErrStringLength},
		"a long string of bytes":      {func(w *Writer) { w.StringBytes([]byte(long)) }, ErrStringLength},
		"a raw End":                   {func(w *Writer) { w.Raw(Raw{}) }, ErrType},
	} {
		t.Run(name, func(t *testing.T) {
			var w Writer
			test.write(&w)
			w.Name("after").Int(1)
			if _, err := w.Bytes(); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
	var empty Writer
	if _, err := empty.Bytes(); !errors.Is(err, ErrUnbalanced) {
		t.Errorf("nothing: %v", err)
	}
	var w Writer
	w.String(strings.Repeat("x", 65535))
	if data, err := w.Bytes(); err != nil || len(data) != 65538 {
		t.Errorf("the longest string: %d bytes, %v", len(data), err)
	}
}
