package region

import (
	"container/list"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"sync"

	"strata/region/vfs"
)

// FolderOptions are the options of a folder of region files. The zero value
// works.
type FolderOptions struct {
	Options
	// MaxOpen is how many region files are kept open, at least 4, default
	// 256. More are open only while more are in use or pinned at once.
	MaxOpen int
}

// Folder is a folder of region files of which a bounded number is open. One
// Folder at a time opens a folder for writing; it is safe for concurrent use.
type Folder struct {
	dir  string
	opts FolderOptions

	mu     sync.Mutex
	files  map[Pos]*openFile
	idle   *list.List       // of *openFile, the least recently used first
	absent map[Pos]struct{} // regions known to have no file
	pins   map[*FolderPin]struct{}
	total  Metrics // of files that are closed
	going  int     // files being closed, still in the map
	closed bool
}

type openFile struct {
	pos   Pos
	ready chan struct{} // closed when file or err is set
	file  *File
	err   error
	users int           // guarded by Folder.mu
	elem  *list.Element // in idle while users is 0
	gone  chan struct{} // not nil: being closed; closed itself when that is done
}

// maxAbsent bounds what a Folder remembers of regions that have no file.
const maxAbsent = 4096

// OpenFolder opens a folder of region files. It must exist unless it is to
// be written to; then it is made durable when the first file is.
func OpenFolder(dir string, opts FolderOptions) (*Folder, error) {
	var err error
	if opts.Options, err = opts.withDefaults(); err != nil {
		return nil, err
	}
	if opts.MaxOpen == 0 {
		opts.MaxOpen = 256
	}
	if opts.MaxOpen < 4 {
		return nil, errors.New("region: MaxOpen must be at least 4")
	}
	info, err := opts.FS.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) && !opts.ReadOnly {
		err = vfs.MkdirAllSync(opts.FS, dir, 0o755)
	} else if err == nil && !info.IsDir() {
		err = errors.New("not a folder")
	}
	if err != nil {
		return nil, &Error{Op: "open folder", Path: dir, Slot: -1, Offset: -1, Err: err}
	}
	return &Folder{
		dir: dir, opts: opts,
		files: map[Pos]*openFile{}, idle: list.New(),
		absent: map[Pos]struct{}{}, pins: map[*FolderPin]struct{}{},
	}, nil
}

// Regions lists the regions that have a file, in the order of the folder's
// names.
func (d *Folder) Regions() ([]Pos, error) {
	entries, err := d.opts.FS.ReadDir(d.dir)
	if err != nil {
		return nil, &Error{Op: "list", Path: d.dir, Slot: -1, Offset: -1, Err: err}
	}
	var regions []Pos
	for _, e := range entries {
		if p, ok := ParseName(e.Name()); ok && !e.IsDir() {
			regions = append(regions, p)
		}
	}
	return regions, nil
}

// Acquire opens the region's file, or takes the open one, and returns it with
// a function that gives it back. The file must not be closed and not be used
// afterwards. With create false fs.ErrNotExist is returned for a region that
// has no file. Concurrent openings of one region are one opening.
func (d *Folder) Acquire(p Pos, create bool) (f *File, release func(), err error) {
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		return nil, nil, d.fail(p, ErrClosed)
	}
	o := d.files[p]
	if o != nil && o.gone != nil {
		// A second File on the path would not know what the first still does.
		gone := o.gone
		d.mu.Unlock()
		<-gone
		return d.Acquire(p, create)
	}
	if o == nil {
		if _, gone := d.absent[p]; gone && !create {
			d.mu.Unlock()
			return nil, nil, d.fail(p, fs.ErrNotExist)
		}
		return d.open(p, create)
	}
	d.use(o)
	d.mu.Unlock()
	<-o.ready
	if o.err != nil {
		if create && errors.Is(o.err, fs.ErrNotExist) {
			return d.Acquire(p, create) // the opening we joined was not to create
		}
		return nil, nil, o.err
	}
	return o.file, func() { d.release(o) }, nil
}

func (d *Folder) fail(p Pos, err error) error {
	return &Error{Op: "open", Path: filepath.Join(d.dir, p.Name()), Slot: -1, Offset: -1, Err: err}
}

