package main

import (
	"fmt"

	"strata/cmd/internal/gamedata"
)

// version is a game version of which the binary has a table.
type version struct {
	name            string
	protocol        int
	firstData, data int
	archive         string
	report          report
	substitutes     map[string]string
	blocks, states  int
}

// The tables, newest first. The first is the native one, which the facts are
// for; another version is another line.
func gameVersions() []*version {
	return []*version{
		{name: "26.2", protocol: 776, firstData: 4903, data: 4903, archive: "vanilla-reports-26.2.tar.zst"},
		{name: "26.1.2", protocol: 775, firstData: 4786, data: 4790, archive: "vanilla-generated-26.1.2.tar.zst", substitutes: modelOf},
	}
}

func main() { gamedata.Exit("genblock", run()) }

func run() error {
	sources, err := gamedata.Open(".")
	if err != nil {
		return err
	}
	out, err := generate(sources)
	if err != nil {
		return err
	}
	return out.write(".")
}

// generate makes the files from the sources.
func generate(sources *gamedata.Sources) (*output, error) {
	in, err := read(sources)
	if err != nil {
		return nil, err
	}
	facts, err := build(in)
	if err != nil {
		return nil, fmt.Errorf("build: %w", err)
	}
	return emit(in, encode(in, facts), sources.Inputs())
}
