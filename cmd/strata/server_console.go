package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"strata/cmd/internal/lineedit"
	"strata/cmd/internal/ui"
	"strata/server"
)

// serverConsole is where the log goes, and where commands are typed.
type serverConsole struct {
	mu  sync.Mutex
	out io.Writer // guarded by mu
}

// Write prints lines of the log.
func (c *serverConsole) Write(p []byte) (int, error) {
	c.mu.Lock()
	out := c.out
	c.mu.Unlock()
	return out.Write(p)
}

// read runs the lines that are typed from now on. On a terminal they can be edited,
// and Ctrl-C calls stop. done makes the terminal what it was before.
func (c *serverConsole) read(ctx context.Context, s *server.Server, streams ui.Streams, stop func()) (done func()) {
	terminal := openTerminal(streams, func(line string) (int, []string) { return completeLine(ctx, s, line) })
	if terminal == nil {
		go readLines(streams.In, s) // reading cannot be ended; the process ends
		return func() {}
	}
	c.mu.Lock()
	c.out = terminal
	c.mu.Unlock()
	go readTerminal(terminal, s, stop) // as above
	return func() { _ = terminal.Close() }
}

// openTerminal returns nil where nothing can be edited.
func openTerminal(streams ui.Streams, complete func(string) (int, []string)) *lineedit.Terminal {
	in, isFile := streams.In.(*os.File)
	out, isFileToo := streams.Out.(*os.File)
	if !isFile || !isFileToo || !streams.InTerminal || !streams.OutTerminal || streams.Getenv("TERM") == "dumb" {
		return nil
	}
	terminal, err := lineedit.Open(in, out, lineedit.Options{Prompt: "> ", Complete: complete})
	if err != nil {
		return nil // lines can be read all the same
	}
	return terminal
}

// readTerminal runs what is typed until an end. After Ctrl-D the server goes on.
func readTerminal(t *lineedit.Terminal, s *server.Server, stop func()) {
	for {
		line, err := t.ReadLine()
		switch {
		case errors.Is(err, lineedit.ErrInterrupted):
			stop()
			return
		case err != nil:
			_ = t.Close()
			return
		}
		s.Console(line)
	}
}

// maxLine is the longest line of the console that is taken.
const maxLine = 64 << 10

// readLines runs the lines of a file or pipe until there are no more.
func readLines(in io.Reader, s *server.Server) {
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, maxLine)
	for scanner.Scan() {
		s.Console(scanner.Text())
	}
}

// completeWait is how long completions may take.
const completeWait = time.Second

func completeLine(ctx context.Context, s *server.Server, line string) (start int, matches []string) {
	ctx, cancel := context.WithTimeout(ctx, completeWait)
	defer cancel()
	start, matches, err := s.Complete(ctx, line)
	if err != nil {
		return 0, nil // as if there were none
	}
	return start, matches
}
