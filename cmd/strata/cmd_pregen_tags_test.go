package main

import (
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/nbt"
	"strata/region"
	"strata/region/codec"
)

// outline is which tags documents have: how often each path is there, by type.
// Chunks that are not full begin with "early", block entities, pieces and starts
// with their kind.
type outline map[string]map[string]int

// early is what paths in chunks that are not full begin with.
const early = "early "

func (o outline) note(path, kind string) {
	if o[path] == nil {
		o[path] = map[string]int{}
	}
	o[path][kind]++
}

// total is how often a path is there.
func (o outline) total(path string) (n int) {
	for _, count := range o[path] {
		n += count
	}
	return n
}

// openNames are the compounds whose members are named by data.
var openNames = []string{".Properties", ".structures.References", ".structures.starts", ".entity_data"}

func (o outline) add(path string, tag nbt.Tag) {
	switch tag.Type() {
	case nbt.TypeCompound:
		o.note(path, "compound")
		open := slices.ContainsFunc(openNames, func(end string) bool { return strings.HasSuffix(path, end) })
		for name, value := range tag.Members() {
			switch {
			case strings.HasSuffix(path, ".structures.starts"):
				o.add("start", value)
			case open:
				o.add(path+".*", value)
			default:
				o.add(path+"."+string(name), value)
			}
		}
	case nbt.TypeList:
		kind := "list of " + tag.Elem().String()
		if tag.Len() == 0 && tag.Elem() != nbt.TypeEnd {
			kind = "empty " + kind
		}
		o.note(path, kind)
		for _, element := range tag.Elements() {
			o.add(elementPath(path, element), element)
		}
	default:
		o.note(path, tag.Type().String())
	}
}

// elementPath is the path of an element of a list.
func elementPath(path string, element nbt.Tag) string {
	id, _ := element.Get("id").Text()
	switch {
	case strings.HasSuffix(path, ".block_entities") && strings.HasPrefix(path, early):
		return early + "block entity " + id
	case strings.HasSuffix(path, ".block_entities"):
		return "block entity " + id
	case strings.HasSuffix(path, ".Entities"), strings.HasSuffix(path, ".entities"):
		return "entity " + id
	case strings.HasSuffix(path, ".Children"):
		return "piece " + id
	}
	return path + "[]"
}

// addChunk adds a chunk or the entities of one.
func (o outline) addChunk(t *testing.T, document []byte) {
	t.Helper()
	var tape nbt.Tape
	if err := tape.Parse(document); err != nil {
		t.Fatal(err)
	}
	root := tape.Root()
	status, _ := root.Get("Status").Text()
	switch {
	case !root.Get("Status").Exists():
		o.add("entities", root)
	case status == "minecraft:full":
		o.add("full", root)
	default:
		o.add(early+strings.TrimPrefix(status, "minecraft:"), root)
	}
}

