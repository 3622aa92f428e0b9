package region

import (
	"fmt"
	"slices"
)

// Severity says how much a defect matters. Severities are ordered.
type Severity uint8

const (
	// SeverityNone is what a report without findings has.
	SeverityNone Severity = iota
	// SeverityInfo: normal in files of real servers; nothing to do.
	SeverityInfo
	// SeverityWarning: every chunk is readable or kept as it is, but somebody
	// may want to know or to clean up.
	SeverityWarning
	// SeverityError: a chunk is unreadable or is not the one it should be, or
	// the next write of another program would make it so.
	SeverityError
	// SeverityFatal: the file as a whole cannot be read or is no region file.
	SeverityFatal
)

var severityNames = [...]string{"none", "info", "warning", "error", "fatal"}

func (s Severity) String() string {
	if int(s) < len(severityNames) {
		return severityNames[s]
	}
	return fmt.Sprintf("severity(%d)", uint8(s))
}

// MarshalText gives the name that String gives.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a name that String gives.
func (s *Severity) UnmarshalText(text []byte) error {
	i := slices.Index(severityNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("unknown severity %q", text)
	}
	*s = Severity(i)
	return nil
}

// severities decides for every class. What the game itself leaves behind is
// info. A warning costs space or asks for a decision, but no chunk is lost by
// it: an unknown scheme is kept byte for byte, a body in another scheme than
// its stub names is read all the same. Everything by which a chunk is not
// read, is another chunk, or shares its sectors is an error; a record at or
// beyond 2 GiB is one although we read it, because the game does not. A read
// that the system refuses is fatal: nothing can be said about the file, and
// it cannot be copied, so it cannot be repaired either.
var severities = map[Class]Severity{
	ZeroByte:       SeverityInfo,
	Unpadded:       SeverityInfo,
	ShortPadding:   SeverityInfo,
	StaleBytes:     SeverityInfo,
	EmptyTimestamp: SeverityInfo,
	KeptCopy:       SeverityInfo,

	OrphanExternal: SeverityWarning,
	Leftover:       SeverityWarning,
	ExternalInline: SeverityWarning,
	OversizedCount: SeverityWarning,
	SchemeMismatch: SeverityWarning,
	UnknownScheme:  SeverityWarning,
	LostHeader:     SeverityWarning,
	Misnamed:       SeverityWarning,

	ShortHeader:     SeverityError,
	InHeader:        SeverityError,
	OutOfRange:      SeverityError,
	ZeroCount:       SeverityError,
	Overlap:         SeverityError,
	BadLength:       SeverityError,
	Truncated:       SeverityError,
	BadStream:       SeverityError,
	TooLarge:        SeverityError,
	ExternalMissing: SeverityError,
	WrongPosition:   SeverityError,
	MovedRegion:     SeverityError,
	Ambiguous:       SeverityError,
	BadContent:      SeverityError,
	BeyondLimit:     SeverityError,

	IOError:   SeverityFatal,
	NotRegion: SeverityFatal,
}

// Severity is how much a defect of this class matters. A class that is none
// of this package's is an error.
func (c Class) Severity() Severity {
	if s, ok := severities[c]; ok {
		return s
	}
	return SeverityError
}
