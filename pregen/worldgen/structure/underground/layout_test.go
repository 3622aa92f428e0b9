package underground

import (
	"testing"

	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/structure"
)

// layouterAt returns a layouter for a chunk of a dimension of the game's own,
// which knows nothing of the ground.
func layouterAt(seed int64, dimension string, x, z int32) *structure.Layouter {
	random := rng.NewWorldgenLegacy(0)
	random.SetLargeFeatureSeed(seed, x, z)
	l := &structure.Layouter{Random: &random, Seed: seed, ChunkX: x, ChunkZ: z, MinY: -64, Tall: 384, SeaLevel: 63}
	if dimension == "the_nether" {
		l.MinY, l.Tall, l.SeaLevel = 0, 256, 32
	}
	l.Span = provider.Span{MinY: l.MinY, Height: l.Tall}
	if dimension == "the_nether" {
		l.Span.Height = 128
	}
	return l
}

// piecesOf lays out a structure that is allowed everywhere.
func piecesOf(layout structure.Layout, l *structure.Layouter) []structure.Piece {
	point, ok := layout.Find(l)
	if !ok {
		return nil
	}
	return point.Pieces(l)
}

func TestMineshaftsAreLaidOutAsInRealWorlds(t *testing.T) {
	laidOut(t, []string{"mineshaft"}, func(s *realStart) []structure.Piece {
		return piecesOf(mineshaft{oakShaft}, layouterAt(s.seed, s.dimension, s.X, s.Z))
	})
}

func TestStrongholdsAreLaidOutAsInRealWorlds(t *testing.T) {
	laidOut(t, []string{"stronghold"}, func(s *realStart) []structure.Piece {
		return piecesOf(stronghold{}, layouterAt(s.seed, s.dimension, s.X, s.Z))
	})
}

func TestFortressesAreLaidOutAsInRealWorlds(t *testing.T) {
	laidOut(t, []string{"fortress"}, func(s *realStart) []structure.Piece {
		return piecesOf(fortress{}, layouterAt(s.seed, s.dimension, s.X, s.Z))
	})
}
