package level_test

import (
	"bytes"
	"testing"

	"strata/anvil/level"
)

// FuzzLevel reads any bytes as a level.dat and calls everything there is.
func FuzzLevel(f *testing.F) {
	for _, text := range []string{
		`{}`, `{Data:{}}`, `{Data:[]}`, `{Data:{RandomSeed:5L,SpawnX:1,SpawnY:2,SpawnZ:3,Difficulty:2b,version:19132}}`,
		`{Data:{spawn:{pos:[I;1,2]},difficulty_settings:{},singleplayer_uuid:[I;0,0,0,0],DataPacks:{Enabled:[1,2]},Version:{Id:-1L}}}`,
		`{Data:{WorldGenSettings:{seed:1L,dimensions:{a:{type:{},generator:{type:"minecraft:flat",settings:{layers:[{}]}}}}},GameRules:{a:"b"},DragonFight:{Gateways:[L;1L]}}}`,
	} {
		f.Add(packed(f, document(f, text)))
	}
	f.Add(packed(f, numbered(f, 1).Document))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := level.Parse(data)
		if err != nil {
			return
		}
		l.Version()
		l.Name()
		l.Seed()
		l.Difficulty()
		l.LastPlayed()
		l.DayTime()
		l.Brands()
		l.Packs()
		l.PlayerID()
		l.Weather()
		l.Border()
		l.Trader()
		if fight, ok := l.DragonFight(); ok {
			fight.GatewayList()
		}
		if rules, ok := l.GameRules(); ok {
			for name := range rules {
				rules.Bool(name)
				rules.Int(name)
			}
		}
		if settings, ok := l.GenSettings(); ok {
			for _, d := range settings.Dimensions {
				d.TypeID()
				d.Generator.BiomeSourceType()
				if flat, err := d.Generator.Flat(); err == nil {
					_ = flat.Check()
				}
			}
		}
		spawn, ok := l.Spawn()
		edit := l.Edit()
		edit.SetTime(l.Time() + 1)
		edit.SetSpawn(level.Spawn{X: 5, Y: 6, Z: 7})
		changed, err := edit.Level()
		if err != nil {
			return
		}
		got, gotOK := changed.Spawn()
		if changed.Time() != l.Time()+1 || !gotOK || got.X != 5 || got.Y != 6 || got.Z != 7 {
			t.Fatalf("the edit did not take: %d, %+v (was %+v, %v)", changed.Time(), got, spawn, ok)
		}
		file, err := changed.Pack()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := level.Parse(file); err != nil || !bytes.Equal(again.Bytes(), changed.Bytes()) {
			t.Fatalf("what was edited does not come back: %v", err)
		}
	})
}
