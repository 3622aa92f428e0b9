package store

import (
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
