package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"strata/anvil/block"
)

// facts are what is known of native blocks and states.
type facts struct {
	blocks     []blockFacts
	states     []stateFacts
	shapes     []shape
	masks      []faceMask
	occlusions [][6]uint8
}

type blockFacts struct {
	hardness, resistance float32
	motion               motion
	tool                 block.Tool
	tier                 block.Tier
	needsTool, climbable bool
	push                 block.PushReaction
	fire                 odds
}

type stateFacts struct {
	shape                              int
	emission, opacity                  int
	occlusion                          int
	fluid                              block.Fluid
	amount                             int
	falling                            bool
	air, motion, leaves, solid, hiding bool
	replaceable                        bool
	color                              int
}

// builder holds the hand tables, applied to all names.
type builder struct {
	in     *input
	native report
	out    *facts

	color                               map[string]colorRule
	motions                             map[string]motion
	fire                                map[string]odds
	push                                map[string]block.PushReaction
	useShape, opaque, clear, clings     map[string]bool
	forced, wet                         map[string]bool
	leaves, replaceable, climbable      map[string]bool
	tools                               map[string]block.Tool
	tiers                               map[string]block.Tier
	colorNumbers, shapeNumbers, maskNos map[string]int
	occlusionNos                        map[[6]uint8]int
}

