package nbt

import (
	"bytes"
	"encoding"
	"errors"
	"math"
	"net/netip"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// celsius has a text form.
type celsius int16

func (c celsius) MarshalText() ([]byte, error) {
	if c < -273 {
		return nil, errTooCold
	}
	return []byte(strings.Repeat("*", int(c))), nil
}

func (c *celsius) UnmarshalText(text []byte) error {
	if len(text) > 100 {
		return errTooHot
	}
	*c = celsius(len(text))
	return nil
}

var (
	errTooCold = errors.New("too cold")
	errTooHot  = errors.New("too hot")
)

// pair writes itself as a list of two ints.
type pair struct{ a, b int32 }

func (p pair) MarshalNBT(w *Writer) error {
	if p.a == 13 {
		return errTooCold
	}
	w.BeginList(TypeInt, 2)
	w.Int(p.a)
	w.Value(p.b)
	w.End()
	return nil
}

func (p *pair) UnmarshalNBT(r Raw) error {
	var v []int32
	if err := r.Decode(&v); err != nil {
		return err
	}
	if len(v) != 2 {
		return errTooHot
	}
	p.a, p.b = v[0], v[1]
	return nil
}

var (
	_ encoding.TextMarshaler = celsius(0)
	_ Marshaler              = pair{}
	_ Unmarshaler            = (*pair)(nil)
)

type (
	label     string
	block     uint8
	threeText [3]string
)

// one is a document with v as its root.
func one(tb testing.TB, v any) Raw {
	tb.Helper()
	r, err := MarshalRaw(v)
	if err != nil {
		tb.Fatalf("%#v: %v", v, err)
	}
	return r
}

func TestEveryGoTypeGoesBothWays(t *testing.T) {
	pointed := int32(5)
	for name, c := range map[string]struct {
		value any
		tag   any // in the generic form
	}{
		"bool":           {true, int8(1)},
		"int8":           {int8(-128), int8(-128)},
		"uint8":          {uint8(200), int8(-56)},
		"int16":          {int16(-300), int16(-300)},
		"uint16":         {uint16(65535), int16(-1)},
		"int32":          {int32(math.MinInt32), int32(math.MinInt32)},
		"uint32":         {uint32(math.MaxUint32), int32(-1)},
		"int64":          {int64(math.MinInt64), int64(math.MinInt64)},
		"uint64":         {uint64(math.MaxUint64), int64(-1)},
		"int":            {int(-7), int64(-7)},
		"uint":           {uint(7), int64(7)},
		"float32":        {float32(1.5), float32(1.5)},
		"float64":        {-0.1, -0.1},
		"string":         {"grüße\x00😀", "grüße\x00😀"},
		"named string":   {label("a"), "a"},
		"named number":   {block(3), int8(3)},
		"[]byte":         {[]byte{1, 255}, []byte{1, 255}},
		"[]int8":         {[]int8{1, -1}, []byte{1, 255}},
		"[]named byte":   {[]block{1, 2}, []byte{1, 2}},
		"[]int32":        {[]int32{1, -2, 3, -4, 5}, []int32{1, -2, 3, -4, 5}},
		"[]uint32":       {[]uint32{math.MaxUint32}, []int32{-1}},
		"[]int64":        {[]int64{1, -2, 3, -4, 5}, []int64{1, -2, 3, -4, 5}},
		"[]uint64":       {[]uint64{math.MaxUint64}, []int64{-1}},
		"no longs":       {[]int64{}, []int64{}},
		"[3]byte":        {[3]byte{1, 2, 3}, []byte{1, 2, 3}},
		"[4]int32":       {[4]int32{1, 2, 3, 4}, []int32{1, 2, 3, 4}},
		"[2]uint64":      {[2]uint64{1, 2}, []int64{1, 2}},
		"[0]int32":       {[0]int32{}, []int32{}},
		"[]int16":        {[]int16{1, -1}, List{TypeShort, []any{int16(1), int16(-1)}}},
		"[]int":          {[]int{1, -1}, List{TypeLong, []any{int64(1), int64(-1)}}},
		"[]bool":         {[]bool{true, false}, List{TypeByte, []any{int8(1), int8(0)}}},
		"[3]float64":     {[3]float64{1, 2, 3}, List{TypeDouble, []any{1.0, 2.0, 3.0}}},
		"[]float32":      {[]float32{1}, List{TypeFloat, []any{float32(1)}}},
		"[]string":       {[]string{"a", ""}, List{TypeString, []any{"a", ""}}},
		"[3]string":      {threeText{"a", "b", "c"}, List{TypeString, []any{"a", "b", "c"}}},
		"no strings":     {[]string{}, List{TypeEnd, []any{}}},
		"[][]int64":      {[][]int64{{1}, {}}, List{TypeLongArray, []any{[]int64{1}, []int64{}}}},
		"[][]int16":      {[][]int16{{1}, {}}, List{TypeList, []any{List{TypeShort, []any{int16(1)}}, List{TypeEnd, []any{}}}}},
		"map":            {map[label]int16{"b": 2, "a": 1}, Compound{{"a", int16(1)}, {"b", int16(2)}}},
		"map of strings": {map[string]string{"b": "2", "a": "1"}, Compound{{"a", "1"}, {"b", "2"}}},
		"map of longs":   {map[string][]int64{"b": {2}}, Compound{{"b", []int64{2}}}},
		"map of ulongs":  {map[string][]uint64{"b": {2}}, Compound{{"b", []int64{2}}}},
		"map of raw":     {map[string]Raw{"b": {TypeByte, []byte{7}}}, Compound{{"b", int8(7)}}},
		"map of any":     {map[string]any{"b": int8(1)}, Compound{{"b", int8(1)}}},
		"struct":         {struct{ A, B int8 }{1, 2}, Compound{{"A", int8(1)}, {"B", int8(2)}}},
		"structs":        {[]struct{ A int8 }{{1}, {2}}, List{TypeCompound, []any{Compound{{"A", int8(1)}}, Compound{{"A", int8(2)}}}}},
		"pointer":        {&pointed, int32(5)},
		"pointers":       {[]*int32{&pointed}, List{TypeInt, []any{int32(5)}}},
		"raw":            {Raw{TypeShort, []byte{1, 2}}, int16(258)},
		"compound":       {Compound{{"b", int8(1)}, {"a", "x"}}, Compound{{"b", int8(1)}, {"a", "x"}}},
		"list":           {List{TypeInt, []any{int32(1)}}, List{TypeInt, []any{int32(1)}}},
		"empty list":     {List{TypeInt, []any{}}, List{TypeInt, []any{}}},
		"[]any":          {[]any{int32(1)}, List{TypeInt, []any{int32(1)}}},
		"text":           {celsius(3), "***"},
		"texts":          {[]celsius{1, 2}, List{TypeString, []any{"*", "**"}}},
		"address":        {netip.MustParseAddr("::1"), "::1"},
		"own":            {pair{1, 2}, List{TypeInt, []any{int32(1), int32(2)}}},
		"own elements":   {[]pair{{1, 2}}, List{TypeList, []any{List{TypeInt, []any{int32(1), int32(2)}}}}},
		"own member":     {map[string]pair{"p": {1, 2}}, Compound{{"p", List{TypeInt, []any{int32(1), int32(2)}}}}},
	} {
		t.Run(name, func(t *testing.T) {
			raw := one(t, c.value)
			var tag any
			if err := raw.Decode(&tag); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.tag, tag); diff != "" {
				t.Errorf("tag (-want +got):\n%s", diff)
			}
			back := reflect.New(reflect.TypeOf(c.value))
			if err := raw.Decode(back.Interface()); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(c.value, back.Elem().Interface()) {
				t.Errorf("%#v came back as %#v", c.value, back.Elem().Interface())
			}
			if again := one(t, tag); again.Type != raw.Type || !bytes.Equal(again.Data, raw.Data) {
				t.Errorf("the generic form has other bytes: % x, % x", again.Data, raw.Data)
			}
		})
	}
}

