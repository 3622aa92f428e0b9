package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"strata/anvil/chunk"
	"strata/region"
	"strata/region/vfs"
)

// save measures writing decoded chunks to a new file without waiting for the
// disk, beside the peer.
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
	peer, err := r.preparePeerSave(ctx)
	if err != nil {
		return err
	}
	now := chooseSaveClock(ours, peer)
	r.begin(r.peerName(), peer.behind(ours)...)
	// The first does not count, as with the peer.
	if err := r.savePass(newSeries("", "", "", len(chunks), 0), saver, chunks, now); err != nil {
		return fmt.Errorf("save: %w", err)
	}
	turns := []func() error{
		func() error { return r.savePass(ours, saver, chunks, now) },
		func() error { return r.savePeer(ctx, peer) },
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
	r.add(r.peerName(), peer.behind(ours)...)
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

// chooseSaveClock gives both rows the clock that both have, and returns it.
func chooseSaveClock(ours *series, peer *peerTurns) (now func() time.Duration) {
	now, ours.row.Clock = processTime, clockProcess
	if processTime() == 0 || peer != nil && peer.first.ProcessNS == 0 {
		origin := time.Now()
		now, ours.row.Clock = func() time.Duration { return time.Since(origin) }, clockWall
	}
	if peer != nil {
		peer.row.Clock = ours.row.Clock
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

// preparePeerSave has the peer save once, which does not count, and weighs the
// files that it leaves. It checks their content itself.
func (r *storageRun) preparePeerSave(ctx context.Context) (*peerTurns, error) {
	peer, err := r.peer(ctx, "", "save", "storage/save")
	if err != nil || peer == nil {
		return nil, err
	}
	dir := filepath.Join(r.dir, "peer", "saved")
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var paths []string
	for _, e := range entries {
		if _, ok := region.ParseName(e.Name()); ok {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	if len(paths) > 0 {
		if err := r.weighPeer(peer, paths); err != nil {
			return nil, err
		}
	}
	return peer, r.settlePeer()
}

// weighPeer weighs the peer's files. It is refused where they are no region
// files of the sample's chunks.
func (r *storageRun) weighPeer(peer *peerTurns, paths []string) error {
	for _, path := range paths {
		report, err := region.Check(path, region.CheckOptions{})
		if err != nil {
			return err
		}
		if report.Worst() > region.SeverityInfo {
			peer.refused = true
			return r.report.Peer.leaveOut(peer.op, &PeerError{Op: peer.op, Text: "the file it saved is unsound: " + report.Findings[0].String()})
		}
	}
	err := weigh(peer.series, vfs.OS(), paths...)
	if errors.Is(err, errWrong) {
		peer.refused = true
		err = r.report.Peer.leaveOut(peer.op, &PeerError{Op: peer.op, Text: err.Error()})
	}
	return err
}

// savePeer makes a pass of the peer's, and the disk forget it.
func (r *storageRun) savePeer(ctx context.Context, peer *peerTurns) error {
	if peer == nil {
		return nil
	}
	if err := r.turn(ctx, peer); err != nil {
		return err
	}
	return r.settlePeer()
}
