package source

import (
	"os"
	"strconv"
	"testing"
	"time"

	"strata/anvil"
	"strata/region"
)

// TestTime measures how long chunks take to come, for a view as at a join.
// STRATA_COST=1 go test -run TestTime -v
func TestTime(t *testing.T) {
	if os.Getenv("STRATA_COST") == "" {
		t.Skip("STRATA_COST=1 measures")
	}
	radius := int32(6)
	if v, err := strconv.Atoi(os.Getenv("STRATA_RADIUS")); err == nil {
		radius = int32(v)
	}
	for _, tile := range []int32{4, 8, 16} {
		r := newRig(t, anvil.CreateOptions{Seed: 1234})
		start := time.Now()
		s := r.source(t, Options{Tile: tile})
		opened := time.Since(start)
		list := around(region.ChunkPos{}, radius)
		s.Want(list)
		first, relit := collect(t, s, 9)
		nine := time.Since(start)
		rest, relit2 := collect(t, s, len(list)-9)
		all := time.Since(start)
		m := s.Metrics()
		t.Logf("tile %d: generator %v, first 9 after %v, all %d after %v, %.1f ms a chunk; %+v", tile, opened.Round(time.Millisecond), nine.Round(time.Millisecond), len(list), all.Round(time.Millisecond),
			float64(all-nine)/1e6/float64(len(list)-9), m)
		release(first, relit)
		release(rest, relit2)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
