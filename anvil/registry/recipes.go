package registry

import "slices"

// Recipe is a recipe of any type. Which fields count depends on Type.
type Recipe struct {
	Name     string // with namespace
	Type     string // name in minecraft:recipe_serializer, with namespace
	Group    string // recipes of one group share a place in the recipe book
	Category string // of the recipe book, "" for types without one
	// ShowNotification says whether unlocking it is announced.
	ShowNotification bool

	// Width and Height are the size of a shaped recipe's pattern, whose
	// ingredients are row by row; 0 for other types. Empty rows and columns at
	// the sides are taken off: the pattern fits anywhere in the grid, and
	// mirrored.
	Width, Height int32
	// Ingredients are the places of a pattern, the ingredients of a shapeless
	// recipe in any order, the one thing that is cooked or cut, or those that
	// a type names by Role.
	Ingredients []Ingredient
	Result      Result // of a special recipe, what it begins from

	Experience float32 // of cooking, for each item
	CookTicks  int32   // of cooking

	// A transmute recipe takes MinMaterial to MaxMaterial of its material,
	// and with AddMaterial gives as many more.
	MinMaterial, MaxMaterial int32
	AddMaterial              bool
	// TrimPattern is the trim of a smithing_trim recipe, a number in
	// minecraft:trim_pattern, else -1.
	TrimPattern int32
}

// Ingredient is a set of items, any of which fits. An empty place of a pattern
// has none.
type Ingredient struct {
	// Role is the member of the recipe that it stands in, "" where that is the
	// only one: "base", "addition" and "template" of smithing; "input" and
	// "material" of a transmute; "shape/burst" and the like of a firework star.
	Role string
	// Tag is the item tag that the recipe names, or nil.
	Tag *Tag
	// Items are the items, those of the tag if there is one. They must not be
	// changed.
	Items []int32
}

// Has reports whether an item fits.
func (i Ingredient) Has(item int32) bool {
	if i.Tag != nil {
		return i.Tag.Has(item)
	}
	return slices.Contains(i.Items, item)
}

// Result is what a recipe makes.
type Result struct {
	Item       int32 // -1 if the type works it out
	Count      int32
	Components []Component // beside the item's own
}

// Recipes returns all recipes of the game's own data pack, sorted by name. The
// result is shared and must not be changed.
func Recipes(v Version) []Recipe { return of(v).recipes() }

// decodeRecipes reads n recipes: name, type, group and category (shared
// texts), notification, addition of the material, its range, number of the
// trim pattern plus one, experience, ticks, width, height, m ingredients, and
// the result: number of its item plus one, or 0 for none; count, k components.
func decodeRecipes(data []byte, names *nameTable, tags []*TagRegistry) ([]Recipe, error) {
	d := newTextDecoder(data)
	types := names.get(d, "recipe_serializer")
	patterns := len(names.get(d, "trim_pattern").names)
	items := names.get(d, "item")
	var itemTags []Tag
	for _, t := range tags {
		if t.registry == items {
			itemTags = t.tags
		}
	}
	list := make([]Recipe, d.count())
	for i := range list {
		if d.err != nil {
			break
		}
		r := &list[i]
		r.Name = withNamespace(d.string())
		if kind := d.index(len(types.names)); d.err == nil {
			r.Type = types.names[kind]
		}
		r.Group, r.Category = d.sharedString(), d.sharedString()
		r.ShowNotification, r.AddMaterial = d.truth(), d.truth()
		r.MinMaterial, r.MaxMaterial = d.int32(), d.int32()
		r.TrimPattern = d.optional(patterns)
		r.Experience, r.CookTicks = d.float(), d.int32()
		r.Width, r.Height = d.int32(), d.int32()
		r.Ingredients = make([]Ingredient, d.count())
		for k := range r.Ingredients {
			r.Ingredients[k] = decodeIngredient(d, len(items.names), itemTags)
		}
		r.Result = decodeResult(d, names, len(items.names))
	}
	return list, d.end()
}

// decodeIngredient reads the role (shared text), and the number of an item tag
// plus one, or 0 and n items.
func decodeIngredient(d *decoder, items int, tags []Tag) Ingredient {
	i := Ingredient{Role: d.sharedString()}
	if tag := d.optional(len(tags)); tag >= 0 {
		i.Tag = &tags[tag]
		i.Items = i.Tag.ids
		return i
	}
	i.Items = d.ids(items)
	return i
}

func decodeResult(d *decoder, names *nameTable, items int) Result {
	r := Result{Item: d.optional(items)}
	if r.Item < 0 {
		return r
	}
	r.Count = d.int32()
	for range d.count() {
		r.Components = append(r.Components, decodeComponent(d, names.get(d, "data_component_type")))
	}
	return r
}
