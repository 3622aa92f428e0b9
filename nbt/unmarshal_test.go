package nbt

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNumbersAreConvertedWhereTheyFit(t *testing.T) {
	for _, c := range []struct {
		tag  any
		into any // pointer
		want any // nil for ErrRange
	}{
		{int64(127), new(int8), int8(127)},
		{int64(128), new(int8), nil},
		{int16(-129), new(int8), nil},
		{int8(-1), new(uint8), uint8(255)}, // the bits of its own width
		{int16(200), new(uint8), uint8(200)},
		{int16(-1), new(uint8), nil},
		{int8(-1), new(uint16), nil},
		{int32(65535), new(uint16), uint16(65535)},
		{int32(65536), new(uint16), nil},
		{int8(-1), new(uint64), nil},
		{int64(-1), new(uint64), uint64(math.MaxUint64)},
		{int32(-1), new(uint32), uint32(math.MaxUint32)},
		{int64(1 << 32), new(uint32), nil},
		{int64(1 << 31), new(int32), nil},
		{int8(5), new(int), 5},
		{int8(0), new(bool), false},
		{int64(2), new(bool), true},
		{int64(3), new(float32), float32(3)},
		{int8(3), new(float64), 3.0},
		{float32(0.5), new(float64), 0.5},
		{0.1, new(float32), float32(0.1)},
	} {
		err := one(t, c.tag).Decode(c.into)
		got := reflect.ValueOf(c.into).Elem().Interface()
		if c.want == nil {
			if !errors.Is(err, ErrRange) {
				t.Errorf("%T %v into %T: %v, %v, want ErrRange", c.tag, c.tag, got, got, err)
			}
			continue
		}
		if err != nil || got != c.want {
			t.Errorf("%T %v into %T: %v, %v", c.tag, c.tag, got, got, err)
		}
	}
}

func TestFloatsKeepEveryBit(t *testing.T) {
	const nan32, nan64 = 0x7F800001, 0xFFF0000000000001
	r32, r64 := Raw{TypeFloat, []byte{0x7F, 0x80, 0, 1}}, Raw{TypeDouble, []byte{0xFF, 0xF0, 0, 0, 0, 0, 0, 1}}
	var f32 float32
	var f64 float64
	if err := errors.Join(r32.Decode(&f32), r64.Decode(&f64)); err != nil {
		t.Fatal(err)
	}
	if math.Float32bits(f32) != nan32 || math.Float64bits(f64) != nan64 {
		t.Errorf("%x, %x", math.Float32bits(f32), math.Float64bits(f64))
	}
}

