package chunk

// Versions at which the form of chunks changed.
const (
	// quarterVersion: biomes by quarter cell instead of column (19w36a, for
	// 1.15).
	quarterVersion = 2203
	// alignedVersion: no cell lies in two longs (20w17a, for 1.16).
	alignedVersion = 2529
	// containerVersion: sections have block_states and biomes (21w37a for
	// 1.18; its first snapshots kept Level).
	containerVersion = 2834
	// flatVersion: no Level, names in snake case (21w43a, for 1.18).
	flatVersion = 2844
)

// form is how a chunk's NBT is laid out.
type form struct {
	level      bool // the chunk is in Level, names are in camel case
	containers bool // sections have block_states and biomes
	straddling bool // cells may lie in two longs
}

func formOf(dataVersion int32) form {
	return form{
		level:      dataVersion < flatVersion,
		containers: dataVersion >= containerVersion,
		straddling: dataVersion < alignedVersion,
	}
}

// member is one of the members that are kept as NBT and have methods.
type member uint8

const (
	memberBlockEntities member = iota
	memberBlockTicks
	memberFluidTicks
	memberBlocksToTick
	memberFluidsToTick
	memberPostProcessing
	memberStructures
	memberCarvingMask
	memberEntities
	memberBlending
	memberUpgrade
	memberLights
	memberBelowZero
	memberBiomes // by number, before containers
	memberCount
)

// memberNames are the names since flatVersion, "" for what is not there, and
// the ones in Level.
var memberNames = [memberCount][2]string{
	memberBlockEntities:  {"block_entities", "TileEntities"},
	memberBlockTicks:     {"block_ticks", "TileTicks"},
	memberFluidTicks:     {"fluid_ticks", "LiquidTicks"},
	memberBlocksToTick:   {"", "ToBeTicked"},
	memberFluidsToTick:   {"", "LiquidsToBeTicked"},
	memberPostProcessing: {"PostProcessing", "PostProcessing"},
	memberStructures:     {"structures", "Structures"},
	memberCarvingMask:    {"carving_mask", "CarvingMasks"},
	memberEntities:       {"entities", "Entities"},
	memberBlending:       {"blending_data", ""},
	memberUpgrade:        {"UpgradeData", "UpgradeData"},
	memberLights:         {"Lights", "Lights"},
	memberBelowZero:      {"below_zero_retrogen", ""},
	memberBiomes:         {"", "Biomes"},
}

// name returns the member's name, "" if the form does not have it.
func (f form) name(m member) string {
	if f.level {
		return memberNames[m][1]
	}
	return memberNames[m][0]
}

// memberIn returns the member of a name.
func (f form) memberIn(name []byte) (member, bool) {
	column := 0
	if f.level {
		column = 1
	}
	for m := range memberNames {
		if known := memberNames[m][column]; len(known) == len(name) && known != "" && known == string(name) {
			return member(m), true
		}
	}
	return 0, false
}
