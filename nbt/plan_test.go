package nbt

import (
	"errors"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

type inner struct {
	Name  string
	Depth int8
}

type named struct {
	Depth int8 `nbt:"Depth"`
}

type tree struct {
	Value    int8
	Children []tree           `nbt:"children,omitempty"`
	Parent   *tree            `nbt:",omitempty"`
	ByName   map[string]*tree `nbt:",omitempty"`
}

func TestStructOptions(t *testing.T) {
	for name, c := range map[string]struct {
		value any
		tag   any
	}{
		"names": {struct {
			A int8 `nbt:"minecraft:a b"`
			B int8 `json:"other"`
			C int8 `nbt:"-"`
			D int8 `nbt:"-,"`
			E int8 `nbt:""`
			f int8
		}{1, 2, 3, 4, 5, 6}, Compound{{"minecraft:a b", int8(1)}, {"B", int8(2)}, {"-", int8(4)}, {"E", int8(5)}}},
		"omitempty": {struct {
			A bool           `nbt:",omitempty"`
			B int32          `nbt:",omitempty"`
			C float64        `nbt:",omitempty"`
			D string         `nbt:",omitempty"`
			E []string       `nbt:",omitempty"`
			F map[string]any `nbt:",omitempty"`
			G *int           `nbt:",omitempty"`
			H any            `nbt:",omitempty"`
			I [0]int8        `nbt:",omitempty"`
			J Raw            `nbt:",omitempty"`
			K Compound       `nbt:",omitempty"`
			L List           `nbt:",omitempty"`
			M error          `nbt:",omitempty"`
			N struct{}       `nbt:",omitempty"`
			O [1]int8        `nbt:",omitempty"`
			P []int64        `nbt:",omitempty,list"`
		}{E: []string{}, F: map[string]any{}}, Compound{{"N", Compound{}}, {"O", []byte{0}}}},
		"omitzero": {struct {
			A time.Time       `nbt:",omitzero"`
			B struct{ C int } `nbt:",omitzero"`
			D []string        `nbt:",omitzero"`
			E []string        `nbt:",omitzero"`
			F [2]int8         `nbt:"f,omitzero"`
		}{D: []string{}}, Compound{{"D", List{TypeEnd, []any{}}}}},
		"nil": {struct {
			A *int
			B any
			C error
			D Raw
			E []string
			F map[string]any
			G []int64
		}{}, Compound{{"E", List{TypeEnd, []any{}}}, {"F", Compound{}}, {"G", []int64{}}}},
		"list": {struct {
			A []byte    `nbt:",list"`
			B []int32   `nbt:",list"`
			C [2]uint64 `nbt:",list"`
			D []int64   `nbt:",list"`
		}{[]byte{1}, []int32{2}, [2]uint64{3, 4}, nil}, Compound{
			{"A", List{TypeByte, []any{int8(1)}}}, {"B", List{TypeInt, []any{int32(2)}}},
			{"C", List{TypeLong, []any{int64(3), int64(4)}}}, {"D", List{TypeEnd, []any{}}},
		}},
		"embedded": {struct {
			A int8
			inner
			*named
			Z int8
		}{1, inner{"n", 2}, &named{3}, 4}, Compound{{"A", int8(1)}, {"Name", "n"}, {"Depth", int8(3)}, {"Z", int8(4)}}},
		"embedded nil": {struct {
			*named
			Z int8
		}{nil, 4}, Compound{{"Z", int8(4)}}},
		"embedded with a name": {struct {
			Inner inner `nbt:"in"`
			Depth string
		}{inner{"n", 2}, "d"}, Compound{{"in", Compound{{"Name", "n"}, {"Depth", int8(2)}}}, {"Depth", "d"}}},
		"recursive": {tree{Value: 1, Children: []tree{{Value: 2}}, Parent: &tree{Value: 3}, ByName: map[string]*tree{"x": {Value: 4}}},
			Compound{
				{"Value", int8(1)}, {"children", List{TypeCompound, []any{Compound{{"Value", int8(2)}}}}},
				{"Parent", Compound{{"Value", int8(3)}}}, {"ByName", Compound{{"x", Compound{{"Value", int8(4)}}}}},
			}},
	} {
		t.Run(name, func(t *testing.T) {
			raw := one(t, c.value)
			var tag any
			if err := raw.Decode(&tag); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.tag, tag); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			back := reflect.New(reflect.TypeOf(c.value))
			if err := raw.Decode(back.Interface()); err != nil {
				t.Fatal(err)
			}
			if again := one(t, back.Interface()); !reflect.DeepEqual(again, raw) {
				t.Errorf("read and written again it is % x, not % x", again.Data, raw.Data)
			}
		})
	}
}

