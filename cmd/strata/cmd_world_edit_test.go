package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"strata/anvil"
	"strata/anvil/level"
	"strata/anvil/query"
	"strata/anvil/session"
	"strata/anvil/undo"
	"strata/bench/testbed"
	"strata/cmd/internal/ui"
	"strata/nbt"
	"strata/nbt/snbt"
	"strata/region"
	"strata/region/vfs"
)

// worldContent is everything in a world but what is ours: records, by folder and
// position, and files by their paths.
func worldContent(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		name, _ := filepath.Rel(dir, path)
		_, isRegion := region.ParseName(e.Name())
		switch {
		case err != nil:
			return err
		case name == "strata":
			return fs.SkipDir
		case e.IsDir() || e.Name() == "session.lock":
			return nil
		case isRegion:
			return regionContent(path, filepath.Dir(name), all)
		}
		data, err := os.ReadFile(path)
		all[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func regionContent(path, folder string, all map[string]string) error {
	f, err := region.Open(path, region.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	defer f.Close()
	p, _ := f.Pos()
	for slot := range region.Slot(region.Slots) {
		if f.Entry(slot).Empty() {
			continue
		}
		rec, err := f.Read(slot, nil)
		if err != nil {
			return err
		}
		all[folder+" "+p.Chunk(slot).String()] = fmt.Sprint(rec.Scheme, rec.External, string(rec.Data))
	}
	return nil
}

// differing lists the keys in which two contents differ.
func differing(a, b map[string]string) []string {
	var keys []string
	for k := range maps.Keys(a) {
		if other, ok := b[k]; !ok || other != a[k] {
			keys = append(keys, k)
		}
	}
	for k := range maps.Keys(b) {
		if _, ok := a[k]; !ok {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}

// pickedKeys are the records that the chunks of an expression may have.
func pickedKeys(t *testing.T, world, where string) map[string]bool {
	t.Helper()
	w, err := anvil.Open(world, anvil.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q, err := query.Compile(where)
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{}
	_, err = query.Select(t.Context(), w, q, query.Options{}, func(row *query.Row) error {
		d, err := w.Dimension(row.Dimension)
		for _, folder := range []string{d.Region, d.Entities, d.POI} {
			rel, _ := filepath.Rel(world, folder)
			keys[rel+" "+row.Pos().String()] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func mustRun(t *testing.T, args ...string) string {
	t.Helper()
	code, out, errText := runPlain(t, args...)
	if code != ui.OK {
		t.Fatalf("%v: exit %d: %s", args, code, errText)
	}
	return out
}

func TestEditsTouchOnlyWhatIsPickedAndAreUndone(t *testing.T) {
	for _, name := range []string{"layout-1.21.3", "world-26.2"} {
		world := sampleWorld(t, name)
		before := worldContent(t, world)
		rng := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 1))
		shift := map[string]int{"world-26.2": 64}[name] // where its chunks are
		for _, command := range [][]string{
			{"delete"},
			{"change", "--set", "replace_blocks=stone=dirt", "--set", "biome=plains", "--set", "inhabited=77", "--set", "delete_entities=true"},
			{"change", "--set", "compression=lz4", "--set", "timestamp=5"},
			{"change", "--set", "delete_sections=-4:0", "--set", "delete_light=true", "--set", "force_blend=true", "--set", "status=carvers"},
		} {
			where := fmt.Sprintf("dimension == 'minecraft:overworld' && near(%d, %d, %d)", shift+rng.IntN(20)-10, shift+rng.IntN(20)-10, 3+rng.IntN(5))
			picked := pickedKeys(t, world, where)
			args := append([]string{"world", command[0], world, "--where", where, "--json"}, command[1:]...)
			var plan, done struct {
				Chunks, Entities, POI, Picked, Changed int64
			}
			dry := mustRun(t, append(args, "--dry-run")...)
			if d := differing(before, worldContent(t, world)); len(d) > 0 {
				t.Fatalf("%s %v: --dry-run changed %v", name, command, d)
			}
			out := mustRun(t, append(args, "--yes")...)
			if err := json.Unmarshal([]byte(dry), &plan); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(out), &done); err != nil {
				t.Fatal(err)
			}
			if plan != done || done.Picked == 0 != (len(picked) == 0) {
				t.Errorf("%s %v: planned %+v, done %+v", name, command, plan, done)
			}
			changed := differing(before, worldContent(t, world))
			for _, key := range changed {
				if !picked[key] {
					t.Errorf("%s %v where %s: %s has changed and was not picked", name, command, where, key)
				}
			}
			if done.Picked == 0 {
				continue
			}
			mustRun(t, "world", "undo", world, "--yes")
			if d := differing(before, worldContent(t, world)); len(d) > 0 {
				t.Fatalf("%s %v: not undone: %v", name, command, d)
			}
		}
	}
}

func TestChangedWorldsCanBeReadAsWhatTheyWereMade(t *testing.T) {
	world := sampleWorld(t, "layout-1.21.3")
	mustRun(t, "world", "delete", world, "--where", "not near(-5, -5, 3)", "--yes", "--no-undo") // the rest takes long
	count := func(where string) (n int64) {
		var list struct{ Picked int64 }
		if err := json.Unmarshal([]byte(mustRun(t, "world", "chunks", world, "--where", where, "--json")), &list); err != nil {
			t.Fatal(err)
		}
		return list.Picked
	}
	for _, c := range []struct{ set, before, after string }{
		{"replace_blocks=#logs=gold_block", `block("#logs")`, `block("gold_block")`},
		{"biome=desert", `biome("forest")`, `biome("desert") and not biome("forest")`},
		{"status=carvers", `status == "full"`, `status == "carvers"`},
		{"inhabited=12345", `inhabited == 0`, `inhabited == 12345`},
		{"compression=gzip", `scheme == "zlib"`, `scheme == "gzip"`},
		{"delete_sections=-4", `has("sections[{Y:-4b}]")`, `not has("sections[{Y:-4b}]")`},
		{"timestamp=2020-01-01T00:00:00Z", `timestamp > 1577836800`, `timestamp == 1577836800`},
	} {
		had, have := count(c.before), count(c.after)
		if had == 0 {
			t.Fatalf("%s: no chunk has %s", c.set, c.before)
		}
		mustRun(t, "world", "change", world, "--where", c.before, "--set", c.set, "--yes")
		if n, m := count(c.before), count(c.after); n != 0 || m < have+had {
			t.Errorf("%s: %d chunks have %s, of %d; %d have %s, had %d", c.set, n, c.before, had, m, c.after, have)
		}
	}
	out := mustRun(t, "world", "info", world, "--deep", "--json")
	if strings.Contains(out, `"unreadable": 1`) {
		t.Error(out)
	}
}

// errEnded: the process is through.
var errEnded = errors.New("has ended")

// waitForUndo waits until the last change of a world is being undone, or the
// process that does it has ended.
func waitForUndo(t *testing.T, world string, ended chan error) (time.Time, error) {
	t.Helper()
	for {
		list, err := undo.List(vfs.OS(), world)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) > 0 && list[0].State == undo.Undoing {
			return time.Now(), nil
		}
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("undo: %v", err)
			}
			return time.Time{}, errEnded
		case <-time.After(time.Millisecond):
		}
	}
}

func TestUndoThatIsKilledRunsAgainToTheSameEnd(t *testing.T) {
	world := sampleWorld(t, "world-26.2")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	before := worldContent(t, world)
	rng := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 1))
	var writing time.Duration // how long an undo writes that is left alone
	killed, halfway := 0, 0
	for i := range testbed.Runs(t, 20) + 1 {
		mustRun(t, "world", "delete", world, "--yes", "--where", "near(0, 0, 9) or near(80, 80, 8)")
		cmd := exec.CommandContext(t.Context(), exe, "world", "undo", world, "--yes")
		cmd.Args[0] = "strata" // see TestMain
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		start, err := waitForUndo(t, world, ended)
		if i > 0 && err == nil {
			select {
			case err = <-ended:
			case <-time.After(time.Duration(rng.Int64N(int64(writing)>>(i%4*2) + 1))): // early ones as well
				cmd.Process.Kill() // it may just have ended
				err = <-ended
			}
		} else if err == nil {
			err = <-ended
			writing = time.Since(start)
		}
		if err != nil && !errors.Is(err, errEnded) {
			killed++
		}
		if strings.Contains(mustRun(t, "world", "undo", world, "--list"), "undoing") {
			halfway++
		}
		if code, _, errText := runPlain(t, "world", "undo", world, "--yes"); code != ui.OK && code != ui.Missing {
			t.Fatalf("run %d: exit %d: %s", i, code, errText)
		}
		if d := differing(before, worldContent(t, world)); len(d) > 0 {
			t.Fatalf("run %d: not undone: %v", i, d)
		}
	}
	t.Logf("%d undos were killed, %d of them before they were through", killed, halfway)
	if halfway == 0 && !testing.Short() {
		t.Error("no undo was killed before it was through")
	}
}

func TestWorldUndoRefusesWhatHasChangedSince(t *testing.T) {
	world := sampleWorld(t, "world-26.2")
	mustRun(t, "world", "set", world, "--chunk", "64,64", "InhabitedTime", "5L", "--yes")
	mustRun(t, "world", "set", world, "--chunk", "64,64", "InhabitedTime", "6L", "--yes")
	var list []struct{ ID, State, What, Command string }
	if err := json.Unmarshal([]byte(mustRun(t, "world", "undo", world, "--list", "--json")), &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != 2 || list[0].What != "set" || !strings.HasPrefix(list[0].Command, "strata world set ") {
		t.Fatalf("%+v", list)
	}
	var info struct {
		UndoBytes int64 `json:"undo_bytes"`
	}
	if err := json.Unmarshal([]byte(mustRun(t, "world", "info", world, "--quick", "--json")), &info); err != nil || info.UndoBytes < 1000 {
		t.Errorf("info: %+v, %v", info, err)
	}
	code, _, errText := runPlain(t, "world", "undo", world, list[1].ID, "--yes")
	if code != ui.Usage || !strings.Contains(errText, "chunk 64,64 of minecraft:overworld") {
		t.Errorf("exit %d: %s", code, errText)
	}
	mustRun(t, "world", "undo", world, list[1].ID, "--yes", "--force")
	if out := mustRun(t, "world", "get", world, "--chunk", "64,64", "InhabitedTime"); out != "0L\n" {
		t.Errorf("after undo by force: %s", out)
	}
	mustRun(t, "world", "undo", world, "--yes") // of the undo
	if out := mustRun(t, "world", "get", world, "--chunk", "64,64", "InhabitedTime"); out != "6L\n" {
		t.Errorf("after undo of the undo: %s", out)
	}
	if code, _, _ := runPlain(t, "world", "undo", world, "20200101T000000Z-1", "--yes"); code != ui.Missing {
		t.Errorf("no such change: exit %d", code)
	}
}

func TestWorldEditsRefuseBeforeAnyChange(t *testing.T) {
	world := sampleWorld(t, "world-26.2")
	before := worldContent(t, world)
	for _, c := range []struct {
		args string
		code ui.Code
	}{
		{"delete W", ui.Usage},
		{"delete W --where true", ui.Usage}, // no terminal to ask on
		{"change W --set inhabited=1", ui.Usage},
		{"change W --yes", ui.Usage},
		{"change W --set data_version=1 --yes", ui.Usage},
		{"set W --chunk 64,64 InhabitedTime 1L", ui.Usage},
		{"set W --chunk 64,64 xPos 1 --yes", ui.Usage},
		{"set W --chunk 64,64 DataVersion 1 --yes", ui.Usage},
		{"set W --chunk 64,64 Nothing 1 --yes", ui.Problems},
		{"set W --chunk 9999,64 a 1 --yes", ui.Missing},
		{"set W --block 1024,70,1024 not_a_block --yes", ui.Usage},
		{"set W --block 1024,7000,1024 stone --yes", ui.Missing},
		{"set W --level Data.DataVersion 1 --yes", ui.Usage},
		{"get W", ui.Usage},
		{"get W --chunk 1", ui.Usage},
		{"get W --chunk 1,1 --block 1,1,1", ui.Usage},
		{"get W --player nobody", ui.Missing},
		{"get W --data nothing", ui.Missing},
		{"undo W --yes", ui.Missing},
		{"undo W/none --yes", ui.Missing},
	} {
		args := strings.Split(strings.ReplaceAll("world "+c.args, "W", world), " ")
		if code, _, errText := runPlain(t, args...); code != c.code || errText == "" {
			t.Errorf("%s: exit %d, want %d: %s", c.args, code, c.code, errText)
		}
	}
	lock, err := session.Acquire(vfs.OS(), world)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"delete W --where true --yes", "change W --set inhabited=1 --yes", "set W --chunk 64,64 InhabitedTime 1L --yes", "undo W --yes"} {
		args := strings.Split(strings.ReplaceAll("world "+args, "W", world), " ")
		if code, _, errText := runPlain(t, args...); code != ui.Locked {
			t.Errorf("%v: exit %d: %s", args, code, errText)
		}
	}
	mustRun(t, "world", "delete", world, "--where", "true", "--dry-run")
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	if d := differing(before, worldContent(t, world)); len(d) > 0 {
		t.Errorf("changed: %v", d)
	}
}

func TestWorldGetAndSetOfPlayersAndFiles(t *testing.T) {
	world := sampleWorld(t, "world-26.2")
	w, err := anvil.Open(world, anvil.Options{})
	if err != nil {
		t.Fatal(err)
	}
	id := offlineID("Notch")
	if id.String() != "b50ad385-829d-3141-a216-7e7d7539ba7f" { // as servers without authentication have it
		t.Errorf("the offline UUID of Notch is %v", id)
	}
	root, err := snbt.Parse(`{DataVersion:4903,Health:20f,Inventory:[{Slot:0b,id:"minecraft:stone",count:3}]}`, nbt.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	data, err := nbt.Pack(nil, append([]byte{10, 0, 0}, root.Data...), nbt.Gzip)
	if err != nil {
		t.Fatal(err)
	}
	file := w.Players().DataPath(id)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	before := worldContent(t, world)
	for _, who := range []string{"notch", "Notch", id.String()} {
		args := []string{"world", "get", world, "--player", who, "Inventory[0].count"}
		if who == "notch" { // names of the offline kind mind capitals
			if code, _, _ := runPlain(t, args...); code != ui.Missing {
				t.Errorf("%s: exit %d", who, code)
			}
			continue
		}
		if out := mustRun(t, args...); out != "3\n" {
			t.Errorf("%s: %s", who, out)
		}
	}
	mustRun(t, "world", "set", world, "--player", "Notch", "Inventory[{Slot:0b}].count", "64", "--yes")
	if out := mustRun(t, "world", "get", world, "--player", "Notch", "Inventory[0].count", "--json"); strings.TrimSpace(out) != "[\n  64\n]" {
		t.Errorf("set: %q", out)
	}
	if _, err := os.Stat(file + level.OldSuffix); err != nil {
		t.Error(err)
	}
	mustRun(t, "world", "set", world, "--level", "Data.LevelName", `"Home"`, "--yes")
	if out := mustRun(t, "world", "get", world, "--level", "Data.LevelName"); out != "\"Home\"\n" {
		t.Errorf("set: %q", out)
	}
	mustRun(t, "world", "undo", world, "--yes")
	mustRun(t, "world", "undo", world, "--yes")
	if d := differing(before, worldContent(t, world)); len(d) > 0 {
		t.Errorf("not undone: %v", d)
	}
}

func TestWorldGetAndSetOfBlocks(t *testing.T) {
	world := sampleWorld(t, "layout-1.21.3")
	before := worldContent(t, world)
	get := func(at string) (b struct {
		State, Biome string
		BlockEntity  map[string]any `json:"block_entity"`
	}) {
		t.Helper()
		if err := json.Unmarshal([]byte(mustRun(t, "world", "get", world, "--block", at, "--json")), &b); err != nil {
			t.Fatal(err)
		}
		return b
	}
	spawner := get("-91,-12,-56")
	if spawner.State != "minecraft:spawner" || spawner.BlockEntity["id"] != "minecraft:mob_spawner" {
		t.Errorf("%+v", spawner)
	}
	mustRun(t, "world", "set", world, "--block", "-91,-12,-56", "oak_stairs[facing=east]", "--yes")
	if b := get("-91,-12,-56"); b.State != "minecraft:oak_stairs[facing=east,half=bottom,shape=straight,waterlogged=false]" || b.BlockEntity != nil {
		t.Errorf("%+v", b)
	}
	var palette struct {
		Blocks int64
		States []struct {
			State string
			Count int64
		}
	}
	if err := json.Unmarshal([]byte(mustRun(t, "world", "get", world, "--chunk", "-6,-4", "--palette", "--json")), &palette); err != nil {
		t.Fatal(err)
	}
	total, stairs := int64(0), int64(0)
	for _, s := range palette.States {
		total += s.Count
		if strings.HasPrefix(s.State, "minecraft:oak_stairs") {
			stairs += s.Count
		}
	}
	if total != palette.Blocks || total != 24*4096 || stairs != 1 {
		t.Errorf("%d blocks, %d in all states, %d stairs", palette.Blocks, total, stairs)
	}
	column := mustRun(t, "world", "get", world, "--column", "-91,-56")
	if !strings.Contains(column, "oak_stairs") || !strings.Contains(column, "bedrock") {
		t.Error(column)
	}
	mustRun(t, "world", "undo", world, "--yes")
	if d := differing(before, worldContent(t, world)); len(d) > 0 {
		t.Errorf("not undone: %v", d)
	}
}
