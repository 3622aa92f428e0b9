package shrink

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"strata/anvil/store"
	"strata/region"
)

const (
	// maxHeld is the largest file whose records are held in memory together.
	maxHeld = 256 << 20
	// maxWrites is how many records are written at a time where a file is not
	// written anew: they share the flushes of their region file.
	maxWrites = 64
)

// work is what becomes of one region file.
type work struct {
	file      *File
	slots     []region.Slot // that have records
	picked    map[region.Slot]bool
	resumed   bool
	piecewise bool
	failed    error
	items     []*item // in the order of slots, once packed
	counts    tally
}

// tally counts one file.
type tally struct {
	Recompressed
	after int64 // size of the region file
}

// find looks which records there are, and which of them are picked.
func (w *work) find(o *RecompressOptions) {
	w.picked = map[region.Slot]bool{}
	for slot := range region.Slot(region.Slots) {
		if w.file.header.Location(slot) == 0 {
			continue
		}
		w.slots = append(w.slots, slot)
		if o.Pick == nil || o.Pick(store.Ref{Dim: w.file.Dim, Kind: w.file.Kind, Pos: w.file.Pos.Chunk(slot)}) {
			w.picked[slot] = true
		}
	}
}

// pack compresses all records that are picked, and reads the others.
func (w *work) pack(ctx context.Context, c *coders, progress func(int64)) error {
	items, err := w.packSlots(ctx, c, w.slots, true, progress)
	w.items = items
	return err
}

