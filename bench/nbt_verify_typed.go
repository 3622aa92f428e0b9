package bench

import (
	"bytes"
	"fmt"
	"reflect"

	"strata/nbt"
)

// verifyTyped compares a decoded chunk, field by field, with the same chunk
// decoded into an any.
func verifyTyped(c *nbtChunk, chunk []byte) error {
	v, err := decodeAny(chunk)
	if err != nil {
		return err
	}
	root, _ := v.(nbt.Compound)
	for _, err := range []error{
		verifyScalars(c, root),
		verifyRaws(c, root),
		verifyMaps("Heightmaps", c.Heightmaps, root),
		verifyMaps("CarvingMasks", c.CarvingMasks, root),
		verifySections(c.Sections, root),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

func verifyScalars(c *nbtChunk, root nbt.Compound) error {
	for name, got := range map[string]any{
		"DataVersion": c.DataVersion, "Status": c.Status, "xPos": c.XPos, "yPos": c.YPos, "zPos": c.ZPos,
		"LastUpdate": c.LastUpdate, "InhabitedTime": c.InhabitedTime, "isLightOn": int8(c.IsLightOn),
	} {
		want, ok := root.Get(name)
		if !ok {
			want = reflect.Zero(reflect.TypeOf(got)).Interface()
		}
		if got != want {
			return fmt.Errorf("%w: %s is %v, not %v", errWrong, name, got, want)
		}
	}
	return nil
}

func verifyRaws(c *nbtChunk, root nbt.Compound) error {
	for name, got := range map[string]nbt.Raw{
		"block_ticks": c.BlockTicks, "fluid_ticks": c.FluidTicks, "PostProcessing": c.PostProcessing, "structures": c.Structures,
	} {
		if want, _ := root.Get(name); !equalRaw(got, want) {
			return fmt.Errorf("%w: %s differs", errWrong, name)
		}
	}
	for name, got := range map[string][]nbt.Raw{
		"block_entities": c.BlockEntities, "entities": c.Entities, "Lights": c.Lights,
	} {
		v, _ := root.Get(name)
		want, _ := v.(nbt.List)
		same := len(got) == len(want.Items)
		for i := 0; same && i < len(got); i++ {
			same = equalRaw(got[i], want.Items[i])
		}
		if !same {
			return fmt.Errorf("%w: %s differ", errWrong, name)
		}
	}
	return nil
}

func equalRaw(got nbt.Raw, want any) bool {
	if !got.Exists() {
		return want == nil
	}
	var v any
	return got.Decode(&v) == nil && nbt.Equal(v, want)
}

func verifyMaps(name string, got map[string][]uint64, root nbt.Compound) error {
	v, _ := root.Get(name)
	want, _ := v.(nbt.Compound)
	same := len(got) == len(want)
	for _, m := range want {
		same = same && equalLongs(got[m.Name], m.Value)
	}
	if !same {
		return fmt.Errorf("%w: %s differ", errWrong, name)
	}
	return nil
}

// equalLongs compares an array with one in an any, where absent is empty.
func equalLongs(got []uint64, want any) bool {
	longs, _ := want.([]int64)
	if len(got) != len(longs) {
		return false
	}
	for i, n := range longs {
		if got[i] != uint64(n) {
			return false
		}
	}
	return true
}

func verifySections(got []nbtSection, root nbt.Compound) error {
	v, _ := root.Get("sections")
	want, _ := v.(nbt.List)
	if len(got) != len(want.Items) {
		return fmt.Errorf("%w: %d sections, not %d", errWrong, len(got), len(want.Items))
	}
	for i := range got {
		section, _ := want.Items[i].(nbt.Compound)
		if what := differingPart(&got[i], section); what != "" {
			return fmt.Errorf("%w: %s of section %d", errWrong, what, i)
		}
	}
	return nil
}

// differingPart names what of a section differs, if anything does.
func differingPart(got *nbtSection, want nbt.Compound) string {
	if y, ok := want.Get("Y"); ok && y != got.Y {
		return "Y"
	}
	for name, light := range map[string][]byte{"SkyLight": got.SkyLight, "BlockLight": got.BlockLight} {
		v, _ := want.Get(name)
		if b, _ := v.([]byte); !bytes.Equal(light, b) {
			return name
		}
	}
	if !equalContainer(got.BlockStates, want, "block_states", equalState) {
		return "block_states"
	}
	if !equalContainer(got.Biomes, want, "biomes", func(b nbtBiome, want any) bool { return string(b) == want }) {
		return "biomes"
	}
	return ""
}

func equalContainer[T any](got nbtContainer[T], section nbt.Compound, name string, equal func(T, any) bool) bool {
	v, _ := section.Get(name)
	want, _ := v.(nbt.Compound)
	v, _ = want.Get("palette")
	palette, _ := v.(nbt.List)
	data, _ := want.Get("data")
	if len(got.Palette) != len(palette.Items) || !equalLongs(got.Data, data) {
		return false
	}
	for i := range got.Palette {
		if !equal(got.Palette[i], palette.Items[i]) {
			return false
		}
	}
	return true
}

func equalState(got nbtState, want any) bool {
	state, _ := want.(nbt.Compound)
	name, _ := state.Get("Name")
	properties, _ := state.Get("Properties")
	return got.Name == name && equalRaw(got.Properties, properties)
}
