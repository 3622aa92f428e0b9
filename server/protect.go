package server

import (
	"slices"

	"strata/anvil/chunk"
	"strata/server/command"
	"strata/server/play"
)

// protected reports whether a block is too near to the spawn for a player. As in
// the game nothing is protected as long as there are no operators.
func (s *Server) protected(p *play.Player, pos chunk.BlockPos) bool {
	near := int64(s.options.SpawnProtection)
	access := s.options.Access
	if near <= 0 || access == nil {
		return false
	}
	if far, there := s.spawnDistance(p, pos.X, pos.Z); !there || far > near {
		return false
	}
	ops := access.Ops()
	isOp := func(op command.Profile) bool { return op.UUID == p.UUID() }
	return len(ops) > 0 && !slices.ContainsFunc(ops, isOp)
}
