package anvil

import (
	"fmt"
	"slices"

	"strata/anvil/level"
)

// The versions that set the limits of what is done.
const (
	// NativeVersion is the data version of chunks that Strata makes: 26.2.
	NativeVersion = level.NativeVersion
	// MinChunkVersion is the oldest that chunks are written in: 26.1.
	MinChunkVersion = 4786
)

// releases are the data versions of releases. Worlds before 1.9 have none.
var releases = []struct {
	version int32
	name    string
}{
	{169, "1.9"}, {175, "1.9.1"}, {176, "1.9.2"}, {183, "1.9.3"}, {184, "1.9.4"},
	{510, "1.10"}, {511, "1.10.1"}, {512, "1.10.2"}, {819, "1.11"}, {921, "1.11.1"}, {922, "1.11.2"},
	{1139, "1.12"}, {1241, "1.12.1"}, {1343, "1.12.2"}, {1519, "1.13"}, {1628, "1.13.1"}, {1631, "1.13.2"},
	{1952, "1.14"}, {1957, "1.14.1"}, {1963, "1.14.2"}, {1968, "1.14.3"}, {1976, "1.14.4"},
	{2225, "1.15"}, {2227, "1.15.1"}, {2230, "1.15.2"},
	{2566, "1.16"}, {2567, "1.16.1"}, {2578, "1.16.2"}, {2580, "1.16.3"}, {2584, "1.16.4"}, {2586, "1.16.5"},
	{2724, "1.17"}, {2730, "1.17.1"}, {2860, "1.18"}, {2865, "1.18.1"}, {2975, "1.18.2"},
	{3105, "1.19"}, {3117, "1.19.1"}, {3120, "1.19.2"}, {3218, "1.19.3"}, {3337, "1.19.4"},
	{3463, "1.20"}, {3465, "1.20.1"}, {3578, "1.20.2"}, {3698, "1.20.3"}, {3700, "1.20.4"}, {3837, "1.20.5"}, {3839, "1.20.6"},
	{3953, "1.21"}, {3955, "1.21.1"}, {4080, "1.21.2"}, {4082, "1.21.3"}, {4189, "1.21.4"}, {4325, "1.21.5"},
	{4435, "1.21.6"}, {4438, "1.21.7"}, {4440, "1.21.8"}, {4554, "1.21.9"}, {4556, "1.21.10"}, {4671, "1.21.11"},
	{4786, "26.1"}, {4788, "26.1.1"}, {4790, "26.1.2"}, {4903, "26.2"}, {5023, "26.3"},
}

// ReleaseName returns the name of the release with that data version, "" if it
// is none that is known, such as a snapshot.
func ReleaseName(version int32) string {
	for _, r := range releases {
		if r.version == version {
			return r.name
		}
	}
	return ""
}

// Describe returns a data version as people read it: "26.2 (4903)", "before
// 1.9", or "4883 (after 26.1.2)".
func Describe(version int32) string {
	if version <= 0 {
		return "before 1.9"
	}
	if name := ReleaseName(version); name != "" {
		return fmt.Sprintf("%s (%d)", name, version)
	}
	last := ""
	for _, r := range releases {
		if r.version < version {
			last = r.name
		}
	}
	if last == "" {
		return fmt.Sprintf("%d (before 1.9)", version)
	}
	return fmt.Sprintf("%d (after %s)", version, last)
}

// Feature is something about worlds that came with a version and stayed.
type Feature uint8

// The features.
const (
	FlatNames        Feature = iota // blocks by name and state in palettes
	PoiFiles                        // a folder poi
	ExternalChunks                  // .mcc files beside region files
	AlignedPacking                  // palette indices never span two longs
	EntityFiles                     // a folder entities
	SectionBiomes                   // biomes in palettes, by section
	RootChunks                      // no compound Level in chunks
	DimensionFolders                // the layout of 26.1
)

// since are the first data versions with each feature, snapshots most of them
// (MCA Selector and Amulet keep the same list).
var since = [...]int32{
	FlatNames:        1451,
	PoiFiles:         1947,
	ExternalChunks:   2203,
	AlignedPacking:   2529,
	EntityFiles:      2681,
	SectionBiomes:    2834,
	RootChunks:       2844,
	DimensionFolders: MinChunkVersion,
}

// Has reports whether worlds of that data version have the feature.
func (f Feature) Has(version int32) bool { return version >= since[f] }

// CheckEdit reports whether a chunk of one version may be edited as NBT, and
// written back in its own, in a world of another. The error is a
// [*VersionError].
func CheckEdit(world, chunk int32) error {
	if chunk > world {
		return &VersionError{ChunkNewerThanWorld, chunk, world}
	}
	return nil
}

// CheckChunk reports whether a chunk of one version may be read as a chunk,
// changed and written in a world of another: from MinChunkVersion to the
// world's, both not newer than NativeVersion. The error is a [*VersionError].
func CheckChunk(world, chunk int32) error {
	for _, version := range [...]int32{world, chunk} {
		if version > NativeVersion {
			return &VersionError{TooNew, version, NativeVersion}
		}
	}
	if chunk < MinChunkVersion {
		return &VersionError{ChunkTooOld, chunk, MinChunkVersion}
	}
	return CheckEdit(world, chunk)
}

// CheckGenerate reports whether chunks may be generated in a world, which makes
// ones of NativeVersion. A world of an older version that can be raised (see
// CheckRaise) may have them when upgrade says that it is to be. The error is a
// [*VersionError].
func CheckGenerate(world int32, upgrade bool) error {
	switch {
	case world > NativeVersion:
		return &VersionError{TooNew, world, NativeVersion}
	case world == NativeVersion:
		return nil
	case !upgrade:
		return &VersionError{WorldOlder, world, NativeVersion}
	}
	return CheckRaise(world, NativeVersion)
}

// steps are the conversions that there are lists for.
var steps = []struct{ from, through, to int32 }{
	{MinChunkVersion, NativeVersion - 1, NativeVersion},
}

// CheckRaise reports whether there is a list of conversions that raises chunks,
// and so a world, from one version to another. The error is a [*VersionError].
func CheckRaise(from, to int32) error {
	if from == to {
		return nil
	}
	if slices.ContainsFunc(steps, func(s struct{ from, through, to int32 }) bool {
		return s.from <= from && from <= s.through && s.to == to
	}) {
		return nil
	}
	return &VersionError{NoConversion, from, to}
}
