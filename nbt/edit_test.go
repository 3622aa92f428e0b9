package nbt

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func parsed(tb testing.TB, data []byte) *Tape {
	tb.Helper()
	t := new(Tape)
	if err := t.Parse(data); err != nil {
		tb.Fatal(err)
	}
	return t
}

// edited returns the document after the edits, parsed.
func edited(tb testing.TB, tape *Tape, edit func(e *Edit, root Tag)) *Tape {
	tb.Helper()
	e := tape.Edit()
	edit(e, tape.Root())
	out, err := e.AppendTo(nil)
	if err != nil {
		tb.Fatal(err)
	}
	return parsed(tb, out)
}

func TestEditWithoutEditsCopiesTheDocument(t *testing.T) {
	data := document(t)
	tape := parsed(t, append(data[:len(data):len(data)], "trailing"...))
	out, err := tape.Edit().AppendTo([]byte("before"))
	if err != nil || !bytes.Equal(out, append([]byte("before"), data...)) {
		t.Errorf("got %q, %v", out, err)
	}
	none := new(Tape)
	if err := none.ParseNetwork([]byte{0}); err != nil {
		t.Fatal(err)
	}
	if out, err := none.Edit().AppendTo(nil); err != nil || !bytes.Equal(out, []byte{0}) {
		t.Errorf("a document that stands for none: %x, %v", out, err)
	}
	if _, err := new(Tape).Edit().AppendTo(nil); !errors.Is(err, ErrRoot) {
		t.Errorf("nothing parsed: %v", err)
	}
}

func TestEditMakesNumbersAndStrings(t *testing.T) {
	got := edited(t, parsed(t, document(t)), func(e *Edit, root Tag) {
		e.Set(root, "byte", e.Byte(-1))
		e.Set(root, "s", e.Short(-2))
		e.Set(root, "int", e.String("now a string\x00😀"))
		e.Set(root, "l", e.Long(math.MinInt64))
		e.Set(root, "f", e.Float(1.5))
		e.Set(root, "d", e.Double(-2.5))
	}).Root()
	for name, want := range map[string]float64{"byte": -1, "s": -2, "l": math.MinInt64, "f": 1.5, "d": -2.5, "long": -1 << 40} {
		if v, ok := got.Get(name).Float(); !ok || v != want {
			t.Errorf("%s = %g, want %g", name, v, want)
		}
	}
	if !got.Get("int").Is("now a string\x00😀") {
		t.Errorf("int = %x", got.Get("int").Raw())
	}
}

func TestEditReplacesTheRoot(t *testing.T) {
	tape := parsed(t, document(t))
	got := edited(t, tape, func(e *Edit, root Tag) { e.Replace(root, e.String("all")) })
	if !got.Root().Is("all") {
		t.Errorf("root %x", got.Root().Raw())
	}
}

func TestEditTreatsRepeatedNames(t *testing.T) {
	var w Writer
	w.Name("").BeginCompound()
	for i := range int8(3) {
		w.Name("twice").Byte(i)
		w.Name("other").Byte(i)
	}
	w.End()
	data, err := w.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	tape := parsed(t, data)
	values := func(tape *Tape) (all []int64) {
		for name, tag := range tape.Root().Members() {
			if string(name) == "twice" {
				v, _ := tag.Int()
				all = append(all, v)
			}
		}
		return all
	}
	set := edited(t, tape, func(e *Edit, root Tag) { e.Set(root, "twice", e.Byte(9)) })
	if diff := cmp.Diff([]int64{0, 1, 9}, values(set)); diff != "" {
		t.Errorf("Set (-want +got):\n%s", diff)
	}
	last := edited(t, tape, func(e *Edit, root Tag) { e.Remove(root.Get("twice")) })
	if diff := cmp.Diff([]int64{0, 1}, values(last)); diff != "" {
		t.Errorf("Remove (-want +got):\n%s", diff)
	}
	removed := edited(t, tape, func(e *Edit, root Tag) {
		if !e.RemoveMember(root, "twice") || e.RemoveMember(root, "absent") {
			t.Error("RemoveMember is wrong about what there is")
		}
	})
	if all := values(removed); all != nil || removed.Root().Len() != 3 {
		t.Errorf("RemoveMember left %v", all)
	}
}

