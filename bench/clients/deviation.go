package clients

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Deviation is one way in which a library departs from the format, or loses
// what the format can say.
type Deviation string

// The deviations that a sound document can run into.
const (
	// StringsAsUTF8: prismarine-nbt takes modified UTF-8 for UTF-8. What it
	// reads where they differ (NUL and all surrogates) is U+FFFD for each
	// byte, and it writes what other readers refuse.
	StringsAsUTF8 Deviation = "strings-as-utf-8"
	// ByteOrderMarkDropped: NBTify leaves out U+FEFF at the start of a name
	// or string that it reads. It writes it.
	ByteOrderMarkDropped Deviation = "byte-order-mark-dropped"
	// ContainerRootOnly: NBTify knows no document but a compound or a list;
	// the network form has all types, and TypeEnd for nothing.
	ContainerRootOnly Deviation = "container-root-only"
	// ProtoNameLost: both put what they read under "__proto__" where
	// JavaScript keeps an object's class. The entry is lost, and its siblings
	// may be misread. Both write it.
	ProtoNameLost Deviation = "proto-name-lost"
	// NamesOnce: an object has a name once. Of two entries with one name both
	// read the second value at the first place, and they cannot write two.
	NamesOnce Deviation = "names-once"
	// IndexNamesFirst: JavaScript keeps names that are indices of arrays
	// ("0", "17") before all others and in the order of the numbers.
	IndexNamesFirst Deviation = "index-names-first"
	// NaNPayload: both may change the bits of a NaN that is not the common
	// one. They keep most of them, but for those that are signalling.
	NaNPayload Deviation = "nan-payload"
	// PrintsZeroUnsigned: NBTify prints -0 as 0.
	PrintsZeroUnsigned Deviation = "prints-zero-unsigned"
	// PrintsWords: NBTify prints NaN and infinities as words with the suffix
	// of a number. SNBT has no such numbers: read again, they are strings.
	PrintsWords Deviation = "prints-words"
	// PrintsBrokenFloat: NBTify prints a whole float from 1e21 on as
	// "1e+21.0f", which is no number.
	PrintsBrokenFloat Deviation = "prints-broken-float"
)

// Op is what a library does with a document.
type Op string

// The operations that deviations are known of.
const (
	Reading   Op = "reading"   // Decode
	Writing   Op = "writing"   // Encode
	Rewriting Op = "rewriting" // Reencode
	Printing  Op = "printing"  // PrintSNBT, of NBTify
)

// concerns says for each op which deviations change its result: for Reading
// and Writing as Diff sees it, for Rewriting in any byte, for Printing as far
// as a reader of SNBT sees it.
var concerns = map[Op][]Deviation{
	Reading:   {StringsAsUTF8, ByteOrderMarkDropped, ContainerRootOnly, ProtoNameLost, NamesOnce},
	Writing:   {StringsAsUTF8, ContainerRootOnly, NamesOnce},
	Rewriting: {StringsAsUTF8, ByteOrderMarkDropped, ContainerRootOnly, ProtoNameLost, NamesOnce, IndexNamesFirst, NaNPayload},
	Printing: {
		ByteOrderMarkDropped, ContainerRootOnly, ProtoNameLost, NamesOnce,
		PrintsZeroUnsigned, PrintsWords, PrintsBrokenFloat,
	},
}

// Deviations returns the deviations that lib runs into when it does op with
// the document. When there are none, its result must be right: what it read
// or wrote is the document, what it rewrote is the same bytes, and what it
// printed means the root.
func Deviations(op Op, lib Library, document Document) []Deviation {
	m := model{lib: lib}
	m.document(document)
	return slices.DeleteFunc(m.met, func(d Deviation) bool { return !slices.Contains(concerns[op], d) })
}

// AsRead returns what lib is known to read from a document that truly holds
// this one, and true. It returns false when nothing can be said of that: the
// library refuses the document, or garbles it.
func AsRead(lib Library, document Document) (Document, bool) {
	m := model{lib: lib}
	seen := m.document(document)
	return seen, !slices.Contains(m.met, ContainerRootOnly) && !slices.Contains(m.met, ProtoNameLost)
}

// model follows what a library makes of a document.
type model struct {
	lib Library
	met []Deviation
}

