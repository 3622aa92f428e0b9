package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"strata/anvil"
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/datapack"
	"strata/cmd/internal/ui"
	"strata/pregen/worldgen/gen"
	"strata/pregen/worldgen/oracle"
	"strata/pregen/worldgen/preset"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/settings"
	"strata/pregen/worldgen/structure/all"
	"strata/pregen/worldgen/structure/template"
	"strata/region"
)

func newWorldgenDiffCmd(a *app) *cobra.Command {
	var dir, data string
	var dimensions, stages []string
	var opts oracle.Options
	cmd := &cobra.Command{
		Use:   "diff",
		Short: "Compare generated chunks with the game's own",
		Long: `Generate the chunks that a folder holds, each up to the stage it has there, and
count what differs. Nothing in the folder is changed.

The folder is a world of 26.1 to 26.2, a folder of dumps (*.chunk), or a
collection of chunks with README.md, manifest.json and starts.json.gz. Chunks
of a world are made with its own settings and data packs, others with those of
a normal world.

A chunk is exact when no block is wrong; masked, blocks that depend on the order
in which chunks were decorated do not count, nor biomes where two are exactly as
near, since there the game does not agree with itself. At carvers masked are the
blocks that decoration of the chunks around may have written, and at
initialize_light those that it may have changed. A full chunk and all within two
of it are decorated in eight orders (rows and columns, from each corner), of
which the first counts; what differs between any two is masked. "any order"
counts chunks that are exact in one of the eight: the game decorates away from
players, so each place has its own. "by ores" counts those that are exact in one
order, which is not that of the fewest mistakes but the one that the ores of the
game's chunks tell: where ores of two chunks meet, the blocks say which came
first; where nothing is said, the direction that most chunks nearby have. Inner
columns are the 8 by 8 in the middle, into which neighbours seldom reach;
"foreign" is what is wrong there with a block that features place, such as ore
that a neighbour has brought. Chunks near structures that adapt the terrain are
counted apart.

Blocks of structure templates are in the user's own game files: those imported with
'strata data import', or --data. Without them such pieces are left out.

Exit code 3: some chunks could not be read or compared, which are named, or
there are none.

With --json: rows[] with folder, dimension, stage, tier, chunks, exact,
exact_masked, exact_in_order, exact_ordered and ordered_wrong (chunks and blocks
in the order that ores tell), masked_voxels, blocks, wrong_blocks,
wrong_per_million, biome_cells, biome_wrong, biome_ties, masks, masks_equal, marks, marks_equal,
inner_blocks, inner_wrong, inner_foreign, inner_columns, inner_columns_exact,
inner_columns_foreign (those that only foreign blocks spoil), inner_masked and
inner_columns_masked (likewise for masked ones), wrong_median, stable_median,
order_median and ordered_median (wrong blocks of a chunk, those not masked, those
in the order with the fewest, and those in the order that ores tell), top[] (expected, got, count),
top_stable[] (those not masked); adapted_rows[] likewise for chunks near structures, which
adapted[] names (x, z, structures, wrong_blocks); chunks[], the decorated chunks that
are not exact (x, z, wrong_blocks, stable_wrong, order_wrong,
ordered_wrong, top_stable[]); failed[].`,
		Example: `  strata worldgen diff --oracle oracle
  strata worldgen diff --oracle world --stage carvers,full --dimension the_nether --json`,
		Args: exactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if opts.Workers < 0 {
				return ui.Errorf(ui.Usage, "--workers %d is below 0", opts.Workers)
			}
			for _, id := range dimensions {
				opts.Dimensions = append(opts.Dimensions, completeID(id))
			}
			for _, name := range stages {
				stage := oracle.Stage(name)
				if !slices.Contains(oracle.Stages, stage) {
					return ui.WithHint(ui.Errorf(ui.Usage, "--stage %s: no such stage", name), "It is one of %v.", oracle.Stages)
				}
				opts.Stages = append(opts.Stages, stage)
			}
			report, err := a.worldgenDiff(cmd, dir, data, opts)
			if err != nil {
				return err
			}
			if len(report.Rows)+len(report.AdaptedRows)+len(report.Failed) == 0 {
				return ui.Errorf(ui.Problems, "%s has no chunks of 26.1 to 26.2 to compare", dir)
			}
			if err := a.console.Result(report, func(w io.Writer) error { return writeDiffReport(a.console, w, report) }); err != nil {
				return err
			}
			if n := len(report.Failed); n > 0 {
				return ui.Errorf(ui.Problems, "%d chunks or files were not compared", n)
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&dir, "oracle", "", "folder `DIR` of chunks that the game made")
	flags.StringVar(&data, "data", "", "take structure templates from `JAR|DIR`: server.jar, a zip or a folder of the game's own data")
	flags.StringSliceVar(&dimensions, "dimension", nil, "only dimension `ID` (may be repeated)")
	flags.StringSliceVar(&stages, "stage", nil, "only `STAGE`: biomes, noise, surface, carvers, initialize_light or full (may be repeated)")
	flags.IntVar(&opts.Workers, "workers", 0, "make `N` chunks at the same time (default one for each processor)")
	flags.IntVar(&opts.Top, "top", oracle.DefaultTop, "show the `N` most frequent differences")
	if err := cmd.MarkFlagRequired("oracle"); err != nil {
		panic(err)
	}
	return cmd
}

// worldgenDiff compares and shows how far it is.
func (a *app) worldgenDiff(cmd *cobra.Command, dir, data string, opts oracle.Options) (report *oracle.Report, err error) {
	o, err := oracle.Open(dir, chunk.NewTables())
	if _, absent := os.Stat(dir); errors.Is(err, oracle.ErrNoOracle) || errors.Is(absent, fs.ErrNotExist) {
		return nil, ui.Errorf(ui.Missing, "%w", err)
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, o.Close()) }()
	source, err := settings.Builtin(anvil.NativeVersion)
	if err != nil {
		return nil, err
	}
	if opts.Adapts, err = oracle.Adapting(source); err != nil {
		return nil, err
	}
	if opts.Decoration, err = oracle.Decoration(source); err != nil {
		return nil, err
	}
	if opts.Top <= 0 {
		opts.Top = -1
	}
	worlds := judgedWorlds{app: a, data: data, open: make(map[oracle.World]*judgedWorld)}
	defer func() { err = errors.Join(err, worlds.close()) }()
	opts.Open = worlds.generator
	progress := a.console.StartProgress(ui.Work{Label: "compare", Unit: "chunks"})
	defer progress.Stop()
	opts.Progress = func() { progress.Add(1) }
	return oracle.Diff(cmd.Context(), o, opts)
}

