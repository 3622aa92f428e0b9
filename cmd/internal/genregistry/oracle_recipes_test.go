package main

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/registry"
)

// TestCraftingIsThatOfMinecraftData expands the shaped and shapeless recipes
// of 26.1 to single items and compares them with the list of minecraft-data,
// an extraction of its own from the game.
func TestCraftingIsThatOfMinecraftData(t *testing.T) {
	type result struct{ ID, Count int32 }
	type recipe struct {
		InShape     [][]*int32
		Ingredients []int32
		Result      result
	}
	want := decode[map[string][]recipe](t, readSources(t).npm[packageRecipes])
	shaped := map[result][]registry.Recipe{}
	shapeless := map[result][]registry.Recipe{}
	for _, r := range registry.Recipes(registry.V26_1) {
		key := result{r.Result.Item, r.Result.Count}
		switch r.Type {
		case "minecraft:crafting_shaped":
			shaped[key] = append(shaped[key], r)
		case "minecraft:crafting_shapeless":
			shapeless[key] = append(shapeless[key], r)
		}
	}
	checked, unknown := 0, map[string]int{}
	for _, list := range want {
		for _, w := range list {
			checked++
			var ok bool
			if w.InShape != nil {
				ok = slices.ContainsFunc(shaped[w.Result], func(r registry.Recipe) bool { return fitsShape(r, w.InShape) })
			} else {
				ok = slices.ContainsFunc(shapeless[w.Result], func(r registry.Recipe) bool { return fitsAny(r, w.Ingredients) })
			}
			if !ok {
				name, _ := registry.Of("item", registry.V26_1).Name(w.Result.ID)
				unknown[name]++
			}
		}
	}
	if checked != 1684 || len(unknown) != 0 {
		t.Errorf("of %d recipes not found: %v", checked, unknown)
	}
}

func fitsShape(r registry.Recipe, rows [][]*int32) bool {
	if int(r.Height) != len(rows) {
		return false
	}
	for y, row := range rows {
		for x := range int(r.Width) {
			place := r.Ingredients[y*int(r.Width)+x]
			var item *int32
			if x < len(row) {
				item = row[x]
			}
			if item == nil && len(place.Items) != 0 || item != nil && !place.Has(*item) {
				return false
			}
		}
	}
	return true
}

