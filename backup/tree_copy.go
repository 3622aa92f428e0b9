package backup

import (
	"context"
	"errors"
	"os"

	"github.com/cespare/xxhash/v2"

	"strata/backup/pack"
	"strata/backup/source"
	"strata/region"
)

func headerSum(h *region.Header) uint64 { return xxhash.Sum64(h[:]) }

// copy copies a file of the world. If it turns out to be what the parent has, it is
// linked after all.
func (c *treeCreator) copy(ctx context.Context, f *source.File, e, prev *entry, header *region.Header) error {
	out, err := c.create(f.Path)
	if err != nil {
		return err
	}
	switch {
	case header != nil && c.src.Moves():
		err = c.copyMoving(ctx, f, e, out)
	case header != nil && c.src.State == source.Pinned:
		err = c.copyPinned(f, e, out)
	default:
		err = c.copyPlain(ctx, f, e, out)
	}
	if err != nil {
		out.remove()
		return err
	}
	id, err := out.id(e.stat.size)
	if err != nil {
		out.remove()
		return err
	}
	e.setID(id)
	c.rep.ChangedFiles++
	if prev != nil && prev.kind == e.kind && prev.id() == id && c.links && !c.o.DryRun {
		out.remove()
		return c.link(ctx, f.Path, e)
	}
	if err := out.finish(); err != nil {
		return err
	}
	if !c.o.DryRun {
		if err := chmod(c.t.fs, c.to(f.Path), 0o444); err != nil {
			return err
		}
	}
	if out.cloned {
		c.rep.ClonedBytes += e.stat.size
	} else {
		c.rep.CopiedBytes += e.stat.size
	}
	return nil
}

// id is the SHA-256 of the file, in a tree.
func (e *entry) id() pack.ID {
	if e.region != nil {
		return e.region.table
	}
	return e.data.id
}

func (e *entry) setID(id pack.ID) {
	if e.region != nil {
		e.region.table = id
		return
	}
	e.data = content{id: id, size: e.stat.size}
}

// copyPlain copies a file that nobody writes, or a data file.
func (c *treeCreator) copyPlain(ctx context.Context, f *source.File, e *entry, out *outFile) error {
	if c.clones && c.src.State == source.Held && out.file != nil && c.src.FS() == c.t.fs {
		if done, err := c.clone(f, out); done || err != nil {
			return err
		}
	}
	at := int64(0)
	var stored error
	info, err := c.src.ReadFile(ctx, *f, copyBytes, func() error {
		at = 0
		out.sum.Reset()
		out.hashed, out.random = 0, false
		if out.file == nil {
			return nil
		}
		stored = out.file.Truncate(0)
		return stored
	}, func(b []byte) error {
		stored = out.writeAt(b, at)
		at += int64(len(b))
		return stored
	})
	if err != nil {
		if stored != nil || ctx.Err() != nil {
			return err
		}
		return readError(err)
	}
	mode := e.stat
	e.stat = statOf(info)
	if e.region != nil {
		e.stat = mode // the header was read by that one
	}
	e.stat.size = at
	return nil
}

// clone makes a reflink of a live file, which shares nothing that is written later.
func (c *treeCreator) clone(f *source.File, out *outFile) (bool, error) {
	if err := c.t.fs.Remove(out.name); err != nil {
		return false, err
	}
	err := c.t.fs.Clone(f.Abs, out.name)
	if err == nil {
		out.cloned, out.random = true, true
	}
	old := out.file
	flag := os.O_RDWR
	if err != nil {
		flag |= os.O_CREATE | os.O_EXCL // it lies on another file system, or cannot for now
	}
	file, oerr := c.t.fs.OpenFile(out.name, flag, 0o444)
	if oerr != nil {
		return false, oerr
	}
	out.file = file
	return out.cloned, old.Close()
}

// copyFrom copies a file of the parent, or clones it.
func (c *treeCreator) copyFrom(ctx context.Context, from, name string, e *entry) error {
	if c.clones && c.t.fs.Clone(from, c.to(name)) == nil {
		c.rep.ClonedBytes += e.stat.size
		return c.syncFile(c.to(name))
	}
	src, err := c.t.fs.OpenFile(from, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer src.Close()
	s := e.stat
	s.mode = 0o444
	if err := copyVerified(ctx, src, c.t.fs, c.to(name), s); err != nil {
		return err
	}
	c.rep.CopiedBytes += e.stat.size
	return chmod(c.t.fs, c.to(name), 0o444)
}

func (c *treeCreator) syncFile(name string) error {
	f, err := c.t.fs.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
