package chunk

import "strings"

// Status is how far the generation of a chunk has come. Statuses compare by
// that; versions that lack a step do it as part of another.
type Status uint8

// The statuses in their order. Before 1.14 a chunk has those that have no
// name of today's: see [ParseStatus].
const (
	StatusUnknown Status = iota // absent, or of no known name
	StatusEmpty
	StatusStructureStarts
	StatusStructureReferences
	StatusBiomes
	StatusNoise
	StatusSurface
	StatusCarvers
	StatusLiquidCarvers // 1.13 to 1.17
	StatusFeatures
	StatusInitializeLight // since 1.20
	StatusLight
	StatusSpawn
	StatusHeightmaps // 1.13 to 1.19
	StatusFull
	StatusPostprocessed // 1.13: full, and the blocks near its rim settled
)

var statusNames = [...]string{
	"unknown", "empty", "structure_starts", "structure_references", "biomes", "noise", "surface", "carvers",
	"liquid_carvers", "features", "initialize_light", "light", "spawn", "heightmaps", "full", "postprocessed",
}

// oldStatuses are the names of 1.13, up to DataVersion 1910.
var oldStatuses = map[string]Status{
	"base": StatusSurface, "carved": StatusCarvers, "liquid_carved": StatusLiquidCarvers,
	"decorated": StatusFeatures, "lighted": StatusLight, "mobs_spawned": StatusSpawn,
	"finalized": StatusHeightmaps, "fullchunk": StatusFull,
}

// statusPrefixVersion is where names got a namespace (23w16a and later were
// seen with it; mcaselector names 3458).
const statusPrefixVersion = 3458

// oldStatusVersion is the first that has the names of 1.14.
const oldStatusVersion = 1911

// ParseStatus returns the status of a name with or without "minecraft:", of
// any version.
func ParseStatus(name string) Status {
	name = strings.TrimPrefix(name, "minecraft:")
	for i, known := range statusNames {
		if i > 0 && known == name {
			return Status(i)
		}
	}
	return oldStatuses[name]
}

// String returns the name without namespace.
func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return "unknown"
}

// nameIn returns the name that chunks of a version have for the status.
func (s Status) nameIn(dataVersion int32) string {
	if dataVersion >= statusPrefixVersion {
		return "minecraft:" + s.String()
	}
	if dataVersion < oldStatusVersion {
		for name, old := range oldStatuses {
			if old == s {
				return name
			}
		}
	}
	return s.String()
}

// Status returns the chunk's status.
func (c *Chunk) Status() Status { return c.status }

// StatusName returns the status as it is written in the chunk, "" if it has
// none.
func (c *Chunk) StatusName() string { return c.statusName }

// SetStatus sets the status, by the name that chunks of this version use.
func (c *Chunk) SetStatus(s Status) { c.SetStatusName(s.nameIn(c.dataVersion)) }

// SetStatusName sets the status by its name, which may be one that this
// package does not know.
func (c *Chunk) SetStatusName(name string) {
	if c.statusName != name {
		c.statusName, c.status = name, ParseStatus(name)
		c.revision++
	}
	c.has |= hasStatus
}

// Full reports whether the chunk is done: what players see and the game ticks.
func (c *Chunk) Full() bool { return c.status >= StatusFull }
