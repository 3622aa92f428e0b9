package protocol

import "strata/anvil/registry"

// ItemStack is an item in a slot. Count 0 is an empty slot, and nothing else
// of it is sent.
type ItemStack struct {
	Count int32
	ID    int32 // of the registry item
	Patch ComponentPatch
}

func (v *ItemStack) wire(c *coder, name string) {
	c.push(name)
	varint(&v.Count, c, "count")
	if v.Count != 0 {
		varint(&v.ID, c, "id")
		v.Patch.wire(c, "")
	}
	c.pop()
}

// ItemTemplate is an item that is never empty, as recipes and containers hold
// it. The order of its fields is another one than that of an ItemStack.
type ItemTemplate struct {
	ID    int32
	Count int32
	Patch ComponentPatch
}

func (v *ItemTemplate) wire(c *coder, name string) {
	c.push(name)
	varint(&v.ID, c, "id")
	varint(&v.Count, c, "count")
	v.Patch.wire(c, "")
	c.pop()
}

// ComponentPatch is what an item's components differ in from the item's
// defaults.
type ComponentPatch struct {
	Added   []Component
	Removed []ComponentType
}

func (v *ComponentPatch) wire(c *coder, _ string) {
	added := c.patchCount(len(v.Added), "added")
	removed := c.patchCount(len(v.Removed), "removed")
	elements(&v.Added, c, "added", added, (*Component).wire)
	elements(&v.Removed, c, "removed", removed, (*ComponentType).wire)
}

// patchCount is a number of components, which do not follow directly.
func (c *coder) patchCount(n int, name string) int { return c.count(n, name, MaxComponents) }

// UntrustedItem is an item that a client in creative mode made up. Its
// components are not decoded.
type UntrustedItem struct {
	Count   int32
	ID      int32
	Added   []RawComponent
	Removed []ComponentType
}

func (v *UntrustedItem) wire(c *coder, name string) {
	c.push(name)
	varint(&v.Count, c, "count")
	if v.Count != 0 {
		varint(&v.ID, c, "id")
		added := c.patchCount(len(v.Added), "added")
		removed := c.patchCount(len(v.Removed), "removed")
		elements(&v.Added, c, "added", added, (*RawComponent).wire)
		elements(&v.Removed, c, "removed", removed, (*ComponentType).wire)
	}
	c.pop()
}

// RawComponent is a component whose value was not decoded.
type RawComponent struct {
	Type ComponentType
	Data []byte
}

func (v *RawComponent) wire(c *coder, name string) {
	c.push(name)
	v.Type.wire(c, "type")
	blob(&v.Data, c, "data")
	c.pop()
}

// Component decodes the value, which must fill the data exactly.
func (v *RawComponent) Component(version registry.Version) (Component, error) {
	r := NewReader(v.Data)
	r.c.begin(nil, r, version)
	decoded := Component{Type: v.Type}
	decoded.value(&r.c)
	return decoded, r.End()
}

// RawComponentOf encodes a component's value.
func RawComponentOf(v *Component, version registry.Version) (RawComponent, error) {
	var w Writer
	w.c.begin(&w, nil, version)
	v.value(&w.c)
	return RawComponent{Type: v.Type, Data: w.buf}, w.err
}

func (v *ComponentType) wire(c *coder, name string) { c.translated((*int32)(v), name, components) }

func (v *Component) wire(c *coder, name string) {
	c.push(name)
	v.Type.wire(c, "type")
	v.value(c)
	c.pop()
}

func (v *ParticleType) wire(c *coder, name string) { c.translated((*int32)(v), name, particles) }
