package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"strata/region"
	"strata/region/vfs"
)

// Outcome says what was found in a journal.
type Outcome string

const (
	// Nothing: no record counts.
	Nothing Outcome = "nothing"
	// Replayed: Open has completed an acknowledged epoch.
	Replayed Outcome = "replayed"
	// SetAside: Open has renamed a journal that it could not replay.
	SetAside Outcome = "set-aside"
	// Unfinished: a record of which a part was written, before it was
	// acknowledged. Open drops it.
	Unfinished Outcome = "unfinished"
	// Pending: Inspect has found a record that Open would replay, or one that
	// a running process is about to complete.
	Pending Outcome = "pending"
	// Void: Inspect has found a journal that Open would set aside.
	Void Outcome = "void"
	// InUse: Inspect could not read the journal, since another process has it
	// open. Only systems whose locks keep readers out say so.
	InUse Outcome = "in-use"
)

// Report is what Open or Inspect has found.
type Report struct {
	Outcome Outcome
	// Sequence numbers the epochs of a world between two clean closings.
	Sequence uint64
	// Regions, Chunks and Files are what the record is about: region files,
	// changed slots, and files replaced or removed.
	Regions, Chunks, Files int
	// Reason is why the record is void: a *Mismatch, or that the bytes are no
	// record.
	Reason error
	// Path is the name that the journal was given when it was set aside.
	Path string
	// Headers are the headers that the record has for region files, by path:
	// what Repair trusts most. Nil for records that could not be read.
	Headers map[string]*region.Header
	// Stale are the journals that were set aside, now or earlier.
	Stale []string
}

// describe fills in what the record is about.
func (r *Report) describe(rec *record, rs *roots) {
	if rec == nil {
		return
	}
	r.Regions, r.Chunks, r.Files = len(rec.regions), rec.chunks(), len(rec.files)
	r.Headers = map[string]*region.Header{}
	for _, c := range rec.regions {
		if path, ok := rs.path(c.at); ok {
			r.Headers[path] = c.header
		}
	}
}

// Inspect says what Open would find and do, and changes nothing. It may be
// called beside a running process; what that is just committing is Pending.
func Inspect(opts Options) (*Report, error) {
	if opts.FS == nil {
		opts.FS = vfs.OS()
	}
	rs, err := newRoots(opts.FS, opts.Roots)
	if err != nil {
		return nil, err
	}
	report := &Report{Outcome: Nothing}
	if report.Stale, err = listStale(opts.FS, rs); err != nil {
		return nil, err
	}
	c, err := inspectContent(opts.FS, rs)
	if errors.Is(err, vfs.ErrLocked) {
		report.Outcome = InUse
		return report, nil
	}
	if err != nil {
		return nil, err
	}
	report.Sequence = c.head.sequence
	report.describe(c.rec, rs)
	switch {
	case c.reason != nil:
		report.Outcome, report.Reason = Void, c.reason
	case c.torn:
		report.Outcome = Unfinished
	case c.rec != nil:
		mismatch, err := rs.check(c.rec)
		if err != nil {
			return nil, err
		}
		report.Outcome = Pending
		if mismatch != nil {
			report.Outcome, report.Reason = Void, mismatch
		}
	}
	return report, nil
}

func inspectContent(fsys vfs.FS, rs *roots) (content, error) {
	f, err := fsys.OpenFile(rs.journalPath(), os.O_RDONLY, 0)
	if isAbsent(err) {
		return content{}, nil
	}
	if err != nil {
		return content{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return content{}, err
	}
	return readContent(f, info.Size, rs.main())
}

// staleName begins the base names of journals that were set aside.
const staleName = "journal.stale"

func listStale(fsys vfs.FS, rs *roots) (paths []string, err error) {
	dir := filepath.Dir(rs.journalPath())
	entries, err := fsys.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if e.Name() == staleName || strings.HasPrefix(e.Name(), staleName+".") {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths, err
}