func (w *work) packSlots(ctx context.Context, c *coders, slots []region.Slot, hold bool, progress func(int64)) ([]*item, error) {
	raw, err := c.s.Raw(w.file.Dim, w.file.Kind)
	if err != nil {
		return nil, err
	}
	items := make([]*item, len(slots))
	var group errgroup.Group
	group.SetLimit(cap(c.free))
	for i, slot := range slots {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error {
			one := <-c.free
			items[i] = one.do(raw, w.file.Pos.Chunk(slot), w.picked[slot], hold)
			c.free <- one
			if w.picked[slot] {
				progress(1)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	present := items[:0]
	for _, it := range items {
		if it != nil {
			present = append(present, it)
		}
	}
	return present, ctx.Err()
}

// anew reports whether the whole file can be written from what was read: from
// everything that there is, external files without a record included, which an
// installed file takes the place of as well.
func (w *work) anew() bool {
	if w.file.damaged() {
		return false
	}
	bodies := len(w.file.bodies)
	for _, it := range w.items {
		if it.external && w.file.bodies[it.slot] {
			bodies--
		}
	}
	if bodies > 0 {
		return false
	}
	for _, it := range w.items {
		if it.unreadable || it.damaged && it.external {
			return false
		}
	}
	return true
}

// write writes the file, anew if it can be.
func (r *recompressor) write(ctx context.Context, w *work) error {
	w.tally()
	w.counts.after = w.file.Bytes
	if w.counts.Replaced == 0 {
		return nil
	}
	if r.o.DryRun {
		w.counts.after = w.expected()
		return nil
	}
	var err error
	if w.anew() {
		err = r.install(ctx, w)
	} else if err = r.inPlace(ctx, w, w.items); err == nil {
		err = r.compact(w)
	}
	if err != nil {
		return err
	}
	return r.measure(w)
}

func (r *recompressor) measure(w *work) error {
	info, err := fileSystem(r.s).Stat(w.file.Path)
	w.counts.after = info.Size
	return err
}

// expected is how large the file will be.
func (w *work) expected() int64 {
	size := int64(region.HeaderBytes)
	for _, it := range w.items {
		sectors := int64(it.old.Location.Count())
		switch {
		case it.replaced:
			sectors = int64(region.RecordSectors(len(it.data)))
		case !it.unreadable:
			sectors = int64(region.RecordSectors(it.before))
		}
		size += sectors * region.SectorBytes
	}
	return size
}

func (r *recompressor) keep(w *work, items []*item) error {
	name := r.s.World().Dimensions[w.file.Dim].Name
	for _, it := range items {
		if !it.replaced {
			continue
		}
		if err := r.o.Change.Keep(name, w.file.Kind, w.file.Pos.Chunk(it.slot)); err != nil {
			return err
		}
	}
	if err := r.o.Change.Commit(); err != nil {
		return err
	}
	return r.log.leave(w.file, items)
}

// install writes the file anew.
func (r *recompressor) install(ctx context.Context, w *work) error {
	raw, err := r.s.Raw(w.file.Dim, w.file.Kind)
	if err != nil {
		return err
	}
	if err := r.keep(w, w.items); err != nil {
		return err
	}
	return raw.Install(ctx, w.file.Pos, func(out *region.Writer) error {
		for slot := range region.Slot(region.Slots) {
			if e := w.file.header.Entry(slot); e.Empty() && e.Timestamp != 0 {
				out.SetTimestamp(slot, e.Timestamp)
			}
		}
		for _, it := range w.items {
			err := out.Put(it.slot, region.Record{Scheme: it.scheme, Data: it.data, Entry: region.Entry{Timestamp: it.old.Timestamp}})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// inPlace writes records one by one.
func (r *recompressor) inPlace(ctx context.Context, w *work, items []*item) error {
	raw, err := r.s.Raw(w.file.Dim, w.file.Kind)
	if err != nil {
		return err
	}
	if err := r.keep(w, items); err != nil {
		return err
	}
	var mu sync.Mutex // guards w.counts
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(maxWrites)
	for _, it := range items {
		if !it.replaced {
			continue
		}
		group.Go(func() error {
			err := raw.Replace(ctx, w.file.Pos.Chunk(it.slot), store.RawWrite{
				Old: it.old, Record: region.Record{Scheme: it.scheme, Data: it.data}, SameContent: true, KeepTimestamp: true,
			})
			if err == nil || endsAll(err) {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			w.counts.Failed = append(w.counts.Failed, failure(w.file.Path, fmt.Errorf("chunk %v: %w", w.file.Pos.Chunk(it.slot), err)))
			return nil
		})
	}
	return group.Wait()
}

// compact takes out what records left behind, unless the file needs repair.
func (r *recompressor) compact(w *work) error {
	if w.file.damaged() {
		return nil
	}
	raw, err := r.s.Raw(w.file.Dim, w.file.Kind)
	if err != nil {
		return err
	}
	if err := raw.Compact(w.file.Pos); !errors.Is(err, region.ErrNeedsRepair) {
		return err
	}
	return nil
}

// inPieces compresses and writes a file that is too large to be held.
func (r *recompressor) inPieces(ctx context.Context, w *work) error {
	coders := newCoders(r.s, &r.o)
	w.counts.after = w.file.Bytes
	expected := int64(0)
	var slots []region.Slot
	for _, slot := range w.slots {
		if w.picked[slot] {
			slots = append(slots, slot)
		}
	}
	replaced := int64(0)
	for len(slots) > 0 {
		some := slots[:min(maxWrites, len(slots))]
		slots = slots[len(some):]
		items, err := w.packSlots(ctx, coders, some, false, r.progress)
		if err != nil {
			return err
		}
		w.items = items
		before, after := w.counts.SectorsBefore, w.counts.SectorsAfter
		w.tally()
		expected += (w.counts.SectorsAfter - after) - (w.counts.SectorsBefore - before)
		if r.o.DryRun || w.counts.Replaced == replaced {
			continue
		}
		replaced = w.counts.Replaced
		if err := r.inPlace(ctx, w, items); err != nil {
			return err
		}
	}
	switch {
	case r.o.DryRun && w.counts.Replaced > 0:
		w.counts.after = w.file.Dense + expected
		return nil
	case replaced == 0:
		return nil
	}
	if err := r.compact(w); err != nil {
		return err
	}
	return r.measure(w)
}

// tally counts items.
func (w *work) tally() {
	c := &w.counts
	for _, it := range w.items {
		if !it.picked {
			continue
		}
		c.Records++
		if it.unreadable || it.damaged {
			c.Damaged++
			continue
		}
		if it.err != nil {
			c.Failed = append(c.Failed, failure(w.file.Path, fmt.Errorf("chunk %v: %w", w.file.Pos.Chunk(it.slot), it.err)))
		}
		payload, sectors := recordBytes(it.before)
		c.PayloadBefore, c.SectorsBefore = c.PayloadBefore+payload, c.SectorsBefore+sectors
		size := it.before
		if it.replaced {
			size = len(it.data)
			c.Replaced++
			if it.external && isExternal(size) {
				c.External++
			}
		} else {
			c.Unchanged++
		}
		if it.external {
			c.BytesBefore += int64(it.before)
		}
		if isExternal(size) {
			c.BytesAfter += int64(size)
		}
		payload, sectors = recordBytes(size)
		c.PayloadAfter, c.SectorsAfter = c.PayloadAfter+payload, c.SectorsAfter+sectors
	}
}
