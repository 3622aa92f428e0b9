package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/term"

	"strata/bench/testbed"
	"strata/cmd/internal/ui"
)

// printed gathers what comes out of a terminal.
type printed struct {
	mu   sync.Mutex
	text strings.Builder // guarded by mu
}

func (p *printed) read(keys *os.File) {
	buf := make([]byte, 4096)
	for {
		n, err := keys.Read(buf)
		if err != nil {
			return
		}
		p.mu.Lock()
		p.text.Write(buf[:n])
		p.mu.Unlock()
	}
}

// until waits for a text that was printed.
func (p *printed) until(t *testing.T, want string) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		p.mu.Lock()
		text := p.text.String()
		p.mu.Unlock()
		if strings.Contains(text, want) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("no %q in\n%s", want, text)
		}
	}
}

func TestServerCommandsAreCompletedOnATerminalAndCtrlCStops(t *testing.T) {
	keys, terminal := testbed.OpenPTY(t, 200, 50)
	before, err := term.GetState(int(terminal.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	var out printed
	go out.read(keys)
	ended := make(chan ui.Code, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		ended <- run(ctx, []string{"server", filepath.Join(t.TempDir(), "srv"), "--port", "0", "--offline"}, ui.Streams{
			In: terminal, Out: terminal, Err: terminal, InTerminal: true, OutTerminal: true,
			Getenv: func(string) string { return "" },
		})
	}()
	defer func() {
		cancel()
		<-ended
	}()
	types := func(text string) {
		if _, err := keys.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	out.until(t, "Listening")
	types("whi\t")
	out.until(t, "whitelist")
	types(" l\t\r")
	out.until(t, "There are no whitelisted players\r\n")
	types("\x1b[A\x7f\x7f\x7f\x7f\t")
	out.until(t, "add  list  off  on  reload  remove\r\n")
	types("\x03")
	code := <-ended
	ended <- code
	if code != ui.OK {
		t.Errorf("exit %d", code)
	}
	if after, err := term.GetState(int(terminal.Fd())); err != nil || *after != *before {
		t.Errorf("the terminal is left as %+v, %v", after, err)
	}
}
