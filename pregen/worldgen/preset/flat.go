package preset

import (
	"encoding/json"
	"strconv"

	"strata/anvil/block"
	"strata/anvil/level"
)

// defaultFlatBiome is that of flat settings that name none.
const defaultFlatBiome = "minecraft:plains"

// flat reads the settings of a flat generator. Layers may have no blocks; a
// layer that names no block is of air.
func (r reader) flat(path string, text json.RawMessage) (*level.Flat, error) {
	var document struct {
		Biome    json.RawMessage
		Features bool
		Lakes    bool
		Layers   *[]struct {
			Block  json.RawMessage
			Height *int32
		}
		Overrides json.RawMessage `json:"structure_overrides"`
	}
	if err := decode(path, text, &document); err != nil {
		return nil, err
	}
	if document.Layers == nil {
		return nil, bad(path+"/layers", "missing")
	}
	f := &level.Flat{Biome: defaultFlatBiome, Features: document.Features, Lakes: document.Lakes, Layers: []level.Layer{}}
	var err error
	if len(document.Biome) > 0 {
		if f.Biome, err = r.id(path+"/biome", document.Biome); err != nil {
			return nil, err
		}
	}
	if err := r.needs(path+"/biome", biomeRegistry, f.Biome); err != nil {
		return nil, err
	}
	total := 0
	for i, l := range *document.Layers {
		at := path + "/layers[" + strconv.Itoa(i) + "]"
		layer := level.Layer{Block: "minecraft:air"}
		if len(l.Block) > 0 {
			if layer.Block, err = r.id(at+"/block", l.Block); err != nil {
				return nil, err
			}
		}
		if _, ok := block.Find(layer.Block); !ok {
			return nil, notExist(at, "block", layer.Block)
		}
		if l.Height == nil || *l.Height < 0 || *l.Height > level.MaxLayers {
			return nil, bad(at+"/height", "want 0 to %d", level.MaxLayers)
		}
		layer.Height = *l.Height
		if total += int(layer.Height); total > level.MaxLayers {
			return nil, bad(path+"/layers", "more than %d blocks together", level.MaxLayers)
		}
		f.Layers = append(f.Layers, layer)
	}
	f.Overrides, err = r.overrides(path+"/structure_overrides", document.Overrides)
	return f, err
}

// overrides reads structure sets: none given, an id, a tag, or a list of ids.
func (r reader) overrides(path string, text json.RawMessage) (level.StructureSets, error) {
	if len(text) == 0 {
		return nil, nil
	}
	var list []json.RawMessage
	if text[0] != '[' {
		var one string
		if json.Unmarshal(text, &one) == nil && len(one) > 0 && one[0] == '#' {
			return level.StructureSets{one}, nil
		}
		list = []json.RawMessage{text}
	} else if err := json.Unmarshal(text, &list); err != nil {
		return nil, bad(path, "%v", err)
	}
	sets := level.StructureSets{}
	for _, one := range list {
		id, err := r.id(path, one)
		if err != nil {
			return nil, err
		}
		sets = append(sets, id)
	}
	return sets, nil
}
