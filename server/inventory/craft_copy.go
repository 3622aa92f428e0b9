package inventory

import (
	"strings"

	"strata/anvil/registry"
	"strata/nbt"
	"strata/server/item"
)

const (
	// maxLayers is how many patterns a banner may have to be copied.
	maxLayers = 6
	// lastGeneration is of books that are not copied: copies of copies.
	lastGeneration = 2
)

// copyBanner copies the patterns of one banner onto another of its color.
func copyBanner(r *registry.Recipe, in input) item.Stack {
	if len(in.used) != 2 {
		return item.Stack{}
	}
	banner := named(r, "banner")
	from, onto := in.used[0], in.used[1]
	if layers(from) == 0 {
		from, onto = onto, from
	}
	n := layers(from)
	if from.ID != onto.ID || !banner.Has(from.ID) || n == 0 || n > maxLayers || layers(onto) != 0 {
		return item.Stack{}
	}
	return from.WithCount(1)
}

// layers returns how many patterns a banner or shield has.
func layers(s item.Stack) int {
	raw, ok := s.Component("banner_patterns")
	if !ok {
		return 0
	}
	var list nbt.List
	if raw.Decode(&list) != nil {
		return 0
	}
	return len(list.Items)
}

// copyBook copies a written book into each book and quill.
func copyBook(r *registry.Recipe, in input) item.Stack {
	source, material := named(r, "source"), named(r, "material")
	var from item.Stack
	n := int32(0)
	for _, s := range in.used {
		switch {
		case from.Empty() && source.Has(s.ID):
			from = s
		case material.Has(s.ID):
			n++
		default:
			return item.Stack{}
		}
	}
	content := compound(from, "written_book_content")
	generation, _ := content.Get("generation")
	copies, _ := generation.(int32)
	if from.Empty() || n == 0 || content == nil || copies < 0 || copies >= lastGeneration {
		return item.Stack{}
	}
	content.Set("generation", copies+1)
	return with(from.WithCount(n), "written_book_content", content)
}

// decorate puts a banner onto a shield without one.
func decorate(r *registry.Recipe, in input) item.Stack {
	if len(in.used) != 2 {
		return item.Stack{}
	}
	shield, banner := in.used[0], in.used[1]
	if !named(r, "target").Has(shield.ID) {
		shield, banner = banner, shield
	}
	if !named(r, "target").Has(shield.ID) || !named(r, "banner").Has(banner.ID) || layers(shield) != 0 {
		return item.Stack{}
	}
	color, ok := strings.CutSuffix(strings.TrimPrefix(banner.Name(), "minecraft:"), "_banner")
	if !ok {
		return item.Stack{}
	}
	out := with(shield.WithCount(1), "base_color", color)
	if patterns, has := banner.Component("banner_patterns"); has {
		out = out.With("banner_patterns", patterns)
	}
	return out
}

// stays reports whether a stack is what a recipe copies, which is not used up.
func stays(r *registry.Recipe, s item.Stack) bool {
	switch r.Type {
	case "minecraft:crafting_special_bannerduplicate":
		return layers(s) > 0
	case "minecraft:crafting_special_bookcloning":
		return named(r, "source").Has(s.ID)
	}
	return false
}
