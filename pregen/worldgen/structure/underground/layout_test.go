package underground_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/settings"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/structure/structuretest"
	"strata/pregen/worldgen/structure/template"
	"strata/pregen/worldgen/structure/underground"
)

// eachDimension calls a function for the dimensions of some of the real worlds
// whose structures are known.
func eachDimension(t *testing.T, folders []string, do func(system *structure.System, starts *structure.Starts, known *oracletest.Starts)) {
	t.Helper()
	for _, from := range oracletest.Worlds {
		if !slices.Contains(folders, from.Folder) {
			continue
		}
		for _, dimension := range oracletest.Dimensions[:2] {
			known := oracletest.ReadStarts(t, from.Folder, dimension)
			if len(known.Starts) == 0 {
				continue
			}
			system, starts := structuretest.Load(t, from.Seed, structuretest.DataVersion(from.Folder), dimension, template.Builtin(), underground.Factories())
			do(system, starts, known)
		}
	}
}

// varied are the worlds that together have all kinds of pieces.
var varied = []string{"fabric-b", "vanilla-a"}

// TestPiecesAreThoseOfRealWorlds lays out all known starts. That there are no
// others is tested with all structures, as those of a set exclude each other.
func TestPiecesAreThoseOfRealWorlds(t *testing.T) {
	equal, pieces := map[string]int{}, map[string]int{}
	eachDimension(t, []string{"vanilla-a", "fabric-b", "paper-c", "stages-26.1.2"}, func(system *structure.System, starts *structure.Starts, known *oracletest.Starts) {
		for _, want := range known.Starts {
			if s := system.Structure(want.ID); s == nil || s.Layout == nil {
				continue
			}
			var got *structure.Start
			for _, s := range starts.At(want.X, want.Z) {
				if s.ID == want.ID {
					got = s
				}
			}
			if got == nil {
				t.Errorf("no %s at %d,%d", want.ID, want.X, want.Z)
				continue
			}
			if difference := differs(got.Pieces, want.Pieces); difference != "" {
				t.Errorf("%s at %d,%d: %s", want.ID, want.X, want.Z, difference)
				continue
			}
			equal[want.ID]++
			pieces[want.ID] += len(want.Pieces)
		}
	})
	want := map[string]int{
		"minecraft:mineshaft": 108, "minecraft:stronghold": 3, "minecraft:fortress": 13,
		"minecraft:nether_fossil": 295, "minecraft:buried_treasure": 18,
	}
	t.Logf("starts %v, pieces %v", equal, pieces)
	if d := cmp.Diff(want, equal); d != "" {
		t.Errorf("equal starts (-want +got):\n%s", d)
	}
}

// differs says which piece is not that of a real world. The chest of a treasure
// is where it was placed, or at 90 before that.
func differs(got []structure.Piece, want []oracletest.Piece) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d pieces, want %d", len(got), len(want))
	}
	for i, p := range got {
		b, w := p.Common(), want[i]
		if w.ID == "minecraft:btp" {
			w.BB[1], w.BB[4] = 90, 90
		}
		box := structure.NewBox(w.BB[0], w.BB[1], w.BB[2], w.BB[3], w.BB[4], w.BB[5])
		if b.ID != w.ID || b.Box != box || b.Depth != w.GD || b.Facing != structure.Facing(w.O+1) {
			return fmt.Sprintf("piece %d is %+v, want %+v", i, *b, w)
		}
	}
	return ""
}

// TestPiecesAreReadAsTheyAreSaved saves and reads all kinds of pieces.
func TestPiecesAreReadAsTheyAreSaved(t *testing.T) {
	readers := underground.Readers()
	met := map[string]bool{}
	eachDimension(t, varied, func(system *structure.System, starts *structure.Starts, known *oracletest.Starts) {
		for _, at := range known.Starts {
			if s := system.Structure(at.ID); s == nil || s.Layout == nil || met[at.ID] && at.ID == "minecraft:nether_fossil" {
				continue
			}
			met[at.ID] = true
			for _, start := range starts.At(at.X, at.Z) {
				for _, p := range start.Pieces {
					saved := structure.SavePiece(p)
					met[p.Common().ID] = true
					fields := structure.NewFields(saved)
					read, err := readers[p.Common().ID](fields.ReadBase(), fields)
					if err != nil {
						t.Fatalf("%v: %v", saved, err)
					}
					if d := cmp.Diff(saved, structure.SavePiece(read)); d != "" {
						t.Fatalf("%s (-saved +read):\n%s", p.Common().ID, d)
					}
					large := structure.NewFields(saved).ReadBase()
					large.Box.MaxX += 60
					if _, err := readers[large.ID](large, structure.NewFields(saved)); !errors.Is(err, structure.ErrPiece) {
						t.Fatalf("%s in the box %v: %v, want %v", large.ID, large.Box, err, structure.ErrPiece)
					}
				}
			}
		}
	})
	for id := range readers {
		if !met[id] {
			t.Errorf("no %s was met", id)
		}
	}
}

// TestPiecesDoNotMeet lays out structures in many chunks: their pieces share no
// block, but for corridors of strongholds that fill a gap, which reach into the
// wall behind it.
func TestPiecesDoNotMeet(t *testing.T) {
	source, err := settings.Builtin(4903)
	if err != nil {
		t.Fatal(err)
	}
	for _, dimension := range []string{"overworld", "the_nether"} {
		const seed = 20261130
		d, _ := structuretest.Dimension(t, seed, 4903, dimension)
		l := d.NewLayouter(template.Builtin())
		system, err := structure.Load(structure.NewLoader(source, template.Builtin(), underground.Factories()), d.Biomes(), seed)
		if err != nil {
			t.Fatal(err)
		}
		random := rng.NewWorldgenLegacy(0)
		l.Random = &random
		for _, s := range system.Structures() {
			if s.Layout == nil {
				continue
			}
			pieces := 0
			for at := range int32(30) {
				l.ChunkX, l.ChunkZ = at*37, -at*11
				random.SetLargeFeatureSeed(seed, l.ChunkX, l.ChunkZ)
				point, ok := s.Layout.Find(l)
				if !ok {
					continue
				}
				made := point.Pieces(l)
				pieces += len(made)
				for i, p := range made {
					if p.Common().ID == "minecraft:shfc" {
						continue
					}
					for _, o := range made[:i] {
						if o.Common().ID != "minecraft:shfc" && p.Common().Box.Meets(o.Common().Box) {
							t.Fatalf("%s at %d,%d: %v meets %v", s.ID, l.ChunkX, l.ChunkZ, *p.Common(), *o.Common())
						}
					}
				}
			}
			t.Logf("%s: %d pieces in 30 chunks", s.ID, pieces)
		}
	}
}
