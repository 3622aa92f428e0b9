package pregen

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/nbt"
	"strata/pregen/plan"
	"strata/pregen/spool"
	"strata/region"
	"strata/region/codec"
)

// maxChunk bounds what a stored chunk is inflated to, in bytes.
const maxChunk = 256 << 20

// blendingVersion is the DataVersion of 1.18: the game blends new chunks with
// older ones, and with those that carry blending_data since.
const blendingVersion = 2860

// found is what the world has in a slot.
type found struct {
	absent bool
	// err says why the chunk cannot be used, and so is never overwritten.
	err     error
	status  chunk.Status
	version int32
	digest  uint64 // of the payload, as in spools
	old     bool   // the game blends new chunks with it
}

// reading is the memory that reading of records needs.
type reading struct {
	dec    codec.Decoder
	record []byte
	data   []byte
}

var readings = sync.Pool{New: func() any { return new(reading) }}

// maxKept is how large a buffer may be to be kept for later, in bytes.
const maxKept = 4 << 20

func (b *reading) free() {
	if cap(b.record) > maxKept || cap(b.data) > maxKept {
		b.record, b.data = nil, nil
	}
	readings.Put(b)
}

// read returns the NBT of a stored record, which is good until the next read.
func (b *reading) read(raw *store.Raw, c region.ChunkPos) (data []byte, digest uint64, err error) {
	rec, err := raw.Read(c, b.record)
	if err != nil {
		return nil, 0, err
	}
	b.record = rec.Buffer()
	digest = spool.Digest(rec.Scheme, rec.Data)
	b.data, err = rec.AppendDecoded(&b.dec, b.data[:0], maxChunk)
	return b.data, digest, err
}

// look finds out what the world has in a slot. The error is one of the system,
// not of the chunk.
func (d *dimension) look(c region.ChunkPos, b *reading) found {
	data, digest, err := b.read(d.raw[store.Chunks], c)
	if errors.Is(err, store.ErrAbsent) {
		return found{absent: true}
	}
	f := found{digest: digest}
	if err != nil {
		f.err = fmt.Errorf("%w: %w", store.ErrUnreadable, err)
		return f
	}
	h, err := chunk.ReadHeader(data)
	if err != nil {
		f.err = fmt.Errorf("%w: %w", store.ErrUnreadable, err)
		return f
	}
	f.version, f.status = h.DataVersion, chunk.ParseStatus(h.Status)
	newest := min(d.r.store.Version(), anvil.NativeVersion)
	switch {
	case h.DataVersion > newest:
		f.err = &store.VersionError{Version: h.DataVersion, Max: newest}
	case !h.HasPos:
		f.err = fmt.Errorf("%w: it has no position", store.ErrUnreadable)
	case h.Pos != c:
		f.err = &store.PositionError{Says: h.Pos}
	case f.status == chunk.StatusUnknown && h.DataVersion >= chunk.MinDataVersion:
		f.err = fmt.Errorf("%w: status %q is unknown", store.ErrUnreadable, h.Status)
	}
	f.old = h.DataVersion < blendingVersion || hasBlending(data)
	return f
}

// usable says whether a chunk that is there needs more work, or why it cannot
// have it.
func (d *dimension) usable(f *found) (continued bool, err error) {
	switch {
	case f.err != nil:
		return false, f.err
	case f.status >= d.r.opts.Until || f.version < chunk.MinDataVersion:
		// Before 1.13 there were no proto-chunks in files.
		return false, nil
	case f.version < store.MinVersion:
		return false, &store.VersionError{Version: f.version, Min: store.MinVersion, Max: d.r.store.Version()}
	}
	return true, nil
}

func hasBlending(data []byte) bool {
	has := false
	err := nbt.ScanRoot(data, nbt.Limits{}, func(name []byte, value nbt.Raw) bool {
		has = string(name) == "blending_data" && value.Type == nbt.TypeCompound
		return !has
	})
	return err == nil && has
}

// load reads a chunk that is to be continued, or looked at.
func (d *dimension) load(c region.ChunkPos) (*chunk.Chunk, error) {
	b := readings.Get().(*reading)
	defer b.free()
	data, _, err := b.read(d.raw[store.Chunks], c)
	if err != nil {
		return nil, err
	}
	return chunk.NewDecoder(d.r.tables).Decode(data)
}

// loadStored is Batch.Stored.
func (d *dimension) loadStored(c region.ChunkPos) (*chunk.Chunk, error) {
	m := d.existed[c.Region()]
	if !m.Has(c.Slot()) {
		return nil, ErrNotStored
	}
	if stored, err := d.originals.load(c); stored != nil || err != nil {
		return stored, err
	}
	return d.load(c)
}

// touchable reports whether a chunk that is not to be finished may change all
// the same: one that is half made by what is decorated beside it, a finished one
// by its light.
func (d *dimension) touchable(f *found, existed bool) bool {
	switch {
	case f.version < store.MinVersion:
		return false
	case f.status >= chunk.StatusFull:
		return d.facts.Relights && existed
	}
	return d.facts.Rim > 0
}

