package command

import (
	"strings"

	"strata/anvil/registry"
	"strata/nbt"
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
	item := Item{Name: name, Count: 1}
	if r.skip('[') {
		item.Components, err = r.components()
	}
	return item, err
}

// components reads component=value,!component,...] to its end.
func (r *reader) components() ([]ItemComponent, error) {
	var list []ItemComponent
	for r.spaces(); r.more() && r.peek() != ']'; r.spaces() {
		at := r.cursor
		removed := r.skip('!')
		name, err := r.componentName()
		if err != nil {
			return nil, err
		}
		for _, c := range list {
			if c.Name == name {
				return nil, r.failAt(at, "arguments.item.component.repeated", text.Plain(name))
			}
		}
		c := ItemComponent{Name: name}
		if !removed {
			if r.spaces(); !r.skip('=') {
				return nil, r.fail("parsing.expected", text.Plain("="))
			}
			r.spaces()
			if c.Value, err = r.nbt(); err != nil {
				return nil, err
			}
		}
		list = append(list, c)
		if r.spaces(); !r.skip(',') {
			break
		}
	}
	if !r.skip(']') {
		return nil, r.fail("parsing.expected", text.Plain("]"))
	}
	return list, nil
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

// matches reports whether an item is what is asked for.
func (t itemTest) matches(i Item) bool {
	kind := registry.ItemByName(i.Name, native)
	switch {
	case t.any:
	case t.tag != nil && (kind == nil || !t.tag.Has(kind.ID)), t.tag == nil && i.Name != t.name:
		return false
	}
	for _, choices := range t.all {
		found := false
		for _, c := range choices {
			found = found || c.matches(i, kind)
		}
		if !found {
			return false
		}
	}
	return true
}

func (c componentTest) matches(i Item, kind *registry.Item) bool {
	v, ok := i.component(c.name, kind)
	if ok && c.value.Exists() {
		var want, have any
		ok = c.value.Decode(&want) == nil && v.Decode(&have) == nil && nbt.Equal(want, have)
	}
	return ok != c.not
}

// component returns a component of an item, its own or the kind's.
func (i Item) component(name string, kind *registry.Item) (nbt.Raw, bool) {
	for _, c := range i.Components {
		if c.Name == name {
			return c.Value, c.Value.Exists()
		}
	}
	if kind == nil {
		return nbt.Raw{}, false
	}
	return kind.Component(name)
}

// display is the item's name in brackets.
func (i Item) display() text.Component {
	kind := registry.ItemByName(i.Name, native)
	for _, name := range []string{"minecraft:custom_name", "minecraft:item_name"} {
		if v, ok := i.component(name, kind); ok {
			if c, err := text.Parse(v); err == nil {
				return text.Brackets(c)
			}
		}
	}
	return text.Brackets(named("item", i.Name))
}

// maxStack is how many of the item go into one slot.
func (i Item) maxStack() int {
	kind := registry.ItemByName(i.Name, native)
	if v, ok := i.component("minecraft:max_stack_size", kind); ok {
		if n, ok := v.Int(); ok && n > 0 && n < 100 {
			return int(n)
		}
	}
	if kind != nil {
		return int(kind.MaxStackSize)
	}
	return 64
}
