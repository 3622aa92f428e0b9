package shrink

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"

	"strata/anvil/store"
	"strata/region"
	"strata/region/vfs"
)

// kinds are those of records.
var kinds = []store.Kind{store.Chunks, store.Entities, store.POI}

// File is a region file as its header tells.
type File struct {
	Dim  store.Dim
	Kind store.Kind
	Pos  region.Pos
	Path string
	// Bytes is its size, and Dense what it would be without free sectors. Records
	// that are longer than their entries can tell count as their entries.
	Bytes, Dense int64
	Records      int
	// Links is how many names the file has, 0 if unknown.
	Links uint64
	// Overlap: entries name the same sectors. Stray: an entry leads nowhere, or none
	// to what is in the file: the record may lie in sectors that seem free.
	Overlap bool
	Stray   bool
	header  *region.Header
	bodies  map[region.Slot]bool // slots that have an external file
}

// damaged reports whether free sectors must stay, since they may not be free.
func (f *File) damaged() bool { return f.Overlap || f.Stray }

// Free is how many bytes compacting would take out.
func (f *File) Free() int64 { return max(0, f.Bytes-f.Dense) }

// Failure is a region file that could not be looked at or changed.
type Failure struct {
	Path string `json:"path"`
	Err  error  `json:"-"`
	Text string `json:"error"`
}

func failure(path string, err error) Failure { return Failure{path, err, err.Error()} }

// Survey is the region files of a world.
type Survey struct {
	Files   []File
	Records int64
	Bytes   int64
	Failed  []Failure
}

// Look makes the survey of the dimensions of the given ids, without one of all. It
// reads headers and writes nothing. The error is ctx's or that of listing a folder.
func Look(ctx context.Context, s *store.Store, dimensions ...string) (*Survey, error) {
	v := &Survey{}
	for i, d := range s.World().Dimensions {
		if !selected(dimensions, d.Name) {
			continue
		}
		for _, k := range kinds {
			if err := v.folder(ctx, s, store.Dim(i), k); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

// Picked lists the records that pick says yes to; nil: all.
func (v *Survey) Picked(pick func(store.Ref) bool) iter.Seq[store.Ref] {
	return func(yield func(store.Ref) bool) {
		for i := range v.Files {
			f := &v.Files[i]
			for slot := range region.Slot(region.Slots) {
				ref := store.Ref{Dim: f.Dim, Kind: f.Kind, Pos: f.Pos.Chunk(slot)}
				if f.header.Location(slot) == 0 || pick != nil && !pick(ref) {
					continue
				}
				if !yield(ref) {
					return
				}
			}
		}
	}
}

func selected(all []string, id string) bool { return len(all) == 0 || slices.Contains(all, id) }

func folderOf(s *store.Store, dim store.Dim, k store.Kind) string {
	d := s.World().Dimensions[dim]
	switch k {
	case store.Entities:
		return d.Entities
	case store.POI:
		return d.POI
	default:
		return d.Region
	}
}

func fileSystem(s *store.Store) vfs.FS {
	if fsys := s.World().FS; fsys != nil {
		return fsys
	}
	return vfs.OS()
}

func (v *Survey) folder(ctx context.Context, s *store.Store, dim store.Dim, k store.Kind) error {
	raw, err := s.Raw(dim, k)
	if err != nil {
		return err
	}
	regions, err := raw.Regions()
	if err != nil {
		return err
	}
	bodies, err := bodiesIn(fileSystem(s), folderOf(s, dim, k))
	if err != nil {
		return err
	}
	for _, pos := range regions {
		if err := ctx.Err(); err != nil {
			return err
		}
		path := filepath.Join(folderOf(s, dim, k), pos.Name())
		f := File{Dim: dim, Kind: k, Pos: pos, Path: path, bodies: bodies[pos]}
		err := f.look(fileSystem(s), raw)
		switch {
		case errors.Is(err, fs.ErrNotExist): // gone since it was listed
		case err != nil:
			v.Failed = append(v.Failed, failure(path, err))
		default:
			v.Files = append(v.Files, f)
			v.Records += int64(f.Records)
			v.Bytes += f.Bytes
		}
	}
	return nil
}

// bodiesIn lists the external files of a folder by regions.
func bodiesIn(fsys vfs.FS, dir string) (map[region.Pos]map[region.Slot]bool, error) {
	entries, err := fsys.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	all := map[region.Pos]map[region.Slot]bool{}
	for _, e := range entries {
		c, ok := region.ParseExternalName(e.Name())
		if !ok {
			continue
		}
		if all[c.Region()] == nil {
			all[c.Region()] = map[region.Slot]bool{}
		}
		all[c.Region()][c.Slot()] = true
	}
	return all, nil
}

func (f *File) look(fsys vfs.FS, raw *store.Raw) error {
	info, err := fsys.Lstat(f.Path)
	if err != nil {
		return err
	}
	if info.Mode&fs.ModeSymlink != 0 {
		return vfs.ErrSymlink
	}
	f.Bytes, f.Links = info.Size, info.Links
	if f.header, err = raw.Header(f.Pos); err != nil {
		return err
	}
	f.layout()
	return nil
}

// layout tells from the header how many records the file has, how long it would be
// without free sectors, and what is odd.
func (f *File) layout() {
	h, size := f.header, f.Bytes
	sectors := (size + region.SectorBytes - 1) / region.SectorBytes
	used := make([]uint64, sectors/64+1)
	f.Dense = region.HeaderBytes
	for slot := range region.Slot(region.Slots) {
		l := h.Location(slot)
		if l == 0 {
			continue
		}
		f.Records++
		first, end := int64(l.Sector()), int64(l.Sector())+int64(l.Count())
		if first < region.HeaderSectors || first >= sectors || first == end {
			f.Stray = true // and takes no room
			continue
		}
		f.Dense += (end - first) * region.SectorBytes
		for at := first; at < min(end, sectors); at++ {
			f.Overlap = f.Overlap || used[at/64]>>(at%64)&1 == 1
			used[at/64] |= 1 << (at % 64)
		}
	}
	f.Stray = f.Stray || f.Records == 0 && size > region.HeaderBytes
}

// RoomError says that there is not enough space. It wraps vfs.ErrNoSpace.
type RoomError struct {
	Need, Free int64
}

func (e *RoomError) Error() string {
	return "not enough space for a second copy of the largest files: " + bytesText(e.Need) + " needed, " + bytesText(e.Free) + " free"
}

// Unwrap returns vfs.ErrNoSpace.
func (*RoomError) Unwrap() error { return vfs.ErrNoSpace }

// Room checks that there is space beside each other for beside bytes and new
// copies of the largest files, as many as are written at the same time. The error
// is a *RoomError, or that of asking.
func (v *Survey) Room(s *store.Store, copies int, beside int64) error {
	sizes := make([]int64, 0, len(v.Files))
	for i := range v.Files {
		sizes = append(sizes, v.Files[i].Dense)
	}
	need := beside + largest(sizes, copies)
	free, err := fileSystem(s).FreeBytes(s.World().Roots[0].Dir)
	if errors.Is(err, vfs.ErrUnsupported) {
		return nil
	}
	if err != nil {
		return err
	}
	if need > free {
		return &RoomError{need, free}
	}
	return nil
}