func TestEditGivesEmptyListsATypeAndTakesIt(t *testing.T) {
	tape := parsed(t, document(t))
	got := edited(t, tape, func(e *Edit, root Tag) {
		e.Append(root.Get("empty"), e.String("first"))
		e.Insert(root.Get("empty"), 0, e.String("second"))
		e.Append(root.Get("ints"), e.Int(3))
		e.Remove(root.Get("bytes").Item(1))
		numbers := root.Get("numbers")
		e.RemoveElement(numbers, 0)
		e.Remove(numbers.At(1))
		e.Remove(numbers.At(2))
		for i := range root.Get("strings").Len() { // all at once may change type
			e.SetElement(root.Get("strings"), i, e.Int(int32(i)))
		}
	}).Root()
	if empty := got.Get("empty"); empty.Elem() != TypeString || !empty.At(0).Is("first") || !empty.At(1).Is("second") {
		t.Errorf("empty = %x", empty.Raw())
	}
	if ints, _ := got.Get("ints").IntArray(); !cmp.Equal(ints.AppendTo(nil), []int32{1, -2, 3}) {
		t.Errorf("ints = %v", ints)
	}
	if b, _ := got.Get("bytes").ByteArray(); !bytes.Equal(b, []byte{1, 255}) {
		t.Errorf("bytes = %v", b)
	}
	if numbers := got.Get("numbers"); numbers.Elem() != TypeEnd || numbers.Len() != 0 {
		t.Errorf("numbers = %x", numbers.Raw())
	}
	if strings := got.Get("strings"); strings.Elem() != TypeInt || strings.Len() != 2 {
		t.Errorf("strings = %x", strings.Raw())
	}
}

func TestAnEditOfNothingIsAnError(t *testing.T) {
	var zero Edit
	out, err := zero.AppendTo([]byte("as it was"))
	if !errors.Is(err, ErrRoot) || string(out) != "as it was" {
		t.Errorf("no tape: %q, %v", out, err)
	}
	zero.Reset(new(Tape))
	if _, err := zero.Size(); !errors.Is(err, ErrRoot) {
		t.Errorf("an empty tape: %v", err)
	}
	var placed Edit
	placed.Set(Tag{}, "a", Raw{})
	if err := placed.Err(); !errors.Is(err, ErrPlace) {
		t.Errorf("no tag: %v", err)
	}
}

