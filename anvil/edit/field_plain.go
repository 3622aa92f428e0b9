package edit

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/nbt"
	"strata/nbt/path"
	"strata/nbt/snbt"
	"strata/region/codec"
)

// Versions at which what fields are about came or changed.
const (
	flatVersion     = 1451 // palettes of block states (17w47a, for 1.13)
	lightOnVersion  = 1912 // isLightOn (18w43c, for 1.14)
	statusVersion   = 1911 // today's names of statuses
	prefixVersion   = 3458 // statuses have a namespace
	rootVersion     = 2844 // no compound Level (21w43a, for 1.18)
	blendingVersion = 3088 // blending_data has a range of sections
	lz4Version      = 3807 // 24w04a
)

// parseTrue is the parse of a field that is done or not.
func parseTrue(do change) func(string) (change, error) {
	return func(value string) (change, error) {
		if value != "true" {
			return nil, fmt.Errorf("%w: it takes true alone", ErrValue)
		}
		return do, nil
	}
}

// parseLong is that of a long in a chunk.
func parseLong(name string) func(string) (change, error) {
	return func(value string) (change, error) {
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%w: want a number from 0 on", ErrValue)
		}
		return func(r *record) error {
			r.set(r.level(), name, r.e().Long(n))
			return nil
		}, nil
	}
}

func parseStatus(value string) (change, error) {
	name := strings.TrimPrefix(value, "minecraft:")
	if s := chunk.ParseStatus(name); s == chunk.StatusUnknown || s == chunk.StatusPostprocessed || strings.Contains(name, ":") {
		return nil, fmt.Errorf("%w: there is no status %s", ErrValue, value)
	}
	return func(r *record) error { return setStatus(r, name) }, nil
}

// setStatus sets a status by its name without namespace.
func setStatus(r *record, name string) error {
	if r.version < statusVersion {
		return fmt.Errorf("%w: statuses had other names before 1.14", ErrVersion)
	}
	old, _ := r.level().Get("Status").Text()
	if r.version >= prefixVersion || strings.HasPrefix(old, "minecraft:") {
		name = "minecraft:" + name
	}
	r.set(r.level(), "Status", r.e().String(name))
	return nil
}

func fixStatus(r *record) error {
	status, _ := r.level().Get("Status").Text()
	if chunk.ParseStatus(status) != chunk.StatusEmpty {
		return nil
	}
	for _, section := range sections(r) {
		if _, palette, _ := blockPalette(r, section); palette.Len() > 0 {
			return setStatus(r, "full")
		}
	}
	return nil
}

func preventRetrogen(r *record) error {
	if !r.level().Get("below_zero_retrogen").Exists() {
		return nil
	}
	r.drop(r.level(), "below_zero_retrogen")
	return setStatus(r, "full")
}

// forceBlend makes a chunk one that terrain is blended with. Blending is done in
// the overworld alone, over the sections of its height since 1.18.
func forceBlend(r *record) error {
	if r.version < rootVersion {
		return fmt.Errorf("%w: terrain is blended since 1.18", ErrVersion)
	}
	if r.dimension != anvil.Overworld {
		return fmt.Errorf("%w: terrain is blended in the overworld", ErrVersion)
	}
	content := nbt.Compound{{Name: "old_noise", Value: int8(1)}}
	if r.version >= blendingVersion {
		content = nbt.Compound{{Name: "min_section", Value: int32(-4)}, {Name: "max_section", Value: int32(20)}}
	}
	value, err := nbt.MarshalRaw(content)
	if err != nil {
		return err
	}
	r.set(r.level(), "blending_data", value)
	return nil
}

func parseLight(value string) (change, error) {
	on, err := strconv.ParseBool(value)
	if err != nil {
		return nil, fmt.Errorf("%w: want true or false", ErrValue)
	}
	return func(r *record) error {
		if !setLight(r, on) {
			return fmt.Errorf("%w: 1.13 does not say whether light is right", ErrVersion)
		}
		return nil
	}, nil
}

// setLight says whether light is right, if the version can.
func setLight(r *record, on bool) bool {
	v := int8(0)
	if on {
		v = 1
	}
	switch {
	case r.version >= lightOnVersion:
		r.set(r.level(), "isLightOn", r.e().Byte(v))
	case r.version < flatVersion:
		r.set(r.level(), "LightPopulated", r.e().Byte(v))
	default:
		return false
	}
	return true
}

func deleteLight(r *record) error {
	for _, section := range sections(r) {
		r.drop(section, "BlockLight")
		r.drop(section, "SkyLight")
	}
	setLight(r, false)
	return nil
}

