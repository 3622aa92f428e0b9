package diff

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil"
	"strata/anvil/level"
	"strata/nbt"
	"strata/region"
)

// put writes a file of NBT.
func put(t *testing.T, path, text string, how nbt.Compression) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	data, err := nbt.Pack(nil, document(t, text), how)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

const playerID = "01234567-89ab-cdef-0123-456789abcdef"

// layouts makes two worlds with the same content, one in the layout of 26.1 and
// one in that before.
func layouts(t *testing.T) (newer, older string) {
	t.Helper()
	newer, older = filepath.Join(t.TempDir(), "newer"), filepath.Join(t.TempDir(), "older")
	put(t, filepath.Join(newer, "level.dat"), `{Data:{DataVersion:4903,LevelName:"x"}}`, nbt.Gzip)
	put(t, filepath.Join(older, "level.dat"), `{Data:{DataVersion:3953,LevelName:"x"}}`, nbt.Gzip)
	put(t, filepath.Join(newer, "players", "data", playerID+".dat"), `{Health:20f}`, nbt.Gzip)
	put(t, filepath.Join(older, "playerdata", playerID+".dat"), `{Health:20f}`, nbt.Zlib)
	dims := filepath.Join(newer, "dimensions", "minecraft")
	for name, paths := range map[string][2]string{
		"scoreboard": {filepath.Join(newer, "data", "minecraft", "scoreboard.dat"), filepath.Join(older, "data", "scoreboard.dat")},
		"map":        {filepath.Join(newer, "data", "minecraft", "maps", "3.dat"), filepath.Join(older, "data", "map_3.dat")},
		"last":       {filepath.Join(newer, "data", "minecraft", "maps", "last_id.dat"), filepath.Join(older, "data", "idcounts.dat")},
		"raids":      {filepath.Join(dims, "overworld", "data", "minecraft", "raids.dat"), filepath.Join(older, "data", "raids.dat")},
		"nether":     {filepath.Join(dims, "the_nether", "data", "minecraft", "raids.dat"), filepath.Join(older, "DIM-1", "data", "raids.dat")},
		"end":        {filepath.Join(dims, "the_end", "data", "minecraft", "raids.dat"), filepath.Join(older, "DIM1", "data", "raids_end.dat")},
		"tickets":    {filepath.Join(dims, "overworld", "data", "minecraft", "chunk_tickets.dat"), filepath.Join(older, "data", "chunks.dat")},
	} {
		put(t, paths[0], `{data:{name:"`+name+`"}}`, nbt.Gzip)
		put(t, paths[1], `{data:{name:"`+name+`"}}`, nbt.Gzip)
	}
	records := map[region.Slot]stored{5: {text: `{x:1}`}}
	write(t, filepath.Join(dims, "the_nether", "region"), region.Pos{X: 1, Z: -1}, []region.Slot{5}, records)
	write(t, filepath.Join(older, "DIM-1", "region"), region.Pos{X: 1, Z: -1}, []region.Slot{5}, records)
	return newer, older
}

func TestLayoutsAreMatchedByNames(t *testing.T) {
	newer, older := layouts(t)
	a, b := openWorldAt(t, newer), openWorldAt(t, older)
	if a.Layout() != anvil.NewLayout || b.Layout() != anvil.OldLayout {
		t.Fatalf("%v, %v", a.Layout(), b.Layout())
	}
	r, err := CompareFiles(ctx, OpenWorld(a), OpenWorld(b), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, f := range r.Files {
		found = append(found, f.Class.String()+" "+f.Name+" "+f.Dimension)
	}
	if d := cmp.Diff([]string{"modified " + level.FileName + " "}, found); d != "" || r.Data.Equal != 7 || r.Players.Equal != 1 || len(r.Failed) > 0 {
		t.Errorf("%+v %+v%s", r.Data, r.Players, d)
	}
	result, regions := compare(t, OpenWorld(a), OpenWorld(b), Options{})
	if result.Equal != 1 || result.Total() != 1 || regions[0].Dimension != anvil.Nether {
		t.Errorf("%+v", result)
	}
	result, regions = compare(t, OpenWorld(a, anvil.Overworld), OpenWorld(b, anvil.Overworld), Options{})
	if result.Total() != 0 || len(regions) > 0 {
		t.Errorf("another dimension: %+v", result)
	}
}

func TestFilesThatDifferAreListed(t *testing.T) {
	newer, older := layouts(t)
	put(t, filepath.Join(newer, "players", "data", playerID+".dat"), `{Health:19f}`, nbt.Gzip)
	for path, text := range map[string]string{
		filepath.Join(newer, "players", "stats", playerID+".json"):     "{}",
		filepath.Join(older, "stats", playerID+".json"):                "{ }",
		filepath.Join(older, "advancements", playerID+".json"):         "{}",
		filepath.Join(newer, "data", "minecraft", "scoreboard.dat"):    "damaged",
		filepath.Join(newer, "data", "minecraft", "not-data.txt"):      "x",
		filepath.Join(newer, "data", "mymod", "deep", "things.dat"):    "x",
		filepath.Join(older, "data", "command_storage_minecraft.json"): "x",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r, err := CompareFiles(ctx, OpenWorld(openWorldAt(t, newer)), OpenWorld(openWorldAt(t, older)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, f := range r.Files {
		found = append(found, f.Class.String()+" "+f.What+" "+f.Name)
		if f.What == "player" && f.Paths[0] != (PathChange{"Health", "19f", "20f"}) && f.Paths[0] != (PathChange{"Health", "19.0f", "20.0f"}) {
			t.Errorf("%+v", f.Paths)
		}
	}
	want := []string{
		"modified level level.dat", "unreadable data minecraft:scoreboard", "deleted data mymod:deep/things",
		"modified player " + playerID, "modified stats " + playerID, "created advancements " + playerID,
	}
	if d := cmp.Diff(want, found); d != "" || !r.Differ() {
		t.Error(d)
	}
}
