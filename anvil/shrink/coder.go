package shrink

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"strata/anvil/store"
	"strata/region"
	"strata/region/codec"
)

// maxDocument is the largest document that is compressed anew.
const maxDocument = 256 << 20

// maxScratch is the largest buffer that is kept for the next record.
const maxScratch = 16 << 20

// errVerify says that what was compressed does not inflate to what it was: a bug,
// or bad memory. The record stays as it is.
var errVerify = errors.New("compressed again, it does not inflate to the same document")

// item is a record of a file, and what becomes of it.
type item struct {
	slot     region.Slot
	old      region.Entry
	picked   bool
	external bool // it lies in a file of its own
	// unreadable: there is no record to write anew. damaged: the document cannot be
	// inflated. err is why.
	unreadable bool
	damaged    bool
	err        error
	// replaced: scheme and data are new ones, verified; otherwise they are what
	// there is.
	replaced bool
	scheme   codec.Scheme
	data     []byte
	before   int // bytes of the old stream
}

// coder is the memory of one worker.
type coder struct {
	o        *RecompressOptions
	encoders map[codec.Scheme]*codec.Encoder
	decoder  codec.Decoder
	check    codec.Decoder
	stream   []byte
	document []byte
	packed   []byte
	again    []byte
}

// coders lends coders to workers.
type coders struct {
	s    *store.Store
	o    *RecompressOptions
	free chan *coder
}

func newCoders(s *store.Store, o *RecompressOptions) *coders {
	c := &coders{s, o, make(chan *coder, workersOr(o.Workers))}
	for range cap(c.free) {
		c.free <- &coder{o: o, encoders: map[codec.Scheme]*codec.Encoder{}}
	}
	return c
}

func (c *coder) encoder(scheme codec.Scheme) (*codec.Encoder, error) {
	if e := c.encoders[scheme]; e != nil {
		return e, nil
	}
	e, err := codec.NewEncoder(scheme, c.o.Level)
	if err == nil {
		c.encoders[scheme] = e
	}
	return e, err
}

// do reads a record, and compresses it if it is picked. nil if it is gone. hold
// says that the record is needed even if it does not change.
func (c *coder) do(raw *store.Raw, pos region.ChunkPos, picked, hold bool) *item {
	rec, err := raw.Read(pos, c.stream)
	it := &item{slot: pos.Slot(), old: rec.Entry, picked: picked, external: rec.External, scheme: rec.Scheme, before: len(rec.Data)}
	switch {
	case errors.Is(err, store.ErrAbsent):
		return nil
	case err != nil:
		it.unreadable, it.err = true, err
		return it
	}
	c.stream = kept(rec.Buffer())
	if picked {
		c.pack(it, &rec)
	}
	if hold && !it.replaced {
		it.data = slices.Clone(rec.Data)
	}
	return it
}

// pack compresses a record, if that is of use.
func (c *coder) pack(it *item, rec *region.Record) {
	document, err := rec.AppendDecoded(&c.decoder, c.document[:0], maxDocument)
	if err != nil {
		it.damaged, it.err = true, err
		return
	}
	c.document = kept(document)
	scheme := c.o.Scheme
	if it.err = c.encode(scheme, document); it.err != nil {
		return
	}
	if it.external && isExternal(len(c.packed)) && scheme != rec.Scheme {
		// Its stub and its file cannot be replaced in one step: see doc.go.
		scheme = rec.Scheme
		if it.err = c.encode(scheme, document); it.err != nil {
			return
		}
	}
	same := scheme == rec.Scheme && bytes.Equal(c.packed, rec.Data)
	switch {
	case same:
	case !it.external && isExternal(len(c.packed)):
	case scheme == rec.Scheme && len(c.packed) >= len(rec.Data) && !c.o.Always:
	default:
		it.replaced, it.scheme, it.data = true, scheme, slices.Clone(c.packed)
	}
}

// encode compresses a document to c.packed, and verifies that.
func (c *coder) encode(scheme codec.Scheme, document []byte) error {
	e, err := c.encoder(scheme)
	if err != nil {
		return err
	}
	packed, err := e.Append(c.packed[:0], document)
	if err != nil {
		return err
	}
	c.packed = packed
	again, err := c.check.Append(c.again[:0], scheme, packed, maxDocument)
	if err != nil {
		return fmt.Errorf("%w: %w", errVerify, err)
	}
	if !bytes.Equal(again, document) {
		return errVerify
	}
	c.again = kept(again)
	return nil
}

// kept is a buffer to use again, unless it is very large.
func kept(b []byte) []byte {
	if cap(b) > maxScratch {
		return nil
	}
	return b
}
