package climate_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"strata/bench/testbed"
	"strata/pregen/worldgen/climate"
	"strata/pregen/worldgen/settings"
)

// wanted makes a set of the biomes of a source.
func wanted(t testing.TB, s *climate.Source, names ...string) []bool {
	t.Helper()
	set := make([]bool, len(s.Biomes()))
	for _, name := range names {
		at := slices.Index(s.Biomes(), settings.ID(name))
		if at < 0 {
			t.Fatalf("no biome %s", name)
		}
		set[at] = true
	}
	return set
}

// byOrder finds a biome as the game's command is described: all columns of a
// square, ring by ring, and in each all heights from the start out.
func byOrder(reader *climate.Reader, set []bool, q climate.Query) (climate.Place, bool) {
	x, z, stepX, stepZ := 0, 0, 1, 0
	for length := 1; ; length++ {
		for range 2 {
			for range length {
				if max(x, -x, z, -z) > q.Radius/q.Horizontal {
					return climate.Place{}, false
				}
				for k := 0; k <= q.Height; k += q.Vertical {
					for _, y := range []int{q.Y + k, q.Y - k} {
						if y <= q.MinY || y > q.MinY+q.Height {
							continue
						}
						blockX, blockZ := q.X+x*q.Horizontal, q.Z+z*q.Horizontal
						if biome := reader.At(blockX>>2, y>>2, blockZ>>2); set[biome] {
							return climate.Place{X: blockX, Y: y, Z: blockZ, Biome: biome}, true
						}
					}
				}
				x, z = x+stepX, z+stepZ
			}
			stepX, stepZ = -stepZ, stepX
		}
	}
}

func TestLocateFindsTheFirstPlaceInTheGamesOrder(t *testing.T) {
	for dimension, biomes := range map[string][]string{
		"overworld":  {"desert", "lush_caves", "river", "deep_dark", "plains"},
		"the_nether": {"warped_forest", "basalt_deltas"},
		"the_end":    {"end_highlands", "the_end"},
	} {
		d := openDimension(t, dimension, 1234, version262)
		reader := d.source.Reader(d.chunk)
		q := climate.Query{X: -301, Y: 70, Z: 77, MinY: 0, Height: 256, Radius: 1500, Horizontal: 32, Vertical: 64}
		if dimension == "overworld" {
			q.MinY, q.Height = -64, 384
		}
		for _, name := range biomes {
			set := wanted(t, d.source, name)
			got, found, err := reader.Locate(set, q, nil)
			if err != nil {
				t.Fatal(err)
			}
			want, wantFound := byOrder(reader, set, q)
			if got != want || found != wantFound {
				t.Errorf("%s: %v %v, want %v %v", name, got, found, want, wantFound)
			}
			t.Logf("%s: %v %v", name, got, found)
		}
	}
}

func TestLocateEndsWithoutBiomesHeightsOrTime(t *testing.T) {
	d := openDimension(t, "overworld", 1, version262)
	reader := d.source.Reader(d.chunk)
	set := wanted(t, d.source, "mushroom_fields")
	query := climate.Query{MinY: -64, Height: 384, Y: 1000}
	if _, found, err := reader.Locate(set, query, nil); found || err != nil {
		t.Errorf("above the dimension: %v, %v", found, err)
	}
	query.Y = 0
	if _, found, err := reader.Locate(make([]bool, 1), query, nil); found || err != nil {
		t.Errorf("no biome: %v, %v", found, err)
	}
	asked := 0
	if _, found, err := reader.Locate(set, query, func() bool { asked++; return true }); found || err != nil || asked != 1 {
		t.Errorf("stopped: %v, %v, after %d questions", found, err, asked)
	}
	for _, bad := range []climate.Query{{Radius: -1}, {Radius: 1 << 40}, {Radius: 60_000_000, Horizontal: 1}, {Vertical: -3}} {
		if _, _, err := reader.Locate(set, bad, nil); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
}

// What is left out because of one parameter must not be a place that a search
// of all columns finds.
func TestLocateFindsTheSameWithSingleParameters(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 7))
	d := openDimension(t, "overworld", random.Int64(), version262)
	whole, single := d.source.Reader(d.chunk), d.source.Reader(d.partial())
	found := 0
	for range testbed.Runs(t, 16) {
		biome := d.source.Biomes()[random.IntN(len(d.source.Biomes()))]
		set := wanted(t, d.source, biome)
		q := climate.Query{
			X: random.IntN(200000) - 100000, Y: random.IntN(300) - 60, Z: random.IntN(200000) - 100000,
			MinY: -64, Height: 384, Radius: 1200,
		}
		want, wantOK, err := whole.Locate(set, q, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, ok, err := single.Locate(set, q, nil)
		if got != want || ok != wantOK || err != nil {
			t.Errorf("%s from %d %d %d: %v %v %v, want %v %v", biome, q.X, q.Y, q.Z, got, ok, err, want, wantOK)
		}
		if ok {
			found++
		}
	}
	t.Logf("found %d", found)
}

// A biome that is not there costs all columns.
func BenchmarkLocate(b *testing.B) {
	d := openDimension(b, "overworld", 1, version262)
	query := climate.Query{MinY: -64, Height: 384, Y: 64}
	for _, name := range []string{"plains", "lush_caves", "mushroom_fields", "ice_spikes"} {
		for kind, sampler := range map[string]climate.Sampler{"whole": d.chunk, "single": d.partial()} {
			b.Run("biome="+name+"/parameters="+kind, func(b *testing.B) {
				reader, set := d.source.Reader(sampler), wanted(b, d.source, name)
				report := onThread(b)
				for b.Loop() {
					if _, _, err := reader.Locate(set, query, nil); err != nil {
						b.Fatal(err)
					}
				}
				report(1, "search")
			})
		}
	}
}
