package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"strata/bench/testbed"
	"strata/cmd/internal/gamedata"
)

func TestCommittedTableIsTheOneGenerated(t *testing.T) {
	table, err := generate()
	if errors.Is(err, gamedata.ErrAbsent) {
		testbed.SkipOrFail(t, "game data: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(filepath.Join("..", "..", "..", "pregen", "worldgen", "structure", "template", output))
	if err != nil {
		t.Fatal(err)
	}
	if content, err := unpack(file); err != nil || !bytes.Equal(content, table) {
		t.Errorf("%s holds something else (%v): run go generate ./pregen/worldgen/structure/template", output, err)
	}
}
