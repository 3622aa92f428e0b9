package item

import (
	"errors"
	"fmt"

	"strata/anvil/registry"
	"strata/nbt"
	"strata/server/protocol"
)

// Errors of stacks that clients make up.
var (
	// ErrComponent is a component that is not taken from a client.
	ErrComponent = errors.New("component that cannot be converted")
	// ErrItem is an item that is not, or not in that number.
	ErrItem = errors.New("no such item")
	// ErrTooLarge is a stack with too much in it.
	ErrTooLarge = errors.New("item too large")
)

const (
	// maxCreative bounds what a client may make up, in bytes of NBT.
	maxCreative = 1 << 16

	customData = namespace + "custom_data"
)

// shownItem is a stack as a client of a version gets it.
type shownItem struct {
	id      int32 // of the version
	added   []protocol.Component
	removed []protocol.ComponentType
}

// Wire returns the stack for packets of a version. What is in it may be shared
// and must not be changed.
func Wire(s Stack, v registry.Version) protocol.ItemStack {
	if s.Empty() {
		return protocol.ItemStack{}
	}
	shown := show(s, v, 0)
	return protocol.ItemStack{Count: s.Count, ID: shown.id, Patch: protocol.ComponentPatch{Added: shown.added, Removed: shown.removed}}
}

// WireTemplate is Wire for places that take no empty stack.
func WireTemplate(s Stack, v registry.Version) (protocol.ItemTemplate, bool) {
	w := Wire(s, v)
	return protocol.ItemTemplate{ID: w.ID, Count: w.Count, Patch: w.Patch}, w.Count > 0
}

// show works out what a client is shown of a stack that is not empty.
func show(s Stack, v registry.Version, depth int) shownItem {
	id, exact := registry.Translate("item", registry.Native, v).Nearest(s.ID)
	if id < 0 {
		id, _ = registry.Of("item", v).ID("barrier")
	}
	shown := shownItem{id: id}
	whole := exact
	var data any // custom data of the stack
	for i, change := range s.Changes() {
		if s.change(change.Name) != i {
			continue // a later one counts
		}
		kind, ok := registry.Of("data_component_type", registry.Native).ID(change.Name)
		if _, has := registry.Of("data_component_type", v).ID(change.Name); !ok || !has {
			whole = false
			continue
		}
		if change.Removed {
			shown.removed = append(shown.removed, protocol.ComponentType(kind))
			continue
		}
		value := generic(change.Value)
		if change.Name == customData {
			data = value
			continue
		}
		added, ok := toPacket(protocol.ComponentType(kind), value, v, depth)
		if !ok || len(shown.added) >= protocol.MaxComponents-1 {
			whole = false
			continue
		}
		shown.added = append(shown.added, added)
	}
	if !whole && depth == 0 {
		data = withReal(data, s)
	}
	if data != nil {
		if added, ok := toPacket(protocol.ComponentCustomData, data, v, depth); ok {
			shown.added = append(shown.added, added)
		}
	}
	if len(shown.removed) > protocol.MaxComponents {
		shown.removed = shown.removed[:protocol.MaxComponents]
	}
	return shown
}

// toPacket converts a component of a stack.
func toPacket(kind protocol.ComponentType, value any, v registry.Version, depth int) (protocol.Component, bool) {
	k, ok := components[kind]
	if !ok || value == nil {
		return protocol.Component{}, false
	}
	c := conv{version: v, depth: depth}
	out := protocol.Component{Type: kind, Value: k.decode(&c, value)}
	if c.failed {
		return protocol.Component{}, false
	}
	// The limits of packets are for package protocol to know.
	if _, err := protocol.RawComponentOf(&out, v); err != nil {
		return protocol.Component{}, false
	}
	return out, true
}

// template is a stack within a component.
var template = codec[protocol.ItemTemplate]{decode: templateOf, encode: fromTemplate}

