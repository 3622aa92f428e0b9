package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"strata/nbt"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// rescueFolder is where objects go that could not be saved.
const rescueFolder = "rescue"

// Rescued is an object, or a data file, that could not be saved where it
// belongs and was put into the world's rescue folder.
type Rescued struct {
	// Path of the file that it is in: NBT, zlib-compressed where that could be
	// done, or the data file's content as it is. ReadRescued reads it.
	Path string
	// Dimension, Kind and Pos of an object.
	Dimension string
	Kind      Kind
	Pos       region.ChunkPos
	// File is the base name of a data file, "" for an object.
	File string
}

// ListRescued lists what lies in the rescue folder of the world whose main
// folder is given. Files of other names are left out.
func ListRescued(fsys vfs.FS, main string) ([]Rescued, error) {
	dir := filepath.Join(main, ownFolder, rescueFolder)
	entries, err := fsys.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var all []Rescued
	for _, e := range entries {
		if r, ok := parseRescued(e.Name()); ok && !e.IsDir() {
			r.Path = filepath.Join(dir, e.Name())
			all = append(all, r)
		}
	}
	return all, err
}

// Names in the rescue folder: kind@dimension@x@z.nbt and file@name. Bytes
// that some system does not take in names are written as %XX. Where there is one
// of that name already, which nobody has taken back, or which is of another
// folder's file, the next ones have @2, @3 and so on behind it.
func (s *Store) rescueName(ref Ref) string {
	return fmt.Sprintf("%v@%s@%d@%d.nbt", ref.Kind, escape(s.world.Dimensions[ref.Dim].Name), ref.Pos.X, ref.Pos.Z)
}

func escape(name string) string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func unescape(name string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if name[i] != '%' {
			b.WriteByte(name[i])
			continue
		}
		if i+3 > len(name) {
			return "", false
		}
		c, err := strconv.ParseUint(name[i+1:i+3], 16, 8)
		if err != nil {
			return "", false
		}
		b.WriteByte(byte(c))
		i += 2
	}
	return b.String(), true
}

func parseRescued(name string) (r Rescued, ok bool) {
	if i := strings.LastIndexByte(name, '@'); i >= 0 && (strings.HasSuffix(name[:i], ".nbt") || strings.Count(name, "@") == 2) {
		if n, err := strconv.Atoi(name[i+1:]); err == nil && n >= 2 && n <= maxNamesakes {
			name = name[:i]
		}
	}
	if rest, isFile := strings.CutPrefix(name, "file@"); isFile {
		r.File, ok = unescape(rest)
		return r, ok
	}
	words := strings.Split(strings.TrimSuffix(name, ".nbt"), "@")
	if len(words) != 4 {
		return r, false
	}
	for k := range Kind(kinds) {
		if words[0] == k.String() {
			r.Kind, ok = k, true
		}
	}
	x, errX := strconv.ParseInt(words[2], 10, 32)
	z, errZ := strconv.ParseInt(words[3], 10, 32)
	dim, good := unescape(words[1])
	r.Dimension, r.Pos = dim, region.ChunkPos{X: int32(x), Z: int32(z)}
	return r, ok && good && errX == nil && errZ == nil
}

// rescueFrozen puts what was changed in read-only regions into the rescue
// folder: it was changed before they became so.
func (s *Store) rescueFrozen(b *batch) {
	for _, sv := range b.saves {
		if !sv.rescued && !sv.elided && s.folderOf(sv.o.ref).isFrozen(sv.o.ref.Pos.Region()) {
			sv.err = s.rescueObject(sv, ErrFrozen)
		}
	}
}

