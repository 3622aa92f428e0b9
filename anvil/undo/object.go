package undo

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"strata/anvil/store"
	"strata/region"
	"strata/region/vfs"
)

// world is a store as changes see it: dimensions by their ids, files by the
// root they lie in.
type world struct {
	s    *store.Store
	fs   vfs.FS
	all  store.World
	dims map[string]store.Dim
}

func worldOf(s *store.Store) *world {
	w := &world{s: s, all: s.World(), dims: map[string]store.Dim{}}
	if w.fs = w.all.FS; w.fs == nil {
		w.fs = vfs.OS()
	}
	for i, d := range w.all.Dimensions {
		w.dims[d.Name] = store.Dim(i)
	}
	return w
}

func (w *world) main() string { return w.all.Roots[0].Dir }

func (w *world) raw(dim string, kind store.Kind) (*store.Raw, error) {
	d, ok := w.dims[dim]
	if !ok {
		return nil, fmt.Errorf("%s: %w", dim, ErrDimension)
	}
	return w.s.Raw(d, kind)
}

// folder is where the region files of a kind lie.
func (w *world) folder(dim string, kind store.Kind) string {
	d := w.all.Dimensions[w.dims[dim]]
	switch kind {
	case store.Entities:
		return d.Entities
	case store.POI:
		return d.POI
	default:
		return d.Region
	}
}

// now is an object as it is on the disk.
type now struct {
	state state
	data  []byte // the stream, or the sectors if it cannot be read
	entry region.Entry
	err   error // why it cannot be read
}

// read returns an object as it is. buf may be used for its data.
func (w *world) read(dim string, kind store.Kind, pos region.ChunkPos, buf []byte) (now, []byte, error) {
	raw, err := w.raw(dim, kind)
	if err != nil {
		return now{}, buf, err
	}
	rec, err := raw.Read(pos, buf)
	if b := rec.Buffer(); cap(b) > cap(buf) {
		buf = b
	}
	switch {
	case err == nil:
		p := present
		if rec.External {
			p = external
		}
		return now{state: stateOf(p, rec.Scheme, rec.Data), data: rec.Data, entry: rec.Entry}, buf, nil
	case errors.Is(err, store.ErrAbsent):
		entry, err := slotEntry(raw, pos)
		return now{state: absence, entry: entry}, buf, err
	}
	entry, hErr := slotEntry(raw, pos)
	if hErr != nil {
		return now{}, buf, errors.Join(err, hErr)
	}
	sectors, sErr := w.sectors(filepath.Join(w.folder(dim, kind), pos.Region().Name()), entry.Location)
	if sErr != nil {
		return now{}, buf, errors.Join(err, sErr)
	}
	return now{state: stateOf(unreadable, 0, sectors), data: sectors, entry: entry, err: err}, buf, nil
}

func slotEntry(raw *store.Raw, pos region.ChunkPos) (region.Entry, error) {
	header, err := raw.Header(pos.Region())
	if errors.Is(err, fs.ErrNotExist) {
		return region.Entry{}, nil
	}
	if err != nil {
		return region.Entry{}, err
	}
	return header.Entry(pos.Slot()), nil
}

// sectors reads what an entry leads to, as far as the file goes: what is left
// of a record that cannot be read.
func (w *world) sectors(path string, l region.Location) ([]byte, error) {
	file, err := w.fs.OpenFile(path, 0, 0)
	if err != nil {
		return nil, err
	}
	data := make([]byte, int(max(l.Count(), 1))*region.SectorBytes)
	n, err := file.ReadAt(data, int64(l.Sector())*region.SectorBytes)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return data[:n], errors.Join(err, file.Close())
}

// fileName is a data file by the root it lies in, as logs have it.
func (w *world) fileName(path string) (string, error) {
	for _, r := range w.all.Roots {
		rel, err := filepath.Rel(r.Dir, path)
		if err == nil && filepath.IsLocal(rel) && rel != "." {
			return r.Name + "/" + filepath.ToSlash(rel), nil
		}
	}
	return "", fmt.Errorf("%s: %w", path, store.ErrPath)
}

func (w *world) filePath(name string) (string, error) {
	root, rel, _ := strings.Cut(name, "/")
	for _, r := range w.all.Roots {
		if r.Name == root && filepath.IsLocal(filepath.FromSlash(rel)) {
			return filepath.Join(r.Dir, filepath.FromSlash(rel)), nil
		}
	}
	return "", fmt.Errorf("%w: %q is no file of the world", ErrDamaged, name)
}

// readFile returns a data file as it is, or will be when what is staged is
// durable.
func (w *world) readFile(path string) (state, []byte, uint16, error) {
	data, err := w.s.ReadFile(path, maxPayload)
	if errors.Is(err, fs.ErrNotExist) {
		return absence, nil, 0, nil
	}
	if err != nil {
		return state{}, nil, 0, err
	}
	perm := uint16(0o644)
	if info, err := w.fs.Stat(path); err == nil {
		perm = uint16(info.Mode.Perm())
	}
	return stateOf(present, 0, data), data, perm, nil
}

// refs is a set of objects and files.
type refs struct {
	regions map[store.RegionRef]*[region.Slots / 64]uint64
	files   map[string]bool
	asides  map[asideRef]bool
}

func newRefs() *refs {
	return &refs{map[store.RegionRef]*[region.Slots / 64]uint64{}, map[string]bool{}, map[asideRef]bool{}}
}

// bit is the word and the bit of an object.
func (r *refs) bit(dim store.Dim, kind store.Kind, pos region.ChunkPos) (*uint64, uint64) {
	at := store.RegionRef{Dim: dim, Kind: kind, Pos: pos.Region()}
	words := r.regions[at]
	if words == nil {
		words = new([region.Slots / 64]uint64)
		r.regions[at] = words
	}
	slot := pos.Slot()
	return &words[slot/64], 1 << (slot % 64)
}

func (r *refs) has(dim store.Dim, kind store.Kind, pos region.ChunkPos) bool {
	word, mask := r.bit(dim, kind, pos)
	return *word&mask != 0
}

// add reports whether the object is new to the set.
func (r *refs) add(dim store.Dim, kind store.Kind, pos region.ChunkPos) bool {
	word, mask := r.bit(dim, kind, pos)
	was := *word&mask != 0
	*word |= mask
	return !was
}
