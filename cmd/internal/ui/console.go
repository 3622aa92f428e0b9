package ui

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"

	"golang.org/x/term"
)

// Streams are what a process has: its three streams, which of them are a
// terminal, and its environment.
type Streams struct {
	In          io.Reader
	Out         io.Writer
	Err         io.Writer
	InTerminal  bool
	OutTerminal bool
	ErrTerminal bool
	Getenv      func(name string) string
}

// OSStreams returns the streams of this process.
func OSStreams() Streams {
	isTerminal := func(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
	return Streams{
		In:          os.Stdin,
		Out:         os.Stdout,
		Err:         os.Stderr,
		InTerminal:  isTerminal(os.Stdin),
		OutTerminal: isTerminal(os.Stdout),
		ErrTerminal: isTerminal(os.Stderr),
		Getenv:      os.Getenv,
	}
}

func (s Streams) dumb() bool { return s.Getenv("TERM") == "dumb" }

// Console is one run's view of its streams.
type Console struct {
	streams  Streams
	err      *errWriter
	log      *slog.Logger
	json     bool
	progress progressMode
}

// JSON reports whether the result is printed as JSON.
func (c *Console) JSON() bool { return c.json }

// Log returns the logger of the run; it writes to standard error.
func (c *Console) Log() *slog.Logger { return c.log }

// Color reports whether standard output takes colour.
func (c *Console) Color() bool {
	return c.streams.OutTerminal && !c.streams.dumb() && c.streams.Getenv("NO_COLOR") == ""
}

// Result prints the result of a command on standard output: v as JSON with
// --json, otherwise what text writes. Sizes in v are in bytes, times are
// time.Time and durations time.Duration.
func (c *Console) Result(v any, text func(w io.Writer) error) error {
	if !c.json {
		return text(c.streams.Out)
	}
	enc := json.NewEncoder(c.streams.Out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// Notef prints a line on standard error.
func (c *Console) Notef(format string, args ...any) {
	fmt.Fprintf(c.err, format+"\n", args...)
}

// errWriter is standard error. While a bar is shown, lines go through the
// bar, which prints them above itself.
type errWriter struct {
	mu  sync.Mutex
	w   io.Writer // guarded by mu
	bar io.Writer // guarded by mu; nil without a bar
}

// Write writes p, which should be whole lines.
func (e *errWriter) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.bar != nil {
		return e.bar.Write(p)
	}
	return e.w.Write(p)
}

// through sends what is written from now on through bar.
func (e *errWriter) through(bar io.Writer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.bar = bar
}

// direct ends that. It keeps writers waiting while end takes the bar down: a
// line written to a bar after its last redraw would be lost.
func (e *errWriter) direct(end func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	end()
	e.bar = nil
}
