package surface

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"strata/anvil/block"
	"strata/bench/testbed"
	"strata/pregen/worldgen/noise"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/settings"
)

// maker makes random rules, biomes and terrain.
type maker struct{ *rand.Rand }

// object is a JSON object of a type and fields, in turn names and values.
func (m maker) object(kind string, fields ...any) map[string]any {
	o := map[string]any{"type": "minecraft:" + kind}
	for i := 0; i < len(fields); i += 2 {
		o[fields[i].(string)] = fields[i+1]
	}
	return o
}

func (m maker) pick(list ...string) string { return list[m.IntN(len(list))] }

func (m maker) flag() bool { return m.IntN(2) == 0 }

func (m maker) anchor() map[string]any {
	switch m.IntN(3) {
	case 0:
		return map[string]any{"absolute": m.IntN(100) - 50}
	case 1:
		return map[string]any{"above_bottom": m.IntN(100)}
	}
	return map[string]any{"below_top": m.IntN(100)}
}

func (m maker) block() map[string]any {
	name := m.pick("stone", "dirt", "grass_block", "gravel", "deepslate", "air", "water", "lava", "powder_snow", "ice")
	return m.object("block", "result_state", map[string]any{"Name": "minecraft:" + name})
}

func (m maker) rule(depth int) map[string]any {
	switch kind := m.IntN(8); {
	case depth > 5 || kind == 0:
		return m.block()
	case kind == 1:
		return m.object("bandlands")
	case kind < 4:
		list := []any{}
		for range m.IntN(5) {
			list = append(list, m.rule(depth+1))
		}
		return m.object("sequence", "sequence", list)
	}
	return m.object("condition", "if_true", m.condition(), "then_run", m.rule(depth+1))
}

var randomBiomes = []string{
	"minecraft:plains", "minecraft:eroded_badlands", "minecraft:frozen_ocean",
	"minecraft:deep_frozen_ocean", "minecraft:desert", "minecraft:snowy_slopes",
}

func (m maker) condition() map[string]any {
	switch m.IntN(13) {
	case 0:
		return m.object("not", "invert", m.condition())
	case 1:
		return m.object("biome", "biome_is", m.pick(randomBiomes...))
	case 2:
		return m.object("biome", "biome_is", []any{m.pick(randomBiomes...), m.pick(randomBiomes...), "minecraft:river"})
	case 3:
		low := m.Float64() - 0.8
		return m.object("noise_threshold", "noise", m.pick("minecraft:surface", "minecraft:gravel", "minecraft:ice"),
			"min_threshold", low, "max_threshold", low+m.Float64(), "is_3d", m.flag())
	case 4:
		return m.object("vertical_gradient", "random_name", m.pick("a", "b"),
			"true_at_and_below", m.anchor(), "false_at_and_above", m.anchor())
	case 5:
		return m.object("y_above", "anchor", m.anchor(), "surface_depth_multiplier", m.IntN(5)-2, "add_stone_depth", m.flag())
	case 6:
		return m.object("water", "offset", m.IntN(10)-6, "surface_depth_multiplier", m.IntN(3)-1, "add_stone_depth", m.flag())
	case 7:
		return m.object("temperature")
	case 8:
		return m.object("steep")
	case 9:
		return m.object("hole")
	case 10:
		return m.object("above_preliminary_surface")
	}
	return m.object("stone_depth", "offset", m.IntN(4)-1, "add_surface_depth", m.flag(),
		"secondary_depth_range", m.IntN(2)*m.IntN(12), "surface_type", m.pick("floor", "ceiling"))
}