func build(in *input) (*facts, error) {
	b := &builder{
		in: in, native: in.versions[0].report, out: &facts{},
		shapeNumbers: map[string]int{}, maskNos: map[string]int{}, occlusionNos: map[[6]uint8]int{},
	}
	if err := b.applyRules(); err != nil {
		return nil, err
	}
	b.applyTags()
	b.occlusion(shape{}) // number 0 covers nothing
	for i := range b.native {
		if err := b.block(&b.native[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", b.native[i].Name, err)
		}
	}
	return b.out, nil
}

func (b *builder) applyRules() error {
	names := make([]string, len(b.native))
	for i := range b.native {
		names[i] = b.native[i].Name
	}
	b.colorNumbers = map[string]int{}
	for _, c := range slices.Backward(b.in.colors) {
		b.colorNumbers[c.Name] = c.ID // unused numbers at the end are "none" too
	}
	var errs [10]error
	b.color, errs[0] = colorRules().apply("colors", names, true)
	b.motions, errs[1] = motions.apply("motions", names, false)
	b.fire, errs[2] = flammability.apply("flammability", names, false)
	b.push, errs[3] = pushes.apply("pushes", names, false)
	b.useShape, errs[4] = shapeForLight.apply("shapeForLight", names, false)
	b.opaque, errs[5] = opaque.apply("opaque", names, false)
	b.clear, errs[6] = clearInWater.apply("clearInWater", names, false)
	b.clings, errs[7] = clingingPlants.apply("clingingPlants", names, false)
	b.forced, errs[8] = solid.apply("solid", names, false)
	b.wet, errs[9] = growsInWater.apply("growsInWater", names, false)
	return errors.Join(errs[:]...)
}

func (b *builder) applyTags() {
	b.leaves = b.tagged("leaves")
	b.replaceable = b.tagged("replaceable")
	b.climbable = b.tagged("climbable")
	b.tools, b.tiers = map[string]block.Tool{}, map[string]block.Tier{}
	for tag, tool := range map[string]block.Tool{
		"pickaxe": block.Pickaxe, "axe": block.Axe, "shovel": block.Shovel, "hoe": block.Hoe,
	} {
		for _, name := range b.in.tags["mineable/"+tag] {
			b.tools[name] = tool
		}
	}
	for tag, tier := range map[string]block.Tier{
		"stone": block.StoneTier, "iron": block.IronTier, "diamond": block.DiamondTier,
	} {
		for _, name := range b.in.tags["needs_"+tag+"_tool"] {
			b.tiers[name] = tier
		}
	}
}

func (b *builder) tagged(name string) map[string]bool {
	set := map[string]bool{}
	for _, block := range b.in.tags[name] {
		set[block] = true
	}
	return set
}

// block adds the facts of a native block and its states.
func (b *builder) block(r *reportBlock) error {
	source := r.Name
	npm, known := b.in.npm[source]
	if !known {
		source = modelOf[r.Name]
		if npm, known = b.in.npm[source]; !known {
			return fmt.Errorf("no source and no model")
		}
	}
	f := blockFacts{
		hardness: strength(npm), resistance: npm.Resistance, motion: defaultMotion,
		tool: b.tools[r.Name], tier: b.tiers[r.Name], needsTool: npm.HarvestTools != nil,
		climbable: b.climbable[r.Name], push: b.push[r.Name], fire: b.fire[r.Name],
	}
	if source != r.Name && r.Name != "sulfur_spike" {
		tuff := b.in.npm[strengthOf]
		f.hardness, f.resistance = strength(tuff), tuff.Resistance
	}
	if m, ok := b.motions[r.Name]; ok {
		f.motion = m
	}
	if strings.HasSuffix(r.Kind, "leaves") != b.leaves[r.Name] {
		return fmt.Errorf("kind %s, but in the tag leaves: %t", r.Kind, b.leaves[r.Name])
	}
	b.out.blocks = append(b.out.blocks, f)
	shapes, err := b.shapesOf(source, r, npm)
	if err != nil {
		return err
	}
	for i := range r.States {
		s, err := b.state(r, i, npm, shapes[i])
		if err != nil {
			return err
		}
		b.out.states = append(b.out.states, s)
	}
	return nil
}

func strength(npm npmBlock) float32 {
	if npm.Hardness == nil {
		return -1
	}
	return *npm.Hardness
}

// shapesOf returns the collision shape of each state.
func (b *builder) shapesOf(source string, r *reportBlock, npm npmBlock) ([]shape, error) {
	count := npm.MaxStateID - npm.MinStateID + 1
	raw := b.in.shapes.Blocks[source]
	var numbers []int
	if err := json.Unmarshal(raw, &numbers); err != nil {
		var one int
		if err := json.Unmarshal(raw, &one); err != nil {
			return nil, fmt.Errorf("shape: %w", err)
		}
		numbers = slices.Repeat([]int{one}, count)
	}
	if len(numbers) == 1 {
		numbers = slices.Repeat(numbers, count)
	}
	if source != r.Name && count == 1 {
		numbers = slices.Repeat(numbers, r.States) // a model without properties
	}
	if len(numbers) != r.States {
		return nil, fmt.Errorf("%d shapes for %d states", len(numbers), r.States)
	}
	list := make([]shape, r.States)
	for i, n := range numbers {
		boxes, ok := b.in.shapes.Shapes[strconv.Itoa(n)]
		if !ok {
			return nil, fmt.Errorf("no shape %d", n)
		}
		var err error
		if list[i], err = newShape(boxes); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// state works out the facts of the i-th state of a block.
func (b *builder) state(r *reportBlock, i int, npm npmBlock, collision shape) (stateFacts, error) {
	s := stateFacts{
		shape: b.shape(collision), emission: b.emission(r, i, npm),
		air: r.Kind == "air", leaves: b.leaves[r.Name], hiding: !npm.Transparent,
		replaceable: b.replaceable[r.Name] && (r.Name != "snow" || r.get(i, "layers") == "1"),
	}
	b.fluid(&s, r, i)
	s.motion = b.blocksMotion(r, collision)
	occluding := occlusionShape(r, i, collision)
	s.solid = s.hiding && occluding.whole()
	if b.usesShape(r, i) && s.hiding {
		s.occlusion = b.occlusion(occluding)
	}
	s.opacity = b.opacity(&s, r, i, npm)
	c := b.color[r.Name]
	name := c.color
	if c.key != "" {
		value := r.get(i, c.key)
		if value == "" {
			return s, fmt.Errorf("color by %s, which it has not", c.key)
		}
		if value == c.value {
			name = c.other
		}
	}
	number, ok := b.colorNumbers[name]
	if !ok {
		return s, fmt.Errorf("no map color %q", name)
	}
	s.color = number
	return s, nil
}
