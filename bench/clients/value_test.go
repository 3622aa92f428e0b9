package clients

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

func TestDiffNamesTheFirstDifference(t *testing.T) {
	want := Document{Name: "r", Root: Compound(
		Entry{"n", Int(1)}, Entry{"s", String("x")}, Entry{"f", Float(0)}, Entry{"d", Double(1)},
		Entry{"l", List(TypeList, List(TypeEnd), List(TypeByte, Byte(1), Byte(2)))}, Entry{"a", LongArray(1, 2)},
	)}
	with := func(name Text, v Value) Document {
		d := Document{Name: "r"}
		d.Root = Compound(want.Root.Entries...)
		d.Root.Entries = append([]Entry{}, want.Root.Entries...)
		for i := range d.Root.Entries {
			if d.Root.Entries[i].Name == name {
				d.Root.Entries[i].Value = v
			}
		}
		return d
	}
	for _, tc := range []struct {
		got  Document
		want string
	}{
		{with("", Value{}), ""},
		{Document{Name: "q", Root: want.Root}, `root name "q", want "r"`},
		{with("n", Int(2)), `root."n": int 2, want 1`},
		{with("n", Short(1)), `root."n": type short, want int`},
		{with("s", String("y")), `root."s": "y", want "x"`},
		{with("f", Float(float32(math.Copysign(0, -1)))), `root."f": float of bits 80000000, want 0`},
		{with("d", Double(math.NaN())), `root."d": double of bits`},
		{with("l", List(TypeList, List(TypeInt), List(TypeByte, Byte(1), Byte(2)))), `root."l"[0]: list of int, want of end`},
		{with("l", List(TypeList, List(TypeEnd), List(TypeByte, Byte(1), Byte(3)))), `root."l"[1][1]: byte 3, want 2`},
		{with("l", List(TypeList, List(TypeEnd))), `root."l": 1 items, want 2`},
		{with("a", LongArray(1, 3)), `root."a"[1]: 3, want 2`},
		{with("a", LongArray(1)), `root."a": 1 elements, want 2`},
		{Document{Name: "r", Root: Compound(want.Root.Entries[1:]...)}, `root."n": missing`},
		{Document{Name: "r", Root: Compound(append([]Entry{{"n", Int(1)}}, want.Root.Entries...)...)}, `root."n": not wanted`},
	} {
		if got := DiffDocuments(tc.got, want); !strings.HasPrefix(got, tc.want) || (tc.want == "") != (got == "") {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}

func TestDiffKnowsNoOrderOfNamesAndOneNaN(t *testing.T) {
	quiet, other := Value{Type: TypeFloat, Bits: 0x7fc00000}, Value{Type: TypeFloat, Bits: 0xffc12345}
	a := Compound(Entry{"x", quiet}, Entry{"y", Byte(1)}, Entry{"y", Byte(2)})
	if diff := Diff(a, Compound(Entry{"y", Byte(1)}, Entry{"x", other}, Entry{"y", Byte(2)})); diff != "" {
		t.Error(diff)
	}
	if diff := Diff(a, Compound(Entry{"x", quiet}, Entry{"y", Byte(2)}, Entry{"y", Byte(1)})); diff == "" {
		t.Error("two entries of one name changed places, and Diff found nothing")
	}
}

func TestValuesKeepTheirJSON(t *testing.T) {
	for _, h := range documents() {
		data, err := json.Marshal(h.want.Root)
		if err != nil {
			t.Fatal(err)
		}
		var back Value
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatal(err)
		}
		if again := must(json.Marshal(back)); string(again) != string(data) || Diff(back, h.want.Root) != "" {
			t.Errorf("%s: %s became %s", h.name, data, again)
		}
	}
}

func TestDamagedJSONIsAnError(t *testing.T) {
	for _, text := range []string{
		`{}`, `{"type":"word","value":1}`, `{"type":"byte"}`, `{"type":"byte","value":128}`, `{"type":"short","value":32768}`,
		`{"type":"int","value":2147483648}`, `{"type":"int","value":1.5}`, `{"type":"long","value":1}`,
		`{"type":"long","value":"9223372036854775808"}`, `{"type":"float","value":"100000000"}`, `{"type":"double","value":""}`,
		`{"type":"string","value":1}`, `{"type":"string","value":{"utf16":"d8"}}`, `{"type":"byteArray","value":[256]}`,
		`{"type":"longArray","value":[1]}`, `{"type":"list","value":{}}`, `{"type":"compound","value":[1]}`,
	} {
		var v Value
		if err := json.Unmarshal([]byte(text), &v); err == nil {
			t.Errorf("%s became %v", text, v)
		}
	}
	if _, err := json.Marshal(Value{Type: "word"}); err == nil {
		t.Error("a value of an unknown type was written")
	}
	if _, err := json.Marshal(String("\xff")); err == nil {
		t.Error("a text that is none was written")
	}
}
