package settings

import (
	"errors"
	"testing"
)

func TestTagsOfTooManyIDsAreRefused(t *testing.T) {
	s, err := Builtin(4903)
	if err != nil {
		t.Fatal(err)
	}
	all, err := s.Tag("worldgen/biome", "is_overworld")
	if err != nil || len(all) < 50 {
		t.Fatal(all, err)
	}
	resolve := func(most int) error {
		r := &tagResolver{
			source: s, registry: "worldgen/biome", exists: func(string) bool { return true },
			done: map[string][]string{}, failed: map[string]error{}, most: most,
		}
		_, err := r.resolve("minecraft:is_overworld")
		return err
	}
	if err := resolve(len(all)); err != nil {
		t.Error(err)
	}
	if err := resolve(len(all) - 1); !errors.Is(err, ErrDocument) {
		t.Errorf("one id too many: %v", err)
	}
}
