package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"strata/cmd/internal/ui"
)

func main() { os.Exit(int(runProcess(os.Args[1:], ui.OSStreams()))) }

// runProcess runs a command line until it ends or a signal cancels it. The
// first SIGINT or SIGTERM lets the command save what it has; the second one
// ends the process at once. It is called once a process.
func runProcess(args []string, streams ui.Streams, extra ...*cobra.Command) ui.Code {
	ctx, restore := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer restore()
	context.AfterFunc(ctx, restore)
	return run(ctx, args, streams, extra...)
}
