package fsck

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"strata/region"
	"strata/region/vfs"
)

// files plans what becomes of data files.
func (p *planner) files(context.Context) error {
	for _, path := range p.report.leads.data {
		if _, err := vfs.ReadFile(p.w.FS(), path+"_old", 1<<30); err != nil {
			continue
		}
		p.do(Step{
			Kind: RestoreOld, File: relative(p.w.Path(), path), path: path,
			Reason: filepath.Base(path) + "_old can be read; what is there stays as a file of its own",
		})
	}
	for _, path := range p.report.leads.leftovers {
		info, err := p.w.FS().Lstat(path)
		if err != nil || !info.Mode.IsRegular() {
			continue
		}
		p.do(Step{
			Kind: StepKind(region.RemoveLeftover), File: relative(p.w.Path(), path), path: path,
			Reason: fmt.Sprintf("temporary file of %d bytes", info.Size),
		})
	}
	return nil
}

// asides plans what becomes of files that belong to nothing. The store removes
// our own temporaries when it opens the world for writing.
func (p *planner) asides(context.Context) error {
	for _, f := range p.report.leads.aside {
		pos, isExternal := region.ParseExternalName(f.name)
		if isExternal && (p.stubbed[objectRef{f.dim, f.kind, pos}] || p.doubtful[f.regionRef]) {
			continue // it is, or may be, a chunk's again
		}
		p.asideFile(f)
	}
	return nil
}

func (p *planner) asideFile(f asideFile) {
	path := filepath.Join(p.dir(f.folder()), f.name)
	info, err := p.w.FS().Lstat(path)
	if err != nil || p.asided[path] {
		return
	}
	p.asided[path] = true
	s := Step{
		Kind: SetAside, File: relative(p.w.Path(), path), Dimension: f.dim, Folder: f.kind.String(),
		ref: objectRef{f.dim, f.kind, f.pos.Chunk(0)}, name: f.name, Reason: fmt.Sprintf("%s of %d bytes", f.why, info.Size),
	}
	if !info.Mode.IsRegular() {
		s.Reason += ", no plain file"
		p.leave(s)
		return
	}
	p.do(s)
}

// asideBody sets the external file aside that belongs to a slot which is, or may
// be, a stub and will be none: nothing will stand for it.
func (p *planner) asideBody(ref objectRef) {
	p.asideFile(asideFile{regionRef{dim: ref.dim, kind: ref.kind, pos: ref.pos.Region()}, ref.pos.ExternalName(), region.OrphanExternal})
}

// notRegions plans what becomes of files that are no region files, and of the
// external files of their regions, which nothing stands for then.
func (p *planner) notRegions(ctx context.Context) error {
	for _, ref := range p.report.leads.notRegion {
		name := ref.pos.Name()
		p.do(Step{
			Kind: SetAside, File: relative(p.w.Path(), filepath.Join(p.dir(ref.folder()), name)), Dimension: ref.dim, Folder: ref.kind.String(),
			ref: objectRef{ref.dim, ref.kind, ref.pos.Chunk(0)}, name: name, Reason: "not a region file",
		})
		entries, err := p.w.FS().ReadDir(p.dir(ref.folder()))
		if err != nil {
			return err
		}
		for _, e := range entries {
			if pos, ok := region.ParseExternalName(e.Name()); ok && pos.Region() == ref.pos {
				p.asideFile(asideFile{ref, e.Name(), region.OrphanExternal})
			}
		}
		for _, d := range p.o.Donors {
			positions, err := d.Positions(ctx, ref.dim, ref.kind, ref.pos)
			if err != nil && !errors.Is(err, ErrNoDonation) {
				return err
			}
			for _, pos := range positions {
				p.lost = append(p.lost, objectRef{ref.dim, ref.kind, pos})
			}
		}
	}
	return nil
}
