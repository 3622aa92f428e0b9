package rng_test

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"strata/bench/testbed"
	"strata/pregen/worldgen/rng"
)

// startsFile is what the oracle knows of the structure starts of a world.
type startsFile struct {
	Starts []struct {
		X, Z int32
		ID   string
	} `json:"starts"`
	Known map[string]string `json:"known_chunks_by_region_bitmap"`
}

var startWorlds = []struct {
	folder string
	seed   int64
}{
	{"vanilla-a", 6854583389113976052},
	{"fabric-b", 3270447568912029277},
	{"paper-c", -5294008629080886081},
}

func readStarts(t *testing.T, folder, dimension string) startsFile {
	t.Helper()
	f, err := os.Open(testbed.Shared(t, "oracle", folder, dimension, "starts.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var starts startsFile
	if err := json.NewDecoder(unpacked).Decode(&starts); err != nil {
		t.Fatal(err)
	}
	return starts
}

// linearSets are structure sets of 26.2 that are spread evenly: a start lies
// in each cell at a place drawn from the region seed.
var linearSets = []struct {
	prefixes            []string
	spacing, separation int32
	salt                int32
}{
	{[]string{"village_"}, 34, 8, 10387312},
	{[]string{"shipwreck"}, 24, 4, 165745295},
	{[]string{"ocean_ruin_"}, 20, 8, 14357621},
	{[]string{"ruined_portal"}, 40, 15, 34222645},
	{[]string{"trial_chambers"}, 34, 12, 94251327},
	{[]string{"trail_ruins"}, 34, 8, 83469867},
	{[]string{"ancient_city"}, 24, 8, 20083232},
	{[]string{"igloo"}, 32, 8, 14357618},
	{[]string{"desert_pyramid"}, 32, 8, 14357617},
	{[]string{"swamp_hut"}, 32, 8, 14357620},
}

func TestRegionSeedPlacesStructuresOfRealWorlds(t *testing.T) {
	compared := 0
	for _, world := range startWorlds {
		for _, start := range readStarts(t, world.folder, "overworld").Starts {
			name := strings.TrimPrefix(start.ID, "minecraft:")
			for _, set := range linearSets {
				if !slices.ContainsFunc(set.prefixes, func(p string) bool { return strings.HasPrefix(name, p) }) {
					continue
				}
				cellX, cellZ := floorDiv(start.X, set.spacing), floorDiv(start.Z, set.spacing)
				source := rng.NewWorldgenLegacy(0)
				source.SetRegionSeed(world.seed, cellX, cellZ, set.salt)
				x := cellX*set.spacing + source.IntN(set.spacing-set.separation)
				z := cellZ*set.spacing + source.IntN(set.spacing-set.separation)
				if x != start.X || z != start.Z {
					t.Errorf("%s: %s is at chunk %d,%d, the region seed says %d,%d", world.folder, name, start.X, start.Z, x, z)
				}
				compared++
			}
		}
	}
	t.Logf("compared %d starts", compared)
	if compared < 100 {
		t.Errorf("compared only %d starts", compared)
	}
}

// A chunk starts a mineshaft when the first double after the large-feature
// seed is below 0.004, and its biome allows one, as nearly all do.
func TestLargeFeatureSeedChoosesMineshaftsOfRealWorlds(t *testing.T) {
	const frequency = 0.004
	var known, agreed, absent int
	for _, world := range startWorlds {
		file := readStarts(t, world.folder, "overworld")
		starting := map[string]bool{}
		for _, start := range file.Starts {
			if strings.HasPrefix(start.ID, "minecraft:mineshaft") {
				starting[fmt.Sprint(start.X, start.Z)] = true
			}
		}
		for _, chunk := range knownChunks(t, file.Known) {
			source := rng.NewWorldgenLegacy(0)
			source.SetLargeFeatureSeed(world.seed, chunk[0], chunk[1])
			chosen, starts := source.Double() < frequency, starting[fmt.Sprint(chunk[0], chunk[1])]
			known++
			switch {
			case starts && !chosen:
				t.Errorf("%s: a mineshaft starts at chunk %v against its seed", world.folder, chunk)
			case starts:
				agreed++
			case chosen:
				absent++
			}
		}
	}
	t.Logf("of %d chunks %d start a mineshaft as their seed says; %d do not start one that it allows", known, agreed, absent)
	if agreed < 80 || absent*10 > agreed {
		t.Errorf("%d mineshafts agree and %d are absent", agreed, absent)
	}
}

// knownChunks lists the chunks of bitmaps by region: bit x + 32 z, the lowest
// bit of each byte first.
func knownChunks(t *testing.T, regions map[string]string) (chunks [][2]int32) {
	t.Helper()
	for name, text := range regions {
		var regionX, regionZ int32
		if _, err := fmt.Sscanf(name, "%d.%d", &regionX, &regionZ); err != nil {
			t.Fatal(err)
		}
		bits, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(bits) != 128 {
			t.Fatalf("bitmap of region %s: %d bytes, %v", name, len(bits), err)
		}
		for i := range int32(1024) {
			if bits[i/8]>>(i%8)&1 != 0 {
				chunks = append(chunks, [2]int32{regionX*32 + i%32, regionZ*32 + i/32})
			}
		}
	}
	return chunks
}

func floorDiv(a, b int32) int32 {
	quotient := a / b
	if a%b < 0 {
		quotient--
	}
	return quotient
}
