package main

import (
	"github.com/spf13/cobra"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/anvil/datapack"
	"strata/pregen"
)

// pregenGenerators makes the generators of a world's dimensions.
type pregenGenerators interface {
	// Generator returns that of a dimension up to a status; tables are those of
	// the stored chunks that it continues. The error wraps pregen.ErrRefused if
	// it cannot be generated.
	Generator(dimension string, until chunk.Status, tables *chunk.Tables) (pregen.Generator, error)
	// HasDimension reports whether the world or its data packs have a dimension.
	HasDimension(id string) bool
	// Spawn is where the game would have new players appear, in blocks.
	Spawn() (x, z int32, err error)
	Close() error
}

// pregenFactory makes the generators of a world that is open for reading. Packs
// that are ignored are named; if they are not to be, the error wraps
// pregen.ErrRefused.
type pregenFactory func(w *anvil.World, o pregenSource) (made pregenGenerators, ignored []string, err error)

// pregenSource says what generators are made of beside the world.
type pregenSource struct {
	// IgnorePacks leaves out data packs that cannot be used.
	IgnorePacks bool
	// Game is the user's own game files, nil for none.
	Game *datapack.Pack
	// WithoutTemplates finishes chunks without what needs those.
	WithoutTemplates bool
}

// pregenFlags are the flags of strata pregen.
type pregenFlags struct {
	seed, preset                 string
	dimensions                   []string
	center, radius, shape        string
	polygon, order, until, level string
	timestamp                    uint32
	upgrade, restart             bool
	ignorePacks, noBlending      bool
	noStructures, noTemplates    bool
	data                         string

	workers              int
	profile, memoryLimit string
	nice                 bool
	rate, maxLoad        float64
	mapFile              string
}

// pregenSettings are the flags that say what a run makes: they are kept with
// it, so that it goes on without them.
var pregenSettings = []string{
	"dimension", "center", "radius", "shape", "polygon", "order", "until", "level", "timestamp",
	"upgrade", "no-blending", "ignore-packs", "no-template-structures",
}

func newPregenCmd(a *app, open pregenFactory) *cobra.Command {
	var flags pregenFlags
	cmd := &cobra.Command{
		Use:   "pregen WORLD",
		Short: "Generate the chunks of a world ahead of its players",
		Long: `Generate the chunks of an area ahead of the players. The world is created, with
--seed, if WORLD is missing or an empty folder. It must not be open elsewhere,
and be of version 26.1 or 26.2.

Chunks are finished: ground, features, structures, light, animals. The blocks of
many structures are in your own game files, see 'strata data import'; without
them, chunks that need some are left to the game at an earlier status, with the
structures noted in them, and taken up by a later run that has the files.

The area is a shape around a center: square (the default), circle, diamond,
triangle, pentagon, hexagon, star, or, with a radius of two lengths, rectangle
and ellipse; a polygon of corners in a file; or "existing", the chunks that the
world has. A radius of 24 is 49 by 49 chunks, 400b is in blocks, "worldborder"
is all within the border. Chunks that are there are kept; those that are only
half generated are continued.

A run that is interrupted or killed goes on with 'strata pregen WORLD'; at most
two seconds of work are lost. Until a region is complete its chunks are kept in
strata/pregen in the world's folder. The files that a run makes depend on its
settings alone, not on workers, order, limits or interruptions.

Exit code 0 also if there was nothing to do; 2: refused before anything was
changed; 3: some chunks failed, which are listed, are left as they are, and are
tried again by the same command; 10: no world and no --seed; 11: the world is
in use; 13: the disk is too small, with what was made kept; 130: interrupted.

With --json: new (made, left_to_game among them), resumed (made by earlier runs
of the same work), existing, failed, blended (of failed: too near to chunks from
before 1.18), rim, left_to_game, structures_left_out, planned, chunks_per_s,
cpu_ns_per_chunk, bytes (in region files), committed (region files that were not
rewritten), elapsed_ns, cpu_ns, seed, dimensions, until, failures[] (dimension,
x, z, error; the first 100).`,
		Example: `  strata pregen world --seed 1234 --radius 24
  strata pregen world --radius 2000b --shape circle --center spawn --map done.png`,
		Args: exactArgs("WORLD"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.pregen(cmd, args[0], &flags, open)
		},
	}
	flags.register(cmd)
	return cmd
}

func (f *pregenFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.seed, "seed", "", "create the world with seed `N`: a number, or a text as the game takes it")
	flags.StringVar(&f.preset, "preset", "", "create it as the kind `NAME`: normal, amplified, large_biomes, flat, ...")
	flags.StringSliceVar(&f.dimensions, "dimension", []string{"overworld"}, "dimension `ID`, several with commas")
	flags.StringVar(&f.center, "center", "0,0", "center as `X,Z` in blocks, or spawn")
	flags.StringVar(&f.radius, "radius", "", "`R` in chunks (24), blocks (400b), two of them (24,12), or worldborder")
	flags.StringVar(&f.shape, "shape", "square", "`SHAPE` of the area: see above")
	flags.StringVar(&f.polygon, "polygon", "", "corners of a polygon in a `FILE`, a line x,z in blocks each")
	flags.StringVar(&f.order, "order", "region", "`ORDER` of the work: region, concentric, spiral or loop")
	flags.StringVar(&f.until, "until", "full", "`STATUS` to generate up to, such as noise, surface or carvers")
	flags.StringVar(&f.level, "level", "sector", "compression `LEVEL`, 1 to 12 or sector")
	flags.Uint32Var(&f.timestamp, "timestamp", 0, "timestamp of new chunks in region files, in `SECONDS` since 1970")
	flags.BoolVar(&f.upgrade, "upgrade", false, "finish all half-generated chunks of the world, and nothing else")
	flags.StringVar(&f.data, "data", "", "take the game's own files from `JAR|DIR` (default the imported ones)")
	flags.BoolVar(&f.noTemplates, "no-template-structures", false, "finish chunks without the structures whose blocks are not at hand")
	flags.BoolVar(&f.noStructures, "no-structures", false, "create the world without structures")
	flags.BoolVar(&f.restart, "restart", false, "give up what an interrupted run has left, and begin anew")
	flags.BoolVar(&f.ignorePacks, "ignore-packs", false, "go on beside data packs and server brands that may generate otherwise")
	flags.BoolVar(&f.noBlending, "no-blending", false, "also make chunks that the game would blend with those from before 1.18")
	flags.IntVar(&f.workers, "workers", 0, "make `N` chunks at a time (default by the profile)")
	flags.StringVar(&f.profile, "memory-profile", "low", "`PROFILE` low (at most 3 workers) or throughput")
	flags.StringVar(&f.memoryLimit, "memory-limit", "", "most memory of the process, as `N`, 300M or 2G (default 352M in low)")
	flags.BoolVar(&f.nice, "nice", false, "give way to other processes")
	flags.Float64Var(&f.rate, "rate", 0, "make at most `N` chunks a second")
	flags.Float64Var(&f.maxLoad, "max-load", 0, "take at most `N` per cent of the machine's processors")
	flags.StringVar(&f.mapFile, "map", "", "paint what is done as a picture, `FILE`.png")
}
