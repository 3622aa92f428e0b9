package command

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/server/text"
)

var update = flag.Bool("update", false, "rewrite the expected lines in testdata")

// console collects what is sent to it.
type console struct{ got []string }

func (c *console) Send(m text.Component) { c.got = append(c.got, m.String()) }

// script is a server with people, and what they have seen.
type script struct {
	f       *fake
	d       *Dispatcher
	console console
}

func newScript() *script {
	f := newFake()
	f.join("Steve", 4, Vec3{0.5, 10, 0.5})
	f.join("Alex", 0, Vec3{5.5, 10, 0.5})
	f.players[1].levels = 7
	f.spawn("pig", "Pig", Vec3{2.5, 10, 0.5}, "tame")
	f.spawn("zombie", "Zombie", Vec3{8.5, 10, 0.5})
	return &script{f: f, d: New(f.host())}
}

// run runs a line "who: command" and returns what was seen.
func (s *script) run(line string) []string {
	who, input, _ := strings.Cut(line, ":")
	input = strings.TrimPrefix(input, " ")
	var src *Source
	switch who {
	case "console":
		src = ConsoleSource(&s.console, Place{Dimension: "minecraft:overworld"})
	case "rcon":
		src = RCONSource(&s.console, Place{Dimension: "minecraft:overworld"}, false)
	default:
		i := slices.IndexFunc(s.f.players, func(p *fakePlayer) bool { return p.name == who })
		src = PlayerSource(s.f.players[i])
	}
	if place, rest, ok := strings.Cut(input, " | "); ok {
		src.Place.Dimension, input = "minecraft:"+place, rest
	}
	before := s.f.changedBlocks()
	res, err := s.d.Run(src, input)
	var out []string
	add := func(prefix string, lines []string) {
		for _, l := range lines {
			for part := range strings.SplitSeq(l, "\n") {
				out = append(out, prefix+part)
			}
		}
	}
	add("console: ", s.console.got)
	for _, p := range s.f.players {
		add(p.name+": ", p.got)
		p.got = nil
	}
	add("log: ", s.f.admin)
	add("! ", s.f.log)
	for _, b := range s.f.changedBlocks() {
		if !slices.Contains(before, b) {
			out = append(out, "block "+b)
		}
	}
	s.console.got, s.f.admin, s.f.log = nil, nil, nil
	if err == nil {
		out = append(out, fmt.Sprintf("= %d, %d", res.Successes, res.Value))
	}
	return out
}

// TestScripts runs the files of testdata: lines "$ who: command", each with
// what is seen after it.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			s := newScript()
			for scan := bufio.NewScanner(bytes.NewReader(want)); scan.Scan(); {
				line := scan.Text()
				switch {
				case line == "$ reset":
					s = newScript()
					fmt.Fprintln(&got, line)
				case strings.HasPrefix(line, "$ "):
					fmt.Fprintln(&got, line)
					for _, l := range s.run(line[2:]) {
						fmt.Fprintln(&got, l)
					}
				case line == "" || strings.HasPrefix(line, "#"):
					fmt.Fprintln(&got, line)
				}
			}
			if *update {
				if err := os.WriteFile(file, got.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}
