package oracle_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/bench/testbed"
	"strata/pregen/worldgen/oracle"
	"strata/pregen/worldgen/oracletest"
)

// read reads all samples.
func read(t *testing.T, dir string, f oracle.Filter) []*oracle.Sample {
	t.Helper()
	o, err := oracle.Open(dir, chunk.NewTables())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := o.Close(); err != nil {
			t.Error(err)
		}
	})
	var list []*oracle.Sample
	for s, err := range o.Samples(t.Context(), f) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	return list
}

func TestCollectionsAreReadWhole(t *testing.T) {
	counts := make(map[oracle.Key]int)
	seeds := make(map[string]oracle.World)
	for _, s := range read(t, testbed.Shared(t, "oracle"), oracle.Filter{}) {
		if s.Chunk.Status() != s.Stage.Status() {
			t.Errorf("%s: chunk %v of stage %s has status %s", s.Folder, s.Pos(), s.Stage, s.Chunk.StatusName())
		}
		if !s.HasBiomes || (s.Tier != "") != (s.Stage == oracle.Full) {
			t.Errorf("%s: chunk %v has tier %q and biomes: %v", s.Folder, s.Pos(), s.Tier, s.HasBiomes)
		}
		counts[oracle.Key{Folder: s.Folder, Dimension: s.Dimension, Stage: s.Stage, Tier: s.Tier}]++
		seeds[s.Folder] = s.World
	}
	for key, want := range map[oracle.Key]int{
		{Folder: "vanilla-a", Dimension: "minecraft:overworld", Stage: oracle.Full, Tier: "A"}:     59,
		{Folder: "vanilla-a", Dimension: "minecraft:overworld", Stage: oracle.Full, Tier: "B"}:     41,
		{Folder: "vanilla-a", Dimension: "minecraft:overworld", Stage: oracle.Noise}:               4,
		{Folder: "fabric-b", Dimension: "minecraft:the_nether", Stage: oracle.Full, Tier: "A"}:     11,
		{Folder: "paper-c", Dimension: "minecraft:the_end", Stage: oracle.InitializeLight}:         8,
		{Folder: "stages-26.1.2", Dimension: "minecraft:overworld", Stage: oracle.Carvers}:         16,
		{Folder: "stages-26.1.2", Dimension: "minecraft:overworld", Stage: oracle.Biomes}:          24,
		{Folder: "stages-26.1.2", Dimension: "minecraft:the_nether", Stage: oracle.Biomes}:         0,
		{Folder: "stages-26.1.2", Dimension: "minecraft:overworld", Stage: oracle.Full, Tier: "A"}: 1,
	} {
		if counts[key] != want {
			t.Errorf("%v: %d chunks, want %d", key, counts[key], want)
		}
	}
	total := 0
	for _, n := range counts {
		total += n
	}
	if total != 451+355 {
		t.Errorf("%d chunks, want 806", total)
	}
	for _, w := range oracletest.Worlds {
		want := oracle.World{Seed: w.Seed, DataVersion: 4903}
		if w.Folder == "stages-26.1.2" {
			want.DataVersion = 4790
		}
		if seeds[w.Folder] != want {
			t.Errorf("%s is of world %v, want %v", w.Folder, seeds[w.Folder], want)
		}
	}
}

func TestOneCollectionIsReadAlone(t *testing.T) {
	list := read(t, testbed.Shared(t, "oracle", "fabric-b"), oracle.Filter{
		Dimensions: []string{"minecraft:overworld"}, Stages: []oracle.Stage{oracle.Noise, oracle.Carvers},
	})
	if len(list) != 23 {
		t.Errorf("%d chunks, want 3 and 20", len(list))
	}
}

// writeDump writes a dump that has one block that is not stone.
func writeDump(t *testing.T, dir, name string, height int, odd block.State) {
	t.Helper()
	states := make([]uint16, 256*height)
	for i := range states {
		states[i] = 1
	}
	states[(3*height+40)*16+7] = uint16(odd)
	text, err := json.Marshal(states)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, name), text)
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestNamesOfDumpsTellWhereTheyAreFrom(t *testing.T) {
	dir := t.TempDir()
	gold := block.MustParse("gold_block")
	writeDump(t, dir, "noise_no_blend_no_beard_13579_-6_11.chunk", 384, gold)
	writeDump(t, dir, "no_blend_no_beard_surface_badlands_-595_544.chunk", 384, gold)
	writeDump(t, dir, "noise_nether_no_blend_no_beard_7_4.chunk", 128, gold)
	writeDump(t, dir, "end_surface_no_blend_no_beard_-42_0_0.chunk", 128, gold)
	writeDump(t, dir, "noise_no_blend_no_beard_only_cell_cache_0_0.chunk", 384, gold)
	var got []string
	for _, s := range read(t, dir, oracle.Filter{}) {
		bottom := s.Chunk.MinY()
		if s.HasBiomes || s.World.DataVersion != 4903 || s.Chunk.Block(3, bottom+40, 7) != gold || s.Chunk.Block(7, bottom+40, 3) == gold {
			t.Errorf("chunk %v is not what its dump has", s.Pos())
		}
		if top := s.Chunk.Block(0, 200, 0); (top == 0) != (s.Dimension != "minecraft:overworld") {
			t.Errorf("chunk %v has %v at y 200", s.Pos(), top)
		}
		got = append(got, strings.Join([]string{s.Dimension, string(s.Stage), strconv.FormatInt(s.World.Seed, 10), s.Pos().String()}, " "))
	}
	want := []string{
		"minecraft:the_end surface -42 0,0",
		"minecraft:overworld surface 0 -595,544",
		"minecraft:the_nether noise 0 7,4",
		"minecraft:overworld noise 13579 -6,11",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("dumps are %q, want %q", got, want)
	}
}

