package lineedit

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/term"

	"strata/bench/testbed"
)

type read struct {
	line string
	err  error
}

// rig is a terminal on which a test types.
type rig struct {
	t      *testing.T
	keys   *os.File
	pts    *os.File
	before *term.State
	term   *Terminal
	screen *screen
	lines  chan read
}

func newRig(t *testing.T, o Options) *rig {
	t.Helper()
	keys, terminal := testbed.OpenPTY(t, 60, 20)
	before, err := term.GetState(int(terminal.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	o.Prompt = "> "
	opened, err := Open(terminal, terminal, o)
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, keys: keys, pts: terminal, before: before, term: opened, screen: watch(keys), lines: make(chan read, 10)}
	t.Cleanup(func() { _ = opened.Close() })
	go func() {
		for {
			line, err := opened.ReadLine()
			r.lines <- read{line, err}
			if err != nil {
				return
			}
		}
	}()
	r.screen.shows(t, ">")
	return r
}

func (r *rig) types(keys string) {
	r.t.Helper()
	if _, err := r.keys.WriteString(keys); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) prints(text string) {
	r.t.Helper()
	if n, err := r.term.Write([]byte(text)); err != nil || n != len(text) {
		r.t.Fatal(n, err)
	}
}

func (r *rig) reads(want string) {
	r.t.Helper()
	if got := <-r.lines; got.line != want || got.err != nil {
		r.t.Errorf("read %q, %v, want %q", got.line, got.err, want)
	}
}

// restored demands that the terminal is as it was.
func (r *rig) restored() {
	r.t.Helper()
	now, err := term.GetState(int(r.pts.Fd()))
	if err != nil || *now != *r.before {
		r.t.Errorf("the terminal is %+v, %v, was %+v", now, err, r.before)
	}
}

func TestLinesThatArePrintedDoNotTearTheOneThatIsTyped(t *testing.T) {
	r := newRig(t, Options{})
	r.types("say hel")
	r.screen.shows(t, "> say hel")
	r.prints("[INFO]: one\n[INFO]: two\n")
	r.screen.shows(t, "[INFO]: one\n[INFO]: two\n> say hel")
	r.types("lo\r")
	r.reads("say hello")
	long := "say " + strings.Repeat("0123456789", 9)
	r.types(long)
	r.screen.shows(t, "[INFO]: one\n[INFO]: two\n> say hello\n> "+long[:58]+"\n"+long[58:])
	r.prints("[INFO]: three\n")
	r.screen.shows(t, "[INFO]: one\n[INFO]: two\n> say hello\n[INFO]: three\n> "+long[:58]+"\n"+long[58:])
	r.types("\r")
	r.reads(long)
}

func TestLinesCanBeEditedAndTypedAgain(t *testing.T) {
	const up, left, home = "\x1b[A", "\x1b[D", "\x1b[H"
	r := newRig(t, Options{})
	for _, step := range []struct{ keys, want string }{
		{"list\r", "list"},
		{"say a\x7fb\r", "say b"},
		{up + up + "\r", "list"},
		{"say ac" + left + "b\r", "say abc"},
		{"name" + home + "kill \r", "kill name"},
		{"one two\x17three\r", "one three"},
		{"grüße 🙂\r", "grüße 🙂"},
		{"\r", ""},
	} {
		r.types(step.keys)
		r.reads(step.want)
	}
}

// commands completes the words of commands.
func commands(line string) (start int, matches []string) {
	start = strings.LastIndexByte(line, ' ') + 1
	for _, w := range []string{"gamemode", "gamerule", "give", "minecraft:stone", "minecraft:sandstone", "stop"} {
		if strings.Contains(w, line[start:]) {
			matches = append(matches, w)
		}
	}
	return start, matches
}

func TestTabCompletes(t *testing.T) {
	r := newRig(t, Options{Complete: commands})
	r.types("ga\t")
	r.screen.shows(t, "> game")
	r.types("\t")
	r.screen.shows(t, "gamemode  gamerule\n> game")
	r.types("m\t")
	r.screen.shows(t, "gamemode  gamerule\n> gamemode")
	r.types(" stone\t")
	r.screen.shows(t, "gamemode  gamerule\nminecraft:stone  minecraft:sandstone\n> gamemode stone")
	r.types("\x7f\x7f\x7f\x7f\x7fnothing\t\r")
	r.reads("gamemode nothing")
	// In the middle of a line, what follows stays.
	r.types("gi me\x1b[D\x1b[D\x1b[D\t\r")
	r.reads("give me")
	// Nothing completes where there is nothing that does.
	plain := newRig(t, Options{})
	plain.types("ga\t\r")
	plain.reads("ga")
}

func TestManyCompletionsAreCounted(t *testing.T) {
	var all []string
	for i := range 250 {
		all = append(all, fmt.Sprint("w", 100+i))
	}
	r := newRig(t, Options{Complete: func(string) (int, []string) { return 0, slices.Clone(all) }})
	r.types("w\t")
	r.screen.until(t, "a hundred, and how many more", func(text string) bool {
		return strings.Contains(text, "and 150 more\n> w") && strings.Contains(text, "w199") && !strings.Contains(text, "w200")
	})
}

func TestEndAndInterruptGiveTheTerminalBack(t *testing.T) {
	r := newRig(t, Options{})
	r.types("say\x03")
	if got := <-r.lines; !errors.Is(got.err, ErrInterrupted) || errors.Is(got.err, io.EOF) {
		t.Errorf("after Ctrl-C: %q, %v", got.line, got.err)
	}
	r.restored()
	r.prints("bye\n")
	r.screen.shows(t, "bye")
	r = newRig(t, Options{})
	r.types("\x04")
	if got := <-r.lines; !errors.Is(got.err, io.EOF) {
		t.Errorf("after Ctrl-D: %q, %v", got.line, got.err)
	}
	for range 2 {
		if err := r.term.Close(); err != nil {
			t.Error(err)
		}
	}
	r.restored()
}

func TestOnlyATerminalIsOpened(t *testing.T) {
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := Open(f, f, Options{}); err == nil {
		t.Error("no error")
	}
}
