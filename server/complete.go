package server

import (
	"context"

	"strata/server/command"
)

// Complete lists the texts that could replace a line of the console from start on,
// an index in bytes. It may be called from any goroutine, and waits for the tick.
func (s *Server) Complete(ctx context.Context, line string) (start int, matches []string, err error) {
	type answer struct {
		start   int
		matches []string
	}
	found := make(chan answer, 1)
	s.later(func() {
		var a answer
		a.start, a.matches = s.commands.Complete(command.ConsoleSource(logOutput{s}, s.spawnPlace()), line)
		found <- a
	})
	select {
	case a := <-found:
		return a.start, a.matches, nil
	case <-ctx.Done():
		return 0, nil, ctx.Err()
	case <-s.stopped:
		return 0, nil, ErrStopped
	}
}
