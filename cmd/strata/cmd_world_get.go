package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"strata/anvil/edit"
	"strata/anvil/store"
	"strata/cmd/internal/ui"
	"strata/nbt"
	"strata/nbt/path"
)

// worldGetFlags are the flags of strata world get.
type worldGetFlags struct {
	placeFlags
	nbtStyle
	palette bool
}

func newWorldGetCmd(a *app) *cobra.Command {
	var flags worldGetFlags
	cmd := &cobra.Command{
		Use:   "get WORLD [PATH]",
		Short: "Print a chunk, block, player or data file of a world",
		Long: `Print what is at a place of a world: a chunk, its entities or its points of
interest, a block, a column of blocks, the data of a player or another data file.
With a PATH, as in /data get, only what it selects is printed. Chunks, players and
data files are printed as SNBT. Nothing is written.

--block prints a block's state, biome and block entity, --column the blocks at X,Z
from the highest down, --palette with --chunk how many blocks of each state a chunk
has. Blocks can be told apart since 1.13.

Exit code 3: the path selects nothing; 10: there is no such chunk, file or player.

With --json: the value; with a PATH an array of values; --block: dimension, x, y,
z, state, name, properties, biome, block_entity; --column: dimension, x, z, runs[]
(low, high, state); --palette: dimension, x, z, blocks, states[] (state, count).`,
		Example: `  strata world get world --chunk 10,-3 Status
  strata world get world --chunk 10,-3 --kind entities 'Entities[].id'
  strata world get world --block 100,64,-20
  strata world get world --player Steve 'Inventory[{id:"minecraft:diamond"}]'
  strata world get world --data raids --dimension the_nether
  strata world get world --chunk 0,0 --palette`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 {
				return nil
			}
			return exactArgs("WORLD")(cmd, args)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			text := ""
			if len(args) == 2 {
				text = args[1]
			}
			return a.worldGet(args[0], text, &flags)
		},
	}
	flags.placeFlags.register(cmd, true)
	flags.nbtStyle.register(cmd)
	cmd.Flags().BoolVar(&flags.palette, "palette", false, "with --chunk: count its blocks by state")
	return cmd
}

