package prune

import (
	"errors"
	"fmt"

	"strata/anvil/query"
	"strata/region"
)

// ErrRules is wrapped by errors about rules that make no sense.
var ErrRules = errors.New("not a rule")

// The limits of rules, in chunks.
const (
	MaxMargin = 128
	MaxRadius = 4096
)

// Rules say what stays whatever was picked. The zero value protects nothing and
// has no margin.
type Rules struct {
	// Margin is how far around decorated chunks that stay others stay as well,
	// in chunks: 0 to MaxMargin. 1 is what the game's features need.
	Margin int
	// Spawn, Players, Respawns and Forced protect the chunk with the world's
	// spawn, those with players, those where players respawn, and those that
	// are kept loaded.
	Spawn, Players, Respawns, Forced bool
	// Radius is how many chunks around each of the first three are protected
	// as well: 0 to MaxRadius.
	Radius int
	// Circles and Selection protect chunks of all dimensions that are looked at.
	Circles   []Circle
	Selection *query.Selection
}

// Circle protects the chunks that it touches.
type Circle struct {
	X, Z, Radius int64 // in blocks
}

// Has reports whether the circle touches a chunk.
func (c Circle) Has(pos region.ChunkPos) bool {
	nearest := func(at int64, chunk int32) float64 {
		low := int64(chunk) * 16
		return float64(min(max(at, low), low+15) - at)
	}
	dx, dz := nearest(c.X, pos.X), nearest(c.Z, pos.Z)
	return dx*dx+dz*dz <= float64(c.Radius)*float64(c.Radius)
}

func (r *Rules) check() error {
	if r.Margin < 0 || r.Margin > MaxMargin {
		return fmt.Errorf("%w: a margin of %d chunks, not 0 to %d", ErrRules, r.Margin, MaxMargin)
	}
	if r.Radius < 0 || r.Radius > MaxRadius {
		return fmt.Errorf("%w: a radius of %d chunks, not 0 to %d", ErrRules, r.Radius, MaxRadius)
	}
	for _, c := range r.Circles {
		if c.Radius < 0 {
			return fmt.Errorf("%w: a circle with a radius below 0", ErrRules)
		}
	}
	return nil
}

// columns are the fields of rows that the rules need.
func (r *Rules) columns() []string {
	columns := []string{"status", "inhabited"}
	if r.Players {
		columns = append(columns, "players")
	}
	if r.Respawns {
		columns = append(columns, "respawns")
	}
	if r.Forced {
		columns = append(columns, "forced")
	}
	return columns
}

// point reports whether a chunk has players to protect with what is around it.
func (r *Rules) point(row *query.Row) bool {
	return r.Players && row.Players > 0 || r.Respawns && row.Respawns > 0
}

// protects reports whether a chunk is protected by itself.
func (r *Rules) protects(row *query.Row) bool {
	if r.Forced && row.Forced || r.Selection != nil && r.Selection.Has(row.Pos()) {
		return true
	}
	for _, c := range r.Circles {
		if c.Has(row.Pos()) {
			return true
		}
	}
	return false
}
