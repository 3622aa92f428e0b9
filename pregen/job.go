package pregen

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"

	"strata/anvil/store"
	"strata/pregen/plan"
	"strata/pregen/spool"
	"strata/region"
)

// job is a region that chunks are made for.
type job struct {
	d   *dimension
	pos region.Pos

	once  sync.Once
	err   error // of begin
	spool *spool.Spool
	// base is the digests of the stored chunks that are continued. Not changed
	// after begin.
	base map[region.Slot]uint64

	mu sync.Mutex // guards what follows
	// todo is what has to be made, and is not yet.
	todo plan.Mask
	// rim is what is only saved if it is touched: beside the area, or kept.
	rim plan.Mask
	// kept is what the area has at the wanted status already.
	kept plan.Mask
	// unsaved is the bytes that were appended and not flushed, as the saver
	// knows it.
	unsaved int64
	// size is what the region's file had when the job began.
	size int64
	// tiles is how many tiles of the region have not come yet.
	tiles int
	// state goes up.
	state jobState
	begun bool // the spool is open, and todo known
}

type jobState uint8

const (
	jobOpen      jobState = iota
	jobSubmitted          // all is made, the file has to be written
	jobDone
)

// begin finds out what there is to do.
func (j *job) begin() error {
	j.once.Do(func() {
		if err := j.scan(); err != nil {
			j.err = fmt.Errorf("region %v of %s: %w", j.pos, j.d.target.Dimension, err)
		}
	})
	return j.err
}

func (j *job) scan() error {
	d := j.d
	want, rim := d.plan.Masks(j.pos)
	all := want.Or(rim)
	var err error
	if j.spool, err = spool.Open(d.r.fs, d.spools, d.r.file.ID, j.pos); err != nil {
		return err
	}
	stored, err := j.header()
	if err != nil {
		return err
	}
	j.base = make(map[region.Slot]uint64)
	todo := all
	present := both(all, stored)
	v, err := j.spool.View()
	if err != nil {
		return err
	}
	defer v.Close()
	about := &scanning{view: v, want: want, rim: rim, near: d.nearWork(j.pos)}
	d.each(j.pos, present, func(s region.Slot, f *found) {
		if !j.needs(about, s, f) {
			todo.Clear(s)
		}
	})
	rim = rim.Or(about.kept)
	absent := all.Minus(present)
	absent.Slots(func(s region.Slot) {
		if done, made, _ := j.spool.Has(s); done {
			todo.Clear(s)
			j.seen(s, spoolState(rim.Has(s), made))
		}
	})
	if !d.r.opts.NoBlending {
		j.leaveBlended(&todo)
	}
	size := int64(0)
	if info, err := d.r.fs.Stat(filepath.Join(d.folder(store.Chunks), j.pos.Name())); err == nil {
		size = info.Size
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.size = size
	j.todo, j.rim, j.kept, j.begun = todo, rim, both(about.kept, want), true
	side := max(d.facts.Tile, 1)
	j.tiles = countTiles(&all, side)
	return nil
}

// spoolState is what a chunk is that an earlier process has finished.
func spoolState(rim, made bool) State {
	switch {
	case !rim:
		return Resumed
	case made:
		return Rim
	}
	return Planned // beside the area, and untouched
}

// header returns the slots that the region's file has.
func (j *job) header() (m plan.Mask, err error) {
	h, err := j.d.raw[store.Chunks].Header(j.pos)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, err
	}
	for s := range region.Slot(region.Slots) {
		if !h.Entry(s).Empty() {
			m.Set(s)
		}
	}
	return m, nil
}

// scanning is what a job knows while it looks at what there is.
type scanning struct {
	view            *spool.View
	want, rim, near plan.Mask
	kept            plan.Mask // found: at the wanted status, and may be touched
}

