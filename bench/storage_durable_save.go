package bench

import (
	"context"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"strata/region"
	"strata/region/codec"
)

// durableSave measures compressing the sample on one goroutine, in mode sector,
// and making it durable in a fresh file. A chunk is handed over when it is
// compressed, so that the disk works meanwhile; its own time starts when its
// compression does.
func (r *storageRun) durableSave(ctx context.Context) error {
	enc, err := codec.NewEncoder(codec.Zlib, codec.Sector)
	if err != nil {
		return err
	}
	s := newSeries("strata", "durable_save", clockWall, len(r.sample.raw), r.sample.rawBytes)
	s.row.PayloadBytes, s.row.SectorBytes = r.report.Sample.PayloadBytes, r.report.Sample.SectorBytes
	r.begin("", s)
	path := filepath.Join(r.dir, region.Pos{}.Name())
	streams := make([][]byte, len(r.sample.raw))
	for range r.Passes {
		w, err := openStrata(path, region.Options{FS: r.fs, MaxGroup: r.MaxGroup})
		if err != nil {
			return err
		}
		err = r.durableSavePass(ctx, s, w, enc, streams)
		if cerr := w.Close(); err == nil {
			err = cerr
		}
		if err == nil {
			err = r.verify(path, r.sample.records)
		}
		if err == nil {
			err = r.settle(path)
		}
		if err != nil {
			return err
		}
		r.step()
	}
	r.add("", s)
	return nil
}

// durableSavePass keeps the streams' memory in streams from pass to pass.
func (r *storageRun) durableSavePass(ctx context.Context, s *series, w strataFile, enc *codec.Encoder, streams [][]byte) error {
	began := make([]time.Duration, len(streams))
	waits := make([]time.Duration, len(streams))
	commits := make(chan *region.Commit, len(streams))
	start := time.Now()
	var g errgroup.Group
	g.Go(func() error { // sees each chunk become durable while later ones are compressed
		for i := 0; ; i++ {
			c, ok := <-commits
			if !ok {
				return nil
			}
			if err := c.Wait(ctx); err != nil {
				return err
			}
			waits[i] = time.Since(start)
		}
	})
	err := func() error {
		defer close(commits)
		for i, raw := range r.sample.raw {
			if err := ctx.Err(); err != nil {
				return err
			}
			began[i] = time.Since(start)
			var err error
			if streams[i], err = enc.Append(streams[i][:0], raw); err != nil {
				return err
			}
			commits <- w.submit(region.Slot(i), region.Record{Scheme: codec.Zlib, Data: streams[i]})
		}
		return nil
	}()
	if werr := g.Wait(); err == nil {
		err = werr
	}
	if err != nil {
		return err
	}
	took := time.Since(start)
	for i := range waits {
		waits[i] -= began[i]
	}
	s.pass(took, waits)
	s.row.Flushes = w.flushes()
	return nil
}
