package nbt

// The generic form of a document: what [Unmarshal] makes of a tag where the
// target is an any, and [Tag.Value] of a tag.
//
//	byte short int long       int8 int16 int32 int64
//	float double              float32 float64
//	byte, int, long array     []byte []int32 []int64
//	string                    string
//	list                      List
//	compound                  Compound
//
// Marshal writes the same bytes again, except for strings that are not in the
// form Java writes (see [AppendUTF8]): those come out in that form.

// Member is one member of a [Compound].
type Member struct {
	Name  string
	Value any
}

// Compound holds the members of a compound in their order. A name may occur
// more than once, then the last one counts.
type Compound []Member

// Get returns the value of that name, the last of several.
func (c Compound) Get(name string) (any, bool) {
	if i := c.index(name); i >= 0 {
		return c[i].Value, true
	}
	return nil, false
}

// Set gives the member of that name, the last of several, another value, or
// appends a new member.
func (c *Compound) Set(name string, value any) {
	if i := c.index(name); i >= 0 {
		(*c)[i].Value = value
		return
	}
	*c = append(*c, Member{name, value})
}

// Delete removes all members of that name and reports whether there were any.
func (c *Compound) Delete(name string) bool {
	kept := (*c)[:0]
	for _, m := range *c {
		if m.Name != name {
			kept = append(kept, m)
		}
	}
	gone := len(kept) < len(*c)
	clear((*c)[len(kept):])
	*c = kept
	return gone
}

// index returns the place of the last member of that name, or -1.
func (c Compound) index(name string) int {
	for i := len(c) - 1; i >= 0; i-- {
		if c[i].Name == name {
			return i
		}
	}
	return -1
}

// isWrapper reports whether c has exactly the one key "": in a list of several
// types such a compound stands for the element in it.
func (c Compound) isWrapper() bool { return len(c) == 1 && c[0].Name == "" }

// List holds the elements of a list.
//
// A document has lists of one type only. A list of several types, which the
// game has since 1.21.5, is a list of compounds there, in which an element
// that is no compound, or is a compound with exactly the one key "", stands in
// a compound {"": element}. Items holds the elements without these, and may
// therefore be of several types. See [Marshal] for when they are taken off and
// put on.
type List struct {
	// Elem is the type of the elements in the document, Compound if they are of
	// several. Marshal looks at it for empty lists only.
	Elem  Type
	Items []any
}

// unwrap takes off the compounds that stand round the elements of a list of
// several types. items are the elements of a list of compounds, n of them with
// exactly the one key "".
//
// A list in which that would leave one type, or which Marshal would not write
// the same way, stays as it is: no game writes such a list, and so no document
// changes by being read and written. The game itself takes off all of them.
func unwrap(items []any, n int) {
	if n == 0 {
		return
	}
	first, mixed := TypeEnd, false
	for _, item := range items {
		kind := TypeCompound
		if c, _ := item.(Compound); c.isWrapper() {
			kind = valueType(c[0].Value)
			if inner, ok := c[0].Value.(Compound); ok && !inner.isWrapper() {
				return // it needs no wrapper, so Marshal puts none on
			}
		}
		if first == TypeEnd {
			first = kind
		}
		mixed = mixed || kind != first
	}
	if !mixed {
		return
	}
	for i, item := range items {
		if c, _ := item.(Compound); c.isWrapper() {
			items[i] = c[0].Value
		}
	}
}

// valueType returns the type of the tag a generic value stands for, End for
// anything else.
func valueType(v any) Type {
	switch v.(type) {
	case int8:
		return TypeByte
	case int16:
		return TypeShort
	case int32:
		return TypeInt
	case int64:
		return TypeLong
	case float32:
		return TypeFloat
	case float64:
		return TypeDouble
	case []byte:
		return TypeByteArray
	case string:
		return TypeString
	case List:
		return TypeList
	case Compound:
		return TypeCompound
	case []int32:
		return TypeIntArray
	case []int64:
		return TypeLongArray
	}
	return TypeEnd
}

// Value returns the tag and all in it in the generic form, a copy: nil if it
// does not exist.
func (t Tag) Value() any {
	if !t.Exists() {
		return nil
	}
	d := newReader(t.tape.data, Limits{Depth: MaxDepth, Tags: MaxTags})
	defer d.release()
	v, end := d.value(int(t.off), t.kind)
	if end < 0 {
		return nil // not possible: the tape checked it, within these limits
	}
	return v
}
