// Package structuretest compares structures with those of real worlds.
package structuretest

import (
	"fmt"
	"slices"
	"testing"

	"strata/pregen/worldgen/gen"
	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/preset"
	"strata/pregen/worldgen/settings"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/structure/template"
)

// DataVersion returns the data version of a folder of oracletest.Worlds.
func DataVersion(folder string) int32 {
	if folder == "stages-26.1.2" {
		return 4790
	}
	return 4903
}

// Dimension makes the generator of a dimension of a normal world.
func Dimension(t testing.TB, seed int64, dataVersion int32, name string) (*gen.Dimension, settings.Source) {
	t.Helper()
	source, err := settings.Builtin(dataVersion)
	if err != nil {
		t.Fatal(err)
	}
	created, err := preset.New(source, preset.Options{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	w, err := gen.New(gen.Options{Source: source, Settings: created, DataVersion: dataVersion})
	if err != nil {
		t.Fatal(err)
	}
	d, err := w.Dimension("minecraft:" + name)
	if err != nil {
		t.Fatal(err)
	}
	return d, source
}

// Load makes the structures of a dimension of a normal world.
func Load(t testing.TB, seed int64, dataVersion int32, name string, templates *template.Library, factories map[string]structure.Factory) (*structure.System, *structure.Starts) {
	t.Helper()
	d, source := Dimension(t, seed, dataVersion, name)
	layouter := d.NewLayouter(templates)
	loader := structure.NewLoader(source, templates, factories)
	loader.Span = layouter.Span
	system, err := structure.Load(loader, d.Biomes(), seed)
	if err != nil {
		t.Fatal(err)
	}
	return system, system.NewKnown(nil).NewStarts(layouter)
}

// Count is how many starts of a structure were compared.
type Count struct {
	Known  int // in the real world
	Found  int // at the same place
	Equal  int // with equal pieces
	False  int // not in the real world
	Pieces int
	Moved  int // pieces that differ in height alone
}

// Compare finds the structures of the known chunks of a dimension and compares
// them. counts is by the id of the structure. told is called with the
// differences.
func Compare(s *structure.System, starts *structure.Starts, saved *oracletest.Starts, counts map[string]*Count, told func(format string, args ...any)) {
	at := map[[2]int32][]oracletest.Start{}
	for _, start := range saved.Starts {
		if known := s.Structure(start.ID); known != nil && known.Layout != nil {
			at[[2]int32{start.X, start.Z}] = append(at[[2]int32{start.X, start.Z}], start)
			of(counts, start.ID).Known++
		}
	}
	for _, chunk := range saved.Known {
		expected := at[chunk]
		for _, start := range starts.At(chunk[0], chunk[1]) {
			i := slices.IndexFunc(expected, func(e oracletest.Start) bool { return e.ID == start.ID })
			if i < 0 {
				of(counts, start.ID).False++
				told("%s at %v is not in the real world", start.ID, chunk)
				continue
			}
			of(counts, start.ID).Found++
			if difference := of(counts, start.ID).compare(start, &expected[i]); difference != "" {
				told("%s at %v: %s", start.ID, chunk, difference)
			}
			expected = slices.Delete(slices.Clone(expected), i, i+1)
		}
		for _, missing := range expected {
			told("%s at %v is missing", missing.ID, chunk)
		}
	}
}

func of(counts map[string]*Count, id string) *Count {
	if counts[id] == nil {
		counts[id] = &Count{}
	}
	return counts[id]
}

// compare compares the pieces of a start and says what differs first. Pieces
// that settle their height when they are placed may differ in it.
func (c *Count) compare(start *structure.Start, saved *oracletest.Start) string {
	difference := ""
	if len(start.Pieces) != len(saved.Pieces) {
		difference = fmt.Sprintf("%d pieces, want %d", len(start.Pieces), len(saved.Pieces))
	}
	for i := range min(len(start.Pieces), len(saved.Pieces)) {
		got, want := start.Pieces[i].Common().Box, saved.Pieces[i].BB
		c.Pieces++
		box := [6]int32{got.MinX, got.MinY, got.MinZ, got.MaxX, got.MaxY, got.MaxZ}
		if box == want || reloaded(start.Pieces[i], want) {
			continue
		}
		down := want[1] - box[1]
		if box[1], box[4] = box[1]+down, box[4]+down; box == want {
			c.Moved++
			continue
		}
		if difference == "" {
			difference = fmt.Sprintf("piece %d is %v, want %v %s", i, got, want, saved.Pieces[i].Location+saved.Pieces[i].Template)
		}
	}
	if difference == "" {
		c.Equal++
	}
	return difference
}

// reloaded reports whether a box is that of a piece which the game has read
// from a file.
func reloaded(p structure.Piece, want [6]int32) bool {
	r, ok := p.(interface{ Reloaded() structure.Box })
	return ok && r.Reloaded() == structure.NewBox(want[0], want[1], want[2], want[3], want[4], want[5])
}
