package main

import (
	"encoding/json"
	"io"

	"github.com/spf13/cobra"

	"strata/cmd/internal/ui"
	"strata/nbt"
	"strata/nbt/snbt"
)

// nbtStyle is how tags are printed.
type nbtStyle struct {
	compact bool
	typed   bool
}

func (s *nbtStyle) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&s.compact, "compact", false, "print a tag on one line")
	cmd.Flags().BoolVar(&s.typed, "typed", false, "with --json: keep the types of numbers and arrays, so that nothing is lost")
}

// tag returns a tag for the console: JSON, and a function that prints SNBT.
func (s *nbtStyle) json(tag nbt.Tag) json.RawMessage {
	if s.typed {
		return snbt.AppendJSON(nil, tag)
	}
	return snbt.AppendPlainJSON(nil, tag)
}

func (s *nbtStyle) text(tag nbt.Tag) []byte {
	style := snbt.Pretty
	if s.compact {
		style = snbt.Compact
	}
	return append(snbt.Append(nil, tag, style), '\n')
}

func newNBTPrintCmd(a *app) *cobra.Command {
	var style nbtStyle
	cmd := &cobra.Command{
		Use:   "print FILE",
		Short: "Print an NBT file as SNBT or JSON",
		Long: `Print an NBT file as SNBT, the game's text form, indented; --compact prints it
on one line. --json prints plain JSON, with --typed JSON that keeps all types.`,
		Example: `  strata nbt print world/level.dat
  strata nbt print igloo.nbt --json`,
		Args: exactArgs("FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			doc, err := readNBT(args[0])
			if err != nil {
				return err
			}
			return a.console.Result(style.json(doc.Root()), func(w io.Writer) error {
				_, err := w.Write(style.text(doc.Root()))
				return err
			})
		},
	}
	style.register(cmd)
	return cmd
}

func newNBTGetCmd(a *app) *cobra.Command {
	var style nbtStyle
	cmd := &cobra.Command{
		Use:   "get FILE PATH",
		Short: "Print what a path selects in an NBT file",
		Long: `Print the tags that a path selects, one after the other, as SNBT. With --json an
array of their values.

Exit code 3: the path selects nothing.`,
		Example: `  strata nbt get world/level.dat Data.LevelName
  strata nbt get player.dat 'Inventory[{id:"minecraft:diamond"}].count'`,
		Args: exactArgs("FILE", "PATH"),
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := parsePath(args[1])
			if err != nil {
				return err
			}
			doc, err := readNBT(args[0])
			if err != nil {
				return err
			}
			values, text := []json.RawMessage{}, []byte(nil)
			for tag := range p.Select(doc.Root()) {
				values = append(values, style.json(tag))
				text = append(text, style.text(tag)...)
			}
			err = a.console.Result(values, func(w io.Writer) error {
				_, err := w.Write(text)
				return err
			})
			if err == nil && len(values) == 0 {
				return ui.Errorf(ui.Problems, "%s: nothing at %s", args[0], p)
			}
			return err
		},
	}
	style.register(cmd)
	return cmd
}
