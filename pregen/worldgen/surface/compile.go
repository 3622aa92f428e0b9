package surface

import (
	"fmt"
	"math"

	"strata/pregen/worldgen/noise"
)

// compiler turns a rule into a graph and collects what its tests refer to.
type compiler struct {
	settings  *Settings
	graph     *graph
	tests     []test
	index     map[test]int32
	noises    []*noise.Normal
	noiseAt   map[string]int32
	gradients []gradient
	gradAt    map[string]int32
	sets      []biomeSet
	setAt     map[string]int32
}

func newCompiler(s *Settings, l limits) *compiler {
	return &compiler{
		settings: s, graph: newGraph(l),
		index: make(map[test]int32), noiseAt: make(map[string]int32),
		gradAt: make(map[string]int32), setAt: make(map[string]int32),
	}
}

// noise returns the number of a named noise.
func (c *compiler) noise(id string) (int32, error) {
	if at, ok := c.noiseAt[id]; ok {
		return at, nil
	}
	n, err := c.settings.Noises.Named(id)
	if err != nil {
		return 0, err
	}
	at := int32(len(c.noises))
	c.noises = append(c.noises, n)
	c.noiseAt[id] = at
	return at, nil
}

// rule returns the node of a rule; otherwise is the node of where it gives no
// block.
func (c *compiler) rule(r *rule, otherwise int32) (int32, error) {
	switch r.kind {
	case ruleSequence:
		at := otherwise
		for i := len(r.list) - 1; i >= 0; i-- {
			next, err := c.rule(r.list[i], at)
			if err != nil {
				return 0, err
			}
			at = next
		}
		return at, nil
	case ruleCondition:
		then, err := c.rule(r.then, otherwise)
		if err != nil {
			return 0, err
		}
		return c.condition(r.test, then, otherwise)
	case ruleBlock:
		return c.graph.add(node{op: opState, state: r.state, plain: plain(c.settings.DefaultBlock, r.state)}), nil
	}
	return c.graph.add(node{op: opBandlands}), nil
}

func (c *compiler) condition(of *condition, yes, no int32) (int32, error) {
	for of.kind == conditionNot {
		of = of.inner
		yes, no = no, yes
	}
	t, err := c.test(of)
	if err != nil {
		return 0, err
	}
	at, ok := c.index[t]
	if !ok {
		at = int32(len(c.tests))
		c.tests = append(c.tests, t)
		c.index[t] = at
	}
	return c.graph.branch(t.op, at, yes, no), nil
}

// test makes a condition ready.
func (c *compiler) test(of *condition) (t test, err error) {
	number := map[bool]int32{true: 1}
	switch of.kind {
	case conditionBiome:
		t.op = opBiome
		t.ref, err = c.set(of.biomes)
	case conditionNoise:
		t = test{op: opNoise, low: of.low, high: of.high}
		if of.solid {
			t.op = opSolidNoise
		}
		t.ref, err = c.noise(of.name)
	case conditionGradient:
		t = test{op: opGradient, ref: c.gradient(of)}
	case conditionAboveY:
		t = test{
			op: opAboveY, offset: of.anchor.resolve(c.settings.MinY, c.settings.Height),
			multiplier: of.multiplier, addStone: number[of.addStone],
		}
	case conditionWater:
		t = test{op: opWater, offset: of.offset, multiplier: of.multiplier, addStone: number[of.addStone]}
	case conditionStoneDepth:
		t = test{op: opFloor, offset: 1 + of.offset, multiplier: number[of.addSurface], secondary: of.secondary}
		if of.ceiling {
			t.op = opCeiling
		}
	case conditionTemperature:
		t.op = opTemperature
	case conditionSteep:
		t.op = opSteep
	case conditionHole:
		t.op = opHole
	case conditionAboveSurface:
		t.op = opAboveSurface
	}
	return t, err
}

// maxMembers bounds the sets of biomes, times all biomes.
const maxMembers = 1 << 24

// set returns the number of a set of biomes.
func (c *compiler) set(ids []string) (int32, error) {
	within := make(map[string]bool, len(ids))
	for _, id := range ids {
		within[id] = true
	}
	set := make(biomeSet, len(c.settings.Biomes))
	key := make([]byte, len(set))
	for i := range c.settings.Biomes {
		if set[i] = within[c.settings.Biomes[i].Name]; set[i] {
			key[i] = 1
		}
	}
	at, ok := c.setAt[string(key)]
	if !ok {
		if (len(c.sets)+1)*len(set) > maxMembers {
			return 0, fmt.Errorf("%w: %d sets of %d biomes", ErrSettings, len(c.sets)+1, len(set))
		}
		at = int32(len(c.sets))
		c.sets = append(c.sets, set)
		c.setAt[string(key)] = at
	}
	return at, nil
}

// gradient returns the number of a vertical gradient.
func (c *compiler) gradient(of *condition) int32 {
	from := of.anchor.resolve(c.settings.MinY, c.settings.Height)
	to := of.anchorTo.resolve(c.settings.MinY, c.settings.Height)
	key := fmt.Sprint(from, to, of.name)
	at, ok := c.gradAt[key]
	if !ok {
		at = int32(len(c.gradients))
		source := c.settings.Noises.Factory().Hash(of.name)
		c.gradients = append(c.gradients, gradient{from: from, to: to, random: newPositional(source.Positional())})
		c.gradAt[key] = at
	}
	return at
}

// facts is what a node's tests and ends need, all ways together.
type facts struct {
	// floor is the greatest stone depth at which a floor test may still hold,
	// without the surface depth, which counts too if addSurface is set, and
	// without the secondary depth, whose range is up to secondary.
	floor, secondary int32
	addSurface       bool
	// flat nodes depend on the position alone and end in plain states.
	flat bool
}

// facts returns the facts of all nodes.
func (c *compiler) facts() []facts {
	list := make([]facts, len(c.graph.nodes))
	for i := range list {
		n := &c.graph.nodes[i]
		if n.op.ends() {
			list[i].flat = n.plain
			continue
		}
		t := &c.tests[n.test]
		yes, no := list[n.yes], list[n.no]
		list[i] = facts{
			floor:      max(yes.floor, no.floor),
			secondary:  max(yes.secondary, no.secondary),
			addSurface: yes.addSurface || no.addSurface,
			flat:       yes.flat && no.flat && (t.op == opGradient || t.fixedHeight()),
		}
		if t.op == opFloor {
			list[i].reach(t)
		}
	}
	return list
}

// farReach is the reach of floor tests that are never taken for out of reach,
// because their numbers might wrap around.
const farReach = math.MaxInt32 / 4

// reach adds what a floor test needs.
func (f *facts) reach(t *test) {
	const far = 1 << 20
	if t.offset < -far || t.offset > far || t.secondary < 0 || t.secondary > far {
		f.floor = farReach
	}
	f.floor = max(f.floor, t.offset)
	f.secondary = max(f.secondary, min(t.secondary, far))
	f.addSurface = f.addSurface || t.multiplier != 0
}
