package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"strata/anvil/chunk"
	"strata/region"
	"strata/region/vfs"
)

// save measures writing decoded chunks to a new file without waiting for the
// disk, beside the peers.
func (r *storageRun) save(ctx context.Context) error {
	saver, err := newModelSaver()
	if err != nil {
		return err
	}
	chunks, err := r.decodeSample()
	if err != nil {
		return err
	}
	ours := newSeries("strata", "save", clockProcess, len(chunks), r.sample.rawBytes)
	peers, err := r.preparePeerSaves(ctx)
	if err != nil {
		return err
	}
	now := chooseSaveClock(ours, peers)
	r.begin(r.peerName(), peers.behind(ours)...)
	// The first does not count, as with the peer.
	if err := r.savePass(newSeries("", "", "", len(chunks), 0), saver, chunks, now); err != nil {
		return fmt.Errorf("save: %w", err)
	}
	turns := []func() error{
		func() error { return r.savePass(ours, saver, chunks, now) },
		func() error { return r.savePeers(ctx, peers) },
	}
	for pass := range r.Passes {
		for turn := range turns {
			if err := turns[(pass+turn)%len(turns)](); err != nil {
				return fmt.Errorf("save: %w", err)
			}
		}
		r.step()
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	r.add(r.peerName(), peers.behind(ours)...)
	r.setGoal("save", SaveGoal)
	return nil
}

func (r *storageRun) decodeSample() ([]*chunk.Chunk, error) {
	decoder := chunk.NewDecoder(r.model.tables)
	chunks := make([]*chunk.Chunk, len(r.sample.raw))
	for i, raw := range r.sample.raw {
		var err error
		if chunks[i], err = decoder.Decode(raw); err != nil {
			return nil, fmt.Errorf("save: chunk %d: %w", i, err)
		}
	}
	return chunks, nil
}

// chooseSaveClock gives all rows the clock that all have, and returns it.
func chooseSaveClock(ours *series, peers peerRows) (now func() time.Duration) {
	now, ours.row.Clock = processTime, clockProcess
	if processTime() == 0 || slices.ContainsFunc(peers, func(t *peerTurns) bool { return t.first.ProcessNS == 0 }) {
		origin := time.Now()
		now, ours.row.Clock = func() time.Duration { return time.Since(origin) }, clockWall
	}
	for _, t := range peers {
		t.row.Clock = ours.row.Clock
	}
	return now
}

// savePass saves the chunks and looks at what was written. Garbage is collected
// before, as the peer does it.
func (r *storageRun) savePass(s *series, saver *modelSaver, chunks []*chunk.Chunk, now func() time.Duration) error {
	path := filepath.Join(r.dir, region.Pos{}.Name())
	single := make([]time.Duration, 0, len(chunks))
	runtime.GC()
	process, start := processTime(), now()
	before := start
	err := saver.save(unflushed{r.fs}, path, chunks, func() {
		at := now()
		single = append(single, at-before)
		before = at
	})
	took, processTook := now()-start, processTime()-process
	if err != nil {
		return err
	}
	s.pass(took, single)
	s.passProcess(processTook)
	if err := r.verify(path, r.model.records); err != nil {
		return err
	}
	if err := weigh(s, r.fs, path); err != nil {
		return err
	}
	return r.settle(path)
}

// save writes chunk i to slot i of a new file at path, and calls each after
// each of them.
func (s *modelSaver) save(disk vfs.FS, path string, chunks []*chunk.Chunk, each func()) error {
	w, err := region.Create(path, region.Options{FS: disk})
	if err != nil {
		return err
	}
	defer w.Abort()
	for i, c := range chunks {
		rec, err := s.record(c)
		if err == nil {
			err = w.Put(region.Slot(i), rec)
		}
		if err != nil {
			return err
		}
		each()
	}
	return w.Finish()
}

// weigh notes what the saved chunks take in the files at paths.
func weigh(s *series, disk vfs.FS, paths ...string) error {
	var payload, sectors int64
	chunks := 0
	for _, path := range paths {
		file, err := region.Open(path, region.Options{FS: disk, ReadOnly: true})
		if err != nil {
			return err
		}
		var buf []byte
		for slot := range region.Slot(region.Slots) {
			rec, err := file.Read(slot, buf)
			if errors.Is(err, region.ErrAbsent) {
				continue
			}
			if err != nil {
				return errors.Join(err, file.Close())
			}
			buf = rec.Buffer()
			payload += int64(region.RecordHeaderBytes + len(rec.Data))
			sectors += int64(rec.Entry.Location.Count())
			chunks++
		}
		if err := file.Close(); err != nil {
			return err
		}
	}
	if chunks != s.row.Chunks {
		return fmt.Errorf("%w: %d chunks were saved, not %d", errWrong, chunks, s.row.Chunks)
	}
	s.row.PayloadBytes, s.row.SectorBytes = payload/int64(chunks), sectors*region.SectorBytes/int64(chunks)
	return nil
}

// unflushed is a file system on which nobody waits for the disk.
type unflushed struct{ vfs.FS }

func (u unflushed) OpenFile(name string, flag int, perm fs.FileMode) (vfs.File, error) {
	f, err := u.FS.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return unflushedFile{f}, nil
}

func (unflushed) SyncDir(string) error { return nil }

type unflushedFile struct{ vfs.File }

func (unflushedFile) Sync() error { return nil }

// preparePeerSaves has the peers save once, which does not count, and weighs the
// files that they leave. They check their content themselves.
func (r *storageRun) preparePeerSaves(ctx context.Context) (peerRows, error) {
	rows, err := r.peers(ctx, "", "save", "storage/save")
	if err != nil {
		return nil, err
	}
	for _, t := range rows {
		entries, err := os.ReadDir(filepath.Join(t.of.dir, "saved"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		var paths []string
		for _, e := range entries {
			if _, ok := region.ParseName(e.Name()); ok {
				paths = append(paths, filepath.Join(t.of.dir, "saved", e.Name()))
			}
		}
		if len(paths) > 0 {
			if err := t.weigh(paths); err != nil {
				return nil, err
			}
		}
	}
	return rows, r.settlePeers()
}

// weigh weighs the peer's files. It is refused where they are no region files of
// the sample's chunks.
func (t *peerTurns) weigh(paths []string) error {
	for _, path := range paths {
		report, err := region.Check(path, region.CheckOptions{})
		if err != nil {
			return err
		}
		if report.Worst() > region.SeverityInfo {
			t.refused = true
			return t.of.info.leaveOut(t.op, &PeerError{Op: t.op, Text: "the file it saved is unsound: " + report.Findings[0].String()})
		}
	}
	err := weigh(t.series, vfs.OS(), paths...)
	if errors.Is(err, errWrong) {
		t.refused = true
		err = t.of.info.leaveOut(t.op, &PeerError{Op: t.op, Text: err.Error()})
	}
	return err
}

// savePeers makes a pass of the peers', and the disk forget it.
func (r *storageRun) savePeers(ctx context.Context, rows peerRows) error {
	if len(rows) == 0 {
		return nil
	}
	if err := rows.turn(ctx); err != nil {
		return err
	}
	return r.settlePeers()
}