// needs decides about a chunk that the world has, and reports whether there is
// work to do on it.
func (j *job) needs(about *scanning, s region.Slot, f *found) bool {
	done, made, base := j.spool.Has(s)
	continued, err := j.d.usable(f)
	rim, existed := about.rim.Has(s), j.d.existed[j.pos]
	switch {
	case f.absent:
		// Gone since the header was read, or a header that lies: nothing is
		// put there unless it is really free.
		return !done
	case made && f.err == nil && (base == f.digest || spooled(about.view, s) == f.digest):
		// Finished, and not yet in the world; or in it, and the process was
		// killed before the spool went.
		j.seen(s, spoolState(rim, true))
		return false
	case done && !made && existed.Has(s):
		j.seen(s, unchanged(rim)) // there was nothing to change
		return false
	case done:
		// Another program has put a chunk there since, which wins.
		j.spool.Drop(s)
		j.d.r.opts.Events(Event{Kind: SpoolDropped, Dimension: j.d.target.Dimension, Region: j.pos, Pos: j.pos.Chunk(s)})
	}
	if original := j.d.original(j.pos, s); original != 0 && original != f.digest {
		j.seen(s, spoolState(rim, true)) // this run has put it there
		return false
	}
	if err == nil && about.near.Has(s) && j.d.touchable(f, existed.Has(s)) && (rim || !continued) {
		about.kept.Set(s)
		j.base[s] = f.digest
		return true
	}
	switch {
	case rim:
		return false // what is there stays
	case err != nil:
		j.fail(s, err)
		return false
	case continued:
		j.base[s] = f.digest
		return true
	case existed.Has(s):
		j.seen(s, Existing)
	default:
		j.seen(s, Resumed)
	}
	return false
}

// unchanged is what a chunk is that the run had nothing to change in.
func unchanged(rim bool) State {
	if rim {
		return Planned
	}
	return Existing
}

// spooled is the digest of the chunk in the spool, 0 if it cannot be read.
func spooled(v *spool.View, s region.Slot) uint64 {
	r, err := v.Read(s, spool.Chunk)
	if err != nil {
		return 0
	}
	return spool.Digest(r.Scheme, r.Data)
}

// leaveBlended takes out what the game would blend with old chunks nearby.
func (j *job) leaveBlended(todo *plan.Mask) {
	near := j.d.oldNear(j.pos)
	left := both(*todo, near)
	left.Slots(func(s region.Slot) {
		j.fail(s, ErrBlending)
		todo.Clear(s)
	})
}

func (j *job) seen(s region.Slot, state State) { j.d.r.count(j.d, j.pos.Chunk(s), state, 0) }

func (j *job) fail(s region.Slot, err error) { j.d.r.failed(j.d, j.pos.Chunk(s), err) }

// take returns what there is to do in a tile, which has come.
func (j *job) take(t *plan.Tile) (todo, rim plan.Mask) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.tiles--
	tile := t.Want.Or(t.Rim)
	return both(j.todo, tile), both(j.rim, tile)
}

// settle notes that there is nothing more to do about a chunk.
func (j *job) settle(s region.Slot) {
	j.mu.Lock()
	j.todo.Clear(s)
	j.mu.Unlock()
}

// advance reports whether all is made, once, so that the file is written.
func (j *job) advance() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.state != jobOpen || !j.todo.Empty() {
		return false
	}
	j.state = jobSubmitted
	return true
}

// finish notes that the file is written.
func (j *job) finish() {
	j.mu.Lock()
	j.state = jobDone
	j.mu.Unlock()
}

// over reports whether the job may be forgotten.
func (j *job) over() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.state == jobDone && j.tiles == 0
}

// both is what is in the one and the other.
func both(a, b plan.Mask) plan.Mask {
	for z := range a {
		a[z] &= b[z]
	}
	return a
}

// countTiles is how many tiles of a region have something of the mask.
func countTiles(m *plan.Mask, side int) int {
	n := 0
	for z := 0; z < 32; z += side {
		for x := 0; x < 32; x += side {
			columns := uint32((uint64(1)<<side - 1) << x)
			for row := z; row < z+side; row++ {
				if m[row]&columns != 0 {
					n++
					break
				}
			}
		}
	}
	return n
}

// append appends the records of a chunk to the spool, and returns how many
// bytes that is.
func (j *job) append(records []spool.Record) (int64, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	before := j.spool.Size()
	if err := j.spool.Append(records...); err != nil {
		return 0, err
	}
	n := j.spool.Size() - before
	j.unsaved += n
	return n, nil
}

// saved returns how many bytes have become durable since the last call, of
// which so many are left that have not.
func (j *job) saved(left int64) int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	n := max(j.unsaved-left, 0)
	j.unsaved -= n
	return n
}

// space is what the region's file may take: while it is written,
// beside the spool and the old file, and for good, when the spool is gone.
func (j *job) space() (whole, growth int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.begun || j.state == jobDone {
		return 0, 0
	}
	// Each record is filled up to whole sectors.
	growth = int64(j.spool.Chunks())*region.SectorBytes + region.HeaderBytes
	return j.spool.Size() + growth + j.size, growth
}
