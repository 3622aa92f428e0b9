package backup

import (
	"context"
	"time"

	"filippo.io/age"

	"strata/anvil/session"
	"strata/region"
	"strata/region/vfs"
)

// InitOptions are what a repository is made with.
type InitOptions struct {
	// FS is the file system, the machine's by default.
	FS vfs.FS
	// Target is Repo by default.
	Target Target
	// Semantic keeps what only LastUpdate tells apart once. A chunk that was so
	// elided comes back with the same content and not byte for byte. Repo only.
	Semantic bool
	// Passphrase or Recipients (age1...) encrypt all that is stored. Repo only.
	Passphrase string
	Recipients []string
}

// OpenOptions are how a repository is opened.
type OpenOptions struct {
	FS vfs.FS
	// Passphrase or Identities (AGE-SECRET-KEY-1...) of an encrypted repository.
	Passphrase string
	Identities []string
	// ReadOnly takes no lock that needs writing, for media that are read-only.
	ReadOnly bool
	// Now is the clock, time.Now by default.
	Now func() time.Time

	key *age.X25519Identity // of a repository that was just made
}

// CreateOptions are how a snapshot is made. The zero value makes one of the whole
// world.
type CreateOptions struct {
	// FS is the file system of the world, the repository's by default.
	FS vfs.FS
	// Reason is Manual by default.
	Reason    Reason
	Tags      []string
	Protected bool
	// Expires is when retention may drop it although it is protected.
	Expires *time.Time
	// Exact also keeps the places of records, padding and free sectors, so that
	// region files come back byte for byte. A tree always does.
	Exact bool
	// Paranoid reads everything, whatever looks unchanged, and what the repository
	// has of it. What is damaged there is stored anew.
	Paranoid bool
	// Exclude are patterns (path.Match) of paths below the world's folder, with
	// slashes, and of base names.
	Exclude []string
	// Quiesce is called if another program has the world open, to have it write
	// everything and then nothing until resume is called: see Quiesced. An error
	// fails the snapshot.
	Quiesce func(ctx context.Context) (resume func() error, err error)
	// RefuseForeign makes no PerChunk snapshot of a world that another program has
	// open when there is no Quiesce: ErrForeign. Default is to make one.
	RefuseForeign bool
	// Compare is the id of the snapshot to compare with, by default the newest one
	// of the same folder.
	Compare string
	// DryRun finds out what would be stored and stores nothing. Report.ID is "".
	DryRun bool
	// Progress is called with the bytes of files that are done and to be done.
	Progress func(done, total int64)

	lock *session.Lock // of the world, which is ours already
	bare bool          // take a folder whose level.dat cannot be read
}

// Rect is a rectangle of chunks, corners included.
type Rect struct{ Min, Max region.ChunkPos }

// Contains reports whether the rectangle has the chunk.
func (r Rect) Contains(c region.ChunkPos) bool {
	return c.X >= r.Min.X && c.X <= r.Max.X && c.Z >= r.Min.Z && c.Z <= r.Max.Z
}

// Scope is a part of a world. The zero value is all of it. Dimension alone is the
// dimension with its data files; Regions and Chunks are of that dimension, by
// default the overworld, and of chunks, entities and points of interest together.
type Scope struct {
	Dimension string
	Regions   []region.Pos
	Chunks    *Rect
	// Players are UUIDs: their data, statistics and advancements.
	Players []string
	// Files are patterns (path.Match) of paths below the world's folder.
	Files []string
}

// RestoreOptions are how a snapshot is brought back: to To or to InPlace.
type RestoreOptions struct {
	// FS is the file system that is written to, the repository's by default.
	FS    vfs.FS
	Scope Scope
	// To is a folder that is absent or empty. It appears when all is in it.
	To string
	// InPlace is the world's folder, which nobody has open. What is there is kept
	// as a protected snapshot, which expires after a week; then what differs is
	// staged, verified and swapped in. Files of the scope that the snapshot does
	// not have are removed.
	InPlace string
	// DryRun changes nothing: the report is the plan.
	DryRun bool
	// Force restores what can be read of a damaged snapshot.
	Force bool
	// Progress is called with the bytes of files that are done and to be done.
	Progress func(done, total int64)
}

