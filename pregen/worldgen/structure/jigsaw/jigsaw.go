package jigsaw

import (
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/structure"
)

// Factories returns what makes the layouts of this package, by type. The maps
// of several calls share nothing.
func Factories() map[string]structure.Factory {
	read := &cache{}
	return map[string]structure.Factory{
		"minecraft:jigsaw": func(l *structure.Loader, v provider.Value) (structure.Layout, error) {
			p, err := read.pools(l)
			if err != nil {
				return nil, err
			}
			return p.readLayout(v)
		},
	}
}

// cache has the pools of the loader that asked last.
type cache struct {
	loader *structure.Loader
	last   *pools
}

func (c *cache) pools(l *structure.Loader) (*pools, error) {
	if c.loader == l {
		return c.last, nil
	}
	p, err := readPools(l)
	if err != nil {
		return nil, err
	}
	c.loader, c.last = l, p
	return p, nil
}

// Readers returns what reads stored pieces of this package, by id.
func Readers(l *structure.Loader) (map[string]structure.Reader, error) {
	p, err := readPools(l)
	if err != nil {
		return nil, err
	}
	return map[string]structure.Reader{PieceID: p.readPiece}, nil
}
