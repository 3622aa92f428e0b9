package level

import (
	"fmt"
	"time"

	"strata/nbt"
)

// The native version: the one that worlds are created in.
const (
	NativeVersion     = 4903
	NativeVersionName = "26.2"
)

// formatVersion is the member version of every level.dat since 1.2 (Anvil).
const formatVersion = 19133

// Fresh describes the level.dat of a new world. The zero value is a survival
// world of normal difficulty that the game chooses a spawn for.
type Fresh struct {
	Name          string
	Spawn         *Spawn // nil: the game chooses one at the first start
	GameType      int32
	Difficulty    string // "" means "normal"
	Hardcore      bool
	AllowCommands bool
	// Brands of the games that have opened the world, none for a new one.
	Brands []string
	// Packs enabled and disabled. The zero value enables "vanilla" alone and
	// disables the experiments that 26.2 comes with, as the game does.
	Packs   Packs
	Created time.Time // the zero Time means never played
}

// experiments are the data packs within the game that are not enabled unless
// the player says so, in 26.1 and 26.2.
var experiments = []string{"minecart_improvements", "redstone_experiments", "trade_rebalance"}

// NewLevel returns the level.dat of a new world of the native version. The
// error wraps ErrShape if there is no difficulty of that name or no such game
// mode.
func NewLevel(f Fresh) (*Level, error) {
	if f.Difficulty == "" {
		f.Difficulty = "normal"
	}
	if f.GameType < 0 || f.GameType > 3 {
		return nil, fmt.Errorf("%w: no game mode %d", ErrShape, f.GameType)
	}
	if len(f.Packs.Enabled) == 0 {
		f.Packs.Enabled = []string{"vanilla"}
	}
	if f.Packs.Disabled == nil {
		f.Packs.Disabled = experiments
	}
	spawn := Spawn{Dimension: overworld}
	if f.Spawn != nil {
		spawn = *f.Spawn
	}
	data := struct {
		Version       int32    `nbt:"version"`
		Name          string   `nbt:"LevelName"`
		Initialized   bool     `nbt:"initialized"`
		AllowCommands bool     `nbt:"allowCommands"`
		WasModded     bool     `nbt:"WasModded"`
		GameType      int32    `nbt:"GameType"`
		Time          int64    `nbt:"Time"`
		LastPlayed    int64    `nbt:"LastPlayed"`
		Brands        []string `nbt:"ServerBrands"`
		Packs         Packs    `nbt:"DataPacks"`
		Spawn         any      `nbt:"spawn"`
	}{
		Version: formatVersion, Name: f.Name, Initialized: f.Spawn != nil, AllowCommands: f.AllowCommands,
		GameType: f.GameType, Brands: f.Brands, Packs: f.Packs, Spawn: spawn.form(),
	}
	if !f.Created.IsZero() {
		data.LastPlayed = f.Created.UnixMilli()
	}
	doc, err := newDocument(map[string]any{"Data": data})
	if err != nil {
		return nil, err
	}
	l, err := New(doc)
	if err != nil {
		return nil, err
	}
	edit := l.Edit()
	edit.SetVersion(Version{ID: NativeVersion, Name: NativeVersionName, Series: "main"})
	edit.SetDifficulty(Difficulty{Name: f.Difficulty, Hardcore: f.Hardcore})
	return edit.Level()
}

// FreshData returns the content of the data files of a new world, by their
// names without ".dat": those of the world as a whole.
func FreshData(settings GenSettings) map[string]any {
	return map[string]any{
		"custom_boss_events": struct{}{},
		"game_rules":         DefaultGameRules(),
		"random_sequences":   RandomSequences{Sequences: map[string]RandomSequence{}},
		"scheduled_events":   ScheduledEvents{},
		"scoreboard":         struct{}{},
		"stopwatches":        Stopwatches{},
		"weather":            Weather{},
		"world_clocks":       WorldClocks{"minecraft:overworld": {}, "minecraft:the_end": {}},
		"world_gen_settings": settings,
	}
}

// FreshDimensionData is FreshData for the files that each dimension has.
func FreshDimensionData(dimension string, settings GenSettings) map[string]any {
	files := map[string]any{
		"chunk_tickets": struct{}{},
		"raids":         Raids{NextID: 1},
		"world_border": WorldBorder{
			Size: maxBorder, LerpTarget: maxBorder, SafeZone: 5, DamagePerBlock: 0.2,
			WarningBlocks: 5, WarningTime: 300,
		},
	}
	if dimension == "minecraft:the_end" {
		respawn := int32(0)
		files["ender_dragon_fight"] = DragonFight{
			NeedsScanning: true, RespawnTime: &respawn, Gateways: mustRaw(gatewayList(settings.Seed)),
		}
	}
	return files
}

// maxBorder is the size of a border that nobody has set.
const maxBorder = 59999968

// gatewayList is a list of ints rather than an array, as 26.1 writes it.
func gatewayList(seed int64) nbt.List {
	order := gateways(seed)
	list := nbt.List{Elem: nbt.TypeInt}
	for _, n := range order {
		list.Items = append(list.Items, n)
	}
	return list
}

// gateways is the order in which a world's gateways appear, from the last to
// the first: 0 to 19 shuffled as Java's Collections.shuffle does with
// java.util.Random of the world's seed. So found in worlds of four seeds, from
// 1.21.3 to 26.2.
func gateways(seed int64) [20]int32 {
	var order [20]int32
	for i := range order {
		order[i] = int32(i)
	}
	state := (seed ^ 0x5DEECE66D) & (1<<48 - 1)
	next31 := func() int32 {
		state = (state*0x5DEECE66D + 0xB) & (1<<48 - 1)
		return int32(state >> 17)
	}
	below := func(n int32) int32 {
		if n&(n-1) == 0 {
			return int32(int64(n) * int64(next31()) >> 31)
		}
		for {
			// A draw from the last, incomplete run of n numbers is drawn again;
			// there the sum overflows.
			if bits := next31(); bits-bits%n+(n-1) >= 0 {
				return bits % n
			}
		}
	}
	for i := int32(len(order)); i > 1; i-- {
		j := below(i)
		order[i-1], order[j] = order[j], order[i-1]
	}
	return order
}