func TestFieldsTakeTheLastOfSeveralMembers(t *testing.T) {
	raw := one(t, Compound{{"A", int8(1)}, {"B", int8(2)}, {"A", int8(3)}})
	var s struct{ A, B int8 }
	m := map[string]int8{"kept": 4}
	if err := errors.Join(raw.Decode(&s), raw.Decode(&m)); err != nil || s.A != 3 {
		t.Errorf("%v, %v", s, err)
	}
	if diff := cmp.Diff(map[string]int8{"A": 3, "B": 2, "kept": 4}, m); diff != "" {
		t.Error(diff)
	}
}

func TestRestKeepsOrderAndGivesWayToFields(t *testing.T) {
	in := Compound{{"z", int8(1)}, {"Known", int8(2)}, {"a", "x"}, {"z", int8(3)}}
	type raws struct {
		Known int8
		Rest  []RawMember `nbt:",rest"`
	}
	type compound struct {
		Known int8
		Rest  Compound `nbt:",rest"`
	}
	type rawMap struct {
		Known int8
		Rest  map[string]Raw `nbt:",rest"`
	}
	type anyMap struct {
		Known int8
		Rest  map[string]any `nbt:",rest"`
	}
	ordered := Compound{{"Known", int8(2)}, {"z", int8(1)}, {"a", "x"}, {"z", int8(3)}}
	sorted := Compound{{"Known", int8(2)}, {"a", "x"}, {"z", int8(3)}}
	for _, c := range []struct {
		into any
		want Compound
	}{
		{&raws{Rest: []RawMember{{"old", Raw{}}}}, ordered},
		{&compound{Rest: Compound{{"old", "v"}}}, ordered},
		{&rawMap{Rest: map[string]Raw{"old": {}}}, sorted},
		{&anyMap{Rest: map[string]any{"old": "v"}}, sorted},
		{new(rawMap), sorted},
		{new(anyMap), sorted},
	} {
		if err := one(t, in).Decode(c.into); err != nil {
			t.Fatal(err)
		}
		var got any
		if err := one(t, c.into).Decode(&got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(any(c.want), got); diff != "" {
			t.Errorf("%T (-want +got):\n%s", c.into, diff)
		}
	}
	twice := compound{Known: 1, Rest: Compound{{"Known", "other"}, {"b", int8(2)}}}
	var got any
	if err := one(t, twice).Decode(&got); err != nil || !Equal(got, Compound{{"Known", int8(1)}, {"b", int8(2)}}) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestFieldsOfOneName(t *testing.T) {
	type a struct{ X, Y int8 }
	type b struct {
		X int8
		Z int8 `nbt:"Y"`
	}
	var v struct {
		a
		b
	}
	if err := one(t, map[string]int8{"X": 1, "Y": 2}).Decode(&v); err != nil {
		t.Fatal(err)
	}
	if v.a.X != 0 || v.b.X != 0 || v.a.Y != 0 || v.b.Z != 2 {
		t.Errorf("%+v: X is ambiguous, Y is named by its tag", v)
	}
	var outer struct {
		a
		X int8
	}
	if err := one(t, map[string]int8{"X": 1, "Y": 2}).Decode(&outer); err != nil {
		t.Fatal(err)
	}
	if outer.X != 1 || outer.a.X != 0 || outer.Y != 2 {
		t.Errorf("%+v: X is that of the outer struct", outer)
	}
}

func TestStructsThatAreNotUnderstood(t *testing.T) {
	for name, v := range map[string]any{
		"option": &struct {
			A int `nbt:",omitmepty"`
		}{},
		"list of strings": &struct {
			A []string `nbt:",list"`
		}{},
		"list of a number": &struct {
			A int32 `nbt:",list"`
		}{},
		"list of own": &struct {
			A pair `nbt:",list"`
		}{},
		"rest of a type": &struct {
			A map[string]string `nbt:",rest"`
		}{},
		"two rests": &struct {
			A, B Compound `nbt:",rest"`
		}{},
		"map keys": &map[int]string{},
		"function": &struct{ F func() }{},
		"complex":  new(complex128),
		"circle":   new(circle),
		"circles": &struct {
			A int8
			B *circleA
		}{},
	} {
		if err := one(t, Compound{}).Decode(v); !errors.Is(err, ErrGoType) {
			t.Errorf("%s: read: %v", name, err)
		}
		if _, err := Marshal(v); !errors.Is(err, ErrGoType) {
			t.Errorf("%s: write: %v", name, err)
		}
	}
}

func TestPlansAreMadeByManyAtOnce(t *testing.T) {
	type local struct {
		A    int8
		Tree tree
		B    []local2
	}
	raw := one(t, Compound{{"B", List{TypeCompound, []any{Compound{{"C", int8(2)}}}}}, {"A", int8(1)}})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 100 {
				var v local
				if err := raw.Decode(&v); err != nil || v.A != 1 || v.B[0].C != 2 {
					t.Errorf("%v, %v", v, err)
				}
				if _, err := Marshal(v); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}

type local2 struct {
	C int8
	D *local2
}

// Pointers that never come to a value.
type (
	circle  *circle
	circleA *circleB
	circleB *circleA
)

// readsOnly and writesOnly cannot be handled by their kind.
type (
	readsOnly  struct{ F func() }
	writesOnly struct{ F func() }
)

func (*readsOnly) UnmarshalNBT(Raw) error     { return nil }
func (writesOnly) MarshalNBT(w *Writer) error { w.Byte(1); return nil }
func (*local2) Foo()                          {}

func TestMethodsInOneDirectionOnly(t *testing.T) {
	if err := one(t, int8(1)).Decode(new(readsOnly)); err != nil {
		t.Error(err)
	}
	if _, err := Marshal(&readsOnly{}); !errors.Is(err, ErrGoType) {
		t.Errorf("write: %v", err)
	}
	if got := one(t, writesOnly{}); got.Type != TypeByte {
		t.Errorf("wrote a %v", got.Type)
	}
	if err := one(t, int8(1)).Decode(new(writesOnly)); !errors.Is(err, ErrGoType) {
		t.Errorf("read: %v", err)
	}
}

func TestGenericFieldsAndInterfaces(t *testing.T) {
	type fields struct {
		Compound Compound
		List     List
		Numbers  [2]float32
		Method   interface{ Foo() }
		Any      any
	}
	in := fields{
		Compound{{"b", "x"}, {"a", int8(1)}}, List{TypeCompound, []any{int8(1), "x"}}, [2]float32{1, 2},
		&local2{C: 5}, []int64{1},
	}
	raw := one(t, in)
	out := fields{Method: new(local2)}
	if err := raw.Decode(&out); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(in, out) {
		t.Errorf("%+v came back as %+v", in, out)
	}
	for _, path := range []string{"Compound", "List", "Numbers", "Method"} {
		err := one(t, map[string]string{path: "wrong"}).Decode(&out)
		var typed *TypeError
		if !errors.As(err, &typed) || typed.Path != path || !errors.Is(err, ErrMismatch) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := one(t, map[string]any{"Numbers": []float32{1, 2, 3}}).Decode(&out); !errors.Is(err, ErrCount) {
		t.Errorf("three numbers into two: %v", err)
	}
}
