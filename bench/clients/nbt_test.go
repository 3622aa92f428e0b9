package clients

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"
)

// handmade is a document written out by hand.
type handmade struct {
	name   string
	form   Form
	digits string // the bytes, in hexadecimal
	want   Document
	// What a library is known to do otherwise when it reads and writes the
	// document again.
	prismarine, nbtify []Deviation
}

func (h handmade) deviations(lib Library) []Deviation {
	return map[Library][]Deviation{Prismarine: h.prismarine, NBTify: h.nbtify}[lib]
}

// in returns a document with one entry "a" in its root.
func in(v Value) Document { return Document{Root: Compound(Entry{"a", v})} }

// documents are written from the definition of the format: a type, a name
// after its 16-bit length, a payload; a compound is such tags up to a zero
// byte; a list has the type and the 32-bit count of its items.
func documents() []handmade {
	return []handmade{
		{name: "empty compound", form: File, digits: "0a 0000  00", want: Document{Root: Compound()}},
		{name: "root name", form: File, digits: "0a 0005 68656c6c6f  00", want: Document{Name: "hello", Root: Compound()}},
		{name: "without root name", form: Network, digits: "0a  00", want: Document{Root: Compound()}},
		{
			name: "every type", form: File, digits: `0a 0000
				01 0001 62  80
				02 0001 73  8000
				03 0001 69  80000000
				04 0001 6c  8000000000000000
				05 0001 66  3f800000
				06 0001 64  3ff0000000000000
				07 0002 6261  00000003 ff 00 7f
				08 0003 737472  0002 6869
				09 0004 6c697374  02 00000002 0001 ffff
				0a 0002 6364  01 0001 78 05 00
				0b 0002 6961  00000002 7fffffff fffffffe
				0c 0002 6c61  00000002 7fffffffffffffff fffffffffffffffe
				00`,
			want: Document{Root: Compound(
				Entry{"b", Byte(-128)}, Entry{"s", Short(-32768)}, Entry{"i", Int(math.MinInt32)}, Entry{"l", Long(math.MinInt64)},
				Entry{"f", Float(1)}, Entry{"d", Double(1)}, Entry{"ba", ByteArray(-1, 0, 127)}, Entry{"str", String("hi")},
				Entry{"list", List(TypeShort, Short(1), Short(-1))}, Entry{"cd", Compound(Entry{"x", Byte(5)})},
				Entry{"ia", IntArray(math.MaxInt32, -2)}, Entry{"la", LongArray(math.MaxInt64, -2)},
			)},
		},
		{
			name: "largest numbers", form: Network, digits: `0a
				01 0001 62  7f   02 0001 73  7fff   03 0001 69  7fffffff   04 0001 6c  7fffffffffffffff
				04 0001 6d  00000000ffffffff   04 0001 6e  ffffffff00000000
				05 0001 66  7f7fffff   05 0001 67  00000001   06 0001 64  7fefffffffffffff   06 0001 65  0000000000000001
				00`,
			want: Document{Root: Compound(
				Entry{"b", Byte(127)}, Entry{"s", Short(32767)}, Entry{"i", Int(math.MaxInt32)}, Entry{"l", Long(math.MaxInt64)},
				Entry{"m", Long(1<<32 - 1)}, Entry{"n", Long(-1 << 32)},
				Entry{"f", Float(math.MaxFloat32)}, Entry{"g", Float(math.SmallestNonzeroFloat32)},
				Entry{"d", Double(math.MaxFloat64)}, Entry{"e", Double(math.SmallestNonzeroFloat64)},
			)},
		},
		{
			name: "signed zeros and infinities", form: File, digits: `0a 0000
				05 0001 66  80000000   06 0001 64  8000000000000000
				05 0001 67  ff800000   06 0001 65  7ff0000000000000   00`,
			want: Document{Root: Compound(
				Entry{"f", Float(float32(math.Copysign(0, -1)))}, Entry{"d", Double(math.Copysign(0, -1))},
				Entry{"g", Float(float32(math.Inf(-1)))}, Entry{"e", Double(math.Inf(1))},
			)},
		},
		{
			name: "common NaNs", form: File, digits: "0a 0000  05 0001 66 7fc00000  06 0001 64 7ff8000000000000  00",
			want: Document{Root: Compound(
				Entry{"f", Value{Type: TypeFloat, Bits: 0x7fc00000}}, Entry{"d", Value{Type: TypeDouble, Bits: 0x7ff8000000000000}})},
		},
		{
			name: "NaNs with a payload", form: File, digits: "0a 0000  05 0001 66 7f800001  06 0001 64 fff0000000001234  00",
			want: Document{Root: Compound(
				Entry{"f", Value{Type: TypeFloat, Bits: 0x7f800001}}, Entry{"d", Value{Type: TypeDouble, Bits: 0xfff0000000001234}})},
			prismarine: []Deviation{NaNPayload}, nbtify: []Deviation{NaNPayload},
		},
		{
			name: "empty lists keep their type", form: File, digits: `0a 0000
				09 0001 61 00 00000000  09 0001 62 08 00000000  09 0001 63 0a 00000000  09 0001 64 09 00000000  00`,
			want: Document{Root: Compound(Entry{"a", List(TypeEnd)}, Entry{"b", List(TypeString)},
				Entry{"c", List(TypeCompound)}, Entry{"d", List(TypeList)})},
		},
		{
			name: "empty arrays, string and name", form: File, digits: `0a 0000
				07 0001 61 00000000  0b 0001 62 00000000  0c 0001 63 00000000  08 0000 0000  00`,
			want: Document{Root: Compound(Entry{"a", ByteArray()}, Entry{"b", IntArray()}, Entry{"c", LongArray()}, Entry{"", String("")})},
		},
		{
			name: "lists in lists", form: File, digits: `0a 0000  09 0001 61
				09 00000003
				  03 00000001 00000007
				  00 00000000
				  0a 00000002  01 0001 78 01 00  00
				00`,
			want: in(List(TypeList, List(TypeInt, Int(7)), List(TypeEnd), List(TypeCompound, Compound(Entry{"x", Byte(1)}), Compound()))),
		},
		{
			name: "lists of every other type", form: Network, digits: `0a
				09 0001 31  01 00000001 ff
				09 0001 34  04 00000001 ffffffffffffffff
				09 0001 35  05 00000001 bf800000
				09 0001 36  06 00000001 bff0000000000000
				09 0001 37  07 00000001 00000001 ff
				09 0001 38  08 00000002 0001 61 0000
				09 0002 3131  0b 00000001 00000001 ffffffff
				09 0002 3132  0c 00000001 00000001 ffffffffffffffff
				00`,
			want: Document{Root: Compound(
				Entry{"1", List(TypeByte, Byte(-1))}, Entry{"4", List(TypeLong, Long(-1))}, Entry{"5", List(TypeFloat, Float(-1))},
				Entry{"6", List(TypeDouble, Double(-1))}, Entry{"7", List(TypeByteArray, ByteArray(-1))},
				Entry{"8", List(TypeString, String("a"), String(""))},
				Entry{"11", List(TypeIntArray, IntArray(-1))}, Entry{"12", List(TypeLongArray, LongArray(-1))},
			)},
		},
		{
			name: "text of two and three bytes", form: File,
			digits: "0a 0002 c3a9  08 0003 e4b8ad 000b 7f c280 dfbf e0a080 efbfbd  00",
			want:   Document{Name: "é", Root: Compound(Entry{"中", String("\x7f\u0080\u07ff\u0800\ufffd")})},
		},
		{name: "NUL", form: File, digits: "0a 0000  08 0001 61 0004 78 c080 79  00", want: in(String("x\x00y")), prismarine: []Deviation{StringsAsUTF8}},
		{name: "pair of surrogates", form: File, digits: "0a 0000  08 0001 61 0006 eda0bd edb880  00", want: in(String("😀")), prismarine: []Deviation{StringsAsUTF8}},
		{
			name: "surrogates without a partner", form: File, digits: "0a 0000  08 0001 61 000a edb880 78 eda0bd edafbf  00",
			want: in(String("\xed\xb8\x80x\xed\xa0\xbd\xed\xaf\xbf")), prismarine: []Deviation{StringsAsUTF8},
		},
		{
			name: "names with NUL and a pair", form: File, digits: "0a 0002 c080  01 0006 eda0bd edb880 05  00",
			want: Document{Name: "\x00", Root: Compound(Entry{"😀", Byte(5)})}, prismarine: []Deviation{StringsAsUTF8},
		},
		{name: "byte order mark inside", form: File, digits: "0a 0000  08 0001 61 0004 78 efbbbf  00", want: in(String("x\ufeff"))},
		{name: "byte order mark in front", form: File, digits: "0a 0000  08 0001 61 0007 efbbbf efbbbf 78  00", want: in(String("\ufeff\ufeffx")), nbtify: []Deviation{ByteOrderMarkDropped}},
		{
			name: "name __proto__", form: File, digits: "0a 0000  0a 0009 5f5f70726f746f5f5f 01 0001 78 01 00  03 0001 61 00000002  00",
			want:       Document{Root: Compound(Entry{"__proto__", Compound(Entry{"x", Byte(1)})}, Entry{"a", Int(2)})},
			prismarine: []Deviation{ProtoNameLost}, nbtify: []Deviation{ProtoNameLost},
		},
		{
			name: "names of JavaScript's objects", form: File, digits: `0a 0000
				03 000b 636f6e7374727563746f72 00000001  08 0008 746f537472696e67 0001 78  01 0006 6c656e677468 02  00`,
			want: Document{Root: Compound(Entry{"constructor", Int(1)}, Entry{"toString", String("x")}, Entry{"length", Byte(2)})},
		},
		{
			name: "one name twice", form: File, digits: "0a 0000  01 0001 61 01  01 0001 62 02  01 0001 61 03  00",
			want:       Document{Root: Compound(Entry{"a", Byte(1)}, Entry{"b", Byte(2)}, Entry{"a", Byte(3)})},
			prismarine: []Deviation{NamesOnce}, nbtify: []Deviation{NamesOnce},
		},
		{
			name: "names that are indices", form: File, digits: "0a 0000  01 0001 62 01  01 0002 3130 02  01 0001 39 03  01 0002 3039 04  01 000a 34323934393637323935 05  00",
			want: Document{Root: Compound(Entry{"b", Byte(1)}, Entry{"10", Byte(2)}, Entry{"9", Byte(3)},
				Entry{"09", Byte(4)}, Entry{"4294967295", Byte(5)})},
			prismarine: []Deviation{IndexNamesFirst}, nbtify: []Deviation{IndexNamesFirst},
		},
		{
			name: "largest index", form: File, digits: "0a 0000  01 0001 62 01  01 000a 34323934393637323934 05  00",
			want:       Document{Root: Compound(Entry{"b", Byte(1)}, Entry{"4294967294", Byte(5)})},
			prismarine: []Deviation{IndexNamesFirst}, nbtify: []Deviation{IndexNamesFirst},
		},
		{
			name: "number above the indices", form: File, digits: "0a 0000  01 0001 62 01  01 000a 34323934393637323935 05  00",
			want: Document{Root: Compound(Entry{"b", Byte(1)}, Entry{"4294967295", Byte(5)})},
		},
		{name: "root list", form: File, digits: "09 0001 61  01 00000002 01 02", want: Document{Name: "a", Root: List(TypeByte, Byte(1), Byte(2))}},
		{name: "root list without name", form: Network, digits: "09  08 00000001 0001 61", want: Document{Root: List(TypeString, String("a"))}},
		{name: "root string", form: Network, digits: "08  0003 616263", want: Document{Root: String("abc")}, nbtify: []Deviation{ContainerRootOnly}},
		{name: "root int with name", form: File, digits: "03 0001 61  00000007", want: Document{Name: "a", Root: Int(7)}, nbtify: []Deviation{ContainerRootOnly}},
		{name: "nothing", form: Network, digits: "00", want: Document{Root: Value{Type: TypeEnd}}, nbtify: []Deviation{ContainerRootOnly}},
	}
}

