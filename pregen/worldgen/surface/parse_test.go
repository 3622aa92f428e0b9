package surface

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/block"
	"strata/bench/testbed"
	"strata/pregen/worldgen/noise"
	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/settings"
)

func builtin(t testing.TB) settings.Source {
	t.Helper()
	source, err := settings.Builtin(4903)
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// conditionRule is a rule with one condition.
func conditionRule(condition string) string {
	return `{"type": "condition", "if_true": ` + condition + `, "then_run": {"type": "minecraft:bandlands"}}`
}

func TestParseNamesThePlaceOfAFault(t *testing.T) {
	source := builtin(t)
	deep := strings.Repeat(`{"type":"sequence","sequence":[`, MaxDepth+2) + strings.Repeat(`]}`, MaxDepth+2)
	many := `{"type":"sequence","sequence":[` + strings.Repeat(`{"type":"bandlands"},`, MaxRules) + `{"type":"bandlands"}]}`
	for _, test := range []struct{ name, text, want string }{
		{"no JSON", `{`, "here: invalid surface rule: unexpected EOF"},
		{"two values", `{"type":"bandlands"} {}`, "more follows"},
		{"no object", `[]`, "is no object"},
		{"no type", `{}`, "here: type: invalid surface rule: is missing"},
		{"unknown rule", `{"type":"minecraft:gold"}`, `here: type: invalid surface rule: no rule is named "minecraft:gold"`},
		{"no list", `{"type":"sequence","sequence":{}}`, "here: sequence: "},
		{"in a list", `{"type":"sequence","sequence":[{"type":"bandlands"},{"type":"sequence","sequence":[7]}]}`, "here: sequence[1].sequence[0]: "},
		{"too deep", deep, "nested more than 512 deep"},
		{"too many", many, "more than 65536 rules"},
		{"no condition", `{"type":"condition","then_run":{"type":"bandlands"}}`, "here: if_true: "},
		{"no consequence", `{"type":"condition","if_true":{"type":"hole"}}`, "here: then_run: "},
		{"no block", `{"type":"block","result_state":{"Name":"minecraft:none"}}`, "here: result_state.Name: "},
		{"no name", `{"type":"block","result_state":{}}`, "here: result_state.Name: "},
		{"unknown condition", conditionRule(`{"type":"noon"}`), "here: if_true.type: "},
		{"not nothing", conditionRule(`{"type":"not"}`), "here: if_true.invert: "},
		{"not bad", conditionRule(`{"type":"not","invert":{"type":"not","invert":3}}`), "here: if_true.invert.invert: "},
		{"unknown biome", conditionRule(`{"type":"biome","biome_is":["plains","plain"]}`), "here: if_true.biome_is[1]: "},
		{"unknown tag", conditionRule(`{"type":"biome","biome_is":"#is_plain"}`), "no tag of biomes"},
		{"bad id", conditionRule(`{"type":"biome","biome_is":"Plains"}`), `"Plains" is no id`},
		{"no noise", conditionRule(`{"type":"noise_threshold","min_threshold":0,"max_threshold":0}`), "here: if_true.noise: "},
		{"no number", conditionRule(`{"type":"noise_threshold","noise":"a","min_threshold":"0","max_threshold":0}`), "min_threshold: "},
		{"huge number", conditionRule(`{"type":"noise_threshold","noise":"a","min_threshold":1e999,"max_threshold":0}`), "out of range"},
		{"bad flag", conditionRule(`{"type":"noise_threshold","noise":"a","min_threshold":0,"max_threshold":0,"is_3d":1}`), "is_3d: "},
		{"two anchors", conditionRule(`{"type":"vertical_gradient","random_name":"a","true_at_and_below":{"absolute":1,"below_top":1},"false_at_and_above":{"absolute":0}}`), "has 2 of"},
		{"no anchor", conditionRule(`{"type":"vertical_gradient","random_name":"a","true_at_and_below":3,"false_at_and_above":{"absolute":0}}`), "has 0 of"},
		{"far anchor", conditionRule(`{"type":"y_above","anchor":{"absolute":2032},"surface_depth_multiplier":0,"add_stone_depth":true}`), "here: if_true.anchor.absolute: "},
		{"multiplier", conditionRule(`{"type":"water","offset":0,"surface_depth_multiplier":21,"add_stone_depth":true}`), "within -20..20"},
		{"fraction", conditionRule(`{"type":"water","offset":0.5,"surface_depth_multiplier":1,"add_stone_depth":true}`), "offset: "},
		{"side", conditionRule(`{"type":"stone_depth","offset":0,"add_surface_depth":true,"secondary_depth_range":0,"surface_type":"wall"}`), "neither floor nor ceiling"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse(source, "here", []byte(test.text))
			if !errors.Is(err, ErrRule) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestParseReadsStatesAsTheGame(t *testing.T) {
	for text, want := range map[string]string{
		`{"Name":"basalt","Properties":{"axis":"x"}}`:           "basalt[axis=x]",
		`{"Name":"minecraft:basalt"}`:                           "basalt[axis=y]",
		`{"Name":"basalt","Properties":{"axis":"w","age":"3"}}`: "basalt[axis=y]",
	} {
		r, err := Parse(builtin(t), "", []byte(`{"type":"block","result_state":`+text+`}`))
		if err != nil {
			t.Error(err)
		} else if r.root.state != block.MustParse(want) {
			t.Errorf("%s is %v, want %s", text, r.root.state, want)
		}
	}
}

func TestParseResolvesTagsOfBiomes(t *testing.T) {
	r, err := Parse(builtin(t), "", []byte(conditionRule(`{"type":"biome","biome_is":"#minecraft:is_badlands"}`)))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(r.root.test.biomes, " "); !strings.Contains(got, "minecraft:eroded_badlands") {
		t.Errorf("the badlands are %q", got)
	}
}

func TestReadBiomesRefusesWhatTheGameRefuses(t *testing.T) {
	biomes, err := ReadBiomes(builtin(t), []string{"minecraft:frozen_ocean", "minecraft:desert"})
	if err != nil || !biomes[0].Frozen || biomes[1] != (Biome{Name: "minecraft:desert", Temperature: 2}) {
		t.Errorf("read %v, %v", biomes, err)
	}
	for text, want := range map[string]string{
		`{}`:                     "temperature: ",
		`{"temperature": 1e300}`: "out of range",
		`{"temperature": "1"}`:   "worldgen/biome a:b",
		`{"temperature": 1, "temperature_modifier": "hot"}`: "temperature_modifier: ",
	} {
		if _, err := ReadBiomes(document(text), []string{"a:b"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}

// document is a source in which every document is one text.
type document string

func (d document) Document(string, string) ([]byte, error) { return []byte(d), nil }
func (document) IDs(string) ([]string, error)              { return nil, os.ErrPermission }
func (document) Tag(string, string) ([]string, error)      { return nil, os.ErrPermission }

func TestParsePassesOnTheSourcesErrors(t *testing.T) {
	for _, biome := range []string{`"a:b"`, `"#a:b"`} {
		_, err := Parse(document(""), "here", []byte(conditionRule(`{"type":"biome","biome_is":`+biome+`}`)))
		if !errors.Is(err, os.ErrPermission) || errors.Is(err, ErrRule) {
			t.Errorf("%s: %v", biome, err)
		}
	}
}

// All settings' rules can be run: over terrain of our own, in all biomes that a
// rule names, they give what they say.
func TestEveryRuleOfTheGameGivesWhatItSays(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 6))}
	ids, err := builtin(t).IDs("worldgen/noise_settings")
	if err != nil || len(ids) != 7 {
		t.Fatalf("%d noise settings, %v", len(ids), err)
	}
	names, err := builtin(t).IDs("worldgen/biome")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		source := builtin(t)
		biomes, err := ReadBiomes(source, names)
		if err != nil {
			t.Fatal(err)
		}
		s := newSystem(t, source, id, noise.NewSet(m.Int64(), id == "minecraft:nether", settings.Noises(source)), biomes)
		builder, reference := s.NewBuilder(), newReference(s)
		for range testbed.Runs(t, 4) {
			c, p := m.chunk(s.settings.DefaultBlock), patches{salt: m.Uint64()}
			for range 12 {
				p.kinds = append(p.kinds, proto.Biome(m.IntN(len(names))))
			}
			surface := corners{m.IntN(80) - 60, m.IntN(80) - 60, m.IntN(80) - 60, m.IntN(80) - 60}
			want, got := clone(c), clone(c)
			reference.build(want, p, surface)
			builder.Build(got, knownPatches{p}, surface)
			if err := sameChunk(got, want); err != nil {
				t.Errorf("%s: %v", id, err)
			}
		}
	}
}

// The tables and the game's data pack have the same rules.
func TestRulesOfTheDataPackAreTheBuiltinOnes(t *testing.T) {
	pack := oracletest.Datapack(t)
	ids, err := pack.IDs("worldgen/noise_settings")
	if err != nil || len(ids) != 7 {
		t.Fatalf("%d noise settings, %v", len(ids), err)
	}
	for _, id := range ids {
		if diff := cmp.Diff(readRule(t, builtin(t), id), readRule(t, pack, id), cmp.AllowUnexported(Rule{}, rule{}, condition{}, anchor{})); diff != "" {
			t.Errorf("%s: tables and pack differ:\n%.2000s", id, diff)
		}
	}
}

func readRule(t *testing.T, source settings.Source, id string) *Rule {
	t.Helper()
	text, err := source.Document("worldgen/noise_settings", id)
	if err != nil {
		t.Fatal(err)
	}
	var data struct {
		Rule json.RawMessage `json:"surface_rule"`
	}
	if err := json.Unmarshal(text, &data); err != nil {
		t.Fatal(err)
	}
	rule, err := Parse(source, id, data.Rule)
	if err != nil {
		t.Fatal(err)
	}
	return rule
}

func TestNewRefusesSettingsOutOfRange(t *testing.T) {
	source := builtin(t)
	rule, err := Parse(source, "", []byte(`{"type":"bandlands"}`))
	if err != nil {
		t.Fatal(err)
	}
	good := Settings{
		Rule: rule, Noises: noise.NewSet(1, false, settings.Noises(source)), Biomes: make([]Biome, 1),
		DefaultBlock: block.MustParse("stone"), SeaLevel: 63, MinY: -64, Height: 384,
	}
	if _, err := New(good); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Settings){
		"rule":   func(s *Settings) { s.Rule = nil },
		"noises": func(s *Settings) { s.Noises = nil },
		"biomes": func(s *Settings) { s.Biomes = nil },
		"many":   func(s *Settings) { s.Biomes = make([]Biome, 1<<16+1) },
		"block":  func(s *Settings) { s.DefaultBlock = 65535 },
		"sea":    func(s *Settings) { s.SeaLevel = 1 << 30 },
		"bottom": func(s *Settings) { s.MinY = -3000 },
		"top":    func(s *Settings) { s.Height = 4000 },
		"height": func(s *Settings) { s.Height = 0 },
	} {
		bad := good
		if change(&bad); !errors.Is(bad.Validate(), ErrSettings) {
			t.Errorf("%s: %v", name, bad.Validate())
		}
	}
	bad := good
	bad.Noises = noise.NewSet(1, false, func(string) (noise.Parameters, error) { return noise.Parameters{}, os.ErrPermission })
	if _, err := New(bad); !errors.Is(err, os.ErrPermission) {
		t.Errorf("without noises: %v", err)
	}
}

// Rules as many as may be, with more heights and biomes than are told apart, take
// no more than the steps allowed.
func TestHugeRulesAreMadeReadyWithinTheLimits(t *testing.T) {
	var text strings.Builder
	text.WriteString(`{"type":"sequence","sequence":[{"type":"bandlands"}`)
	biomes := make([]Biome, 255)
	for i := range biomes {
		biomes[i].Name = fmt.Sprintf("a:%d", i)
	}
	for i := range MaxRules/5 - 10 {
		fmt.Fprintf(&text, `,{"type":"condition","if_true":{"type":"biome","biome_is":"a:%d"},"then_run":{"type":"condition",`+
			`"if_true":{"type":"y_above","anchor":{"absolute":%d},"surface_depth_multiplier":0,"add_stone_depth":false},`+
			`"then_run":{"type":"block","result_state":{"Name":"stone"}}}}`, i%len(biomes), i%4000-2000)
	}
	text.WriteString("]}")
	rule, err := Parse(anyBiome{}, "huge", []byte(strings.Replace(text.String(), `{"type":"bandlands"},`, "", 1)))
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Settings{
		Rule: rule, Noises: noise.NewSet(1, false, settings.Noises(builtin(t))), Biomes: biomes,
		DefaultBlock: block.MustParse("stone"), MinY: -64, Height: 384,
	})
	if err != nil {
		t.Fatal(err)
	}
	if limit := defaultLimits.nodes + 10; len(s.nodes) > limit || len(s.plan.roots) > 64*2*255 {
		t.Errorf("%d nodes and %d roots", len(s.nodes), len(s.plan.roots))
	}
}

// anyBiome is a source in which biomes a:0 to a:254 exist.
type anyBiome struct{ document }

func (anyBiome) IDs(string) (list []string, _ error) {
	for i := range 255 {
		list = append(list, fmt.Sprintf("a:%d", i))
	}
	return list, nil
}

func FuzzParse(f *testing.F) {
	source := builtin(f)
	f.Add([]byte(conditionRule(`{"type":"not","invert":{"type":"biome","biome_is":["plains","desert"]}}`)))
	f.Add([]byte(conditionRule(`{"type":"water","offset":-2147483648,"surface_depth_multiplier":-20,"add_stone_depth":true}`)))
	f.Add([]byte(`{"type":"sequence","sequence":[{"type":"block","result_state":{"Name":"lava","Properties":{"level":"3"}}}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Parse(source, "fuzz", text)
		if err != nil {
			return
		}
		if _, err := New(Settings{
			Rule: r, Noises: noise.NewSet(1, false, settings.Noises(source)), Biomes: make([]Biome, 3),
			DefaultBlock: 1, MinY: -64, Height: 384,
		}); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%q: %v", text, err)
		}
	})
}
