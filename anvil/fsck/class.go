package fsck

import (
	"strata/anvil"
	"strata/region"
)

// Class is what a finding is about: one of package region's classes, of the
// kinds of package anvil, or of those here.
type Class = region.Class

// Severity is package region's.
type Severity = region.Severity

// Classes of this package. The names are part of the command line's JSON and
// do not change.
const (
	// BadChunk: NBT, but not that of a chunk that can be read.
	BadChunk Class = "bad-chunk"
	// BadEntities: NBT, but not that of an entity chunk.
	BadEntities Class = "bad-entities"
	// BadPOI: NBT, but not that of a poi chunk.
	BadPOI Class = "bad-poi"
	// MissingMember: a member that the game does not read the chunk without.
	MissingMember Class = "missing-member"
	// BadPalette: a palette or its indices that do not go together.
	BadPalette Class = "bad-palette"
	// SectionRange: blocks below or above the dimension, or a Y that is none.
	SectionRange Class = "section-range"
	// BadHeightmap: a full chunk without a heightmap of the right length, or a
	// height above the dimension. The game computes it anew.
	BadHeightmap Class = "bad-heightmap"
	// NewerThanWorld: an older game reads what it does not know as air, or
	// stops.
	NewerThanWorld Class = "newer-than-world"
	// TooOld: chunks from before 1.13, which are looked at as NBT alone.
	TooOld Class = "too-old"
	// NotModelled: chunks that are looked at as NBT alone, since they are newer
	// than this build knows or have more names than it takes.
	NotModelled Class = "not-modelled"
	// DuplicateChunk: a chunk in the wrong place whose own slot has one as well.
	DuplicateChunk Class = "duplicate-chunk"
	// NoChunk: entities or points of interest of a chunk that is not there.
	NoChunk Class = "no-chunk"
	// MisplacedEntity: an entity that stands in another chunk.
	MisplacedEntity Class = "misplaced-entity"
	// DuplicateUUID: two entities of a dimension with one UUID, of which the
	// game takes one.
	DuplicateUUID Class = "duplicate-uuid"
	// MisplacedPOI: points of interest of several chunks in one.
	MisplacedPOI Class = "misplaced-poi"
	// Unstable: it changed whenever it was read; somebody is writing it. No
	// damage, but nobody knows.
	Unstable Class = "unstable"
	// BadJSON: statistics or advancements of a player that are not JSON.
	BadJSON Class = "bad-json"
	// Rescued: an object or data file that could not be saved and lies in
	// strata/rescue.
	Rescued Class = "rescued"
	// JournalPending: changes that are acknowledged but not in their places;
	// opening the world for writing puts them there.
	JournalPending Class = "journal-pending"
	// JournalUnfinished: changes that were never acknowledged, which opening
	// drops.
	JournalUnfinished Class = "journal-unfinished"
	// JournalVoid: changes that do not fit to the world any more; opening sets
	// the journal aside.
	JournalVoid Class = "journal-void"
	// JournalStale: a journal that was set aside.
	JournalStale Class = "journal-stale"
)

// severities are those of this package's classes and of anvil's kinds; the
// rest are region's. What keeps the game, or us, from reading a chunk, or makes
// it another one, is an error. What the game puts right by itself is a warning.
var severities = map[Class]Severity{
	BadChunk:       region.SeverityError,
	BadEntities:    region.SeverityError,
	BadPOI:         region.SeverityWarning,
	MissingMember:  region.SeverityError,
	BadPalette:     region.SeverityError,
	NewerThanWorld: region.SeverityError,

	SectionRange:    region.SeverityWarning,
	BadHeightmap:    region.SeverityWarning,
	DuplicateChunk:  region.SeverityWarning,
	NoChunk:         region.SeverityInfo,
	MisplacedEntity: region.SeverityWarning,
	DuplicateUUID:   region.SeverityWarning,
	MisplacedPOI:    region.SeverityWarning,
	Unstable:        region.SeverityWarning,
	BadJSON:         region.SeverityWarning,

	TooOld:      region.SeverityInfo,
	NotModelled: region.SeverityInfo,

	Rescued:           region.SeverityWarning,
	JournalPending:    region.SeverityWarning,
	JournalUnfinished: region.SeverityInfo,
	JournalVoid:       region.SeverityWarning,
	JournalStale:      region.SeverityWarning,

	Class(anvil.LevelFromOld):         region.SeverityError,
	Class(anvil.LayoutNewerThanLevel): region.SeverityWarning,
	Class(anvil.DuplicateDimension):   region.SeverityWarning,
	Class(anvil.LeftoverDimension):    region.SeverityWarning,
	Class(anvil.DuplicateData):        region.SeverityInfo,
	DamagedData:                       region.SeverityError,
	Class(anvil.StrangeDimension):     region.SeverityWarning,
	Class(anvil.TooManyDimensions):    region.SeverityWarning,
	Class(anvil.PartOfSplit):          region.SeverityWarning,
}

// DamagedData is anvil's.
const DamagedData = Class(anvil.DamagedData)

func severityOf(c Class) Severity {
	if s, ok := severities[c]; ok {
		return s
	}
	return c.Severity()
}

// Known reports whether a class is one that a check can find.
func Known(c Class) bool {
	_, ok := severities[c]
	return ok || regionClasses[c]
}

// regionClasses are those of package region.
var regionClasses = map[Class]bool{
	region.ZeroByte: true, region.Unpadded: true, region.ShortPadding: true, region.StaleBytes: true,
	region.EmptyTimestamp: true, region.ShortHeader: true, region.InHeader: true, region.OutOfRange: true,
	region.ZeroCount: true, region.OversizedCount: true, region.Overlap: true, region.BadLength: true,
	region.Truncated: true, region.UnknownScheme: true, region.BadStream: true, region.SchemeMismatch: true,
	region.TooLarge: true, region.ExternalMissing: true, region.ExternalInline: true, region.OrphanExternal: true,
	region.Leftover: true, region.WrongPosition: true, region.BadContent: true, region.IOError: true,
	region.BeyondLimit: true, region.NotRegion: true, region.LostHeader: true, region.MovedRegion: true,
	region.Misnamed: true, region.KeptCopy: true, region.Ambiguous: true,
}

// loses reports whether a chunk with such a finding cannot be read as what it
// should be: another copy of it is welcome.
func loses(c Class) bool {
	switch c {
	case region.InHeader, region.OutOfRange, region.ZeroCount, region.BadLength, region.Truncated, region.BadStream,
		region.ExternalMissing, region.BadContent, BadChunk, BadEntities, BadPOI, MissingMember, BadPalette:
		return true
	}
	return false
}
