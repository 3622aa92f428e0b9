package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"strata/cmd/internal/ui"
)

// serve runs strata server until the test ends, and returns what it prints once it
// is done, and how it ended after stop.
func serve(t *testing.T, args ...string) (text string, stop func() (ui.Code, string)) {
	t.Helper()
	return serveWith(t, strings.NewReader(""), args...)
}

// serveWith is serve with a console.
func serveWith(t *testing.T, console io.Reader, args ...string) (text string, stop func() (ui.Code, string)) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	var errText strings.Builder
	code := make(chan ui.Code, 1)
	go func() {
		c := run(ctx, append([]string{"server"}, args...), ui.Streams{
			In: console, Out: in, Err: &errText, Getenv: func(string) string { return "" },
		})
		in.Close()
		code <- c
	}()
	lines := make(chan string, 1000)
	go func() {
		defer close(lines)
		buf := make([]byte, 4096)
		for {
			n, err := out.Read(buf)
			if err != nil {
				return
			}
			lines <- string(buf[:n])
		}
	}()
	deadline := time.After(30 * time.Second)
	for !strings.Contains(text, "Listening") {
		select {
		case line, ok := <-lines:
			if !ok {
				t.Fatalf("exit %d: %s%s", <-code, text, errText.String())
			}
			text += line
		case <-deadline:
			t.Fatalf("not done after 30 s: %s", text)
		}
	}
	stop = func() (ui.Code, string) {
		cancel()
		for line := range lines {
			text += line
		}
		return <-code, text + errText.String()
	}
	t.Cleanup(func() {
		cancel()
		for range lines { // until it has ended, with its files
		}
	})
	return text, stop
}

func TestServerMakesItsFilesAndEndsWithAnInterrupt(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "srv")
	text, stop := serve(t, dir, "--port", "0", "--offline")
	for _, want := range []string{
		`(?m)^\[\d\d:\d\d:\d\d\] \[Server thread/INFO\]: Done \(\d+\.\d{3}s\)! For help, type "help"$`, "OFFLINE/INSECURE MODE",
	} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if code, _, _ := runPlain(t, "world", "set", filepath.Join(dir, "world"), "--yes", "difficulty=hard"); code == ui.OK {
		t.Error("the world of a running server was changed")
	}
	if code, text := stop(); code != ui.OK {
		t.Errorf("exit %d:\n%s", code, text)
	}
	for _, name := range []string{"server.properties", "world/level.dat"} {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Error(err)
		}
	}
	// Again, with the world that is there, on which the seed has no say.
	if err := os.WriteFile(filepath.Join(dir, "server.properties"), []byte("online-mode=false\nserver-port=0\nlevel-type=flat\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if text, _ := serve(t, dir); !strings.Contains(text, "Without effect in server.properties: level-type") {
		t.Errorf("said\n%s", text)
	}
}

func TestServerWithWrongSettingsSaysWhichAndStartsNothing(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "server.properties"), []byte("gamemode=god\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, errText := runPlain(t, "server", dir); code != ui.Usage || !strings.Contains(errText, "gamemode") {
		t.Errorf("exit %d: %s", code, errText)
	}
	if code, _, _ := runPlain(t, "server", dir, "--port", "99999"); code != ui.Usage {
		t.Errorf("a port that is none: exit %d", code)
	}
	if _, err := os.Stat(filepath.Join(dir, "world")); err == nil {
		t.Error("a world was made")
	}
}
