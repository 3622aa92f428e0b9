package item

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"strata/nbt"
)

// ErrShape is NBT that is no stack of items.
var ErrShape = errors.New("not the shape of an item stack")

// maxCount is the largest count that the game reads.
const maxCount = 99

// Parse reads a stack in the form of files. An empty compound is the empty
// stack. Nothing of it points into raw.
func Parse(raw nbt.Raw) (Stack, error) {
	if raw.Type != nbt.TypeCompound {
		return Stack{}, fmt.Errorf("read item: tag of type %v: %w", raw.Type, ErrShape)
	}
	var members nbt.Compound
	if err := raw.Decode(&members); err != nil {
		return Stack{}, fmt.Errorf("read item: %w", err)
	}
	return parse(members)
}

func parse(members nbt.Compound) (Stack, error) {
	if len(members) == 0 {
		return Stack{}, nil
	}
	id, _ := members.Get("id")
	name, ok := id.(string)
	if !ok || name == "" {
		return Stack{}, fmt.Errorf("read item: no id: %w", ErrShape)
	}
	s := Named(name, 1)
	if v, ok := members.Get("count"); ok {
		n, ok := integer(v)
		if !ok || n < 0 || n > maxCount {
			return Stack{}, fmt.Errorf("read item %s: count %v: %w", name, v, ErrShape)
		}
		s.Count = int32(n)
	}
	m := more{}
	if s.more != nil {
		m = *s.more
	}
	for _, member := range members {
		switch member.Name {
		case "id", "count":
		case "components":
			components, ok := member.Value.(nbt.Compound)
			if !ok {
				return Stack{}, fmt.Errorf("read item %s: components: %w", name, ErrShape)
			}
			m.patch = changes(components)
		default:
			m.rest = append(m.rest, member)
		}
	}
	if m.name != "" || len(m.patch) > 0 || len(m.rest) > 0 {
		s.more = &m
	}
	return s, nil
}

// changes reads a patch: "!name" takes a component away.
func changes(components nbt.Compound) []Change {
	var patch []Change
	for _, member := range components {
		name, removed := strings.CutPrefix(member.Name, "!")
		c := Change{Name: qualified(name), Removed: removed}
		if !removed {
			c.Value = rawOf(member.Value)
		}
		patch = append(patch, c)
	}
	return patch
}

func integer(v any) (int64, bool) {
	switch v := v.(type) {
	case int8:
		return int64(v), true
	case int16:
		return int64(v), true
	case int32:
		return int64(v), true
	case int64:
		return v, true
	}
	return 0, false
}

// NBT returns the stack in the form of files; that of the empty stack is an
// empty compound.
func (s Stack) NBT() nbt.Raw { return rawOf(s.compound()) }

func (s Stack) compound() nbt.Compound {
	if s.Empty() {
		return nbt.Compound{}
	}
	c := nbt.Compound{{Name: "id", Value: s.Name()}, {Name: "count", Value: s.Count}}
	if s.more == nil {
		return c
	}
	if len(s.more.patch) > 0 {
		c = append(c, nbt.Member{Name: "components", Value: s.patchCompound()})
	}
	return append(c, s.more.rest...)
}

func (s Stack) patchCompound() nbt.Compound {
	c := make(nbt.Compound, 0, len(s.more.patch))
	for _, change := range s.more.patch {
		if change.Removed {
			c = append(c, nbt.Member{Name: "!" + change.Name, Value: nbt.Compound{}})
		} else if v := generic(change.Value); v != nil {
			c = append(c, nbt.Member{Name: change.Name, Value: v})
		}
	}
	return c
}

// generic returns the value of a raw tag, nil if it is damaged.
func generic(raw nbt.Raw) any {
	var v any
	if raw.Decode(&v) != nil {
		return nil
	}
	return v
}

// Slot is a stack and the number of its place, as containers and players have
// them in files.
type Slot struct {
	Number uint8
	Stack  Stack
	// broken is an element that is no stack; it is written as it was read.
	broken nbt.Raw
}

// ParseSlots reads a list of slots. An element that is no stack is kept, as an
// empty one, for SlotsNBT. A list that does not exist is empty.
func ParseSlots(raw nbt.Raw) ([]Slot, error) {
	if !raw.Exists() {
		return nil, nil
	}
	var list nbt.List
	if raw.Type != nbt.TypeList {
		return nil, fmt.Errorf("read slots: tag of type %v: %w", raw.Type, ErrShape)
	}
	if err := raw.Decode(&list); err != nil {
		return nil, fmt.Errorf("read slots: %w", err)
	}
	slots := make([]Slot, 0, len(list.Items))
	for _, element := range list.Items {
		slots = append(slots, parseSlot(element))
	}
	return slots, nil
}

func parseSlot(element any) Slot {
	members, _ := element.(nbt.Compound)
	v, _ := members.Get("Slot")
	number, ok := integer(v)
	rest := slices.Clone(members)
	rest.Delete("Slot")
	s, err := parse(rest)
	if !ok || err != nil || number < -128 || number > 255 {
		return Slot{broken: rawOf(element)}
	}
	return Slot{Number: uint8(number), Stack: s}
}

// SlotsNBT returns the list of slots in the form of files. Empty stacks are
// left out.
func SlotsNBT(slots []Slot) nbt.Raw {
	list := nbt.List{Elem: nbt.TypeCompound}
	for _, slot := range slots {
		switch {
		case slot.broken.Exists():
			list.Items = append(list.Items, generic(slot.broken))
		case !slot.Stack.Empty():
			c := nbt.Compound{{Name: "Slot", Value: int8(slot.Number)}}
			list.Items = append(list.Items, append(c, slot.Stack.compound()...))
		}
	}
	return rawOf(list)
}
