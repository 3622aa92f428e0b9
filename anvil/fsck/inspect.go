package fsck

import (
	"fmt"
	"sync"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/nbt"
	"strata/region"
)

// rules are what chunks of a dimension's folder have to keep to.
type rules struct {
	kind    store.Kind
	world   int32 // data version of the world, 0 if it has none
	height  anvil.Height
	bounded bool // the heights are known
	tables  *tables
}

// tables number block states and biomes of all chunks that are looked at. A
// world with more names than they take gets new ones; none are kept.
type tables struct {
	mu  sync.Mutex
	now *chunk.Tables
}

func newTables() *tables { return &tables{now: chunk.NewTables()} }

func (t *tables) get() *chunk.Tables {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.now
}

func (t *tables) renew(full *chunk.Tables) *chunk.Tables {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.now == full {
		t.now = chunk.NewTables()
	}
	return t.now
}

// note is something about the content of one chunk.
type note struct {
	pos    region.ChunkPos // of the slot
	class  Class
	detail string
}

// placed is a chunk that says that it belongs elsewhere.
type placed struct{ slot, says region.ChunkPos }

// inspector looks at the content of chunks: those of one file, in one goroutine.
type inspector struct {
	rules
	tape    nbt.Tape
	decoder *chunk.Decoder
	has     *chunk.Tables // of decoder

	notes     []note
	elsewhere []placed
	ids       []entityID
}

func newInspector(r rules) *inspector {
	i := &inspector{rules: r, has: r.tables.get()}
	i.decoder = chunk.NewDecoder(i.has)
	return i
}

// begin forgets what was found, or would have been, in other files.
func (i *inspector) begin() {
	i.notes, i.elsewhere, i.ids = i.notes[:0], i.elsewhere[:0], i.ids[:0]
}

func (i *inspector) note(pos region.ChunkPos, class Class, format string, args ...any) {
	i.notes = append(i.notes, note{pos, class, fmt.Sprintf(format, args...)})
}

// inspect is region.Inspect. The error is that of something that is no NBT;
// everything else about the content is noted. It may be called several times
// for one slot, of which the last one counts.
func (i *inspector) inspect(pos region.ChunkPos, data []byte) (region.Inspection, error) {
	for n := len(i.notes); n > 0 && i.notes[n-1].pos == pos; n-- {
		i.notes = i.notes[:n-1]
	}
	for n := len(i.elsewhere); n > 0 && i.elsewhere[n-1].slot == pos; n-- {
		i.elsewhere = i.elsewhere[:n-1]
	}
	for n := len(i.ids); n > 0 && i.ids[n-1].pos == pos; n-- {
		i.ids = i.ids[:n-1]
	}
	var in region.Inspection
	var err error
	switch i.kind {
	case store.Entities:
		in, err = i.entities(pos, data)
	case store.POI:
		in, err = i.poi(pos, data)
	default:
		in, err = i.chunk(pos, data)
	}
	if err == nil && in.HasPosition && in.Position != pos {
		i.elsewhere = append(i.elsewhere, placed{pos, in.Position})
	}
	return in, err
}

// version notes a chunk that is newer than its world.
func (i *inspector) version(pos region.ChunkPos, version int32) {
	if i.world > 0 && version > i.world {
		i.note(pos, NewerThanWorld, "%s in a world of %s", anvil.Describe(version), anvil.Describe(i.world))
	}
}

// worst is the highest severity of what was noted of a slot.
func (i *inspector) worst(pos region.ChunkPos) (w Severity, detail string) {
	for _, n := range i.notes {
		if s := severityOf(n.class); n.pos == pos && s > w {
			w, detail = s, fmt.Sprintf("%s: %s", n.class, n.detail)
		}
	}
	return w, detail
}

// inspectors are kept from one file to the next: their buffers are worth it.
type inspectors struct {
	mu   sync.Mutex
	free []*inspector
}

func (p *inspectors) get(r rules) *inspector {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n > 0 {
		i := p.free[n-1]
		p.free = p.free[:n-1]
		i.rules = r
		return i
	}
	return newInspector(r)
}

func (p *inspectors) put(i *inspector) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, i)
}
