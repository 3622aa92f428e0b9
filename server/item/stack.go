package item

import (
	"bytes"
	"slices"
	"strings"

	"strata/anvil/registry"
	"strata/nbt"
)

// Unknown is the number of an item whose name the game of registry.Native does
// not have.
const Unknown int32 = -1

const namespace = "minecraft:"

// Stack is a number of one item. Stacks are values: methods return changed
// copies. Compare with [Stack.Same] and [Stack.Equal], not with ==.
type Stack struct {
	ID    int32 // in registry.Native, or Unknown
	Count int32
	more  *more // what is rare, never changed once made; nil if nothing
}

// more is what most stacks have none of.
type more struct {
	name  string // of an unknown item
	patch []Change
	rest  []nbt.Member // members of the NBT form that have no meaning here
}

// Change is a component in which a stack differs from its item: another value,
// or none where Removed is set.
type Change struct {
	Name    string // with namespace
	Value   nbt.Raw
	Removed bool
}

// New returns a stack without components of its own.
func New(id, count int32) Stack { return Stack{ID: id, Count: count} }

// Named returns a stack of the item with that name, with or without the game's
// namespace. An unknown name is kept.
func Named(name string, count int32) Stack {
	if id, ok := registry.Of("item", registry.Native).ID(name); ok {
		return Stack{ID: id, Count: count}
	}
	return Stack{ID: Unknown, Count: count, more: &more{name: qualified(name)}}
}

func qualified(name string) string {
	if name == "" || strings.Contains(name, ":") {
		return name
	}
	return namespace + name
}

// Empty reports whether the slot is empty: no count, or air.
func (s Stack) Empty() bool { return s.Count <= 0 || s.ID == 0 }

// Name returns the item's name with its namespace.
func (s Stack) Name() string {
	if s.ID == Unknown && s.more != nil {
		return s.more.name
	}
	name, _ := registry.Of("item", registry.Native).Name(s.ID)
	return name
}

// Item returns what is known of the item, or nil.
func (s Stack) Item() *registry.Item {
	items := registry.Items(registry.Native)
	if s.ID < 0 || int(s.ID) >= len(items) {
		return nil
	}
	return &items[s.ID]
}

// WithCount returns the same items in another number; 0 or less is the empty
// stack.
func (s Stack) WithCount(n int32) Stack {
	if n <= 0 {
		return Stack{}
	}
	s.Count = n
	return s
}

// Split takes up to n from the stack: it returns those and the rest.
func (s Stack) Split(n int32) (taken, rest Stack) {
	n = max(0, min(n, s.Count))
	return s.WithCount(n), s.WithCount(s.Count - n)
}

// Changes returns the patch, in the order of the file. It must not be changed.
func (s Stack) Changes() []Change {
	if s.more == nil {
		return nil
	}
	return s.more.patch
}

// Component returns a component's value: the stack's, or else the item's.
func (s Stack) Component(name string) (nbt.Raw, bool) {
	if i := s.change(qualified(name)); i >= 0 {
		c := s.more.patch[i]
		return c.Value, !c.Removed
	}
	return s.defaultOf(name)
}

func (s Stack) defaultOf(name string) (nbt.Raw, bool) {
	if item := s.Item(); item != nil {
		return item.Component(name)
	}
	return nbt.Raw{}, false
}

// change returns the place of a component in the patch, the last of several, or
// -1.
func (s Stack) change(name string) int {
	changes := s.Changes()
	for i := len(changes) - 1; i >= 0; i-- {
		if changes[i].Name == name {
			return i
		}
	}
	return -1
}

// With returns the stack with a component of that value.
func (s Stack) With(name string, value nbt.Raw) Stack {
	return s.changed(Change{Name: qualified(name), Value: value})
}

// Without returns the stack without a component that it or its item has.
func (s Stack) Without(name string) Stack {
	return s.changed(Change{Name: qualified(name), Removed: true})
}

// Reset returns the stack with a component as its item has it.
func (s Stack) Reset(name string) Stack {
	if s.change(qualified(name)) < 0 {
		return s
	}
	return s.withPatch(s.others(qualified(name)))
}

func (s Stack) changed(c Change) Stack {
	own, has := s.defaultOf(c.Name)
	patch := s.others(c.Name)
	if c.Removed != !has || !c.Removed && !equalNBT(own, c.Value) {
		patch = append(patch, c)
	}
	return s.withPatch(patch)
}

// others returns a copy of the patch without a component.
func (s Stack) others(name string) []Change {
	return slices.DeleteFunc(slices.Clone(s.Changes()), func(c Change) bool { return c.Name == name })
}

func (s Stack) withPatch(patch []Change) Stack {
	var m more
	if s.more != nil {
		m = *s.more
	}
	m.patch = patch
	s.more = &m
	if m.name == "" && len(m.patch) == 0 && len(m.rest) == 0 && s.ID != Unknown {
		s.more = nil
	}
	return s
}

// Int returns the value of a component that is a whole number, 0 if there is
// none.
func (s Stack) Int(name string) int32 {
	raw, ok := s.Component(name)
	if !ok {
		return 0
	}
	v, _ := raw.Int()
	return int32(max(min(v, 1<<31-1), -1<<31))
}

// WithInt returns the stack with a component that is an int.
func (s Stack) WithInt(name string, v int32) Stack { return s.With(name, rawOf(v)) }

// MaxSize returns how many may lie in a slot: 1 to 99, 64 of an unknown item
// that does not say.
func (s Stack) MaxSize() int32 {
	if s.more == nil {
		if item := s.Item(); item != nil && item.MaxStackSize > 0 {
			return item.MaxStackSize
		}
	}
	if _, ok := s.Component("max_stack_size"); !ok && s.ID == Unknown {
		return 64
	}
	return max(1, min(s.Int("max_stack_size"), 99))
}

// Same reports whether two stacks are of the same item with the same
// components, whatever their counts.
func (s Stack) Same(t Stack) bool {
	if s.ID != t.ID {
		return false
	}
	if s.more == t.more {
		return true
	}
	if s.ID == Unknown && (s.Name() != t.Name() || !equalRest(s, t)) {
		return false
	}
	return s.coversPatch(t) && t.coversPatch(s)
}

// coversPatch reports whether s has what the patch of t says.
func (s Stack) coversPatch(t Stack) bool {
	for _, c := range t.Changes() {
		value, has := t.Component(c.Name)
		other, also := s.Component(c.Name)
		if has != also || has && !equalNBT(value, other) {
			return false
		}
	}
	return true
}

func equalRest(s, t Stack) bool {
	var a, b nbt.Compound
	if s.more != nil {
		a = s.more.rest
	}
	if t.more != nil {
		b = t.more.rest
	}
	return nbt.Equal(a, b)
}

// Equal reports whether two slots hold the same: both nothing, or the same
// items in the same number.
func (s Stack) Equal(t Stack) bool {
	if s.Empty() || t.Empty() {
		return s.Empty() && t.Empty()
	}
	return s.Count == t.Count && s.Same(t)
}

func equalNBT(a, b nbt.Raw) bool {
	if a.Type != b.Type {
		return false
	}
	if bytes.Equal(a.Data, b.Data) {
		return true
	}
	var x, y any
	return a.Decode(&x) == nil && b.Decode(&y) == nil && nbt.Equal(x, y)
}

// rawOf returns the NBT of a value in the generic form that has one.
func rawOf(v any) nbt.Raw {
	raw, err := nbt.MarshalRaw(v)
	if err != nil {
		return nbt.Raw{}
	}
	return raw
}
