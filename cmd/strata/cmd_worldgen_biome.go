package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"strata/anvil"
	"strata/anvil/registry"
	"strata/cmd/internal/ui"
	"strata/pregen/worldgen/climate"
	"strata/pregen/worldgen/gen"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/structure/all"
)

// biomeAnswer is the result of strata worldgen biome.
type biomeAnswer struct {
	Dimension string `json:"dimension"`
	X         int    `json:"x"`
	Y         int    `json:"y"`
	Z         int    `json:"z"`
	Biome     string `json:"biome"` // as the game shows it at the block
	Cell      string `json:"cell"`  // of the quarter cell
}

func newWorldgenBiomeCmd(a *app) *cobra.Command {
	var flags worldgenFlags
	cmd := &cobra.Command{
		Use:   "biome X Y Z",
		Short: "Tell the biome of a block",
		Long: `Tell the biome of a block of a world that need not exist. The bounds between
biomes are blurred; that of the quarter cell, which decides about terrain and
structures, is told where it is another. Write -- before negative numbers.

With --json: dimension, x, y, z, biome, cell.`,
		Example: `  strata worldgen biome --seed 1234 0 64 0
  strata worldgen biome --world world --dimension the_nether -- -100 40 250`,
		Args: exactArgs("X", "Y", "Z"),
		RunE: func(cmd *cobra.Command, args []string) error {
			pos, err := parseBlock(args)
			if err != nil {
				return err
			}
			d, err := flags.open(a, cmd)
			if err != nil {
				return err
			}
			looker := d.NewLooker()
			answer := &biomeAnswer{d.ID(), pos[0], pos[1], pos[2], looker.Block(pos[0], pos[1], pos[2]), looker.Cell(pos[0], pos[1], pos[2])}
			return a.console.Result(answer, func(w io.Writer) error {
				_, err := fmt.Fprintln(w, answer.Biome)
				if answer.Cell != answer.Biome {
					_, err = fmt.Fprintf(w, "(the cell is %s)\n", answer.Cell)
				}
				return err
			})
		},
	}
	flags.register(cmd)
	return cmd
}

// maxBlock is how far the game's worlds reach, and a little more.
const maxBlock = 30_000_000

// parseBlock reads three coordinates.
func parseBlock(args []string) (pos [3]int, err error) {
	for i, text := range args {
		n, err := strconv.Atoi(text)
		if err != nil || n < -maxBlock || n > maxBlock {
			return pos, ui.Errorf(ui.Usage, "%q is no coordinate within %d", text, maxBlock)
		}
		pos[i] = n
	}
	return pos, nil
}

// locateAnswer is the result of strata worldgen locate.
type locateAnswer struct {
	Dimension string        `json:"dimension"`
	Biome     string        `json:"biome,omitempty"`
	Structure string        `json:"structure,omitempty"`
	X         int           `json:"x"`
	Y         *int          `json:"y"` // null for a structure
	Z         int           `json:"z"`
	Distance  int           `json:"distance"` // blocks, along the ground
	Took      time.Duration `json:"took_ns"`
}