func TestEditRefuses(t *testing.T) {
	tape, other := parsed(t, document(t)), parsed(t, document(t))
	for _, c := range []struct {
		name string
		edit func(e *Edit, root Tag)
		err  error
		text string
	}{
		{"a member twice", func(e *Edit, root Tag) {
			e.Set(root, "byte", e.Byte(1))
			e.Set(root, "byte", e.Byte(1))
		}, ErrOverlap, "nbt: edit byte: overlaps another edit"},
		{"a new member twice", func(e *Edit, root Tag) {
			e.Set(root, "new", e.Byte(1))
			e.Set(root, "new", e.Byte(1))
		}, ErrOverlap, ""},
		{"many new members", func(e *Edit, root Tag) {
			for range 2 {
				for c := range 20 {
					e.Set(root, strings.Repeat("n", c+50), e.Byte(1))
				}
			}
		}, ErrOverlap, ""},
		{"within what is removed", func(e *Edit, root Tag) {
			e.Set(root.Get("sections").At(1).Get("palette").At(0), "Name", e.Byte(1))
			e.Remove(root.Get("sections").At(1))
		}, ErrOverlap, "nbt: edit sections[1].palette[0].Name: overlaps another edit"},
		{"a list that grows and goes", func(e *Edit, root Tag) {
			e.Remove(root.Get("numbers"))
			e.Append(root.Get("numbers"), e.Short(1))
		}, ErrOverlap, ""},
		{"an empty compound that grows and goes", func(e *Edit, root Tag) {
			e.Replace(root.Get("inner"), e.Short(1))
			e.Set(root.Get("inner"), "a", e.Short(1))
		}, ErrOverlap, ""},
		{"an element twice", func(e *Edit, root Tag) {
			e.Remove(root.Get("numbers").At(1))
			e.SetElement(root.Get("numbers"), 1, e.Short(1))
		}, ErrOverlap, ""},
		{"another type", func(e *Edit, root Tag) { e.Append(root.Get("numbers"), e.Int(1)) },
			ErrElementType, "nbt: edit numbers: element of another type than its list"},
		{"another type in an array", func(e *Edit, root Tag) { e.SetElement(root.Get("ints"), 0, e.Byte(1)) }, ErrElementType, ""},
		{"the root's removal", func(e *Edit, root Tag) { e.Remove(root) }, ErrPlace, ""},
		{"no such member", func(e *Edit, root Tag) { e.Remove(root.Get("absent")) }, ErrPlace, ""},
		{"no such element", func(e *Edit, root Tag) { e.RemoveElement(root.Get("numbers"), 3) }, ErrPlace, "nbt: remove element numbers: no such place to edit"},
		{"no compound", func(e *Edit, root Tag) { e.Set(root.Get("numbers"), "a", e.Byte(1)) }, ErrPlace, ""},
		{"no list", func(e *Edit, root Tag) { e.Append(root, e.Byte(1)) }, ErrPlace, ""},
		{"another document", func(e *Edit, _ Tag) { e.Remove(other.Root().Get("int")) }, ErrPlace, ""},
		{"no value", func(e *Edit, root Tag) { e.Set(root, "a", Raw{}) }, ErrType, ""},
		{"half a number", func(e *Edit, root Tag) { e.Set(root, "a", Raw{TypeInt, []byte{1}}) },
			ErrTruncated, "nbt: set: offset 0 of the value: ends within a tag"},
		{"more than a value", func(e *Edit, root Tag) { e.Replace(root.Get("inner"), Raw{TypeByte, []byte{1, 2}}) },
			ErrTrailing, "nbt: replace inner: offset 1 of the value: bytes after the value's end"},
		{"a cut compound", func(e *Edit, root Tag) { e.Set(root, "a", Raw{TypeCompound, []byte{1, 0, 0, 5}}) }, ErrTruncated, ""},
		{"a string that is cut", func(e *Edit, root Tag) { e.Set(root, "a", Raw{TypeCompound, []byte{8, 0, 0, 0, 5, 0}}) }, ErrTruncated, ""},
		{"a long name", func(e *Edit, root Tag) { e.Set(root, strings.Repeat("x", 1<<16), e.Byte(1)) }, ErrStringLength, ""},
		{"a long string", func(e *Edit, root Tag) { e.Set(root, "x", e.String(strings.Repeat("\x00", 1<<15))) }, ErrStringLength, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := tape.Edit()
			c.edit(e, tape.Root())
			out, err := e.AppendTo([]byte("as it was"))
			if !errors.Is(err, c.err) || string(out) != "as it was" {
				t.Fatalf("got %q, %v, want %v", out, err, c.err)
			}
			if c.text != "" && err.Error() != c.text {
				t.Errorf("error %q, want %q", err, c.text)
			}
			if _, err := e.Size(); !errors.Is(err, c.err) {
				t.Errorf("Size: %v", err)
			}
			e.Reset(tape)
			if out, err := e.AppendTo(nil); err != nil || len(out) != tape.Size() {
				t.Errorf("after Reset: %v", err)
			}
		})
	}
}

// nest returns lists within lists.
func nest(depth int) Raw {
	data := bytes.Repeat([]byte{9, 0, 0, 0, 1}, depth-1)
	return Raw{TypeList, append(data, 0, 0, 0, 0, 0)}
}

func TestEditKeepsToTheLimits(t *testing.T) {
	data := document(t)
	try := func(limits Limits, mixed bool, edit func(e *Edit, root Tag)) error {
		tape := Tape{Limits: limits}
		if err := tape.Parse(data); err != nil {
			t.Fatal(err)
		}
		e := tape.Edit()
		e.Mixed = mixed
		edit(e, tape.Root())
		out, err := e.AppendTo(nil)
		if err == nil {
			err = tape.Parse(out)
			if err != nil {
				t.Errorf("the result is beyond the limits: %v", err)
			}
		}
		return err
	}
	for depth := range 3 {
		set := func(e *Edit, root Tag) { e.Set(root.Get("sections").At(0), "deep", nest(6+depth)) } // 3 levels above
		if err := try(Limits{Depth: 10}, false, set); (depth == 2) != errors.Is(err, ErrDepth) {
			t.Errorf("depth %d: %v", 3+6+depth, err)
		}
		in := func(e *Edit, root Tag) { e.Append(root.Get("nested"), nest(7+depth)) } // 2 levels above
		if err := try(Limits{Depth: 10}, false, in); (depth == 2) != errors.Is(err, ErrDepth) {
			t.Errorf("depth %d: %v", 2+7+depth, err)
		}
		wrap := func(e *Edit, root Tag) { e.Append(root.Get("numbers"), nest(6+depth)) } // 2 levels and a wrapper
		if err := try(Limits{Depth: 10}, true, wrap); (depth == 2) != errors.Is(err, ErrDepth) {
			t.Errorf("depth %d: %v", 3+6+depth, err)
		}
	}
	grow := func(e *Edit, root Tag) { e.Set(root, "byte", e.Short(1)) }
	if err := try(Limits{Bytes: len(data)}, false, grow); !errors.Is(err, ErrSize) {
		t.Errorf("one byte more: %v", err)
	}
	if err := try(Limits{Bytes: len(data) + 1}, false, grow); err != nil {
		t.Error(err)
	}
	tags := parsed(t, data).Len()
	more := func(e *Edit, root Tag) { e.Append(root.Get("strings"), e.String("")) }
	if err := try(Limits{Tags: tags}, false, more); !errors.Is(err, ErrTags) {
		t.Errorf("one tag more: %v", err)
	}
	if err := try(Limits{Tags: tags + 1}, false, more); err != nil {
		t.Error(err)
	}
}

