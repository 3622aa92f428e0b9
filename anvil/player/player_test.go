package player_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/level"
	"strata/anvil/player"
	"strata/nbt"
	"strata/nbt/snbt"
	"strata/region/vfs"
)

const uuid = "0f1e2d3c-4b5a-4988-a776-655443322110"

// modern has the members of a player of 26.2 that matter here, with one of a
// mod, and data as commands attach it to entities since 1.21.5.
const modern = `{DataVersion:4903,UUID:[I;253635900,1264208264,-1485413036,1127358736],Dimension:"minecraft:the_nether",` +
	`Pos:[1.5d,64.0d,-3.25d],Rotation:[90.0f,-10.0f],Motion:[0.0d,-1.0d,0.0d],fall_distance:12.5d,playerGameType:1,Health:17.5f,foodLevel:18,` +
	`XpLevel:30,data:{note:"x"},"mod:thing":[1b,2b],Inventory:[{Slot:0b,id:"minecraft:stone",count:5}],equipment:{head:{id:"minecraft:turtle_helmet",count:1}},EnderItems:[]}`

const legacy = `{DataVersion:1343,UUIDMost:1089357896855734664L,UUIDLeast:-6379800409544711920L,Dimension:-1,Pos:[1.0d,2.0d,3.0d],` +
	`Rotation:[0.0f,0.0f],Health:20.0f,FallDistance:3.0f,Inventory:[]}`

