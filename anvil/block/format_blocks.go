package block

import (
	"encoding/binary"
	"math"
)

// definitions are the blocks of all versions.
type definitions struct {
	versions    [][]definition
	substitutes []map[string]string
}

func readDefinitions(r *reader) definitions {
	texts := make([]string, r.count(maxItems))
	for i := range texts {
		texts[i] = string(r.bytes(r.number()))
	}
	props := make([]Property, r.count(maxItems))
	for i := range props {
		name := pick(r, texts)
		values := make([]string, max(1, r.count(maxItems)))
		for j := range values {
			values[j] = pick(r, texts)
		}
		props[i] = newProperty(name, values)
	}
	all := make([]definition, r.count(maxItems))
	for i := range all {
		d := definition{name: pick(r, texts), props: make([]Property, r.count(32))}
		for j := range d.props {
			d.props[j] = pick(r, props)
			if len(d.props[j].Values) == 0 {
				return definitions{} // after an error
			}
		}
		d.initial = uint16(r.count(maxStates - 1))
		all[i] = d
	}
	var d definitions
	if n := r.number(); n != len(infos) {
		r.fail("%d versions, not %d", n, len(infos))
		return d
	}
	for range infos {
		blocks := make([]definition, r.count(maxItems))
		for i := range blocks {
			blocks[i] = pick(r, all)
		}
		d.versions = append(d.versions, blocks)
	}
	for range infos {
		pairs := map[string]string{}
		for range r.count(maxItems) {
			from := pick(r, texts)
			pairs[from] = pick(r, texts)
		}
		d.substitutes = append(d.substitutes, pairs)
	}
	return d
}

// readBlocks numbers the native blocks and their states.
func readBlocks(r *reader, t *table, d definitions) {
	if r.err != nil {
		return
	}
	first := 0
	for _, def := range d.versions[0] {
		n := def.states()
		if first+n > StateCount || int(def.initial) >= n {
			r.fail("block %s with %d states at %d", def.name, n, first)
			return
		}
		b := blockInfo{
			name: namespace + def.name, first: State(first), count: uint16(n),
			initial: State(first) + State(def.initial), props: def.props,
		}
		b.strides = make([]uint16, len(b.props))
		for i, stride := len(b.props)-1, 1; i >= 0; i-- {
			b.strides[i] = uint16(stride)
			stride *= len(b.props[i].Values)
		}
		for s := first; s < first+n; s++ {
			t.states[s].block = ID(len(t.blocks))
		}
		t.blocks = append(t.blocks, b)
		first += n
	}
	if first != StateCount || len(t.blocks) != BlockCount {
		r.fail("%d native blocks with %d states", len(t.blocks), first)
		return
	}
	t.index = newNameIndex(t.blocks)
	for i := range t.blocks {
		t.blocks[i].kind = string(r.bytes(r.number()))
	}
	for i := range t.blocks {
		t.blocks[i].facts = readFacts(r)
	}
	t.unknown = blockInfo{facts: t.blocks[Stone].facts}
}

func readFacts(r *reader) blockFacts {
	f := blockFacts{
		hardness: r.float(), resistance: r.float(),
		friction: r.float(), speedFactor: r.float(), jump: r.float(),
	}
	b := r.column(7)
	f.tool, f.tier, f.needsTool = Tool(b[0]), Tier(b[1]), b[2] != 0
	f.push, f.ignite, f.burn, f.climbable = PushReaction(b[3]), b[4], b[5], b[6] != 0
	return f
}

func (r *reader) float() float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(r.column(4)))
}
