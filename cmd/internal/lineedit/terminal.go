package lineedit

import (
	"bytes"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"golang.org/x/term"
)

// Options of a Terminal.
type Options struct {
	// Prompt stands before what is typed.
	Prompt string
	// Complete lists the texts that could replace a line from start on, which is
	// an index in bytes; nil completes nothing. It is called within ReadLine.
	Complete func(line string) (start int, matches []string)
}

// ErrInterrupted is the error of ReadLine after Ctrl-C. The terminal is as it was
// before, so that a second one is a signal.
var ErrInterrupted = errors.New("interrupted")

// Terminal is a terminal on which lines are typed.
type Terminal struct {
	in       *watchedInput
	out      *os.File
	complete func(string) (int, []string)
	term     *term.Terminal
	stop     func() // what follows the size of the window

	mu       sync.Mutex // guards what follows
	before   *term.State
	restored bool
}

// watchedInput notes that Ctrl-C was typed, of which package term tells no more than
// of an end.
type watchedInput struct {
	*os.File
	interrupted atomic.Bool
}

const ctrlC = 3

func (w *watchedInput) Read(p []byte) (int, error) {
	n, err := w.File.Read(p)
	if bytes.IndexByte(p[:n], ctrlC) >= 0 {
		w.interrupted.Store(true)
	}
	return n, err
}

// Open has lines be typed on a terminal, until Close. Both files are the terminal;
// they stay the caller's.
func Open(in, out *os.File, o Options) (*Terminal, error) {
	before, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return nil, err
	}
	t := &Terminal{in: &watchedInput{File: in}, out: out, complete: o.Complete, before: before}
	t.term = term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{t.in, out}, o.Prompt)
	t.term.AutoCompleteCallback = t.key
	t.resize()
	t.stop = followSize(t.resize)
	return t, nil
}

// resize takes the size of the window.
func (t *Terminal) resize() {
	if width, height, err := term.GetSize(int(t.out.Fd())); err == nil && width > 0 && height > 0 {
		_ = t.term.SetSize(width, height) // its error is that of painting the line again
	}
}

// Write prints lines, above the one that is being typed.
func (t *Terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	restored := t.restored
	t.mu.Unlock()
	if restored {
		return t.out.Write(p)
	}
	return t.term.Write(p)
}

// ReadLine returns the next line. Its error is io.EOF after Ctrl-D on an empty line
// or when the terminal is gone, and ErrInterrupted after Ctrl-C.
func (t *Terminal) ReadLine() (string, error) {
	line, err := t.term.ReadLine()
	if errors.Is(err, term.ErrPasteIndicator) {
		err = nil
	}
	if err != nil && t.in.interrupted.Load() {
		return "", errors.Join(ErrInterrupted, t.Close())
	}
	return line, err
}

// Close makes the terminal what it was before. What is written later is printed
// plainly. Calls after the first do nothing.
func (t *Terminal) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.restored {
		return nil
	}
	t.restored = true
	t.stop()
	t.term.SetPrompt("")
	_, err := t.out.WriteString("\r\x1b[K") // the prompt
	return errors.Join(err, term.Restore(int(t.in.Fd()), t.before))
}
