package settings_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"strata/anvil/datapack"
	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/settings"
)

// TestTheGamesOwnPackChangesNothing lays the data pack of 26.2, which is the
// lowest of a world that has the user's game files, over the tables: the tags,
// and documents of one registry.
func TestTheGamesOwnPackChangesNothing(t *testing.T) {
	registries := []string{
		"dimension_type", "tags/block", "tags/fluid", "tags/worldgen/biome", "tags/worldgen/structure", "worldgen/biome",
	}
	pack, own := oracletest.Datapack(t), builtin(t, 4903)
	dir := t.TempDir()
	for _, registry := range registries {
		ids, err := pack.IDs(registry)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			text, err := pack.Document(registry, id)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, "data", "minecraft", filepath.FromSlash(registry), filepath.FromSlash(strings.TrimPrefix(id, "minecraft:"))+".json")
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, text, 0o644)); err != nil {
				t.Fatal(err)
			}
		}
	}
	p, err := datapack.Open(dir, datapack.Options{Name: "vanilla"})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	s := settings.Layered(own, datapack.NewStack(datapack.Format{Major: 107, Minor: 1}, p))
	for _, registry := range registries {
		want, errWant := own.IDs(registry)
		got, err := s.IDs(registry)
		if err := errors.Join(err, errWant); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v", registry, got, err)
		}
		for _, id := range want {
			ours, errOurs := own.Document(registry, id)
			theirs, err := s.Document(registry, id)
			if err := errors.Join(err, errOurs); err != nil {
				t.Fatal(err)
			}
			if d := difference("", parse(t, ours), parse(t, theirs)); d != "" {
				t.Errorf("%s %s%s", registry, id, d)
			}
			if tagged, isTags := strings.CutPrefix(registry, "tags/"); isTags {
				want, errWant := own.Tag(tagged, id)
				got, err := s.Tag(tagged, id)
				if err := errors.Join(err, errWant); err != nil || !slices.Equal(got, want) {
					t.Errorf("tag %s of %s: %v, %v; want %v", id, tagged, got, err, want)
				}
			}
		}
	}
}
