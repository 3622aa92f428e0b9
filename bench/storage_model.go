package bench

import (
	"context"
	"errors"
	"fmt"

	"strata/anvil/chunk"
	"strata/region"
	"strata/region/codec"
)

// modelLoader gets chunks from a region file as programs work with them: read,
// inflated and decoded. It keeps all but the chunk from call to call.
type modelLoader struct {
	file     *region.File
	inflate  codec.Decoder
	decoder  *chunk.Decoder
	buf, out []byte
}

// load returns the chunk in a slot. Its document is in out until the next call.
func (l *modelLoader) load(slot region.Slot) (*chunk.Chunk, error) {
	out, rec, err := l.file.Decode(slot, &l.inflate, l.buf, l.out[:0])
	l.buf, l.out = rec.Buffer(), out
	if err != nil {
		return nil, err
	}
	return l.decoder.Decode(out)
}

// modelSaver writes chunks to a new region file: encoded, compressed in mode
// sector, and put. It keeps its memory from file to file.
type modelSaver struct {
	encoder      chunk.Encoder
	deflate      *codec.Encoder
	data, stream []byte
}

func newModelSaver() (*modelSaver, error) {
	deflate, err := codec.NewEncoder(codec.Zlib, codec.Sector)
	return &modelSaver{deflate: deflate}, err
}

// record returns the chunk's record, valid until the next call.
func (s *modelSaver) record(c *chunk.Chunk) (rec region.Record, err error) {
	if s.data, err = s.encoder.Encode(s.data[:0], c); err != nil {
		return rec, err
	}
	s.stream, err = s.deflate.Append(s.stream[:0], s.data)
	return region.Record{Scheme: codec.Zlib, Data: s.stream}, err
}

// model is what load and save have to come to.
type model struct {
	tables   *chunk.Tables
	records  []region.Record // of the chunks, decoded and encoded again
	sections int             // of all chunks
}

// checkModel loads each chunk of the sample's file once, and encodes it again:
// that has to say what the sample does. A sample that the chunk model does not
// read is noted in the report, which then has neither load nor save.
func (r *storageRun) checkModel(ctx context.Context) error {
	m := &model{tables: chunk.NewTables()}
	l, err := r.openLoader(m.tables)
	if err != nil {
		return err
	}
	defer l.file.Close()
	s, err := newModelSaver()
	if err != nil {
		return err
	}
	for i, raw := range r.sample.raw {
		if err := ctx.Err(); err != nil {
			return err
		}
		c, err := l.load(region.Slot(i))
		if _, read := errors.AsType[*region.Error](err); err != nil && !read {
			r.report.LeftOut = append(r.report.LeftOut, fmt.Sprintf("load, save: chunk %d: %v", i, err))
			return nil
		}
		if err != nil {
			return err
		}
		rec, err := s.record(c)
		if err == nil {
			err = verifyValue(s.data, raw)
		}
		if err != nil {
			return fmt.Errorf("load: chunk %d: %w", i, err)
		}
		rec.Data = append([]byte(nil), rec.Data...)
		m.records = append(m.records, rec)
		m.sections += sectionsOf(c)
	}
	r.model = m
	return nil
}

// sectionsOf is how many sections lie between a chunk's lowest and highest.
func sectionsOf(c *chunk.Chunk) int {
	low, high := c.Range()
	return int(high - low)
}

// openLoader opens the sample's file, which the caller closes.
func (r *storageRun) openLoader(tables *chunk.Tables) (*modelLoader, error) {
	file, err := region.Open(r.sample.path, region.Options{FS: r.fs, ReadOnly: true})
	if err != nil {
		return nil, err
	}
	return &modelLoader{file: file, decoder: chunk.NewDecoder(tables)}, nil
}