func (a *app) worldGet(world, text string, flags *worldGetFlags) (err error) {
	if err := flags.check(); err != nil {
		return err
	}
	blocks := flags.block != "" || flags.column != "" || flags.palette
	if flags.palette && (flags.chunk == "" || flags.kind != "region") || blocks && text != "" {
		return ui.Errorf(ui.Usage, "--palette goes with --chunk alone, and neither it nor --block nor --column with a path")
	}
	p, err := parsePath(text)
	if err != nil {
		return err
	}
	w, s, err := a.openStore(world, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if flags.player != "" || flags.data != "" || flags.level {
		name, err := flags.file(w)
		if err != nil {
			return err
		}
		doc, err := readNBT(name)
		if err != nil {
			return err
		}
		return a.printSelected(name, text, p, doc.Root(), &flags.nbtStyle)
	}
	ref, err := flags.ref(w, s)
	if err != nil {
		return err
	}
	doc, err := edit.Read(s, ref)
	if err != nil {
		return placeError(err)
	}
	dimension := s.World().Dimensions[ref.Dim].Name
	switch {
	case flags.palette:
		return a.printPalette(doc, dimension, ref)
	case flags.block != "":
		return a.printBlock(doc, dimension, flags)
	case flags.column != "":
		return a.printColumn(doc, dimension, flags)
	default:
		return a.printSelected(edit.Describe(s, ref), text, p, doc.Root(), &flags.nbtStyle)
	}
}

// placeError gives an error of reading a place its exit code.
func placeError(err error) error {
	if edit.IsAbsent(err) {
		return ui.Errorf(ui.Missing, "%w", err)
	}
	return err
}

// printSelected prints what a path selects, or everything without one.
func (a *app) printSelected(name, text string, p path.Path, root nbt.Tag, style *nbtStyle) error {
	if text == "" {
		return a.console.Result(style.json(root), func(w io.Writer) error {
			_, err := w.Write(style.text(root))
			return err
		})
	}
	values, out := []json.RawMessage{}, []byte(nil)
	for tag := range p.Select(root) {
		values = append(values, style.json(tag))
		out = append(out, style.text(tag)...)
	}
	err := a.console.Result(values, func(w io.Writer) error {
		_, err := w.Write(out)
		return err
	})
	if err == nil && len(values) == 0 {
		return ui.Errorf(ui.Problems, "%s: nothing at %s", name, p)
	}
	return err
}

// blockResult is a block as JSON has it.
type blockResult struct {
	Dimension string `json:"dimension"`
	X         int32  `json:"x"`
	Y         int32  `json:"y"`
	Z         int32  `json:"z"`
	edit.Block
	BlockEntity json.RawMessage `json:"block_entity"`
}

func (a *app) printBlock(doc *edit.Document, dimension string, flags *worldGetFlags) error {
	pos, err := flags.blockPos()
	if err != nil {
		return err
	}
	b, err := doc.BlockAt(pos)
	if err != nil {
		return placeError(err)
	}
	r := blockResult{Dimension: dimension, X: pos.X, Y: pos.Y, Z: pos.Z, Block: b, BlockEntity: json.RawMessage("null")}
	entity := doc.BlockEntityAt(pos)
	if entity.Exists() {
		r.BlockEntity = flags.json(entity)
	}
	return a.console.Result(r, func(w io.Writer) error {
		fmt.Fprintln(w, b.State)
		if b.Biome != "" {
			fmt.Fprintf(w, "  biome         %s\n", b.Biome)
		}
		if entity.Exists() {
			text := strings.TrimSuffix(string(flags.text(entity)), "\n")
			fmt.Fprintf(w, "  block entity  %s\n", strings.ReplaceAll(text, "\n", "\n                "))
		}
		return nil
	})
}

func (a *app) printColumn(doc *edit.Document, dimension string, flags *worldGetFlags) error {
	pos, err := flags.blockPos()
	if err != nil {
		return err
	}
	runs, err := doc.Column(int(pos.X), int(pos.Z))
	if err != nil {
		return err
	}
	result := struct {
		Dimension string     `json:"dimension"`
		X         int32      `json:"x"`
		Z         int32      `json:"z"`
		Runs      []edit.Run `json:"runs"`
	}{dimension, pos.X, pos.Z, append([]edit.Run{}, runs...)}
	return a.console.Result(result, func(w io.Writer) error {
		table := a.console.NewTable(ui.Column{Head: "y", Right: true}, ui.Column{Head: "", Right: true}, ui.Column{Head: "block"})
		for _, r := range runs {
			low := ""
			if r.Low != r.High {
				low = fmt.Sprintf("to %d", r.Low)
			}
			table.Row(fmt.Sprint(r.High), low, r.State)
		}
		return table.Render(w)
	})
}

func (a *app) printPalette(doc *edit.Document, dimension string, ref store.Ref) error {
	counts, err := doc.Palette()
	if err != nil {
		return err
	}
	result := struct {
		Dimension string       `json:"dimension"`
		X         int32        `json:"x"`
		Z         int32        `json:"z"`
		Blocks    int64        `json:"blocks"`
		States    []edit.Count `json:"states"`
	}{Dimension: dimension, X: ref.Pos.X, Z: ref.Pos.Z, States: counts}
	for _, c := range counts {
		result.Blocks += c.Count
	}
	return a.console.Result(result, func(w io.Writer) error {
		table := a.console.NewTable(ui.Column{Head: "blocks", Right: true}, ui.Column{Head: "share", Right: true}, ui.Column{Head: "state"})
		for _, c := range counts {
			table.Row(ui.FormatCount(c.Count), fmt.Sprintf("%.1f %%", 100*float64(c.Count)/float64(result.Blocks)), c.State)
		}
		return table.Render(w)
	})
}
