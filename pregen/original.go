package pregen

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"

	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/pregen/plan"
	"strata/pregen/spool"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// originalsFolder is where originals are, beside the spools of the dimension.
const originalsFolder = "before"

// originals are the chunks that the run has continued, as they were before it:
// what is decorated beside them later, after a kill perhaps, goes on from those.
// They are put down before a region's file is written, and go with the run.
type originals struct {
	d *dimension

	mu      sync.Mutex                  // guards what follows
	regions map[region.Pos]*spool.Spool // those that have some; nil is none
}

func newOriginals(d *dimension) *originals {
	return &originals{d: d, regions: make(map[region.Pos]*spool.Spool)}
}

func (o *originals) folder() string { return filepath.Join(o.d.spools, originalsFolder) }

// open returns the originals of a region, nil for none unless they are to be
// made. Called under mu.
func (o *originals) open(p region.Pos, create bool) (*spool.Spool, error) {
	s, ok := o.regions[p]
	if ok && (s != nil || !create) {
		return s, nil
	}
	if !create {
		_, err := o.d.r.fs.Stat(filepath.Join(o.folder(), spool.Name(p)))
		if errors.Is(err, fs.ErrNotExist) {
			o.regions[p] = nil
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
	} else if err := vfs.MkdirAllSync(o.d.r.fs, o.folder(), 0o755); err != nil {
		return nil, err
	}
	s, err := spool.Open(o.d.r.fs, o.folder(), o.d.r.file.ID, p)
	if err == nil {
		o.regions[p] = s
	}
	return s, err
}

// digest is that of the original of a slot, 0 if there is none.
func (o *originals) digest(p region.Pos, s region.Slot) (uint64, error) {
	if existed := o.d.existed[p]; !existed.Has(s) {
		return 0, nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	of, err := o.open(p, false)
	if err != nil || of == nil {
		return 0, err
	}
	_, _, digest := of.Has(s)
	return digest, nil
}

// load reads an original, nil if there is none.
func (o *originals) load(c region.ChunkPos) (*chunk.Chunk, error) {
	digest, err := o.digest(c.Region(), c.Slot())
	if err != nil || digest == 0 {
		return nil, err
	}
	o.mu.Lock()
	v, err := o.regions[c.Region()].View()
	o.mu.Unlock()
	if err != nil {
		return nil, err
	}
	defer v.Close()
	r, err := v.Read(c.Slot(), spool.Chunk)
	if err != nil {
		return nil, fmt.Errorf("chunk %v as it was: %w", c, err)
	}
	var dec codec.Decoder
	rec := region.Record{Scheme: r.Scheme, Data: r.Data}
	data, err := rec.AppendDecoded(&dec, nil, maxChunk)
	if err != nil {
		return nil, err
	}
	return chunk.NewDecoder(o.d.r.tables).Decode(data)
}

// keep puts down the chunks of slots as the world has them, durable. Those that
// are there stay.
func (o *originals) keep(p region.Pos, slots plan.Mask, base map[region.Slot]uint64) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	var to *spool.Spool
	var buf []byte
	for s := range region.Slot(region.Slots) {
		if !slots.Has(s) {
			continue
		}
		rec, err := o.d.raw[store.Chunks].Read(p.Chunk(s), buf)
		if errors.Is(err, store.ErrAbsent) {
			continue
		}
		if err != nil {
			return err
		}
		buf = rec.Buffer()
		digest := spool.Digest(rec.Scheme, rec.Data)
		if digest != base[s] {
			continue // it is the one that the run has made
		}
		if to == nil {
			if to, err = o.open(p, true); err != nil {
				return err
			}
		}
		if done, _, _ := to.Has(s); done {
			continue
		}
		r := spool.Record{Kind: spool.Chunk, Slot: s, Scheme: rec.Scheme, Base: digest, Data: bytes.Clone(rec.Data)}
		if err := to.Append(r); err != nil {
			return err
		}
	}
	if to == nil {
		return nil
	}
	return to.Flush()
}

// original is the digest of what a slot had before the run, if the run has put
// something in its place; 0 otherwise. What cannot be read shows when it is
// needed.
func (d *dimension) original(p region.Pos, s region.Slot) uint64 {
	digest, err := d.originals.digest(p, s)
	if err != nil {
		return 0
	}
	return digest
}
