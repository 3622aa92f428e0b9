package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"strata/cmd/internal/ui"
)

func main() { os.Exit(int(runProcess())) }

// runProcess runs the command line of this process. The first SIGINT or
// SIGTERM cancels the command, which then saves what it has; the second one
// ends the process at once.
func runProcess() ui.Code {
	ctx, restore := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer restore()
	context.AfterFunc(ctx, restore)
	return run(ctx, os.Args[1:], ui.OSStreams())
}
