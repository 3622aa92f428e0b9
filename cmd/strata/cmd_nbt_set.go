package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"strata/anvil/level"
	"strata/cmd/internal/ui"
	"strata/nbt"
	"strata/nbt/path"
	"strata/nbt/snbt"
	"strata/region/vfs"
)

// nbtPlan is what strata nbt set or remove changes.
type nbtPlan struct {
	Path    string `json:"path"`    // of the file
	Changed int    `json:"changed"` // tags
	Kept    string `json:"kept"`    // where the file is as it was, "" if nothing is changed
	tags    []string
}

func newNBTSetCmd(a *app) *cobra.Command {
	var flags ui.ChangeFlags
	var create bool
	cmd := &cobra.Command{
		Use:   "set FILE PATH VALUE",
		Short: "Set what a path selects in an NBT file",
		Long: `Set the tags that a path selects to a value in SNBT, as /data modify does: all
else in the file stays byte for byte, and so does its compression. The file as
it was is kept beside it, with "_old" behind its name. If the file belongs to a
world, its session lock is taken.

--create makes the members that lead to the place.

Exit code 3: the path selects nothing; 11: the world is in use.

With --json: path, changed (tags), kept (where the file is as it was).`,
		Example: `  strata nbt set world/level.dat Data.LevelName '"Home"' --yes
  strata nbt set world/playerdata/UUID.dat 'Inventory[{Slot:0b}].count' 64 --dry-run`,
		Args: exactArgs("FILE", "PATH", "VALUE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			value, err := parseValue(args[2])
			if err != nil {
				return err
			}
			return a.changeNBT(cmd, &flags, args[0], args[1], func(p path.Path, e *nbt.Edit, root nbt.Tag) (int, error) {
				return p.Set(e, root, value, create)
			})
		},
	}
	flags.Register(cmd.Flags())
	cmd.Flags().BoolVar(&create, "create", false, "make the members that lead to the place")
	return cmd
}

func newNBTRemoveCmd(a *app) *cobra.Command {
	var flags ui.ChangeFlags
	cmd := &cobra.Command{
		Use:   "remove FILE PATH",
		Short: "Remove what a path selects from an NBT file",
		Long: `Remove the tags that a path selects, as /data remove does. See 'strata nbt set'
for what is kept and locked.

Exit code 3: the path selects nothing; 11: the world is in use.

With --json: path, changed (tags), kept (where the file is as it was).`,
		Example: `  strata nbt remove world/level.dat Data.Player --dry-run`,
		Args:    exactArgs("FILE", "PATH"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.changeNBT(cmd, &flags, args[0], args[1], path.Path.Remove)
		},
	}
	flags.Register(cmd.Flags())
	return cmd
}

// changeNBT makes a change to a file.
func (a *app) changeNBT(cmd *cobra.Command, flags *ui.ChangeFlags, name, text string, change func(p path.Path, e *nbt.Edit, root nbt.Tag) (int, error)) (err error) {
	p, err := parsePath(text)
	if err != nil {
		return err
	}
	if _, err := os.Stat(name); err != nil {
		_, err = readNBT(name)
		return err
	}
	if !flags.DryRun {
		release, err := lockFor(name)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, release()) }()
	}
	doc, err := readNBT(name)
	if err != nil {
		return err
	}
	changed, plan, err := editNBT(doc, name, p, change)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if plan.Changed == 0 && p.Count(doc.Root()) == 0 {
		return ui.Errorf(ui.Problems, "%s: nothing at %s", name, p)
	}
	if plan.Changed == 0 {
		return a.console.Result(plan, plan.writeDone)
	}
	proceed, err := flags.Proceed(cmd.Context(), a.console, plan, plan.writeText, "Change "+name+"?")
	if err != nil || !proceed {
		return err
	}
	if err := level.WriteFile(vfs.OS(), name, changed); err != nil {
		return err
	}
	return a.console.Result(plan, plan.writeDone)
}

// editNBT returns a document with a change, and what that is.
func editNBT(doc *level.Document, name string, p path.Path, change func(p path.Path, e *nbt.Edit, root nbt.Tag) (int, error)) (*level.Document, *nbtPlan, error) {
	plan := &nbtPlan{Path: name}
	for tag := range p.Select(doc.Root()) {
		plan.tags = append(plan.tags, shorten(string(snbt.Append(nil, tag, snbt.Compact))))
	}
	changed, err := doc.Edit(func(e *nbt.Edit, root nbt.Tag) (err error) {
		plan.Changed, err = change(p, e, root)
		return err
	})
	if plan.Changed > 0 {
		plan.Kept = name + level.OldSuffix
	}
	return changed, plan, err
}

// shorten cuts what is too long for a line.
func shorten(text string) string {
	const most = 60
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

func (p *nbtPlan) writeText(w io.Writer) error {
	fmt.Fprintf(w, "%s: %s\n", p.Path, countText(p.Changed, "tag"))
	for _, tag := range p.tags {
		fmt.Fprintf(w, "  was %s\n", tag)
	}
	return nil
}

func (p *nbtPlan) writeDone(w io.Writer) error {
	if p.Changed == 0 {
		_, err := fmt.Fprintf(w, "%s is so already.\n", p.Path)
		return err
	}
	_, err := fmt.Fprintf(w, "Changed %s in %s; as it was: %s\n", countText(p.Changed, "tag"), p.Path, p.Kept)
	return err
}
