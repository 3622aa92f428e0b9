package main

import (
	"fmt"
	"slices"
	"strings"
)

// The kinds of registries, as anvil/registry has them.
const (
	kindFixed = iota
	kindSynced
	kindData
)

// nameList is the names of one registry of one version, by number.
type nameList struct {
	name     string // without namespace
	kind     int
	fallback int // number of the default entry plus one
	names    []string
	ids      map[string]int
}

func newRegistry(name string, kind int, names []string) *nameList {
	r := &nameList{name: name, kind: kind, names: names, ids: make(map[string]int, len(names))}
	for i, n := range names {
		r.ids[n] = i
	}
	return r
}

// game is what the sections of one version refer to.
type game struct {
	*release
	list   []*nameList
	byName map[string]*nameList
}

// id returns the number of a name with or without namespace.
func (g *game) id(registry, name string) (int, error) {
	r := g.byName[registry]
	if r == nil {
		return 0, fmt.Errorf("no registry %s", registry)
	}
	id, ok := r.ids[bare(name)]
	if !ok {
		return 0, fmt.Errorf("%s has no %s", registry, name)
	}
	return id, nil
}

// bare takes the namespace off a name.
func bare(name string) string { return strings.TrimPrefix(name, "minecraft:") }

// syncedInsertions are registries that are synced since a version, by the one
// they follow. The order of 26.2 is that in which its server was seen to send
// them; it changes nothing for a client.
var syncedInsertions = map[string][2]string{"26.2": {"painting_variant", "sulfur_cube_archetype"}}

// syncedOrder returns the synced registries in the order they are sent.
func syncedOrder(in *inputs, version string) []string {
	var order []string
	for _, m := range in.login.get("dimensionCodec").members {
		order = append(order, bare(m.name))
	}
	if x, ok := syncedInsertions[version]; ok {
		i := slices.Index(order, x[0])
		order = slices.Insert(order, i+1, x[1])
	}
	return order
}

// newGame collects the registries of a version: the fixed ones of the report,
// the synced ones, and those of the data pack that have tags.
func newGame(in *inputs, rel *release) (*game, error) {
	g := &game{release: rel, byName: map[string]*nameList{}}
	report, err := rel.reports.json("registries.json")
	if err != nil {
		return nil, err
	}
	for _, m := range report.members {
		r, err := fixedRegistry(bare(m.name), m.value)
		if err != nil {
			return nil, err
		}
		g.add(r)
	}
	for _, name := range syncedOrder(in, rel.name) {
		g.add(newRegistry(name, kindSynced, rel.pack.list(name)))
	}
	for _, name := range taggedFolders(rel.pack) {
		if g.byName[name] == nil {
			g.add(newRegistry(name, kindData, rel.pack.list(name)))
		}
	}
	for _, r := range g.list {
		if len(r.names) == 0 {
			return nil, fmt.Errorf("registry %s is empty", r.name)
		}
	}
	return g, nil
}

func (g *game) add(r *nameList) {
	g.list = append(g.list, r)
	g.byName[r.name] = r
}

func fixedRegistry(name string, report *node) (*nameList, error) {
	entries := report.get("entries").members
	names := make([]string, len(entries))
	for _, e := range entries {
		id := e.value.get("protocol_id").int()
		if id >= len(names) || names[id] != "" {
			return nil, fmt.Errorf("registry %s: entry %s has number %d", name, e.name, id)
		}
		names[id] = bare(e.name)
	}
	r := newRegistry(name, kindFixed, names)
	if d := report.get("default"); d != nil {
		r.fallback = r.ids[bare(d.str())] + 1
	}
	return r, nil
}

// taggedFolders returns the registries that have tags, sorted.
func taggedFolders(pack files) []string {
	seen := map[string]bool{}
	for _, tag := range pack.list("tags") {
		seen[tagRegistry(tag)] = true
	}
	var names []string
	for name := range seen {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// tagRegistry returns the registry of a tag file below tags/.
func tagRegistry(file string) string {
	first, rest, _ := strings.Cut(file, "/")
	if first == "worldgen" {
		second, _, _ := strings.Cut(rest, "/")
		return first + "/" + second
	}
	return first
}

// encodeNames writes the section of all registries.
func encodeNames(g *game) []byte {
	e := newEncoder()
	e.number(len(g.list))
	for _, r := range g.list {
		e.text(r.name)
		e.number(r.kind)
		e.number(r.fallback)
		e.number(len(r.names))
		for _, name := range r.names {
			e.text(name)
		}
	}
	return e.data
}
