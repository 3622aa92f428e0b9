//go:build unix

package main

import (
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"strata/cmd/internal/ui"
)

// runSignals is strata with two more commands, which send signals to their
// own process.
func runSignals() {
	saves := &cobra.Command{Use: "saves SIGNAL", RunE: func(cmd *cobra.Command, args []string) error {
		signal := map[string]syscall.Signal{"int": syscall.SIGINT, "term": syscall.SIGTERM}[args[0]]
		if err := syscall.Kill(os.Getpid(), signal); err != nil {
			return err
		}
		<-cmd.Context().Done()
		fmt.Fprintln(cmd.OutOrStdout(), "saved")
		return ui.WithHint(cmd.Context().Err(), "Go on with 'strata saves'.")
	}}
	hangs := &cobra.Command{Use: "hangs", RunE: func(*cobra.Command, []string) error {
		for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
			if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
				return err
			}
		}
		return nil
	}}
	os.Exit(int(runProcess(os.Args[1:], ui.OSStreams(), saves, hangs)))
}
