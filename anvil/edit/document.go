package edit

import (
	"fmt"

	"strata/anvil/store"
	"strata/nbt"
	"strata/region"
	"strata/region/codec"
)

// maxDocument is the largest document that is edited, inflated.
const maxDocument = 256 << 20

// record is a record that is being edited: what was read, and what it becomes.
type record struct {
	ref       store.Ref
	dimension string
	rec       region.Record // as it was read

	data    []byte // the document
	tape    nbt.Tape
	edit    *nbt.Edit
	version int32

	changed bool // data is another one than was read
	remove  bool // the record is to be deleted
	scheme  codec.Scheme
	stamp   *uint32 // a timestamp to set

	// What a field has done that others have to follow.
	blocks  bool // blocks are other ones: heightmaps, light and poi are wrong
	heights bool // heightmaps are to be computed
}

// parse takes a document.
func (r *record) parse(data []byte) error {
	r.data = data
	r.tape.Limits = nbt.Limits{Bytes: maxDocument}
	if err := r.tape.Parse(data); err != nil {
		return fmt.Errorf("%w: %w", ErrShape, err)
	}
	if r.tape.Root().Type() != nbt.TypeCompound {
		return fmt.Errorf("%w: the root is a %v", ErrShape, r.tape.Root().Type())
	}
	v, _ := r.tape.Root().Get("DataVersion").Int()
	r.version = int32(v)
	r.edit = nil
	return nil
}

// level is where the content of a chunk is: the compound Level before 1.18.
func (r *record) level() nbt.Tag {
	root := r.tape.Root()
	if level := root.Get("Level"); level.Type() == nbt.TypeCompound {
		return level
	}
	return root
}

// rootForm reports whether the chunk is in the form since 1.18: no compound
// Level, names in lower case.
func (r *record) rootForm() bool { return !r.tape.Root().Get("Level").Exists() }

// e is the edit of the document as it is parsed.
func (r *record) e() *nbt.Edit {
	if r.edit == nil {
		r.edit = r.tape.Edit()
	}
	return r.edit
}

// apply makes pending edits the document.
func (r *record) apply() error {
	if r.edit == nil {
		return nil
	}
	out, err := r.edit.AppendTo(nil)
	if err != nil {
		return err
	}
	if string(out) == string(r.data) {
		r.edit = nil
		return nil
	}
	r.changed = true
	return r.parse(out)
}

// set sets a member of a compound, unless it has that very value.
func (r *record) set(compound nbt.Tag, name string, value nbt.Raw) {
	old := compound.Get(name)
	if raw := old.Raw(); old.Exists() && raw.Type == value.Type && string(raw.Data) == string(value.Data) {
		return
	}
	r.e().Set(compound, name, value)
}

// drop removes a member of a compound if it is there.
func (r *record) drop(compound nbt.Tag, name string) {
	if compound.Get(name).Exists() {
		r.e().RemoveMember(compound, name)
	}
}

// position is where a document says that it is; ok is false if it does not say.
func position(root nbt.Tag, kind store.Kind) (pos region.ChunkPos, ok bool) {
	switch kind {
	case store.POI:
		return pos, false
	case store.Entities:
		list, isInts := root.Get("Position").IntArray()
		if !isInts || list.Len() != 2 {
			return pos, false
		}
		return region.ChunkPos{X: list.At(0), Z: list.At(1)}, true
	}
	if level := root.Get("Level"); level.Type() == nbt.TypeCompound {
		root = level
	}
	x, xOK := root.Get("xPos").Int()
	z, zOK := root.Get("zPos").Int()
	return region.ChunkPos{X: int32(x), Z: int32(z)}, xOK && zOK
}

// place is what a document said of its place and version before it was changed.
type place struct {
	pos     region.ChunkPos
	ok      bool
	version int32
}

func placeOf(r *record) place {
	pos, ok := position(r.tape.Root(), r.ref.Kind)
	return place{pos, ok, r.version}
}

// check refuses a change of the version, and one that would make a document say that it is elsewhere, or
// no longer where it is. One that was wrong may be put right.
func (p place) check(r *record) error {
	if r.remove || !r.changed {
		return nil
	}
	now := placeOf(r)
	if now.version != p.version {
		return fmt.Errorf("%w: DataVersion is not set, the game converts chunks", ErrVersion)
	}
	if now == p || now.ok && now.pos == r.ref.Pos {
		return nil
	}
	return fmt.Errorf("%w: it would say another one than its place", ErrPosition)
}
