package clients

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"strata/bench/testbed"
)

// TestLibrariesReadRandomDocuments holds the model of the deviations against
// documents that no one chose.
func TestLibrariesReadRandomDocuments(t *testing.T) {
	judge := StartNBT(t)
	seed := testbed.Seed(t)
	for i := range testbed.Runs(t, 200) {
		g := generator{rand.New(rand.NewPCG(uint64(seed), uint64(i)))}
		want := Document{Root: g.value(TypeCompound, 5)}
		form := Network
		if g.IntN(2) == 0 {
			form, want.Name = File, g.text()
		}
		data := binaryOf(form, want)
		for _, lib := range Libraries {
			checkRead(t, judge, lib, form, data, want)
			checkWrite(t, judge, lib, form, data, want)
			checkRewrite(t, judge, lib, form, data, want)
			if t.Failed() {
				t.Fatalf("document %d, %s, %s: %x", i, form, lib, data)
			}
		}
	}
}

type generator struct{ *rand.Rand }

// texts are put together to strings and names. Most are harmless, or few
// documents would be without a deviation.
var texts = []Text{"a", "b", "minecraft:", "_", "7", "10", " ", "\"", "\\", "\n", "é", "中", "\u2028", "x", "y", "z"}

var oddTexts = []Text{"\x00", "😀", "\xed\xa0\xbd", "\ufeff", "__proto__", "constructor"}

func (g generator) text() Text {
	text := Text("")
	for range g.IntN(4) {
		text += texts[g.IntN(len(texts))]
		if g.IntN(40) == 0 {
			text += oddTexts[g.IntN(len(oddTexts))]
		}
	}
	return text
}

// typ returns the type of a value that may hold levels more of containers.
func (g generator) typ(levels int) Type {
	for {
		t := Types[1+g.IntN(len(Types)-1)]
		if levels > 0 || t != TypeList && t != TypeCompound {
			return t
		}
	}
}

// number returns an integer of any size.
func (g generator) number() int64 { return int64(g.Uint64()) >> g.IntN(64) }

func (g generator) value(t Type, levels int) Value {
	switch t {
	case TypeByte:
		return Byte(int8(g.number()))
	case TypeShort:
		return Short(int16(g.number()))
	case TypeInt:
		return Int(int32(g.number()))
	case TypeLong:
		return Long(g.number())
	case TypeFloat:
		return Float(math.Float32frombits(g.Uint32()))
	case TypeDouble:
		return Double(math.Float64frombits(g.Uint64()))
	case TypeString:
		return String(g.text())
	case TypeByteArray, TypeIntArray, TypeLongArray:
		return g.array(t)
	case TypeList:
		return g.list(levels - 1)
	}
	v := Compound()
	for i := range g.IntN(8) {
		name := g.text()
		if g.IntN(4) > 0 {
			name += Text(fmt.Sprintf("-%d", i)) // not twice, and no index
		}
		v.Entries = append(v.Entries, Entry{name, g.value(g.typ(levels-1), levels-1)})
	}
	return v
}

func (g generator) array(t Type) Value {
	v := Value{Type: t, Numbers: make([]int64, g.IntN(5))}
	for i := range v.Numbers {
		switch n := g.number(); t {
		case TypeByteArray:
			v.Numbers[i] = int64(int8(n))
		case TypeIntArray:
			v.Numbers[i] = int64(int32(n))
		default:
			v.Numbers[i] = n
		}
	}
	return v
}

func (g generator) list(levels int) Value {
	n := g.IntN(4)
	v := List(g.typ(levels))
	if n == 0 && g.IntN(2) == 0 {
		v.Of = TypeEnd
	}
	for range n {
		v.Items = append(v.Items, g.value(v.Of, levels))
	}
	return v
}
