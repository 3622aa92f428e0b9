package nbt

import (
	"math/rand/v2"
	"testing"

	"strata/bench/testbed"
)

const (
	stormMixed   = 1 << iota // lists of several types
	stormNetwork             // a document without a name
	stormWild                // what is in wrappers is edited too, and just the result's soundness looked at
	stormEdits   = iota      // the other bits say how many edits
)

// storm makes up to n edits on a document and compares with the oracle. next
// returns numbers from 0 up to below its argument.
func storm(tb testing.TB, tape *Tape, n int, options uint8, next func(n int) int) {
	tb.Helper()
	e := tape.Edit()
	e.Mixed = options&stormMixed != 0
	o := newOracle(tape.Root(), e.Mixed)
	o.wild = options&stormWild != 0
	if o.root == nil {
		return
	}
	for range n {
		stormEdit(e, o, next)
		if !o.wild && next(8) == 7 { // a look at the result so far
			if o.check(tb, e); e.err != nil {
				return
			}
		}
	}
	if e.Err() != nil {
		tb.Fatal(e.Err())
	}
	if o.wild {
		if out, err := e.AppendTo(nil); err == nil {
			o.parses(tb, e, out)
		}
		return
	}
	o.check(tb, e)
}

func stormEdit(e *Edit, o *oracle, next func(n int) int) {
	node := o.all[next(len(o.all))]
	value := stormValue(e, next)
	if next(3) > 0 && node.tag.kind != TypeEnd {
		value = o.all[next(len(o.all))].tag.Raw() // of the document itself
	}
	if p := node.parent; p != nil && (p.tag.kind.Array() || p.tag.kind == TypeList && next(4) > 0) {
		// Usually of its list's type.
		value = p.kids[next(len(p.kids))].tag.Raw()
	}
	if o.mixed && !o.wild && (oracleUnwrap(node) != node || node.parent != nil && oracleUnwrap(node.parent) == node) {
		return // wrappers and what they hold are edited through their list
	}
	switch kind := node.tag.kind; {
	case next(3) == 0 && node.parent != nil:
		if node.parent.tag.kind.Array() || next(2) == 0 {
			e.Remove(node.tag)
			o.remove(node)
			return
		}
		e.Replace(node.tag, value)
		o.change(node, value)
	case kind == TypeCompound:
		stormMembers(e, o, node, value, next)
	case kind == TypeList || kind.Array():
		stormItems(e, o, node, value, next)
	default:
		e.Replace(node.tag, value)
		o.change(node, value)
	}
}

func stormMembers(e *Edit, o *oracle, node *oracleNode, value Raw, next func(n int) int) {
	names := []string{"new", "größer\x00", "a", "😀", ""}
	name := names[next(len(names))]
	if len(node.kids) > 0 && next(2) == 0 {
		name = text(node.kids[next(len(node.kids))].name)
		if next(4) == 0 {
			if !e.RemoveMember(node.tag, name) {
				panic("no member " + name)
			}
			for _, kid := range node.kids {
				if text(kid.name) == name {
					o.remove(kid)
				}
			}
			return
		}
	}
	e.Set(node.tag, name, value)
	o.set(node, name, value)
}

func stormItems(e *Edit, o *oracle, node *oracleNode, value Raw, next func(n int) int) {
	if len(node.kids) > 0 && (node.tag.kind.Array() || next(4) > 0) {
		value = node.kids[next(len(node.kids))].tag.Raw()
	} else if node.tag.kind.Array() {
		value = map[Type]Raw{TypeByteArray: e.Byte(1), TypeIntArray: e.Int(2), TypeLongArray: e.Long(3)}[node.tag.kind]
	}
	switch at := next(len(node.kids) + 1); {
	case at == len(node.kids) || next(2) == 0:
		if at == len(node.kids) && next(2) == 0 {
			e.Append(node.tag, value)
		} else {
			e.Insert(node.tag, at, value)
		}
		node.before[at] = append(node.before[at], value)
	case next(2) == 0:
		e.SetElement(node.tag, at, value)
		o.change(node.kids[at], value)
	default:
		e.RemoveElement(node.tag, at)
		o.remove(node.kids[at])
	}
}

func stormValue(e *Edit, next func(n int) int) Raw {
	switch next(8) {
	case 0:
		return e.Byte(5)
	case 1:
		return e.Double(-0.5)
	case 2:
		return e.String("text\x00")
	case 3:
		return Raw{TypeCompound, []byte{0}}
	case 4:
		return Raw{TypeCompound, []byte{1, 0, 0, 7, 0}} // {"":7b}
	case 5:
		return Raw{TypeList, []byte{1, 0, 0, 0, 1, 9}}
	case 6:
		return Raw{TypeIntArray, []byte{0, 0, 0, 1, 0, 0, 0, 9}}
	}
	return e.Int(1 << 20)
}

