package datapack

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
)

// Kind is the form in which a pack lies on the disk.
type Kind string

// The forms.
const (
	KindFolder Kind = "folder"
	KindZip    Kind = "zip"
	KindJar    Kind = "jar"  // of the game: a bundler or the jar inside it
	KindGame   Kind = "game" // what Import has written
)

// Options say how to open a pack. The zero value works.
type Options struct {
	// Name is what errors call the pack: default the last element of its path.
	Name string
	// Limits bound what it may take.
	Limits Limits
}

// Pack is an open pack. It is an fs.FS of its files as they are stored, under
// the names that they have from the root of a pack on, whatever folder of an
// archive that is: "data/minecraft/worldgen/biome/plains.json". All methods
// but Close may be called concurrently.
type Pack struct {
	name, path string
	kind       Kind
	files      catalog
	reader     reader
	limits     Limits
	meta       *Meta
	skips      skips
	manifest   *Manifest // of a game file
	namespaces []string
	version    func() (Version, error)
}

var (
	_ fs.FS         = (*Pack)(nil)
	_ fs.ReadFileFS = (*Pack)(nil)
	_ fs.ReadDirFS  = (*Pack)(nil)
	_ fs.StatFS     = (*Pack)(nil)
)

// prune drops overlays that have no file, so that lookups pass them by.
func (m *Meta) prune(files catalog) {
	if m != nil {
		m.Overlays = slices.DeleteFunc(m.Overlays, func(o Overlay) bool { return !files.hasDir(o.Directory + "/" + dataDir) })
	}
}

// allRoots lists the prefixes of everything that any format could show.
func (p *Pack) allRoots() []string {
	roots := []string{""}
	if p.meta != nil {
		for _, o := range p.meta.Overlays {
			roots = append(roots, o.Directory+"/")
		}
	}
	return roots
}

// roots lists the prefixes that apply in a format, the strongest first.
func (p *Pack) roots(format Format) []string {
	roots := []string{""}
	if p.meta != nil {
		for _, o := range p.meta.Overlays {
			if o.Formats.Contains(format) {
				roots = append(roots, o.Directory+"/")
			}
		}
	}
	slices.Reverse(roots)
	return roots
}

// small reads a file of metadata.
func (p *Pack) small(name string) ([]byte, error) {
	e, ok := p.files.find(name)
	if !ok {
		return nil, fs.ErrNotExist
	}
	if e.size > maxMetaBytes {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", ErrLimit, e.size, maxMetaBytes)
	}
	return p.reader.read(e)
}

// Close closes the files below. A pack from OpenBuiltin closes nothing.
func (p *Pack) Close() error { return p.reader.Close() }

// Name is what errors call the pack.
func (p *Pack) Name() string { return p.name }

// Path is where the pack was opened.
func (p *Pack) Path() string { return p.path }

// Kind is the form of the pack.
func (p *Pack) Kind() Kind { return p.kind }

// Meta is the pack.mcmeta, nil where there is none, as in the game's own data.
// It must not be changed.
func (p *Pack) Meta() *Meta { return p.meta }

// Manifest says where the data of a game file came from, nil for other kinds.
// It must not be changed.
func (p *Pack) Manifest() *Manifest { return p.manifest }

// Namespaces lists the namespaces that the pack has files in, in order. It
// must not be changed.
func (p *Pack) Namespaces() []string { return p.namespaces }

// Skipped returns how many files are there and not used, because of their
// name or kind, and the first hundred of them.
func (p *Pack) Skipped() (count int, first []Skipped) {
	return p.skips.count, slices.Clone(p.skips.list)
}

// Files is how many files the pack has, and how many bytes they take as they
// are stored in it.
func (p *Pack) Files() (count int, sizeBytes int64) {
	for _, e := range p.files {
		sizeBytes += e.size
	}
	return len(p.files), sizeBytes
}

// ReadFile returns a file as the pack stores it; see ReadTemplate for
// structure templates. The caller owns the bytes.
func (p *Pack) ReadFile(name string) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrInvalid}
	}
	e, ok := p.files.find(name)
	if !ok {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	data, err := p.reader.read(e)
	if err != nil {
		return nil, inPack(p.name, name, err)
	}
	return data, nil
}

// readNBT is ReadFile without the gzip that most packs store NBT in.
func (p *Pack) readNBT(name string) ([]byte, error) {
	data, err := p.ReadFile(name)
	if err != nil || !isGzip(data) {
		return data, err
	}
	plain, err := gunzip(data, p.limits.FileBytes)
	return plain, inPack(p.name, name, err)
}

func isGzip(data []byte) bool { return len(data) >= 2 && data[0] == 0x1f && data[1] == 0x8b }

func gunzip(data []byte, most int64) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%w: gzip: %v", ErrDamaged, err)
	}
	var buf bytes.Buffer
	n, err := buf.ReadFrom(io.LimitReader(z, most+1))
	if err != nil {
		return nil, fmt.Errorf("%w: gzip: %v", ErrDamaged, err)
	}
	if n > most {
		return nil, fmt.Errorf("%w: more than %d bytes inflated", ErrLimit, most)
	}
	return buf.Bytes(), nil
}

// Builtin lists the packs that the game's data bring along, such as
// trade_rebalance, in order.
func (p *Pack) Builtin() []string {
	dirs, _ := p.files.children(builtinDir)
	return slices.DeleteFunc(dirs, func(dir string) bool { return !p.files.hasFile(builtinDir + dir + "/" + metaName) })
}

// OpenBuiltin returns one of them as a pack of its own, named as it is. It
// reads through p, which must stay open.
func (p *Pack) OpenBuiltin(name string) (*Pack, error) {
	if !validNamespace(name) || !slices.Contains(p.Builtin(), name) {
		return nil, inPack(p.name, "", fmt.Errorf("built-in pack %q: %w", clip(name), fs.ErrNotExist))
	}
	prefix := builtinDir + name + "/"
	sub := &Pack{name: name, path: p.path, kind: p.kind, limits: p.limits, version: p.version}
	view := &view{reader: p.reader, prefix: prefix}
	sub.reader = view
	var files catalog
	for _, e := range p.files.under(prefix) {
		files = append(files, entry{name: strings.TrimPrefix(e.name, prefix), size: e.size, ref: e.ref})
	}
	if err := sub.take(files); err != nil {
		return nil, err
	}
	return sub, nil
}

// view reads entries whose names lack a prefix.
type view struct {
	reader reader
	prefix string
}

func (v *view) read(e entry) ([]byte, error) {
	e.name = v.prefix + e.name
	return v.reader.read(e)
}

// Close leaves the reader to its owner.
func (*view) Close() error { return nil }
