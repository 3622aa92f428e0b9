package level

import (
	"bytes"
	"fmt"
	"math"

	"strata/nbt"
)

// Limits of a data file. The largest in public worlds is a map, 25 KB, or a
// level.dat with the registries of many mods, some MB.
const (
	MaxFile     = 64 << 20  // bytes as they lie on the disk
	MaxDocument = 256 << 20 // bytes inflated
	MaxTags     = 1 << 23
)

var limits = nbt.Limits{Bytes: MaxDocument, Tags: MaxTags}

// Document is the content of a data file. It does not change, and may be read
// by any number of goroutines; tags taken from it are views that stay good.
type Document struct {
	tape nbt.Tape
	how  nbt.Compression
}

// ParseDocument reads the bytes of a file, compressed or not. An uncompressed
// document is kept, not copied. The error wraps ErrDamaged, or ErrShape if the
// root is no compound.
func ParseDocument(file []byte) (*Document, error) {
	data, how, err := nbt.Unpack(file, limits)
	if err != nil {
		return nil, damaged(err)
	}
	return index(data, how)
}

func index(data []byte, how nbt.Compression) (*Document, error) {
	d := &Document{how: how}
	d.tape.Limits = limits
	if err := d.tape.Parse(data); err != nil {
		return nil, damaged(err)
	}
	if d.Root().Type() != nbt.TypeCompound {
		return nil, fmt.Errorf("%w: the root is a %v", ErrShape, d.Root().Type())
	}
	return d, nil
}

// NewDocument returns a gzipped data file {data: content, DataVersion: version}
// as the game writes them since 1.13. Content is anything that nbt.Marshal
// makes a compound of.
func NewDocument(content any, dataVersion int32) (*Document, error) {
	return newDocument(struct {
		Data        any   `nbt:"data"`
		DataVersion int32 `nbt:"DataVersion"`
	}{content, dataVersion})
}

func newDocument(root any) (*Document, error) {
	data, err := nbt.Marshal(root)
	if err != nil {
		return nil, err
	}
	return index(data, nbt.Gzip)
}

// Root returns the root compound.
func (d *Document) Root() nbt.Tag { return d.tape.Root() }

// Bytes returns the document uncompressed, a view.
func (d *Document) Bytes() []byte { return d.tape.Data()[:d.tape.Size()] }

// Compression returns how the file is compressed.
func (d *Document) Compression() nbt.Compression { return d.how }

// Pack returns the document as the bytes of a file, compressed as it was.
func (d *Document) Pack() ([]byte, error) { return nbt.Pack(nil, d.Bytes(), d.how) }

// contentNames are where files keep their content: level.dat in Data, the
// others in data. Older ones, such as idcounts.dat before 1.13, have it at the
// root, as players do.
var contentNames = [...]string{"data", "Data"}

// Content returns the compound that holds the content proper, the root if
// there is no other.
func (d *Document) Content() nbt.Tag {
	for _, name := range contentNames {
		if tag := d.Root().Get(name); tag.Type() == nbt.TypeCompound {
			return tag
		}
	}
	return d.Root()
}

// DataVersion returns the version of the game that wrote the document, 0 if it
// has none, as before 15w32a (1.9).
func (d *Document) DataVersion() int32 {
	if v := dataVersion(d.Root()); v != 0 {
		return v
	}
	return dataVersion(d.Content())
}

func dataVersion(compound nbt.Tag) int32 {
	v, ok := compound.Get("DataVersion").Int()
	if !ok || v < 0 || v > math.MaxInt32 {
		return 0
	}
	return int32(v)
}

// Decode reads the content into v as nbt.Unmarshal does. The error wraps
// ErrShape.
func (d *Document) Decode(v any) error { return decode(d.Content(), v) }

func decode(tag nbt.Tag, v any) error {
	if tag.Type() != nbt.TypeCompound {
		return fmt.Errorf("%w: %v where a compound should be", ErrShape, tag.Type())
	}
	decoder := nbt.Decoder{Limits: limits}
	if err := decoder.Decode(tag.Raw(), v); err != nil {
		return fmt.Errorf("%w: %w", ErrShape, err)
	}
	return nil
}

// With returns a document whose content has the members that nbt.Marshal makes
// of v, a struct or a map: compounds are merged, all else is replaced, and what
// v does not have stays. If nothing differs it is d.
func (d *Document) With(v any) (*Document, error) { return d.merge(d.Content(), v) }

