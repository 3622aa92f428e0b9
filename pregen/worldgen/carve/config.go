package carve

import (
	"math"
	"strings"

	"strata/anvil/block"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/settings"
)

type kind uint8

const (
	cave kind = iota
	netherCave
	canyon
)

var kinds = map[string]kind{
	"minecraft:cave":        cave,
	"minecraft:nether_cave": netherCave,
	"minecraft:canyon":      canyon,
}

// carver is a configured_carver document.
type carver struct {
	kind        kind
	probability float32
	y           provider.Height
	yScale      provider.Float
	lavaY       int // and below it lava fills
	replaceable *stateSet
	debug       *debugStates // nil but in debug mode

	// Of caves.
	horizontal, vertical provider.Float // factors of the radii
	floor                provider.Float // in vertical radii, below the middle

	// Of canyons.
	rotation                       provider.Float
	distance, thickness            provider.Float
	widthSmoothness                int32
	horizontalFactor               provider.Float
	verticalFactor, verticalCentre float32
}

// debugStates are what debug mode shows in place of what it dug.
type debugStates struct{ air, water, lava, barrier block.State }

// maxDistance bounds distance_factor.
const maxDistance = 16

var unbounded = float32(math.NaN())

// loader reads carvers and remembers what they share.
type loader struct {
	source settings.Source
	span   provider.Span
	sets   map[string]*stateSet // by tag or list
	byID   map[string]*carver
}

// carver reads a document, or an object that stands in its place.
func (l *loader) carver(v provider.Value) (*carver, error) {
	name, config, err := typeAndConfig(v)
	if err != nil {
		return nil, err
	}
	c := new(carver)
	var known bool
	if c.kind, known = kinds[name]; !known {
		return nil, v.Errorf("unknown carver type %s", name)
	}
	if err := l.common(c, config); err != nil {
		return nil, err
	}
	if c.kind == canyon {
		return c, c.canyonConfig(config)
	}
	r := reader{v: config}
	c.horizontal = r.provider("horizontal_radius_multiplier", unbounded, unbounded)
	c.vertical = r.provider("vertical_radius_multiplier", unbounded, unbounded)
	c.floor = r.provider("floor_level", -1, 1)
	return c, r.err
}

func typeAndConfig(v provider.Value) (name string, config provider.Value, err error) {
	member, err := v.Member("type")
	if err != nil {
		return "", config, err
	}
	if name, err = member.ID(); err != nil {
		return "", config, err
	}
	config, err = v.Member("config")
	return name, config, err
}

// common reads the members that all carvers have.
func (l *loader) common(c *carver, config provider.Value) error {
	r := reader{v: config}
	c.probability = r.float("probability", 0, 1)
	c.yScale = r.provider("yScale", unbounded, unbounded)
	y, lava, replaceable := r.member("y"), r.member("lava_level"), r.member("replaceable")
	if r.err != nil {
		return r.err
	}
	var err error
	if c.y, err = provider.ParseHeight(y); err != nil {
		return err
	}
	anchor, err := provider.ParseAnchor(lava)
	if err != nil {
		return err
	}
	c.lavaY = int(anchor.In(l.span))
	if c.replaceable, err = l.states(replaceable); err != nil {
		return err
	}
	debug, ok, err := config.Optional("debug_settings")
	if ok {
		c.debug, err = readDebug(debug)
	}
	return err
}

func (c *carver) canyonConfig(config provider.Value) error {
	r := reader{v: config}
	c.rotation = r.provider("vertical_rotation", unbounded, unbounded)
	r.v = r.member("shape")
	c.distance = r.provider("distance_factor", -maxDistance, maxDistance)
	c.thickness = r.provider("thickness", unbounded, unbounded)
	c.widthSmoothness = r.int("width_smoothness", 1, math.MaxInt32)
	c.horizontalFactor = r.provider("horizontal_radius_factor", unbounded, unbounded)
	c.verticalFactor = r.float("vertical_radius_default_factor", unbounded, unbounded)
	c.verticalCentre = r.float("vertical_radius_center_factor", unbounded, unbounded)
	return r.err
}

// readDebug reads debug_settings; nil if debug_mode is off.
func readDebug(v provider.Value) (*debugStates, error) {
	states := debugStates{
		air:     block.MustParse("acacia_button"),
		water:   block.MustParse("candle"),
		lava:    block.MustParse("orange_stained_glass"),
		barrier: block.MustParse("glass"),
	}
	for name, state := range map[string]*block.State{
		"air_state": &states.air, "water_state": &states.water,
		"lava_state": &states.lava, "barrier_state": &states.barrier,
	} {
		member, ok, err := v.Optional(name)
		if ok && err == nil {
			*state, err = readState(member)
		}
		if err != nil {
			return nil, err
		}
	}
	if wet, ok := states.water.With("waterlogged", "true"); ok {
		states.water = wet
	}
	mode, ok, err := v.Optional("debug_mode")
	if err != nil || !ok {
		return nil, err
	}
	if on, err := mode.Bool(); err != nil || !on {
		return nil, err
	}
	return &states, nil
}

// readState reads a block state; properties that are not given have their
// default.
func readState(v provider.Value) (block.State, error) {
	member, err := v.Member("Name")
	if err != nil {
		return 0, err
	}
	name, err := member.ID()
	if err != nil {
		return 0, err
	}
	properties, ok, err := v.Optional("Properties")
	if err != nil {
		return 0, err
	}
	var pairs []string
	if ok {
		if err := properties.Object(); err != nil {
			return 0, err
		}
		for _, key := range properties.Members() {
			value, _, err := properties.Optional(key)
			if err != nil {
				return 0, err
			}
			text, err := value.Text()
			if err != nil {
				return 0, err
			}
			pairs = append(pairs, key+"="+text)
		}
	}
	if len(pairs) > 0 {
		name += "[" + strings.Join(pairs, ",") + "]"
	}
	state, err := block.Parse(name)
	if err != nil {
		return 0, v.Errorf("block state: %v", err)
	}
	return state, nil
}

// reader reads members one after the other and keeps the first error.
type reader struct {
	v   provider.Value
	err error
}

func (r *reader) member(name string) provider.Value {
	if r.err != nil {
		return r.v
	}
	member, err := r.v.Member(name)
	r.err = err
	return member
}

func (r *reader) float(name string, low, high float32) (f float32) {
	if v := r.member(name); r.err == nil {
		f, r.err = v.Float32(low, high)
	}
	return f
}

func (r *reader) int(name string, low, high int32) (n int32) {
	if v := r.member(name); r.err == nil {
		n, r.err = v.Int(low, high)
	}
	return n
}

func (r *reader) provider(name string, low, high float32) (f provider.Float) {
	if v := r.member(name); r.err == nil {
		f, r.err = provider.ParseFloat(v, low, high)
	}
	return f
}
