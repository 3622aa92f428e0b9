package fsck

import (
	"fmt"
	"path/filepath"

	"strata/anvil/scan"
	"strata/anvil/store"
	"strata/region"
)

// duplicates looks at the slots where misplaced chunks belong: what is there as
// well is a duplicate.
func (c *check) duplicates() {
	var last *region.Header
	var lastPath string
	for _, m := range c.report.leads.misplaced {
		dir := c.dir(m.dim, m.kind)
		path := filepath.Join(dir, m.says.Region().Name())
		if path != lastPath {
			lastPath = path
			last, _ = readHeader(c.fs, path)
		}
		if last == nil || last.Entry(m.says.Slot()).Empty() {
			continue
		}
		f := Finding{
			Class: DuplicateChunk, path: filepath.Join(dir, m.pos.Region().Name()), Dimension: m.dim, Kind: m.kind.String(), kind: m.kind,
			Detail: fmt.Sprintf("chunk %v is here and in its own place", m.says),
		}
		f.setChunk(m.pos)
		c.find(f)
	}
}

func (c *check) dir(dim string, k store.Kind) string {
	d, err := c.w.Dimension(dim)
	if err != nil {
		return ""
	}
	return dirOf(&d, k)
}

// withoutChunks looks for entities and points of interest of chunks that are
// not there.
func (c *check) withoutChunks(files []scan.File) {
	for _, f := range files {
		if f.Kind == store.Chunks || f.Bytes == 0 {
			continue
		}
		here, err := readHeader(c.fs, f.Path)
		if err != nil {
			continue
		}
		chunks, err := readHeader(c.fs, filepath.Join(c.dir(f.Dimension, store.Chunks), f.Pos.Name()))
		if err != nil {
			chunks = new(region.Header)
		}
		n, first := 0, region.ChunkPos{}
		for s := range region.Slot(region.Slots) {
			if !here.Entry(s).Empty() && chunks.Entry(s).Empty() {
				if n++; n == 1 {
					first = f.Pos.Chunk(s)
				}
			}
		}
		if n > 0 {
			c.find(Finding{
				Class: NoChunk, path: f.Path, Dimension: f.Dimension, Kind: f.Kind.String(), kind: f.Kind, Count: n,
				Detail: fmt.Sprintf("%v is not among the chunks%s", first, more(n-1)),
			})
		}
	}
}

// maxUUIDs bounds the UUIDs of a dimension that are compared: 24 MB of memory.
const maxUUIDs = 1 << 20

// uuids are the UUIDs of a dimension's entities, the first maxUUIDs of them.
type uuids struct {
	seen map[uint64]struct{ x, z int32 } // by half of the UUID, which is random
	full bool
}

// entityIDs looks for UUIDs that other entities have.
func (c *check) entityIDs(f scan.File, ids []entityID) {
	u := c.uuids[f.Dimension]
	if u == nil {
		u = &uuids{seen: map[uint64]struct{ x, z int32 }{}}
		c.uuids[f.Dimension] = u
	}
	for _, one := range ids {
		key := fold(one.id)
		at, twice := u.seen[key]
		switch {
		case twice:
			other := region.ChunkPos{X: at.x, Z: at.z}
			d := Finding{
				Class: DuplicateUUID, path: f.Path, Dimension: f.Dimension, Kind: f.Kind.String(), kind: f.Kind,
				Detail: fmt.Sprintf("%x-%x-%x-%x-%x is in chunk %v as well", one.id[:4], one.id[4:6], one.id[6:8], one.id[8:10], one.id[10:], other),
			}
			d.setChunk(one.pos)
			c.find(d)
		case len(u.seen) < maxUUIDs:
			u.seen[key] = struct{ x, z int32 }{one.pos.X, one.pos.Z}
		case !u.full:
			u.full = true
			c.find(Finding{
				Class: NotModelled, path: f.Path, Dimension: f.Dimension,
				Detail: fmt.Sprintf("UUIDs of more than %d entities are not compared", maxUUIDs),
			})
		}
	}
}

// fold makes 64 bits of a UUID. Six bits of it are always the same; the rest of
// a random one is 122.
func fold(id [16]byte) uint64 {
	var a, b uint64
	for i := range 8 {
		a, b = a<<8|uint64(id[i]), b<<8|uint64(id[8+i])
	}
	return a ^ (b<<23 | b>>41)
}
