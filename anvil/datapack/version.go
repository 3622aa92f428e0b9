package datapack

import (
	"encoding/json"
	"fmt"
)

// Version is a version of the game, as version.json of its jar gives it.
type Version struct {
	ID           string `json:"id"`               // "26.2"
	WorldVersion int    `json:"world_version"`    // the data version, 4903 for 26.2
	Protocol     int    `json:"protocol_version"` // 776 for 26.2
	Format       Format `json:"data_format"`      // of data packs, 107.1 for 26.2
	JavaVersion  int    `json:"java_version"`     // 0 if not known
	Stable       bool   `json:"stable"`           // false for snapshots
}

// Supported reports whether Strata runs the version: its protocol is 775
// (26.1.x) or 776 (26.2). Data of others can be opened, not imported.
func (v Version) Supported() bool { return v.Protocol == 775 || v.Protocol == 776 }

// String returns "26.2 (data version 4903, pack format 107.1)".
func (v Version) String() string {
	return fmt.Sprintf("%s (data version %d, pack format %s)", v.ID, v.WorldVersion, v.Format)
}

// known are the versions that can be told from data without a version.json.
// Numbers: version.json and generator reports of each. Versions of one format
// have the same data: those of 26.1, 26.1.1 and 26.1.2 were compared file by
// file (generator output of each).
var known = []Version{
	{ID: "26.1", WorldVersion: 4786, Protocol: 775, Format: Format{101, 1}, JavaVersion: 25, Stable: true},
	{ID: "26.1.1", WorldVersion: 4788, Protocol: 775, Format: Format{101, 1}, JavaVersion: 25, Stable: true},
	{ID: "26.1.2", WorldVersion: 4790, Protocol: 775, Format: Format{101, 1}, JavaVersion: 25, Stable: true},
	{ID: "26.2", WorldVersion: 4903, Protocol: 776, Format: Format{107, 1}, JavaVersion: 25, Stable: true},
	{ID: "26.3", WorldVersion: 5023, Protocol: 777, Format: Format{121, 0}, JavaVersion: 25, Stable: true},
}

// KnownVersion returns the version of that name, if this package knows it
// without its version.json.
func KnownVersion(id string) (Version, bool) {
	for _, v := range known {
		if v.ID == id {
			return v, true
		}
	}
	return Version{}, false
}

// ParseVersion reads version.json. pack_version is read in all its forms: a
// number, {data}, and since 25w31a {data_major, data_minor}. Errors wrap
// ErrDamaged.
func ParseVersion(data []byte) (Version, error) {
	var v Version
	if len(data) > maxMetaBytes {
		return v, fmt.Errorf("%w: %d bytes", ErrLimit, len(data))
	}
	o, err := parseObject(data)
	if err != nil {
		return v, err
	}
	if err := o.need("id", &v.ID); err != nil {
		return v, err
	}
	// The id becomes the name of a folder.
	if !validVersionID(v.ID) {
		return v, fmt.Errorf("%w: version id %q", ErrDamaged, clip(v.ID))
	}
	for key, to := range map[string]*int{"world_version": &v.WorldVersion, "protocol_version": &v.Protocol} {
		if err := o.need(key, to); err != nil {
			return v, err
		}
	}
	if _, err := o.field("java_version", &v.JavaVersion); err != nil {
		return v, err
	}
	if _, err := o.field("stable", &v.Stable); err != nil {
		return v, err
	}
	if raw, ok := o["pack_version"]; ok {
		if v.Format, err = parsePackVersion(raw); err != nil {
			return v, fmt.Errorf("pack_version: %w", err)
		}
	}
	return v, nil
}

func parsePackVersion(raw json.RawMessage) (Format, error) {
	if isNumber(raw) {
		return parseBound(raw, 0)
	}
	o, err := parseObject(raw)
	if err != nil {
		return Format{}, err
	}
	if plain, ok := o["data"]; ok {
		return parseBound(plain, 0)
	}
	var f Format
	if err := o.need("data_major", &f.Major); err != nil {
		return f, err
	}
	if _, err := o.field("data_minor", &f.Minor); err != nil {
		return f, err
	}
	if f.Major < 0 || f.Minor < 0 || f.Major > anyMinor || f.Minor > anyMinor {
		return f, fmt.Errorf("%w: %d.%d", ErrDamaged, f.Major, f.Minor)
	}
	return f, nil
}

// validVersionID takes names that are a single plain folder on every system.
// All versions since 2011 begin with a digit, which no device of Windows does.
func validVersionID(id string) bool {
	if id == "" || len(id) > 64 || id[0] < '0' || id[0] > '9' || id[len(id)-1] == '.' {
		return false
	}
	for i := range len(id) {
		c := id[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '.' && c != '-' && c != '_' {
			return false
		}
	}
	return true
}
