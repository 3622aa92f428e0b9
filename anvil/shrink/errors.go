package shrink

import (
	"errors"
	"fmt"

	"strata/region/codec"
)

// What a caller can test for.
var (
	// ErrNoChange says that Recompress got neither a dry run nor a change to keep
	// records in.
	ErrNoChange = errors.New("recompressing needs a change for undo")
	// ErrScheme says that the game of a world's version does not read a scheme.
	ErrScheme = errors.New("the world's version of the game does not read this compression scheme")
)

// The versions since which the game reads schemes. Source: minecraft.wiki, "Region
// file format": 3 since 1.15.1, 4 since 24w04a. Older games take such a chunk for
// one that is not there, and make it anew.
const (
	noneVersion = 2227
	lz4Version  = 3807
)

// CheckScheme returns an error that wraps ErrScheme if the game of a world's data
// version does not read records of a scheme.
func CheckScheme(version int32, scheme codec.Scheme) error {
	least := int32(0)
	switch scheme {
	case codec.None:
		least = noneVersion
	case codec.LZ4:
		least = lz4Version
	}
	if version < least {
		return fmt.Errorf("%w: %v needs %d, the world has %d", ErrScheme, scheme, least, version)
	}
	return nil
}
