package jigsaw

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/settings"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/structure/template"
)

const poolRegistry = "worldgen/template_pool"

// emptyPool is the pool that is meant to be empty.
const emptyPool = "minecraft:empty"

// maxNesting bounds elements within elements and aliases within aliases.
const maxNesting = 16

// maxWeight bounds an element's weight; the game's is as large.
const maxWeight = 150

// pool is an entry of worldgen/template_pool.
type pool struct {
	id       string
	elements []*element // each as often as its weight
	fallback *pool
	height   int32 // of its highest element
}

// pools are all pools that there are, by id. They do not change.
type pools struct {
	source    settings.Source
	templates *template.Library
	loader    *structure.Loader
	blocks    *feature.Loader // reads the blocks of processors
	byID      map[string]*pool
}

// readPools reads all pools.
func readPools(l *structure.Loader) (*pools, error) {
	p := &pools{source: l.Source(), templates: l.Templates, loader: l, byID: make(map[string]*pool)}
	if p.blocks = l.Features; p.blocks == nil {
		p.blocks = feature.NewLoader(p.source, nil, func(string) {})
	}
	ids, err := p.source.IDs(poolRegistry)
	if err != nil {
		return nil, err
	}
	documents := make(map[string]provider.Value, len(ids))
	for _, id := range ids {
		text, err := p.source.Document(poolRegistry, id)
		if err != nil {
			return nil, err
		}
		if documents[id], err = provider.Parse(poolRegistry, id, text); err != nil {
			return nil, err
		}
		p.byID[id] = &pool{id: id}
	}
	for _, id := range ids {
		if err := p.read(p.byID[id], documents[id]); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *pools) read(made *pool, v provider.Value) error {
	member, err := v.Member("fallback")
	if err != nil {
		return err
	}
	id, err := member.ID()
	if err != nil {
		return err
	}
	if made.fallback = p.byID[id]; made.fallback == nil {
		return member.Errorf("no pool %s", id)
	}
	if member, err = v.Member("elements"); err != nil {
		return err
	}
	list, ok := member.List()
	if !ok || len(list) > maxElements {
		return member.Errorf("not a list of at most %d", maxElements)
	}
	for _, entry := range list {
		member, err := entry.Member("element")
		if err != nil {
			return err
		}
		e, err := p.element(member, 0)
		if err != nil {
			return err
		}
		if member, err = entry.Member("weight"); err != nil {
			return err
		}
		weight, err := member.Int(1, maxWeight)
		if err != nil {
			return err
		}
		for range weight {
			made.elements = append(made.elements, e)
		}
		if e.kind != emptyKind {
			_, height, _ := e.box(0, 0, 0, block.NoRotation).Span()
			made.height = max(made.height, height)
		}
	}
	return nil
}

// usable reports whether pieces can be taken from a pool: it is there, and not
// empty unless it is meant to be.
func (p *pool) usable() bool { return p != nil && (len(p.elements) > 0 || p.id == emptyPool) }