// addRegions adds the chunks of the region files below a folder.
func (o outline) addRegions(t *testing.T, dir string) {
	t.Helper()
	var inflate codec.Decoder
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(name) != ".mca" || strings.Contains(name, "poi") {
			return err
		}
		f, err := region.Open(name, region.Options{ReadOnly: true})
		if err != nil {
			return nil // real worlds have empty files
		}
		defer f.Close()
		for slot := range region.Slot(region.Slots) {
			if data, _, err := f.Decode(slot, &inflate, nil, nil); err == nil {
				o.addChunk(t, data)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// reference is the path in real chunks that a tag is compared with: they have no
// block entities in chunks that are not full, but these are as they are saved
// later.
func reference(path string) string {
	if rest, ok := strings.CutPrefix(path, early+"block"); ok && !strings.HasPrefix(rest, " entity DUMMY") {
		return "block" + rest
	}
	return path
}

// parent is the path of the compound that a tag is a member of.
func parent(path string) (string, bool) {
	i := strings.LastIndexByte(path, '.')
	if i < 0 || strings.HasSuffix(path, "[]") {
		return "", false
	}
	return path[:i], true
}

// tagsOfOurs are tags that generated chunks have and real ones at hand lack, and
// why.
var tagsOfOurs = map[string]string{
	"early carvers.Heightmaps.OCEAN_FLOOR_WG":      "generation goes on from them; the game passes over them",
	"early carvers.Heightmaps.WORLD_SURFACE_WG":    "generation goes on from them; the game passes over them",
	"block entity minecraft:dispenser.Items":       "a template's own",
	"piece minecraft:jigsaw.pool_element.elements": "no piece at hand is of a list of elements",
	"piece minecraft:jigsaw.pool_element.feature":  "no piece at hand is of a feature",
}

// tagsOfReal are tags that all real chunks at hand have and generated ones may
// lack, and why.
var tagsOfReal = map[string]string{
	"block entity minecraft:dispenser.LootTable":     "some have a template's items",
	"block entity minecraft:dispenser.LootTableSeed": "some have a template's items",
	"piece minecraft:jigsaw.liquid_settings":         "left out where it is the usual one",
	"piece minecraft:jigsaw.pool_element.location":   "pieces of features and lists have none",
	"piece minecraft:jigsaw.pool_element.processors": "pieces of features and lists have none",
}

// TestGeneratedChunksHaveTheTagsOfRealOnes: each tag of a chunk, its block
// entities, structures and pieces is one that real chunks of that status have,
// with their types, and none is lacking that these always have. Of entities the
// reference has none of these versions.
func TestGeneratedChunksHaveTheTagsOfRealOnes(t *testing.T) {
	dir := t.TempDir()
	if err := corpus.Unpack(testbed.Shared(t, "worlds", "sample-worlds.tar.zst"), dir); err != nil {
		t.Fatal(err)
	}
	whole, stripped, ours := outline{}, outline{}, outline{}
	for _, world := range []string{"vanilla-26.1.2-fresh", "world-26.2"} {
		whole.addRegions(t, filepath.Join(dir, "sample", world))
	}
	corpora, err := corpus.Load(testbed.Shared(t, "worlds", "chunks-998.bin.zst"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range corpora {
		whole.addChunk(t, c.NBT)
	}
	for _, folder := range []string{"vanilla-a", "fabric-b", "stages-26.1.2"} {
		stripped.addRegions(t, testbed.Shared(t, "oracle", folder))
	}
	jar := gameJar(t)
	for _, area := range finishedAreas {
		world := filepath.Join(t.TempDir(), "world")
		area.finish(t, world, jar, finishedRadius())
		ours.addRegions(t, filepath.Join(world, "dimensions"))
	}
	strange := map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(ours)) {
		if complaint := judgeTag(path, ours, whole, stripped, strange); complaint != "" {
			t.Error(complaint)
		}
	}
	// Of starts and pieces nothing is stripped.
	for path, kinds := range stripped {
		if strings.HasPrefix(path, "piece ") || strings.HasPrefix(path, "start") {
			for kind, n := range kinds {
				for range n {
					whole.note(path, kind)
				}
			}
		}
	}
	for path := range ours {
		for _, name := range whole.always(reference(path)) {
			member := path + "." + name
			if tagsOfReal[reference(member)] != "" || name == "keepPacked" && strings.HasPrefix(path, early) {
				continue
			}
			if n, of := ours.total(member), ours.total(path); n < of {
				t.Errorf("%s: real ones always have it, %d of %d of ours lack it", member, of-n, of)
			}
		}
		if strings.HasPrefix(path, early) && strings.HasSuffix(path, ".keepPacked") {
			t.Errorf("%s: only full chunks have it", path)
		}
	}
	t.Logf("%d paths, of chunks %d full and %d not; the reference has no %q", len(ours), ours.total("full"),
		ours.total("early carvers")+ours.total("early initialize_light"), slices.Sorted(maps.Keys(strange)))
	if got := ours["entities"]; got["compound"] == 0 {
		t.Error("no chunk has entities")
	}
	for _, name := range []string{"DataVersion", "Position", "Entities"} {
		if ours.total("entities."+name) != ours.total("entities") {
			t.Errorf("entities without %s", name)
		}
	}
}

// always are the members that a compound has whenever it is there.
func (o outline) always(path string) (names []string) {
	for member := range o {
		if in, ok := parent(member); ok && in == path && o.total(member) == o.total(path) {
			names = append(names, member[len(path)+1:])
		}
	}
	return names
}

// judgeTag says what is wrong with a tag of ours. What the reference has nothing
// to compare with is strange.
func judgeTag(path string, ours, whole, stripped outline, strange map[string]bool) string {
	theirs := reference(path)
	in, member := parent(theirs)
	known := func(path string) bool { return whole[path] != nil || stripped[path] != nil }
	switch {
	case known(theirs):
	case tagsOfOurs[theirs] != "" || strings.HasPrefix(path, "entit"):
		return ""
	case !member || !known(in):
		kind, _, _ := strings.Cut(path, ".")
		strange[kind] = true
		return ""
	default:
		return fmt.Sprintf("%s: %d of ours have it, real ones do not", path, ours.total(path))
	}
	for kind := range ours[path] {
		if whole[theirs][kind] > 0 || stripped[theirs][kind] > 0 {
			continue
		}
		if kind == "list of end" || strings.HasPrefix(kind, "list of") && onlyEmpty(whole[theirs], stripped[theirs]) {
			continue // none of ours has elements, or none of the real ones
		}
		return fmt.Sprintf("%s: %s in %d of ours, real ones are %v %v", path, kind, ours[path][kind], whole[theirs], stripped[theirs])
	}
	return ""
}

// onlyEmpty reports whether all lists of a path are empty.
func onlyEmpty(of ...map[string]int) bool {
	for _, kinds := range of {
		for kind := range kinds {
			if kind != "list of end" {
				return false
			}
		}
	}
	return true
}
