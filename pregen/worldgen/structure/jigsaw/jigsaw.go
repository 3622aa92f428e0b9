package jigsaw

import (
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/structure"
)

// Factories returns what makes the layouts of this package, by type.
func Factories() map[string]structure.Factory {
	return map[string]structure.Factory{
		"minecraft:jigsaw": func(l *structure.Loader, v provider.Value) (structure.Layout, error) {
			p, err := poolsOf(l)
			if err != nil {
				return nil, err
			}
			return p.readLayout(v)
		},
	}
}

// poolsOf reads the pools of a loader's documents once.
func poolsOf(l *structure.Loader) (*pools, error) {
	read, err := l.Once("minecraft:jigsaw", func() (any, error) { return readPools(l) })
	if err != nil {
		return nil, err
	}
	return read.(*pools), nil
}

// Readers returns what reads stored pieces of this package, by id.
func Readers(l *structure.Loader) (map[string]structure.Reader, error) {
	p, err := poolsOf(l)
	if err != nil {
		return nil, err
	}
	return map[string]structure.Reader{PieceID: p.readPiece}, nil
}
