package store

import (
	"strata/anvil/chunk"
	"strata/anvil/level"
)

// MinVersion is the oldest DataVersion that is written: 26.1.
const MinVersion = 4786

// Version is the newest DataVersion that may be written: that of level.dat.
func (s *Store) Version() int32 { return s.version.Load() }

func (s *Store) checkVersion(v int32) error {
	newest := min(s.Version(), level.NativeVersion)
	if v < MinVersion || v > newest {
		return &VersionError{Version: v, Min: MinVersion, Max: newest}
	}
	return nil
}

// newestReadable is the newest version that loads.
func (s *Store) newestReadable() int32 {
	if v := s.Version(); v != 0 {
		return min(v, level.NativeVersion)
	}
	return level.NativeVersion
}

// prepare makes a chunk ready for a change: it raises it if that is wanted, and
// returns how it was if the change can raise it too far. A world of the newest
// version that conversions lead to takes whatever they make.
func (s *Store) prepare(c *chunk.Chunk) (before *chunk.Chunk, err error) {
	newest := min(s.Version(), level.NativeVersion)
	if s.opts.Raise && chunk.CheckRaise(c.DataVersion(), newest) == nil {
		_, err = c.Raise(newest)
	}
	if newest < level.NativeVersion {
		before = c.Clone()
	}
	return before, err
}