func TestMarshalFormsAgree(t *testing.T) {
	v := map[string]any{"a": int8(1)}
	rooted, err := Marshal(v)
	if want := "\x0A\x00\x00\x01\x00\x01a\x01\x00"; err != nil || string(rooted) != want {
		t.Fatalf("% x, %v", rooted, err)
	}
	network, err := MarshalNetwork(v)
	if want := "\x0A\x01\x00\x01a\x01\x00"; err != nil || string(network) != want {
		t.Fatalf("network: % x, %v", network, err)
	}
	for _, room := range []int{1, 2, 7, 100} {
		got, err := AppendMarshal(append(make([]byte, 0, room), '!'), v)
		if err != nil || string(got) != "!"+string(rooted) {
			t.Errorf("room %d: % x, %v", room, got, err)
		}
		got, err = AppendMarshalNetwork(append(make([]byte, 0, room), '!'), v)
		if err != nil || string(got) != "!"+string(network) {
			t.Errorf("network, room %d: % x, %v", room, got, err)
		}
		got, err = AppendMarshal(append(make([]byte, 0, room), '!'), []any{nil})
		if err == nil || string(got) != "!" {
			t.Errorf("error: % x, %v", got, err)
		}
	}
	if got, err := AppendMarshal(nil, v); err != nil || string(got) != string(rooted) {
		t.Errorf("no buffer: % x, %v", got, err)
	}
	if got, err := MarshalNetwork(nil); err != nil || string(got) != "\x00" {
		t.Errorf("nil in the network form: % x, %v", got, err)
	}
	if _, err := Marshal(nil); !errors.Is(err, ErrNil) {
		t.Errorf("nil in a file: %v", err)
	}
	if raw, err := MarshalRaw((*int)(nil)); err != nil || raw.Exists() {
		t.Errorf("raw of nil: %v, %v", raw, err)
	}
}