func TestListsOfNumbersGoIntoSlicesOfIntegers(t *testing.T) {
	list := func(elem Type, items ...any) Raw { return one(t, List{elem, items}) }
	var longs []int64
	var ints [2]int32
	var bytes []byte
	var shorts []int16
	for name, c := range map[string]struct {
		tag       Raw
		into      any
		want      any
		wantError error
	}{
		"longs":           {list(TypeLong, int64(1), int64(-2)), &longs, []int64{1, -2}, nil},
		"bytes to longs":  {list(TypeByte, int8(1), int8(-2)), &longs, []int64{1, -2}, nil},
		"longs to ints":   {list(TypeLong, int64(1), int64(-2)), &ints, [2]int32{1, -2}, nil},
		"too large":       {list(TypeLong, int64(1), int64(1<<40)), &ints, nil, ErrRange},
		"too many":        {list(TypeLong, int64(1), int64(2), int64(3)), &ints, nil, ErrCount},
		"bytes":           {list(TypeByte, int8(1), int8(-2)), &bytes, []byte{1, 254}, nil},
		"none":            {list(TypeEnd), &bytes, []byte{}, nil},
		"none of strings": {list(TypeString), &longs, []int64{}, nil},
		"ints to shorts":  {list(TypeInt, int32(4)), &shorts, []int16{4}, nil},
		"floats":          {list(TypeFloat, float32(1)), &longs, nil, ErrMismatch},
		"strings":         {list(TypeString, "1"), &longs, nil, ErrMismatch},
		"another array":   {one(t, []int32{1}), &longs, nil, ErrMismatch},
		"no list":         {one(t, []int32{1}), &shorts, nil, ErrMismatch},
		"a number":        {one(t, int32(1)), &longs, nil, ErrMismatch},
	} {
		err := c.tag.Decode(c.into)
		if !errors.Is(err, c.wantError) {
			t.Errorf("%s: %v, want %v", name, err, c.wantError)
		}
		if got := reflect.ValueOf(c.into).Elem().Interface(); c.want != nil && !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestTypeErrorsNameOffsetAndPath(t *testing.T) {
	type section struct {
		Y    int8
		Name celsius
		Pair pair
		Any  interface{ Foo() }
		Chan *struct{ UUID [4]int32 }
	}
	type chunk struct {
		Sections []section `nbt:"sections"`
		Map      map[string]map[string]int8
	}
	at := func(members ...Member) Compound {
		return Compound{{"sections", []Compound{{}, members}}}
	}
	const first = 3 + 11 + 5 + 1 // root, name of the list, its header, the empty compound
	for name, c := range map[string]struct {
		doc    any
		strict bool
		offset int
		path   string
		kind   Type
		target reflect.Type
		want   error
	}{
		"mismatch":     {at(Member{"Y", "high"}), false, first, "sections[1].Y", TypeString, reflect.TypeFor[int8](), ErrMismatch},
		"range":        {at(Member{"Y", int16(500)}), false, first, "sections[1].Y", TypeShort, reflect.TypeFor[int8](), ErrRange},
		"text":         {at(Member{"Name", strings.Repeat("*", 101)}), false, first, "sections[1].Name", TypeString, reflect.TypeFor[celsius](), errTooHot},
		"text of int":  {at(Member{"Name", int8(1)}), false, first, "sections[1].Name", TypeByte, reflect.TypeFor[celsius](), ErrMismatch},
		"own":          {at(Member{"Pair", []int32{1}}), false, first, "sections[1].Pair", TypeIntArray, reflect.TypeFor[pair](), errTooHot},
		"interface":    {at(Member{"Any", int8(1)}), false, first, "sections[1].Any", TypeByte, reflect.TypeFor[interface{ Foo() }](), ErrGoType},
		"array":        {at(Member{"Chan", Compound{{"UUID", []int32{1}}}}), false, first + 7, "sections[1].Chan.UUID", TypeIntArray, reflect.TypeFor[[4]int32](), ErrCount},
		"unknown":      {at(Member{"y", int8(1)}), true, first, "sections[1].y", TypeByte, reflect.TypeFor[section](), ErrUnknown},
		"element":      {Compound{{"sections", []int16{1, 2}}}, false, 19, "sections[0]", TypeShort, reflect.TypeFor[section](), ErrMismatch},
		"map":          {Compound{{"Map", Compound{{"a b", Compound{{"c", "d"}}}}}}, false, 15, `Map."a b".c`, TypeString, reflect.TypeFor[int8](), ErrMismatch},
		"root":         {[]string{"a"}, false, 0, "", TypeList, reflect.TypeFor[chunk](), ErrMismatch},
		"map of list":  {Compound{{"Map", []string{}}}, false, 3, "Map", TypeList, reflect.TypeFor[map[string]map[string]int8](), ErrMismatch},
		"no list here": {Compound{{"sections", Compound{}}}, false, 3, "sections", TypeCompound, reflect.TypeFor[[]section](), ErrMismatch},
	} {
		t.Run(name, func(t *testing.T) {
			data, err := Marshal(c.doc)
			if err != nil {
				t.Fatal(err)
			}
			var v chunk
			d := Decoder{Strict: c.strict}
			err = d.Unmarshal(data, &v)
			var typed *TypeError
			if !errors.As(err, &typed) || !errors.Is(err, c.want) {
				t.Fatalf("%v, want %v", err, c.want)
			}
			if typed.Offset != c.offset || typed.Path != c.path || typed.Type != c.kind || typed.GoType != c.target {
				t.Errorf("%v: offset %d, path %s, %v, %v, want %d, %s, %v, %v", err, typed.Offset, typed.Path, typed.Type,
					typed.GoType, c.offset, c.path, c.kind, c.target)
			}
		})
	}
}

func TestTargetsMustBePointers(t *testing.T) {
	data := document(t)
	for _, v := range []any{nil, 5, struct{}{}, (*int)(nil), map[string]any{}} {
		if err := Unmarshal(data, v); !errors.Is(err, ErrTarget) {
			t.Errorf("%T: %v", v, err)
		}
	}
	if err := Unmarshal(data, new(chan int)); !errors.Is(err, ErrGoType) {
		t.Errorf("channel: %v", err)
	}
}

func TestDamagedDocumentsAreErrorsOfTheTape(t *testing.T) {
	data := document(t)
	var known struct {
		Sections []struct {
			Y       int8
			Palette []struct{ Name string } `nbt:"palette"`
		} `nbt:"sections"`
		Nested [][]any  `nbt:"nested"`
		Longs  []int64  `nbt:"longs"`
		Bytes  []byte   `nbt:"bytes"`
		Text   string   `nbt:"text"`
		Double float64  `nbt:"double"`
		Inner  struct{} `nbt:"inner"`
	}
	for n := range data {
		var tape Tape
		want := tape.Parse(data[:n]).(*SyntaxError)
		for _, into := range []any{new(any), new(map[string]Raw), new(map[string]any), new(Compound), &known, new(struct{})} {
			err := Unmarshal(data[:n], into)
			var got *SyntaxError
			if !errors.As(err, &got) || !errors.Is(got, ErrTruncated) {
				t.Fatalf("%d bytes into %T: %v", n, into, err)
			}
			// A list may be seen to lack elements before the first of them is read.
			if got.Offset != want.Offset && !strings.HasPrefix(want.Path, got.Path+"[") || !strings.HasPrefix(want.Path, got.Path) {
				t.Fatalf("%d bytes into %T: %v, the tape says %v", n, into, got, want)
			}
		}
	}
}

func TestLimitsHoldForValues(t *testing.T) {
	nested := any(int8(1))
	for range 10 {
		nested = []any{nested}
	}
	deep, err := Marshal(nested)
	if err != nil {
		t.Fatal(err)
	}
	wide, err := Marshal([]string{"a", "b", "c", "d"})
	if err != nil {
		t.Fatal(err)
	}
	members, err := Marshal(map[string]string{"A": "a", "B": "b"})
	if err != nil {
		t.Fatal(err)
	}
	for _, into := range []any{new(any), new(struct{ A, B string }), new(struct{ C int }), new(map[string]string), new(map[string]*string)} {
		for tags, want := range map[int]error{1: ErrTags, 2: ErrTags, 3: nil} {
			d := Decoder{Limits: Limits{Tags: tags}}
			if err := d.Unmarshal(members, into); !errors.Is(err, want) {
				t.Errorf("two members into %T with %d tags: %v", into, tags, err)
			}
		}
	}
	for name, c := range map[string]struct {
		data   []byte
		limits Limits
		want   error
	}{
		"depth":    {deep, Limits{Depth: 9}, ErrDepth},
		"as deep":  {deep, Limits{Depth: 10}, nil},
		"tags":     {wide, Limits{Tags: 4}, ErrTags},
		"as many":  {wide, Limits{Tags: 5}, nil},
		"size":     {wide, Limits{Bytes: len(wide) - 1}, ErrSize},
		"as large": {append(wide, 1, 2, 3), Limits{Bytes: len(wide)}, nil},
		"no size":  {wide, Limits{Bytes: 2}, ErrSize},
	} {
		d := Decoder{Limits: c.limits}
		tape := Tape{Limits: c.limits}
		var list []string
		var value any
		if err := tape.Parse(c.data); !errors.Is(err, c.want) && name != "no size" {
			t.Errorf("%s: the tape says %v", name, err)
		}
		if err := d.Unmarshal(c.data, &value); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if strings.Contains(name, "deep") || name == "depth" {
			continue
		}
		if err := d.Unmarshal(c.data, &list); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	d := Decoder{Limits: Limits{Depth: -1}}
	if err := d.Unmarshal(deep, new(any)); err == nil {
		t.Error("a limit below 1 is taken")
	}
}

func TestClaimedLengthsAllocateNothing(t *testing.T) {
	claim := func(kind Type, header ...byte) Raw {
		return Raw{kind, append(append(header, 0x7F, 0xFF, 0xFF, 0xFF), make([]byte, 1<<16)...)}
	}
	for name, c := range map[string]struct {
		tag  Raw
		into any
	}{
		"bytes":            {claim(TypeByteArray), new([]byte)},
		"longs":            {claim(TypeLongArray), new([]int64)},
		"list of bytes":    {claim(TypeList, byte(TypeByte)), new([]int64)},
		"compounds":        {claim(TypeList, byte(TypeCompound)), new([][1024]string)},
		"compounds to any": {claim(TypeList, byte(TypeCompound)), new(any)},
		"lists":            {claim(TypeList, byte(TypeList)), new([][]int64)},
		"none":             {claim(TypeList, byte(TypeEnd)), new([]struct{})},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := c.tag.Decode(c.into)
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 1<<20 {
			t.Errorf("%s: %d bytes were allocated", name, grown)
		}
	}
	// Lists in each other, all of which claim what is left.
	type lists []lists
	deep := Raw{Type: TypeList}
	for range 500 {
		deep.Data = append(deep.Data, byte(TypeList), 0, 0x10, 0, 0)
	}
	deep.Data = append(deep.Data, bytes.Repeat([]byte{0xFF}, 1<<22)...)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := deep.Decode(new(lists))
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, ErrType) || grown > 16*uint64(len(deep.Data)) {
		t.Errorf("lists in each other: %v, %d bytes of %d were allocated", err, grown, len(deep.Data))
	}
	// Elements that exist, but fewer than are claimed, of a large type.
	type large struct{ A [1 << 12]byte }
	few := Raw{TypeList, append([]byte{byte(TypeCompound), 0, 0, 0x10, 0}, make([]byte, 100)...)}
	few.Data[99] = 0xFF
	var into []large
	if err := few.Decode(&into); err == nil || cap(into) > 256 {
		t.Errorf("%v, room for %d", err, cap(into))
	}
	few.Data = append(few.Data[:5], make([]byte, 1<<12)...)
	if err := few.Decode(&into); err != nil || len(into) != 1<<12 {
		t.Errorf("%v, %d elements", err, len(into))
	}
}

func TestSlicesAreDecodedIntoTheirMemory(t *testing.T) {
	type item struct{ A, B int8 }
	raw := one(t, []map[string]int8{{"A": 1}, {"B": 2}})
	mem := []item{{7, 7}, {8, 8}, {9, 9}}
	v := mem[:1]
	if err := raw.Decode(&v); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]item{{1, 0}, {0, 2}}, v); diff != "" || &v[0] != &mem[0] {
		t.Errorf("other elements or memory:\n%s", diff)
	}
	longs := make([]int64, 1, 3)
	kept := &longs[0]
	if err := one(t, []int64{1, 2, 3}).Decode(&longs); err != nil || len(longs) != 3 || &longs[0] != kept {
		t.Errorf("%v, %v", longs, err)
	}
	if err := one(t, []string{}).Decode(&v); err != nil || v == nil || len(v) != 0 {
		t.Errorf("empty: %v, %v", v, err)
	}
}