// rescue counts the failures that made an epoch fail, and puts what has failed
// too often into the rescue folder. It reports whether the epoch can be tried
// again without that. A full disk is no object's failure.
func (s *Store) rescue(b *batch, err error) (again bool) {
	if errors.Is(err, vfs.ErrNoSpace) {
		return false
	}
	again = true
	blamed := false
	for _, sv := range b.saves {
		if sv.err == nil || sv.rescued {
			continue
		}
		blamed = true
		s.mu.Lock()
		sv.o.fails++
		enough := sv.o.fails >= s.opts.Attempts
		s.mu.Unlock()
		s.m.saveErrors.Add(1)
		s.event(Event{Kind: SaveFailed, Ref: sv.o.ref, Err: sv.err})
		why := sv.err
		if sv.err = nil; !enough {
			again = false
		} else if rerr := s.rescueObject(sv, why); rerr != nil {
			again = false
		}
	}
	for _, f := range b.files {
		if f.err == nil || f.rescued {
			continue
		}
		blamed = true
		f.fails++
		s.event(Event{Kind: SaveFailed, Path: f.path, Err: f.err})
		if f.fails < s.opts.Attempts || s.rescueFile(f) != nil {
			again = false
		}
	}
	return again && blamed
}

// rescueObject writes an object to the rescue folder and makes its region
// read-only. A deletion has nothing to write, and its event no path.
func (s *Store) rescueObject(sv *save, why error) error {
	ref := sv.o.ref
	path := ""
	if sv.value != nil {
		data, err := s.rescueForm(sv)
		if err != nil {
			return err
		}
		if path, err = s.writeRescue(s.rescueName(ref), data); err != nil {
			return err
		}
	}
	sv.rescued = true
	s.m.rescued.Add(1)
	s.event(Event{Kind: ObjectRescued, Ref: ref, Path: path, Err: why})
	if s.folderOf(ref).freeze(ref.Pos.Region()) {
		s.event(Event{Kind: RegionFrozen, Ref: ref, Err: why})
	}
	return nil
}

func (s *Store) rescueFile(f *fileChange) error {
	path := ""
	if !f.remove {
		var err error
		if path, err = s.writeRescue("file@"+escape(filepath.Base(f.path)), f.data); err != nil {
			return err
		}
	}
	f.rescued = true
	s.m.rescued.Add(1)
	s.event(Event{Kind: ObjectRescued, Path: path, Err: f.err})
	return nil
}

func (s *Store) rescueDir() string {
	return filepath.Join(s.world.Roots[0].Dir, ownFolder, rescueFolder)
}

// writeRescue writes a file of the rescue folder and returns its path.
func (s *Store) writeRescue(name string, data []byte) (string, error) {
	dir := s.rescueDir()
	if err := s.plainFolder(dir); err != nil {
		return "", err
	}
	if err := vfs.MkdirAllSync(s.fs, dir, 0o755); err != nil {
		return "", err
	}
	path, err := freeName(s.fs, filepath.Join(dir, name))
	if err != nil {
		return "", err
	}
	return path, vfs.WriteFileSync(s.fs, path, data, 0o644)
}

// maxNamesakes is how many files of one name are kept.
const maxNamesakes = 1000

func freeName(fsys vfs.FS, name string) (string, error) {
	path := name
	for n := 2; n <= maxNamesakes; n++ {
		_, err := fsys.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return path, nil
		}
		if err != nil {
			return "", err
		}
		path = fmt.Sprintf("%s@%d", name, n)
	}
	return "", fmt.Errorf("there are %d files called %s already", maxNamesakes, filepath.Base(name))
}

// ReadRescued returns the NBT of a rescued object, or the content of a data
// file.
func ReadRescued(fsys vfs.FS, r Rescued) ([]byte, error) {
	data, err := vfs.ReadFile(fsys, r.Path, maxDocument)
	if err != nil || r.File != "" {
		return data, err
	}
	if len(data) > 0 && nbt.Type(data[0]) == nbt.TypeCompound {
		return data, nil // which no zlib stream begins with
	}
	var dec codec.Decoder
	return dec.Append(nil, codec.Zlib, data, maxDocument)
}
