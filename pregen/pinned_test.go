package pregen

import (
	"context"
	"errors"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"strata/anvil/store"
	"strata/region"
	"strata/region/vfs"
)

// A snapshot that is asked for while the files of a region are put in place has
// all of them or none: never the entities of a chunk without the chunk.
func TestSnapshotsHaveAllFilesOfARegionOrNone(t *testing.T) {
	for _, name := range []string{"poi", "entities", "region"} {
		t.Run(name, func(t *testing.T) {
			fault := vfs.NewFault(vfs.NewMem(vfs.MemOptions{}))
			st, err := openStore(fault, createWorld(t, fault, t.TempDir()))
			if err != nil {
				t.Fatal(err)
			}
			// It is asked for once one file has its name, and has all the time it
			// wants before what is written next.
			taken := snapshotAfter(t, fault, st, name)
			o := options(square(t, 16, 16, 6), newFake())
			o.Seed = testSeed
			report, err := Run(t.Context(), st, o)
			if err != nil {
				t.Fatal(err)
			}
			sn := <-taken
			if sn == nil {
				t.Fatal("no snapshot was taken")
			}
			chunks, others := pinnedRecords(t, sn)
			if chunks != 0 && chunks != int(report.New) || chunks == 0 && others != 0 {
				t.Errorf("the snapshot has %d of %d chunks, and %d records of entities and points of interest", chunks, report.New, others)
			}
			if err := errors.Join(sn.Release(), st.Close()); err != nil {
				t.Error(err)
			}
			if report.Committed != 0 {
				t.Errorf("%d regions were not written as a whole", report.Committed)
			}
		})
	}
}

// snapshotAfter takes a snapshot once the region's file is renamed into a folder.
// Region files that are created after that wait until it is taken.
func snapshotAfter(t *testing.T, fault *vfs.Fault, st *store.Store, folder string) <-chan *store.Snapshot {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	taken, done := make(chan *store.Snapshot, 1), make(chan struct{})
	var asked atomic.Bool
	fault.Add(vfs.Rule{Ops: vfs.OpRename, Name: region.Pos{}.Name(), Forever: true, Hook: func(in vfs.OpInfo) {
		if filepath.Base(filepath.Dir(in.NewName)) != folder || asked.Swap(true) {
			return
		}
		go func() {
			defer close(done)
			sn, err := st.Snapshot(ctx)
			if err != nil {
				t.Error(err)
			}
			taken <- sn
		}()
	}})
	fault.Add(vfs.Rule{Ops: vfs.OpCreate, Name: "*.mca*", Forever: true, Hook: func(vfs.OpInfo) {
		if asked.Load() {
			<-done
		}
	}})
	return taken
}

// pinnedRecords counts what a snapshot has in the region of the test.
func pinnedRecords(t *testing.T, sn *store.Snapshot) (chunks, others int) {
	t.Helper()
	for s := range region.Slot(region.Slots) {
		for _, k := range []store.Kind{store.Chunks, store.Entities, store.POI} {
			_, err := sn.Read(store.Ref{Kind: k, Pos: region.Pos{}.Chunk(s)}, nil)
			switch {
			case errors.Is(err, store.ErrAbsent):
			case err != nil:
				t.Fatal(err)
			case k == store.Chunks:
				chunks++
			default:
				others++
			}
		}
	}
	return chunks, others
}
