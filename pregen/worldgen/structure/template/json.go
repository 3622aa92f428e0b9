package template

import (
	"encoding/json"
	"math"

	"strata/nbt"
	"strata/pregen/worldgen/provider"
)

// FromJSON turns a value of a document into one of NBT. Numbers with a point
// become floats, as most of the game's are.
func FromJSON(v provider.Value) any { return fromJSON(v, 0) }

func fromJSON(v provider.Value, depth int) any {
	if depth > 4*maxNesting {
		return nbt.Compound{}
	}
	if list, ok := v.List(); ok {
		made := nbt.List{Elem: nbt.TypeCompound}
		for _, element := range list {
			made.Items = append(made.Items, fromJSON(element, depth+1))
		}
		if len(list) == 0 {
			made.Elem = nbt.TypeEnd
		}
		return made
	}
	if v.IsText() {
		text, _ := v.Text()
		return text
	}
	if v.IsNumber() {
		if n, err := v.Int(math.MinInt32, math.MaxInt32); err == nil {
			return n
		}
		f, _ := v.Float64()
		return float32(f)
	}
	if b, err := v.Bool(); err == nil {
		if b {
			return int8(1)
		}
		return int8(0)
	}
	c := nbt.Compound{}
	for _, name := range v.Members() {
		setMember(&c, v, name, depth)
	}
	return c
}

func setMember(c *nbt.Compound, v provider.Value, name string, depth int) {
	if member, err := v.Member(name); err == nil {
		c.Set(name, fromJSON(member, depth+1))
	}
}

// ToJSON turns NBT into the text of a document. Numbers of one byte, which
// stand for false and true as well, stay numbers.
func ToJSON(v any) []byte {
	text, err := json.Marshal(generic(v))
	if err != nil {
		return []byte("null") // numbers that JSON does not have
	}
	return text
}

func generic(v any) any {
	switch v := v.(type) {
	case nbt.Compound:
		members := make(map[string]any, len(v))
		for _, m := range v {
			members[m.Name] = generic(m.Value)
		}
		return members
	case nbt.List:
		items := make([]any, len(v.Items))
		for i, item := range v.Items {
			items[i] = generic(item)
		}
		return items
	}
	return v
}
