package oracle_test

import (
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/bench/testbed"
	"strata/pregen/worldgen/oracle"
	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/proto"
	"strata/region"
)

// playback is a generator that gives back what the samples have, changed by a
// function.
type playback struct {
	samples map[string]*oracle.Sample
	names   []string
	change  func(s *oracle.Sample, made *oracle.Made) error
}

func playbackKey(w oracle.World, dimension string, pos region.ChunkPos, status chunk.Status) string {
	text, _ := json.Marshal([]any{w, dimension, pos, status})
	return string(text)
}

// newPlayback reads all samples of a folder.
func newPlayback(t *testing.T, o *oracle.Oracle, tables *chunk.Tables, f oracle.Filter) *playback {
	t.Helper()
	p := &playback{samples: make(map[string]*oracle.Sample)}
	for s, err := range o.Samples(t.Context(), f) {
		if err != nil {
			t.Fatal(err)
		}
		p.samples[playbackKey(s.World, s.Dimension, s.Pos(), s.Stage.Status())] = s
	}
	for i := range tables.Biomes.Len() {
		p.names = append(p.names, tables.Biomes.Name(chunk.Biome(i)))
	}
	return p
}

// open is for oracle.Options.
func (p *playback) open(w oracle.World) (oracle.Generator, error) { return &player{p, w}, nil }

type player struct {
	*playback
	world oracle.World
}

func (p *player) Generate(dimension string, pos region.ChunkPos, status chunk.Status) (oracle.Made, error) {
	s := p.samples[playbackKey(p.world, dimension, pos, status)]
	if s == nil {
		return oracle.Made{}, errors.New("no such sample")
	}
	made := oracle.Made{Chunk: proto.New(s.Chunk.MinY(), s.Chunk.Height()), Biomes: p.names}
	if err := made.Chunk.Load(s.Chunk, func(b chunk.Biome) (proto.Biome, error) { return proto.Biome(b), nil }); err != nil {
		return made, err
	}
	if p.change != nil {
		return made, p.change(s, &made)
	}
	return made, nil
}