// Merge is With for the compound that path leads to from the root, which must
// be there: ErrShape.
func (d *Document) Merge(v any, path ...string) (*Document, error) {
	at := d.Root()
	for _, name := range path {
		at = at.Get(name)
	}
	return d.merge(at, v)
}

func (d *Document) merge(at nbt.Tag, v any) (*Document, error) {
	raw, err := nbt.MarshalRaw(v)
	if err != nil {
		return nil, err
	}
	if raw.Type != nbt.TypeCompound || at.Type() != nbt.TypeCompound {
		return nil, fmt.Errorf("%w: %T into a tag of type %v", ErrShape, v, at.Type())
	}
	from, err := parseRaw(raw)
	if err != nil {
		return nil, err
	}
	e := d.tape.Edit()
	if !merge(e, at, from.Root()) {
		return d, nil
	}
	return d.apply(e)
}

// parseRaw makes a document of a compound.
func parseRaw(raw nbt.Raw) (*Document, error) {
	return index(append([]byte{byte(nbt.TypeCompound), 0, 0}, raw.Data...), nbt.Uncompressed)
}

// merge sets the members of from in to, and reports whether any differed.
func merge(e *nbt.Edit, to, from nbt.Tag) (differs bool) {
	for name, value := range from.Members() {
		old := to.GetBytes(name)
		switch {
		case old.Type() == nbt.TypeCompound && value.Type() == nbt.TypeCompound:
			differs = merge(e, old, value) || differs
		case !same(old, value.Raw()):
			e.Set(to, string(nbt.AppendUTF8(nil, name)), value.Raw())
			differs = true
		}
	}
	return differs
}

func same(tag nbt.Tag, value nbt.Raw) bool {
	return tag.Exists() && tag.Type() == value.Type && bytes.Equal(tag.Raw().Data, value.Data)
}

// mixedListsVersion is the first data version in which lists hold elements of
// several types (1.21.5).
const mixedListsVersion = 4325

// Edit returns the document with the edits that change makes. Lists may come to
// hold several types where the game of the document's data version, or of none,
// has such. Nothing changed gives the same document.
func (d *Document) Edit(change func(e *nbt.Edit, root nbt.Tag) error) (*Document, error) {
	edit := d.tape.Edit()
	edit.Mixed = d.DataVersion() == 0 || d.DataVersion() >= mixedListsVersion
	if err := change(edit, d.Root()); err != nil {
		return nil, err
	}
	return d.apply(edit)
}

func (d *Document) apply(e *nbt.Edit) (*Document, error) {
	data, err := e.AppendTo(nil)
	if err != nil {
		return nil, err
	}
	return index(data, d.how)
}

// Set returns a document in which the member that path leads to from the root
// has the value that nbt.Marshal makes of v, as a whole. Compounds that path
// needs and that are absent are added. The error wraps ErrShape if path leads
// through something else.
func (d *Document) Set(v any, path ...string) (*Document, error) {
	value, err := nbt.MarshalRaw(v)
	if err != nil {
		return nil, err
	}
	at := d.Root()
	for len(path) > 1 && at.Get(path[0]).Exists() {
		at, path = at.Get(path[0]), path[1:]
	}
	if len(path) == 0 || at.Type() != nbt.TypeCompound {
		return nil, fmt.Errorf("%w: no compound to set a member of", ErrShape)
	}
	for len(path) > 1 {
		last := len(path) - 1
		value, err = nbt.MarshalRaw(map[string]nbt.Raw{path[last]: value})
		if err != nil {
			return nil, err
		}
		path = path[:last]
	}
	if same(at.Get(path[0]), value) {
		return d, nil
	}
	e := d.tape.Edit()
	e.Set(at, path[0], value)
	return d.apply(e)
}

// Without returns a document that has no member where path leads from the
// root; d if there is none now.
func (d *Document) Without(path ...string) (*Document, error) {
	at := d.Root()
	for len(path) > 1 {
		at, path = at.Get(path[0]), path[1:]
	}
	if len(path) == 0 || !at.Get(path[0]).Exists() {
		return d, nil
	}
	e := d.tape.Edit()
	e.RemoveMember(at, path[0])
	return d.apply(e)
}