// large are documents that no one writes by hand.
func large() []handmade {
	deep := String(Text(strings.Repeat("d", math.MaxUint16)))
	for range 256 {
		deep = Compound(Entry{"c", List(deep.Type, deep)})
	}
	var wide []Entry
	for i := range 5000 {
		wide = append(wide, Entry{Text("name" + strings.Repeat("x", i%7) + string(rune('A'+i%26)) + string(rune(0x4e00+i))), Int(int32(i))})
	}
	return []handmade{
		{name: "longest string", form: File, want: in(String(Text(strings.Repeat("x", math.MaxUint16))))},
		{name: "longest name of three bytes each", form: Network, want: Document{Root: Compound(Entry{Text(strings.Repeat("中", math.MaxUint16/3)), Byte(1)})}},
		{name: "512 levels", form: File, want: Document{Root: deep}},
		{name: "5000 entries", form: Network, want: Document{Root: Compound(wide...)}},
		{name: "long arrays", form: File, want: Document{Root: Compound(
			Entry{"b", ByteArray(make([]int8, 100000)...)}, Entry{"l", LongArray(slices.Repeat([]int64{math.MinInt64, -1, 1 << 53, 1<<53 + 1}, 1000)...)})}},
	}
}

func (h handmade) bytes(t testing.TB) []byte {
	if h.digits == "" {
		return binaryOf(h.form, h.want)
	}
	return bytesOf(t, h.digits)
}

