package surface

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"strata/anvil/block"
	"strata/pregen/worldgen/settings"
)

// Parse reads a surface rule, the JSON value that a noise_settings document has
// as surface_rule. The source resolves biomes and their tags. Errors that are
// about the rule wrap ErrRule and name where, which is the registry, id and
// field that the text comes from, and the JSON path.
func Parse(source settings.Source, where string, text []byte) (*Rule, error) {
	value, err := decode(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", where, err)
	}
	p := parser{source: source}
	root, err := p.rule(value, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", where, err)
	}
	return &Rule{root: root}, nil
}

// parser reads one rule.
type parser struct {
	source settings.Source
	count  int             // of rules and conditions
	known  map[string]bool // the registry's biomes, once they were asked for
}

// open returns the object and type of a rule or condition, and counts it.
func (p *parser) open(value any, depth int) (object, string, error) {
	if p.count++; p.count > MaxRules {
		return nil, "", invalid("more than %d rules and conditions", MaxRules)
	}
	if depth > MaxDepth {
		return nil, "", invalid("nested more than %d deep", MaxDepth)
	}
	fields, ok := value.(map[string]any)
	if !ok {
		return nil, "", invalid("is no object")
	}
	kind, err := object(fields).id("type")
	return fields, kind, err
}

func (p *parser) rule(value any, depth int) (*rule, error) {
	o, kind, err := p.open(value, depth)
	if err != nil {
		return nil, err
	}
	switch kind {
	case "minecraft:sequence":
		return p.sequence(o, depth)
	case "minecraft:condition":
		return p.conditional(o, depth)
	case "minecraft:block":
		state, err := o.state("result_state")
		return &rule{kind: ruleBlock, state: state}, err
	case "minecraft:bandlands":
		return &rule{kind: ruleBandlands}, nil
	}
	return nil, within("type", invalid("no rule is named %.100q", kind))
}

func (p *parser) sequence(o object, depth int) (*rule, error) {
	value, err := o.field("sequence")
	if err != nil {
		return nil, err
	}
	list, ok := value.([]any)
	if !ok {
		return nil, within("sequence", invalid("is no list"))
	}
	r := &rule{kind: ruleSequence}
	for i, value := range list {
		item, err := p.rule(value, depth+1)
		if err != nil {
			return nil, within("sequence", within(fmt.Sprintf("[%d]", i), err))
		}
		r.list = append(r.list, item)
	}
	return r, nil
}

func (p *parser) conditional(o object, depth int) (*rule, error) {
	value, err := o.field("if_true")
	if err != nil {
		return nil, err
	}
	test, err := p.condition(value, depth+1)
	if err != nil {
		return nil, within("if_true", err)
	}
	if value, err = o.field("then_run"); err != nil {
		return nil, err
	}
	then, err := p.rule(value, depth+1)
	if err != nil {
		return nil, within("then_run", err)
	}
	return &rule{kind: ruleCondition, test: test, then: then}, nil
}

// state reads a block state. As in the game a property that is missing, or has
// no such value, is that of the default state, and unknown ones are ignored.
func (o object) state(name string) (block.State, error) {
	value, err := o.field(name)
	if err != nil {
		return 0, err
	}
	fields, ok := value.(map[string]any)
	if !ok {
		return 0, within(name, invalid("is no object"))
	}
	id, err := object(fields).id("Name")
	if err != nil {
		return 0, within(name, err)
	}
	kind, ok := block.Find(id)
	if !ok {
		return 0, within(name, within("Name", invalid("no block is named %.100q", id)))
	}
	state := kind.Default()
	properties, _ := fields["Properties"].(map[string]any)
	for property, value := range properties {
		text, _ := value.(string)
		if changed, ok := state.With(property, text); ok {
			state = changed
		}
	}
	return state, nil
}

// biomes reads the biomes of a condition: an id, a tag with #, or a list of
// ids.
func (p *parser) biomes(value any) ([]string, error) {
	list, isList := value.([]any)
	if !isList {
		text, ok := value.(string)
		if !ok {
			return nil, invalid("is neither text nor list")
		}
		if tag, ok := strings.CutPrefix(text, "#"); ok {
			return p.tag(tag)
		}
		list = []any{text}
	}
	if len(list) > MaxRules {
		return nil, invalid("more than %d biomes", MaxRules)
	}
	ids := make([]string, len(list))
	for i, value := range list {
		text, _ := value.(string)
		id, err := p.biome(text)
		if err != nil && isList {
			err = within(fmt.Sprintf("[%d]", i), err)
		}
		if err != nil {
			return nil, err
		}
		ids[i] = id
	}
	return ids, nil
}

func (p *parser) tag(text string) ([]string, error) {
	id, err := validID(text)
	if err != nil {
		return nil, err
	}
	members, err := p.source.Tag("worldgen/biome", id)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, invalid("no tag of biomes is named %.100q", id)
	}
	return members, err
}

// biome completes the id of a biome of the registry.
func (p *parser) biome(text string) (string, error) {
	id, err := validID(text)
	if err != nil {
		return "", err
	}
	if p.known == nil {
		ids, err := p.source.IDs("worldgen/biome")
		if err != nil {
			return "", err
		}
		p.known = make(map[string]bool, len(ids))
		for _, id := range ids {
			p.known[id] = true
		}
	}
	if !p.known[id] {
		return "", invalid("no biome is named %.100q", id)
	}
	return id, nil
}
