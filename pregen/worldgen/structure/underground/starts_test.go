package underground

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"strata/bench/testbed"
	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/structure"
)

// realStart is the start of a structure in a real world.
type realStart struct {
	X, Z   int32
	ID     string
	Pieces []struct {
		ID       string `json:"id"`
		BB       [6]int32
		O, GD    int32
		Template string
	}
	folder, dimension string
	seed              int64
}

// realStarts returns the known starts of real worlds whose ids match.
func realStarts(t testing.TB, match func(id string) bool) (list []realStart) {
	t.Helper()
	for _, from := range oracletest.Worlds {
		for _, dimension := range oracletest.Dimensions {
			file, err := os.Open(filepath.Join(testbed.Shared(t), "oracle", from.Folder, dimension, "starts.json.gz"))
			if os.IsNotExist(err) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			text, err := gzip.NewReader(file)
			if err != nil {
				t.Fatal(err)
			}
			var document struct {
				Starts []realStart `json:"starts"`
			}
			if err := json.NewDecoder(text).Decode(&document); err != nil {
				t.Fatal(err)
			}
			if err := file.Close(); err != nil {
				t.Fatal(err)
			}
			for _, s := range document.Starts {
				if s.ID = strings.TrimPrefix(s.ID, "minecraft:"); match(s.ID) {
					s.folder, s.dimension, s.seed = from.Folder, dimension, from.Seed
					list = append(list, s)
				}
			}
		}
	}
	if len(list) == 0 {
		t.Fatal("no starts")
	}
	return list
}

// same reports where pieces differ from those of a real start; -1 for nowhere.
func (s *realStart) same(pieces []structure.Piece) int {
	for i, want := range s.Pieces {
		if i >= len(pieces) {
			return i
		}
		b := pieces[i].Common()
		box := [6]int32{b.Box.MinX, b.Box.MinY, b.Box.MinZ, b.Box.MaxX, b.Box.MaxY, b.Box.MaxZ}
		if b.ID != want.ID || b.Depth != want.GD || box != want.BB || b.Facing != structure.Facing(want.O+1) {
			return i
		}
	}
	if len(pieces) != len(s.Pieces) {
		return len(s.Pieces)
	}
	return -1
}

// laidOut compares layouts with those of real starts.
func laidOut(t *testing.T, ids []string, layout func(s *realStart) []structure.Piece) {
	t.Helper()
	equal, pieces := 0, 0
	starts := realStarts(t, func(id string) bool { return slices.Contains(ids, id) })
	for i := range starts {
		s := &starts[i]
		ours := layout(s)
		if at := s.same(ours); at >= 0 {
			t.Errorf("%s %s %d,%d: piece %d of %d differs, %d made", s.folder, s.ID, s.X, s.Z, at, len(s.Pieces), len(ours))
			if at < len(ours) && at < len(s.Pieces) {
				t.Logf("%+v want %+v", *ours[at].Common(), s.Pieces[at])
			}
			continue
		}
		equal++
		pieces += len(s.Pieces)
	}
	t.Logf("%d of %d starts of %v equal, with %d pieces", equal, len(starts), ids, pieces)
}
