package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"strata/backup/pack"
	"strata/backup/source"
	"strata/backup/table"
	"strata/region"
)

// isGone reports whether a file has gone since it was listed.
func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// skippable reports whether a snapshot goes on without the file.
func skippable(err error) bool {
	return errors.Is(err, source.ErrUnstable) || errors.Is(err, fs.ErrPermission) || errors.Is(err, errRead)
}

// errRead marks errors of reading the world, which are not those of writing.
var errRead = errors.New("cannot be read")

// externals are the external files of a world.
type externals struct {
	// changed are the chunks whose external file is not what it was, by folder.
	changed map[string]map[region.ChunkPos]bool
	// named are those that a stub stands for: the record's object.
	named map[string]pack.ID
}

// look finds out which external files have changed.
func (x *externals) look(c *creator, files []source.File) {
	x.changed = map[string]map[region.ChunkPos]bool{}
	x.named = map[string]pack.ID{}
	for i := range files {
		f := &files[i]
		if f.Kind != source.External {
			continue
		}
		prev := c.before[f.Path]
		e := &entry{kind: f.Kind, stat: statOf(f.Info)}
		if c.unchanged(e, prev) {
			continue
		}
		dir := path.Dir(f.Path)
		if x.changed[dir] == nil {
			x.changed[dir] = map[region.ChunkPos]bool{}
		}
		x.changed[dir][f.Chunk] = true
	}
}

// forced reports whether a slot has to be read because its external file changed.
func (x *externals) forced(f *source.File, s region.Slot) bool {
	return x.changed[path.Dir(f.Path)][f.Pos.Chunk(s)]
}

func (x *externals) anyForced(f *source.File) bool {
	for c := range x.changed[path.Dir(f.Path)] {
		if c.Region() == f.Pos {
			return true
		}
	}
	return false
}

// external takes an external file in, after its region file.
func (c *creator) external(ctx context.Context, f *source.File, e, prev *entry) error {
	if id, named := c.named[f.Path]; named {
		e.data = content{id: id}
		c.rep.CopiedBytes += e.stat.size
		return nil
	}
	// The region file did not change and was not read, or no stub stands for it.
	if c.unchanged(e, prev) {
		e.data = prev.data
		c.rep.LinkedBytes += e.stat.size
		return nil
	}
	return c.data(ctx, f, e, nil)
}

// regionReader takes one region file in.
type regionReader struct {
	c    *creator
	f    *source.File
	e    *entry
	file *source.Region
	now  slots
	old  *slots
	base *table.Table
}