func TestLibrariesReadHandmadeDocuments(t *testing.T) {
	judge := StartNBT(t)
	for _, h := range append(documents(), large()...) {
		for _, lib := range Libraries {
			t.Run(h.name+"/"+string(lib), func(t *testing.T) {
				data := h.bytes(t)
				if ours := binaryOf(h.form, h.want); !bytes.Equal(ours, data) {
					t.Fatalf("by hand %x, by our definition %x", data, ours)
				}
				if got := Deviations(Rewriting, lib, h.want); !slices.Equal(got, h.deviations(lib)) {
					t.Fatalf("deviations %v, want %v", got, h.deviations(lib))
				}
				checkRead(t, judge, lib, h.form, data, h.want)
				checkWrite(t, judge, lib, h.form, data, h.want)
				checkRewrite(t, judge, lib, h.form, data, h.want)
			})
		}
	}
}

// TestPrismarineReadsArraysOfAnyLength asks with a list of 2^24 end tags, which
// this library accepts: an array of that length would take 16 MiB a message.
func TestPrismarineReadsArraysOfAnyLength(t *testing.T) {
	data := bytesOf(t, "0a 0000  09 0001 61 00 01000000  00")
	got, err := StartNBT(t).Reencode(Prismarine, File, data)
	if err != nil || !bytes.Equal(got, data) {
		t.Errorf("%x became %x, %v", data, got, err)
	}
}

