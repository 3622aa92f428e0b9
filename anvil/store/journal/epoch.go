package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"strata/region"
	"strata/region/vfs"
)

// Epoch gathers what is to be committed as one. Nothing of it is visible
// before Commit. It ends with Commit or Abort.
type Epoch struct {
	j      *Journal
	groups []*region.Group
	files  []pendingFile
	taken  map[place]bool
	done   bool
}

// pendingFile is a file that the epoch replaces, or removes if temporary is
// empty. Both are paths.
type pendingFile struct {
	at              place
	path, temporary string
	new             state
}

// Begin begins an epoch. Several may be made at once; they commit one after
// the other. ErrBroken or ErrClosed if none is taken any more.
func (j *Journal) Begin() (*Epoch, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.usable(); err != nil {
		return nil, fmt.Errorf("begin epoch: %w", err)
	}
	return &Epoch{j: j, taken: map[place]bool{}}, nil
}

// usable is called under mu.
func (j *Journal) usable() error {
	if j.closed {
		return ErrClosed
	}
	if j.broken != nil {
		return fmt.Errorf("%w: %w", ErrBroken, j.broken)
	}
	return nil
}

// take notes that the epoch changes the file at path.
func (e *Epoch) take(path string) (place, error) {
	if e.done {
		return place{}, ErrDone
	}
	p, err := e.j.roots.place(path)
	if err == nil {
		err = e.j.roots.checkLinks(p)
	}
	if err == nil {
		_, _, err = sizeOf(e.j.fs, path) // refuses what is no regular file
	}
	if err != nil {
		return p, err
	}
	if e.taken[p] {
		return p, fmt.Errorf("%s: %w", path, ErrTwice)
	}
	e.taken[p] = true
	return p, nil
}

// Add adds a staged group, one of each region file. Its writes should have
// been staged with Journaled set. From then on the epoch ends the group; after
// an error it is the caller's still.
func (e *Epoch) Add(g *region.Group) error {
	if _, err := e.take(g.File().Path()); err != nil {
		return fmt.Errorf("add group to epoch: %w", err)
	}
	e.groups = append(e.groups, g)
	return nil
}

// Write puts data in the place of the file at path, or makes that file with
// the mode perm; a folder that is absent is made. A temporary file beside it
// is written and flushed at once.
func (e *Epoch) Write(path string, data []byte, perm fs.FileMode) error {
	if err := e.write(path, data, perm); err != nil {
		return fmt.Errorf("write %s in epoch: %w", path, err)
	}
	return nil
}

func (e *Epoch) write(path string, data []byte, perm fs.FileMode) error {
	p, err := e.take(path)
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	if _, err = e.j.fs.Stat(dir); isAbsent(err) {
		err = vfs.MkdirAllSync(e.j.fs, dir, 0o755)
	}
	if err != nil {
		return err
	}
	temporary, err := e.j.writeTemporary(dir, data, perm)
	if err != nil {
		return err
	}
	e.files = append(e.files, pendingFile{p, path, temporary, stateOf(data)})
	return nil
}

// writeTemporary makes a flushed temporary file. If the flush fails what was
// written is lost, and is written once more, to another file.
func (j *Journal) writeTemporary(dir string, data []byte, perm fs.FileMode) (string, error) {
	name, flushed, err := j.writeTemporaryOnce(dir, data, perm)
	if err != nil && !flushed {
		var again error
		if name, _, again = j.writeTemporaryOnce(dir, data, perm); again != nil {
			return "", errors.Join(ErrFlush, err, again)
		}
		return name, nil
	}
	return name, err
}

// writeTemporaryOnce reports in flushed whether an error was other than that
// of a flush.
func (j *Journal) writeTemporaryOnce(dir string, data []byte, perm fs.FileMode) (name string, flushed bool, err error) {
	f, err := vfs.CreateTemp(j.fs, dir, perm)
	if err != nil {
		return "", true, err
	}
	flushed = true
	if len(data) > 0 {
		_, err = f.WriteAt(data, 0)
	}
	if err == nil {
		err = f.Sync()
		flushed = err == nil
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		j.fs.Remove(f.Name()) //nolint:errcheck // a leftover .strata- file is harmless and known as such
		return "", flushed, err
	}
	return f.Name(), true, nil
}

// KeepOld copies the present file at path to the name with "_old" behind it,
// as the game keeps level.dat and player files, when the epoch commits. Call
// it before Write. Nothing happens if there is no such file. The caller knows
// that the present file is sound.
func (e *Epoch) KeepOld(path string) error {
	if err := e.keepOld(path); err != nil {
		return fmt.Errorf("keep %s in epoch: %w", path, err)
	}
	return nil
}

func (e *Epoch) keepOld(path string) error {
	if e.done {
		return ErrDone
	}
	info, perm, err := sizeOf(e.j.fs, path)
	if err != nil || !info.present {
		return err
	}
	data, err := vfs.ReadFile(e.j.fs, path, maxKept)
	if err != nil {
		return err
	}
	return e.write(path+"_old", data, perm)
}

// maxKept is the longest file that KeepOld copies.
const maxKept = 64 << 20

// Replace puts the file temporary, which the caller has written and flushed,
// in the place of the file at path. It lies in the same folder and its name
// begins with vfs.TempPrefix. The epoch takes it over.
func (e *Epoch) Replace(path, temporary string) error {
	if err := e.replace(path, temporary); err != nil {
		return fmt.Errorf("replace %s in epoch: %w", path, err)
	}
	return nil
}

func (e *Epoch) replace(path, temporary string) error {
	base := filepath.Base(temporary)
	if filepath.Dir(temporary) != filepath.Dir(path) || !strings.HasPrefix(base, vfs.TempPrefix) || len(base) > maxTemporaryLen {
		return fmt.Errorf("%s is no temporary file beside it: %w", temporary, ErrPath)
	}
	s, err := readState(e.j.fs, temporary)
	if err == nil && !s.present {
		err = &fs.PathError{Op: "open", Path: temporary, Err: fs.ErrNotExist}
	}
	if err != nil {
		return err
	}
	p, err := e.take(path)
	if err == nil {
		e.files = append(e.files, pendingFile{p, path, temporary, s})
	}
	return err
}

// Remove removes the file at path. It is no error if there is none.
func (e *Epoch) Remove(path string) error {
	p, err := e.take(path)
	if err != nil {
		return fmt.Errorf("remove %s in epoch: %w", path, err)
	}
	e.files = append(e.files, pendingFile{at: p, path: path})
	return nil
}

// Abort gives the epoch up: groups are aborted and temporary files removed. It
// does nothing to an epoch that is committed or aborted.
func (e *Epoch) Abort() {
	if e.done {
		return
	}
	e.done = true
	for _, g := range e.groups {
		g.Abort()
	}
	for _, f := range e.files {
		if f.temporary != "" {
			e.j.fs.Remove(f.temporary) //nolint:errcheck // a leftover .strata- file is harmless and known as such
		}
	}
}