func TestWhatMarshalReturnsIsNotUsedAgain(t *testing.T) {
	first, err := Marshal(map[string]string{"a": "first"})
	if err != nil {
		t.Fatal(err)
	}
	kept := bytes.Clone(first)
	if _, err := Marshal(map[string]string{"a": "other"}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, kept) {
		t.Error("the second call changed what the first returned")
	}
}

func TestMixedListsAreWrapped(t *testing.T) {
	for name, c := range map[string]struct{ value, tag any }{
		"numbers and strings": {
			[]any{int32(1), "a"},
			[]Compound{{{"", int32(1)}}, {{"", "a"}}},
		},
		"compounds among them": {
			[]any{Compound{{"k", int8(1)}}, int32(1), Compound{}},
			[]Compound{{{"k", int8(1)}}, {{"", int32(1)}}, {}},
		},
		"compounds with the empty key": {
			[]any{Compound{{"", int8(1)}}, int32(1), Compound{{"", int8(1)}, {"b", int8(2)}}},
			[]Compound{{{"", Compound{{"", int8(1)}}}}, {{"", int32(1)}}, {{"", int8(1)}, {"b", int8(2)}}},
		},
		"one type stays": {
			[]any{Compound{{"", int8(1)}}, Compound{{"", "a"}}},
			[]Compound{{{"", int8(1)}}, {{"", "a"}}},
		},
		"nested": {
			[]any{[]any{int8(1), "a"}, "b"},
			[]Compound{{{"", []Compound{{{"", int8(1)}}, {{"", "a"}}}}}, {{"", "b"}}},
		},
	} {
		got, want := one(t, c.value), one(t, c.tag)
		if !bytes.Equal(got.Data, want.Data) {
			t.Errorf("%s:\n% x, want\n% x", name, got.Data, want.Data)
		}
		var back any
		if err := got.Decode(&back); err != nil {
			t.Fatal(err)
		}
		if again := one(t, back); !bytes.Equal(again.Data, got.Data) {
			t.Errorf("%s: read and written again:\n% x, want\n% x", name, again.Data, got.Data)
		}
	}
}

