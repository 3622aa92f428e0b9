package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"

	"strata/cmd/internal/gamedata"
)

// input is everything that the sources say.
type input struct {
	versions []*version
	npm      map[string]npmBlock
	shapes   npmShapes
	lights   map[string]stateLight
	tags     map[string][]string // of blocks, resolved
	colors   []mapColor
}

// report is a game version's list of blocks by number.
type report []reportBlock

type reportBlock struct {
	Name       string
	Kind       string
	Properties []property
	First      int
	States     int
	Default    int // place among the states
}

type property struct {
	name   string
	values []string
}

// value returns the place of the property's value in the block's i-th state.
func (b *reportBlock) value(i, prop int) int {
	for at := len(b.Properties) - 1; at > prop; at-- {
		i /= len(b.Properties[at].values)
	}
	return i % len(b.Properties[prop].values)
}

// get returns the text of a property in the block's i-th state, or "".
func (b *reportBlock) get(i int, name string) string {
	for at, p := range b.Properties {
		if p.name == name {
			return p.values[b.value(i, at)]
		}
	}
	return ""
}

type npmBlock struct {
	Name         string
	Hardness     *float32 // null for none
	Resistance   float32
	Transparent  bool
	EmitLight    int
	FilterLight  int
	MinStateID   int `json:"minStateId"`
	MaxStateID   int `json:"maxStateId"`
	HarvestTools map[string]bool
}

type npmShapes struct {
	Blocks map[string]json.RawMessage // a shape, or one for each state
	Shapes map[string][][6]float64
}

// stateLight is the light of a block's states: by the values of properties,
// joined by commas.
type stateLight struct {
	Properties []string
	Light      map[string]int
}

type mapColor struct {
	ID   int
	Name string
	RGB  [3]byte
}

const npmData = "minecraft-data/data/pc/26.1/"

func read(sources *gamedata.Sources) (*input, error) {
	in := &input{versions: gameVersions(), npm: map[string]npmBlock{}}
	files, err := sources.Package(npmData+"blocks.json", npmData+"blockCollisionShapes.json")
	if err != nil {
		return nil, err
	}
	var list []npmBlock
	if err := json.Unmarshal(files[npmData+"blocks.json"], &list); err != nil {
		return nil, fmt.Errorf("blocks.json: %w", err)
	}
	for _, b := range list {
		in.npm[b.Name] = b
	}
	if err := json.Unmarshal(files[npmData+"blockCollisionShapes.json"], &in.shapes); err != nil {
		return nil, fmt.Errorf("blockCollisionShapes.json: %w", err)
	}
	for _, v := range in.versions {
		if err := v.read(sources); err != nil {
			return nil, err
		}
	}
	if in.tags, err = readTags(sources); err != nil {
		return nil, err
	}
	light, err := sources.File("block-light-by-state.json")
	if err != nil {
		return nil, err
	}
	var lights struct{ Blocks map[string]stateLight }
	if err := json.Unmarshal(light, &lights); err != nil {
		return nil, fmt.Errorf("block-light-by-state.json: %w", err)
	}
	in.lights = lights.Blocks
	const colors = "26.2/map_colors.json"
	files, err = sources.Archive("extracted-registries-26.1-26.2.tar.zst", func(p string) bool { return p == colors })
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(files[colors], &in.colors); err != nil {
		return nil, fmt.Errorf("%s: %w", colors, err)
	}
	return in, nil
}

// read reads the reports of a game version.
func (v *version) read(sources *gamedata.Sources) error {
	const blocks, registries = "reports/blocks.min.json", "reports/registries.json"
	files, err := sources.Archive(v.archive, func(p string) bool { return p == blocks || p == registries })
	if err != nil {
		return err
	}
	var states map[string]struct {
		Definition struct{ Type string }
		Properties map[string][]string
		States     []struct {
			ID         int
			Default    bool
			Properties map[string]string
		}
	}
	if err := json.Unmarshal(files[blocks], &states); err != nil {
		return fmt.Errorf("%s of %s: %w", blocks, v.name, err)
	}
	var numbers map[string]struct {
		Entries map[string]struct {
			ID int `json:"protocol_id"`
		}
	}
	if err := json.Unmarshal(files[registries], &numbers); err != nil {
		return fmt.Errorf("%s of %s: %w", registries, v.name, err)
	}
	v.report = make(report, len(states))
	for name, entry := range numbers["minecraft:block"].Entries {
		s, ok := states[name]
		if !ok || entry.ID >= len(v.report) || v.report[entry.ID].Name != "" {
			return fmt.Errorf("block %s of %s: number %d does not fit", name, v.name, entry.ID)
		}
		b := reportBlock{Name: trim(name), Kind: trim(s.Definition.Type), First: s.States[0].ID, States: len(s.States)}
		for name, values := range s.Properties {
			b.Properties = append(b.Properties, property{name, values})
		}
		sort.Slice(b.Properties, func(i, j int) bool { return b.Properties[i].name < b.Properties[j].name })
		// That names are in order and the first is slowest is seen here.
		for i, state := range s.States {
			if state.ID != b.First+i {
				return fmt.Errorf("%s of %s: states are not in a row", name, v.name)
			}
			for key, value := range state.Properties {
				if b.get(i, key) != value {
					return fmt.Errorf("%s of %s: state %d has %s=%s", name, v.name, state.ID, key, value)
				}
			}
			if state.Default {
				b.Default = i
			}
		}
		v.report[entry.ID] = b
	}
	next := 0
	for _, b := range v.report {
		if b.First != next {
			return fmt.Errorf("%s of %s: states begin at %d, not %d", b.Name, v.name, b.First, next)
		}
		next += b.States
	}
	v.blocks, v.states = len(v.report), next
	return nil
}

func trim(name string) string { return strings.TrimPrefix(name, "minecraft:") }

// readTags reads the block tags of 26.2 and resolves tags in tags.
func readTags(sources *gamedata.Sources) (map[string][]string, error) {
	const folder = "minecraft/tags/block/"
	files, err := sources.Archive("vanilla-datapack-26.2.tar.zst", func(p string) bool { return strings.HasPrefix(p, folder) })
	if err != nil {
		return nil, err
	}
	raw := map[string][]string{}
	for path, data := range files {
		var tag struct{ Values []string }
		if err := json.Unmarshal(data, &tag); err != nil {
			return nil, fmt.Errorf("tag %s: %w", path, err)
		}
		raw[strings.TrimSuffix(strings.TrimPrefix(path, folder), ".json")] = tag.Values
	}
	tags := map[string][]string{}
	var resolve func(name string, depth int) ([]string, error)
	resolve = func(name string, depth int) ([]string, error) {
		values, ok := raw[name]
		if !ok || depth > 16 {
			return nil, fmt.Errorf("tag %s cannot be resolved", name)
		}
		var list []string
		for _, v := range values {
			if inner, isTag := strings.CutPrefix(v, "#"); isTag {
				below, err := resolve(trim(inner), depth+1)
				if err != nil {
					return nil, err
				}
				list = append(list, below...)
				continue
			}
			list = append(list, trim(v))
		}
		slices.Sort(list)
		return slices.Compact(list), nil
	}
	for name := range raw {
		if tags[name], err = resolve(name, 0); err != nil {
			return nil, err
		}
	}
	return tags, nil
}
