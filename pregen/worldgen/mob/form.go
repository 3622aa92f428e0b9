package mob

import (
	"strata/nbt"
	"strata/pregen/worldgen/feature"
)

// member makes a member of a value that is known to be NBT.
func member(name string, value any) feature.Member {
	raw, err := nbt.MarshalRaw(value)
	if err != nil {
		panic(err)
	}
	return feature.Member{Name: name, Value: raw}
}

// attribute is the base value of an attribute.
type attribute struct {
	ID   string  `nbt:"id"`
	Base float64 `nbt:"base"`
}

// young makes one in twenty a young one, but for the first of a herd.
func (g *group) young() []feature.Member {
	if g.size > 0 && g.own.Float() <= 0.05 {
		return []feature.Member{member("Age", int32(-24000))}
	}
	return nil
}

func plain(g *group, _ *climate) []feature.Member { return g.young() }

// among is the name of a number, of some, by their weights.
func (g *group) among(weights []int32, names []string) string {
	sum := int32(0)
	for _, w := range weights {
		sum += w
	}
	n := g.own.IntN(sum)
	for i, w := range weights {
		if n -= w; n < 0 {
			return names[i]
		}
	}
	return names[0]
}

// voices are the sound variants of types of animals.
var voices = map[string][]string{
	"chicken": {"classic", "picky"},
	"cow":     {"classic", "moody"},
	"pig":     {"big", "classic", "mini"},
	"wolf":    {"angry", "big", "classic", "cute", "grumpy", "puglin", "sad"},
}

func (g *group) voice(of string) feature.Member {
	list := voices[of]
	return member("sound_variant", "minecraft:"+list[g.own.IntN(int32(len(list)))])
}

// farm animals have a variant for cold and one for warm biomes.
func farm(name string) former {
	return func(g *group, c *climate) []feature.Member {
		return append(g.young(), member("variant", temperature(c.cold, c.warm)), g.voice(name))
	}
}

func temperature(cold, warm bool) string {
	switch {
	case cold:
		return "minecraft:cold"
	case warm:
		return "minecraft:warm"
	}
	return "minecraft:temperate"
}

func frog(_ *group, c *climate) []feature.Member {
	return []feature.Member{member("variant", temperature(c.coldFrogs, c.warmFrogs))}
}

// The colours of wool by their numbers.
const (
	white     int8 = 0
	pink      int8 = 6
	gray      int8 = 7
	lightGray int8 = 8
	brown     int8 = 12
	black     int8 = 15
)

func sheep(g *group, c *climate) []feature.Member {
	m := g.young()
	common, rare := white, [4]int8{black, gray, lightGray, brown}
	switch {
	case c.cold:
		common, rare = black, [4]int8{lightGray, gray, white, brown}
	case c.warm:
		common, rare = brown, [4]int8{gray, lightGray, white, black}
	}
	color := common
	switch n := g.own.IntN(100); {
	case n < 5:
		color = rare[0]
	case n < 10:
		color = rare[1]
	case n < 15:
		color = rare[2]
	case n < 18:
		color = rare[3]
	case g.own.IntN(500) == 0:
		color = pink
	}
	return append(m, member("Color", color))
}

func rabbit(g *group, c *climate) []feature.Member {
	m := g.young()
	n := g.own.IntN(100)
	kind := int32(2) // black
	switch {
	case c.whiteRabbits && n < 80:
		kind = 1
	case c.whiteRabbits:
		kind = 3 // white with spots
	case c.goldRabbits:
		kind = 4
	case n < 50:
		kind = 0 // brown
	case n < 90:
		kind = 5 // salt and pepper
	}
	if g.size > 0 {
		kind = g.coat // all of a herd are alike
	}
	g.coat = kind
	return append(m, member("RabbitType", kind))
}

// wolfCoats are the variants of wolves in single biomes.
var wolfCoats = map[string]string{
	"minecraft:forest": "woods", "minecraft:grove": "snowy", "minecraft:old_growth_pine_taiga": "black",
	"minecraft:old_growth_spruce_taiga": "chestnut", "minecraft:snowy_taiga": "ashen",
}

func wolf(g *group, c *climate) []feature.Member {
	m := g.young()
	coat := wolfCoats[c.id]
	switch {
	case coat != "":
	case c.jungle:
		coat = "rusty"
	case c.savanna:
		coat = "spotted"
	case c.badlands:
		coat = "striped"
	default:
		coat = "pale"
	}
	return append(m, member("variant", "minecraft:"+coat), g.voice("wolf"))
}

func fox(g *group, c *climate) []feature.Member {
	kind := "red"
	if c.snowFoxes {
		kind = "snow"
	}
	return append(g.young(), member("Type", kind))
}

func goat(g *group, _ *climate) []feature.Member {
	m := g.young()
	screams := g.own.Double() < 0.02
	left, right := true, true
	if len(m) > 0 {
		left, right = false, false
	} else if g.own.Float() < 0.1 {
		left = g.own.IntN(2) == 0
		right = !left
	}
	return append(m, member("IsScreamingGoat", screams), member("HasLeftHorn", left), member("HasRightHorn", right))
}

func parrot(g *group, _ *climate) []feature.Member {
	return []feature.Member{member("Variant", g.own.IntN(5))}
}

func mooshroom(g *group, _ *climate) []feature.Member {
	return append(g.young(), member("Type", "red"))
}

// panda draws its two genes.
func panda(g *group, _ *climate) []feature.Member {
	gene := func() string {
		return g.among([]int32{1, 1, 1, 1, 2, 5, 5}, []string{"lazy", "worried", "playful", "aggressive", "weak", "normal", "brown"})
	}
	m := g.young()
	return append(m, member("MainGene", gene()), member("HiddenGene", gene()))
}

// health is the most health of a horse and its like.
func (g *group) health() attribute {
	return attribute{"minecraft:max_health", float64(15 + g.own.IntN(8) + g.own.IntN(9))}
}

func bred(attributes ...attribute) []feature.Member {
	return []feature.Member{member("attributes", attributes), member("Health", float32(attributes[0].Base))}
}

func horse(g *group, _ *climate) []feature.Member {
	m := g.young()
	if g.size == 0 {
		g.coat = g.own.IntN(7) // one colour a herd
	}
	jump := 0.4 + float64(g.own.Double()*0.2) + float64(g.own.Double()*0.2) + float64(g.own.Double()*0.2)
	speed := 0.45 + float64(g.own.Double()*0.3) + float64(g.own.Double()*0.3) + float64(g.own.Double()*0.3)
	m = append(m, member("Variant", g.coat|g.own.IntN(5)<<8))
	return append(m, bred(g.health(), attribute{"minecraft:jump_strength", jump}, attribute{"minecraft:movement_speed", speed * 0.25})...)
}

func donkey(g *group, _ *climate) []feature.Member {
	m := g.young()
	return append(m, bred(g.health())...)
}

func llama(g *group, _ *climate) []feature.Member {
	m := g.young()
	if g.size == 0 {
		g.coat = g.own.IntN(4)
	}
	strength := 1 + g.own.IntN(3)
	if g.own.Float() < 0.04 {
		strength = 1 + g.own.IntN(5)
	}
	m = append(m, member("Variant", g.coat), member("Strength", strength))
	return append(m, bred(g.health())...)
}

func strided(g *group, _ *climate) []feature.Member { return g.young() }
