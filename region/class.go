package region

// Defects that reading meets and Check reports. The names are part of the
// command line's JSON and do not change.
const (
	// ZeroByte: the file has no bytes; an empty region. The game makes such
	// files when it looks for chunks that are not there.
	ZeroByte Class = "zero-byte"
	// Unpadded: the last sector is not filled up. Normal in a file copied
	// from a running server: the game pads on close.
	Unpadded Class = "unpadded"
	// ShortPadding: a record ends inside the last sector of the file.
	ShortPadding Class = "short-padding"
	// StaleBytes: bytes other than zero follow a record in its last sector.
	StaleBytes Class = "stale-bytes"
	// EmptyTimestamp: an empty slot has a timestamp; the game leaves it when
	// it clears a chunk.
	EmptyTimestamp Class = "empty-timestamp"
	// ShortHeader: the file ends inside its header.
	ShortHeader Class = "short-header"
	// InHeader: a location points into the header.
	InHeader Class = "in-header"
	// OutOfRange: a location points at or beyond the end of the file.
	OutOfRange Class = "out-of-range"
	// ZeroCount: a location has a sector and the count 0.
	ZeroCount Class = "zero-count"
	// OversizedCount: a location counts more sectors than the record needs
	// or the file has.
	OversizedCount Class = "oversized-count"
	// Overlap: two locations name the same sector.
	Overlap Class = "overlap"
	// BadLength: a record's length is 0, negative, or more than its sectors.
	BadLength Class = "bad-length"
	// Truncated: the file ends inside a record.
	Truncated Class = "truncated"
	// UnknownScheme: the compression type is none we can decode, custom ones
	// (127) included. The bytes are kept.
	UnknownScheme Class = "unknown-scheme"
	// BadStream: the stream does not decode with the scheme it names.
	BadStream Class = "bad-stream"
	// SchemeMismatch: an external body decodes with another scheme than its
	// stub names.
	SchemeMismatch Class = "scheme-mismatch"
	// TooLarge: a stream is larger than the reader's limit.
	TooLarge Class = "too-large"
	// ExternalMissing: the external file a stub stands for is not there.
	ExternalMissing Class = "external-missing"
	// ExternalInline: a stub for an external file also holds a stream.
	ExternalInline Class = "external-inline"
	// OrphanExternal: a .mcc file that no stub stands for.
	OrphanExternal Class = "orphan-external"
	// Leftover: a temporary file of ours or of the game.
	Leftover Class = "leftover"
	// WrongPosition: the chunk's own position is not the slot's.
	WrongPosition Class = "wrong-position"
	// Ambiguous: several records are equally good for one slot.
	Ambiguous Class = "ambiguous"
	// BadContent: the stream decodes, but the caller's callback refuses it.
	BadContent Class = "bad-nbt"
	// IOError: the system could not read it.
	IOError Class = "io-error"
	// BeyondLimit: the record lies at or beyond 2 GiB, where the game cannot
	// reach it.
	BeyondLimit Class = "beyond-limit"
	// NotRegion: the file has bytes, but nothing in it is a header or a record.
	NotRegion Class = "not-region"
	// LostHeader: the header is all zeros, yet records follow it.
	LostHeader Class = "lost-header"
	// MovedRegion: every chunk's own position is in one other region.
	MovedRegion Class = "moved-region"
	// Misnamed: the name is nearly that of a region file or an external file,
	// in wrong case or spelling; nobody reads it.
	Misnamed Class = "misnamed"
	// KeptCopy: the raw copy of a region file that Repair made before it
	// changed it.
	KeptCopy Class = "kept-copy"
)
