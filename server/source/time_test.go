package source

import (
	"fmt"
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
	for _, tile := range []int32{8, 16} {
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

// TestTimeOfStrips measures what a chunk takes when a view moves, a row of
// chunks at a time.
func TestTimeOfStrips(t *testing.T) {
	if os.Getenv("STRATA_COST") == "" {
		t.Skip("STRATA_COST=1 measures")
	}
	for _, ahead := range []bool{false, true} {
		t.Run(fmt.Sprintf("ahead=%v", ahead), func(t *testing.T) { timeStrips(t, ahead) })
	}
}

func timeStrips(t *testing.T, ahead bool) {
	r := newRig(t, anvil.CreateOptions{Seed: 1234})
	s := r.source(t, Options{Ahead: ahead})
	list := around(region.ChunkPos{}, 6)
	s.Want(list)
	got, relit := collect(t, s, len(list))
	release(got, relit)
	for row := range int32(8) {
		var strip []Request
		for x := int32(-6); x <= 6; x++ {
			strip = append(strip, Request{region.ChunkPos{X: x, Z: 7 + row}, x * x})
		}
		start := time.Now()
		s.Want(strip)
		got, relit := collect(t, s, len(strip))
		t.Logf("row %d: %d chunks, %.1f ms a chunk", row, len(strip), float64(time.Since(start))/1e6/float64(len(strip)))
		release(got, relit)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
