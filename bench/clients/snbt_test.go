package clients

import (
	"errors"
	"math"
	"slices"
	"testing"
)

func TestNBTifyPrintsSNBT(t *testing.T) {
	judge := StartNBT(t)
	negative := math.Copysign(0, -1)
	for _, tc := range []struct {
		want       Text
		root       Value
		deviations []Deviation
	}{
		{`{}`, Compound(), nil},
		{`{a:1b,b:-2s,c:3,d:4l}`, Compound(Entry{"a", Byte(1)}, Entry{"b", Short(-2)}, Entry{"c", Int(3)}, Entry{"d", Long(4)}), nil},
		{`{f:1.5f,g:2.0f,d:0.1d,e:1e+21d,h:5e-324d}`, Compound(Entry{"f", Float(1.5)}, Entry{"g", Float(2)},
			Entry{"d", Double(0.1)}, Entry{"e", Double(1e21)}, Entry{"h", Double(math.SmallestNonzeroFloat64)}), nil},
		{`{a:[B;1b,-1b],b:[I;],c:[L;5l]}`, Compound(Entry{"a", ByteArray(1, -1)}, Entry{"b", IntArray()}, Entry{"c", LongArray(5)}), nil},
		{`["x",'"',"\"'\\\n"]`, List(TypeString, String("x"), String(`"`), String("\"'\\\n")), nil},
		{`{"":[],"a b":{x:[[],[1]]},a-b.c+d_e:"é中😀"}`, Compound(Entry{"", List(TypeInt)},
			Entry{"a b", Compound(Entry{"x", List(TypeList, List(TypeEnd), List(TypeInt, Int(1)))})}, Entry{"a-b.c+d_e", String("é中😀")}), nil},
		{`{a:0.0f,b:0.0d}`, Compound(Entry{"a", Float(float32(negative))}, Entry{"b", Double(negative)}), []Deviation{PrintsZeroUnsigned}},
		{`{a:NaNf,b:Infinityd}`, Compound(Entry{"a", Float(float32(math.NaN()))}, Entry{"b", Double(math.Inf(1))}), []Deviation{PrintsWords}},
		{`{a:1.1805916207174113e+21.0f}`, Compound(Entry{"a", Float(1 << 70)}), []Deviation{PrintsBrokenFloat}},
	} {
		document := Document{Root: tc.root}
		got, err := judge.PrintSNBT(Network, binaryOf(Network, document))
		if err != nil || got != tc.want {
			t.Errorf("printed %s, %v; want %s", got, err, tc.want)
		}
		if deviations := Deviations(Printing, NBTify, document); !slices.Equal(deviations, tc.deviations) {
			t.Errorf("%s: deviations %v, want %v", tc.want, deviations, tc.deviations)
		}
		back, err := judge.ParseSNBT(got)
		same := err == nil && Diff(untyped(back), untyped(tc.root)) == ""
		if same != (len(tc.deviations) == 0) {
			t.Errorf("%s: read back the same: %v (%v)", tc.want, same, err)
		}
	}
	var refusal *Refusal
	if _, err := judge.PrintSNBT(Network, binaryOf(Network, Document{Root: Int(1)})); !errors.As(err, &refusal) {
		t.Errorf("error %v, want a refusal", err)
	}
}

// untyped forgets the types of empty lists, which SNBT does not say.
func untyped(v Value) Value {
	items := make([]Value, len(v.Items))
	for i, item := range v.Items {
		items[i] = untyped(item)
	}
	entries := make([]Entry, len(v.Entries))
	for i, entry := range v.Entries {
		entries[i] = Entry{entry.Name, untyped(entry.Value)}
	}
	v.Items, v.Entries = items, entries
	if v.Type == TypeList && len(items) == 0 {
		v.Of = TypeEnd
	}
	return v
}