// fixHeightmaps computes heightmaps, or removes them where the game has to.
func fixHeightmaps(r *record, tables *chunk.Tables) error {
	if r.version < flatVersion {
		return fmt.Errorf("%w: heightmaps by name came with 1.13", ErrVersion)
	}
	if r.version < anvil.MinChunkVersion {
		r.drop(r.level(), "Heightmaps")
		return nil
	}
	c, err := chunk.NewDecoder(tables).Decode(r.data)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrShape, err)
	}
	wanted := []chunk.Heightmap{chunk.WorldSurface, chunk.OceanFloor, chunk.MotionBlocking, chunk.MotionBlockingNoLeaves}
	if !c.Full() {
		wanted = append(wanted, chunk.WorldSurfaceWG, chunk.OceanFloorWG)
		n := 0
		for _, k := range wanted {
			if c.HasHeightmap(k) {
				wanted[n] = k
				n++
			}
		}
		wanted = wanted[:n]
	}
	if len(wanted) == 0 {
		return nil
	}
	c.ComputeHeightmaps(wanted...)
	data, err := new(chunk.Encoder).Encode(nil, c)
	if err != nil {
		return err
	}
	return nbt.ScanRoot(data, nbt.Limits{}, func(name []byte, value nbt.Raw) bool {
		if string(name) == "Heightmaps" {
			r.setAlike(r.tape.Root(), "Heightmaps", value)
			return false
		}
		return true
	})
}

// setAlike is set, unless the member has the same content in another order.
func (r *record) setAlike(compound nbt.Tag, name string, value nbt.Raw) {
	var a, b any
	if compound.Get(name).Decode(&a) == nil && value.Decode(&b) == nil && nbt.Equal(a, b) {
		return
	}
	r.set(compound, name, value)
}

func parseSetNBT(text string) (change, error) {
	at := splitAt(text)
	if at < 0 {
		return nil, fmt.Errorf("%w: want nbt:PATH=VALUE", ErrField)
	}
	p, err := path.Parse(text[:at])
	if err != nil {
		return nil, fmt.Errorf("%w: path: %w", ErrField, err)
	}
	value, err := snbt.Parse(text[at+1:], nbt.Limits{})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrValue, err)
	}
	return func(r *record) error {
		_, err := p.Set(r.e(), r.tape.Root(), value, false)
		return err
	}, nil
}

// splitAt finds the = behind a path: the first one that is in no quotes and no
// brackets. -1 if there is none.
func splitAt(text string) int {
	depth, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case c == '=' && depth == 0:
			return i
		}
	}
	return -1
}

func parseDeleteNBT(value string) (change, error) {
	p, err := path.Parse(value)
	if err != nil {
		return nil, fmt.Errorf("%w: path: %w", ErrValue, err)
	}
	return func(r *record) error {
		_, err := p.Remove(r.e(), r.tape.Root())
		return err
	}, nil
}

func parseCompression(value string) (change, error) {
	schemes := map[string]codec.Scheme{"zlib": codec.Zlib, "gzip": codec.Gzip, "none": codec.None, "lz4": codec.LZ4}
	scheme, ok := schemes[value]
	if !ok {
		return nil, fmt.Errorf("%w: want zlib, gzip, none or lz4", ErrValue)
	}
	return func(r *record) error {
		if scheme == codec.LZ4 && r.version < lz4Version {
			return fmt.Errorf("%w: lz4 came with 24w04a", ErrVersion)
		}
		r.scheme = scheme
		return nil
	}, nil
}

func parseTimestamp(value string) (change, error) {
	stamp, err := timestampOf(value, time.Now())
	if err != nil {
		return nil, err
	}
	return func(r *record) error {
		r.stamp = &stamp
		return nil
	}, nil
}

func timestampOf(value string, now time.Time) (uint32, error) {
	seconds := now.Unix()
	if value != "now" {
		var err error
		if seconds, err = strconv.ParseInt(value, 10, 64); errors.Is(err, strconv.ErrSyntax) {
			var t time.Time
			t, err = time.Parse(time.RFC3339, value)
			seconds = t.Unix()
		}
		if err != nil {
			return 0, fmt.Errorf("%w: want now, seconds since 1970 or a time such as 2026-11-30T12:00:00Z", ErrValue)
		}
	}
	if seconds < 0 || seconds > math.MaxUint32 {
		return 0, fmt.Errorf("%w: from 1970 to 2106", ErrValue)
	}
	return uint32(seconds), nil
}