func newWorldgenLocateCmd(a *app) *cobra.Command {
	var flags worldgenFlags
	var from []int
	var query climate.Query
	cmd := &cobra.Command{
		Use:   "locate BIOME|STRUCTURE",
		Short: "Find the nearest biome or structure of a kind",
		Long: `Find the nearest biome or structure of a kind, or of a tag (#is_ocean,
#village), in a world that need not exist. It looks where the game's command
/locate looks. For biomes that is a square spiral, 32 blocks apart and 64 in
height, up to --radius. For structures it is the nearest one in the first ring
of cells of their grid that has one, up to 100 rings, or the nearest place in
rings (strongholds). A structure is where the game says that it is: at the
corner of the chunk in which it starts.

The dimension is the first one that has such a biome or structure, if none is
given.

Exit code 3: there is none within reach.

With --json: dimension, biome or structure, x, y (null for a structure), z,
distance (blocks, along the ground), took_ns.`,
		Example: `  strata worldgen locate --seed 1234 cherry_grove
  strata worldgen locate --seed 1234 '#village' --from 5000,64,0
  strata worldgen locate --world world '#is_ocean' --from 1000,64,-200 --radius 20000`,
		Args: exactArgs("BIOME|STRUCTURE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(from) != 3 {
				return ui.Errorf(ui.Usage, "--from has %d numbers, not X,Y,Z", len(from))
			}
			query.X, query.Y, query.Z = from[0], from[1], from[2]
			answer, err := a.locate(cmd, &flags, args[0], query)
			if err != nil {
				return err
			}
			return a.console.Result(answer, func(w io.Writer) error {
				y := "~"
				if answer.Y != nil {
					y = strconv.Itoa(*answer.Y)
				}
				_, err := fmt.Fprintf(w, "%s at %d %s %d, %s blocks away\n", answer.Biome+answer.Structure, answer.X, y, answer.Z, ui.FormatCount(int64(answer.Distance)))
				if cmd.Flags().Changed("dimension") || answer.Dimension == anvil.Overworld {
					return err
				}
				_, err = fmt.Fprintf(w, "(in %s)\n", answer.Dimension)
				return err
			})
		},
	}
	flags.register(cmd)
	cmd.Flags().IntSliceVar(&from, "from", []int{0, 64, 0}, "start at block `X,Y,Z`")
	cmd.Flags().IntVar(&query.Radius, "radius", 6400, "look `N` blocks far")
	cmd.Flags().IntVar(&query.Horizontal, "step", 32, "look every `N` blocks")
	return cmd
}

