package level

import (
	"strconv"
	"strings"

	"strata/nbt"
)

// The content of data files as 26.1 and 26.2 have it, as far as Strata uses it:
// Document.Decode reads them, Document.With writes them back. Of those that are
// not here (chunk_tickets, scoreboard, custom_boss_events, maps) the documents
// themselves are used.

// Weather is weather.dat. Times are in ticks.
type Weather struct {
	ClearTime   int32 `nbt:"clear_weather_time"` // left of weather that a command cleared
	RainTime    int32 `nbt:"rain_time"`          // until raining changes
	Raining     bool  `nbt:"raining"`
	ThunderTime int32 `nbt:"thunder_time"` // until thundering changes
	Thundering  bool  `nbt:"thundering"`
}

// WorldClocks is world_clocks.dat: clocks by their ids, such as
// "minecraft:overworld" and "minecraft:the_end".
type WorldClocks map[string]Clock

// Clock is one clock.
type Clock struct {
	Ticks int64 `nbt:"total_ticks"`
}

// ScheduledEvents is scheduled_events.dat: functions to be called later.
type ScheduledEvents struct {
	Events []nbt.Raw `nbt:"events"`
}

// RandomSequences is random_sequences.dat: the state of the random numbers of
// each loot table. A nil bool is absent and true.
type RandomSequences struct {
	Salt              int32                     `nbt:"salt"`
	IncludeWorldSeed  *bool                     `nbt:"include_world_seed"`
	IncludeSequenceID *bool                     `nbt:"include_sequence_id"`
	Sequences         map[string]RandomSequence `nbt:"sequences"`
}

// RandomSequence is the state of one sequence: two longs of xoroshiro128++.
type RandomSequence struct {
	Source [2]int64 `nbt:"source"`
}

// Raids is raids.dat without the raids, which stay as they are.
type Raids struct {
	Tick   int32 `nbt:"tick"`
	NextID int32 `nbt:"next_id"`
}

// WorldBorder is world_border.dat, one for each dimension. Lengths are in
// blocks. WarningTime is 300 in worlds that 26.1 created and 15 in those that it
// upgraded, which had seconds.
type WorldBorder struct {
	CenterX        float64 `nbt:"center_x"`
	CenterZ        float64 `nbt:"center_z"`
	Size           float64 `nbt:"size"`
	SafeZone       float64 `nbt:"safe_zone"`
	DamagePerBlock float64 `nbt:"damage_per_block"`
	LerpTarget     float64 `nbt:"lerp_target"`
	LerpTime       int64   `nbt:"lerp_time"`
	WarningBlocks  int32   `nbt:"warning_blocks"`
	WarningTime    int32   `nbt:"warning_time"`
}

// DragonFight is ender_dragon_fight.dat.
type DragonFight struct {
	Killed           bool `nbt:"dragon_killed"`
	PreviouslyKilled bool `nbt:"previously_killed"`
	NeedsScanning    bool `nbt:"needs_state_scanning"`
	// RespawnTime is nil in files of 4772.
	RespawnTime *int32 `nbt:"respawn_time"`
	// Gateways are the numbers of those that are still to come, the next one
	// last: a list of ints, in files of 4772 an int array. See GatewayList.
	Gateways nbt.Raw `nbt:"gateways"`
}

// GatewayList returns the numbers of the gateways still to come.
func (f DragonFight) GatewayList() []int32 {
	var list []int32
	if f.Gateways.Exists() && f.Gateways.Decode(&list) != nil {
		return nil
	}
	return list
}

// WanderingTrader is wandering_trader.dat.
type WanderingTrader struct {
	SpawnDelay  int32 `nbt:"spawn_delay"`  // ticks
	SpawnChance int32 `nbt:"spawn_chance"` // percent
}

// Stopwatches is stopwatches.dat.
type Stopwatches struct {
	Stopwatches map[string]nbt.Raw `nbt:"stopwatches"`
}

// MapIDs is maps/last_id.dat, before 26.1 idcounts.dat: the number of the map
// that was made last.
type MapIDs struct {
	Last int32 `nbt:"map"`
}

// GameRules are rules by their names as the file has them: since 26.1 ids with
// bytes and ints, before that other names with strings.
type GameRules map[string]nbt.Raw

// Bool returns a rule that is true or false. A name without a namespace is
// looked for in minecraft as well.
func (g GameRules) Bool(name string) (value, ok bool) {
	raw := g.find(name)
	switch text, isText := raw.Text(); {
	case isText:
		return text == "true", text == "true" || text == "false"
	case raw.Type == nbt.TypeByte:
		n, ok := raw.Int()
		return n != 0, ok
	}
	return false, false
}

// Int returns a rule that is a number; see Bool.
func (g GameRules) Int(name string) (value int32, ok bool) {
	raw := g.find(name)
	if text, isText := raw.Text(); isText {
		n, err := strconv.ParseInt(text, 10, 32)
		return int32(n), err == nil
	}
	n, ok := raw.Int()
	return int32(n), ok && raw.Type == nbt.TypeInt
}

func (g GameRules) find(name string) nbt.Raw {
	raw, ok := g[name]
	if !ok && !strings.Contains(name, ":") {
		raw = g["minecraft:"+name]
	}
	return raw
}