// open opens the file of p. It is called with mu held and lets go of it.
func (d *Folder) open(p Pos, create bool) (*File, func(), error) {
	o := &openFile{pos: p, ready: make(chan struct{}), users: 1}
	d.files[p] = o
	d.mu.Unlock()

	path := filepath.Join(d.dir, p.Name())
	isNew := false
	if !create && !d.opts.ReadOnly {
		_, o.err = d.opts.FS.Stat(path)
	}
	if o.err == nil {
		o.file, o.err = Open(path, d.opts.Options)
		isNew = o.err == nil && o.file.created
	}
	if errors.Is(o.err, fs.ErrNotExist) {
		o.err = d.fail(p, fs.ErrNotExist)
	}

	d.mu.Lock()
	var revoke []*pinBudget
	if o.err != nil {
		delete(d.files, p)
		// A reader does not have the folder to itself: the file may come.
		if errors.Is(o.err, fs.ErrNotExist) && !d.opts.ReadOnly && len(d.absent) < maxAbsent {
			d.absent[p] = struct{}{}
		}
	} else {
		delete(d.absent, p)
		revoke = d.pinOpened(o, isNew)
	}
	excess := d.excess()
	d.mu.Unlock()
	close(o.ready)
	d.closeIdle(excess)
	for _, b := range revoke {
		b.revoke()
	}
	if o.err != nil {
		return nil, nil, o.err
	}
	return o.file, func() { d.release(o) }, nil
}

// use counts one more user of an open file. Called under mu.
func (d *Folder) use(o *openFile) {
	o.users++
	if o.elem != nil {
		d.idle.Remove(o.elem)
		o.elem = nil
	}
}

// excess chooses idle files beyond MaxOpen; the caller closes them with
// closeIdle. Called under mu.
func (d *Folder) excess() (files []*openFile) {
	for len(d.files)-d.going > d.opts.MaxOpen && d.idle.Len() > 0 {
		o := d.idle.Remove(d.idle.Front()).(*openFile)
		o.elem = nil
		o.gone = make(chan struct{})
		d.going++
		files = append(files, o)
	}
	return files
}

// closeIdle closes files that nobody uses. They have nothing to flush: every
// write was waited for by whoever held the file.
func (d *Folder) closeIdle(files []*openFile) {
	for _, o := range files {
		o.file.Close() //nolint:errcheck // closing after the last flush loses nothing
		d.mu.Lock()
		d.total.add(o.file.Metrics())
		d.going--
		delete(d.files, o.pos)
		d.mu.Unlock()
		close(o.gone)
	}
}

func (d *Folder) release(o *openFile) {
	d.mu.Lock()
	o.users--
	// A stranded file that was closed and opened again would let others in.
	if o.users == 0 && !o.file.stranded.Load() {
		o.elem = d.idle.PushBack(o)
	}
	excess := d.excess()
	d.mu.Unlock()
	d.closeIdle(excess)
}

// Read returns a chunk's record as File.Read does; ErrAbsent also if the
// region has no file. Nothing is created.
func (d *Folder) Read(c ChunkPos, buf []byte) (Record, error) {
	f, release, err := d.Acquire(c.Region(), false)
	if errors.Is(err, fs.ErrNotExist) {
		return Record{}, &Error{Op: "read", Path: filepath.Join(d.dir, c.Region().Name()), Chunk: c, Slot: int(c.Slot()), Offset: -1, Err: ErrAbsent}
	}
	if err != nil {
		return Record{}, err
	}
	defer release()
	return f.Read(c.Slot(), buf)
}

// Write writes a chunk as File.Write does, making the region's file if there
// is none; w.Slot is set from c. It waits until the chunk is durable.
func (d *Folder) Write(ctx context.Context, c ChunkPos, w Write) error {
	f, release, err := d.Acquire(c.Region(), !w.Delete)
	if err != nil {
		if w.Delete && errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	w.Slot = c.Slot()
	commit := f.Submit(w)
	select {
	case <-commit.Done():
		release()
		return commit.err
	case <-ctx.Done():
		go func() { // the file stays ours until the write is through
			<-commit.Done()
			release()
		}()
		return ctx.Err()
	}
}

// Metrics is the sum over the folder's files since it was opened; files that
// Close closes are counted until then.
func (d *Folder) Metrics() Metrics {
	d.mu.Lock()
	defer d.mu.Unlock()
	m := d.total
	for _, o := range d.files {
		if o.isReady() {
			m.add(o.file.Metrics())
		}
	}
	return m
}

// OpenFiles is the number of region files that are open.
func (d *Folder) OpenFiles() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.files)
}

// Close waits for the writes of all files, revokes pins and closes the files.
// Nobody may hold a file any more.
func (d *Folder) Close() error {
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		return &Error{Op: "close", Path: d.dir, Slot: -1, Offset: -1, Err: ErrClosed}
	}
	d.closed = true
	files := make([]*openFile, 0, len(d.files))
	for _, o := range d.files {
		files = append(files, o)
	}
	clear(d.files)
	d.idle.Init()
	d.mu.Unlock()
	var errs []error
	for _, o := range files {
		switch <-o.ready; {
		case o.err != nil:
		case o.gone != nil:
			<-o.gone
		default:
			errs = append(errs, o.file.Close())
		}
	}
	return errors.Join(errs...)
}
