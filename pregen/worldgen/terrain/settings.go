package terrain

import (
	"encoding/json"
	"errors"
	"fmt"

	"strata/anvil/block"
	"strata/pregen/worldgen/density"
	"strata/pregen/worldgen/settings"
)

// ErrSettings is wrapped by errors that are about the content of an entry of
// worldgen/noise_settings.
var ErrSettings = errors.New("noise settings")

// MaxSettings is the longest document that ParseSettings takes, in bytes. The
// game's own have up to 50 kB.
const MaxSettings = 4 << 20

// Settings are an entry of worldgen/noise_settings.
type Settings struct {
	ID           string
	Shape        density.Shape
	SeaLevel     int // the first y without the default fluid
	DefaultBlock block.State
	DefaultFluid block.State

	Aquifers     bool // or the default fluid in all that is open below the sea level
	OreVeins     bool
	LegacyRandom bool
	NoMobs       bool // disable_mob_generation

	// Raw documents, checked by the packages that read them.
	Router      json.RawMessage // an object of 15 density functions
	SurfaceRule json.RawMessage
	SpawnTarget json.RawMessage // a list of climate points
}

// LoadSettings reads an entry of worldgen/noise_settings.
func LoadSettings(source settings.Source, id string) (*Settings, error) {
	id = settings.ID(id)
	text, err := source.Document("worldgen/noise_settings", id)
	if err != nil {
		return nil, err
	}
	return ParseSettings(id, text)
}

// ParseSettings reads noise settings from their JSON text. id is for errors,
// which name the place in the document and wrap ErrSettings. Fields that the
// game does not know are ignored, as it does.
func ParseSettings(id string, text []byte) (*Settings, error) {
	if len(text) > MaxSettings {
		return nil, fmt.Errorf("worldgen/noise_settings %s: %w: %d bytes, at most %d", id, ErrSettings, len(text), MaxSettings)
	}
	r := reader{}
	root := r.object("", text)
	s := &Settings{
		ID:           id,
		Shape:        r.shape(root),
		SeaLevel:     r.int(root, "sea_level", -1<<31, 1<<31-1),
		DefaultBlock: r.state(root, "default_block"),
		DefaultFluid: r.state(root, "default_fluid"),
		Aquifers:     r.bool(root, "aquifers_enabled"),
		OreVeins:     r.bool(root, "ore_veins_enabled"),
		LegacyRandom: r.bool(root, "legacy_random_source"),
		NoMobs:       r.bool(root, "disable_mob_generation"),
		SurfaceRule:  r.field(root, "surface_rule"),
		SpawnTarget:  r.field(root, "spawn_target"),
		Router:       r.field(root, "noise_router"),
	}
	r.object(".noise_router", s.Router)
	if r.err != nil {
		return nil, fmt.Errorf("worldgen/noise_settings %s: %w", id, r.err)
	}
	return s, nil
}

// reader takes fields out of JSON objects and keeps the first error.
type reader struct{ err error }

// object is a JSON object with the place it was found at.
type object struct {
	path   string
	fields map[string]json.RawMessage
}

func (r *reader) fail(path, format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: $%s: %s", ErrSettings, path, fmt.Sprintf(format, args...))
	}
}

func (r *reader) object(path string, text []byte) object {
	o := object{path: path}
	if r.err == nil {
		if err := json.Unmarshal(text, &o.fields); err != nil || o.fields == nil {
			r.fail(path, "not an object")
		}
	}
	return o
}

func (r *reader) field(o object, name string) json.RawMessage {
	text, found := o.fields[name]
	if !found {
		r.fail(o.path+"."+name, "missing")
	}
	return text
}

func (r *reader) bool(o object, name string) bool {
	var value *bool
	if text := r.field(o, name); r.err == nil && (json.Unmarshal(text, &value) != nil || value == nil) {
		r.fail(o.path+"."+name, "not true or false")
	}
	return value != nil && *value
}

// int reads a whole number. The game drops what is behind the point.
func (r *reader) int(o object, name string, low, high int) int {
	text := r.field(o, name)
	if r.err != nil {
		return 0
	}
	var value *float64
	if json.Unmarshal(text, &value) != nil || value == nil {
		r.fail(o.path+"."+name, "not a number")
		return 0
	}
	if *value >= float64(high)+1 || *value <= float64(low)-1 {
		r.fail(o.path+"."+name, "%v is not in %d to %d", *value, low, high)
		return 0
	}
	return int(*value)
}

// state reads a block state. As the game does it, properties that the block
// lacks, and values that a property lacks, are passed over.
func (r *reader) state(o object, name string) block.State {
	path := o.path + "." + name
	inner := r.object(path, r.field(o, name))
	text := r.field(inner, "Name")
	if r.err != nil {
		return 0
	}
	var id string
	if json.Unmarshal(text, &id) != nil {
		r.fail(path+".Name", "not a string")
		return 0
	}
	if _, found := block.Find(settings.ID(id)); !found {
		r.fail(path+".Name", "no block %q", id)
		return 0
	}
	state, err := block.Parse(settings.ID(id))
	if err != nil {
		r.fail(path+".Name", "%v", err)
		return 0
	}
	raw, found := inner.fields["Properties"]
	if !found {
		return state
	}
	for property, text := range r.object(path+".Properties", raw).fields {
		var value string
		if json.Unmarshal(text, &value) != nil {
			continue
		}
		if changed, ok := state.With(property, value); ok {
			state = changed
		}
	}
	return state
}
