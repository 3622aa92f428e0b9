package chunk

import (
	"archive/tar"
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"strata/bench/testbed"
)

// report decodes a report of the game's data generator; path is without the
// archive's top folder.
func report(t *testing.T, archive, path string, v any) {
	t.Helper()
	found := false
	eachReport(t, archive, func(name string, content io.Reader) {
		if name != path {
			return
		}
		found = true
		if err := json.NewDecoder(content).Decode(v); err != nil {
			t.Fatal(err)
		}
	})
	if !found {
		t.Fatalf("%s is not in %s", path, archive)
	}
}

func eachReport(t *testing.T, archive string, f func(path string, content io.Reader)) {
	t.Helper()
	file, err := os.Open(testbed.Shared(t, "reference", archive))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := zstd.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for in := tar.NewReader(z); ; {
		h, err := in.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		_, name, _ := strings.Cut(strings.TrimPrefix(h.Name, "./"), "/")
		f(name, in)
	}
}

type registries map[string]struct {
	Entries map[string]struct{}
}

type reportedBlocks map[string]struct{ Properties map[string][]string }

// What a chunk can name and 26.2 does not have has to have a conversion.
func TestReportsAgreeOnWhatRaisingTo262Removes(t *testing.T) {
	const older, newer = "vanilla-generated-26.1.2.tar.zst", "vanilla-reports-26.2.tar.zst"
	var before, after registries
	report(t, older, "reports/registries.json", &before)
	report(t, newer, "reports/registries.json", &after)
	named := []string{
		"block", "block_entity_type", "chunk_status", "data_component_type", "entity_type", "fluid", "item",
		"worldgen/structure_piece", "worldgen/structure_type", "attribute", "mob_effect", "potion", "point_of_interest_type",
	}
	var removed []string
	for _, name := range named {
		name = "minecraft:" + name
		if len(before[name].Entries) == 0 {
			t.Errorf("no registry %s in 26.1.2", name)
		}
		for entry := range before[name].Entries {
			if _, ok := after[name].Entries[entry]; !ok {
				removed = append(removed, name+" "+entry)
			}
		}
	}
	slices.Sort(removed)
	if d := cmp.Diff([]string{"minecraft:block_entity_type minecraft:bed"}, removed); d != "" {
		t.Errorf("removed (-want +got):\n%s", d)
	}
	var blocks, next reportedBlocks
	report(t, older, "reports/blocks.min.json", &blocks)
	report(t, newer, "reports/blocks.min.json", &next)
	if len(blocks) == 0 {
		t.Error("no blocks in 26.1.2")
	}
	for name, b := range blocks {
		if d := cmp.Diff(b.Properties, next[name].Properties); d != "" {
			t.Errorf("%s (-26.1.2 +26.2):\n%s", name, d)
		}
	}
	biomes := 0
	eachReport(t, older, func(path string, _ io.Reader) {
		name, ok := strings.CutPrefix(path, "data/minecraft/worldgen/biome/")
		if name, isJSON := strings.CutSuffix(name, ".json"); ok && isJSON {
			biomes++
			if _, ok := vanillaBiomeIDs()["minecraft:"+name]; !ok {
				t.Errorf("26.2 has no biome %s", name)
			}
		}
	})
	if biomes == 0 {
		t.Error("no biomes in 26.1.2")
	}
}