func (m *model) meet(d Deviation) {
	if !slices.Contains(m.met, d) {
		m.met = append(m.met, d)
	}
}

func (m *model) document(document Document) Document {
	if m.lib == NBTify && document.Root.Type != TypeCompound && document.Root.Type != TypeList {
		m.meet(ContainerRootOnly)
	}
	return Document{Name: m.text(document.Name), Root: m.value(document.Root)}
}

func (m *model) value(v Value) Value {
	switch v.Type {
	case TypeFloat, TypeDouble:
		m.float(v)
	case TypeString:
		v.Text = m.text(v.Text)
	case TypeList:
		items := make([]Value, len(v.Items))
		for i, item := range v.Items {
			items[i] = m.value(item)
		}
		v.Items = items
	case TypeCompound:
		v.Entries = m.entries(v.Entries)
	}
	return v
}

// float notes what happens to some floats. None of it shows in a Value that
// Diff compares.
func (m *model) float(v Value) {
	f, common := math.Float64frombits(v.Bits), uint64(0x7ff8_0000_0000_0000)
	if v.Type == TypeFloat {
		f, common = float64(math.Float32frombits(uint32(v.Bits))), 0x7fc0_0000
	}
	switch {
	case math.IsNaN(f):
		m.meet(PrintsWords)
		if v.Bits != common {
			m.meet(NaNPayload)
		}
	case math.IsInf(f, 0):
		m.meet(PrintsWords)
	case f == 0 && math.Signbit(f):
		m.meet(PrintsZeroUnsigned)
	case v.Type == TypeFloat && math.Abs(f) >= 1e21:
		// From 2^24 on every float is whole.
		m.meet(PrintsBrokenFloat)
	}
}

func (m *model) text(text Text) Text {
	switch m.lib {
	case Prismarine:
		return m.asUTF8(text)
	case NBTify:
		if rest, marked := strings.CutPrefix(string(text), "\ufeff"); marked {
			m.meet(ByteOrderMarkDropped)
			return Text(rest)
		}
	}
	return text
}

// asUTF8 returns what a decoder of UTF-8 reads from the modified form of a
// text.
func (m *model) asUTF8(text Text) Text {
	runes, err := text.runes()
	if err != nil {
		// No text: the judge will refuse it.
		return text
	}
	var b strings.Builder
	for _, r := range runes {
		replaced := 0 // bytes of the modified form that are no UTF-8
		switch {
		case r == 0:
			replaced = 2
		case r > 0xffff:
			replaced = 6
		case !utf8.ValidRune(r):
			replaced = 3
		}
		if replaced == 0 {
			b.WriteRune(r)
			continue
		}
		m.meet(StringsAsUTF8)
		b.WriteString(strings.Repeat("\ufffd", replaced))
	}
	return Text(b.String())
}

// entries returns the entries of a compound as an object has them: after the
// names have become what the library reads, once each, indices first.
func (m *model) entries(entries []Entry) []Entry {
	place := make(map[Text]int, len(entries))
	seen := make([]Entry, 0, len(entries))
	for _, entry := range entries {
		name, value := m.text(entry.Name), m.value(entry.Value)
		if name == "__proto__" {
			m.meet(ProtoNameLost)
		}
		if at, twice := place[name]; twice {
			m.meet(NamesOnce)
			seen[at].Value = value
			continue
		}
		place[name] = len(seen)
		seen = append(seen, Entry{name, value})
	}
	if !slices.IsSortedFunc(seen, byIndex) {
		m.meet(IndexNamesFirst)
		slices.SortStableFunc(seen, byIndex)
	}
	return seen
}

// byIndex puts names that are indices before others, in order.
func byIndex(a, b Entry) int {
	i, isIndex := arrayIndex(a.Name)
	j, isToo := arrayIndex(b.Name)
	switch {
	case isIndex && isToo:
		return i - j
	case isIndex:
		return -1
	case isToo:
		return 1
	}
	return 0
}

// arrayIndex returns the number that a name is in the plainest decimal form,
// if it is one below 2^32-1, the largest that ECMAScript gives an array.
func arrayIndex(name Text) (int, bool) {
	n, err := strconv.ParseUint(string(name), 10, 32)
	if err != nil || n == math.MaxUint32 || strconv.FormatUint(n, 10) != string(name) {
		return 0, false
	}
	return int(n), true
}
