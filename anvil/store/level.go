package store

import "strata/region/codec"

// Level is how hard what is saved is compressed, see [codec.Level]: packages that may
// not import codec have the name from here.
type Level = codec.Level

// ParseLevel reads a level, "1" to "12" or "sector".
func ParseLevel(text string) (Level, error) { return codec.ParseLevel(text) }