// judgedWorlds are the generators that are compared, shared by all workers.
type judgedWorlds struct {
	app  *app
	data string     // the flag
	mu   sync.Mutex // guards what follows
	open map[oracle.World]*judgedWorld
}

type judgedWorld struct {
	*gen.World
	game       *datapack.Pack // nil for none
	mu         sync.Mutex     // guards dimensions
	dimensions map[string]*judgedDimension
}

type judgedDimension struct {
	*gen.Dimension
	structures gen.Structures
	turns      gen.Turns
}

// generator is for oracle.Options.
func (j *judgedWorlds) generator(w oracle.World) (oracle.Generator, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if known := j.open[w]; known != nil {
		return &judged{world: known, makers: make(map[string]*judgedMaker)}, nil
	}
	game, err := j.app.gameFiles(j.data, w.DataVersion)
	if errors.Is(err, datapack.ErrVersion) {
		j.app.console.Notef("without game files for %s: %v", anvil.Describe(w.DataVersion), err)
		err = nil
	}
	if err != nil {
		return nil, err
	}
	made, err := j.make(w, game)
	if err != nil {
		if game != nil {
			err = errors.Join(err, game.Close())
		}
		return nil, err
	}
	j.open[w] = &judgedWorld{World: made, game: game, dimensions: make(map[string]*judgedDimension)}
	return &judged{world: j.open[w], makers: make(map[string]*judgedMaker)}, nil
}

// make makes the generators of a world, which is a normal one unless it is on
// disk.
func (j *judgedWorlds) make(w oracle.World, game *datapack.Pack) (made *gen.World, err error) {
	if w.Path == "" {
		source, err := settings.Builtin(w.DataVersion)
		if err != nil {
			return nil, err
		}
		created, err := preset.New(source, preset.Options{Seed: w.Seed})
		if err != nil {
			return nil, err
		}
		o := gen.Options{Source: source, Settings: created, DataVersion: w.DataVersion}
		if game != nil {
			o.Templates = template.New(datapack.NewStack(datapack.Format{}, game))
		}
		return gen.New(o)
	}
	opened, err := openWorld(w.Path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, opened.Close()) }()
	made, ignored, err := gen.Open(opened, gen.OpenOptions{DataVersion: w.DataVersion, IgnorePacks: true, Game: game})
	for _, pack := range ignored {
		j.app.console.Notef("data pack left out: %s", pack)
	}
	return made, err
}

