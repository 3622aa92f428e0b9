package command

import (
	"strings"

	"strata/anvil/block"
	"strata/anvil/registry"
	"strata/nbt"
	"strata/server/protocol"
	"strata/server/text"
)

// blockValue is a block state with what its block entity is to hold.
type blockValue struct {
	state block.State
	data  nbt.Raw
}

// blockStateArg is a block state: name[property=value]{NBT}.
type blockStateArg struct{}

func (blockStateArg) parse(r *reader, _ *Source) (any, error) {
	if r.peek() == '#' {
		return nil, r.fail("argument.block.tag.disallowed")
	}
	id, err := r.blockID()
	if err != nil {
		return nil, err
	}
	v := blockValue{state: id.Default()}
	err = r.properties(id.Name(), func(at int, name, value string) error {
		state, ok := v.state.With(name, value)
		if !ok {
			return r.badProperty(at, id, name, value)
		}
		v.state = state
		return nil
	})
	if err != nil {
		return nil, err
	}
	if r.peek() == '{' {
		v.data, err = r.compound()
	}
	return v, err
}

func (r *reader) blockID() (block.ID, error) {
	start := r.cursor
	name, err := r.id()
	if err != nil {
		return 0, err
	}
	id, ok := block.Find(name)
	if !ok {
		return 0, r.failAt(start, "argument.block.id.invalid", text.Plain(name))
	}
	return id, nil
}

func (r *reader) badProperty(at int, id block.ID, name, value string) error {
	if id.PropertyIndex(name) < 0 {
		return r.failAt(at, "argument.block.property.unknown", text.Plain(id.Name()), quoted(name))
	}
	return r.failAt(at, "argument.block.property.invalid", text.Plain(id.Name()), quoted(value), quoted(name))
}

// properties reads [name=value,...], if it is there.
func (r *reader) properties(block string, set func(at int, name, value string) error) error {
	if !r.skip('[') {
		return nil
	}
	seen := map[string]bool{}
	for r.spaces(); r.more() && r.peek() != ']'; r.spaces() {
		at := r.cursor
		name, err := r.phrase()
		if err != nil {
			return err
		}
		if name == "" {
			return r.fail("argument.block.property.unclosed")
		}
		if seen[name] {
			return r.failAt(at, "argument.block.property.duplicate", quoted(name), text.Plain(block))
		}
		seen[name] = true
		r.spaces()
		if !r.skip('=') {
			return r.fail("argument.block.property.novalue", quoted(name), text.Plain(block))
		}
		r.spaces()
		value, err := r.phrase()
		if err != nil {
			return err
		}
		if err := set(at, name, value); err != nil {
			return err
		}
		if r.spaces(); !r.skip(',') && r.peek() != ']' {
			return r.fail("argument.block.property.unclosed")
		}
	}
	if !r.skip(']') {
		return r.fail("argument.block.property.unclosed")
	}
	return nil
}

func (blockStateArg) suggest(b *builder) { suggestBlocks(b) }

// suggestBlocks completes names, and within brackets properties and values.
func suggestBlocks(b *builder) {
	name, inside, open := strings.Cut(b.rest(), "[")
	if !open {
		suggestEntries(b, "minecraft:block")
		return
	}
	id, ok := block.Find(withNamespace(name))
	if !ok || strings.Contains(inside, "]") {
		return
	}
	last := inside[strings.LastIndexByte(inside, ',')+1:]
	key, typed, hasValue := strings.Cut(last, "=")
	if hasValue {
		b.at(len(b.input)-len(typed), func(b *builder) {
			if i := id.PropertyIndex(key); i >= 0 {
				for _, v := range id.Properties()[i].Values {
					b.add(v)
				}
			}
		})
		return
	}
	b.at(len(b.input)-len(last), func(b *builder) {
		for _, p := range id.Properties() {
			b.add(p.Name + "=")
		}
	})
}

func (blockStateArg) describe(n *protocol.CommandNode) { n.Parser = protocol.ParserBlockState }

// property is a property and its value.
type property struct{ name, value string }

// blockTest is what a block must be.
type blockTest struct {
	id    block.ID
	tag   *registry.Tag
	props []property
	data  nbt.Raw
}

// name is how messages call the block or tag.
func (t blockTest) name() string {
	if t.tag != nil {
		return "#" + t.tag.Name()
	}
	return t.id.Name()
}

// blockPredicateArg is a block or tag, with those properties and NBT that
// count.
type blockPredicateArg struct{}

func (blockPredicateArg) parse(r *reader, _ *Source) (any, error) {
	var t blockTest
	start := r.cursor
	var err error
	if r.skip('#') {
		name, err := r.id()
		if err != nil {
			return nil, err
		}
		if t.tag = registry.TagsOf("minecraft:block", native).Tag(name); t.tag == nil {
			return nil, r.failAt(start, "arguments.block.tag.unknown", text.Plain(name))
		}
	} else if t.id, err = r.blockID(); err != nil {
		return nil, err
	}
	err = r.properties(t.name(), func(at int, name, value string) error {
		if t.tag == nil {
			if _, ok := t.id.Default().With(name, value); !ok {
				return r.badProperty(at, t.id, name, value)
			}
		}
		t.props = append(t.props, property{name, value})
		return nil
	})
	if err == nil && r.peek() == '{' {
		t.data, err = r.compound()
	}
	return t, err
}

func (blockPredicateArg) suggest(b *builder) {
	if !strings.Contains(b.rest(), "[") {
		tags := registry.TagsOf("minecraft:block", native)
		for i := range tags.Len() {
			b.addID("#" + tags.At(i).Name())
		}
	}
	suggestBlocks(b)
}

func (blockPredicateArg) describe(n *protocol.CommandNode) { n.Parser = protocol.ParserBlockPredicate }

// matches reports whether the block there is what is asked for.
func (t blockTest) matches(w Worlds, dimension string, pos BlockPos) bool {
	state, ok := w.Block(dimension, pos)
	if !ok || t.tag == nil && state.Block() != t.id || t.tag != nil && !t.tag.Has(int32(state.Block())) {
		return false
	}
	for _, p := range t.props {
		if state.Property(p.name) != p.value {
			return false
		}
	}
	if !t.data.Exists() {
		return true
	}
	data, ok := w.BlockData(dimension, pos)
	return ok && rawWithin(t.data, data)
}
