package anvil_test

import (
	"errors"
	"strings"
	"testing"

	"strata/anvil"
	"strata/anvil/block"
	"strata/anvil/datapack"
	"strata/anvil/registry"
)

// TestTablesOfVersionsAgree: each package has what it needs to know of the
// versions that are run, by data version, protocol and data pack format.
func TestTablesOfVersionsAgree(t *testing.T) {
	blocks := map[int]block.Info{}
	for _, info := range block.Tables() {
		blocks[info.Protocol] = info
	}
	oldest, newest := 1<<30, 0
	for _, v := range registry.Versions() {
		info := v.Info()
		oldest, newest = min(oldest, info.FirstDataVersion), max(newest, info.DataVersion)
		if name := anvil.ReleaseName(int32(info.DataVersion)); name != info.Name || info.Releases[len(info.Releases)-1] != name {
			t.Errorf("%d is %s, %+v", info.DataVersion, name, info)
		}
		b := blocks[info.Protocol]
		if b.Name != info.Name || b.FirstDataVersion != info.FirstDataVersion || b.DataVersion != info.DataVersion || b.Native != (v == registry.Native) {
			t.Errorf("blocks of protocol %d: %+v, registries %+v", info.Protocol, b, info)
		}
		for i, release := range info.Releases {
			d, ok := datapack.KnownVersion(release)
			if !ok || !d.Supported() || d.Protocol != info.Protocol || d.Format.String() != info.PackFormat || anvil.ReleaseName(int32(d.WorldVersion)) != release {
				t.Errorf("data of %s: %+v, registries %+v", release, d, info)
			}
			if i == 0 && d.WorldVersion != info.FirstDataVersion {
				t.Errorf("%s is data version %d, registries %+v", release, d.WorldVersion, info)
			}
		}
	}
	if oldest != anvil.MinChunkVersion || newest != anvil.NativeVersion || len(blocks) != len(registry.Versions()) {
		t.Errorf("registries of %d to %d, chunks of %d to %d, %d tables of blocks", oldest, newest, anvil.MinChunkVersion, anvil.NativeVersion, len(blocks))
	}
}

func TestVersionsSayWhatMayBeWritten(t *testing.T) {
	type check struct {
		name string
		err  error
		rule anvil.Rule // 0: allowed
		have int32
		want int32
	}
	for _, c := range []check{
		{"edit of an old chunk", anvil.CheckEdit(4903, 2975), 0, 0, 0},
		{"edit in a world of before 1.9", anvil.CheckEdit(0, 0), 0, 0, 0},
		{"edit in a newer world", anvil.CheckEdit(5023, 5023), 0, 0, 0},
		{"edit of a chunk newer than its world", anvil.CheckEdit(4790, 4903), anvil.ChunkNewerThanWorld, 4903, 4790},

		{"chunk of the world's version", anvil.CheckChunk(4903, 4903), 0, 0, 0},
		{"chunk of the oldest version", anvil.CheckChunk(4903, 4786), 0, 0, 0},
		{"chunk of a snapshot in between", anvil.CheckChunk(4903, 4883), 0, 0, 0},
		{"chunk of before", anvil.CheckChunk(4903, 4785), anvil.ChunkTooOld, 4785, 4786},
		{"chunk newer than its world", anvil.CheckChunk(4790, 4903), anvil.ChunkNewerThanWorld, 4903, 4790},
		{"chunk of a version to come", anvil.CheckChunk(4903, 5023), anvil.TooNew, 5023, 4903},
		{"known chunk in a world to come", anvil.CheckChunk(5023, 4903), anvil.TooNew, 5023, 4903},
		{"old world", anvil.CheckChunk(4082, 4082), anvil.ChunkTooOld, 4082, 4786},

		{"generate", anvil.CheckGenerate(4903, false), 0, 0, 0},
		{"generate in an older world", anvil.CheckGenerate(4790, false), anvil.WorldOlder, 4790, 4903},
		{"upgrade and generate", anvil.CheckGenerate(4790, true), 0, 0, 0},
		{"upgrade what cannot be", anvil.CheckGenerate(4082, true), anvil.NoConversion, 4082, 4903},
		{"generate in a world to come", anvil.CheckGenerate(4904, true), anvil.TooNew, 4904, 4903},

		{"raise from 26.1", anvil.CheckRaise(4786, 4903), 0, 0, 0},
		{"raise from just before 26.2", anvil.CheckRaise(4902, 4903), 0, 0, 0},
		{"raise nothing", anvil.CheckRaise(4082, 4082), 0, 0, 0},
		{"raise from before", anvil.CheckRaise(4785, 4903), anvil.NoConversion, 4785, 4903},
		{"raise half way", anvil.CheckRaise(4786, 4790), anvil.NoConversion, 4786, 4790},
		{"lower", anvil.CheckRaise(4903, 4790), anvil.NoConversion, 4903, 4790},
	} {
		var v *anvil.VersionError
		switch {
		case c.rule == 0 && c.err != nil:
			t.Errorf("%s: %v", c.name, c.err)
		case c.rule == 0:
		case !errors.As(c.err, &v) || v.Rule != c.rule || v.Have != c.have || v.Want != c.want || !errors.Is(c.err, anvil.ErrVersion):
			t.Errorf("%s: %v", c.name, c.err)
		case !strings.Contains(v.Error(), anvil.Describe(c.have)) || !strings.Contains(v.Error(), anvil.Describe(c.want)):
			t.Errorf("%s does not name both versions: %v", c.name, v)
		}
	}
}

