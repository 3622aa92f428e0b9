package oracle

import (
	"encoding/json"
	"fmt"
	"slices"

	"strata/anvil/block"
	"strata/pregen/worldgen/settings"
)

// terrain are blocks that the ground is filled with before features, though
// some features place them as well.
var terrain = []string{"air", "cave_air", "stone", "deepslate", "netherrack", "end_stone", "water", "lava", "bedrock"}

// coded are blocks that features place and no document names.
var coded = []string{
	"sculk", "sculk_vein", "sculk_sensor", "sculk_shrieker", "sculk_catalyst", // sculk patches
	"vine", "cocoa", "bamboo", "kelp", "kelp_plant", "seagrass", "tall_seagrass", "sea_pickle",
	"weeping_vines", "weeping_vines_plant", "twisting_vines", "twisting_vines_plant", "chorus_plant", "chorus_flower",
	"snow", "ice", "magma_block", "glowstone", "obsidian",
	"cobblestone", "mossy_cobblestone", "spawner", "chest", // dungeons
}

// Decoration reads from the documents of configured features which blocks
// features place: those that a block state names, and some that only code does,
// such as vines; but not what the ground is filled with (air, stone, water and
// so on).
//
// Chunks at carvers lie beside decorated ones, whose features reach over. What
// is wrong there with a block that features place may be theirs; anything else
// is the generator's. Blocks that the surface has too, such as gravel, are
// counted as the features'.
func Decoration(source settings.Source) (func(block.State) bool, error) {
	const registry = "worldgen/configured_feature"
	ids, err := source.IDs(registry)
	if err != nil {
		return nil, err
	}
	placed := make(map[block.ID]bool)
	for _, id := range ids {
		text, err := source.Document(registry, id)
		if err != nil {
			return nil, err
		}
		var document any
		if err := json.Unmarshal(text, &document); err != nil {
			return nil, fmt.Errorf("%s %s: %w: %w", registry, id, ErrFormat, err)
		}
		collectStates(document, placed)
	}
	for _, name := range coded {
		placed[block.MustParse(name).Block()] = true
	}
	for _, name := range terrain {
		delete(placed, block.MustParse(name).Block())
	}
	return func(s block.State) bool { return placed[s.Block()] }, nil
}

// conditions are members that say what is there before, not what is placed.
var conditions = []string{"target", "predicate", "can_place_on", "replaceable", "allowed_placement", "valid_blocks"}

// collectStates adds the blocks of all states in a value.
func collectStates(value any, to map[block.ID]bool) {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			collectStates(element, to)
		}
	case map[string]any:
		if name, ok := value["Name"].(string); ok {
			if id, ok := block.Find(name); ok {
				to[id] = true
			}
		}
		for name, member := range value {
			if !slices.Contains(conditions, name) {
				collectStates(member, to)
			}
		}
	}
}