func parse(t testing.TB, text string) *player.Player {
	t.Helper()
	data, err := snbt.AppendDocument(nil, text, nbt.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	file, err := nbt.Pack(nil, data, nbt.Gzip)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := level.ParseDocument(file)
	if err != nil {
		t.Fatal(err)
	}
	return player.New(doc)
}

func text(p *player.Player) string { return string(snbt.Append(nil, p.Root(), snbt.Compact)) }

func TestPlayerIsRead(t *testing.T) {
	p := parse(t, modern)
	id, ok := p.ID()
	place, err := p.Place()
	if err != nil {
		t.Fatal(err)
	}
	got := []any{id.String(), ok, place, p.GameType(), p.Health(), p.Food(), p.Levels(), p.Inventory().Len(), p.Equipment().Len(), p.EnderItems().Exists(), p.DataVersion()}
	want := []any{
		uuid, true, player.Place{Dimension: "minecraft:the_nether", X: 1.5, Y: 64, Z: -3.25, Yaw: 90, Pitch: -10},
		int32(1), float32(17.5), int32(18), int32(30), 1, 1, true, int32(4903),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	p = parse(t, legacy)
	id, ok = p.ID()
	place, err = p.Place()
	if id.String() != uuid || !ok || err != nil || place.Dimension != "minecraft:the_nether" || place.Z != 3 {
		t.Errorf("%v %v, %+v, %v", id, ok, place, err)
	}
}

func TestPlaceIsSetAndNothingElse(t *testing.T) {
	there := player.Place{Dimension: "minecraft:overworld", X: 8.5, Y: 70, Z: 9.5, Yaw: 1, Pitch: 2}
	p, err := parse(t, modern).WithPlace(there)
	if err != nil {
		t.Fatal(err)
	}
	want := `{DataVersion:4903,UUID:[I;253635900,1264208264,-1485413036,1127358736],Dimension:"minecraft:overworld",` +
		`Pos:[8.5d,70.0d,9.5d],Rotation:[1.0f,2.0f],Motion:[0.0d,0.0d,0.0d],playerGameType:1,Health:17.5f,foodLevel:18,` +
		`XpLevel:30,data:{note:"x"},"mod:thing":[1b,2b],Inventory:[{Slot:0b,id:"minecraft:stone",count:5}],equipment:{head:{id:"minecraft:turtle_helmet",count:1}},EnderItems:[]}`
	if diff := cmp.Diff(text(parse(t, want)), text(p)); diff != "" {
		t.Error(diff)
	}
	if got, err := p.Place(); err != nil || got != there {
		t.Errorf("%+v, %v", got, err)
	}
	for dimension, number := range map[string]int64{"minecraft:overworld": 0, "minecraft:the_end": 1, "DIM-28": -28} {
		p, err := parse(t, legacy).WithPlace(player.Place{Dimension: dimension})
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := p.Root().Get("Dimension").Int(); got != number || !ok || p.Root().Get("FallDistance").Exists() {
			t.Errorf("%s became %s", dimension, text(p))
		}
		if at, err := p.Place(); err != nil || at.Dimension != dimension {
			t.Errorf("%s came back as %+v, %v", dimension, at, err)
		}
	}
	for _, dimension := range []string{"a:b", "DIM", "DIMx", "DIM1x", "DIM+5", "DIM99999999999"} {
		if _, err := parse(t, legacy).WithPlace(player.Place{Dimension: dimension}); !errors.Is(err, player.ErrPlace) {
			t.Errorf("%s: %v", dimension, err)
		}
	}
	if _, err := parse(t, modern).WithPlace(player.Place{Dimension: "The End"}); !errors.Is(err, player.ErrPlace) {
		t.Error(err)
	}
}

func TestPlaceThatMakesNoSenseIsAnError(t *testing.T) {
	for _, bad := range []string{
		`{}`, `{Pos:[1.0d,2.0d]}`, `{Pos:["a","b","c"]}`, `{Pos:5}`, `{Pos:[1.0d,2.0d,3.0d],Dimension:[1b]}`,
	} {
		if at, err := parse(t, bad).Place(); !errors.Is(err, player.ErrPlace) {
			t.Errorf("%s is at %+v, %v", bad, at, err)
		}
	}
}

func files(t testing.TB, names ...string) *vfs.Mem {
	t.Helper()
	m := vfs.NewMem(vfs.MemOptions{})
	for _, name := range []string{"w/players/data", "w/players/stats", "w/playerdata", "w/stats"} {
		if err := vfs.MkdirAll(m, name, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range names {
		if err := vfs.WriteFileSync(m, name, []byte("{}"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func TestPlayersAreListed(t *testing.T) {
	const second = "ffffffff-0000-4000-8000-000000000001"
	m := files(t,
		"w/players/data/"+uuid+".dat", "w/players/data/"+uuid+".dat_old", "w/players/data/"+uuid+".dat_damaged",
		"w/players/data/.dat", "w/players/data/notes.dat", "w/players/data/.strata-0123.dat", "w/players/stats/"+second+".json",
		"w/playerdata/"+uuid+".dat", "w/players/Steve.dat", "w/stats/"+uuid+".json")
	a, err := player.ParseID(uuid)
	b, berr := player.ParseID(second)
	if err != nil || berr != nil {
		t.Fatal(err, berr)
	}
	got, err := player.List(m, player.In("w"))
	want := []player.Files{
		{ID: a, Data: "w/players/data/" + uuid + ".dat", Old: "w/players/data/" + uuid + ".dat_old"},
		{ID: b, Stats: "w/players/stats/" + second + ".json"},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	got, err = player.List(m, player.OldIn("w"))
	want = []player.Files{
		{ID: a, Data: "w/playerdata/" + uuid + ".dat", Stats: "w/stats/" + uuid + ".json"},
		{Name: "Steve", Data: "w/players/Steve.dat"},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	broken := errors.New("input/output error")
	f := vfs.NewFault(m)
	f.Add(vfs.Rule{Ops: vfs.OpReadDir, Nth: 1, Err: broken})
	if _, err := player.List(f, player.In("w")); !errors.Is(err, broken) {
		t.Errorf("a folder that cannot be read counts as empty: %v", err)
	}
	if got, err := player.List(m, player.In("elsewhere")); err != nil || len(got) != 0 {
		t.Errorf("%v, %v", got, err)
	}
}

func TestPlayerIsNeverAbsentWhateverCrashes(t *testing.T) {
	id, err := player.ParseID(uuid)
	if err != nil {
		t.Fatal(err)
	}
	path := player.In("w").DataPath(id)
	at := func(x float64) *player.Player {
		p, err := parse(t, modern).WithPlace(player.Place{Dimension: "minecraft:overworld", X: x})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	m := files(t)
	if err := vfs.MkdirAllSync(m, "w/players/data", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{".", "w", "w/players"} {
		if err := m.SyncDir(dir); err != nil {
			t.Fatal(err)
		}
	}
	if err := at(1).Write(m, path); err != nil {
		t.Fatal(err)
	}
	states := 0
	f := vfs.NewFault(m)
	check := func(when string, done bool) {
		for seed := range uint64(20) {
			crashed := m.CrashClone(vfs.CrashOptions{Keep: vfs.KeepRandom, Seed: seed})
			p, origin, err := player.Read(crashed, path)
			states++
			if err != nil || origin.FromOld() {
				t.Errorf("%s, seed %d: %+v, %v", when, seed, origin, err)
				continue
			}
			if place, err := p.Place(); err != nil || place.X != 2 && (done || place.X != 1) {
				t.Errorf("%s, seed %d: %+v, %v", when, seed, place, err)
			}
		}
	}
	f.Add(vfs.Rule{Ops: vfs.OpMutating, Forever: true, Hook: func(in vfs.OpInfo) { check("before "+in.String(), false) }})
	if err := at(2).Write(f, path); err != nil {
		t.Fatal(err)
	}
	check("at the end", true)
	f.Verify(t)
	if states < 100 {
		t.Errorf("only %d states", states)
	}
	// A damaged file is read from the one before it.
	if err := vfs.WriteFileSync(m, path, []byte{0, 1, 2}, 0o644); err != nil {
		t.Fatal(err)
	}
	p, origin, err := player.Read(m, path)
	if err != nil || !errors.Is(origin.Problem, level.ErrDamaged) {
		t.Fatalf("%+v, %v", origin, err)
	}
	if place, err := p.Place(); err != nil || place.X != 1 {
		t.Errorf("%+v, %v", place, err)
	}
	if _, _, err := player.Read(m, "w/none.dat"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestIDsHaveOneForm(t *testing.T) {
	for text, want := range map[string]bool{
		uuid: true, "0F1E2D3C-4B5A-4988-A776-655443322110": true, "0f1e2d3c4b5a4988a776655443322110": true,
		"": false, "0f1e2d3c-4b5a-4988-a776-65544332211": false, "0f1e2d3c4b5a-4988-a776-6554433221-10": false,
		"0f1e2d3c-4b5a-4988-a776-65544332211g": false, "0f1e2d3c4b5a4988a77665544332211g": false,
	} {
		id, err := player.ParseID(text)
		if (err == nil) != want || want && id.String() != uuid || !want && !errors.Is(err, player.ErrID) {
			t.Errorf("%q is %v, %v", text, id, err)
		}
	}
	var id player.ID
	if err := id.UnmarshalText([]byte(uuid)); err != nil || fmt.Sprint(id) != uuid {
		t.Errorf("%v, %v", id, err)
	}
}

func FuzzPlayer(f *testing.F) {
	for _, text := range []string{modern, legacy, `{Pos:[1.0d,2.0d,3.0d],Dimension:7,data:{Pos:[]}}`} {
		data, err := parse(f, text).Pack()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := level.ParseDocument(data)
		if err != nil {
			return
		}
		p := player.New(doc)
		p.ID()
		p.Health()
		p.Food()
		p.GameType()
		p.Levels()
		if _, err := p.Place(); err != nil && !errors.Is(err, player.ErrPlace) {
			t.Fatal(err)
		}
		there := player.Place{Dimension: "minecraft:the_end", X: 1, Y: 2, Z: 3, Yaw: 4, Pitch: 5}
		moved, err := p.WithPlace(there)
		if err != nil {
			return
		}
		if got, err := moved.Place(); err != nil || got != there {
			t.Fatalf("moved to %+v, %v", got, err)
		}
		if again, err := moved.WithPlace(there); err != nil || !bytes.Equal(again.Bytes(), moved.Bytes()) {
			t.Fatalf("moving twice differs from once: %v", err)
		}
	})
}
