package inventory

import (
	"strings"

	"strata/anvil/registry"
	"strata/nbt"
	"strata/server/item"
)

// maxFuel is how far a firework rocket flies.
const maxFuel = 3

// rocket makes rockets of paper, one to three gunpowder, and stars.
func rocket(r *registry.Recipe, in input) item.Stack {
	shell, fuel, star := named(r, "shell"), named(r, "fuel"), named(r, "star")
	shells, fuels := 0, 0
	explosions := nbt.List{Elem: nbt.TypeCompound}
	for _, s := range in.used {
		switch {
		case shell.Has(s.ID):
			shells++
		case fuel.Has(s.ID):
			fuels++
		case star.Has(s.ID):
			if c := compound(s, "firework_explosion"); c != nil {
				explosions.Items = append(explosions.Items, c)
			}
		default:
			return item.Stack{}
		}
	}
	if shells != 1 || fuels < 1 || fuels > maxFuel {
		return item.Stack{}
	}
	value := nbt.Compound{{Name: "flight_duration", Value: int8(fuels)}}
	if len(explosions.Items) > 0 {
		value = append(value, nbt.Member{Name: "explosions", Value: explosions})
	}
	return with(made(r), "fireworks", value)
}

// star makes a firework star of gunpowder, dyes, and what gives it shape, trail
// and twinkle, one of each at most.
func star(r *registry.Recipe, in input) item.Stack {
	var colors []int32
	seen := map[string]int{}
	shape := "small_ball"
	for _, s := range in.used {
		role := roleOf(r, s)
		kind, isShape := strings.CutPrefix(role, "shape/")
		switch {
		case role == "dye":
			color, ok := fireworkColor(s)
			if !ok {
				return item.Stack{}
			}
			colors = append(colors, color)
			continue
		case isShape:
			shape, role = kind, "shape"
		case role == "":
			return item.Stack{}
		}
		if seen[role]++; seen[role] > 1 {
			return item.Stack{}
		}
	}
	if seen["fuel"] != 1 || len(colors) == 0 {
		return item.Stack{}
	}
	value := nbt.Compound{{Name: "shape", Value: shape}, {Name: "colors", Value: colors}}
	for _, extra := range [...]string{"trail", "twinkle"} {
		if seen[extra] > 0 {
			value = append(value, nbt.Member{Name: "has_" + extra, Value: int8(1)})
		}
	}
	return with(made(r), "firework_explosion", value)
}

// fade gives a firework star the colors that it fades to.
func fade(r *registry.Recipe, in input) item.Stack {
	var onto item.Stack
	var colors []int32
	for _, s := range in.used {
		role := roleOf(r, s)
		color, isDye := fireworkColor(s)
		switch {
		case role == "target" && onto.Empty():
			onto = s
		case role == "dye" && isDye:
			colors = append(colors, color)
		default:
			return item.Stack{}
		}
	}
	if onto.Empty() || len(colors) == 0 {
		return item.Stack{}
	}
	value := compound(onto, "firework_explosion")
	if value == nil {
		value = nbt.Compound{{Name: "shape", Value: "small_ball"}}
	}
	value.Set("fade_colors", colors)
	return with(onto.WithCount(1), "firework_explosion", value)
}

// roleOf returns the role of the first ingredient that a stack fits.
func roleOf(r *registry.Recipe, s item.Stack) string {
	for _, i := range r.Ingredients {
		if i.Has(s.ID) {
			return i.Role
		}
	}
	return ""
}

func fireworkColor(s item.Stack) (int32, bool) {
	d, ok := dyeOf(s)
	return d.Firework & 0xffffff, ok
}

// with returns a stack with a component of that value, or the empty stack.
func with(s item.Stack, component string, value any) item.Stack {
	raw, err := nbt.MarshalRaw(value)
	if err != nil {
		return item.Stack{}
	}
	return s.With(component, raw)
}