func TestEditMakesMixedListsAndBack(t *testing.T) {
	tape := parsed(t, document(t))
	e := tape.Edit()
	e.Mixed = true
	numbers := tape.Root().Get("numbers")
	e.Insert(numbers, 1, e.String("text"))
	e.Append(numbers, Raw{TypeCompound, []byte{0}})
	e.Append(numbers, Raw{TypeCompound, []byte{1, 0, 0, 5, 0}}) // {"":5b}
	out, err := e.AppendTo(nil)
	if err != nil {
		t.Fatal(err)
	}
	mixed := parsed(t, out)
	list := mixed.Root().Get("numbers")
	if list.Elem() != TypeCompound || !list.Mixed() || list.Len() != 6 {
		t.Fatalf("numbers = %x", list.Raw())
	}
	var kinds []Type
	for i, item := range list.Items() {
		kinds = append(kinds, item.Type())
		if list.Item(i) != item {
			t.Errorf("Item(%d) is another", i)
		}
	}
	want := []Type{TypeShort, TypeString, TypeShort, TypeShort, TypeCompound, TypeCompound}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Errorf("types (-want +got):\n%s", diff)
	}
	if v, _ := list.Item(5).Get("").Int(); v != 5 {
		t.Errorf("the wrapper as a value: %x", list.Item(5).Raw())
	}

	// What stands in wrappers cannot be edited while they are taken off.
	for _, inside := range []func(e *Edit){
		func(e *Edit) { e.Set(list.At(0), "beside", e.Int(1)) },
		func(e *Edit) { e.Replace(list.Item(0), e.Int(1)) },
		func(e *Edit) { e.Remove(list.Item(0)) },
	} {
		e.Reset(mixed)
		removeOthers(e, list)
		inside(e)
		if _, err := e.AppendTo(nil); !errors.Is(err, ErrOverlap) {
			t.Errorf("edit of a wrapper that is taken off: %v", err)
		}
	}
	e.Reset(mixed)
	removeOthers(e, list)
	out, err = e.AppendTo(nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := parsed(t, out); !bytes.Equal(got.Root().Get("numbers").Raw().Data, numbers.Raw().Data) {
		t.Errorf("numbers = %x", got.Root().Get("numbers").Raw())
	}
}

// removeOthers removes what is no short from the mixed list.
func removeOthers(e *Edit, list Tag) {
	e.RemoveElement(list, 1)
	e.RemoveElement(list, 4)
	e.RemoveElement(list, 5)
}

