package query_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"strata/anvil"
	"strata/anvil/query"
	"strata/anvil/scan"
	"strata/anvil/store"
	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/region"
)

// sample unpacks the sample worlds and opens one.
func sample(t testing.TB, name string) *anvil.World {
	t.Helper()
	dir := t.TempDir()
	if err := corpus.Unpack(testbed.Shared(t, "worlds", "sample-worlds.tar.zst"), dir); err != nil {
		t.Fatal(err)
	}
	w, err := anvil.Open(filepath.Join(dir, "sample", name), anvil.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// pick runs a query and returns the positions in the overworld.
func pick(t *testing.T, w *anvil.World, text string, o query.Options) []region.ChunkPos {
	t.Helper()
	q, err := query.Compile(text)
	if err != nil {
		t.Fatal(err)
	}
	list := []region.ChunkPos{}
	o.Dimensions = []string{anvil.Overworld}
	result, err := query.Select(t.Context(), w, q, o, func(r *query.Row) error {
		list = append(list, r.Pos())
		return nil
	})
	if err != nil || result.Failures > 0 || len(result.Failed) > 0 || result.Picked != int64(len(list)) {
		t.Fatalf("%s: %v; %d failures, first %v; failed %v", text, err, result.Failures, result.First, result.Failed)
	}
	return list
}

// The counts were taken with other programs: statuses and entities by walking
// the NBT with nothing of this package, the others as sums that must agree.
func TestEveryFieldPicksChunks(t *testing.T) {
	w := sample(t, "layout-1.21.3")
	const all = 2092
	for text, want := range map[string]int{
		"":                                all,
		"true":                            all,
		"readable && error == ''":         all,
		`status == "full"`:                547,
		`status in ["carvers", "biomes"]`: 108 + 101,
		"data_version == 4082 && scheme == 'zlib' && !external": all,
		"inhabited == 0":                    1966,
		"not (inhabited == 0)":              all - 1966,
		"misplaced":                         0,
		"x == nbt_x and z == nbt_z":         all,
		"timestamp > 1700000000":            all,
		"saved > date('2024-01-01')":        all,
		"bytes > sectors * 4096":            0,
		"has('structures.starts')":          all,
		"nbt('Status') == 'minecraft:full'": 547,
		"block('#minecraft:air')":           -1,
		"block('bedrock')":                  -1,
		"count_blocks('bedrock') > 0":       -1,
		"forced":                            0,
		"players + respawns > 0":            0,
	} {
		got := len(pick(t, w, text, query.Options{}))
		if want >= 0 && got != want || want < 0 && got == 0 {
			t.Errorf("%s picks %d chunks, want %d", text, got, want)
		}
	}
	for _, pair := range [][2]string{
		{"block('bedrock')", "count_blocks('bedrock') > 0"},
		{"region_x == 0 && region_z == 0", "x >= 0 && x < 32 && z >= 0 && z < 32"},
		{"near(0, 0, 3)", "x >= -3 && x <= 3 && z >= -3 && z <= 3"},
		{"rectangle(0, 0, 31, 15)", "x in 0..1 && z == 0"},
		{"structure()", "structure('#minecraft:village') || structure() && !structure('#minecraft:village')"},
		{"reference('mineshaft')", "len(nbt('structures.References.\"minecraft:mineshaft\"') ?? []) > 0"},
	} {
		a, b := pick(t, w, pair[0], query.Options{}), pick(t, w, pair[1], query.Options{})
		if !slices.Equal(a, b) {
			t.Errorf("%s picks %d chunks, %s %d", pair[0], len(a), pair[1], len(b))
		}
	}
	entities := 0
	q, err := query.Compile("entities > 0 && entities == entity()", "entities", "poi", "border")
	if err != nil {
		t.Fatal(err)
	}
	_, err = query.Select(t.Context(), w, q, query.Options{}, func(r *query.Row) error {
		entities += r.Entities
		if r.Value("entities") != r.Entities || r.Value("circle") != nil {
			t.Errorf("values of %v: %v", r.Pos(), r.Value("entities"))
		}
		return nil
	})
	if want := entitiesIn(t, w); err != nil || entities != want || want == 0 {
		t.Errorf("%d entities, want %d; %v", entities, want, err)
	}
	if got := pick(t, sample(t, "vanilla-26.1.2-fresh"), "spawn", query.Options{}); !slices.Equal(got, []region.ChunkPos{{X: 0, Z: -1}}) {
		t.Errorf("the spawn is in %v", got)
	}
}

// entitiesIn counts the entities of entity chunks that lie at a chunk.
func entitiesIn(t *testing.T, w *anvil.World) (n int) {
	t.Helper()
	there := make(map[region.ChunkPos]bool)
	for _, pos := range pick(t, w, "", query.Options{}) {
		there[pos] = true
	}
	var r scan.Reader
	for _, f := range scan.Files(w, anvil.Overworld).Files {
		if f.Kind != store.Entities {
			continue
		}
		_, err := r.Chunks(t.Context(), w.FS(), f, true, func(c *scan.Chunk) bool {
			tape, err := r.Tape(c.Data)
			if err != nil {
				t.Fatal(err)
			}
			if there[c.Pos] {
				n += tape.Root().Get("Entities").Len()
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return n
}

func TestBorderCountsRings(t *testing.T) {
	w := sample(t, "layout-1.21.3")
	there := make(map[region.ChunkPos]bool)
	for _, pos := range pick(t, w, "", query.Options{}) {
		there[pos] = true
	}
	rings := func(pos region.ChunkPos) int {
		for ring := int32(1); ; ring++ {
			for x := -ring; x <= ring; x++ {
				for z := -ring; z <= ring; z++ {
					if !there[region.ChunkPos{X: pos.X + x, Z: pos.Z + z}] {
						return int(ring) - 1
					}
				}
			}
		}
	}
	for _, least := range []string{"0", "1", "5"} {
		got := pick(t, w, "border == "+least, query.Options{})
		want := 0
		for pos := range there {
			if got := rings(pos); (least == "0" && got == 0) || (least == "1" && got == 1) || (least == "5" && got == 5) {
				want++
			}
		}
		if len(got) != want || want == 0 {
			t.Errorf("border == %s picks %d chunks, want %d", least, len(got), want)
		}
	}
}

func TestSelectionsAreThoseOfMCASelector(t *testing.T) {
	const text = "0;0;1;2\n0;0;31;31\n-1;0\n"
	s, err := query.ReadSelection(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for pos, want := range map[region.ChunkPos]bool{{X: 1, Z: 2}: true, {X: 2, Z: 1}: false, {X: -1, Z: 31}: true, {X: -33, Z: 0}: false} {
		if s.Has(pos) != want {
			t.Errorf("chunk %v: %v", pos, !want)
		}
	}
	var out bytes.Buffer
	if _, err := s.WriteTo(&out); err != nil || out.String() != "-1;0\n"+text[:len(text)-5] {
		t.Errorf("written as %q, %v", out.String(), err)
	}
	inverted, err := query.ReadSelection(strings.NewReader("inverted\n" + text))
	if err != nil || inverted.Has(region.ChunkPos{X: 1, Z: 2}) || !inverted.Has(region.ChunkPos{X: 2, Z: 1}) {
		t.Errorf("an inverted selection is not one (%v)", err)
	}
	for _, bad := range []string{"1", "1;x", "0;0;40;0", "1;2;3", "99999999999;0"} {
		if _, err := query.ReadSelection(strings.NewReader(bad)); !errors.Is(err, query.ErrSelection) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	w := sample(t, "layout-1.21.3")
	if got := pick(t, w, "selected", query.Options{Selection: s}); len(got) < 3 {
		t.Errorf("%d chunks are selected", len(got))
	}
}

func TestMistakesInExpressionsHaveAnError(t *testing.T) {
	for _, text := range []string{"status = 1", "statu == 'full'", "x + 1", "block(1)", "(", strings.Repeat("x", query.MaxText+1)} {
		if _, err := query.Compile(text); !errors.Is(err, query.ErrSyntax) {
			t.Errorf("%.40s: %v", text, err)
		}
	}
	if _, err := query.Compile("", "circle"); !errors.Is(err, query.ErrSyntax) {
		t.Errorf("a function as a column: %v", err)
	}
	w := sample(t, "world-26.2")
	for _, text := range []string{"nbt('a..b') != nil", "block('#minecraft:no_such_tag')"} {
		q, err := query.Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		result, err := query.Select(t.Context(), w, q, query.Options{}, func(*query.Row) error { return nil })
		if err != nil || result.Failures == 0 || result.First == nil || result.Picked != 0 {
			t.Errorf("%s: %+v, %v", text, result, err)
		}
	}
}