func diff(t *testing.T, o *oracle.Oracle, opts oracle.Options) *oracle.Report {
	t.Helper()
	report, err := oracle.Diff(t.Context(), o, opts)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// vanilla opens one collection and a playback of stages of a dimension.
func vanilla(t *testing.T, dimension string, stages ...oracle.Stage) (*oracle.Oracle, *playback, oracle.Filter) {
	t.Helper()
	tables := chunk.NewTables()
	o, err := oracle.Open(testbed.Shared(t, "oracle", "vanilla-a"), tables)
	if err != nil {
		t.Fatal(err)
	}
	f := oracle.Filter{Dimensions: []string{"minecraft:" + dimension}, Stages: stages}
	return o, newPlayback(t, o, tables, f), f
}

func TestEqualChunksAreExact(t *testing.T) {
	o, p, f := vanilla(t, "the_nether")
	report := diff(t, o, oracle.Options{Filter: f, Open: p.open})
	want := map[oracle.Key]oracle.Counts{}
	for _, stage := range []struct {
		key          oracle.Key
		chunks       int64
		masks, marks int64
	}{
		{oracle.Key{Stage: oracle.Biomes}, 8, 0, 0},
		{oracle.Key{Stage: oracle.Carvers}, 8, 8, 8},
		{oracle.Key{Stage: oracle.InitializeLight}, 8, 8, 0},
		{oracle.Key{Stage: oracle.Full, Tier: "A"}, 14, 0, 0},
		{oracle.Key{Stage: oracle.Full, Tier: "B"}, 16, 0, 0},
	} {
		n := stage.chunks
		c := oracle.Counts{
			Chunks: n, Exact: n, ExactMasked: n, ExactInOrder: n, ExactOrdered: n, BiomeCells: n * 1024,
			Masks: stage.masks, MasksEqual: stage.masks, Marks: stage.marks, MarksEqual: stage.marks,
		}
		if stage.key.Stage != oracle.Biomes {
			c.Blocks, c.InnerBlocks, c.InnerColumns, c.InnerColExact = n*65536, n*64*256, n*64, n*64
		}
		stage.key.Folder, stage.key.Dimension = "vanilla-a", "minecraft:the_nether"
		want[stage.key] = c
	}
	got := map[oracle.Key]oracle.Counts{}
	for _, row := range report.Rows {
		got[row.Key] = row.Counts
		if len(row.Top) != 0 {
			t.Errorf("%v has pairs %v", row.Key, row.Top)
		}
	}
	if d := gocmp.Diff(want, got); d != "" {
		t.Errorf("rows (-want +got):\n%s", d)
	}
	if len(report.Failed)+len(report.Adapted)+len(report.AdaptedRows) != 0 {
		t.Errorf("failed %v, adapted %v", report.Failed, report.Adapted)
	}
	if !slices.IsSortedFunc(report.Rows, func(a, b oracle.Row) int {
		return cmp.Compare(slices.Index(oracle.Stages, a.Stage), slices.Index(oracle.Stages, b.Stage))
	}) {
		t.Error("rows are not in the order of stages")
	}
}

// Each change to what is made shows in its count, and in no other.
func TestDifferencesAreCounted(t *testing.T) {
	o, p, f := vanilla(t, "the_nether", oracle.Carvers)
	equal := diff(t, o, oracle.Options{Filter: f, Open: p.open}).Total()
	gold := block.MustParse("gold_block")
	set := func(c *proto.Chunk, x, y, z int) int { c.Blocks[c.Index(x, y, z)] = gold; return c.Index(x, y, z) }
	for name, c := range map[string]struct {
		change func(s *oracle.Sample, made *oracle.Made)
		want   oracle.Counts // of one chunk, less what an equal one has
	}{
		"an outer block": {
			func(_ *oracle.Sample, made *oracle.Made) { set(made.Chunk, 3, 60, 8) },
			oracle.Counts{Exact: -1, ExactInOrder: -1, ExactOrdered: -1, ExactMasked: -1, WrongBlocks: 1, OrderedWrong: 1},
		},
		"inner blocks": {
			func(_ *oracle.Sample, made *oracle.Made) {
				set(made.Chunk, 4, 0, 11)
				set(made.Chunk, 4, 255, 11)
				set(made.Chunk, 11, 100, 4)
			},
			oracle.Counts{Exact: -1, ExactInOrder: -1, ExactOrdered: -1, ExactMasked: -1, WrongBlocks: 3, OrderedWrong: 3, InnerWrong: 3, InnerColExact: -2},
		},
		"an unstable block": {
			func(_ *oracle.Sample, made *oracle.Made) {
				made.Unstable = make([]uint64, len(made.Chunk.Carved))
				i := set(made.Chunk, 0, 0, 0)
				made.Unstable[i>>6] |= 1<<(i&63) | 1<<(i&63+1)
			},
			oracle.Counts{Exact: -1, ExactInOrder: -1, ExactOrdered: -1, WrongBlocks: 1, OrderedWrong: 1, MaskedVoxels: 2},
		},
		"an unstable and a stable block": {
			func(_ *oracle.Sample, made *oracle.Made) {
				made.Unstable = make([]uint64, len(made.Chunk.Carved))
				made.Unstable[set(made.Chunk, 0, 0, 0)>>6] |= 1
				set(made.Chunk, 1, 0, 0)
			},
			oracle.Counts{Exact: -1, ExactInOrder: -1, ExactOrdered: -1, ExactMasked: -1, WrongBlocks: 2, OrderedWrong: 2, MaskedVoxels: 1},
		},
		"a block in the first of three orders": {
			func(_ *oracle.Sample, made *oracle.Made) {
				exact, other := *made.Chunk, *made.Chunk
				exact.Blocks, other.Blocks = slices.Clone(exact.Blocks), slices.Clone(other.Blocks)
				set(&other, 5, 0, 0)
				made.Others = []*proto.Chunk{&other, &exact}
				set(made.Chunk, 0, 0, 0)
			},
			oracle.Counts{Exact: -1, ExactOrdered: -1, ExactMasked: -1, WrongBlocks: 1, OrderedWrong: 1},
		},
		"blocks in every order": {
			func(_ *oracle.Sample, made *oracle.Made) {
				other := *made.Chunk
				other.Blocks = slices.Clone(other.Blocks)
				set(&other, 5, 0, 0)
				made.Others = []*proto.Chunk{&other}
				set(made.Chunk, 0, 0, 0)
			},
			oracle.Counts{Exact: -1, ExactInOrder: -1, ExactOrdered: -1, ExactMasked: -1, WrongBlocks: 1, OrderedWrong: 1},
		},
		"a block in any order but what was learnt": {
			func(_ *oracle.Sample, made *oracle.Made) {
				exact := *made.Chunk
				exact.Blocks = slices.Clone(exact.Blocks)
				made.InTurn = &exact
				set(made.Chunk, 0, 0, 0)
			},
			oracle.Counts{Exact: -1, ExactInOrder: -1, ExactMasked: -1, WrongBlocks: 1},
		},
		"blocks in the order that was learnt": {
			func(_ *oracle.Sample, made *oracle.Made) {
				other := *made.Chunk
				other.Blocks = slices.Clone(other.Blocks)
				set(&other, 5, 0, 0)
				set(&other, 5, 255, 0)
				made.InTurn = &other
			},
			oracle.Counts{ExactOrdered: -1, OrderedWrong: 2},
		},
		"biomes": {
			func(_ *oracle.Sample, made *oracle.Made) {
				for _, i := range []int{0, 700, 1023} {
					made.Chunk.Biomes[i] = proto.Biome(slices.Index(made.Biomes, "minecraft:the_end"))
				}
				made.Ties = func() []int { return []int{5, 700} }
			},
			oracle.Counts{BiomeWrong: 3, BiomeTies: 1},
		},
		"the mask": {
			func(_ *oracle.Sample, made *oracle.Made) { made.Chunk.Carved[len(made.Chunk.Carved)-1] ^= 1 },
			oracle.Counts{MasksEqual: -1},
		},
		"a mark": {
			func(_ *oracle.Sample, made *oracle.Made) {
				c := made.Chunk
				c.Marks = slices.Insert(c.Marks, 0, int32(c.Index(1, 2, 3)))
			},
			oracle.Counts{MarksEqual: -1},
		},
	} {
		changed := region.ChunkPos{}
		for _, s := range p.samples {
			changed = s.Pos()
		}
		p.change = func(s *oracle.Sample, made *oracle.Made) error {
			if s.Pos() == changed {
				c.change(s, made)
			}
			return nil
		}
		report := diff(t, o, oracle.Options{Filter: f, Open: p.open, Workers: 3})
		if got := minus(report.Total(), equal); got != c.want {
			t.Errorf("%s: the counts change by %+v, want %+v", name, got, c.want)
		}
		pairs := int64(0)
		for _, pair := range report.Rows[0].Top {
			pairs += pair.Count
			if pair.Got != "minecraft:gold_block" {
				t.Errorf("%s: pair %v", name, pair)
			}
		}
		if pairs != c.want.WrongBlocks {
			t.Errorf("%s: the pairs are %d blocks, want %d", name, pairs, c.want.WrongBlocks)
		}
	}
}

// minus returns the difference of counts, by way of their JSON.
func minus(a, b oracle.Counts) (c oracle.Counts) {
	fields := func(c oracle.Counts) (m map[string]int64) {
		text, _ := json.Marshal(c)
		_ = json.Unmarshal(text, &m)
		return m
	}
	of, less := fields(a), fields(b)
	for name := range of {
		of[name] -= less[name]
	}
	text, _ := json.Marshal(of)
	_ = json.Unmarshal(text, &c)
	return c
}

func TestForeignBlocksAreCountedApart(t *testing.T) {
	o, p, f := vanilla(t, "the_nether", oracle.Carvers)
	decoration, err := oracle.Decoration(oracletest.Datapack(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"granite": true, "gravel": true, "oak_log": true, "sculk_vein": true, "cobblestone": true, "glowstone": true, "basalt": true,
		"stone": false, "air": false, "water": false, "lava": false, "netherrack": false, "terracotta": false, "bedrock": false,
	} {
		if decoration(block.MustParse(name)) != want {
			t.Errorf("features place %s: %v, want %v", name, !want, want)
		}
	}
	// All blocks that features place are missing from one row of columns, and in
	// three of them a block besides.
	foreign, wrong, only := int64(0), int64(0), int64(0)
	p.change = func(s *oracle.Sample, made *oracle.Made) error {
		for x := 4; x <= 11; x++ {
			of := [2]int64{}
			for y := range 256 {
				state := s.Chunk.Block(x, y, 5)
				if isForeign := decoration(state); isForeign || y == 70+x && x > 8 {
					made.Chunk.Blocks[made.Chunk.Index(x, y, 5)] = block.MustParse("diamond_block")
					of[0]++
					if isForeign {
						of[1]++
					}
				}
			}
			wrong, foreign = wrong+of[0], foreign+of[1]
			if of[0] > 0 && of[0] == of[1] {
				only++
			}
		}
		return nil
	}
	got := diff(t, o, oracle.Options{Filter: f, Open: p.open, Workers: 1, Decoration: decoration}).Total()
	if got.InnerWrong != wrong || got.InnerForeign != foreign || got.InnerColForeign != only || only == 0 || foreign == wrong {
		t.Errorf("%d of %d wrong blocks are foreign, alone in %d columns; want %d of %d, %d",
			got.InnerForeign, got.InnerWrong, got.InnerColForeign, foreign, wrong, only)
	}
}

// learner is a player that notes what it learns, and before what.
type learner struct {
	*player
	notes *notes
}

type notes struct {
	mu        sync.Mutex // guards what follows
	learnt    map[region.ChunkPos]int
	generated bool
	late      bool // something was learnt after a chunk was generated
}

func (l learner) Learn(s *oracle.Sample) error {
	l.notes.mu.Lock()
	defer l.notes.mu.Unlock()
	l.notes.learnt[s.Pos()]++
	l.notes.late = l.notes.late || l.notes.generated
	if s.Stage != oracle.Full || len(l.notes.learnt) == 3 {
		return errors.New("nothing to learn")
	}
	return nil
}

func (l learner) Generate(dimension string, pos region.ChunkPos, status chunk.Status) (oracle.Made, error) {
	l.notes.mu.Lock()
	l.notes.generated = true
	l.notes.mu.Unlock()
	return l.player.Generate(dimension, pos, status)
}

func TestFullChunksAreLearntBeforeAnyIsGenerated(t *testing.T) {
	o, p, f := vanilla(t, "the_nether", oracle.Carvers, oracle.Full)
	full := 0
	for _, s := range p.samples {
		if s.Stage == oracle.Full {
			full++
		}
	}
	for _, stages := range [][]oracle.Stage{{oracle.Carvers, oracle.Full}, {oracle.Carvers}} {
		n := &notes{learnt: make(map[region.ChunkPos]int)}
		f.Stages = stages
		report := diff(t, o, oracle.Options{Filter: f, Workers: 3, Open: func(w oracle.World) (oracle.Generator, error) {
			return learner{&player{p, w}, n}, nil
		}})
		want, failed := full, 1
		if len(stages) == 1 {
			want, failed = 0, 0
		}
		once := true
		for _, times := range n.learnt {
			once = once && times == 1
		}
		if len(n.learnt) != want || !once || n.late {
			t.Errorf("%v: learnt %d chunks of %d, each once: %t, some late: %t", stages, len(n.learnt), want, once, n.late)
		}
		if len(report.Failed) != failed || failed > 0 && !strings.Contains(report.Failed[0].Error, "nothing to learn") {
			t.Errorf("%v: failures %v, want %d", stages, report.Failed, failed)
		}
		if total := report.Total(); total.Exact != total.Chunks || total.Chunks == 0 {
			t.Errorf("%v: %d exact of %d", stages, total.Exact, total.Chunks)
		}
	}
}

func TestStageBiomesIsExactByItsBiomes(t *testing.T) {
	o, p, f := vanilla(t, "overworld", oracle.Biomes)
	n := 0
	p.change = func(_ *oracle.Sample, made *oracle.Made) error {
		if n++; n > 5 {
			return nil
		}
		made.Chunk.Biomes[9] = proto.Biome(slices.Index(made.Biomes, "minecraft:the_end"))
		if n <= 3 {
			made.Ties = func() []int { return []int{9} }
		}
		return nil
	}
	got := diff(t, o, oracle.Options{Filter: f, Open: p.open, Workers: 1}).Total()
	if got.Chunks != 20 || got.Exact != 15 || got.ExactMasked != 18 || got.BiomeWrong != 5 || got.BiomeTies != 3 || got.Blocks != 0 {
		t.Errorf("counts %+v", got)
	}
}

func TestReportDoesNotDependOnWorkers(t *testing.T) {
	o, p, f := vanilla(t, "the_nether", oracle.Carvers, oracle.Full)
	names := []string{"stone", "gold_block", "dirt", "glass"}
	p.change = func(s *oracle.Sample, made *oracle.Made) error {
		for i := range made.Chunk.Blocks[:100+s.Pos().X&7] {
			made.Chunk.Blocks[i*31] = block.MustParse(names[i&3])
		}
		if s.Pos().X&7 == 1 {
			return errors.New("refused")
		}
		return nil
	}
	adapts := func(id string) bool { return strings.HasPrefix(id, "minecraft:") }
	one := diff(t, o, oracle.Options{Filter: f, Open: p.open, Workers: 1, Adapts: adapts, Top: 3})
	calls := 0
	four := diff(t, o, oracle.Options{Filter: f, Open: p.open, Workers: 4, Adapts: adapts, Top: 3, Progress: func() { calls++ }})
	if d := gocmp.Diff(one, four); d != "" {
		t.Errorf("one worker and four differ (-one +four):\n%s", d)
	}
	if calls != len(p.samples) {
		t.Errorf("progress was told %d times, want %d", calls, len(p.samples))
	}
	if len(one.Failed) == 0 || !strings.Contains(one.Failed[0].Error, "refused") || !strings.Contains(one.Failed[0].Error, "vanilla-a, minecraft:the_nether, chunk ") {
		t.Errorf("failed: %v", one.Failed)
	}
	if len(one.Adapted) == 0 || len(one.AdaptedRows) == 0 || len(one.Rows[0].Top) > 3 {
		t.Errorf("%d samples near structures", len(one.Adapted))
	}
}

// nearByHand counts samples with a piece within 12 blocks, or a reference to a
// start that is not known, by structure.
func nearByHand(t *testing.T, p *playback, adapts func(string) bool) map[string]int {
	t.Helper()
	file, err := os.Open(testbed.Shared(t, "oracle", "vanilla-a", "overworld", "starts.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Starts []struct {
			ID     string
			X, Z   int32
			Pieces []struct{ BB [6]int }
		}
	}
	if err := json.NewDecoder(unpacked).Decode(&document); err != nil {
		t.Fatal(err)
	}
	counts := make(map[string]int)
	for _, s := range p.samples {
		ids := make(map[string]bool)
		for _, start := range document.Starts {
			for _, piece := range start.Pieces {
				distance := 0 // the greater one of those in x and z
				for axis, chunk := range map[int]int32{0: s.Pos().X, 2: s.Pos().Z} {
					first := int(chunk) << 4
					distance = max(distance, piece.BB[axis]-(first+15), first-piece.BB[axis+3])
				}
				ids[start.ID] = ids[start.ID] || distance <= 12
			}
		}
		references, err := s.Chunk.StructureReferences()
		if err != nil {
			t.Fatal(err)
		}
		for _, reference := range references {
			for _, pos := range reference.Chunks {
				known := false
				for _, start := range document.Starts {
					known = known || start.ID == reference.Name && start.X == pos.X && start.Z == pos.Z
				}
				ids[reference.Name] = ids[reference.Name] || !known
			}
		}
		for id, near := range ids {
			if near && adapts(id) {
				counts[id]++
			}
		}
	}
	return counts
}

func TestSamplesNearAdaptingStructuresAreListedApart(t *testing.T) {
	o, p, f := vanilla(t, "overworld", oracle.Noise, oracle.Full)
	adapts, err := oracle.Adapting(oracletest.Datapack(t))
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]bool{
		"minecraft:village_snowy": true, "minecraft:trial_chambers": true, "minecraft:ancient_city": true, "stronghold": true,
		"minecraft:mineshaft": false, "minecraft:shipwreck": false, "minecraft:ruined_portal": false, "x:y": false,
	} {
		if adapts(id) != want {
			t.Errorf("%s adapts the terrain: %v, want %v", id, !want, want)
		}
	}
	report := diff(t, o, oracle.Options{Filter: f, Open: p.open, Adapts: adapts})
	near, counted := map[string]int{}, int64(0)
	for _, n := range report.Adapted {
		for _, id := range n.Structures {
			near[id]++
			if !adapts(id) {
				t.Errorf("chunk %d,%d is listed for %s", n.X, n.Z, id)
			}
		}
	}
	for _, row := range report.AdaptedRows {
		counted += row.Chunks
	}
	if want := nearByHand(t, p, adapts); !maps.Equal(near, want) || len(want) < 1 {
		t.Errorf("samples near structures: %v, want %v", near, want)
	}
	total := report.Total()
	if counted != int64(len(report.Adapted)) || counted+total.Chunks != int64(len(p.samples)) {
		t.Errorf("%d samples apart, %d listed, %d others, of %d", counted, len(report.Adapted), total.Chunks, len(p.samples))
	}
}

func TestGeneratorsThatMakeSomethingElseFail(t *testing.T) {
	o, p, f := vanilla(t, "overworld", oracle.Noise)
	for name, c := range map[string]struct {
		change func(made *oracle.Made)
		want   string
	}{
		"nothing":       {func(made *oracle.Made) { made.Chunk = nil }, "made no chunk"},
		"another chunk": {func(made *oracle.Made) { made.Chunk.X++ }, "the generator made chunk"},
		"other heights": {func(made *oracle.Made) { made.Chunk = proto.New(0, 256) }, "384 blocks from y -64"},
		"no names":      {func(made *oracle.Made) { made.Biomes = nil }, "names 0 biomes"},
	} {
		p.change = func(_ *oracle.Sample, made *oracle.Made) error { c.change(made); return nil }
		report := diff(t, o, oracle.Options{Filter: f, Open: p.open})
		if len(report.Failed) != 4 || len(report.Rows) != 0 || !strings.Contains(report.Failed[0].Error, c.want) {
			t.Errorf("%s: failed %v, rows %v", name, report.Failed, report.Rows)
		}
	}
	refused := errors.New("no such world")
	report := diff(t, o, oracle.Options{Filter: f, Open: func(oracle.World) (oracle.Generator, error) { return nil, refused }})
	if len(report.Failed) != 4 || !strings.Contains(report.Failed[0].Error, refused.Error()) {
		t.Errorf("failed %v", report.Failed)
	}
}

func TestDiffEndsWithItsContext(t *testing.T) {
	o, p, f := vanilla(t, "overworld", oracle.Noise)
	ctx, cancel := context.WithCancel(t.Context())
	p.change = func(*oracle.Sample, *oracle.Made) error { cancel(); return nil }
	if _, err := oracle.Diff(ctx, o, oracle.Options{Filter: f, Open: p.open}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
