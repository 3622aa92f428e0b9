package block

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"strata/bench/testbed"
)

// entry is what a palette entry of the state holds.
func entry(s State) (name []byte, properties []Pair) {
	for k, v := range s.Values() {
		properties = append(properties, Pair{[]byte(k), []byte(v)})
	}
	return []byte(s.Block().Name()), properties
}

func TestResolveTakesPropertiesInAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 0))
	for s := range State(StateCount) {
		name, properties := entry(s)
		rng.Shuffle(len(properties), func(i, j int) { properties[i], properties[j] = properties[j], properties[i] })
		if got, ok := Resolve(name, properties); !ok || got != s {
			t.Fatalf("Resolve(%s %q) = %v, %t, want %v", name, properties, got, ok, s)
		}
	}
}

func TestResolveWantsExactlyTheState(t *testing.T) {
	p := func(texts ...string) []Pair {
		var list []Pair
		for kv := range slices.Chunk(texts, 2) {
			list = append(list, Pair{[]byte(kv[0]), []byte(kv[1])})
		}
		return list
	}
	for _, test := range []struct {
		what, name string
		properties []Pair
	}{
		{"unknown block", "minecraft:poplar_log", p("axis", "y")},
		{"another namespace", "mod:stone", nil},
		{"no namespace", "stone", nil},
		{"empty name", "", nil},
		{"namespace alone", "minecraft:", nil},
		{"missing property", "minecraft:oak_log", nil},
		{"missing one of two", "minecraft:oak_slab", p("type", "top")},
		{"unknown property", "minecraft:stone", p("axis", "y")},
		{"other property", "minecraft:oak_log", p("facing", "up")},
		{"unknown value", "minecraft:oak_log", p("axis", "w")},
		{"empty value", "minecraft:oak_log", p("axis", "")},
		{"twice", "minecraft:oak_slab", p("type", "top", "type", "top")},
		{"number with zero", "minecraft:water", p("level", "01")},
		{"number with sign", "minecraft:water", p("level", "+1")},
		{"number too large", "minecraft:water", p("level", "16")},
		{"number below", "minecraft:water", p("level", "/")},
		{"upper case", "minecraft:oak_log", p("axis", "Y")},
	} {
		if s, ok := Resolve([]byte(test.name), test.properties); ok {
			t.Errorf("%s: resolved to %v", test.what, s)
		}
	}
}

func TestLookupsDoNotAllocate(t *testing.T) {
	get()
	name, properties := entry(MustParse("oak_stairs[facing=west,half=top,shape=inner_left]"))
	long := "minecraft:waxed_weathered_cut_copper_stairs"
	stairs := MustParse(long)
	if n := testing.AllocsPerRun(100, func() {
		_, ok1 := Resolve(name, properties)
		_, ok2 := Find(long)
		_, ok3 := FindBytes(name)
		_, ok4 := stairs.With("shape", "outer_left")
		if !ok1 || !ok2 || !ok3 || !ok4 || stairs.Property("half") != "bottom" || stairs.LightEmission() != 0 {
			t.Fatal("not found")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestTextRoundTrip(t *testing.T) {
	for s := range State(StateCount) {
		if got, err := Parse(s.String()); err != nil || got != s {
			t.Fatalf("Parse(%s) = %v, %v", s, got, err)
		}
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"stone":                               "minecraft:stone",
		"minecraft:stone[]":                   "minecraft:stone",
		"oak_log":                             "minecraft:oak_log[axis=y]",
		"oak_slab[waterlogged=true]":          "minecraft:oak_slab[type=bottom,waterlogged=true]",
		"minecraft:oak_log[axis=x]":           "minecraft:oak_log[axis=x]",
		"oak_slab[waterlogged=true,type=top]": "minecraft:oak_slab[type=top,waterlogged=true]",
	} {
		if got, err := Parse(text); err != nil || got.String() != want {
			t.Errorf("Parse(%s) = %v, %v, want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]error{
		"":                       ErrUnknown,
		"mod:stone":              ErrUnknown,
		"oak_log[axis=w]":        ErrUnknown,
		"oak_log[facing=up]":     ErrUnknown,
		"oak_log[axis=x":         ErrSyntax,
		"oak_log[axis]":          ErrSyntax,
		"oak_log[axis=x,axis=x]": ErrSyntax,
		"oak_log[axis=x,]":       ErrSyntax,
	} {
		if got, err := Parse(text); !errors.Is(err, want) {
			t.Errorf("Parse(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
}

func TestWithChangesOnePropertyAlone(t *testing.T) {
	for s := range State(StateCount) {
		for at, p := range s.Block().Properties() {
			for v, value := range p.Values {
				other, ok := s.With(p.Name, value)
				if !ok || other.Block() != s.Block() || other.Value(at) != v || other.WithValue(at, s.Value(at)) != s {
					t.Fatalf("%v with %s=%s is %v, %t", s, p.Name, value, other, ok)
				}
			}
		}
	}
	stone := Stone.Default()
	if s, ok := stone.With("axis", "x"); ok || s != stone {
		t.Errorf("stone with an axis is %v, %t", s, ok)
	}
	if s := stone.WithValue(0, 0); s != stone || stone.Value(0) != -1 || stone.Property("axis") != "" {
		t.Errorf("stone with property 0 is %v", s)
	}
}

func BenchmarkResolve(b *testing.B) {
	for _, text := range []string{
		"stone", "oak_log[axis=z]", "water[level=7]", "oak_stairs[facing=east,shape=outer_right,waterlogged=true]",
		"note_block[instrument=custom_head,note=24,powered=true]", "waxed_weathered_cut_copper_stairs", "glow_lichen",
	} {
		s := MustParse(text)
		name, properties := entry(s)
		slices.Reverse(properties)
		b.Run("state="+text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if got, ok := Resolve(name, properties); !ok || got != s {
					b.Fatal(got)
				}
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := decodePacked(packed); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFacts(b *testing.B) {
	var sum uint32
	for b.Loop() {
		for s := range State(4096) {
			sum += uint32(s.Opacity()) + uint32(s.LightEmission())
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/4096, "ns/state")
	_ = sum
}
