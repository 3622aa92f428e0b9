package preset

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/nbt"
	"strata/pregen/worldgen/settings"
)

func TestTagsBecomeJSON(t *testing.T) {
	for want, v := range map[string]any{
		`{"a":1,"b":"x<y"}`: nbt.Compound{{Name: "b", Value: "x<y"}, {Name: "a", Value: int32(1)}},
		`true`:              int8(1),
		`false`:             int8(0),
		`7`:                 int8(7),
		`-3`:                int16(-3),
		`9007199254740993`:  int64(9007199254740993),
		`1.0`:               float32(1),
		// A float is written as the double that it is, so that both readers of
		// floats and of doubles have its very value.
		`0.10000000149011612`: float32(0.1),
		`0.1`:                 0.1,
		`1e+300`:              1e300,
		`[1,2]`:               []int32{1, 2},
		`[-1,1]`:              []byte{255, 1},
		`[3]`:                 []int64{3},
		`[]`:                  nbt.List{},
		`[1,"a",{"b":0.5}]`:   nbt.List{Items: []any{int32(1), "a", nbt.Compound{{Name: "b", Value: 0.5}}}},
	} {
		raw, err := nbt.MarshalRaw(v)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := toJSON("x", raw); err != nil || string(got) != want {
			t.Errorf("%#v becomes %s, %v; want %s", v, got, err, want)
		}
	}
	for _, v := range []any{make([]byte, maxDocument+1), math.NaN(), float32(math.Inf(1)), nbt.List{Items: []any{math.Inf(-1)}}} {
		raw, err := nbt.MarshalRaw(v)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := toJSON("x", raw); !errors.Is(err, settings.ErrDocument) || !strings.HasPrefix(err.Error(), "x: ") {
			t.Errorf("%T becomes %s, %v", v, got, err)
		}
	}
}

func TestJSONThatIsNoTagIsRefused(t *testing.T) {
	for _, text := range []string{``, `{`, `null`, `{"a":null}`, `[null]`, `1e999`, `12345678901234567890`, `1 2`} {
		if raw, err := toNBT("x", []byte(text)); !errors.Is(err, settings.ErrDocument) {
			t.Errorf("%s becomes %v, %v", text, raw, err)
		}
	}
}

// TestAllDocumentsSurviveNBT takes every document of the game there and back.
func TestAllDocumentsSurviveNBT(t *testing.T) {
	s, err := settings.Builtin(4903)
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, registry := range []string{"worldgen/noise_settings", "worldgen/density_function", "worldgen/biome", "worldgen/world_preset", "dimension_type", "worldgen/structure"} {
		ids, err := s.IDs(registry)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			text, err := s.Document(registry, id)
			if err != nil {
				t.Fatal(err)
			}
			raw, err := toNBT(id, text)
			if err != nil {
				t.Error(err)
				continue
			}
			if again, err := toJSON(id, raw); err != nil || !sameJSON(again, text) {
				t.Errorf("%s %s becomes another document, %v", registry, id, err)
			}
			checked++
		}
	}
	if checked < 100 {
		t.Errorf("only %d documents", checked)
	}
}

// sameJSON compares texts but for the form of exponents.
func sameJSON(a, b []byte) bool {
	normal := func(text []byte) []byte { return bytes.ReplaceAll(text, []byte("e-0"), []byte("e-")) }
	return bytes.Equal(normal(a), normal(b))
}

func FuzzToJSON(f *testing.F) {
	for _, v := range []any{nbt.Compound{{Name: "a", Value: int8(1)}}, []int32{1}, nbt.List{Items: []any{"a", 0.5}}, "x"} {
		raw, err := nbt.MarshalRaw(v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(byte(raw.Type), raw.Data)
	}
	f.Fuzz(func(t *testing.T, kind byte, data []byte) {
		text, err := toJSON("x", nbt.Raw{Type: nbt.Type(kind), Data: data})
		if err != nil {
			return
		}
		if !json.Valid(text) {
			t.Fatalf("%q is no JSON", text)
		}
		raw, err := toNBT("x", text)
		if err != nil {
			return // a name or text of more than NBT can hold, once it is valid UTF-8
		}
		again, err := toJSON("x", raw)
		var a, b any
		if err := errors.Join(err, json.Unmarshal(text, &a), json.Unmarshal(again, &b)); err != nil || !cmp.Equal(a, b) {
			t.Fatalf("%s becomes %s, %v", text, again, err)
		}
	})
}
