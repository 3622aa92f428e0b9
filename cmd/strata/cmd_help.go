package main

import "github.com/spf13/cobra"

func newHelpCmd(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND...]",
		Short: "Show the help text of a command",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return usageError(cmd, unknownCommand(cmd, rest[0]))
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
	}
}
