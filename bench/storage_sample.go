package bench

import (
	"context"
	"path/filepath"

	"strata/bench/corpus"
	"strata/region"
	"strata/region/codec"
)

// sample are the chunks of read, inflate, load, scan and the saves. Chunk i is
// in slot i of the file at path.
type sample struct {
	raw     [][]byte
	records []region.Record // of raw, compressed in mode sector
	path    string

	rawBytes, streamBytes int64
}

// makeSample chooses the chunks and writes them to a region file.
func (r *storageRun) makeSample(ctx context.Context) error {
	s := &sample{path: filepath.Join(r.dir, region.Pos{X: 1}.Name())}
	source := r.CorpusName
	if len(r.Corpus) > 0 {
		s.raw = spread(r.Corpus, r.Chunks)
	} else {
		source, s.raw = "synthetic", SyntheticChunks(r.Chunks)
	}
	enc, err := codec.NewEncoder(codec.Zlib, codec.Sector)
	if err != nil {
		return err
	}
	w, err := region.Create(s.path, region.Options{FS: r.fs})
	if err != nil {
		return err
	}
	defer w.Abort()
	var sectors int64
	for i, raw := range s.raw {
		if err := ctx.Err(); err != nil {
			return err
		}
		stream, err := enc.Append(nil, raw)
		if err != nil {
			return err
		}
		rec := region.Record{Scheme: codec.Zlib, Data: stream}
		if err := w.Put(region.Slot(i), rec); err != nil {
			return err
		}
		s.records = append(s.records, rec)
		s.rawBytes += int64(len(raw))
		s.streamBytes += int64(len(stream))
		sectors += int64(region.RecordSectors(len(stream)))
	}
	if err := w.Finish(); err != nil {
		return err
	}
	n := int64(len(s.raw))
	r.report.Sample = StorageSample{
		Source: source, Chunks: len(s.raw), RawBytes: s.rawBytes / n,
		PayloadBytes: s.streamBytes/n + region.RecordHeaderBytes,
		SectorBytes:  sectors * region.SectorBytes / n,
	}
	r.sample = s
	return r.verify(s.path, s.records)
}

// spread takes n payloads evenly from the chunks, all if there are fewer.
func spread(chunks []corpus.Chunk, n int) [][]byte {
	n = min(n, len(chunks))
	raw := make([][]byte, n)
	for i := range raw {
		raw[i] = chunks[i*len(chunks)/n].NBT
	}
	return raw
}
