package main

import (
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"strata/anvil/diff"
	"strata/cmd/internal/ui"
)

// worldDiffJSON is what scripts rely on of strata world diff.
type worldDiffJSON struct {
	Created, Deleted, Modified, Touched, Moved, Equal, Unreadable int64
	Region                                                        struct{ Deleted, Equal int64 }
	Reencoded                                                     int64
	Chunks                                                        []struct {
		Dimension string
		X, Z      int32
		Class     string
	}
	Files  []struct{ What, Class string }
	Failed []any
}

func diffWorlds(t *testing.T, want ui.Code, args ...string) worldDiffJSON {
	t.Helper()
	code, out, errText := runPlain(t, append([]string{"world", "diff", "--json"}, args...)...)
	if code != want {
		t.Fatalf("diff %v: exit %d, want %d: %s", args, code, want, errText)
	}
	var d worldDiffJSON
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatal(err)
	}
	if d.Failed == nil || d.Files == nil || d.Chunks == nil {
		t.Errorf("diff %v: a list is null: %s", args, out)
	}
	return d
}

// copyOf copies a world.
func copyOf(t *testing.T, world string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(to, os.DirFS(world)); err != nil {
		t.Fatal(err)
	}
	return to
}

func TestWorldDiffFindsWhatCommandsHaveChanged(t *testing.T) {
	world := sampleWorld(t, "world-26.2")
	changed := copyOf(t, world)
	d := diffWorlds(t, ui.OK, world, changed, "--exit-code")
	if d.Equal == 0 || d.Created+d.Deleted+d.Modified+d.Touched+d.Moved+d.Unreadable > 0 || len(d.Chunks)+len(d.Files) > 0 {
		t.Errorf("a copy: %+v", d)
	}
	chunks := d.Equal
	code, out, errText := runPlain(t, "world", "delete", changed, "--where", "x % 3 == 0 && dimension == 'minecraft:overworld'", "--yes", "--no-undo", "--json")
	if code != ui.OK {
		t.Fatalf("exit %d: %s", code, errText)
	}
	var deleted struct{ Chunks int64 }
	if err := json.Unmarshal([]byte(out), &deleted); err != nil {
		t.Fatal(err)
	}
	picture := filepath.Join(t.TempDir(), "heat.png")
	d = diffWorlds(t, ui.Problems, world, changed, "--exit-code", "--heatmap", picture, "--heatmap-scale", "2")
	if d.Deleted != deleted.Chunks || d.Deleted == 0 || d.Equal != chunks-d.Deleted || d.Region.Deleted != d.Deleted || int64(len(d.Chunks)) != d.Deleted || d.Chunks[0].Class != "deleted" {
		t.Errorf("%d chunks were deleted: %+v", deleted.Chunks, d)
	}
	file, err := os.Open(picture)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if p, err := png.Decode(file); err != nil || p.Bounds().Dx()%2 != 0 {
		t.Errorf("heat map: %v", err)
	}
	back := diffWorlds(t, ui.OK, changed, world)
	if back.Created != d.Deleted || back.Equal != d.Equal {
		t.Errorf("back: %+v", back)
	}
	if d := diffWorlds(t, ui.OK, world, changed, "--limit", "2"); len(d.Chunks) != 2 {
		t.Errorf("%d chunks listed", len(d.Chunks))
	}
	if d := diffWorlds(t, ui.OK, world, changed, "--ignore", "Entities[].Pos", "--no-files"); d.Deleted != deleted.Chunks {
		t.Errorf("with places that do not count: %+v", d)
	}
	code, out, errText = runPlain(t, "world", "diff", world, changed)
	if code != ui.OK || !strings.Contains(out, "deleted   minecraft:overworld ") || !strings.Contains(out, "unreadable") {
		t.Errorf("exit %d: %s\n%s", code, errText, out)
	}
}

func TestWorldDiffRefusesWhatCannotBeCompared(t *testing.T) {
	world := sampleWorld(t, "world-26.2")
	folder := filepath.Join(world, "dimensions", "minecraft", "overworld", "region")
	for _, c := range []struct {
		args []string
		want ui.Code
	}{
		{[]string{world, filepath.Join(world, "nowhere")}, ui.Missing},
		{[]string{world, t.TempDir()}, ui.Missing},
		{[]string{world, filepath.Join(world, "level.dat")}, ui.Usage},
		{[]string{world, folder}, ui.Usage},
		{[]string{folder, folder}, ui.OK},
		{[]string{folder, folder, "--heatmap", filepath.Join(t.TempDir(), "x.png")}, ui.OK},
		{[]string{world, world, "--ignore", "a["}, ui.Usage},
		{[]string{world, world, "--limit", "-1"}, ui.Usage},
		{[]string{world, world, "--dimension", "nowhere"}, ui.Usage},
		{[]string{world}, ui.Usage},
	} {
		if code, _, errText := runPlain(t, append([]string{"world", "diff"}, c.args...)...); code != c.want {
			t.Errorf("%v: exit %d, want %d: %s", c.args, code, c.want, errText)
		}
	}
}

func TestIgnoredPathsAreSplitOutsideOfBrackets(t *testing.T) {
	for list, want := range map[string][]string{
		"a,b.c":                      {"a", "b.c"},
		"e[{x:1,y:2}].z,b":           {"e[{x:1,y:2}].z", "b"},
		`"a,b",'c,\',d',e`:           {`"a,b"`, `'c,\',d'`, "e"},
		"":                           {},
		"LastUpdate,":                {"LastUpdate"},
		"sections[].SkyLight":        {"sections[].SkyLight"},
		`Entities[{id:"a]"}].Pos,xy`: {`Entities[{id:"a]"}].Pos`, "xy"},
	} {
		if got := splitPaths(list); !slices.Equal(got, want) {
			t.Errorf("%s: %q", list, got)
		}
	}
}

func TestChunksThatHaveGoneSideBySideMakeOneLine(t *testing.T) {
	chunk := func(x, z int32, class diff.Class) diff.Chunk {
		return diff.Chunk{Dimension: "d", X: x, Z: z, Class: class}
	}
	chunks := []diff.Chunk{chunk(1, 0, diff.Deleted), chunk(2, 0, diff.Deleted), chunk(4, 0, diff.Deleted), chunk(5, 0, diff.Created), chunk(5, 1, diff.Modified), chunk(6, 1, diff.Modified)}
	var got []int
	for i := 0; i < len(chunks); {
		n := rowOf(chunks[i:])
		got = append(got, n)
		i += n
	}
	if !slices.Equal(got, []int{2, 1, 1, 1, 1}) {
		t.Errorf("lines of %v chunks", got)
	}
	var text strings.Builder
	writeChunk(&text, &chunks[0], 2)
	if text.String() != "deleted   d 1,0 to 2,0 (2 chunks)\n" {
		t.Errorf("%q", text.String())
	}
}