func TestMixedListsAreThoseOfSeveralTypes(t *testing.T) {
	wrapped := func(kind Type, payload ...byte) []byte {
		return append(append([]byte{byte(kind), 0, 0}, payload...), 0)
	}
	for _, c := range []struct {
		name     string
		elements [][]byte
		want     bool
	}{
		{"none", nil, false},
		{"plain", [][]byte{{0}, {0}}, false},
		{"wrappers of one type", [][]byte{wrapped(TypeByte, 1), wrapped(TypeByte, 2)}, false},
		{"wrappers of two types", [][]byte{wrapped(TypeByte, 1), wrapped(TypeShort, 0, 2)}, true},
		{"a wrapper and a compound", [][]byte{{0}, wrapped(TypeByte, 1)}, true},
		{"a wrapped compound", [][]byte{{0}, wrapped(TypeCompound, 0)}, false},
		{"two empty names", [][]byte{{0}, {1, 0, 0, 5, 1, 0, 0, 5, 0}}, false},
	} {
		var w Writer
		w.BeginList(TypeCompound, len(c.elements))
		for _, e := range c.elements {
			w.Raw(Raw{TypeCompound, e})
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
		if got := tape.Root().Mixed(); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// A list of many elements, each edited: were each looked up from the start,
// this would take many seconds.
func TestEditsOfALongListTakeOneWalk(t *testing.T) {
	const n = 100_000
	var w Writer
	w.BeginList(TypeCompound, n)
	for range n {
		w.BeginCompound()
		w.Name("a").Int(1)
		w.End()
	}
	w.End()
	data, err := w.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	tape := new(Tape)
	if err := tape.ParseNetwork(data); err != nil {
		t.Fatal(err)
	}
	e := tape.Edit()
	list := tape.Root()
	empty := Raw{TypeCompound, []byte{0}}
	for i, element := range list.Elements() {
		switch i % 3 {
		case 0:
			e.SetElement(list, i, empty)
		case 1:
			e.Set(element, "b", empty)
		case 2:
			e.Remove(element)
		}
	}
	size, err := e.Size()
	if want := len(data) - 8*((n+2)/3) + 5*((n+1)/3) - 9*(n/3); err != nil || size != want {
		t.Errorf("Size %d, %v, want %d", size, err, want)
	}
}

// Where one tag ends and the next begins, what is added to either must not get
// into the other.
func TestEditsAtOnePlaceKeepToTheirTags(t *testing.T) {
	var w Writer
	w.BeginList(TypeList, 3)
	for i := range 3 {
		w.BeginList(TypeByte, i)
		for range i {
			w.Byte(int8(i))
		}
		w.End()
	}
	w.End()
	lists, err := w.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	w.Reset(nil)
	w.BeginList(TypeCompound, 2)
	for range 2 {
		w.BeginCompound()
		w.End()
	}
	w.End()
	compounds, err := w.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	one := Raw{TypeByte, []byte{9}}
	for _, c := range []struct {
		name string
		data []byte
		edit func(e *Edit, root Tag)
		want string
	}{
		{"in lists, between them and after them", lists, func(e *Edit, root Tag) {
			e.Append(root, Raw{TypeList, []byte{1, 0, 0, 0, 0}})
			e.Insert(root, 1, Raw{TypeList, []byte{1, 0, 0, 0, 0}})
			for i := range 3 {
				e.Append(root.At(i), one)
			}
		}, "0909 00000005 01 00000001 09 01 00000000 01 00000002 01 09 01 00000003 02 02 09 01 00000000"},
		{"the same in a list of several types", lists, func(e *Edit, root Tag) {
			e.Append(root, one)
			e.Insert(root, 1, one)
			for i := range 3 {
				e.Append(root.At(i), one)
			}
		}, "090a 00000005 090000 01 00000001 09 00 010000 09 00 090000 01 00000002 01 09 00 090000 01 00000003 02 02 09 00 010000 09 00"},
		{"in compounds, between them and after them", compounds, func(e *Edit, root Tag) {
			e.Set(root.At(1), "b", one)
			e.Set(root.At(0), "a", one)
			e.Insert(root, 1, Raw{TypeCompound, []byte{0}})
			e.Insert(root, 0, Raw{TypeCompound, []byte{0}})
			e.Append(root, Raw{TypeCompound, []byte{0}})
		}, "090a 00000005 00 01000161 09 00 00 01000162 09 00 00"},
		{"a list and its last element gone", lists, func(e *Edit, root Tag) {
			e.Remove(root.At(2).At(1))
			e.Append(root.At(2), one)
			e.Remove(root.At(1))
			e.Insert(root, 1, Raw{TypeList, []byte{1, 0, 0, 0, 0}})
		}, "0909 00000003 01 00000000 01 00000000 01 00000002 02 09"},
	} {
		var tape Tape
		if err := tape.ParseNetwork(c.data); err != nil {
			t.Fatal(err)
		}
		e := tape.Edit()
		e.Mixed = true
		c.edit(e, tape.Root())
		out, err := e.AppendTo(nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if diff := cmp.Diff(strings.ReplaceAll(c.want, " ", ""), hex.EncodeToString(out)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
