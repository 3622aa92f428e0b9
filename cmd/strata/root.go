package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"strata/cmd/internal/ui"
)

// app is what all commands of one run share.
type app struct {
	args    []string // the command line
	streams ui.Streams
	flags   ui.Flags
	// console is set before a command's RunE is called.
	console *ui.Console
	// started says that RunE was reached: what went wrong before that is a
	// matter of usage.
	started bool
}

// run runs one command line, with extra commands at the end of the tree, and
// returns its exit code. The closing error, if there is one, goes to standard
// error as one line, with a hint on the next.
func run(ctx context.Context, args []string, streams ui.Streams, extra ...*cobra.Command) ui.Code {
	a := &app{args: args, streams: streams}
	root := newRootCmd(a, extra...)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return ui.OK
	}
	if !a.started {
		err = usageError(cmd, err)
	}
	code, text := ui.CodeOf(err), err.Error()
	if errors.Is(err, context.Canceled) {
		text = "interrupted"
		if ctx.Err() == nil {
			// Nobody asked for an end: something inside gave up.
			code, text = ui.Failed, err.Error()
		}
	}
	fmt.Fprintf(a.streams.Err, "%s: %s\n", cmd.CommandPath(), text)
	if hint := ui.HintOf(err); hint != "" {
		fmt.Fprintln(a.streams.Err, hint)
	}
	return code
}

func init() {
	// Commands are listed in the order in which they are added.
	cobra.EnableCommandSorting = false
}

// newRootCmd returns the tree of commands, with extra ones at its end.
func newRootCmd(a *app, extra ...*cobra.Command) *cobra.Command {
	root := newParentCmd(&cobra.Command{
		Use:   "strata",
		Short: "World toolkit and server for Minecraft: Java Edition",
		Long: `Strata is a world toolkit and server for Minecraft: Java Edition.

Results go to standard output, progress and logs to standard error.
Exit codes: 0 ok, 1 failed, 2 usage, 3 done with problems or items skipped,
10 world or repository missing, 11 locked or in use, 12 wrong key,
13 no space, 130 interrupted with the state saved.`,
		// Errors are printed by run, in one form for all.
		SilenceErrors: true,
		SilenceUsage:  true,
		// The date of a page would come from the clock.
		DisableAutoGenTag: true,
		PersistentPreRunE: func(*cobra.Command, []string) error {
			var err error
			a.console, err = a.flags.Open(a.streams)
			return err
		},
	},
		append([]*cobra.Command{
			newPregenCmd(a, openWorldGenerators),
			newWorldCmd(a),
			newBackupCmd(a),
			newNBTCmd(a),
			newWorldgenCmd(a),
			newDataCmd(a),
			newServerCmd(a),
			newBenchCmd(a),
			newVersionCmd(a),
			newCompletionCmd(a),
			newManCmd(a),
		}, extra...)...,
	)
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(newHelpCmd(root))
	// A parent can run only to say that it needs a command.
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(),
		"{{if .Runnable}}", "{{if and .Runnable (not .HasSubCommands)}}", 1))
	root.SetIn(a.streams.In)
	root.SetOut(a.streams.Out)
	root.SetErr(a.streams.Err)
	root.SetFlagErrorFunc(flagError)
	a.flags.Register(root.PersistentFlags())
	a.markStarted(root)
	return root
}

// markStarted makes each command of the tree say that it was reached.
func (a *app) markStarted(cmd *cobra.Command) {
	if runE := cmd.RunE; runE != nil && !cmd.HasSubCommands() {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			a.started = true
			return runE(cmd, args)
		}
	}
	for _, child := range cmd.Commands() {
		a.markStarted(child)
	}
}

// newParentCmd makes a command of cmd that only groups children. It is hidden
// while it has none.
func newParentCmd(cmd *cobra.Command, children ...*cobra.Command) *cobra.Command {
	cmd.AddCommand(children...)
	cmd.Hidden = len(children) == 0
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		var help strings.Builder
		cmd.SetOut(&help)
		if err := cmd.Help(); err != nil {
			return err
		}
		fmt.Fprintln(cmd.ErrOrStderr(), help.String())
		return ui.WithHint(ui.Errorf(ui.Usage, "which command?"), "Run '%s COMMAND' with one of the above.", cmd.CommandPath())
	}
	return cmd
}

func unknownCommand(parent *cobra.Command, name string) error {
	err := ui.Errorf(ui.Usage, "unknown command %q", name)
	parent.SuggestionsMinimumDistance = 2
	if near := parent.SuggestionsFor(name); len(near) > 0 {
		return ui.WithHint(err, "Did you mean '%s %s'?", parent.CommandPath(), near[0])
	}
	return err
}

// flagError is called for flags that a command does not know or cannot read.
// Those of an unknown command are not what is wrong with it.
func flagError(cmd *cobra.Command, err error) error {
	if words := cmd.Flags().Args(); cmd.HasSubCommands() && len(words) > 0 {
		return unknownCommand(cmd, words[0])
	}
	return err
}

// usageError makes a usage error of one that was found before the command
// ran.
func usageError(cmd *cobra.Command, err error) error {
	if ui.HintOf(err) != "" {
		return err
	}
	return ui.WithHint(ui.Errorf(ui.Usage, "%w", err), "Run '%s --help' for usage.", cmd.CommandPath())
}
