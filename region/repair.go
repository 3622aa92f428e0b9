package region

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"strata/region/vfs"
)

// RepairOptions are the options of Repair. The zero value repairs what the
// file alone gives away; with Inspect chunks are also found again and put
// where they belong.
type RepairOptions struct {
	// FS is the file system; nil means the operating system's.
	FS vfs.FS
	// Position overrides the position that the file's name gives.
	Position *Pos
	// MaxStream is as in CheckOptions.
	MaxStream int
	// Inspect looks at the content of each chunk. Without it no chunk's
	// position is known: only entries are mended that lead to their record
	// as they are.
	Inspect Inspect
	// Image is the header as a journal recorded it, if there is one. An entry
	// of it that leads to a readable record in place, and an entry that it
	// leaves empty, is trusted before all else.
	Image *Header
	// KeepDir is where the raw copy goes; default the file's folder.
	KeepDir string
	// DryRun changes nothing: the report is the exact plan.
	DryRun bool
	// ScanEmpty fills empty slots, too, with records found in free sectors
	// and with external files. Freed sectors keep old copies of chunks,
	// deleted ones included, so this is for files whose header is lost.
	ScanEmpty bool
	// DropMissing empties the slots whose record is nowhere: the entry points
	// into the header or beyond the end, or the external file is missing, and
	// nothing was found in its place.
	DropMissing bool
	// RemoveOrphans removes external files of this region that no stub
	// stands for.
	RemoveOrphans bool
	// RemoveLeftovers removes temporary files, ours and the game's, from the
	// file's folder. No region file of the folder may be open.
	RemoveLeftovers bool
	// Now is the clock of timestamps; default time.Now.
	Now func() time.Time
}

// ActionKind says what a step of a repair does. The names are part of the
// command line's JSON and do not change.
type ActionKind string

const (
	// RestoreImage: the entry is the journal's.
	RestoreImage ActionKind = "restore-image"
	// PadHeader: the missing part of the header is added, as zeros.
	PadHeader ActionKind = "pad-header"
	// FixCount: the location counts what the record needs.
	FixCount ActionKind = "fix-count"
	// FixLength: the record is written anew with the length of its stream.
	FixLength ActionKind = "fix-length"
	// FixScheme: the stub names the scheme that its external file is in.
	FixScheme ActionKind = "fix-scheme"
	// Relocate: the slot gets the record that stood in the slot of another
	// chunk.
	Relocate ActionKind = "relocate"
	// Recover: the slot gets a record that no entry named.
	Recover ActionKind = "recover"
	// RecoverExternal: the slot gets a stub for its external file.
	RecoverExternal ActionKind = "recover-external"
	// RecoverInline: the external file is missing, and the stream that the
	// stub holds as well takes its place.
	RecoverInline ActionKind = "recover-inline"
	// MoveDown: a record at or beyond 2 GiB is moved to where the game
	// reaches it.
	MoveDown ActionKind = "move-down"
	// Clear: the slot is emptied, since its record is another chunk's.
	Clear ActionKind = "clear"
	// Shorten: the location of a record that cannot be read no longer counts
	// sectors of another chunk.
	Shorten ActionKind = "shorten"
	// Drop: the slot is emptied, since its record is nowhere.
	Drop ActionKind = "drop"
	// RemoveOrphan: the external file at Path is removed.
	RemoveOrphan ActionKind = "remove-orphan"
	// RemoveLeftover: the temporary file at Path is removed.
	RemoveLeftover ActionKind = "remove-leftover"
)

// Action is one step of a repair.
type Action struct {
	Kind   ActionKind `json:"kind"`
	Slot   int        `json:"slot"` // -1 if it is not about a slot
	Chunk  ChunkPos   `json:"chunk"`
	From   Entry      `json:"from"` // the slot's entry before and after
	To     Entry      `json:"to"`
	Path   string     `json:"path"` // of the file that is removed
	Reason string     `json:"reason"`
}

func (a Action) String() string {
	if a.Slot < 0 {
		return fmt.Sprintf("%s %s: %s", a.Kind, a.Path, a.Reason)
	}
	return fmt.Sprintf("%s chunk %s (slot %d): %s", a.Kind, a.Chunk, a.Slot, a.Reason)
}

// RepairReport says what Repair has done, or would do.
type RepairReport struct {
	Path string `json:"path"`
	// Kept is the raw copy of the file as it was; empty if the file needed
	// no change and no choice. In a dry run it does not exist yet.
	Kept string `json:"kept"`
	// Changed: the file was replaced by the repaired one.
	Changed bool `json:"changed"`
	DryRun  bool `json:"dry_run"`
	// MovedTo is the region whose chunks the file holds, if that is not the
	// one that its name says. Nothing is moved: rename the file.
	MovedTo *Pos     `json:"moved_to,omitempty"`
	Actions []Action `json:"actions"`
	// Unrepairable are the defects of severity error that are left, as Check
	// reports them afterwards, and the slots for which several records are
	// equally good (Ambiguous). Their bytes are as they were.
	Unrepairable []Finding `json:"unrepairable"`
}

