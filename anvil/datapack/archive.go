package datapack

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"
)

// archive is an open zip or jar.
type archive struct {
	zip     *zip.Reader
	limits  Limits
	closers []io.Closer
}

// newArchive reads the directory of a zip. What is no zip is ErrNotPack.
func newArchive(r io.ReaderAt, size int64, limits Limits) (*archive, error) {
	guard := &directoryGuard{r: r, left: limits.DirectoryBytes}
	z, err := zip.NewReader(guard, size)
	switch {
	case errors.Is(err, zip.ErrInsecurePath): // z is valid; names are checked by plan
	case errors.Is(err, ErrLimit):
		return nil, err
	case errors.Is(err, zip.ErrFormat):
		var magic [4]byte
		if _, rerr := r.ReadAt(magic[:], 0); rerr == nil && string(magic[:]) == "PK\x03\x04" {
			return nil, fmt.Errorf("%w: zip without a directory, perhaps cut off", ErrDamaged)
		}
		return nil, fmt.Errorf("%w: neither zip nor jar nor folder", ErrNotPack)
	case errors.As(err, new(*fs.PathError)):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("%w: zip: %v", ErrDamaged, err)
	}
	guard.off = true
	return &archive{zip: z, limits: limits}, nil
}

// directoryGuard limits what is read of a zip while its directory is parsed:
// the parser allocates as much as the file holds, whatever the file declares.
// It is used by one goroutine until off is set, and only read after that.
type directoryGuard struct {
	r    io.ReaderAt
	left int64
	off  bool
}

func (g *directoryGuard) ReadAt(p []byte, at int64) (int, error) {
	if !g.off {
		if g.left -= int64(len(p)); g.left < 0 {
			return 0, fmt.Errorf("%w: zip directory too long", ErrLimit)
		}
	}
	return g.r.ReadAt(p, at)
}

// hostile says what is wrong with a name in an archive, or "".
func hostile(name string) string {
	switch {
	case name == "":
		return "no name"
	case !utf8.ValidString(name):
		return "name is not UTF-8"
	case strings.ContainsAny(name, "\\\x00"):
		return "backslash or NUL in the name"
	case name[0] == '/', len(name) > 1 && name[1] == ':':
		return "absolute path"
	case !cleanPath(strings.TrimSuffix(name, "/")):
		return "empty, . or .. in the path"
	}
	return ""
}

// names returns the usable names of the files in order, with their place in
// the directory, and what is not usable. A name may be there twice.
func (a *archive) names() (all catalog, bad skips) {
	for i, f := range a.zip.File {
		if reason := hostile(f.Name); reason != "" {
			bad.add(f.Name, "%s", reason)
			continue
		}
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		if !f.Mode().IsRegular() {
			bad.add(f.Name, "neither file nor folder")
			continue
		}
		all = append(all, entry{name: f.Name, ref: i})
	}
	all.sort()
	return all, bad
}

func (c catalog) topDirs() []string {
	dirs, _ := c.children("")
	return dirs
}

// read inflates an entry. Its checksum is verified.
func (a *archive) read(e entry) ([]byte, error) {
	return a.inflate(a.zip.File[e.ref], a.limits.FileBytes)
}

func (a *archive) inflate(f *zip.File, most int64) ([]byte, error) {
	// The header says how much will come out; a bomb says too little, and is
	// found out when more comes.
	size := f.UncompressedSize64
	if size > uint64(most) {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", ErrLimit, size, most)
	}
	r, err := f.Open()
	if err != nil {
		return nil, zipError(err)
	}
	defer r.Close()
	var buf bytes.Buffer
	// Deflate can not shrink to less than 1/1032, so a short stream that
	// declares much lies, and is not believed before its bytes are there.
	buf.Grow(int(min(size, f.CompressedSize64*1032)) + bytes.MinRead)
	n, err := buf.ReadFrom(io.LimitReader(r, int64(size)+1))
	if err != nil {
		return nil, zipError(err)
	}
	if uint64(n) != size {
		return nil, fmt.Errorf("%w: %d bytes of %d", ErrDamaged, n, size)
	}
	return buf.Bytes(), nil
}

// zipError keeps the errors of the file below and makes damage of the rest.
func zipError(err error) error {
	if errors.As(err, new(*fs.PathError)) {
		return err
	}
	return fmt.Errorf("%w: zip: %v", ErrDamaged, err)
}