// locate finds a biome or structure, in the dimension that is given or the first
// that has it.
func (a *app) locate(cmd *cobra.Command, flags *worldgenFlags, name string, query climate.Query) (*locateAnswer, error) {
	dimensions := []string{flags.dimension}
	if !cmd.Flags().Changed("dimension") {
		dimensions = []string{anvil.Overworld, anvil.Nether, anvil.End}
	}
	var first error
	for _, id := range dimensions {
		flags.dimension = id
		d, err := flags.open(a, cmd)
		if err != nil {
			if first == nil {
				first = err
			}
			continue // a world may lack one
		}
		biomes, err := biomeNames(d, name)
		if err == nil {
			return locateBiome(cmd.Context(), d, name, biomes, query)
		}
		starts, wanted, structureErr := structuresNamed(d, name)
		if structureErr != nil {
			return nil, structureErr
		}
		if len(wanted) > 0 {
			return locateStructure(cmd.Context(), d, name, starts, wanted, query)
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// structuresNamed are the structures of a dimension that a name or tag stands for.
func structuresNamed(d *gen.Dimension, name string) (*structure.Starts, []*structure.Structure, error) {
	starts, known, err := all.NewStarts(d)
	if err != nil || starts == nil {
		return nil, nil, err
	}
	names := []string{completeID(name)}
	if tag, isTag := strings.CutPrefix(name, "#"); isTag {
		if names, err = d.Documents().Tag("worldgen/structure", completeID(tag)); errors.Is(err, fs.ErrNotExist) {
			return starts, nil, nil
		}
	}
	var wanted []*structure.Structure
	for _, s := range known {
		if slices.Contains(names, s.ID) {
			wanted = append(wanted, s)
		}
	}
	return starts, wanted, err
}

func locateStructure(ctx context.Context, d *gen.Dimension, name string, starts *structure.Starts, wanted []*structure.Structure, query climate.Query) (*locateAnswer, error) {
	start := time.Now()
	place, found, err := starts.Locate(ctx, wanted, int32(query.X), int32(query.Z), structure.MaxCells)
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, ui.Errorf(ui.Problems, "no %s within %d cells of its grid", name, structure.MaxCells)
	}
	return &locateAnswer{
		Dimension: d.ID(), Structure: place.ID, X: int(place.BlockX), Z: int(place.BlockZ),
		Distance: apart(int(place.BlockX)-query.X, int(place.BlockZ)-query.Z), Took: time.Since(start),
	}, nil
}

// apart is a distance along the ground.
func apart(dx, dz int) int { return int(math.Round(math.Hypot(float64(dx), float64(dz)))) }

// locateBiome finds one of some biomes.
func locateBiome(ctx context.Context, d *gen.Dimension, name string, wanted []string, query climate.Query) (*locateAnswer, error) {
	start := time.Now()
	place, found, err := d.NewLooker().Locate(ctx, wanted, query)
	switch {
	case errors.Is(err, context.Canceled):
		return nil, err
	case err != nil:
		return nil, ui.Errorf(ui.Usage, "%w", err)
	case !found:
		return nil, ui.Errorf(ui.Problems, "no %s within %s blocks", name, ui.FormatCount(int64(query.Radius)))
	}
	return &locateAnswer{
		Dimension: d.ID(), Biome: d.Biomes()[place.Biome], X: place.X, Y: &place.Y, Z: place.Z,
		Distance: apart(place.X-query.X, place.Z-query.Z), Took: time.Since(start),
	}, nil
}

// biomeNames are the biomes that a name or tag stands for, which the dimension
// must have one of.
func biomeNames(d *gen.Dimension, name string) ([]string, error) {
	tag, isTag := strings.CutPrefix(name, "#")
	names := []string{completeID(name)}
	if isTag {
		found := registry.TagsOf("minecraft:worldgen/biome", registry.V26_2).Tag(completeID(tag))
		if found == nil {
			return nil, ui.Errorf(ui.Usage, "there is no tag %s of biomes or structures", completeID(tag))
		}
		names = names[:0]
		for _, id := range found.IDs() {
			if name, ok := registry.Of("minecraft:worldgen/biome", registry.V26_2).Name(id); ok {
				names = append(names, name)
			}
		}
	}
	has := func(name string) bool { return slices.Contains(d.Biomes(), name) }
	if !slices.ContainsFunc(names, has) {
		return nil, ui.WithHint(ui.Errorf(ui.Usage, "%s has no biome or structure %s", d.ID(), name),
			"Its biomes are %s.", strings.ReplaceAll(strings.Join(d.Biomes(), ", "), "minecraft:", ""))
	}
	return names, nil
}

// spawnAnswer is the result of strata worldgen spawn.
type spawnAnswer struct {
	X        int    `json:"x"`
	Z        int    `json:"z"`
	Biome    string `json:"biome"`
	Searched [2]int `json:"searched"` // x, z to which the climate leads
}

func newWorldgenSpawnCmd(a *app) *cobra.Command {
	var flags worldgenFlags
	cmd := &cobra.Command{
		Use:   "spawn",
		Short: "Tell where the world's spawn is",
		Long: `Tell where the game puts the spawn of a world that need not exist: it looks for a
good climate near the origin, and then for a block to stand on. Features, which
may change the ground, are not looked at.

With --json: x, z, biome, searched (x and z to which the climate leads).`,
		Example: `  strata worldgen spawn --seed 1234`,
		Args:    exactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if flags.dimension != "overworld" && flags.dimension != anvil.Overworld {
				return ui.Errorf(ui.Usage, "worlds have their spawn in the overworld")
			}
			d, err := flags.open(a, cmd)
			if err != nil {
				return err
			}
			spawn, err := d.FindSpawn()
			if err != nil {
				return err
			}
			answer := &spawnAnswer{spawn.X, spawn.Z, d.NewLooker().Block(spawn.X, spawn.Y, spawn.Z), [2]int{spawn.SearchedX, spawn.SearchedZ}}
			return a.console.Result(answer, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%d %d (%s)\n", answer.X, answer.Z, answer.Biome)
				return err
			})
		},
	}
	flags.register(cmd)
	return cmd
}
