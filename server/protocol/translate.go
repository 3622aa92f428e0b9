package protocol

import (
	"fmt"
	"sync"

	"strata/anvil/registry"
)

// numbers are those that a version gives to the entries of a registry whose
// values have shapes of their own on the wire. In Go values an entry has its
// number in registry.Native, whatever the version.
type numbers struct {
	key string
	// once guards tables, by version.
	once   sync.Once
	tables map[registry.Version]numberTable
}

// numberTable is one version's: -1 stands for what it lacks.
type numberTable struct{ wire, native []int32 }

var (
	components = &numbers{key: "minecraft:data_component_type"}
	particles  = &numbers{key: "minecraft:particle_type"}
)

func (n *numbers) table(v registry.Version) numberTable {
	n.once.Do(func() {
		n.tables = map[registry.Version]numberTable{}
		native := registry.Of(n.key, registry.Native)
		for _, version := range registry.Versions() {
			n.tables[version] = matchNumbers(native, registry.Of(n.key, version))
		}
	})
	return n.tables[v]
}

func matchNumbers(native, own *registry.Registry) numberTable {
	t := numberTable{wire: make([]int32, native.Len()), native: make([]int32, own.Len())}
	for i := range t.wire {
		t.wire[i] = -1
		name, _ := native.Name(int32(i))
		if id, ok := own.ID(name); ok {
			t.wire[i] = id
		}
	}
	for i := range t.native {
		t.native[i] = -1
		name, _ := own.Name(int32(i))
		if id, ok := native.ID(name); ok {
			t.native[i] = id
		}
	}
	return t
}

// translated is the number of an entry.
func (c *coder) translated(v *int32, name string, n *numbers) {
	t := n.table(c.version)
	if c.w == nil {
		id := c.r.number(name, len(t.native)-1)
		if !c.ok() {
			return
		}
		if *v = t.native[id]; *v < 0 {
			c.fail(name, fmt.Errorf("%s %d: %w", n.key, id, ErrUnsupported))
		}
		return
	}
	if *v < 0 || int(*v) >= len(t.wire) {
		c.fail(name, fmt.Errorf("%s %d: %w", n.key, *v, ErrRange))
		return
	}
	id := t.wire[*v]
	if id < 0 {
		c.fail(name, fmt.Errorf("%s %d: %w", n.key, *v, ErrUnsupported))
		return
	}
	c.w.VarInt(id)
}