// Close closes what the archive was opened on.
func (a *archive) Close() error {
	var err error
	for _, c := range a.closers {
		err = errors.Join(err, c.Close())
	}
	return err
}

// A bundler is the server.jar as it is distributed: it holds the game's own
// jar, and lists it with its checksum.
const (
	versionsList = "META-INF/versions.list"
	versionsDir  = "META-INF/versions/"
)

// bundled is one line of a bundler's list.
type bundled struct {
	SHA256 [sha256.Size]byte
	ID     string // version of the game, or coordinates of a library
	Path   string // below META-INF/versions or META-INF/libraries
}

// parseBundled reads versions.list or libraries.list: a line for each file of
// hexadecimal SHA-256, tab, id, tab, path.
func parseBundled(data []byte) ([]bundled, error) {
	var list []bundled
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != 3 {
			return nil, fmt.Errorf("%w: line %q", ErrDamaged, clip(line))
		}
		b := bundled{ID: fields[1], Path: fields[2]}
		sum, err := hex.DecodeString(fields[0])
		if err != nil || len(sum) != sha256.Size {
			return nil, fmt.Errorf("%w: checksum %q", ErrDamaged, clip(fields[0]))
		}
		copy(b.SHA256[:], sum)
		if reason := hostile(b.Path); reason != "" || strings.HasSuffix(b.Path, "/") {
			return nil, fmt.Errorf("%w: path %q", ErrDamaged, clip(b.Path))
		}
		list = append(list, b)
	}
	return list, nil
}

// unbundle returns the jar inside a bundler, or a itself if it is none.
func (a *archive) unbundle(all catalog) (*archive, error) {
	e, ok := all.find(versionsList)
	if !ok {
		return a, nil
	}
	if all.twice(versionsList) {
		return nil, fmt.Errorf("%s: %w: two entries of this name", versionsList, ErrDamaged)
	}
	data, err := a.inflate(a.zip.File[e.ref], maxMetaBytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", versionsList, err)
	}
	list, err := parseBundled(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", versionsList, err)
	}
	if len(list) != 1 {
		return nil, fmt.Errorf("%s: %w: %d versions, want one", versionsList, ErrDamaged, len(list))
	}
	name := versionsDir + list[0].Path
	if e, ok = all.find(name); !ok {
		return nil, fmt.Errorf("%s: %w: listed and not there", name, ErrDamaged)
	}
	inner, err := a.nested(a.zip.File[e.ref], list[0].SHA256)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return inner, nil
}

// nested opens a jar inside the archive after checking its SHA-256. One that
// is stored uncompressed is read in place, any other is held in memory.
func (a *archive) nested(f *zip.File, want [sha256.Size]byte) (*archive, error) {
	if f.UncompressedSize64 > uint64(a.limits.NestedBytes) {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", ErrLimit, f.UncompressedSize64, a.limits.NestedBytes)
	}
	var jar io.ReaderAt
	sum := sha256.New()
	if f.Method == zip.Store {
		// A section of the outer file.
		raw, err := f.OpenRaw()
		if err != nil {
			return nil, zipError(err)
		}
		at, ok := raw.(io.ReaderAt)
		if !ok {
			return nil, fmt.Errorf("%w: stored entry can not be read in place", ErrDamaged)
		}
		if f.CompressedSize64 != f.UncompressedSize64 {
			return nil, fmt.Errorf("%w: stored in %d bytes of %d", ErrDamaged, f.CompressedSize64, f.UncompressedSize64)
		}
		if _, err := io.Copy(sum, raw); err != nil {
			return nil, zipError(err)
		}
		jar = at
	} else {
		data, err := a.inflate(f, a.limits.NestedBytes)
		if err != nil {
			return nil, err
		}
		sum.Write(data)
		jar = bytes.NewReader(data)
	}
	if got := sum.Sum(nil); !bytes.Equal(got, want[:]) {
		return nil, fmt.Errorf("%w: SHA-256 is %x, listed is %x", ErrDamaged, got, want)
	}
	inner, err := newArchive(jar, int64(f.UncompressedSize64), a.limits)
	if err != nil {
		return nil, err
	}
	inner.closers = a.closers
	return inner, nil
}
