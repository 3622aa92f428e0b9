package carve

import (
	"fmt"
	"slices"
	"strings"

	"strata/anvil/block"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/settings"
)

// The registries that are read.
const (
	carverRegistry = "worldgen/configured_carver"
	biomeRegistry  = "worldgen/biome"
)

// MaxCarvers is how many carvers a biome may have.
const MaxCarvers = 256

// Carvers are the carvers of a dimension.
type Carvers struct {
	span    provider.Span
	lists   [][]*carver // by biome
	uniform bool        // all lists are equal
	chained bool        // see Worker.Carve
}

// Load reads the carvers of the biomes of a dimension, which are numbered by
// their place in the list. The span is that of the noise settings.
func Load(source settings.Source, biomes []string, span provider.Span) (*Carvers, error) {
	l := &loader{source: source, span: span, sets: make(map[string]*stateSet), byID: make(map[string]*carver)}
	c := &Carvers{span: span, uniform: true}
	for _, id := range biomes {
		list, err := l.biome(id)
		if err != nil {
			return nil, err
		}
		c.lists = append(c.lists, list)
		c.uniform = c.uniform && slices.Equal(list, c.lists[0])
		c.chained = c.chained || slices.ContainsFunc(list, (*carver).keepsGaussians)
	}
	return c, nil
}

// Empty reports whether no biome has a carver.
func (c *Carvers) Empty() bool {
	return !slices.ContainsFunc(c.lists, func(list []*carver) bool { return len(list) > 0 })
}

// keepsGaussians reports whether a start may leave half of a Gaussian pair to
// the next start.
func (c *carver) keepsGaussians() bool {
	return slices.ContainsFunc([]*provider.Float{
		&c.yScale, &c.horizontal, &c.vertical, &c.floor, &c.rotation, &c.distance, &c.thickness,
	}, (*provider.Float).Gaussian)
}

// biome returns the carvers of a biome.
func (l *loader) biome(id string) ([]*carver, error) {
	text, err := l.source.Document(biomeRegistry, id)
	if err != nil {
		return nil, err
	}
	v, err := provider.Parse(biomeRegistry, id, text)
	if err != nil {
		return nil, err
	}
	member, err := v.Member("carvers")
	if err != nil {
		return nil, err
	}
	elements, isList := member.List()
	if !isList {
		return l.named(member)
	}
	if len(elements) > MaxCarvers {
		return nil, member.Errorf("%d carvers, at most %d", len(elements), MaxCarvers)
	}
	list := make([]*carver, 0, len(elements))
	for _, element := range elements {
		c, err := l.element(element)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// element returns an element of a list of carvers: an id, or the carver itself.
func (l *loader) element(v provider.Value) (*carver, error) {
	if !v.IsText() {
		return l.carver(v)
	}
	id, err := v.ID()
	if err != nil {
		return nil, err
	}
	return l.configured(v, id)
}

// named returns what stands in place of a list: one carver, or a tag of them.
func (l *loader) named(v provider.Value) ([]*carver, error) {
	text, _ := v.Text()
	tag, isTag := strings.CutPrefix(text, "#")
	if !isTag {
		c, err := l.element(v)
		if err != nil {
			return nil, err
		}
		return []*carver{c}, nil
	}
	members, err := l.source.Tag(carverRegistry, settings.ID(tag))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", v.Errorf("tag"), err)
	}
	if len(members) > MaxCarvers {
		return nil, v.Errorf("%d carvers, at most %d", len(members), MaxCarvers)
	}
	list := make([]*carver, 0, len(members))
	for _, id := range members {
		c, err := l.configured(v, id)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// configured returns a carver by its id.
func (l *loader) configured(v provider.Value, id string) (*carver, error) {
	if c := l.byID[id]; c != nil {
		return c, nil
	}
	text, err := l.source.Document(carverRegistry, id)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", v.Errorf("carver"), err)
	}
	document, err := provider.Parse(carverRegistry, id, text)
	if err != nil {
		return nil, err
	}
	c, err := l.carver(document)
	if err != nil {
		return nil, err
	}
	l.byID[id] = c
	return c, nil
}

// stateSet is a set of block states.
type stateSet [(1 << 16) / 64]uint64

func (s *stateSet) has(state block.State) bool { return s[state>>6]>>(state&63)&1 != 0 }

// states reads a set of blocks: a tag, a block, or a list of blocks.
func (l *loader) states(v provider.Value) (*stateSet, error) {
	names, err := l.blocks(v)
	if err != nil {
		return nil, err
	}
	key := strings.Join(names, " ")
	if set := l.sets[key]; set != nil {
		return set, nil
	}
	var wanted [block.BlockCount]bool
	for _, name := range names {
		id, ok := block.Find(name)
		if !ok {
			return nil, v.Errorf("unknown block %s", name)
		}
		wanted[id] = true
	}
	set := new(stateSet)
	for state := range block.State(block.StateCount) {
		if wanted[state.Block()] {
			set[state>>6] |= 1 << (state & 63)
		}
	}
	l.sets[key] = set
	return set, nil
}

func (l *loader) blocks(v provider.Value) ([]string, error) {
	elements, isList := v.List()
	if !isList {
		text, err := v.Text()
		if err != nil {
			return nil, err
		}
		if tag, isTag := strings.CutPrefix(text, "#"); isTag {
			members, err := l.source.Tag("block", settings.ID(tag))
			if err != nil {
				return nil, fmt.Errorf("%w: %w", v.Errorf("tag"), err)
			}
			return members, nil
		}
		elements = []provider.Value{v}
	}
	var names []string
	for _, element := range elements {
		name, err := element.ID()
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}
