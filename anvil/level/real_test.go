package level_test

import (
	"bytes"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/level"
	"strata/nbt"
)

// typed are the Go types of files in the form of 26.1 and later.
var typed = map[string]func() any{
	"ender_dragon_fight": func() any { return new(level.DragonFight) },
	"game_rules":         func() any { return new(level.GameRules) },
	"last_id":            func() any { return new(level.MapIDs) },
	"raids":              func() any { return new(level.Raids) },
	"random_sequences":   func() any { return new(level.RandomSequences) },
	"scheduled_events":   func() any { return new(level.ScheduledEvents) },
	"stopwatches":        func() any { return new(level.Stopwatches) },
	"wandering_trader":   func() any { return new(level.WanderingTrader) },
	"weather":            func() any { return new(level.Weather) },
	"world_border":       func() any { return new(level.WorldBorder) },
	"world_clocks":       func() any { return new(level.WorldClocks) },
	"world_gen_settings": func() any { return new(level.GenSettings) },
}

func TestRealDataFilesAreReencodedByteForByte(t *testing.T) {
	files := realFiles(t)
	counts := map[string]int{}
	for name, data := range files {
		doc, err := level.ParseDocument(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		counts[doc.Compression().String()]++
		// Taken apart into values and put together again.
		again, err := nbt.Marshal(doc.Root().Value())
		if err != nil || !bytes.Equal(again, doc.Bytes()) {
			t.Errorf("%s: %d bytes became %d (%v)", name, len(doc.Bytes()), len(again), err)
		}
		packed, err := doc.Pack()
		if err != nil {
			t.Fatal(err)
		}
		if back, err := level.ParseDocument(packed); err != nil || !bytes.Equal(back.Bytes(), doc.Bytes()) || back.Compression() != doc.Compression() {
			t.Errorf("%s: packed and unpacked it is another document (%v)", name, err)
		}
		checkTyped(t, name, doc, counts)
	}
	t.Logf("%d data files: %v", len(files), counts)
	if len(files) < 50 || counts["typed"] < 30 || counts["gzip"] != len(files) {
		t.Errorf("too few files were looked at: %d, %v", len(files), counts)
	}
}

// checkTyped writes back what a Go type has read: were a member missing from it
// or of another type in the file, the document would become another one.
func checkTyped(t *testing.T, name string, doc *level.Document, counts map[string]int) {
	t.Helper()
	base := strings.TrimSuffix(path.Base(name), ".dat")
	if base == "level" || base == "level.dat_old" {
		if l, err := level.New(doc); err != nil || l.DataVersion() != l.Version().ID || l.Name() == "" {
			t.Errorf("%s: %v", name, err)
		}
		counts["level"]++
		return
	}
	target := typed[base]
	if target == nil || doc.DataVersion() < 4700 {
		counts["untyped"]++
		return
	}
	counts["typed"]++
	v := target()
	if err := doc.Decode(v); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if same, err := doc.With(v); err != nil || same != doc {
		t.Errorf("%s: %T does not write back what it has read (%v)", name, v, err)
	}
	// And the type leaves out nothing but what it says it leaves out.
	if strict := (&nbt.Decoder{Strict: true}); base != "raids" {
		if err := strict.Decode(doc.Content().Raw(), target()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLevelsOfRealWorldsAreRead(t *testing.T) {
	experiments := []string{"minecart_improvements", "redstone_experiments", "trade_rebalance"}
	for _, tc := range []struct {
		world      string
		version    level.Version
		spawn      level.Spawn
		difficulty level.Difficulty
		time       int64
		played     int64
		brands     []string
		packs      level.Packs
		bukkit     string
	}{
		{
			"vanilla-26.1.2-fresh", level.Version{ID: 4790, Name: "26.1.2", Series: "main"},
			level.Spawn{Dimension: "minecraft:overworld", Y: 104, Z: -16},
			level.Difficulty{Name: "easy"}, 1199, 1779263308817, []string{"vanilla"},
			level.Packs{Enabled: []string{"vanilla"}, Disabled: experiments}, "",
		},
		{
			"world-26.2", level.Version{ID: 4903, Name: "26.2", Series: "main"},
			level.Spawn{Dimension: "minecraft:overworld", X: 208, Y: 70, Z: 240},
			level.Difficulty{Name: "easy"}, 1450785, 1787157695943, []string{"fabric"},
			level.Packs{Enabled: []string{"vanilla", "fabric-convention-tags-v2"}, Disabled: experiments}, "",
		},
		{
			"paper-26.1.2", level.Version{ID: 4790, Name: "26.1.2", Series: "main"},
			level.Spawn{Dimension: "minecraft:overworld", X: -121, Y: 63, Z: 130},
			level.Difficulty{Name: "hard"}, 9889973, 1777608023211, []string{"Paper"},
			level.Packs{Enabled: []string{"vanilla", "file/bukkit", "paper"}, Disabled: experiments},
			"Paper/26.1.2-20-3611a81 (MC: 26.1.2)/26.1.2.build.20-alpha",
		},
		{
			"layout-1.21.3", level.Version{ID: 4082, Name: "1.21.3", Series: "main"},
			level.Spawn{Dimension: "minecraft:overworld", Y: 64},
			level.Difficulty{Name: "normal"}, 199960, 1760177430417, []string{"vanilla"},
			level.Packs{Enabled: []string{"vanilla"}, Disabled: append(append([]string{}, experiments...), "winter_drop")}, "",
		},
	} {
		t.Run(tc.world, func(t *testing.T) {
			l := sampleLevel(t, tc.world)
			spawn, ok := l.Spawn()
			got := []any{l.Name(), l.Version(), l.DataVersion(), ok, spawn, l.Difficulty(), l.Time(), l.LastPlayed(), l.Brands(), l.Packs(), l.Bukkit(), l.Initialized(), l.GameType()}
			want := []any{"world", tc.version, tc.version.ID, true, tc.spawn, tc.difficulty, tc.time, time.UnixMilli(tc.played), tc.brands, tc.packs, tc.bukkit, true, int32(0)}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOldLevelHoldsWhatFilesHoldSince(t *testing.T) {
	l := sampleLevel(t, "layout-1.21.3")
	weather, ok := l.Weather()
	if want := (level.Weather{RainTime: 108812, ThunderTime: 3603}); !ok || weather != want {
		t.Errorf("weather %+v, %v", weather, ok)
	}
	border, ok := l.Border()
	if want := (level.WorldBorder{
		Size: 59999968, LerpTarget: 59999968, SafeZone: 5, DamagePerBlock: 0.2, WarningBlocks: 5, WarningTime: 15,
	}); !ok || border != want {
		t.Errorf("border %+v, %v", border, ok)
	}
	fight, ok := l.DragonFight()
	want := []int32{12, 13, 2, 3, 18, 9, 7, 8, 15, 17, 11, 0, 1, 6, 14, 4, 5, 19, 16, 10}
	if diff := cmp.Diff(want, fight.GatewayList()); !ok || !fight.NeedsScanning || fight.Killed || diff != "" {
		t.Errorf("fight %+v, %v\n%s", fight, ok, diff)
	}
	trader, ok := l.Trader()
	if !ok || trader != (level.WanderingTrader{SpawnDelay: 3600, SpawnChance: 75}) {
		t.Errorf("trader %+v, %v", trader, ok)
	}
	rules, ok := l.GameRules()
	speed, sok := rules.Int("randomTickSpeed")
	keep, kok := rules.Bool("keepInventory")
	if !ok || len(rules) != 52 || speed != 3 || !sok || !keep || !kok {
		t.Errorf("%d rules: randomTickSpeed %d %v, keepInventory %v %v", len(rules), speed, sok, keep, kok)
	}
	if day, ok := l.DayTime(); day != 144829 || !ok {
		t.Errorf("time of day %d, %v", day, ok)
	}
	settings, ok := l.GenSettings()
	if !ok || settings.Seed != 5402129544152069322 || !settings.Structures || settings.BonusChest || len(settings.Dimensions) != 3 {
		t.Errorf("settings %+v, %v", settings, ok)
	}
	if seed, ok := l.Seed(); seed != settings.Seed || !ok {
		t.Errorf("seed %d, %v", seed, ok)
	}
}
