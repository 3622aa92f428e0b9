package command

import (
	"strata/anvil/block"
	"strings"

	"strata/anvil/registry"
	"strata/nbt"
	"strata/server/item"
	"strata/server/protocol"
	"strata/server/text"
)

// itemArg is an item with components: name[component=NBT,!component].
type itemArg struct{}

func (itemArg) parse(r *reader, _ *Source) (any, error) {
	start := r.cursor
	if r.peek() == '#' {
		return nil, r.fail("argument.item.tag.disallowed")
	}
	name, err := r.id()
	if err != nil {
		return nil, err
	}
	if registry.ItemByName(name, native) == nil {
		return nil, r.failAt(start, "argument.item.id.invalid", text.Plain(name))
	}
	stack := item.Named(name, 1)
	if r.skip('[') {
		return r.components(stack)
	}
	return stack, nil
}

// components reads component=value,!component,...] to its end, and returns the
// stack with those.
func (r *reader) components(stack item.Stack) (any, error) {
	seen := map[string]bool{}
	for r.spaces(); r.more() && r.peek() != ']'; r.spaces() {
		at := r.cursor
		removed := r.skip('!')
		name, err := r.componentName()
		if err != nil {
			return nil, err
		}
		if seen[name] {
			return nil, r.failAt(at, "arguments.item.component.repeated", text.Plain(name))
		}
		seen[name] = true
		if removed {
			stack = stack.Without(name)
		} else {
			if r.spaces(); !r.skip('=') {
				return nil, r.fail("parsing.expected", text.Plain("="))
			}
			r.spaces()
			value, err := r.nbt()
			if err != nil {
				return nil, err
			}
			stack = stack.With(name, value)
		}
		if r.spaces(); !r.skip(',') {
			break
		}
	}
	if !r.skip(']') {
		return nil, r.fail("parsing.expected", text.Plain("]"))
	}
	return stack, nil
}

func (r *reader) componentName() (string, error) {
	start := r.cursor
	if !r.more() {
		return "", r.fail("arguments.item.component.expected")
	}
	name, err := r.id()
	if err != nil {
		return "", err
	}
	if _, ok := registry.Of("minecraft:data_component_type", native).ID(name); !ok {
		return "", r.failAt(start, "arguments.item.component.unknown", text.Plain(name))
	}
	return name, nil
}

func (itemArg) suggest(b *builder) { suggestItems(b) }

func suggestItems(b *builder) {
	typed := b.rest()
	i := strings.LastIndexAny(typed, "[,")
	if i < 0 || strings.Contains(typed[i:], "=") {
		suggestEntries(b, "minecraft:item")
		return
	}
	b.at(b.start+i+1, func(b *builder) { suggestEntries(b, "minecraft:data_component_type") })
}

func (itemArg) describe(n *protocol.CommandNode) { n.Parser = protocol.ParserItemStack }

// itemTest is what an item must be: of an item or tag or anything, and for
// each of all, any of its choices.
type itemTest struct {
	any  bool
	name string
	tag  *registry.Tag
	all  [][]componentTest
}

type componentTest struct {
	not   bool
	name  string
	value nbt.Raw // none: the component must be there
}

// itemPredicateArg is a test of items. Sub-predicates with ~ are refused.
type itemPredicateArg struct{}

func (itemPredicateArg) parse(r *reader, _ *Source) (any, error) {
	var t itemTest
	start := r.cursor
	switch {
	case r.skip('*'):
		t.any = true
	case r.skip('#'):
		name, err := r.id()
		if err != nil {
			return nil, err
		}
		if t.tag = registry.TagsOf("minecraft:item", native).Tag(name); t.tag == nil {
			return nil, r.failAt(start, "arguments.item.tag.unknown", text.Plain(name))
		}
	default:
		name, err := r.id()
		if err != nil {
			return nil, err
		}
		if registry.ItemByName(name, native) == nil {
			return nil, r.failAt(start, "argument.item.id.invalid", text.Plain(name))
		}
		t.name = name
	}
	var err error
	if r.skip('[') {
		t.all, err = r.componentTests()
	}
	return t, err
}

func (r *reader) componentTests() ([][]componentTest, error) {
	var all [][]componentTest
	for r.spaces(); r.more() && r.peek() != ']'; r.spaces() {
		var choices []componentTest
		for {
			c, err := r.componentTest()
			if err != nil {
				return nil, err
			}
			choices = append(choices, c)
			if r.spaces(); !r.skip('|') {
				break
			}
			r.spaces()
		}
		all = append(all, choices)
		if !r.skip(',') {
			break
		}
	}
	if !r.skip(']') {
		return nil, r.fail("parsing.expected", text.Plain("]"))
	}
	return all, nil
}

func (r *reader) componentTest() (componentTest, error) {
	c := componentTest{not: r.skip('!')}
	start := r.cursor
	var err error
	if c.name, err = r.componentName(); err != nil {
		return c, err
	}
	r.spaces()
	switch r.peek() {
	case '~':
		return c, r.failAt(start, "arguments.item.predicate.unknown", text.Plain(c.name))
	case '=':
		r.cursor++
		r.spaces()
		c.value, err = r.nbt()
	}
	return c, err
}

func (itemPredicateArg) suggest(b *builder) {
	b.add("*")
	tags := registry.TagsOf("minecraft:item", native)
	for i := range tags.Len() {
		b.addID("#" + tags.At(i).Name())
	}
	suggestItems(b)
}

func (itemPredicateArg) describe(n *protocol.CommandNode) { n.Parser = protocol.ParserItemPredicate }

// matches reports whether a stack is what is asked for.
func (t itemTest) matches(s item.Stack) bool {
	switch {
	case s.Empty():
		return false
	case t.any:
	case t.tag != nil && !t.tag.Has(s.ID), t.tag == nil && s.Name() != t.name:
		return false
	}
	for _, choices := range t.all {
		found := false
		for _, c := range choices {
			found = found || c.matches(s)
		}
		if !found {
			return false
		}
	}
	return true
}

func (c componentTest) matches(s item.Stack) bool {
	v, ok := s.Component(c.name)
	if ok && c.value.Exists() {
		var want, have any
		ok = c.value.Decode(&want) == nil && v.Decode(&have) == nil && nbt.Equal(want, have)
	}
	return ok != c.not
}

// stackName is the item's name in brackets.
func stackName(s item.Stack) text.Component { return text.Brackets(ItemName(s)) }

// ItemName is how messages call an item: its own name, or that of its kind.
func ItemName(s item.Stack) text.Component {
	for _, name := range []string{"minecraft:custom_name", "minecraft:item_name"} {
		if v, ok := s.Component(name); ok {
			if c, err := text.Parse(v); err == nil {
				return c
			}
		}
	}
	return named("item", s.Name())
}

// BlockName is how messages call a block.
func BlockName(s block.State) text.Component { return named("block", s.Block().Name()) }