func (o RepairOptions) withDefaults(path string) (RepairOptions, CheckOptions, error) {
	c, err := CheckOptions{FS: o.FS, Position: o.Position, MaxStream: o.MaxStream, Inspect: o.Inspect}.withDefaults()
	o.FS, o.MaxStream = c.FS, c.MaxStream
	if o.KeepDir == "" {
		o.KeepDir = filepath.Dir(path)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o, c, err
}

// Repair mends the region file at path, which must not be open: the caller
// holds the world's lock. A healthy file is left alone.
//
// Before anything is changed a raw copy is made and flushed, under a name
// that depends on its content, so that the same damage is kept once; if that
// fails nothing is done. The repaired file is written beside the old one,
// flushed and renamed over it: after a crash at any point either is there,
// whole. Records stay where they are and as they are; what changes is the
// header, and records that a slot needs anew are added at the end.
//
// What a slot gets is, in this order: the journal's entry, if Image is given;
// its own entry, if that leads to a readable record in place; the newest one,
// by the callback's LastUpdate, of the records of this chunk that stand in
// other chunks' slots, in sectors nobody names, in the chunk's external file,
// or where its own entry leads if count and length are read from the record
// and its stream. Records are looked for in free sectors only for slots whose
// own entry is damaged. If several are equally new and differ none is chosen.
// A record that cannot be read and that nothing replaces, one of an unknown
// scheme, and one beyond MaxStream keeps its entry and its bytes.
//
// The errors are those of reading, copying and writing, one of a sector that
// the system does not read included; then the file is as it was, unless only
// making the last rename durable, or cleaning the folder, has failed.
func Repair(path string, opts RepairOptions) (*RepairReport, error) {
	opts, copts, err := opts.withDefaults(path)
	if err != nil {
		return nil, err
	}
	r := &repairer{path: path, opts: opts, copts: copts, report: &RepairReport{Path: path, DryRun: opts.DryRun}}
	if err := r.run(); err != nil {
		return nil, &Error{Op: "repair", Path: path, Slot: -1, Offset: -1, Err: err}
	}
	return r.report, nil
}

// repairer is one run of Repair.
type repairer struct {
	path   string
	opts   RepairOptions
	copts  CheckOptions
	report *RepairReport
	file   vfs.File // the old file; nil once it is closed
}

func (r *repairer) close() error {
	file := r.file
	if r.file = nil; file == nil {
		return nil
	}
	return file.Close()
}

func (r *repairer) run() error {
	info, err := r.opts.FS.Lstat(r.path)
	if err != nil {
		return err
	}
	if info.Mode&fs.ModeSymlink != 0 {
		return vfs.ErrSymlink
	}
	file, err := r.opts.FS.OpenFile(r.path, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	r.file = file
	after, err := r.mend(file)
	if err := errors.Join(err, r.close()); err != nil {
		return err
	}
	return r.cleanFolder(after)
}

// mend plans and, unless it is a dry run, writes the repaired file. It
// returns the report of a check of the result.
func (r *repairer) mend(file vfs.File) (after *Report, err error) {
	c := newChecker(r.path, file, r.copts)
	defer c.x.release()
	c.run()
	if c.x.failed != nil {
		return nil, c.x.failed
	}
	if worst(c.report.Findings) == SeverityFatal {
		r.report.Unrepairable = errorsOf(c.report)
		return c.report, nil
	}
	if c.moved {
		r.report.MovedTo = &c.home
	}
	p := newPlanner(c, r.opts)
	if err := p.plan(); err != nil {
		return nil, err
	}
	r.report.Actions = p.actions
	after = c.report
	switch result := p.result(); {
	case result.changed(&c.header, c.x.size):
		if after, err = r.replace(result); err != nil {
			return nil, err
		}
	case len(p.ambiguous) > 0:
		// What there is to choose from may lie in sectors that the next write
		// takes.
		if r.report.Kept, err = r.keepRaw(file); err != nil {
			return nil, fmt.Errorf("keep a raw copy: %w", err)
		}
	}
	r.report.Unrepairable = append(p.ambiguous, errorsOf(after)...)
	return after, nil
}

// replace keeps the old file and puts the new one in its place.
func (r *repairer) replace(result *overlay) (after *Report, err error) {
	c := newChecker(r.path, result, r.copts)
	defer c.x.release()
	c.run()
	if c.x.failed != nil {
		return nil, c.x.failed
	}
	if r.report.Kept, err = r.keepRaw(result.File); err != nil {
		return nil, fmt.Errorf("keep a raw copy: %w", err)
	}
	if r.opts.DryRun {
		return c.report, nil
	}
	if err := r.write(result); err != nil {
		return nil, err
	}
	r.report.Changed = true
	return c.report, nil
}

// errorsOf are the findings of a report that make it need a repair.
func errorsOf(r *Report) (list []Finding) {
	for _, f := range r.Findings {
		if f.Severity >= SeverityError {
			list = append(list, f)
		}
	}
	return list
}
