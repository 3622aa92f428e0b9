package edit

import (
	"fmt"
	"path"
	"strings"

	"strata/anvil/registry"
)

// completeID gives a name without a namespace that of the game.
func completeID(name string) string {
	if strings.Contains(name, ":") {
		return name
	}
	return "minecraft:" + name
}

// matcher picks names: those that are given, those of tags (#NAME, of the game's
// own data of 26.2), and those that patterns with * and ? match.
type matcher struct {
	names    map[string]bool
	patterns []string
}

// newMatcher reads names. key is the registry that they are of.
func newMatcher(key string, names []string) (*matcher, error) {
	m := &matcher{names: map[string]bool{}}
	for _, name := range names {
		name = strings.TrimSpace(name)
		tag, isTag := strings.CutPrefix(name, "#")
		switch {
		case name == "" || tag == "":
			return nil, fmt.Errorf("%w: an empty name", ErrValue)
		case isTag:
			if err := m.addTag(key, completeID(tag)); err != nil {
				return nil, err
			}
		case strings.ContainsAny(name, "*?"):
			if strings.ContainsAny(name, `[]\`) {
				return nil, fmt.Errorf("%w: pattern %s", ErrValue, name)
			}
			m.patterns = append(m.patterns, flat(completeID(name)))
		default:
			m.names[completeID(name)] = true
		}
	}
	return m, nil
}

func (m *matcher) addTag(key, tag string) error {
	found := registry.TagsOf(key, registry.V26_2).Tag(tag)
	if found == nil {
		return fmt.Errorf("%w: %s has no tag %s", ErrValue, key, tag)
	}
	entries := registry.Of(key, registry.V26_2)
	for _, id := range found.IDs() {
		if name, ok := entries.Name(id); ok {
			m.names[name] = true
		}
	}
	return nil
}

func (m *matcher) has(name string) bool {
	name = completeID(name)
	if m.names[name] {
		return true
	}
	for _, p := range m.patterns {
		if ok, err := path.Match(p, flat(name)); ok && err == nil {
			return true
		}
	}
	return false
}

// flat has no slashes, which patterns would not match.
func flat(name string) string { return strings.ReplaceAll(name, "/", "\x00") }
