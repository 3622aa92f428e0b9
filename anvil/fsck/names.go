package fsck

import (
	"path/filepath"
	"slices"
	"strings"

	"strata/region"
	"strata/region/vfs"
)

// folderList is a folder of region files and the names in it.
type folderList struct {
	folderRef
	dir   string
	names []string // of what is no region file
	have  map[region.Pos]bool
}

// listFolders lists the folders, and notes which regions have external files.
// Only those are in have.
func (c *check) listFolders() (all []folderList) {
	for _, d := range c.w.Dimensions() {
		if len(c.opts.Dimensions) > 0 && !slices.Contains(c.opts.Dimensions, d.ID) {
			continue
		}
		for _, k := range kinds {
			f := folderList{folderRef: folderRef{d.ID, k}, dir: dirOf(&d, k), have: map[region.Pos]bool{}}
			entries, err := c.fs.ReadDir(f.dir)
			if err != nil {
				continue // scan.Files has said so
			}
			for _, e := range entries {
				if _, isRegion := region.ParseName(e.Name()); isRegion || e.IsDir() {
					continue
				}
				f.names = append(f.names, e.Name())
				if pos, ok := region.ParseExternalName(e.Name()); ok {
					c.external[regionRef{dim: d.ID, kind: k, pos: pos.Region()}] = true
				}
			}
			for ref := range c.external {
				if ref.dim == d.ID && ref.kind == k {
					_, err := c.fs.Stat(filepath.Join(f.dir, ref.pos.Name()))
					f.have[ref.pos] = err == nil
				}
			}
			all = append(all, f)
		}
	}
	return all
}

// names looks at the files of a folder that are no region files.
func (c *check) names(f *folderList) {
	stub := func(pos region.ChunkPos) (file, stub bool) {
		slots := c.stubs[regionRef{dim: f.dim, kind: f.kind, pos: pos.Region()}]
		s := pos.Slot()
		return f.have[pos.Region()], slots != nil && slots[s/64]&(1<<(s%64)) != 0
	}
	for _, name := range f.names {
		rf, ok := region.CheckName(f.dir, name, stub)
		if !ok {
			continue
		}
		one := Finding{Class: rf.Class, path: rf.Path, Detail: rf.Detail, Dimension: f.dim, Kind: f.kind.String(), kind: f.kind}
		pos, isExternal := region.ParseExternalName(name)
		if isExternal {
			one.setChunk(pos)
		}
		// The store removes our own temporaries when it opens a world for writing.
		ours := strings.HasPrefix(name, vfs.TempPrefix)
		if c.find(one) && (isExternal || rf.Class == region.Leftover && !ours) {
			ref := regionRef{dim: f.dim, kind: f.kind, pos: pos.Region()}
			c.report.leads.aside = append(c.report.leads.aside, asideFile{ref, name, rf.Class})
		}
	}
}
