package inventory

import (
	"slices"

	"strata/anvil/registry"
	"strata/server/item"
)

// refreshResult makes the result that the grid gives.
func (w *Window) refreshResult() {
	w.output[0], _ = Craft(w.crafting, w.gridWidth)
}

// crafted uses up what a result was made of: one of each, and puts what is left
// of them in their place, or to the player.
func (w *Window) crafted() {
	_, left := Craft(w.crafting, w.gridWidth)
	for i, s := range w.crafting {
		if s.Empty() {
			continue
		}
		_, w.crafting[i] = s.Split(1)
		var rest item.Stack
		if left != nil {
			rest = left[i]
		}
		switch {
		case rest.Empty():
		case w.crafting[i].Empty():
			w.crafting[i] = rest
		case w.crafting[i].Same(rest) && w.crafting[i].Count+rest.Count <= rest.MaxSize():
			w.crafting[i] = rest.WithCount(w.crafting[i].Count + rest.Count)
		default:
			w.drop(w.player.Add(rest))
		}
	}
	w.refreshResult()
}

// input is what lies in a grid, without the empty rows and columns round it.
type input struct {
	width, height int
	cells         []item.Stack
	used          []item.Stack // those that are not empty
}

func trim(cells []item.Stack, width int) input {
	left, right, top, bottom := width, -1, len(cells), -1
	var in input
	for i, s := range cells {
		if s.Empty() {
			continue
		}
		in.used = append(in.used, s)
		left, right = min(left, i%width), max(right, i%width)
		top, bottom = min(top, i/width), max(bottom, i/width)
	}
	if len(in.used) == 0 {
		return in
	}
	in.width, in.height = right-left+1, bottom-top+1
	for y := top; y <= bottom; y++ {
		in.cells = append(in.cells, cells[y*width+left:y*width+right+1]...)
	}
	return in
}

// Craft returns what a grid of a width gives, the empty stack for nothing, and
// what is left in each place of one that was used.
func Craft(cells []item.Stack, width int) (item.Stack, []item.Stack) {
	in := trim(cells, width)
	if len(in.used) == 0 {
		return item.Stack{}, nil
	}
	recipes := registry.Recipes(registry.Native)
	for i := range recipes {
		if out := match(&recipes[i], in); !out.Empty() {
			return out, remainders(&recipes[i], cells)
		}
	}
	return item.Stack{}, nil
}

func remainders(r *registry.Recipe, cells []item.Stack) []item.Stack {
	left := make([]item.Stack, len(cells))
	for i, s := range cells {
		it := s.Item()
		switch {
		case s.Empty():
		case stays(r, s):
			left[i] = s.WithCount(1)
		case it != nil && it.Remainder >= 0:
			left[i] = item.New(it.Remainder, 1)
		}
	}
	return left
}

func match(r *registry.Recipe, in input) item.Stack {
	switch r.Type {
	case "minecraft:crafting_shaped":
		if matchShaped(r, in) {
			return made(r)
		}
	case "minecraft:crafting_shapeless":
		if len(r.Ingredients) == len(in.used) && matchAny(r.Ingredients, in.used) {
			return made(r)
		}
	case "minecraft:crafting_transmute":
		return transmute(r, in)
	case "minecraft:crafting_imbue":
		return imbue(r, in)
	case "minecraft:crafting_dye":
		return dye(r, in)
	case "minecraft:crafting_decorated_pot":
		return pot(r, in)
	case "minecraft:crafting_special_repairitem":
		return repair(in)
	case "minecraft:crafting_special_firework_rocket":
		return rocket(r, in)
	case "minecraft:crafting_special_firework_star":
		return star(r, in)
	case "minecraft:crafting_special_firework_star_fade":
		return fade(r, in)
	case "minecraft:crafting_special_bannerduplicate":
		return copyBanner(r, in)
	case "minecraft:crafting_special_bookcloning":
		return copyBook(r, in)
	case "minecraft:crafting_special_shielddecoration":
		return decorate(r, in)
	}
	return item.Stack{}
}

// made returns a recipe's result.
func made(r *registry.Recipe) item.Stack {
	if r.Result.Item < 0 {
		return item.Stack{}
	}
	s := item.New(r.Result.Item, max(r.Result.Count, 1))
	for _, c := range r.Result.Components {
		s = s.With(c.Name, c.Value)
	}
	return s
}

// matchShaped tries the pattern as it is, and mirrored.
func matchShaped(r *registry.Recipe, in input) bool {
	width, height := int(r.Width), int(r.Height)
	if in.width != width || in.height != height || len(r.Ingredients) != width*height {
		return false
	}
	fits := func(mirrored bool) bool {
		for i, s := range in.cells {
			k := i
			if mirrored {
				k = i - i%width + width - 1 - i%width
			}
			if !fitsPlace(r.Ingredients[k], s) {
				return false
			}
		}
		return true
	}
	return fits(false) || fits(true)
}

func fitsPlace(i registry.Ingredient, s item.Stack) bool {
	if i.Tag == nil && len(i.Items) == 0 {
		return s.Empty()
	}
	return !s.Empty() && i.Has(s.ID)
}

// matchAny gives each ingredient a stack of its own.
func matchAny(ingredients []registry.Ingredient, stacks []item.Stack) bool {
	if len(ingredients) == 0 {
		return true
	}
	for i, s := range stacks {
		if ingredients[0].Has(s.ID) {
			others := slices.Delete(slices.Clone(stacks), i, i+1)
			if matchAny(ingredients[1:], others) {
				return true
			}
		}
	}
	return false
}

// named returns the ingredient of a role.
func named(r *registry.Recipe, role string) registry.Ingredient {
	for _, i := range r.Ingredients {
		if i.Role == role {
			return i
		}
	}
	return registry.Ingredient{}
}