func TestReadingUnwrapsOnlyWhatMarshalWraps(t *testing.T) {
	wrapped := func(v any) Compound { return Compound{{"", v}} }
	for name, c := range map[string]struct {
		tag  []Compound
		want []any
	}{
		"mixed":            {[]Compound{wrapped(int8(1)), wrapped("a"), {{"k", "v"}}}, []any{int8(1), "a", Compound{{"k", "v"}}}},
		"twice":            {[]Compound{wrapped(wrapped("a")), wrapped("b")}, []any{wrapped("a"), "b"}},
		"one type":         {[]Compound{wrapped("a"), wrapped("b")}, []any{wrapped("a"), wrapped("b")}},
		"compounds":        {[]Compound{wrapped(Compound{}), {}}, []any{wrapped(Compound{}), Compound{}}},
		"needless wrapper": {[]Compound{wrapped(Compound{}), wrapped("a")}, []any{wrapped(Compound{}), wrapped("a")}},
	} {
		raw := one(t, c.tag)
		var got any
		if err := raw.Decode(&got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(any(List{TypeCompound, c.want}), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if again := one(t, got); !bytes.Equal(again.Data, raw.Data) {
			t.Errorf("%s: other bytes", name)
		}
	}
}

func TestMarshalErrorsNameThePath(t *testing.T) {
	type deep struct {
		List []any `nbt:"list"`
	}
	long := strings.Repeat("x", 1<<16)
	var loop any
	loop = &loop
	for name, c := range map[string]struct {
		value any
		path  string
		want  error
	}{
		"nil element":     {deep{[]any{int8(1), nil}}, "list[1]", ErrNil},
		"nil pointer":     {map[string][]*int{"a": {nil}}, "a[0]", ErrNil},
		"string":          {Compound{{"a b", Compound{{"c", long}}}}, `"a b".c`, ErrStringLength},
		"key":             {map[string]any{long: int8(1)}, "", ErrStringLength},
		"channel":         {map[string]any{"c": make(chan int)}, "c", ErrGoType},
		"channel in type": {struct{ C chan int }{}, "", ErrGoType},
		"text":            {[]celsius{-300}, "[0]", errTooCold},
		"own":             {map[string][]pair{"p": {{1, 2}, {13, 0}}}, "p[1]", errTooCold},
		"element type":    {List{Elem: 13}, "", ErrElementType},
		"raw type":        {[]Raw{{Type: 99}}, "[0]", ErrType},
		"endless":         {loop, "", ErrDepth},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Marshal(c.value)
			var typed *TypeError
			if !errors.Is(err, c.want) || !errors.As(err, &typed) {
				t.Fatalf("%v, want %v", err, c.want)
			}
			if name == "key" {
				return // the path is the key
			}
			if typed.Path != c.path || typed.Offset != -1 {
				t.Errorf("path %q, want %q, offset %d: %v", typed.Path, c.path, typed.Offset, err)
			}
		})
	}
}

func TestTypesThatWriteThemselvesMustWriteOneTag(t *testing.T) {
	for name, f := range map[string]func(w *Writer){
		"none": func(*Writer) {},
		"two":  func(w *Writer) { w.Byte(1); w.Byte(2) },
		"name": func(w *Writer) { w.Name("a").Byte(2) },
		"open": func(w *Writer) { w.BeginCompound() },
		"more": func(w *Writer) { w.BeginCompound(); w.End(); w.End() },
	} {
		if _, err := Marshal(map[string]any{"a": writes(f)}); !errors.Is(err, ErrUnbalanced) {
			t.Errorf("%s: %v", name, err)
		}
	}
	raw := one(t, []any{writes(func(w *Writer) { w.Byte(1) }), writes(func(w *Writer) { w.String("a") })})
	if want := one(t, []any{int8(1), "a"}); !bytes.Equal(raw.Data, want.Data) {
		t.Errorf("in a list of several types: % x, want % x", raw.Data, want.Data)
	}
}

type writes func(w *Writer)

func (f writes) MarshalNBT(w *Writer) error { f(w); return nil }

func TestWriterTakesValues(t *testing.T) {
	var w Writer
	w.Name("").BeginCompound()
	w.Name("list").Value([]any{int8(1), "a"})
	w.Name("struct").Value(struct{ A int8 }{2})
	w.End()
	got, err := w.Bytes()
	want, wantErr := Marshal(Compound{{"list", []any{int8(1), "a"}}, {"struct", Compound{{"A", int8(2)}}}})
	if err != nil || wantErr != nil || !bytes.Equal(got, want) {
		t.Errorf("% x, %v, want % x, %v", got, err, want, wantErr)
	}
	for _, c := range []struct {
		value any
		want  error
	}{{nil, ErrNil}, {make(chan int), ErrGoType}, {strings.Repeat("x", 1<<16), ErrStringLength}} {
		w.Reset(nil)
		w.Value(c.value)
		if _, err := w.Bytes(); !errors.Is(err, c.want) {
			t.Errorf("%T: %v, want %v", c.value, err, c.want)
		}
	}
}

func TestDeepestDocumentsGoBothWays(t *testing.T) {
	raw := Raw{TypeList, bytes.Repeat([]byte{byte(TypeList), 0, 0, 0, 1}, MaxDepth-1)}
	raw.Data = append(raw.Data, byte(TypeEnd), 0, 0, 0, 0)
	d := Decoder{Limits: Limits{Depth: MaxDepth}}
	var v any
	if err := d.Decode(raw, &v); err != nil {
		t.Fatal(err)
	}
	if back := one(t, v); !bytes.Equal(back.Data, raw.Data) {
		t.Error("other bytes")
	}
	d.Limits.Depth--
	if err := d.Decode(raw, &v); !errors.Is(err, ErrDepth) {
		t.Errorf("one less: %v", err)
	}
}