// nearWork returns what of a region lies so near to chunks that are to be made
// that it may change.
func (d *dimension) nearWork(p region.Pos) (near plan.Mask) {
	if d.facts.Rim == 0 {
		return near
	}
	for z := int32(-1); z <= 1; z++ {
		for x := int32(-1); x <= 1; x++ {
			o := region.Pos{X: p.X + x, Z: p.Z + z}
			work := d.plan.Area().Mask(o)
			if !work.Empty() {
				facts := d.factsOf(o)
				work = work.Minus(facts.finished)
			}
			if !work.Empty() {
				near = near.Or(plan.Spread(work, -x, -z, d.reach()))
			}
		}
	}
	return near
}

// stored lists the chunks that the headers of a dimension's region files name,
// in the regions that keep lets pass.
func stored(raw *store.Raw, keep func(region.Pos) bool) (map[region.Pos]plan.Mask, error) {
	regions, err := raw.Regions()
	if err != nil {
		return nil, err
	}
	all := make(map[region.Pos]plan.Mask)
	for _, p := range regions {
		if !keep(p) {
			continue
		}
		h, err := raw.Header(p)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		var m plan.Mask
		for s := range region.Slot(region.Slots) {
			if !h.Entry(s).Empty() {
				m.Set(s)
			}
		}
		if !m.Empty() {
			all[p] = m
		}
	}
	return all, nil
}

// blendingRange is how many chunks away an old chunk is blended with (26.2:
// the game looks 27 quarter cells and 3 more far, which is 7 chunks).
const blendingRange = 7

// oldNear returns the slots of a region that lie within the range of old chunks
// which the world had before the run.
func (d *dimension) oldNear(p region.Pos) plan.Mask {
	var near plan.Mask
	for z := int32(-1); z <= 1; z++ {
		for x := int32(-1); x <= 1; x++ {
			o := region.Pos{X: p.X + x, Z: p.Z + z}
			old := d.oldIn(o)
			old.Slots(func(s region.Slot) {
				at := region.ChunkPos{X: x<<5 + int32(s&31), Z: z<<5 + int32(s>>5)}
				for nz := max(at.Z-blendingRange, 0); nz <= min(at.Z+blendingRange, 31); nz++ {
					for nx := max(at.X-blendingRange, 0); nx <= min(at.X+blendingRange, 31); nx++ {
						near.Set(region.Slot(nz<<5 | nx))
					}
				}
			})
		}
	}
	return near
}

// regionFacts is what there is in a region.
type regionFacts struct {
	// old is what the game blends new chunks with, of what the world had before
	// the run.
	old plan.Mask
	// finished is at the wanted status: of what the world had before the run, or
	// of what the run has made.
	finished plan.Mask
}

// oldIn returns the old chunks of a region.
func (d *dimension) oldIn(p region.Pos) plan.Mask {
	if existed := d.existed[p]; existed.Empty() {
		return plan.Mask{}
	}
	return d.factsOf(p).old
}

// factsOf looks at the chunks that a region has when it is first asked for.
// What is known of the last regions is kept.
func (d *dimension) factsOf(p region.Pos) (facts regionFacts) {
	d.factsMu.Lock()
	facts, ok := d.known[p]
	d.factsMu.Unlock()
	if ok {
		return facts
	}
	h, err := d.raw[store.Chunks].Header(p)
	if err != nil {
		h = new(region.Header) // what is wrong with it shows when it is read
	}
	var present plan.Mask
	for s := range region.Slot(region.Slots) {
		if !h.Entry(s).Empty() {
			present.Set(s)
		}
	}
	existed := d.existed[p]
	d.each(p, present, func(s region.Slot, f *found) {
		if f.err != nil || f.absent {
			return
		}
		if f.old && existed.Has(s) {
			facts.old.Set(s)
		}
		if f.status >= d.r.opts.Until && d.original(p, s) == 0 {
			facts.finished.Set(s)
		}
	})
	d.factsMu.Lock()
	defer d.factsMu.Unlock()
	if len(d.known) >= maxOld {
		clear(d.known)
	}
	d.known[p] = facts
	return facts
}

const maxOld = 4096

// each looks at slots of a region with as many goroutines as there are
// workers, and then calls f with them in their order.
func (d *dimension) each(p region.Pos, slots plan.Mask, f func(region.Slot, *found)) {
	var wg sync.WaitGroup
	var all [region.Slots]found
	next := make(chan region.Slot)
	for range min(d.r.opts.Workers, slots.Count()) {
		wg.Go(func() {
			b := readings.Get().(*reading)
			defer b.free()
			for s := range next {
				all[s] = d.look(p.Chunk(s), b)
			}
		})
	}
	slots.Slots(func(s region.Slot) { next <- s })
	close(next)
	wg.Wait()
	slots.Slots(func(s region.Slot) { f(s, &all[s]) })
}