func templateOf(c *conv, v any) protocol.ItemTemplate {
	members, _ := v.(nbt.Compound)
	s, err := parse(members)
	if err != nil || s.Empty() || c.depth >= maxNesting {
		c.fail()
		return protocol.ItemTemplate{}
	}
	shown := show(s, c.version, c.depth+1)
	if _, exact := registry.Translate("item", registry.Native, c.version).Nearest(s.ID); !exact ||
		len(shown.added)+len(shown.removed) != len(s.Changes()) {
		c.fail() // all of it, so that the outermost stack carries what is real
	}
	return protocol.ItemTemplate{ID: shown.id, Count: s.Count, Patch: protocol.ComponentPatch{Added: shown.added, Removed: shown.removed}}
}

func fromTemplate(c *conv, t protocol.ItemTemplate) any {
	if c.depth++; c.depth > maxNesting {
		c.fail()
		return nil
	}
	defer func() { c.depth-- }()
	id, ok := registry.Of("item", c.version).Name(t.ID)
	if !ok || t.ID == 0 || t.Count < 1 || t.Count > maxCount {
		c.fail()
		return nil
	}
	members := nbt.Compound{{Name: "id", Value: id}}
	if t.Count != 1 {
		members.Set("count", t.Count)
	}
	patch := nbt.Compound{}
	for _, added := range t.Patch.Added {
		patch.Set(componentName(added.Type), encodeComponent(c, added))
	}
	for _, removed := range t.Patch.Removed {
		patch.Set("!"+componentName(removed), unit)
	}
	if len(patch) > 0 {
		members.Set("components", patch)
	}
	return members
}

func componentName(kind protocol.ComponentType) string {
	name, _ := registry.Of("data_component_type", registry.Native).Name(int32(kind))
	return name
}

func encodeComponent(c *conv, in protocol.Component) any {
	k, ok := components[in.Type]
	if !ok {
		c.fail()
		return nil
	}
	return k.encode(c, in.Value)
}

// FromCreative returns the stack that a client in creative mode made up, or the
// real one of a stack that it was shown. The caller has checked that the
// client may. Errors are ErrItem, ErrComponent, ErrTooLarge and those of package
// protocol.
func FromCreative(u protocol.UntrustedItem, v registry.Version) (Stack, error) {
	if u.Count == 0 {
		return Stack{}, nil
	}
	t := protocol.ItemTemplate{ID: u.ID, Count: u.Count}
	if len(u.Added)+len(u.Removed) > protocol.MaxComponents {
		return Stack{}, fmt.Errorf("item %d: %d components: %w", u.ID, len(u.Added)+len(u.Removed), ErrTooLarge)
	}
	size := 0
	for i := range u.Added {
		if size += len(u.Added[i].Data); size > maxCreative {
			return Stack{}, fmt.Errorf("item %d: more than %d bytes: %w", u.ID, maxCreative, ErrTooLarge)
		}
		added, err := u.Added[i].Component(v)
		if err != nil {
			return Stack{}, fmt.Errorf("item %d: %w", u.ID, err)
		}
		t.Patch.Added = append(t.Patch.Added, added)
	}
	t.Patch.Removed = u.Removed
	return FromTemplate(t, v)
}

// FromTemplate returns the stack of a packet of a version.
func FromTemplate(t protocol.ItemTemplate, v registry.Version) (Stack, error) {
	if name, ok := registry.Of("item", v).Name(t.ID); !ok || t.ID == 0 || t.Count < 1 || t.Count > maxCount {
		return Stack{}, fmt.Errorf("item %d %s, %d times: %w", t.ID, name, t.Count, ErrItem)
	}
	c := conv{version: v}
	members, _ := fromTemplate(&c, t).(nbt.Compound)
	if c.failed {
		return Stack{}, fmt.Errorf("item %d: %w", t.ID, ErrComponent)
	}
	s, err := parse(members)
	if err != nil {
		return Stack{}, err
	}
	s = realOf(s)
	if len(s.NBT().Data) > maxCreative {
		return Stack{}, fmt.Errorf("item %s: more than %d bytes: %w", s.Name(), maxCreative, ErrTooLarge)
	}
	if s.Count > s.MaxSize() {
		return Stack{}, fmt.Errorf("item %s, %d times: %w", s.Name(), s.Count, ErrItem)
	}
	return s, nil
}