// region takes a region file in.
func (c *creator) region(ctx context.Context, f *source.File, e, prev *entry) (err error) {
	file, err := c.src.OpenRegion(*f)
	if errors.Is(err, source.ErrShort) {
		return c.data(ctx, f, e, nil)
	}
	if err != nil {
		return readError(err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	r := &regionReader{c: c, f: f, e: e, file: file}
	e.region = &regionEntry{sum: headerSum(&file.Header), exact: c.o.Exact}
	if r.same(prev) {
		e.region = prev.region
		c.rep.LinkedBytes += e.stat.size
		return nil
	}
	if prev != nil && prev.region != nil {
		if err := r.compareWith(prev); err != nil {
			c.rep.Notes = append(c.rep.Notes, fmt.Sprintf("%s is stored anew: %v", f.Path, err))
			r.base, r.old = nil, nil
		}
	}
	if err := r.records(ctx, prev); err != nil {
		return err
	}
	return r.store(ctx)
}

func readError(err error) error {
	if isGone(err) || errors.Is(err, source.ErrShort) {
		return err
	}
	return fmt.Errorf("%w: %w", errRead, err)
}

// same reports whether the file is what it was.
func (r *regionReader) same(prev *entry) bool {
	c := r.c
	return c.sameRegion(r.e, prev, &r.file.Header) && (prev.region.exact || !c.o.Exact) && !c.anyForced(r.f)
}

// compareWith loads what the parent has of the file.
func (r *regionReader) compareWith(prev *entry) (err error) {
	if r.base, err = r.c.j.table(prev.region.table); err != nil {
		return err
	}
	r.old, err = r.c.j.slots(r.base.Rows)
	return err
}

// wanted lists the slots that have to be read; the others are what they were.
func (r *regionReader) wanted(prev *entry) (list []region.Slot) {
	c := r.c
	all := r.old == nil || c.reread || prev.region.odd || prev.stat.device != r.e.stat.device || prev.stat.inode != r.e.stat.inode
	// Times that differ with nothing in the header to show for it: whoever wrote
	// did not do it as the game does.
	all = all || prev.stat != r.e.stat && prev.region.sum == r.e.region.sum
	for s := range region.Slot(region.Slots) {
		e := r.file.Header.Entry(s)
		if e == (region.Entry{}) {
			continue
		}
		r.now[s].entry = e
		switch {
		case e.Empty():
		case all || r.old[s].entry != e || !r.old[s].readable() || c.o.Exact && r.old[s].flags&slotElided != 0 || c.racy(e) || c.forced(r.f, s):
			list = append(list, s)
		default:
			r.now[s] = r.old[s]
		}
	}
	return list
}

// records reads and stores records.
func (r *regionReader) records(ctx context.Context, prev *entry) error {
	c := r.c
	err := r.file.Read(ctx, r.wanted(prev), func(rec *source.Record) error {
		s := &r.now[rec.Slot]
		*s = slot{entry: rec.Entry}
		switch {
		case errors.Is(rec.Err, source.ErrUnstable):
			c.skip(fmt.Sprintf("%s, chunk %v", r.f.Path, r.f.Pos.Chunk(rec.Slot)), rec.Err)
			*s = slot{}
			return nil
		case rec.Err != nil:
			s.flags |= slotUnreadable
			r.e.region.odd = true
			return nil //nolint:nilerr // the slot says so
		}
		if x, ok := r.elided(rec); ok {
			*s = x
			return nil
		}
		id, _, err := c.w.Put(rec.Content)
		if err != nil {
			return err
		}
		s.id = id
		if rec.External {
			s.flags |= slotExternal
			c.named[path.Join(path.Dir(r.f.Path), r.f.Pos.Chunk(rec.Slot).ExternalName())] = id
		}
		if rec.Odd {
			s.flags |= slotOddStub
			r.e.region.odd = true
		}
		return nil
	})
	if err != nil {
		return c.readError(ctx, err)
	}
	if c.src.Moves() {
		r.settle()
	}
	return nil
}

// settle takes the header as it was last read over, where records were read by it.
func (r *regionReader) settle() {
	for s := range region.Slot(region.Slots) {
		if e := r.file.Header.Entry(s); e.Empty() && !r.now[s].entry.Empty() {
			r.now[s] = slot{entry: e} // deleted since
		}
	}
}

// store makes the entry of the file, and its table unless it is the parent's.
func (r *regionReader) store(ctx context.Context) error {
	c, g := r.c, r.e.region
	layout, err := r.layout()
	if err != nil {
		return err
	}
	if layout.overlap() {
		if c.src.Moves() {
			// Records of several moments do not fit beside each other.
			r.relocate()
		} else {
			g.odd = true
		}
	}
	if n := len(layout.records); n > 0 && c.src.Moves() {
		// It may have grown since it was listed.
		r.e.stat.size = max(r.e.stat.size, layout.end())
	}
	if g.odd || g.exact {
		if g.rest, err = r.rest(ctx, layout); err != nil {
			return err
		}
	}
	for s := range r.now {
		if !r.now[s].entry.Empty() {
			g.chunks++
			if r.e.record == 0 && (r.old == nil || r.old[s].id != r.now[s].id || r.old[s].last != r.now[s].last || r.old[s].entry.Empty()) && r.e.dimension != "" {
				c.out.NewChunks++
			}
		}
	}
	c.read(r.e.stat.size)
	data, err := table.Encode(r.now.rows(), r.base)
	if err != nil {
		return err
	}
	if data == nil {
		g.table = pack.ID(r.base.ID)
		return nil
	}
	// It is stored behind all records, and the row written again then.
	c.tables = append(c.tables, &pendingTable{row: len(c.rows), e: r.e, piece: append([]byte{kindTable}, data...)})
	return nil
}

// layout is where the records of the file lie.
func (r *regionReader) layout() (layout, error) {
	return layoutOf(&r.now, r.e.stat.size, r.c.w.Size)
}

// relocate gives the records places one behind the other. The file is not as large
// then as it was.
func (r *regionReader) relocate() {
	next := uint32(region.HeaderSectors)
	for s := range r.now {
		x := &r.now[s]
		if x.entry.Empty() {
			continue
		}
		n := uint32(1)
		if x.flags&slotElided != 0 {
			n = x.entry.Location.Count()
		} else if size, err := r.c.w.Size(x.id); err == nil && x.flags&slotExternal == 0 {
			n = region.RecordSectors(size - 1)
		}
		x.entry.Location = region.MakeLocation(next, min(n, 255))
		next += n
	}
	r.e.stat.size = int64(next) * region.SectorBytes
}

// rest stores what neither records nor header have.
func (r *regionReader) rest(ctx context.Context, l layout) (content, error) {
	buf := make([]byte, 1<<20)
	for _, g := range l.gaps() {
		for at := g.from; at < g.to; {
			if err := ctx.Err(); err != nil {
				return content{}, err
			}
			b := buf[:min(int64(len(buf)), g.to-at)]
			if err := r.file.ReadRaw(b, at); err != nil {
				return content{}, errors.Join(readError(err), r.c.cw.reset())
			}
			if err := r.c.cw.write(b); err != nil {
				return content{}, err
			}
			at += int64(len(b))
		}
	}
	return r.c.cw.finish()
}
