package main

import (
	"fmt"
	"slices"
	"strings"
)

// recipe is one recipe while it is taken apart.
type recipe struct {
	*game
	tags      map[string]int // item tags by name
	schema    *schema
	parts     []part
	width     int
	height    int
	cooking   int
	materials [2]int
	addCount  bool
	notify    bool
	pattern   int // of a smithing trim, number plus one
	xp        float64
	group     string
	category  string
	result    *node
}

// part is one ingredient; a nil ingredient is an empty place of a pattern.
type part struct {
	role string
	node *node
}

// cookingTicks are the times that the files of 26.2 leave out; those of 26.1
// say them.
var cookingTicks = map[string]int{"smelting": 200, "blasting": 100, "smoking": 100, "campfire_cooking": 100}

// encodeRecipes writes the section of recipes, sorted by name.
func encodeRecipes(s *schema, g *game) ([]byte, error) {
	tags := map[string]int{}
	for i, tag := range g.pack.list("tags/item") {
		tags[tag] = i
	}
	names := g.pack.list("recipe")
	e := newEncoder()
	e.number(len(names))
	for _, name := range names {
		n, err := g.pack.json("recipe/" + name + ".json")
		if err != nil {
			return nil, err
		}
		r := &recipe{game: g, tags: tags, schema: s, notify: true, materials: [2]int{1, 1}}
		if err := r.take(n); err != nil {
			return nil, fmt.Errorf("recipe %s: %w", name, err)
		}
		e.text(name)
		if err := r.encode(e, n); err != nil {
			return nil, fmt.Errorf("recipe %s: %w", name, err)
		}
	}
	return e.data, nil
}

// take sorts out the members of a recipe; one that is not known is an error,
// so that nothing gets lost.
func (r *recipe) take(n *node) error {
	kind := bare(n.get("type").str())
	r.cooking = cookingTicks[kind]
	r.category = "misc" // what files leave out
	if !strings.HasPrefix(kind, "crafting_") && r.cooking == 0 || strings.HasPrefix(kind, "crafting_special_") ||
		kind == "crafting_decorated_pot" {
		r.category = ""
	}
	for _, m := range n.members {
		v := m.value
		switch m.name {
		case "type", "key":
		case "group":
			r.group = v.str()
		case "category":
			r.category = v.str()
		case "show_notification":
			r.notify = v.yes(true)
		case "pattern":
			if err := r.takePattern(n, v); err != nil {
				return err
			}
		case "ingredients":
			for _, item := range v.items {
				r.parts = append(r.parts, part{"", item})
			}
		case "shapes":
			for _, x := range v.members {
				r.parts = append(r.parts, part{"shape/" + x.name, x.value})
			}
		case "result":
			r.result = v
		case "experience":
			r.xp = v.num()
		case "cookingtime":
			r.cooking = v.int()
		case "material_count":
			r.materials = [2]int{v.get("min").int(), v.get("max").int()}
		case "add_material_count_to_result":
			r.addCount = v.yes(false)
		case "ingredient":
			r.parts = append(r.parts, part{"", v})
		default:
			if !slices.Contains(roles, m.name) {
				return fmt.Errorf("%w: member %s", errJSON, m.name)
			}
			r.parts = append(r.parts, part{m.name, v})
		}
	}
	return nil
}

// roles are members that name one ingredient each.
var roles = []string{
	"addition", "back", "banner", "base", "dye", "front", "fuel", "input", "left", "map", "material", "right", "shell",
	"source", "star", "target", "template", "trail", "twinkle",
}

// takePattern reads the pattern of a shaped recipe, or the trim pattern of a
// smithing recipe.
func (r *recipe) takePattern(n, v *node) error {
	if v.kind == kindString {
		id, err := r.id("trim_pattern", v.text)
		r.pattern = id + 1
		return err
	}
	var rows []string
	for _, row := range v.items {
		rows = append(rows, row.text)
	}
	rows = shrink(rows)
	r.height = len(rows)
	for _, row := range rows {
		r.width = len(row)
		for _, symbol := range row {
			var ingredient *node
			if symbol != ' ' {
				if ingredient = n.get("key").get(string(symbol)); ingredient == nil {
					return fmt.Errorf("no key %q", symbol)
				}
			}
			r.parts = append(r.parts, part{"", ingredient})
		}
	}
	if len(r.parts) != r.width*r.height {
		return fmt.Errorf("%w: a pattern of uneven rows", errJSON)
	}
	return nil
}

// shrink takes empty rows and columns off the sides of a pattern, as the game
// does when it reads one.
func shrink(rows []string) []string {
	left, right := len(rows[0]), 0
	for _, row := range rows {
		left = min(left, len(row)-len(strings.TrimLeft(row, " ")))
		right = max(right, len(strings.TrimRight(row, " ")))
	}
	var kept []string
	for _, row := range rows {
		kept = append(kept, row[left:right])
	}
	empty := func(row string) bool { return strings.TrimSpace(row) == "" }
	for len(kept) > 0 && empty(kept[0]) {
		kept = kept[1:]
	}
	for len(kept) > 0 && empty(kept[len(kept)-1]) {
		kept = kept[:len(kept)-1]
	}
	return kept
}

func (r *recipe) encode(e *encoder, n *node) error {
	kind, err := r.id("recipe_serializer", n.get("type").str())
	if err != nil {
		return err
	}
	e.number(kind)
	e.shared(r.group)
	e.shared(r.category)
	e.truth(r.notify)
	e.truth(r.addCount)
	e.number(r.materials[0])
	e.number(r.materials[1])
	e.number(r.pattern)
	e.float(r.xp)
	e.number(r.cooking)
	e.number(r.width)
	e.number(r.height)
	e.number(len(r.parts))
	for _, p := range r.parts {
		e.shared(p.role)
		if err := r.encodeIngredient(e, p.node); err != nil {
			return err
		}
	}
	return r.encodeResult(e)
}

// encodeIngredient writes the number of an item tag plus one, or 0 and the
// items, of which an empty place has none.
func (r *recipe) encodeIngredient(e *encoder, n *node) error {
	var names []*node
	switch {
	case n == nil:
	case n.kind == kindArray:
		names = n.items
	case strings.HasPrefix(n.str(), "#"):
		tag, ok := r.tags[bare(n.text[1:])]
		if !ok {
			return fmt.Errorf("no item tag %s", n.text)
		}
		e.number(tag + 1)
		return nil
	default:
		names = []*node{n}
	}
	e.number(0)
	e.number(len(names))
	for _, name := range names {
		id, err := r.id("item", name.str())
		if err != nil {
			return err
		}
		e.number(id)
	}
	return nil
}

// encodeResult writes the item of the result plus one, or 0 for none, its
// count and its components.
func (r *recipe) encodeResult(e *encoder) error {
	if r.result == nil {
		e.number(0)
		return nil
	}
	id, err := r.id("item", r.result.get("id").str())
	if err != nil {
		return err
	}
	e.number(id + 1)
	count := 1
	if c := r.result.get("count"); c != nil {
		count = c.int()
	}
	e.number(count)
	var components []member
	if c := r.result.get("components"); c != nil {
		components = c.members
	}
	e.number(len(components))
	for _, m := range components {
		id, err := r.id("data_component_type", m.name)
		if err != nil {
			return err
		}
		t, err := r.schema.convert(m.name, m.value)
		if err != nil {
			return err
		}
		data, err := t.network()
		if err != nil {
			return err
		}
		e.number(id)
		e.bytes(data)
	}
	return nil
}