func TestViewsPointIntoTheDocument(t *testing.T) {
	var v struct {
		Bytes []byte `nbt:"bytes"`
		Text  Raw    `nbt:"text"`
	}
	data := document(t)
	inside := func(b []byte) bool {
		for i := range data {
			if &data[i] == &b[0] {
				return true
			}
		}
		return false
	}
	for _, views := range []bool{false, true} {
		v.Bytes = nil
		d := Decoder{Views: views}
		if err := d.Unmarshal(data, &v); err != nil {
			t.Fatal(err)
		}
		if inside(v.Bytes) != views || inside(v.Text.Data) != views {
			t.Errorf("views %t: %t, %t", views, inside(v.Bytes), inside(v.Text.Data))
		}
		if cap(v.Bytes) != len(v.Bytes) && views || cap(v.Text.Data) != len(v.Text.Data) {
			t.Error("appending would change what follows")
		}
	}
}

func TestNetworkFormHasARootOfNone(t *testing.T) {
	v, s := any(5), "kept"
	if err := UnmarshalNetwork([]byte{0}, &v); err != nil || v != nil {
		t.Errorf("%v, %v", v, err)
	}
	if err := UnmarshalNetwork([]byte{0}, &s); err != nil || s != "kept" {
		t.Errorf("%v, %v", s, err)
	}
	if err := UnmarshalNetwork([]byte{8, 0, 2, 'h', 'i', 99}, &s); err != nil || s != "hi" {
		t.Errorf("%v, %v", s, err)
	}
	if err := Unmarshal([]byte{0}, &v); !errors.Is(err, ErrRoot) {
		t.Errorf("in a file: %v", err)
	}
}

func TestTagsAndRawsDecodeAlike(t *testing.T) {
	var tape Tape
	if err := tape.Parse(document(t)); err != nil {
		t.Fatal(err)
	}
	tag := tape.Root().Get("sections").At(1)
	type section struct{ Y int8 }
	var a, b section
	if err := errors.Join(tag.Decode(&a), tag.Raw().Decode(&b)); err != nil || a.Y != 1 || b.Y != 1 {
		t.Errorf("%v, %v, %v", a, b, err)
	}
	var bad struct{ Y string }
	var typed *TypeError
	if err := tag.Decode(&bad); !errors.As(err, &typed) || typed.Offset != tag.Offset() || typed.Path != "Y" {
		t.Errorf("%v, the tag is at %d", err, tag.Offset())
	}
	if err := (Tag{}).Decode(&a); err != nil || a.Y != 1 {
		t.Errorf("no tag: %v, %v", a, err)
	}
	var v any
	if err := tape.Root().Decode(&v); err != nil || !Equal(v, tape.Root().Value()) {
		t.Errorf("Decode and Value differ: %v", err)
	}
	if (Tag{}).Value() != nil {
		t.Error("a tag that does not exist has a value")
	}
}