// TestNBTifyParsesSNBTAfterForNBTify also parses the texts as they stand, so
// that ForNBTify does nothing that is not needed.
func TestNBTifyParsesSNBTAfterForNBTify(t *testing.T) {
	judge := StartNBT(t)
	for _, tc := range []struct {
		text, adapted Text // adapted is empty where NBTify knows the text
		want          Value
	}{
		{`{}`, "", Compound()},
		{`{a:1b, b:-2S , c:3 ,d:4L}`, "", Compound(Entry{"a", Byte(1)}, Entry{"b", Short(-2)}, Entry{"c", Int(3)}, Entry{"d", Long(4)})},
		{`{a:9223372036854775807L,b:true,c:false}`, "", Compound(Entry{"a", Long(math.MaxInt64)}, Entry{"b", Byte(1)}, Entry{"c", Byte(0)})},
		{`{a:1.5f,b:1.5,c:1.,d:-0.0f,e:-0.0}`, "", Compound(Entry{"a", Float(1.5)}, Entry{"b", Double(1.5)}, Entry{"c", Double(1)},
			Entry{"d", Float(float32(math.Copysign(0, -1)))}, Entry{"e", Double(math.Copysign(0, -1))})},
		{`{"a b":'x"y',"q\"r":"\\\t\n'"}`, "", Compound(Entry{"a b", String(`x"y`)}, Entry{`q"r`, String("\\\t\n'")})},
		{`{a:[I;1,-2],b:[I;],c:[L;],d:[B;1b]}`, "", Compound(Entry{"a", IntArray(1, -2)}, Entry{"b", IntArray()}, Entry{"c", LongArray()}, Entry{"d", ByteArray(1)})},
		{`[{a:[]},{b:[[1,2],[3]]}]`, "", List(TypeCompound, Compound(Entry{"a", List(TypeEnd)}),
			Compound(Entry{"b", List(TypeList, List(TypeInt, Int(1), Int(2)), List(TypeInt, Int(3)))}))},
		{`{a:hello,b:5x}`, "", Compound(Entry{"a", String("hello")}, Entry{"b", String("5x")})},

		{`{a:[B;1B,-12B]}`, `{a:[B;1b,-12b]}`, Compound(Entry{"a", ByteArray(1, -12)})},
		{`{a:[L; 1L, -12L ]}`, `{a:[L; 1l, -12l ]}`, Compound(Entry{"a", LongArray(1, -12)})},
		{`{a:[B;1,12],b:[L;34]}`, `{a:[B;1b,12b],b:[L;34l]}`, Compound(Entry{"a", ByteArray(1, 12)}, Entry{"b", LongArray(34)})},
		{`{a:1.5E3d,b:1.0E-10,c:-2.5E+4f}`, `{a:1.5e3d,b:1.0e-10d,c:-2.5e+4f}`, Compound(Entry{"a", Double(1500)}, Entry{"b", Double(1e-10)}, Entry{"c", Float(-25000)})},
		{`{a:.5,b:-.5f,c:+5,d:+6b,e:1e5}`, `{a:0.5,b:-0.5f,c:5,d:6b,e:1e5d}`, Compound(Entry{"a", Double(0.5)}, Entry{"b", Float(-0.5)},
			Entry{"c", Int(5)}, Entry{"d", Byte(6)}, Entry{"e", Double(100000)})},
		{`{a:"\x41\u00e9\U0001F600\s\x22\u005c"}`, `{a:"Aé😀 \"\\"}`, Compound(Entry{"a", String(`Aé😀 "\`)})},
	} {
		adapted := tc.adapted
		if adapted == "" {
			adapted = tc.text
		}
		if got := ForNBTify(tc.text); got != adapted {
			t.Errorf("%s became %s, want %s", tc.text, got, adapted)
		}
		got, err := judge.ParseSNBT(adapted)
		if diff := Diff(got, tc.want); err != nil || diff != "" {
			t.Errorf("%s: %v %s", adapted, err, diff)
		}
		if tc.adapted != "" {
			if raw, err := judge.ParseSNBT(tc.text); err == nil && Diff(raw, tc.want) == "" {
				t.Errorf("%s needs no rewriting any more", tc.text)
			}
		}
	}
}

func TestForNBTifyLeavesAloneWhatOnlyLooksLikeNumbers(t *testing.T) {
	for _, text := range []Text{
		`{1E5:1,".5":"[B;1B]",'a':'1E5 \'[L;2L]'}`, `{a:E5,b:[";"],c:[l,";1L"],d:1E,e:x1E5}`,
		`{a:"\n\\x41\\",b:"\x4"}`, `{"a`, `[B;`, `"\`, `"\x`, ``, `é:1`, "\"\xed\xa0\xbd\"",
	} {
		if got := ForNBTify(text); got != text {
			t.Errorf("%+q became %+q", text, got)
		}
	}
}

// TestNBTifyMisreadsSomeSNBT keeps the list in snbt.go true.
func TestNBTifyMisreadsSomeSNBT(t *testing.T) {
	judge := StartNBT(t)
	for _, tc := range []struct {
		text Text
		want Value
	}{
		{`{a:trueish}`, Compound(Entry{"a", Byte(0)})},
		{`{a:0x10,b:1_000,c:1ub}`, Compound(Entry{"a", String("0x10")}, Entry{"b", String("1_000")}, Entry{"c", String("1ub")})},
		{`{a:2147483648,b:128b}`, Compound(Entry{"a", Int(math.MinInt32)}, Entry{"b", Byte(-128)})},
		{`{a:1}x`, Compound(Entry{"a", Int(1)})},
		{`{a:"\N{Bullet}"}`, Compound(Entry{"a", String(`\N{Bullet}`)})},
	} {
		got, err := judge.ParseSNBT(ForNBTify(tc.text))
		if diff := Diff(got, tc.want); err != nil || diff != "" {
			t.Errorf("%s: %v %s", tc.text, err, diff)
		}
	}
	for _, text := range []Text{`{a:[1,2b]}`, `5`, `"x"`, `[I;1]`, `{__proto__:1}`} {
		var refusal *Refusal
		if got, err := judge.ParseSNBT(text); !errors.As(err, &refusal) {
			t.Errorf("%s became %v, %v; want a refusal", text, got, err)
		}
	}
}
