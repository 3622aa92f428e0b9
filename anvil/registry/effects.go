package registry

// Attribute is an attribute of living entities.
type Attribute struct {
	ID      int32
	Name    string  // with namespace
	Default float64 // of entity types that do not say another
}

// Attributes returns all attributes by number in minecraft:attribute. The
// result is shared and must not be changed.
func Attributes(v Version) []Attribute { return of(v).rules().attributes }

func decodeAttributeDefaults(d *decoder, names *nameTable) []Attribute {
	registry := names.get(d, "attribute")
	list := make([]Attribute, len(registry.names))
	for id := range list {
		list[id] = Attribute{int32(id), registry.names[id], d.double()}
	}
	return list
}

// Effect is a status effect.
type Effect struct {
	ID       int32
	Name     string // with namespace
	Category string // "beneficial", "harmful" or "neutral"
	Color    int32  // 0xRRGGBB
	// Modifiers change attributes while it lasts: by Amount at level 1, and as
	// much more at each level above.
	Modifiers []EffectModifier
}

// EffectModifier is what an effect does to an attribute.
type EffectModifier struct {
	Attribute int32  // number in minecraft:attribute
	ID        string // of the modifier, with namespace
	Operation string // "add_value", "add_multiplied_base" or "add_multiplied_total"
	Amount    float64
}

// Effects returns all status effects by number in minecraft:mob_effect. The
// result is shared and must not be changed.
func Effects(v Version) []Effect { return of(v).rules().effects }

// decodeEffects reads for each effect: category (shared text), color, n
// modifiers: attribute, name and operation (shared texts), amount.
func decodeEffects(d *decoder, names *nameTable) []Effect {
	registry := names.get(d, "mob_effect")
	attributes := len(names.get(d, "attribute").names)
	list := make([]Effect, len(registry.names))
	for id := range list {
		e := Effect{ID: int32(id), Name: registry.names[id], Category: d.sharedString(), Color: d.int32()}
		for range d.count() {
			e.Modifiers = append(e.Modifiers, EffectModifier{
				int32(d.index(attributes)), d.sharedString(), d.sharedString(), d.double(),
			})
		}
		list[id] = e
	}
	return list
}

// Potion is a kind of potion.
type Potion struct {
	ID       int32
	Name     string // with namespace
	BaseName string // of the translation keys: "swiftness" of long_swiftness
	Effects  []PotionEffect
}

// PotionEffect is an effect that a potion gives.
type PotionEffect struct {
	Effect    int32 // number in minecraft:mob_effect
	Ticks     int32
	Amplifier int32 // 0 is level 1
}

// Potions returns all potions by number in minecraft:potion. The result is
// shared and must not be changed.
func Potions(v Version) []Potion { return of(v).rules().potions }

// decodePotions reads for each potion: base name (shared text), n effects:
// effect, ticks, amplifier.
func decodePotions(d *decoder, names *nameTable) []Potion {
	registry := names.get(d, "potion")
	effects := len(names.get(d, "mob_effect").names)
	list := make([]Potion, len(registry.names))
	for id := range list {
		p := Potion{ID: int32(id), Name: registry.names[id], BaseName: d.sharedString()}
		for range d.count() {
			p.Effects = append(p.Effects, PotionEffect{int32(d.index(effects)), d.int32(), d.int32()})
		}
		list[id] = p
	}
	return list
}

// Brewing is what a brewing stand does.
type Brewing struct {
	Potions []Mix // From and To are numbers in minecraft:potion
	Items   []Mix // From and To are numbers in minecraft:item; the potion stays
}

// Mix turns one thing into another.
type Mix struct {
	From, To    int32
	Ingredients []int32 // items, any of which does it
}

// BrewingMixes returns what a brewing stand does. The result is shared and
// must not be changed.
func BrewingMixes(v Version) Brewing { return of(v).rules().brewing }

// decodeBrewing reads the mixes of potions, then those of items: n of m
// ingredients, from, to, the ingredients.
func decodeBrewing(d *decoder, names *nameTable) Brewing {
	potions, items := len(names.get(d, "potion").names), len(names.get(d, "item").names)
	return Brewing{Potions: decodeMixes(d, potions, items), Items: decodeMixes(d, items, items)}
}

func decodeMixes(d *decoder, limit, items int) []Mix {
	list := make([]Mix, d.count())
	for i := range list {
		n := d.count()
		list[i] = Mix{From: int32(d.index(limit)), To: int32(d.index(limit)), Ingredients: make([]int32, n)}
		for k := range list[i].Ingredients {
			list[i].Ingredients[k] = int32(d.index(items))
		}
	}
	return list
}
