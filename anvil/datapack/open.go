package datapack

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"strata/region/vfs"
)

// Open opens a server.jar or the jar inside it, a data pack as a zip or a
// folder, the game's data as a zip or a folder, or a file that Import has
// written; package documentation lists the forms. It reads the names of the
// files and pack.mcmeta; the files themselves are read when asked for.
//
// Errors wrap fs.ErrNotExist, ErrNotPack, ErrDamaged (a jar's checksum,
// pack.mcmeta, two files of one name) or ErrLimit.
func Open(path string, opts Options) (*Pack, error) {
	p := &Pack{name: opts.Name, path: path, limits: opts.Limits.withDefaults()}
	if p.name == "" {
		p.name = filepath.Base(path)
	}
	if err := p.open(); err != nil {
		return nil, inPack(p.name, "", err)
	}
	return p, nil
}

func (p *Pack) open() error {
	fi, err := os.Stat(p.path)
	if err != nil {
		return err
	}
	if fi.IsDir() {
		f, c, err := openFolder(p.path, p.limits)
		if err != nil {
			return err
		}
		p.kind, p.reader = KindFolder, f
		return p.fill(c)
	}
	if !fi.Mode().IsRegular() {
		return fmt.Errorf("%w: neither file nor folder", ErrNotPack)
	}
	f, err := vfs.OS().OpenFile(p.path, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	if err := p.openFile(f); err != nil {
		return errors.Join(err, f.Close())
	}
	return nil
}

// openFile opens what is one file. After an error the caller closes it.
func (p *Pack) openFile(f vfs.File) error {
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	isGame, err := isGameFile(f)
	if err != nil {
		return err
	}
	if isGame {
		g, err := openGameFile(f, fi.Size, p.limits)
		if err != nil {
			return err
		}
		p.kind, p.reader, p.manifest = KindGame, g, &g.manifest
		return p.take(g.files)
	}
	a, err := newArchive(f, fi.Size, p.limits)
	if err != nil {
		return err
	}
	a.closers = []io.Closer{f}
	all, bad := a.names()
	inner, err := a.unbundle(all)
	if err != nil {
		return err
	}
	if inner != a {
		all, bad = inner.names()
	}
	l, ok := findLayout(all)
	if !ok {
		return fmt.Errorf("%w: no pack.mcmeta, data/minecraft, or worldgen and tags inside", ErrNotPack)
	}
	p.kind, p.reader = KindZip, inner
	if inner != a || (all.hasFile(versionName) && l == layout{}) {
		p.kind = KindJar
	}
	c := &collector{limits: p.limits, skips: bad}
	for _, e := range all {
		if name, ok := l.name(e.name); ok {
			if err := c.add(name, int64(inner.zip.File[e.ref].UncompressedSize64), e.ref); err != nil {
				return err
			}
		}
	}
	return p.fill(c)
}

// fill takes over what was collected. It closes nothing on errors.
func (p *Pack) fill(c *collector) error {
	files, err := c.finish()
	p.skips = c.skips
	if err == nil {
		err = p.take(files)
	}
	if err != nil && p.kind == KindFolder {
		return errors.Join(err, p.reader.Close())
	}
	return err
}

// take sets the files of the pack and reads what is known from them.
func (p *Pack) take(files catalog) error {
	p.files = files
	if p.version == nil {
		p.version = sync.OnceValues(p.findVersion)
	}
	if files.hasFile(metaName) { // one that has gone since is an error
		data, err := p.small(metaName)
		if err == nil {
			p.meta, err = ParseMeta(data)
		}
		if err != nil {
			return inPack(p.name, metaName, err)
		}
	}
	p.meta.prune(files)
	for _, root := range p.allRoots() {
		dirs, _ := files.children(root + dataDir + "/")
		for _, dir := range dirs {
			if !slices.Contains(p.namespaces, dir) {
				p.namespaces = append(p.namespaces, dir)
			}
		}
	}
	slices.Sort(p.namespaces)
	return nil
}
