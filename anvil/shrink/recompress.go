package shrink

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"strata/anvil/store"
	"strata/anvil/undo"
	"strata/region/codec"
)

// Recompressed counts what Recompress did, or would do.
type Recompressed struct {
	Files int `json:"files"`
	// Rewritten are files in which records were replaced, Resumed those that an
	// earlier run had done.
	Rewritten int `json:"rewritten"`
	Resumed   int `json:"resumed"`
	// Records are those that were picked: each is one of replaced, unchanged (as
	// small already) and damaged (kept as it is). Of the replaced ones External
	// keep the scheme that they have in files of their own.
	Records   int64 `json:"records"`
	Replaced  int64 `json:"replaced"`
	Unchanged int64 `json:"unchanged"`
	Damaged   int64 `json:"damaged"`
	External  int64 `json:"external"`
	// Payloads have their length and scheme; sectors are what records take of
	// files. Both are of the picked records that can be read. Bytes are those of
	// whole region files, and of external ones that records are in.
	PayloadBefore int64     `json:"payload_bytes_before"`
	PayloadAfter  int64     `json:"payload_bytes_after"`
	SectorsBefore int64     `json:"sector_bytes_before"`
	SectorsAfter  int64     `json:"sector_bytes_after"`
	BytesBefore   int64     `json:"bytes_before"`
	BytesAfter    int64     `json:"bytes_after"`
	Failed        []Failure `json:"failed"`
}

// RecompressOptions say how records are compressed.
type RecompressOptions struct {
	Scheme codec.Scheme // 0 means zlib
	Level  codec.Level
	// Pick says which records are looked at; nil: all. It is called by several
	// goroutines.
	Pick func(store.Ref) bool
	// Always replaces records also by larger ones.
	Always bool
	// Workers is how many records are compressed at the same time, by default one
	// for each processor.
	Workers int
	// DryRun changes nothing, and counts the same.
	DryRun bool
	// Change keeps what is replaced. It may be nil with DryRun.
	Change *undo.Change
	// Settings is what else the result depends on, such as the text of the
	// expression that Pick is of: a log of other settings is not gone on with.
	Settings string
	// Progress is called with the number of records that are through.
	Progress func(n int64)
}

// Recompress compresses the records of the files of a survey. What cannot be
// changed is listed and the rest goes on; a full disk and the end of ctx end it,
// and the next run goes on. The change is committed for each file before that is
// written, and left for the caller to finish.
func Recompress(ctx context.Context, s *store.Store, v *Survey, o RecompressOptions) (*Recompressed, error) {
	if o.Scheme == 0 {
		o.Scheme = codec.Zlib
	}
	if o.Change == nil && !o.DryRun {
		return nil, ErrNoChange
	}
	if _, err := codec.NewEncoder(o.Scheme, o.Level); err != nil {
		return nil, err
	}
	r := &recompressor{s: s, o: o, out: &Recompressed{
		Files: len(v.Files), BytesBefore: v.Bytes, BytesAfter: v.Bytes, Failed: append([]Failure{}, v.Failed...),
	}}
	if !o.DryRun {
		var err error
		if r.log, err = openLog(s, &o); err != nil {
			return r.out, err
		}
	}
	if err := r.run(ctx, v); err != nil {
		return r.out, errors.Join(err, r.log.close())
	}
	return r.out, r.log.remove()
}

type recompressor struct {
	s   *store.Store
	o   RecompressOptions
	log *runLog
	out *Recompressed // the writer's
}

// run compresses one file while the one before it is written.
func (r *recompressor) run(ctx context.Context, v *Survey) error {
	group, ctx := errgroup.WithContext(ctx)
	packed := make(chan *work)
	group.Go(func() error {
		defer close(packed)
		coders := newCoders(r.s, &r.o)
		for i := range v.Files {
			if err := ctx.Err(); err != nil {
				return err
			}
			w := &work{file: &v.Files[i]}
			if r.pack(ctx, coders, w); endsAll(w.failed) {
				return w.failed
			}
			select {
			case packed <- w:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	group.Go(func() error {
		for w := range packed {
			if err := r.finish(ctx, w); err != nil {
				return err
			}
		}
		return nil
	})
	return group.Wait()
}

// pack compresses the records of a file, unless nothing of it was picked, it was
// done before, or it is too large to be held.
func (r *recompressor) pack(ctx context.Context, coders *coders, w *work) {
	w.find(&r.o)
	switch {
	case len(w.picked) == 0:
	case r.log.has(r.s, w.file):
		w.resumed = true
		r.progress(int64(len(w.picked)))
	case w.file.Dense > maxHeld:
		w.piecewise = true
	default:
		w.failed = w.pack(ctx, coders, r.progress)
	}
}

func (r *recompressor) progress(n int64) {
	if r.o.Progress != nil {
		r.o.Progress(n)
	}
}

// finish writes what has become of a file, and counts.
func (r *recompressor) finish(ctx context.Context, w *work) error {
	err := w.failed
	switch {
	case err != nil:
	case w.resumed:
		r.out.Resumed++
		return nil
	case len(w.picked) == 0:
		return nil
	case w.piecewise:
		err = r.inPieces(ctx, w)
	default:
		err = r.write(ctx, w)
	}
	if err == nil {
		r.count(w)
		return r.log.add(r.s, w.file)
	}
	if !endsAll(err) {
		r.out.Failed = append(r.out.Failed, failure(w.file.Path, err))
		err = nil
	}
	return err
}

func (r *recompressor) count(w *work) {
	c, out := &w.counts, r.out
	out.Records += c.Records
	out.Replaced += c.Replaced
	out.Unchanged += c.Unchanged
	out.Damaged += c.Damaged
	out.External += c.External
	out.PayloadBefore += c.PayloadBefore
	out.PayloadAfter += c.PayloadAfter
	out.SectorsBefore += c.SectorsBefore
	out.SectorsAfter += c.SectorsAfter
	out.BytesBefore += c.BytesBefore
	out.BytesAfter += c.BytesAfter + c.after - w.file.Bytes
	out.Failed = append(out.Failed, c.Failed...)
	if c.Replaced > 0 {
		out.Rewritten++
	}
}
