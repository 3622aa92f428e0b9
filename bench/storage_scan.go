package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"strata/nbt"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// ScanGoal is how many bytes of inflated NBT a second scan has to read on one
// core.
const ScanGoal = 800_000_000

// worldScan reads a region file as a scan of a world does: open it, go over
// every slot, and read, inflate and index each chunk there is, with one decoder
// and one tape for all.
type worldScan struct {
	fs       vfs.FS
	path     string
	dec      codec.Decoder
	tape     nbt.Tape
	buf, out []byte
}

// all scans the file once. visit, if set, is called after each chunk, whose
// bytes are in out and whose index is in tape.
func (w *worldScan) all(visit func(region.Slot) error) (found scanned, err error) {
	file, err := region.Open(w.path, region.Options{FS: w.fs, ReadOnly: true})
	if err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	for slot := range region.Slot(region.Slots) {
		out, rec, err := file.Decode(slot, &w.dec, w.buf, w.out[:0])
		if errors.Is(err, region.ErrAbsent) {
			continue
		}
		w.buf, w.out = rec.Buffer(), out
		if err == nil {
			err = w.tape.Parse(out)
		}
		if err == nil && visit != nil {
			err = visit(slot)
		}
		if err != nil {
			return found, fmt.Errorf("slot %d: %w", slot, err)
		}
		found.chunks++
		found.tags += w.tape.Len()
	}
	return found, nil
}

// scanned is what every scan of one file must find.
type scanned struct{ chunks, tags int }

// scan measures scanning the sample's file, beside peers with one struct for
// all chunks, and with a new one each as its own API does.
func (r *storageRun) scan(ctx context.Context) error {
	w := &worldScan{fs: r.fs, path: r.sample.path}
	want, err := r.checkScan(ctx, w)
	if err != nil {
		return fmt.Errorf("scan: %w", err)
	}
	ours := newSeries("strata", "scan", threadClockKind, len(r.sample.raw), r.sample.rawBytes)
	kept, err := r.peers(ctx, "", "scan", "storage/scan-kept")
	if err != nil {
		return err
	}
	fresh, err := r.peers(ctx, "-fresh", "scan", "storage/scan")
	if err != nil {
		return err
	}
	r.begin(r.peerName(), fresh.behind(kept.behind(ours)...)...)
	turns := []func() error{
		func() error { return scanPass(ours, w, want) },
		func() error { return kept.turn(ctx) },
		func() error { return fresh.turn(ctx) },
	}
	for pass := range r.Passes {
		for turn := range turns {
			if err := turns[(pass+turn)%len(turns)](); err != nil {
				return fmt.Errorf("scan: %w", err)
			}
		}
		r.step()
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	r.add(r.peerName(), fresh.behind(kept.behind(ours)...)...)
	for i := range r.report.Rows {
		if row := &r.report.Rows[i]; row.Op == "scan" && row.Name == "strata" {
			row.GoalBytesPerS = ScanGoal
		}
	}
	return nil
}

// checkScan scans once and compares each chunk with the sample, and its tags
// with an independent count.
func (r *storageRun) checkScan(ctx context.Context, w *worldScan) (scanned, error) {
	found, err := w.all(func(slot region.Slot) error {
		if int(slot) >= len(r.sample.raw) || !bytes.Equal(w.out, r.sample.raw[slot]) {
			return fmt.Errorf("%w: not what was written", errWrong)
		}
		if err := verifyTape(&w.tape, r.sample.raw[slot]); err != nil {
			return err
		}
		return ctx.Err()
	})
	if err == nil && found.chunks != len(r.sample.raw) {
		err = fmt.Errorf("%w: %d chunks, not %d", errWrong, found.chunks, len(r.sample.raw))
	}
	return found, err
}

// scanPass scans once for the time of the pass, and once for those of the
// single chunks.
func scanPass(s *series, w *worldScan, want scanned) error {
	clock := startThreadClock()
	defer clock.stop()
	found, err := w.all(nil)
	took := clock.elapsed()
	if err == nil && found != want {
		err = fmt.Errorf("%w: %d chunks with %d tags, not %d with %d", errWrong, found.chunks, found.tags, want.chunks, want.tags)
	}
	if err != nil {
		return err
	}
	single := make([]time.Duration, 0, want.chunks)
	before := clock.elapsed()
	_, err = w.all(func(region.Slot) error {
		now := clock.elapsed()
		single = append(single, now-before)
		before = now
		return nil
	})
	s.pass(took, single)
	return err
}

// peerName is the name of the first peer's rows, "" without one.
func (r *storageRun) peerName() string {
	if len(r.report.Peers) == 0 {
		return ""
	}
	return r.report.Peers[0].Name
}