func TestVersionsAreDescribed(t *testing.T) {
	for version, want := range map[int32]string{
		4903: "26.2 (4903)", 4883: "4883 (after 26.1.2)", 9999: "9999 (after 26.3)", 0: "before 1.9", -1: "before 1.9",
		100: "100 (before 1.9)", 1343: "1.12.2 (1343)",
	} {
		if got := anvil.Describe(version); got != want {
			t.Errorf("%d is %q, want %q", version, got, want)
		}
	}
}

func TestFeaturesCameWithTheirVersions(t *testing.T) {
	for _, tc := range []struct {
		feature anvil.Feature
		without int32
		with    int32
	}{
		{anvil.FlatNames, 1343, 1519}, {anvil.PoiFiles, 1631, 1952}, {anvil.ExternalChunks, 1976, 2225},
		{anvil.AlignedPacking, 2230, 2566}, {anvil.EntityFiles, 2586, 2724}, {anvil.SectionBiomes, 2730, 2860},
		{anvil.RootChunks, 2730, 2860}, {anvil.DimensionFolders, 4671, 4786},
	} {
		if tc.feature.Has(tc.without) || !tc.feature.Has(tc.with) {
			t.Errorf("feature %d: %v in %s, %v in %s", tc.feature, tc.feature.Has(tc.without), anvil.Describe(tc.without), tc.feature.Has(tc.with), anvil.Describe(tc.with))
		}
	}
}

func TestHeightsOfTheGamesDimensions(t *testing.T) {
	tall, low := anvil.Height{MinY: -64, Blocks: 384}, anvil.Height{Blocks: 256}
	for _, tc := range []struct {
		version   int32
		overworld anvil.Height
	}{{0, low}, {2586, low}, {2700, tall}, {2724, low}, {2730, low}, {2860, tall}, {4903, tall}} {
		if h, ok := anvil.HeightOf("minecraft:overworld", tc.version); h != tc.overworld || !ok {
			t.Errorf("overworld of %s: %v, %v", anvil.Describe(tc.version), h, ok)
		}
		for _, id := range []string{"minecraft:the_nether", "minecraft:the_end"} {
			if h, ok := anvil.HeightOf(id, tc.version); h != low || !ok {
				t.Errorf("%s of %s: %v, %v", id, anvil.Describe(tc.version), h, ok)
			}
		}
	}
	if h, ok := anvil.HeightOf("a:b", 4903); ok {
		t.Errorf("a:b: %v", h)
	}
}

func TestHeightsOfCustomDimensions(t *testing.T) {
	m := mem()
	dat(t, m, "w/level.dat", `{Data:{DataVersion:4189,WorldGenSettings:{seed:1L,dimensions:{
		"minecraft:overworld":{type:"a:tall"},"a:inline":{type:{min_y:-128,height:512,logical_height:100}},
		"a:caves":{type:"minecraft:overworld_caves"},"a:unknown":{type:"a:unknown"},"a:wrong":{type:{min_y:-8,height:512}},
		"a:huge":{type:{min_y:2000,height:4064}},"a:odd":{type:[1]},"a:liar":{type:"a:liar"},
		"a:far":{type:{min_y:2147483632,height:16}}}}}}`)
	w, err := anvil.Open("w", anvil.Options{FS: m, Types: func(id string) (anvil.Height, bool) {
		switch id {
		case "a:tall":
			return anvil.Height{MinY: -512, Blocks: 1024}, true
		case "a:liar":
			return anvil.Height{MinY: 0, Blocks: 1 << 30}, true
		}
		return anvil.Height{}, false
	}})
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]anvil.Height{
		"minecraft:overworld": {MinY: -512, Blocks: 1024}, "a:inline": {MinY: -128, Blocks: 512},
		"a:caves": {MinY: -64, Blocks: 384}, "minecraft:the_end": {Blocks: 256},
	} {
		if h, err := w.Height(id); err != nil || h != want {
			t.Errorf("%s: %v, %v", id, h, err)
		}
	}
	for _, id := range []string{"a:unknown", "a:wrong", "a:huge", "a:odd", "a:liar", "a:far", "a:absent"} {
		if h, err := w.Height(id); !errors.Is(err, anvil.ErrDimensionType) {
			t.Errorf("%s: %v, %v", id, h, err)
		}
	}
}
