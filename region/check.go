package region

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"strata/region/codec"
	"strata/region/vfs"
)

// CheckOptions are the options of Check. The zero value decodes everything.
type CheckOptions struct {
	// FS is the file system; nil means the operating system's.
	FS vfs.FS
	// Position overrides the position that the file's name gives. CheckFolder
	// ignores it.
	Position *Pos
	// MaxStream is the largest stream that is read and the most that one is
	// decoded to, in bytes; default DefaultMaxStream. It bounds memory.
	MaxStream int
	// SkipDecode leaves streams undecoded: only header and record lengths are
	// checked. It halves the time where most chunks are small.
	SkipDecode bool
	// Inspect looks at the content of each chunk; nil means that nobody does,
	// and positions are not checked. Not called with SkipDecode.
	Inspect Inspect
	// Workers is how many files CheckFolder checks at once, default 1. Inspect
	// is then called by several goroutines.
	Workers int
}

func (o CheckOptions) withDefaults() (CheckOptions, error) {
	if o.FS == nil {
		o.FS = vfs.OS()
	}
	if o.MaxStream == 0 {
		o.MaxStream = DefaultMaxStream
	}
	if o.Workers == 0 {
		o.Workers = 1
	}
	if o.MaxStream < 0 || o.Workers < 0 {
		return o, errors.New("region: limits must not be negative")
	}
	return o, nil
}

// Finding is one defect. Fields that do not apply are -1.
type Finding struct {
	Class    Class    `json:"class"`
	Severity Severity `json:"severity"`
	Path     string   `json:"path"` // the region file, or the file it is about
	Slot     int      `json:"slot"`
	Chunk    ChunkPos `json:"chunk"`  // of the slot, if there is one; of an external file
	Sector   int64    `json:"sector"` // first sector of the record
	Offset   int64    `json:"offset"` // byte in the file
	Detail   string   `json:"detail"` // for people
}

func (f Finding) String() string {
	s := fmt.Sprintf("%s: %s", f.Severity, f.Class)
	if f.Slot >= 0 {
		s += fmt.Sprintf(" chunk %s (slot %d)", f.Chunk, f.Slot)
	}
	s += " in " + f.Path
	if f.Detail != "" {
		s += ": " + f.Detail
	}
	return s
}

// Report is what Check found out about one region file.
type Report struct {
	Path  string `json:"path"`
	Pos   Pos    `json:"pos"`
	Named bool   `json:"named"` // Pos is known

	SizeBytes    int64 `json:"size_bytes"`
	Chunks       int   `json:"chunks"`        // slots that are not empty
	External     int   `json:"external"`      // of them, stubs for external files
	PayloadBytes int64 `json:"payload_bytes"` // streams, external ones included, of records whose length is sound
	PaddingBytes int64 `json:"padding_bytes"` // rest of the sectors that these records claim
	FreeSectors  int64 `json:"free_sectors"`  // sectors of the file that no entry claims
	StaleBytes   int64 `json:"stale_bytes"`   // bytes other than zero behind records, in their last sectors
	// Schemes counts the records by the scheme they name.
	Schemes map[codec.Scheme]int `json:"schemes"`

	// Findings are in the order of slots; those about the file come first.
	Findings []Finding `json:"findings"`

	stubs, unclear [Slots / 64]uint64 // slots that are stubs; that may be
}

// Worst is the highest severity among the findings.
func (r *Report) Worst() Severity { return worst(r.Findings) }

func worst(findings []Finding) Severity {
	w := SeverityNone
	for _, f := range findings {
		w = max(w, f.Severity)
	}
	return w
}

// Check reads the whole region file at path, and the external files it
// stands for, and reports every defect; it changes nothing. The caller sees
// to it that nobody writes meanwhile: a record that changes while it is read
// looks damaged.
//
// A file that is not there is fs.ErrNotExist. One that the system does not
// open or read is a finding (IOError), so that a scan of many files goes on;
// the only other errors are of the options.
//
// Memory is bounded by the file's largest record and by MaxStream. Check does
// not wait for anything but the disk and starts no goroutine.
func Check(path string, opts CheckOptions) (*Report, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	file, err := opts.FS.OpenFile(path, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Error{Op: "check", Path: path, Slot: -1, Offset: -1, Err: fs.ErrNotExist}
	}
	if err != nil {
		c := newChecker(path, nil, opts)
		defer c.x.release()
		c.about(IOError, -1, "%v", err)
		return c.report, nil
	}
	defer file.Close()
	c := newChecker(path, file, opts)
	defer c.x.release()
	c.run()
	return c.report, nil
}

func newChecker(path string, file vfs.File, opts CheckOptions) *checker {
	r := &Report{Path: path, Schemes: map[codec.Scheme]int{}}
	r.Pos, r.Named = ParseName(filepath.Base(path))
	if opts.Position != nil {
		r.Pos, r.Named = *opts.Position, true
	}
	return &checker{report: r, home: r.Pos, x: &examiner{
		fs: opts.FS, path: path, pos: r.Pos, named: r.Named, maxStream: opts.MaxStream,
		inspect: opts.Inspect, skipDecode: opts.SkipDecode, file: file,
		scratch: scratches.Get().(*scratch),
	}}
}

// about adds a finding about the file as a whole.
func (c *checker) about(class Class, offset int64, format string, args ...any) {
	c.report.Findings = append(c.report.Findings, Finding{
		Class: class, Severity: class.Severity(), Path: c.report.Path,
		Slot: -1, Sector: -1, Offset: offset, Detail: fmt.Sprintf(format, args...),
	})
}

// find adds a finding about the record of slot s.
func (c *checker) find(class Class, s Slot, format string, args ...any) {
	f := Finding{
		Class: class, Severity: class.Severity(), Path: c.report.Path,
		Slot: int(s), Chunk: c.report.Pos.Chunk(s), Sector: -1, Offset: -1,
		Detail: fmt.Sprintf(format, args...),
	}
	if l := c.header.Location(s); l != 0 {
		f.Sector = int64(l.Sector())
		f.Offset = f.Sector * SectorBytes
	}
	c.report.Findings = append(c.report.Findings, f)
}
