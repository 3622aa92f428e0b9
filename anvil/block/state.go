package block

import "iter"

// State is a block state in memory: a block together with a value of each of
// its properties. States below [StateCount] are those of the native table,
// with the numbers that its game version uses; the numbers from there on are
// given out by [States] and stand for palette entries that the table lacks.
//
// Methods that tell facts work for every State. One that is not in the native
// table has those of an ordinary full block, such as stone;
// [States.Base] finds the nearest native state.
type State uint16

// Native reports whether the state is in the native table.
func (s State) Native() bool { return int(s) < StateCount }

// Block returns the state's block, or [Unknown].
func (s State) Block() ID { return get().states[s].block }

// Value returns which value the block's property at that place of Properties
// has, as a place in its Values; -1 if there is no such property.
func (s State) Value(property int) int {
	t := get()
	b := t.block(t.states[s].block)
	if uint(property) >= uint(len(b.props)) {
		return -1
	}
	return int(s-b.first) / int(b.strides[property]) % len(b.props[property].Values)
}

// WithValue returns the state that differs from s in that one property, both
// given as places like those of Value; s itself if there is no such property
// or value.
func (s State) WithValue(property, value int) State {
	t := get()
	b := t.block(t.states[s].block)
	if uint(property) >= uint(len(b.props)) || uint(value) >= uint(len(b.props[property].Values)) {
		return s
	}
	stride := int(b.strides[property])
	old := int(s-b.first) / stride % len(b.props[property].Values)
	return State(int(s) + (value-old)*stride)
}

// Property returns the value of the named property, or "" if the block has
// none of that name.
func (s State) Property(name string) string {
	id := s.Block()
	i := id.PropertyIndex(name)
	if i < 0 {
		return ""
	}
	return id.Properties()[i].Values[s.Value(i)]
}

// With returns the state that differs from s in the named property. It
// reports false, and s, if the block has no such property or the property no
// such value.
func (s State) With(name, value string) (State, bool) {
	id := s.Block()
	i := id.PropertyIndex(name)
	if i < 0 {
		return s, false
	}
	v := id.Properties()[i].Index(value)
	if v < 0 {
		return s, false
	}
	return s.WithValue(i, v), true
}

// Values ranges over the state's properties, ordered by name, and their
// values.
func (s State) Values() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for i, p := range s.Block().Properties() {
			if !yield(p.Name, p.Values[s.Value(i)]) {
				return
			}
		}
	}
}

// Air reports whether the state is one of the three kinds of air.
func (s State) Air() bool { return s.bits()&bitAir != 0 }

// Leaves reports whether the block is one of the leaves.
func (s State) Leaves() bool { return s.bits()&bitLeaves != 0 }

// Replaceable reports whether placing a block puts it where this one is, as
// for grass and water. Snow is replaceable as one layer only.
func (s State) Replaceable() bool { return s.bits()&bitReplaceable != 0 }

func (s State) bits() uint32 { return get().states[s].bits }
