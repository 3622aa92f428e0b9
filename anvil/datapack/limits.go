package datapack

// Limits bound what a pack may take. The zero value of a field means its
// default. They are checked against what an archive declares before anything
// is allocated, and against what comes out of it.
type Limits struct {
	// FileBytes is the largest file of a pack, inflated: default 64 MiB. The
	// game's own largest is a template of 1.1 MB (26.2).
	FileBytes int64
	// TotalBytes is what the files of a pack may declare together: default
	// 1 GiB. The game's own data are 46 MB with inflated templates (26.2).
	TotalBytes int64
	// Files is how many files a pack may have: default 200,000. The game's own
	// data are 8,525 files (26.2).
	Files int
	// DirectoryBytes is the largest directory of a zip: default 32 MiB, which
	// costs some 200 MB of memory while the pack is opened.
	DirectoryBytes int64
	// NestedBytes is the largest jar inside server.jar, which is held in
	// memory unless it is stored uncompressed: default 256 MiB.
	NestedBytes int64
}

const (
	defaultFileBytes      = 64 << 20
	defaultTotalBytes     = 1 << 30
	defaultFiles          = 200_000
	defaultDirectoryBytes = 32 << 20
	defaultNestedBytes    = 256 << 20

	// maxNameBytes is the longest path inside a pack.
	maxNameBytes = 512
	// maxSkipped is how many skipped entries are listed by name; all count.
	maxSkipped = 100
	// maxMetaBytes is the largest pack.mcmeta, version.json or list of a
	// bundler.
	maxMetaBytes = 1 << 20
	// maxOverlays and maxFilters bound what a pack.mcmeta may list.
	maxOverlays = 256
	maxFilters  = 256
)

func (l Limits) withDefaults() Limits {
	l.FileBytes = orDefault(l.FileBytes, defaultFileBytes)
	l.TotalBytes = orDefault(l.TotalBytes, defaultTotalBytes)
	l.Files = orDefault(l.Files, defaultFiles)
	l.DirectoryBytes = orDefault(l.DirectoryBytes, defaultDirectoryBytes)
	l.NestedBytes = orDefault(l.NestedBytes, defaultNestedBytes)
	return l
}

func orDefault[T int | int64](v, def T) T {
	if v <= 0 {
		return def
	}
	return v
}