func (j *judgedWorlds) close() error {
	var err error
	for _, w := range j.open {
		err = errors.Join(err, w.Close())
		if w.game != nil {
			err = errors.Join(err, w.game.Close())
		}
	}
	return err
}

// dimension returns a dimension, which is made once.
func (w *judgedWorld) dimension(id string) (*judgedDimension, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if d := w.dimensions[id]; d != nil {
		return d, nil
	}
	made, err := w.Dimension(id)
	if err != nil {
		return nil, err
	}
	d := &judgedDimension{Dimension: made}
	made.Templates().LeaveOut(true) // what the user's game files do not have
	if d.structures, err = all.New(made); err != nil {
		return nil, err
	}
	w.dimensions[id] = d
	return d, nil
}

// judged is one worker's generator of a world.
type judged struct {
	world  *judgedWorld
	makers map[string]*judgedMaker
}

type judgedMaker struct {
	*gen.Maker
	dimension  *judgedDimension
	chunk      *proto.Chunk
	neighbours *gen.Neighbours
}

// maker returns the maker of a dimension, which is made once.
func (j *judged) maker(dimension string) (*judgedMaker, error) {
	if m := j.makers[dimension]; m != nil {
		return m, nil
	}
	d, err := j.world.dimension(dimension)
	if err != nil {
		return nil, err
	}
	m := &judgedMaker{Maker: d.NewMakerWith(d.structures), dimension: d, chunk: d.New()}
	// Features of packs may be of kinds that are not known: nothing is masked
	// then.
	if m.neighbours, err = d.NewNeighbours(d.structures); err != nil {
		m.neighbours = nil
	}
	j.makers[dimension] = m
	return m, nil
}

// Learn implements oracle.Learner.
func (j *judged) Learn(s *oracle.Sample) error {
	m, err := j.maker(s.Dimension)
	if err != nil || m.neighbours == nil {
		return err
	}
	low, high := s.Chunk.Range()
	blocks := make([]block.State, int(high-low)*chunk.SectionCells)
	for y := low; y < high; y++ {
		s.Chunk.SectionBlocks(y, (*[chunk.SectionCells]block.State)(blocks[int(y-low)*chunk.SectionCells:]))
	}
	return m.neighbours.Learn(&m.dimension.turns, s.Pos().X, s.Pos().Z, blocks)
}

// Generate implements oracle.Generator, as far as gen.Last.
func (j *judged) Generate(dimension string, pos region.ChunkPos, status chunk.Status) (oracle.Made, error) {
	m, err := j.maker(dimension)
	if err != nil {
		return oracle.Made{}, err
	}
	if status > chunk.StatusCarvers && m.neighbours != nil {
		return m.decorated(pos, status)
	}
	m.chunk.Reset(pos.X, pos.Z)
	if err := m.Advance(m.chunk, chunk.StatusEmpty, min(status, gen.Last)); err != nil {
		return oracle.Made{}, fmt.Errorf("generate: %w", err)
	}
	made := oracle.Made{
		Chunk: m.chunk, Biomes: m.dimension.Biomes(),
		Ties: func() []int { return m.Ties(m.chunk) },
	}
	if status != chunk.StatusCarvers || m.neighbours == nil {
		return made, nil
	}
	if made.Unstable, err = m.neighbours.Written(pos.X, pos.Z); err != nil {
		return oracle.Made{}, fmt.Errorf("decorate around: %w", err)
	}
	return made, nil
}

// decorated makes a chunk that is decorated, and for full ones all around it, too.
func (m *judgedMaker) decorated(pos region.ChunkPos, status chunk.Status) (oracle.Made, error) {
	var chunks []*proto.Chunk
	var inTurn *proto.Chunk
	var unstable []uint64
	var err error
	if status < chunk.StatusFull {
		chunks = make([]*proto.Chunk, 1)
		chunks[0], unstable, err = m.neighbours.Alone(pos.X, pos.Z)
	} else if chunks, unstable, err = m.neighbours.Finished(pos.X, pos.Z); err == nil {
		inTurn, err = m.neighbours.FinishedInTurn(&m.dimension.turns, pos.X, pos.Z)
	}
	if err != nil {
		return oracle.Made{}, fmt.Errorf("decorate: %w", err)
	}
	return oracle.Made{
		Chunk: chunks[0], Others: chunks[1:], InTurn: inTurn, Biomes: m.dimension.Biomes(), Unstable: unstable,
		Ties: func() []int { return m.Ties(chunks[0]) },
	}, nil
}
