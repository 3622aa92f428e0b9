package template

import (
	"errors"
	"fmt"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// Features returns the factories of the features that are built of templates,
// by type: fossil and template. Where the blocks of a template are not at hand
// they panic with a *LackingError, unless the library leaves those out.
func Features(l *Library) map[string]feature.Factory {
	return map[string]feature.Factory{
		"minecraft:fossil": func(f *feature.Loader, config provider.Value) (feature.Feature, error) {
			return newFossil(l, f, config)
		},
		"minecraft:template": func(_ *feature.Loader, config provider.Value) (feature.Feature, error) {
			return newWeighted(l, config)
		},
	}
}

// ErrLacking is wrapped by errors about templates whose blocks are not at hand.
var ErrLacking = errors.New("structure template that only the game's own files have")

// LackingError is what a feature panics with that cannot be built.
type LackingError struct{ ID string }

func (e *LackingError) Error() string { return fmt.Sprintf("%v: %s", ErrLacking, e.ID) }

// Unwrap returns ErrLacking.
func (e *LackingError) Unwrap() error { return ErrLacking }

// need returns a template for a feature, nil for nothing to build.
func (l *Library) need(id string) *Template {
	t, err := l.Template(id)
	if err == nil {
		return t
	}
	if l.Lacks(id) && !l.leaveOut.Load() {
		panic(&LackingError{id})
	}
	return nil
}

// fossil is the feature fossil: bones, and ore in their place.
type fossil struct {
	library           *Library
	bones, overlays   []string
	boneWork, oreWork []Processor
	maxEmptyCorners   int32
}

// maxFossils bounds the templates of a fossil.
const maxFossils = 1 << 10

func newFossil(l *Library, f *feature.Loader, config provider.Value) (feature.Feature, error) {
	made := &fossil{library: l}
	var err error
	if made.bones, err = memberIDs(config, "fossil_structures"); err != nil {
		return nil, err
	}
	if made.overlays, err = memberIDs(config, "overlay_structures"); err != nil {
		return nil, err
	}
	if len(made.bones) == 0 || len(made.bones) != len(made.overlays) {
		return nil, config.Errorf("%d fossils and %d overlays", len(made.bones), len(made.overlays))
	}
	for name, to := range map[string]*[]Processor{"fossil_processors": &made.boneWork, "overlay_processors": &made.oreWork} {
		member, err := config.Member(name)
		if err != nil {
			return nil, err
		}
		if *to, err = Processors(f, member); err != nil {
			return nil, err
		}
	}
	member, err := config.Member("max_empty_corners_allowed")
	if err != nil {
		return nil, err
	}
	made.maxEmptyCorners, err = member.Int(0, 7)
	return made, err
}

func memberIDs(v provider.Value, name string) ([]string, error) {
	member, err := v.Member(name)
	if err != nil {
		return nil, err
	}
	list, ok := member.List()
	if !ok || len(list) > maxFossils {
		return nil, member.Errorf("not a list of at most %d", maxFossils)
	}
	ids := make([]string, len(list))
	for i, element := range list {
		if ids[i], err = element.ID(); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// Place implements feature.Feature.
func (f *fossil) Place(c *feature.Context, x, y, z int) bool {
	rotation := block.Rotation(c.Random.IntN(4))
	which := c.Random.IntN(int32(len(f.bones)))
	bones, ores := f.library.need(f.bones[which]), f.library.need(f.overlays[which])
	if bones == nil || ores == nil {
		return false
	}
	center := c.Center()
	s := &Settings{
		Rotation: rotation, Random: c.Random,
		Box: Box{
			MinX: center.X<<4 - 16, MinY: int32(c.MinY()), MinZ: center.Z<<4 - 16,
			MaxX: center.X<<4 + 31, MaxY: int32(c.Top()) - 1, MaxZ: center.Z<<4 + 31,
		},
	}
	sizeX, _, sizeZ := bones.Size(rotation)
	lowX, lowZ := int32(x)-sizeX/2, int32(z)-sizeZ/2
	lowest := y
	for dx := range sizeX {
		for dz := range sizeZ {
			lowest = min(lowest, c.Height(chunk.OceanFloorWG, int(lowX+dx), int(lowZ+dz)))
		}
	}
	deep := int32(max(lowest-15-int(c.Random.IntN(10)), c.MinY()+10))
	atX, atZ := bones.zero(lowX, lowZ, rotation)
	if emptyCorners(c, s.BoxAt(&bones.Shape, atX, deep, atZ)) > f.maxEmptyCorners {
		return false
	}
	s.Processors = f.boneWork
	bones.Place(c, atX, deep, atZ, atX, deep, atZ, s, c.Random)
	s.Processors = f.oreWork
	ores.Place(c, atX, deep, atZ, atX, deep, atZ, s, c.Random)
	return true
}

// zero returns where a template that is turned begins, if its lowest corner is
// to be at x, z.
func (s *Shape) zero(x, z int32, r block.Rotation) (int32, int32) {
	switch r {
	case block.Clockwise90:
		return x + s.SizeZ - 1, z
	case block.Clockwise180:
		return x + s.SizeX - 1, z + s.SizeZ - 1
	case block.Counterclockwise90:
		return x, z + s.SizeX - 1
	}
	return x, z
}

// emptyCorners counts the corners of a box that are in air, water or lava.
func emptyCorners(c *feature.Context, b Box) int32 {
	count := int32(0)
	for _, x := range [...]int32{b.MinX, b.MaxX} {
		for _, y := range [...]int32{b.MinY, b.MaxY} {
			for _, z := range [...]int32{b.MinZ, b.MaxZ} {
				s := c.Block(int(x), int(y), int(z))
				if s.Air() || s.Block() == block.Water || s.Block() == block.Lava {
					count++
				}
			}
		}
	}
	return count
}

// weightedTemplates is the feature template: one of some templates, turned, in
// the middle of its place.
type weightedTemplates struct {
	library *Library
	entries []weightedTemplate
	total   int32
}

type weightedTemplate struct {
	id        string
	rotations []block.Rotation
	weight    int32
}

func newWeighted(l *Library, config provider.Value) (feature.Feature, error) {
	member, err := config.Member("templates")
	if err != nil {
		return nil, err
	}
	list, ok := member.List()
	if !ok || len(list) == 0 || len(list) > maxFossils {
		return nil, member.Errorf("not a list of 1 to %d", maxFossils)
	}
	made := &weightedTemplates{library: l}
	for _, element := range list {
		e, err := readWeighted(element)
		if err != nil {
			return nil, err
		}
		made.entries = append(made.entries, e)
		made.total += e.weight
	}
	return made, nil
}

func readWeighted(v provider.Value) (e weightedTemplate, err error) {
	data, err := v.Member("data")
	if err != nil {
		return e, err
	}
	if e.id, err = memberID(data, "id"); err != nil {
		return e, err
	}
	weight, err := v.Member("weight")
	if err != nil {
		return e, err
	}
	if e.weight, err = weight.Int(1, 1<<20); err != nil {
		return e, err
	}
	member, ok, err := data.Optional("rotations")
	if err != nil {
		return e, err
	}
	if !ok {
		e.rotations = []block.Rotation{block.NoRotation, block.Clockwise90, block.Clockwise180, block.Counterclockwise90}
		return e, nil
	}
	list, ok := member.List()
	if !ok || len(list) == 0 || len(list) > maxFossils {
		return e, member.Errorf("not a list of 1 to %d", maxFossils)
	}
	for _, element := range list {
		text, err := element.Text()
		if err != nil {
			return e, err
		}
		r, ok := rotationNames[text]
		if !ok {
			return e, element.Errorf("unknown rotation %q", text)
		}
		e.rotations = append(e.rotations, r)
	}
	return e, nil
}

// rotationNames are the names that documents use.
var rotationNames = map[string]block.Rotation{
	"none": block.NoRotation, "clockwise_90": block.Clockwise90, "180": block.Clockwise180,
	"counterclockwise_90": block.Counterclockwise90,
}

// Place implements feature.Feature.
func (f *weightedTemplates) Place(c *feature.Context, x, y, z int) bool {
	draw := c.Random.IntN(f.total)
	i := 0
	for draw -= f.entries[0].weight; draw >= 0; draw -= f.entries[i].weight {
		i++
	}
	e := &f.entries[i]
	rotation := e.rotations[c.Random.IntN(int32(len(e.rotations)))]
	t := f.library.need(e.id)
	if t == nil {
		return false
	}
	westX, _, westZ := rotation.Direction(block.West).Step()
	northX, _, northZ := rotation.Direction(block.North).Step()
	atX := int32(x) + westX*(t.SizeX/2) + northX*(t.SizeZ/2)
	atZ := int32(z) + westZ*(t.SizeX/2) + northZ*(t.SizeZ/2)
	center := c.Center()
	s := &Settings{
		Rotation: rotation, Random: c.Random,
		Box: Box{
			MinX: center.X<<4 - 16, MinY: int32(c.MinY()), MinZ: center.Z<<4 - 16,
			MaxX: center.X<<4 + 31, MaxY: int32(c.Top()) - 1, MaxZ: center.Z<<4 + 31,
		},
	}
	return t.Place(c, atX, int32(y), atZ, atX, int32(y), atZ, s, c.Random)
}