func fitsAny(r registry.Recipe, items []int32) bool {
	if len(items) != len(r.Ingredients) {
		return false
	}
	left := slices.Clone(r.Ingredients)
	for _, item := range items {
		i := slices.IndexFunc(left, func(x registry.Ingredient) bool { return x.Has(item) })
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}

// TestRecipesAreThoseOfTheDataPack puts every recipe together again.
func TestRecipesAreThoseOfTheDataPack(t *testing.T) {
	versions(t, func(t *testing.T, v registry.Version, rel *release) {
		list := registry.Recipes(v)
		names := rel.pack.list("recipe")
		if len(list) != len(names) {
			t.Fatalf("%d recipes of %d files", len(list), len(names))
		}
		for i, r := range list {
			if bare(r.Name) != names[i] {
				t.Fatalf("recipe %d is %s, want %s", i, r.Name, names[i])
			}
			file := decode[map[string]any](t, rel.pack[path.Join("recipe", names[i])+".json"])
			if diff := cmp.Diff(file, rebuild(v, r, file), nearFloats); diff != "" {
				t.Errorf("%s: %s", r.Name, diff)
			}
		}
	})
}

// rebuild writes a recipe as its file has it; file tells only which members
// that may be left out are there, and the letters of a pattern.
func rebuild(v registry.Version, r registry.Recipe, file map[string]any) map[string]any {
	out := map[string]any{"type": r.Type}
	put := func(name string, value any, always bool) {
		if _, there := file[name]; there || always {
			out[name] = value
		}
	}
	put("group", r.Group, r.Group != "")
	put("category", r.Category, r.Category != "" && r.Category != "misc")
	put("show_notification", r.ShowNotification, !r.ShowNotification)
	put("experience", float64(r.Experience), r.Experience != 0)
	put("cookingtime", float64(r.CookTicks), r.CookTicks != 0 && r.CookTicks != defaultCooking[r.Type])
	put("add_material_count_to_result", r.AddMaterial, r.AddMaterial)
	if r.MinMaterial != 1 || r.MaxMaterial != 1 {
		out["material_count"] = map[string]any{"min": float64(r.MinMaterial), "max": float64(r.MaxMaterial)}
	}
	if name, ok := registry.Of("trim_pattern", v).Name(r.TrimPattern); ok {
		out["pattern"] = name
	}
	if r.Result.Item >= 0 {
		out["result"] = rebuildResult(v, r.Result, file)
	}
	rebuildIngredients(v, r, file, out)
	return out
}

var defaultCooking = map[string]int32{"minecraft:smelting": 200, "minecraft:blasting": 100, "minecraft:smoking": 100}

func rebuildResult(v registry.Version, r registry.Result, file map[string]any) map[string]any {
	name, _ := registry.Of("item", v).Name(r.Item)
	out := map[string]any{"id": name}
	if r.Count != 1 {
		out["count"] = float64(r.Count)
	}
	if len(r.Components) > 0 {
		out["components"] = file["result"].(map[string]any)["components"] // compared as items' are
	}
	return out
}

func rebuildIngredients(v registry.Version, r registry.Recipe, file, out map[string]any) {
	if r.Width > 0 {
		rebuildPattern(v, r, file, out)
		return
	}
	shapes := map[string]any{}
	list := []any{}
	for _, i := range r.Ingredients {
		value := rebuildIngredient(v, i)
		shape, isShape := strings.CutPrefix(i.Role, "shape/")
		switch {
		case isShape:
			shapes[shape] = value
		case i.Role != "":
			out[i.Role] = value
		default:
			list = append(list, value)
		}
	}
	if len(shapes) > 0 {
		out["shapes"] = shapes
	}
	if _, single := file["ingredient"]; single && len(list) == 1 {
		out["ingredient"] = list[0]
	} else if len(list) > 0 {
		out["ingredients"] = list
	}
}

func rebuildPattern(v registry.Version, r registry.Recipe, file, out map[string]any) {
	// The file's pattern may have empty columns at its sides (never rows); its
	// place among them is where its first letter stands.
	pattern, key := []any{}, map[string]any{}
	rows := file["pattern"].([]any)
	margin := len(rows[0].(string))
	for _, row := range rows {
		margin = min(margin, len(row.(string))-len(strings.TrimLeft(row.(string), " ")))
	}
	for y, row := range rows {
		line := strings.Repeat(" ", margin)
		for x := range int(r.Width) {
			place := r.Ingredients[y*int(r.Width)+x]
			if len(place.Items) == 0 {
				line += " "
				continue
			}
			letter := row.(string)[margin+x : margin+x+1]
			line += letter
			value := rebuildIngredient(v, place)
			if old, ok := key[letter]; ok && !cmp.Equal(old, value) {
				value = fmt.Sprint("differs from ", old)
			}
			key[letter] = value
		}
		pattern = append(pattern, line+strings.Repeat(" ", len(row.(string))-len(line)))
	}
	if len(pattern) != int(r.Height) {
		pattern = nil
	}
	out["pattern"], out["key"] = pattern, key
}

// rebuildIngredient writes a tag, an item or a list of several.
func rebuildIngredient(v registry.Version, i registry.Ingredient) any {
	if i.Tag != nil {
		return "#" + i.Tag.Name()
	}
	list := []any{}
	for _, id := range i.Items {
		name, _ := registry.Of("item", v).Name(id)
		list = append(list, name)
	}
	if len(list) == 1 {
		return list[0]
	}
	return list
}

func TestPatternsShrink(t *testing.T) {
	for _, test := range []struct{ pattern, want []string }{
		{[]string{"##", "##"}, []string{"##", "##"}},
		{[]string{" # ", " X "}, []string{"#", "X"}},
		{[]string{"   ", "  #", "   "}, []string{"#"}},
		{[]string{"# #", " # "}, []string{"# #", " # "}},
		{[]string{"#", " ", "#"}, []string{"#", " ", "#"}},
	} {
		if got := shrink(test.pattern); !slices.Equal(got, test.want) {
			t.Errorf("%q shrinks to %q, want %q", test.pattern, got, test.want)
		}
	}
}
