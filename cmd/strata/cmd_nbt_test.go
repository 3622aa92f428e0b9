package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil"
	"strata/anvil/session"
	"strata/cmd/internal/ui"
	"strata/region/vfs"
)

// newWorld makes an empty world and returns its folder.
func newWorld(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "world")
	w, err := anvil.Create(path, anvil.CreateOptions{Seed: 42})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestNBTCommandsEditInPlaceAndKeepTheFile(t *testing.T) {
	file := filepath.Join(newWorld(t), "level.dat")
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		args string
		code ui.Code
		out  string // "*" for anything
	}{
		{"get PATH Data.LevelName", ui.OK, "\"world\"\n"},
		{"get PATH Data.LevelName --json", ui.OK, "[\n  \"world\"\n]\n"},
		{"get PATH Data.Nothing", ui.Problems, ""},
		{"set PATH Data.LevelName \"Home\"", ui.Usage, ""}, // nobody to ask
		{"set PATH Data.LevelName \"Home\" --dry-run", ui.OK, "*"},
		{"get PATH Data.LevelName", ui.OK, "\"world\"\n"},
		{"set PATH Data.LevelName \"Home\" --yes", ui.OK, "*"},
		{"get PATH Data.LevelName", ui.OK, "\"Home\"\n"},
		{"set PATH Data.LevelName {broken --yes", ui.Usage, ""},
		{"set PATH Data[ 1 --yes", ui.Usage, ""},
		{"set PATH Data.New.Place 7b --yes", ui.Problems, ""},
		{"set PATH Data.New.Place 7b --create --yes", ui.OK, "*"},
		{"get PATH Data.New --compact", ui.OK, "{Place:7b}\n"},
		{"get PATH Data.New --compact --typed --json", ui.OK, "*"},
		{"remove PATH Data.New --yes", ui.OK, "*"},
		{"set PATH Data.LevelName \"world\" --yes", ui.OK, "*"},
		{"set PATH Data.LevelName \"world\" --yes", ui.OK, "*"}, // is so already
		{"print PATH.none", ui.Missing, ""},
	} {
		args := append([]string{"nbt"}, strings.Fields(strings.ReplaceAll(step.args, "PATH", file))...)
		code, out, errText := runPlain(t, args...)
		if code != step.code || step.out != "*" && out != step.out {
			t.Errorf("%s: exit %d, want %d: %q, want %q; %s", step.args, code, step.code, out, step.out, errText)
		}
	}
	after, err := readNBT(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, before, 0o666); err != nil {
		t.Fatal(err)
	}
	first, err := readNBT(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first.Bytes(), after.Bytes()); diff != "" {
		t.Errorf("edits there and back changed the file:\n%s", diff)
	}
}

func TestNBTSetRespectsTheSessionLock(t *testing.T) {
	world := newWorld(t)
	lock, err := session.Acquire(vfs.OS(), world)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	players := filepath.Join(world, "data", "minecraft", "weather.dat")
	for _, file := range []string{filepath.Join(world, "level.dat"), players} {
		code, _, errText := runPlain(t, "nbt", "set", file, "DataVersion", "1", "--yes")
		if code != ui.Locked {
			t.Errorf("%s: exit %d, want %d: %s", file, code, ui.Locked, errText)
		}
		if code, _, errText := runPlain(t, "nbt", "print", file); code != ui.OK {
			t.Errorf("print %s: exit %d: %s", file, code, errText)
		}
	}
}