// system makes a system of a random rule.
func (m maker) system(t *testing.T, source settings.Source, l limits) (*System, string) {
	t.Helper()
	text, err := json.Marshal(m.rule(0))
	if err != nil {
		t.Fatal(err)
	}
	rule, err := Parse(source, "random", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	biomes, err := ReadBiomes(source, randomBiomes)
	if err != nil {
		t.Fatal(err)
	}
	s, err := newLimited(Settings{
		Rule: rule, Noises: noise.NewSet(m.Int64(), m.flag(), settings.Noises(source)), Biomes: biomes,
		DefaultBlock: block.MustParse("stone"), SeaLevel: m.IntN(40) - 20, MinY: -64, Height: 112,
	}, l)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s, string(text)
}

// chunk makes terrain of ragged ground with caves and lakes.
func (m maker) chunk(stone block.State) *proto.Chunk {
	c := proto.New(-64, 128)
	c.Reset(int32(m.IntN(2000)-1000), int32(m.IntN(2000)-1000))
	tuff := block.MustParse("tuff")
	water, cave := block.MustParse("water"), block.MustParse("cave_air")
	ground, sea := m.IntN(60)-20, m.IntN(40)-20
	for x := range 16 {
		for z := range 16 {
			top := ground + m.IntN(6) + x*m.IntN(3)
			state := stone
			for y := -64; y <= min(max(top, sea), 63); y++ {
				if m.IntN(8) == 0 {
					state = []block.State{stone, stone, stone, tuff, water, 0, cave}[m.IntN(7)]
				}
				at := state
				if y > top {
					at = water
				}
				c.Blocks[c.Index(x, y, z)] = at
			}
		}
	}
	c.ComputeHeights()
	return c
}

// patches are biomes in cubes of four blocks.
type patches struct {
	salt  uint64
	kinds []proto.Biome
}

func (m maker) patches() patches {
	p := patches{salt: m.Uint64()}
	for range 1 + m.IntN(3) {
		p.kinds = append(p.kinds, proto.Biome(m.IntN(len(randomBiomes))))
	}
	return p
}

// At implements Biomes.
func (p patches) At(x, y, z int) proto.Biome {
	h := p.salt ^ uint64(x>>2)*0x9E3779B97F4A7C15 ^ uint64(y>>2)*0xC2B2AE3D27D4EB4F ^ uint64(z>>2)*0x165667B19E3779F9
	return p.kinds[h>>32%uint64(len(p.kinds))]
}

// known is patches as a Palette.
type knownPatches struct{ patches }

// Present implements Palette.
func (p knownPatches) Present(low, high int, list []proto.Biome) []proto.Biome {
	for y := low; y <= high; y += 4 {
		list = append(list, p.kinds...)
	}
	return list
}

// corners is a preliminary surface that differs between the corners.
type corners [4]int

// PreliminarySurface implements Preliminary.
func (c corners) PreliminarySurface(x, z int) int { return c[x>>4&1|z>>4&1<<1] }

func sameChunk(a, b *proto.Chunk) error {
	for i := range a.Blocks {
		if a.Blocks[i] != b.Blocks[i] {
			return fmt.Errorf("%v, not %v, at %d %d %d", a.Blocks[i], b.Blocks[i], i&15, i>>8+a.MinY, i>>4&15)
		}
	}
	for x := range 16 {
		for z := range 16 {
			for _, kind := range []proto.Heightmap{proto.WorldSurface, proto.OceanFloor} {
				if a.HeightAt(kind, x, z) != b.HeightAt(kind, x, z) {
					return fmt.Errorf("heights %d and %d at %d %d", a.HeightAt(kind, x, z), b.HeightAt(kind, x, z), x, z)
				}
			}
		}
	}
	if !slices.Equal(a.Marks, b.Marks) {
		return fmt.Errorf("%d marks, not %d, or others", len(a.Marks), len(b.Marks))
	}
	return nil
}

// What is decided ahead, and how much of it, must not show: random rules give the
// same blocks, heights and marks as when each is asked about each block.
func TestCompiledRulesGiveWhatTheRuleSays(t *testing.T) {
	source := builtin(t)
	m := maker{rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 5))}
	changed := 0
	for range testbed.Runs(t, 60) {
		l := defaultLimits
		if m.flag() {
			l = limits{nodes: m.IntN(50), steps: m.IntN(50), bands: 1 + m.IntN(3), classes: 1 + m.IntN(3)}
		}
		s, text := m.system(t, source, l)
		c, p, surface := m.chunk(s.settings.DefaultBlock), m.patches(), corners{m.IntN(80) - 60, m.IntN(80) - 60, m.IntN(80) - 60, m.IntN(80) - 60}
		want, builder := clone(c), s.NewBuilder()
		reference := newReference(s)
		reference.build(want, p, surface)
		if sameChunk(want, c) != nil {
			changed++
		}
		for _, biomes := range []Biomes{p, knownPatches{p}} {
			got := clone(c)
			builder.Build(got, biomes, surface)
			if err := sameChunk(got, want); err != nil {
				t.Fatalf("%T: %v\n%s", biomes, err, text)
			}
		}
		reference.b.Begin(c, p, surface)
		builder.Begin(c, p, surface)
		for range 50 {
			x, y, z, wet := m.IntN(16), m.IntN(128)-64, m.IntN(16), m.flag()
			state, ok := reference.top(x, y, z, wet)
			if got, has := builder.TopMaterial(int(c.X)<<4+x, y, int(c.Z)<<4+z, wet); got != state || has != ok {
				t.Fatalf("top material %v %v, not %v %v, at %d %d %d (wet: %v)\n%s", got, has, state, ok, x, y, z, wet, text)
			}
		}
	}
	if changed == 0 {
		t.Error("no rule changed a chunk")
	}
}

// top asks the rule about a block as if it were the only one of its column.
func (r *reference) top(x, y, z int, wet bool) (block.State, bool) {
	r.b.enter(x, z)
	r.b.measure(r.b.noise(r.b.system.surface))
	r.y, r.stone, r.ceiling, r.water, r.hasBiome = y, 1, 1, noWater, false
	if wet {
		r.water = int32(y) + 1
	}
	return r.try(r.rule)
}

func clone(c *proto.Chunk) *proto.Chunk {
	other := proto.New(c.MinY, c.Height)
	other.Reset(c.X, c.Z)
	copy(other.Blocks, c.Blocks)
	other.ComputeHeights()
	return other
}
