package main

import (
	"github.com/spf13/cobra"

	"strata/cmd/internal/ui"
)

// exactArgs requires one argument for each of the names, and names the first
// one that is missing or too many.
func exactArgs(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return ui.Errorf(ui.Usage, "missing argument %s", names[len(args)])
		case len(args) > len(names):
			return ui.Errorf(ui.Usage, "unexpected argument %q", args[len(names)])
		default:
			return nil
		}
	}
}
