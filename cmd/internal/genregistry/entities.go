package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// encodeEntities writes the section of entity types, by number.
func encodeEntities(in *inputs, g, newest *game) ([]byte, error) {
	facts, err := g.extracted.json("entities.json")
	if err != nil {
		return nil, err
	}
	tracked, err := newTrackedData(in, g, newest)
	if err != nil {
		return nil, err
	}
	e := newEncoder()
	for id, name := range g.byName["entity_type"].names {
		n := facts.get(name)
		if n == nil || n.get("id").int() != id {
			return nil, fmt.Errorf("entity %s: the extracted number is another", name)
		}
		if err := encodeEntity(e, g, n); err != nil {
			return nil, fmt.Errorf("entity %s: %w", name, err)
		}
		if err := tracked.encode(e, name); err != nil {
			return nil, fmt.Errorf("entity %s: %w", name, err)
		}
	}
	return e.data, nil
}

func encodeEntity(e *encoder, g *game, n *node) error {
	size := n.get("dimension").items
	if len(size) != 2 {
		return fmt.Errorf("%w: no size", errJSON)
	}
	e.float(size[0].num())
	e.float(size[1].num())
	e.float(n.get("eye_height").num())
	e.shared(strings.ToLower(n.get("category").str()))
	for _, flag := range []string{"fire_immune", "summonable", "saveable", "can_spawn_far_from_player"} {
		e.truth(n.get(flag).yes(false))
	}
	// The player has no such members: it can be attacked and is no mob.
	e.truth(n.get("attackable").yes(true))
	e.truth(n.get("mob").yes(false))
	e.number(n.get("limit_per_chunk").int())
	e.number(n.get("experience_reward").int())
	placement := n.get("spawn_restriction")
	e.shared(strings.ToLower(placement.get("location").str()))
	e.shared(strings.ToLower(placement.get("heightmap").str()))
	sound := 0
	if s := n.get("hurt_sound"); s != nil {
		id, err := g.id("sound_event", s.str())
		if err != nil {
			return err
		}
		sound = id + 1
	}
	e.number(sound)
	return encodeAttributes(e, g, n)
}

// encodeAttributes writes the attributes of a living entity with the base
// values it is born with.
func encodeAttributes(e *encoder, g *game, n *node) error {
	list := n.get("attributes")
	if list == nil {
		e.number(0)
		return nil
	}
	e.number(len(list.items))
	health := 0.0
	for _, item := range list.items {
		if len(item.members) != 1 {
			return fmt.Errorf("%w: an attribute of %d values", errJSON, len(item.members))
		}
		name, value := item.members[0].name, item.members[0].value.num()
		id, err := g.id("attribute", name)
		if err != nil {
			return err
		}
		if name == "max_health" {
			health = value
		}
		e.number(id)
		e.double(value)
	}
	if health != n.get("max_health").num() {
		return fmt.Errorf("max health %v is not the attribute's %v", n.get("max_health").num(), health)
	}
	return nil
}

// trackedData knows the entity metadata of a version: of 26.2 as extracted;
// of 26.1 the order of names from minecraft-data, with the types that the
// fields of the same names have in 26.2.
type trackedData struct {
	order map[string][]string // names by entity, nil for the version extracted
	types *node
}

func newTrackedData(in *inputs, g, newest *game) (*trackedData, error) {
	types, err := newest.extracted.json("tracked_data.json")
	if err != nil || g == newest {
		return &trackedData{types: types}, err
	}
	t := &trackedData{types: types, order: map[string][]string{}}
	for _, n := range in.entities.items {
		names := []string{}
		for _, key := range n.get("metadataKeys").items {
			names = append(names, key.str())
		}
		t.order[n.get("name").str()] = names
	}
	return t, nil
}

// fieldParts are the parts of a field's name that say nothing of it.
var fieldParts = regexp.MustCompile(`^(data_)?(id_)?|_id$|_data(_finalized)$`)

// fieldName turns DATA_ID_FLAGS and the like into what minecraft-data calls
// it: flags.
func fieldName(constant string) string {
	name := fieldParts.ReplaceAllString(strings.ToLower(constant), "$3")
	return strings.Replace(name, "_id_", "_", 1)
}

func (t *trackedData) encode(e *encoder, entity string) error {
	fields := slices.Clone(t.types.get(entity).members)
	slices.SortFunc(fields, func(a, b member) int { return a.value.get("id").int() - b.value.get("id").int() })
	types := map[string]int{}
	var names []string
	for i, f := range fields {
		name := fieldName(f.name)
		if _, twice := types[name]; twice || f.value.get("id").int() != i {
			return fmt.Errorf("metadata field %s has the wrong number or its name comes twice", f.name)
		}
		types[name] = f.value.get("type_id").int()
		names = append(names, name)
	}
	if t.order != nil {
		names = t.order[entity]
	}
	if len(names) == 0 {
		return fmt.Errorf("no metadata")
	}
	e.number(len(names))
	for _, name := range names {
		kind, ok := types[name]
		if !ok {
			return fmt.Errorf("the type of metadata field %s is not known", name)
		}
		e.shared(name)
		e.number(kind)
	}
	return nil
}