func TestRealDumpsAreRead(t *testing.T) {
	dumps := make(map[string]*oracletest.Dump)
	dir := t.TempDir()
	for _, stage := range []string{"noise", "surface"} {
		for _, d := range oracletest.Dumps(t, stage) {
			if d.Dimension == "overworld" && d.X != 7 && d.X != -7 {
				continue // there are 14 of them
			}
			dumps[stage+d.Dimension+strconv.FormatInt(d.Seed, 10)+" "+strconv.Itoa(int(d.X))] = d
			states := make([]block.State, 0, 256*d.Height)
			for x := range 16 {
				for y := range d.Height {
					for z := range 16 {
						states = append(states, d.Block(x, d.MinY+y, z))
					}
				}
			}
			text, err := json.Marshal(states)
			if err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(dir, d.Name), text)
		}
	}
	list := read(t, dir, oracle.Filter{})
	if len(list) != 12 {
		t.Errorf("%d dumps, want 12", len(list))
	}
	for _, s := range list {
		d := dumps[string(s.Stage)+strings.TrimPrefix(s.Dimension, "minecraft:")+strconv.FormatInt(s.World.Seed, 10)+" "+strconv.Itoa(int(s.Pos().X))]
		if d == nil || d.Z != s.Pos().Z {
			t.Fatalf("chunk %v, %s, %s, seed %d is no dump", s.Pos(), s.Dimension, s.Stage, s.World.Seed)
		}
		for i := range 256 * d.Height {
			if x, y, z := i&15, d.MinY+i>>8, i>>4&15; s.Chunk.Block(x, y, z) != d.Block(x, y, z) {
				t.Fatalf("%s: block %d, %d, %d differs", d.Name, x, y, z)
			}
		}
	}
}

func TestFoldersThatAreNoOracleAreRefused(t *testing.T) {
	open := func(dir string) error {
		_, err := oracle.Open(dir, chunk.NewTables())
		return err
	}
	dir := t.TempDir()
	if err := open(dir); !errors.Is(err, oracle.ErrNoOracle) {
		t.Errorf("an empty folder: %v", err)
	}
	if err := open(filepath.Join(dir, "no")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing folder: %v", err)
	}
	write(t, filepath.Join(dir, "c", "overworld", "manifest.json"), []byte("[]"))
	if err := open(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a collection without a README: %v", err)
	}
	for _, readme := range []string{"# x\n", "- seed: 12x\n", "- seed: 99999999999999999999\n"} {
		write(t, filepath.Join(dir, "c", "README.md"), []byte(readme))
		if err := open(dir); !errors.Is(err, oracle.ErrFormat) {
			t.Errorf("README %q: %v", readme, err)
		}
	}
}

func TestDamagedFilesAreErrorsBesideTheRest(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "c", "README.md"), []byte("- seed: -5\r\n"))
	write(t, filepath.Join(dir, "c", "overworld", "manifest.json"), []byte("{"))
	write(t, filepath.Join(dir, "c", "overworld", "starts.json.gz"), []byte("no gzip"))
	write(t, filepath.Join(dir, "c", "overworld", "full", "r.0.0.mca"), []byte("short"))
	for _, name := range []string{"x.chunk", "noise_1.chunk", "noise_1_99999999999.chunk", "noise_0_0.chunk"} {
		write(t, filepath.Join(dir, "d", name), []byte("[1,2]"))
	}
	write(t, filepath.Join(dir, "d", "noise_1_1.chunk"), []byte("[70000]"))
	writeDump(t, filepath.Join(dir, "d"), "noise_2_2.chunk", 384, block.StateCount)
	writeDump(t, filepath.Join(dir, "d"), "noise_3_3.chunk", 384, 0)
	o, err := oracle.Open(dir, chunk.NewTables())
	if err != nil {
		t.Fatal(err)
	}
	samples, failed := 0, 0
	for s, err := range o.Samples(t.Context(), oracle.Filter{}) {
		if err != nil {
			failed++
			continue
		}
		samples++
		if s.Pos().X != 3 {
			t.Errorf("chunk %v was read", s.Pos())
		}
	}
	if samples != 1 || failed < 8 {
		t.Errorf("%d samples and %d errors", samples, failed)
	}
}
