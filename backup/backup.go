package backup

import (
	"context"
	"time"

	"strata/anvil/diff"
	"strata/anvil/fsck"
)

// Target says how a repository keeps snapshots.
type Target string

// The targets.
const (
	Repo Target = "repo" // a store of chunks
	Tree Target = "tree" // folders of worlds, with hard links
)

// Consistency says how the parts of a snapshot belong together.
type Consistency string

// The consistencies.
const (
	// Epoch: all of it is of one moment.
	Epoch Consistency = "epoch"
	// Quiesced: another program was told not to write meanwhile.
	Quiesced Consistency = "quiesced"
	// PerChunk: chunks and files are whole, each of its own moment.
	PerChunk Consistency = "per-chunk"
)

// Reason says what a snapshot was made for.
type Reason string

// The reasons.
const (
	Manual     Reason = "manual"
	Scheduled  Reason = "scheduled"
	PreRestore Reason = "pre-restore"
	PreEdit    Reason = "pre-edit"
)

// Latest is what Find takes for the newest snapshot.
const Latest = "latest"

// Repository is an open repository, of either target.
type Repository interface {
	// Config is what the repository was made with.
	Config() Config
	// Create makes a snapshot of a world. The error wraps anvil.ErrNoWorld,
	// ErrLocked if somebody else makes one just now, vfs.ErrNoSpace, or ErrUnstable,
	// with region.ErrPinRevoked for instance. A Report with
	// Skipped or Suspect entries is of a snapshot that exists.
	Create(ctx context.Context, world string, o CreateOptions) (*Report, error)
	// Snapshots lists all snapshots, the oldest first. Damaged ones have an Err.
	Snapshots(ctx context.Context) ([]Snapshot, error)
	// Find returns the snapshot of that id, of which the beginning is enough if
	// no other one begins so, or the newest one for Latest. The error wraps
	// ErrNoSnapshot or ErrAmbiguous.
	Find(ctx context.Context, name string) (Snapshot, error)
	// View opens a snapshot for reading. Close it.
	View(ctx context.Context, id string) (*View, error)
	// Restore brings back a snapshot or a part of it.
	Restore(ctx context.Context, id string, o RestoreOptions) (*RestoreReport, error)
	// Verify looks for damage and says what is lost.
	Verify(ctx context.Context, o VerifyOptions) (*VerifyReport, error)
	// Forget removes snapshots, and no data that they alone have: see Prune. The
	// error wraps ErrProtected if one of them is protected, and then none is.
	Forget(ctx context.Context, ids ...string) error
	// Prune removes what no snapshot needs.
	Prune(ctx context.Context, o PruneOptions) (*PruneReport, error)
	// Mark changes what is said of a snapshot.
	Mark(ctx context.Context, id string, o MarkOptions) (Snapshot, error)
	// Blame lists when a chunk changed, the newest change first.
	Blame(ctx context.Context, o BlameOptions) ([]BlameEntry, error)
	// Files lists the repository's files that never change, in the order in which
	// a copy has to be made: no file needs one that stands behind it.
	Files(ctx context.Context) ([]StoredFile, error)
	// Close ends the use.
	Close() error
}

// Snapshot is what is known of a snapshot.
type Snapshot struct {
	// ID sorts in the order in which snapshots were made, whatever the clock said.
	ID string `json:"id"`
	// Time is when it began.
	Time time.Time `json:"time"`
	// Took is how long it took.
	Took time.Duration `json:"took"`
	// World is the absolute path of the world's folder.
	World       string      `json:"world"`
	Name        string      `json:"name"` // of the folder
	Host        string      `json:"host"`
	DataVersion int32       `json:"data_version"`
	Reason      Reason      `json:"reason"`
	Tags        []string    `json:"tags"`
	Protected   bool        `json:"protected"`
	Expires     *time.Time  `json:"expires,omitempty"`
	Consistency Consistency `json:"consistency"`
	// Chunks is the number of chunks, entities and points of interest not counted.
	Chunks     int64           `json:"chunks"`
	Dimensions []DimensionSize `json:"dimensions"`
	Files      int64           `json:"files"`
	Bytes      int64           `json:"bytes"` // of the files
	NewChunks  int64           `json:"new_chunks"`
	NewBytes   int64           `json:"new_bytes"` // that the repository grew by
	// Parent is the snapshot that it was compared with, "" for the first.
	Parent string `json:"parent"`
	// Exact: region files come back byte for byte.
	Exact bool `json:"exact"`
	// Suspect says why it may not be what it should: fewer-chunks, or
	// lost-dimension with an id behind it.
	Suspect []string `json:"suspect,omitempty"`
	// Skipped are files that could not be read and are not in it.
	Skipped []Skipped `json:"skipped,omitempty"`
	// Roots are the names of the world's folders in it, the main one first.
	Roots []string `json:"roots"`
	// Err says why it cannot be read, in lists.
	Err error `json:"-"`
}

// DimensionSize is what a snapshot has of a dimension.
type DimensionSize struct {
	ID     string `json:"id"`
	Chunks int64  `json:"chunks"`
}

// Skipped is a file that is not in a snapshot, or a chunk that kept changing.
type Skipped struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Report is what Create has done.
type Report struct {
	Snapshot
	// LinkedBytes are of files that are links to those of an earlier snapshot, or
	// of which nothing had to be stored; ClonedBytes of reflinks, CopiedBytes of
	// copies. In a repo CopiedBytes are those that were read to be stored.
	LinkedBytes int64 `json:"linked_bytes"`
	ClonedBytes int64 `json:"cloned_bytes"`
	CopiedBytes int64 `json:"copied_bytes"`
	// ChangedFiles is how many files were read.
	ChangedFiles int64 `json:"changed_files"`
	// Notes are for people: a file system without links, a lock that could not be
	// taken.
	Notes []string `json:"notes,omitempty"`
}

// BlameEntry is a snapshot in which a chunk is not what it was in the one before.
type BlameEntry struct {
	Snapshot string    `json:"snapshot"`
	Time     time.Time `json:"time"`
	// Class is that of the chunk against the snapshot before: created, deleted,
	// modified, touched, moved; created in the first.
	Class diff.Class `json:"class"`
	// Stamp is when the chunk was saved, as the region file says.
	Stamp time.Time `json:"stamp"`
}

// StoredFile is a file of a repository.
type StoredFile struct {
	Path  string `json:"path"` // relative, with slashes
	Bytes int64  `json:"bytes"`
}

// Donors makes donors for a repair out of snapshots, which are given with the
// oldest first: the newest is the first donor. Of snapshots that cannot be opened
// there are none. The caller calls done in the end.
func Donors(ctx context.Context, r Repository, ids ...string) (all []fsck.Donor, done func() error, err error) {
	return donors(ctx, r, ids)
}