// RestoreReport is what Restore has done, or would do.
type RestoreReport struct {
	Snapshot string `json:"snapshot"`
	To       string `json:"to"`
	// Kept is the snapshot of what was there before, in place.
	Kept    string `json:"kept,omitempty"`
	Files   int64  `json:"files"`
	Bytes   int64  `json:"bytes"`
	Chunks  int64  `json:"chunks"`
	Removed int64  `json:"removed"` // files, or chunks of a rectangle
	// Same is how many files were as they should be already.
	Same int64 `json:"same"`
	// Changes are the files or chunks that change, in a dry run.
	Changes []Planned `json:"changes,omitempty"`
	// Lost is what the snapshot's repository no longer has, with Force.
	Lost   []Lost   `json:"lost,omitempty"`
	Notes  []string `json:"notes,omitempty"`
	DryRun bool     `json:"dry_run"`
}

// Planned is a step of a restore.
type Planned struct {
	Action string `json:"action"` // write, remove
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	// Chunk, of a rectangle.
	Chunk *region.ChunkPos `json:"chunk,omitempty"`
}

// VerifyOptions are how much Verify looks at.
type VerifyOptions struct {
	// Quick checks that all there should be is there, and does not read payloads.
	Quick bool
	// Snapshots are the ids to look at, by default all. Packs are read as a whole
	// unless Quick.
	Snapshots []string
	Progress  func(done, total int64)
}

// VerifyReport is what Verify found.
type VerifyReport struct {
	Snapshots int64 `json:"snapshots"`
	Files     int64 `json:"files"` // of the repository that were read
	Bytes     int64 `json:"bytes"`
	Objects   int64 `json:"objects"`
	// Damage are files of the repository that are not what they should be.
	Damage []Damage `json:"damage"`
	// Lost is what cannot be restored because of it.
	Lost []Lost `json:"lost"`
	// Garbage is what no snapshot needs, in bytes: see Prune.
	Garbage int64 `json:"garbage_bytes"`
}

// OK reports whether nothing is wrong.
func (v *VerifyReport) OK() bool { return len(v.Damage) == 0 && len(v.Lost) == 0 }

// Damage is a file of the repository that is not what it should be.
type Damage struct {
	Path   string `json:"path"`
	Offset int64  `json:"offset"` // -1: unknown
	What   string `json:"what"`
}

// Lost is what cannot be restored of a snapshot.
type Lost struct {
	Snapshot string `json:"snapshot"`
	// Path of the file, "" for the whole snapshot.
	Path string `json:"path"`
	// Chunk, if only that one is lost of a region file.
	Dimension string           `json:"dimension,omitempty"`
	Chunk     *region.ChunkPos `json:"chunk,omitempty"`
}

// PruneOptions are how much Prune does.
type PruneOptions struct {
	DryRun bool
	// Threshold is the live part of a pack, in percent, below which it is written
	// anew; default 50. 100 leaves nothing that is not needed.
	Threshold int
	Progress  func(done, total int64)
}

// PruneReport is what Prune has done, or would do.
type PruneReport struct {
	Packs      int   `json:"packs"` // before
	Removed    int   `json:"removed"`
	Repacked   int   `json:"repacked"`
	Bytes      int64 `json:"bytes"` // before
	FreedBytes int64 `json:"freed_bytes"`
	Objects    int64 `json:"objects"`
	Live       int64 `json:"live_objects"`
	DryRun     bool  `json:"dry_run"`
}

// MarkOptions change what is said of a snapshot; nil leaves it.
type MarkOptions struct {
	Protected *bool
	Expires   **time.Time
	Tags      *[]string
}

// BlameOptions name a chunk.
type BlameOptions struct {
	// World is the folder whose snapshots count, by default that of the newest.
	World     string
	Dimension string // overworld by default
	Chunk     region.ChunkPos
}