// generate writes a tag of any type and shape.
func generate(w *Writer, rng *rand.Rand, kind Type, depth int) {
	switch kind {
	case TypeByte:
		w.Byte(int8(rng.Int()))
	case TypeShort:
		w.Short(int16(rng.Int()))
	case TypeInt:
		w.Int(int32(rng.Int()))
	case TypeLong:
		w.Long(rng.Int64())
	case TypeFloat:
		w.Float(rng.Float32())
	case TypeDouble:
		w.Double(rng.Float64())
	case TypeByteArray:
		w.ByteArray(make([]byte, rng.IntN(5)))
	case TypeString:
		w.String([]string{"", "x", "größe", "\x00😀"}[rng.IntN(4)])
	case TypeIntArray:
		w.IntArray(make([]int32, rng.IntN(4)))
	case TypeLongArray:
		w.LongArray(make([]int64, rng.IntN(4)))
	case TypeList:
		n := rng.IntN(5)
		elem := generatedType(rng, depth)
		w.BeginList(elem, n)
		for range n {
			generate(w, rng, elem, depth-1)
		}
		w.End()
	case TypeCompound:
		w.BeginCompound()
		n := rng.IntN(5)
		if n == 4 { // perhaps a wrapper
			w.Name("")
			generate(w, rng, generatedType(rng, depth), depth-1)
			n = 0
		}
		for range n {
			w.Name([]string{"", "a", "b", "größer\x00", "some longer name"}[rng.IntN(5)])
			generate(w, rng, generatedType(rng, depth), depth-1)
		}
		w.End()
	}
}

func generatedType(rng *rand.Rand, depth int) Type {
	if depth > 0 && rng.IntN(2) == 0 {
		return []Type{TypeCompound, TypeList}[rng.IntN(2)]
	}
	if depth <= 0 {
		return []Type{TypeByte, TypeInt, TypeString, TypeIntArray, TypeLong, TypeByteArray}[rng.IntN(6)]
	}
	return Type(1 + rng.IntN(12))
}

func generateDocument(tb testing.TB, rng *rand.Rand, rooted bool) []byte {
	tb.Helper()
	var w Writer
	if rooted {
		w.Name([]string{"", "root"}[rng.IntN(2)])
	}
	kind := TypeCompound
	if rng.IntN(4) == 0 {
		kind = Type(1 + rng.IntN(12))
	}
	generate(&w, rng, kind, 5)
	data, err := w.Bytes()
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func TestEditsOfGeneratedDocumentsEqualTheOracles(t *testing.T) {
	rng := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 1))
	var tape Tape
	for range testbed.Runs(t, 6000) {
		rooted := rng.IntN(2) == 0
		data := generateDocument(t, rng, rooted)
		var err error
		if rooted {
			err = tape.Parse(data)
		} else {
			err = tape.ParseNetwork(data)
		}
		if err != nil {
			t.Fatal(err)
		}
		storm(t, &tape, 1+rng.IntN(4), uint8(rng.IntN(8)), rng.IntN)
	}
}

func TestEditsOfChunksEqualTheOracles(t *testing.T) {
	chunks := corpusChunks(t)
	rng := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 2))
	var tape Tape
	for range testbed.Runs(t, 15) {
		if err := tape.Parse(chunks[rng.IntN(len(chunks))]); err != nil {
			t.Fatal(err)
		}
		storm(t, &tape, 1+rng.IntN(60), uint8(rng.IntN(8)), rng.IntN)
	}
}

// FuzzEdit makes edits that the input chooses on a document that it is.
func FuzzEdit(f *testing.F) {
	f.Add(document(f), []byte{1, 2, 3, 4, 5, 6, 7, 8, 9}, uint8(0))
	f.Add(document(f), []byte("edit of a document with several tags"), uint8(0x29))
	f.Add([]byte{9, 10, 0, 0, 0, 2, 1, 0, 0, 5, 0, 8, 0, 0, 0, 0, 0}, []byte{0, 0, 1, 1, 0, 0, 2}, uint8(3)) // [5b,""]
	f.Fuzz(func(t *testing.T, data, choices []byte, options uint8) {
		if len(data) > 1<<10 || len(choices) > 64 {
			return
		}
		var tape Tape
		var err error
		if options&stormNetwork == 0 {
			err = tape.Parse(data)
		} else {
			err = tape.ParseNetwork(data)
		}
		if err != nil {
			return
		}
		storm(t, &tape, 1+int(options>>stormEdits)%8, options, func(n int) int {
			if len(choices) == 0 {
				return 0
			}
			c := int(choices[0])
			choices = choices[1:]
			return c % n
		})
	})
}
