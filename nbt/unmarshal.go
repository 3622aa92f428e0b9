package nbt

import "reflect"

// Unmarshaler is a type that reads a tag itself. The payload is whole and
// checked, but a view: what is kept of it must be copied.
type Unmarshaler interface {
	UnmarshalNBT(r Raw) error
}

// RawMember is one member of a compound as it stands in a document.
type RawMember struct {
	Name  string
	Value Raw
}

var rawMembersType = reflect.TypeFor[[]RawMember]()

// Unmarshal decodes the document at the start of data, in the form that files
// have, into what v points to. What follows the document is left alone, and so
// is the root's name.
//
// Tags go into Go types as follows; anything else is a [*TypeError].
//
//   - Numbers: an integer takes a byte, short, int or long whose value fits; an
//     unsigned one takes the bits of a tag of its own width. A bool takes an
//     integer and is true unless that is 0. A float takes any number and may
//     round it.
//   - A string takes a string, as does an [encoding.TextUnmarshaler].
//   - A slice of 8, 32 or 64-bit integers takes the array of that width, or a
//     list of integers that fit; all other slices take lists. An array of Go
//     does the same and must have the length of the tag.
//   - A struct and a map whose keys are strings take compounds, as described at
//     [Marshal]. A pointer takes what it points to.
//   - An any takes everything, in the generic form of [Compound] and [List].
//     A [Raw] takes everything as it stands, an [Unmarshaler] what it wants.
//
// Names must be equal in every letter. Members without a field are skipped,
// fields without a member keep their value, maps keep their other members. Of
// two members with one name the last one counts; in a field that is a struct or
// map it is decoded over the other. Slices, also where a name repeats, are
// decoded into the memory they have if there is enough, their elements emptied
// first; whoever wants to keep an old value takes a new target. Nothing in v
// points into data.
//
// Small copies of raw tags may share a block of 2 KiB, and short strings that
// are equal share memory. After an error v holds what was decoded before it.
// Damaged input is a [*SyntaxError], an unusable v a [*TypeError].
func Unmarshal(data []byte, v any) error { return new(Decoder).Unmarshal(data, v) }

// UnmarshalNetwork is [Unmarshal] for the form that the protocol has since
// version 764 (1.20.2). A root of type End stands for no tag: it makes an any
// nil and leaves everything else as it is.
func UnmarshalNetwork(data []byte, v any) error { return new(Decoder).UnmarshalNetwork(data, v) }

// Decode decodes the tag into what v points to, as [Unmarshal] does. The path
// in an error begins at the tag. Of a tag that does not exist it is as
// [UnmarshalNetwork] of none.
func (t Tag) Decode(v any) error {
	d := Decoder{Limits: Limits{MaxDepth, MaxBytes, MaxTags}} // the tape checked narrower ones
	if !t.Exists() {
		return d.decode(nil, 0, 0, TypeEnd, v)
	}
	return d.decode(t.tape.data, int(t.off), int(t.off), t.kind, v)
}

// Decode decodes the payload into what v points to, as [Unmarshal] does.
// Offset and path in an error begin at the payload.
func (r Raw) Decode(v any) error { return new(Decoder).Decode(r, v) }

// Decoder decodes documents with limits and options of its own. The zero value
// does what [Unmarshal] does. It holds no state: any number of goroutines may
// use one.
type Decoder struct {
	// Limits of the documents. Limits.Tags counts the tags that are decoded,
	// not those skipped over. An element of a list takes one byte of a document
	// at least, and as much memory as its Go type, which Limits.Tags bounds.
	Limits Limits
	// Views makes byte slices and Raw point into the document where they can,
	// instead of being copies. The document must then not change while they are
	// in use, nor may they be decoded into again.
	Views bool
	// Strict makes a member without a field an error, ErrUnknown, in structs
	// that have no field for the rest.
	Strict bool
}

// Unmarshal is [Unmarshal] with the decoder's limits and options.
func (o *Decoder) Unmarshal(data []byte, v any) error { return o.document(data, true, v) }

// UnmarshalNetwork is [UnmarshalNetwork] with the decoder's limits and options.
func (o *Decoder) UnmarshalNetwork(data []byte, v any) error { return o.document(data, false, v) }

// Decode is [Raw.Decode] with the decoder's limits and options.
func (o *Decoder) Decode(r Raw, v any) error {
	if !r.Type.Valid() {
		return &SyntaxError{Err: ErrType}
	}
	return o.decode(r.Data, 0, 0, r.Type, v)
}

func (o *Decoder) document(data []byte, rooted bool, v any) error {
	limits, err := o.Limits.withDefaults()
	if err != nil {
		return err
	}
	pos, kind, fault := rootHeader(data[:min(len(data), limits.Bytes)], rooted)
	if fault != nil {
		return fault.cutAt(len(data) > limits.Bytes)
	}
	warm(data)
	return o.decode(data, 0, pos, kind, v)
}

// decode decodes the payload at pos of a root that begins at at into what v
// points to.
func (o *Decoder) decode(data []byte, at, pos int, kind Type, v any) error {
	limits, err := o.Limits.withDefaults()
	if err != nil {
		return err
	}
	target := reflect.ValueOf(v)
	if target.Kind() != reflect.Pointer || target.IsNil() {
		return &TypeError{Offset: -1, GoType: reflect.TypeOf(v), Err: ErrTarget}
	}
	pl, err := planOf(target.Type().Elem())
	if err != nil {
		return &TypeError{Offset: -1, GoType: target.Type().Elem(), Err: err}
	}
	if kind == TypeEnd {
		if a, ok := v.(*any); ok {
			*a = nil
		}
		return nil
	}
	cut := len(data) > limits.Bytes
	if cut {
		data = data[:limits.Bytes] // what is beyond may not belong to the document
	}
	// The root has an entry on a tape, too.
	limits.Tags--
	d := newReader(data, limits)
	defer d.release()
	d.views, d.strict = o.Views, o.Strict
	if pl.decode(pl, d, pos, kind, target.UnsafePointer()) >= 0 {
		return nil
	}
	return sizeError(d.failure(at), cut)
}

// sizeError makes an end of the document that a limit caused ErrSize.
func sizeError(err error, cut bool) error {
	if fault, ok := err.(*SyntaxError); ok && cut && fault.Err == ErrTruncated { //nolint:errorlint // made here
		fault.Err = ErrSize
	}
	return err
}
