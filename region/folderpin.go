package region

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// FolderPin keeps a whole folder as it was when the pin began. Files that
// were closed then join it when they are opened, before anything is published
// in them; files made later are not in it. Safe for concurrent use.
type FolderPin struct {
	d      *Folder
	budget *pinBudget
	mu     sync.Mutex
	pins   map[Pos]*Pin
	files  []*openFile      // held open until Release
	later  map[Pos]struct{} // regions whose file was made after the pin began
}

// Pin begins a pin of the folder. limit is how many bytes of freed sectors it
// may hold back before it is revoked; 0 means 1 GiB, or a tenth of the free
// space if that is less. Publishing is gated in all open files together, so
// that the pin is of one moment: as long as the groups take that are just
// being published, and the copying of 8 KiB a file.
func (d *Folder) Pin(limit int64) (*FolderPin, error) {
	if d.opts.ReadOnly {
		return nil, &Error{Op: "pin", Path: d.dir, Slot: -1, Offset: -1, Err: ErrReadOnly}
	}
	fp := &FolderPin{
		d: d, budget: newPinBudget(d.opts.FS, d.dir, limit),
		pins: map[Pos]*Pin{}, later: map[Pos]struct{}{},
	}
	for {
		files, err := d.inUse()
		if err != nil {
			return nil, err
		}
		for _, o := range files {
			o.file.gate.Lock()
		}
		complete := d.register(fp, files)
		if complete {
			err = fp.pinAll(files)
		}
		for _, o := range files {
			o.file.gate.Unlock()
		}
		if complete {
			if err != nil {
				fp.Release() //nolint:errcheck // the first error tells
				return nil, err
			}
			return fp, nil
		}
		for _, o := range files {
			d.release(o)
		}
	}
}

// inUse takes a use of every file that is open, in the order of paths, in
// which gates are taken.
func (d *Folder) inUse() ([]*openFile, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, &Error{Op: "pin", Path: d.dir, Slot: -1, Offset: -1, Err: ErrClosed}
	}
	var files []*openFile
	for _, o := range d.files {
		if o.isReady() && o.gone == nil {
			d.use(o)
			files = append(files, o)
		}
	}
	slices.SortFunc(files, func(a, b *openFile) int { return strings.Compare(a.file.path, b.file.path) })
	return files, nil
}

func (o *openFile) isReady() bool {
	select {
	case <-o.ready:
		return o.err == nil
	default:
		return false
	}
}

// register makes files that are opened from now on join the pin, unless one
// was opened since its list of files was made.
func (d *Folder) register(fp *FolderPin, files []*openFile) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	ready := 0
	for _, o := range d.files {
		if o.isReady() && o.gone == nil {
			ready++
		}
	}
	if ready != len(files) {
		return false // files in use stay, so an equal number means the same files
	}
	d.pins[fp] = struct{}{}
	fp.files = files
	return true
}

func (fp *FolderPin) pinAll(files []*openFile) error {
	for _, o := range files {
		p, err := o.file.pinGated(fp.budget)
		if err != nil {
			return err
		}
		fp.mu.Lock()
		fp.pins[o.pos] = p
		fp.mu.Unlock()
	}
	return nil
}

// pinOpened takes a file that has just been opened into the folder's pins:
// nobody has published anything in it yet. It returns the budgets of pins
// that could not have it. Called under Folder.mu.
func (d *Folder) pinOpened(o *openFile, isNew bool) (failed []*pinBudget) {
	for fp := range d.pins {
		fp.mu.Lock()
		_, later := fp.later[o.pos]
		if isNew && fp.pins[o.pos] == nil {
			fp.later[o.pos] = struct{}{}
			later = true
		}
		if !later && fp.pins[o.pos] == nil && !fp.budget.revoked.Load() {
			p, err := o.file.pinIn(fp.budget)
			if err != nil {
				failed = append(failed, fp.budget)
			} else {
				fp.pins[o.pos] = p
				fp.files = append(fp.files, o)
				o.users++
			}
		}
		fp.mu.Unlock()
	}
	return failed
}

// Regions lists the regions that had a file when the pin began.
func (fp *FolderPin) Regions() ([]Pos, error) {
	all, err := fp.d.Regions()
	if err != nil {
		return nil, err
	}
	fp.mu.Lock()
	defer fp.mu.Unlock()
	return slices.DeleteFunc(all, func(p Pos) bool { _, later := fp.later[p]; return later }), nil
}

// Region is the pin of one region's file; fs.ErrNotExist if it had none when
// the pin began. The pin of the folder owns it: do not release it.
func (fp *FolderPin) Region(p Pos) (*Pin, error) {
	if pin := fp.pinned(p); pin != nil {
		return pin, nil
	}
	if fp.budget.revoked.Load() {
		return nil, fp.d.fail(p, ErrPinRevoked)
	}
	_, release, err := fp.d.Acquire(p, false)
	if err != nil {
		return nil, err
	}
	defer release()
	if pin := fp.pinned(p); pin != nil {
		return pin, nil
	}
	if fp.budget.revoked.Load() {
		return nil, fp.d.fail(p, ErrPinRevoked)
	}
	return nil, fp.d.fail(p, fs.ErrNotExist) // made later
}

func (fp *FolderPin) pinned(p Pos) *Pin {
	fp.mu.Lock()
	defer fp.mu.Unlock()
	return fp.pins[p]
}

// Read returns a chunk's record as it was when the pin began.
func (fp *FolderPin) Read(c ChunkPos, buf []byte) (Record, error) {
	p, err := fp.Region(c.Region())
	if errors.Is(err, fs.ErrNotExist) {
		return Record{}, &Error{
			Op: "read pinned", Path: filepath.Join(fp.d.dir, c.Region().Name()),
			Chunk: c, Slot: int(c.Slot()), Offset: -1, Err: ErrAbsent,
		}
	}
	if err != nil {
		return Record{}, err
	}
	return p.Read(c.Slot(), buf)
}

// Revoked reports whether the pin was given up because it held back too much.
func (fp *FolderPin) Revoked() bool { return fp.budget.revoked.Load() }

// Release ends the pin. Calling it again does nothing.
func (fp *FolderPin) Release() error {
	fp.d.mu.Lock()
	delete(fp.d.pins, fp)
	fp.d.mu.Unlock()
	fp.mu.Lock()
	pins, files := fp.pins, fp.files
	fp.pins, fp.files = map[Pos]*Pin{}, nil
	fp.mu.Unlock()
	var err error
	for _, p := range pins {
		err = errors.Join(err, p.Release())
	}
	for _, o := range files {
		fp.d.release(o)
	}
	return err
}
