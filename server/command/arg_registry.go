package command

import (
	"strings"

	"strata/anvil/registry"
	"strata/server/protocol"
	"strata/server/text"
)

// idArg is a name with a namespace of which nothing is checked.
type idArg struct{ parser protocol.CommandParser }

var (
	resourceLocationArg = idArg{protocol.ParserResourceLocation}
	dimensionArg        = idArg{protocol.ParserDimension}
)

func (idArg) parse(r *reader, _ *Source) (any, error) { return r.id() }

func (a idArg) suggest(b *builder) {
	if a.parser == protocol.ParserDimension && b.h.Worlds != nil {
		for _, name := range b.h.Worlds.Dimensions() {
			b.addID(name)
		}
	}
}

func (a idArg) describe(n *protocol.CommandNode) { n.Parser = a.parser }

// dimension returns an argument that names a dimension that is there.
func (c *Context) dimension(name string) (string, error) {
	id := get[string](c, name)
	for _, d := range c.h.Worlds.Dimensions() {
		if d == id {
			return id, nil
		}
	}
	return "", failed("argument.dimension.invalid", text.Plain(id))
}

// entryArg is an entry of a registry, of the server's own version, and with
// tags also a tag of it.
type entryArg struct {
	registry string
	tags     bool
	key      bool // the packet's parser is resource_or_tag_key
}

func resourceArg(registry string) entryArg      { return entryArg{registry: registry} }
func resourceOrTagArg(registry string) entryArg { return entryArg{registry: registry, tags: true} }

// entries are one entry or those of a tag.
type entries struct {
	name string // with # if it is a tag
	tag  *registry.Tag
	reg  *registry.Registry
}

func (e entries) has(name string) bool {
	if e.tag == nil {
		return name == e.name
	}
	id, ok := e.reg.ID(name)
	return ok && e.tag.Has(id)
}

func (a entryArg) parse(r *reader, _ *Source) (any, error) {
	start := r.cursor
	reg := registry.Of(a.registry, native)
	if a.tags && r.skip('#') {
		name, err := r.id()
		if err != nil {
			return nil, err
		}
		tag := registry.TagsOf(a.registry, native).Tag(name)
		if tag == nil && !a.key {
			return nil, r.failAt(start, "argument.resource_tag.not_found", text.Plain(name), text.Plain(a.registry))
		}
		return entries{"#" + name, tag, reg}, nil
	}
	name, err := r.id()
	if err != nil {
		return nil, err
	}
	// Names as keys may be unknown here; the command says so.
	if _, ok := reg.ID(name); !ok && !a.key {
		return nil, r.failAt(start, "argument.resource.not_found", text.Plain(name), text.Plain(a.registry))
	}
	return entries{name: name, reg: reg}, nil
}

func (a entryArg) suggest(b *builder) {
	if a.tags {
		tags := registry.TagsOf(a.registry, native)
		for i := range tags.Len() {
			b.addID("#" + tags.At(i).Name())
		}
	}
	suggestEntries(b, a.registry)
}

func suggestEntries(b *builder, key string) {
	for _, name := range registry.Of(key, native).All() {
		b.addID(name)
	}
}

func (a entryArg) describe(n *protocol.CommandNode) {
	n.Properties.Registry = a.registry
	switch {
	case a.key:
		n.Parser = protocol.ParserResourceOrTagKey
	case a.tags:
		n.Parser = protocol.ParserResourceOrTag
	default:
		n.Parser = protocol.ParserResource
	}
}

// named is the text of a thing of a registry: its translation key.
func named(kind, id string) text.Component {
	return text.Key(kind + "." + strings.ReplaceAll(strings.ReplaceAll(id, ":", "."), "/", "."))
}

// slotArg is the name of a single slot.
type slotArg struct{}

// slotName is a slot with its name.
type slotName struct {
	name string
	slot int
}

func (slotArg) parse(r *reader, _ *Source) (any, error) {
	start := r.cursor
	name := r.argument()
	slots, ok := registry.SlotRange(name, native)
	if !ok {
		return nil, r.failAt(start, "slot.unknown", quoted(name))
	}
	if len(slots) != 1 {
		return nil, r.failAt(start, "slot.only_single_allowed", quoted(name))
	}
	return slotName{name, int(slots[0])}, nil
}

func (slotArg) suggest(b *builder) {
	for _, name := range []string{
		"armor.body", "armor.chest", "armor.feet", "armor.head", "armor.legs", "container.0", "contents",
		"enderchest.0", "hotbar.0", "inventory.0", "player.cursor", "saddle", "weapon", "weapon.mainhand", "weapon.offhand",
	} {
		b.add(name)
	}
}

func (slotArg) describe(n *protocol.CommandNode) { n.Parser = protocol.ParserItemSlot }