// checkRead compares what lib reads with what it is known to read, and that
// with what is right if there is no deviation, and only then.
func checkRead(t *testing.T, judge *NBT, lib Library, form Form, data []byte, want Document) {
	t.Helper()
	got, err := judge.Decode(lib, form, data)
	if known, ok := AsRead(lib, want); ok {
		if err != nil {
			t.Fatal(err)
		}
		if diff := DiffDocuments(got, known); diff != "" {
			t.Errorf("it read otherwise than known: %s", diff)
		}
	}
	right := err == nil && DiffDocuments(got, want) == ""
	if deviations := Deviations(Reading, lib, want); right != (len(deviations) == 0) {
		t.Errorf("read right: %v (%v), but its deviations are %v", right, err, deviations)
	}
}

// checkWrite compares what lib writes with the bytes if it can, otherwise
// asks the other library.
func checkWrite(t *testing.T, judge *NBT, lib Library, form Form, data []byte, want Document) {
	t.Helper()
	got, err := judge.Encode(lib, form, want)
	deviations := Deviations(Writing, lib, want)
	if len(deviations) > 0 {
		if err == nil && bytes.Equal(got, data) {
			t.Errorf("written right, but its deviations are %v", deviations)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if rewriting := Deviations(Rewriting, lib, want); slices.Contains(rewriting, IndexNamesFirst) || slices.Contains(rewriting, NaNPayload) {
		other := Libraries[(slices.Index(Libraries[:], lib)+1)%len(Libraries)]
		checkRead(t, judge, other, form, got, want)
		return
	}
	if !bytes.Equal(got, data) {
		t.Errorf("wrote %.200x, want %.200x", got, data)
	}
}

// checkRewrite compares bytes with bytes. That a NaN keeps its payload is no
// error: it only need not.
func checkRewrite(t *testing.T, judge *NBT, lib Library, form Form, data []byte, want Document) {
	t.Helper()
	got, err := judge.Reencode(lib, form, data)
	same := err == nil && bytes.Equal(got, data)
	deviations := Deviations(Rewriting, lib, want)
	if same != (len(deviations) == 0) && !slices.Contains(deviations, NaNPayload) {
		t.Errorf("rewritten unchanged: %v (%.200x, %v), but its deviations are %v", same, got, err, deviations)
	}
}
