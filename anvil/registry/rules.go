package registry

// ruleTable is the section "rules": small tables.
type ruleTable struct {
	attributes  []Attribute
	effects     []Effect
	potions     []Potion
	brewing     Brewing
	gameRules   []GameRule
	professions []Profession
	dyes        []Dye
	slots       map[string][]int32
	enums       map[string]*Enum
}

// decodeRules reads the tables one after the other.
func decodeRules(data []byte, names *nameTable) (*ruleTable, error) {
	d := newTextDecoder(data)
	t := &ruleTable{
		attributes:  decodeAttributeDefaults(d, names),
		effects:     decodeEffects(d, names),
		potions:     decodePotions(d, names),
		brewing:     decodeBrewing(d, names),
		gameRules:   decodeGameRules(d, names),
		professions: decodeProfessions(d, names),
		dyes:        decodeDyes(d),
		slots:       decodeSlotRanges(d),
		enums:       decodeEnums(d),
	}
	return t, d.end()
}

// GameRule is a game rule.
type GameRule struct {
	ID      int32
	Name    string // with namespace: "minecraft:keep_inventory"
	Bool    bool   // a switch; else a number
	Default int32  // 0 or 1 for a switch
	// Min and Max are the range of a number. Those of 26.1 are assumed to be
	// those of 26.2.
	Min, Max int32
}

// GameRules returns all game rules by number in minecraft:game_rule. The
// result is shared and must not be changed.
func GameRules(v Version) []GameRule { return of(v).rules().gameRules }

// decodeGameRules reads for each rule: 1 and its default, or 0 and default,
// smallest and largest value.
func decodeGameRules(d *decoder, names *nameTable) []GameRule {
	registry := names.get(d, "game_rule")
	list := make([]GameRule, len(registry.names))
	for id := range list {
		r := GameRule{ID: int32(id), Name: registry.names[id], Bool: d.truth(), Max: 1}
		if r.Bool {
			r.Default = int32(d.byte())
		} else {
			r.Default, r.Min, r.Max = d.signed(), d.signed(), d.signed()
		}
		list[id] = r
	}
	return list
}

// Profession is what villagers of a profession do.
type Profession struct {
	ID        int32
	Name      string  // with namespace
	WorkSound int32   // number in minecraft:sound_event, or -1
	Requested []int32 // items they pick up beside food
	// SecondaryPOI are blocks that they work at too. Those of 26.2 are assumed
	// to be those of 26.1.
	SecondaryPOI []int32
	// TradeSets are the names of the trades by level, from 1.
	TradeSets []string
}

// Professions returns all professions by number in
// minecraft:villager_profession. The result is shared and must not be changed.
func Professions(v Version) []Profession { return of(v).rules().professions }

// decodeProfessions reads for each profession: number of the sound plus one,
// items, blocks, names of trade sets.
func decodeProfessions(d *decoder, names *nameTable) []Profession {
	registry := names.get(d, "villager_profession")
	sounds := len(names.get(d, "sound_event").names)
	items, blocks := len(names.get(d, "item").names), len(names.get(d, "block").names)
	list := make([]Profession, len(registry.names))
	for id := range list {
		p := Profession{ID: int32(id), Name: registry.names[id], WorkSound: d.optional(sounds)}
		p.Requested, p.SecondaryPOI = d.ids(items), d.ids(blocks)
		for range d.count() {
			p.TradeSets = append(p.TradeSets, withNamespace(d.string()))
		}
		list[id] = p
	}
	return list
}

// Dye is one of the sixteen dye colors. Colors are 0xRRGGBB.
type Dye struct {
	Name            string
	MapColor        int32 // number of the map color of wool
	TerracottaColor int32 // number of the map color of terracotta
	Texture         int32
	Firework        int32
	Text            int32
}

// Dyes returns the dye colors by number. Those of 26.1 are assumed to be those
// of 26.2. The result is shared and must not be changed.
func Dyes(v Version) []Dye { return of(v).rules().dyes }

func decodeDyes(d *decoder) []Dye {
	list := make([]Dye, d.count())
	for i := range list {
		list[i] = Dye{d.string(), d.int32(), d.int32(), d.int32(), d.int32(), d.int32()}
	}
	return list
}

// SlotRange returns the slots that a command calls by a name, such as
// "hotbar.0" or "container.*". The result must not be changed.
func SlotRange(name string, v Version) ([]int32, bool) {
	slots, ok := of(v).rules().slots[name]
	return slots, ok
}

func decodeSlotRanges(d *decoder) map[string][]int32 {
	n := d.count()
	ranges := make(map[string][]int32, n)
	for range n {
		name := d.string()
		slots := make([]int32, d.count())
		for i := range slots {
			slots[i] = d.int32()
		}
		ranges[name] = slots
	}
	return ranges
}
