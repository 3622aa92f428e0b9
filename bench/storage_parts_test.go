package bench

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

func TestOsyncFileIsWrittenAsTheGameWritesIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.0.0.mca")
	w, err := openOsync(path)
	if err != nil {
		t.Fatal(err)
	}
	record := func(n int, fill byte) region.Record {
		return region.Record{Scheme: codec.None, Data: bytes.Repeat([]byte{fill}, n)}
	}
	put := func(s region.Slot, rec region.Record) region.Location {
		t.Helper()
		if err := w.put(s, rec); err != nil {
			t.Fatal(err)
		}
		return w.header.Location(s)
	}
	loc := region.MakeLocation
	for i, got := range []region.Location{put(0, record(durableStream, 1)), put(1, record(100, 2)), put(2, record(9000, 3))} {
		if want := []region.Location{loc(2, 2), loc(4, 1), loc(5, 3)}[i]; got != want {
			t.Errorf("slot %d: at %v, want %v", i, got, want)
		}
	}
	// A chunk never goes over its own old sectors, and takes the first free
	// run that others have left.
	if got := put(0, record(durableStream, 4)); got != loc(8, 2) {
		t.Errorf("rewritten slot 0: at %v", got)
	}
	if got := put(2, record(5000, 5)); got != loc(2, 2) {
		t.Errorf("rewritten slot 2: at %v", got)
	}
	if w.flushes() != 2*5 {
		t.Errorf("%d synchronous writes for 5 chunks", w.flushes())
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := &storageRun{StorageOptions: StorageOptions{fs: vfs.OS()}, report: new(StorageReport)}
	if err := r.verify(path, []region.Record{record(durableStream, 4), record(100, 2), record(5000, 5)}); err != nil {
		t.Error(err)
	}
}

func TestVerifySeesWhatIsWrong(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.0.0.mca")
	records := durableRecords(3, 1)
	w, err := openStrata(path, region.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.writeAll(t.Context(), records, make([]time.Duration, 3)); err != nil {
		t.Fatal(err)
	}
	first := w.Entry(0).Location
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := &storageRun{StorageOptions: StorageOptions{fs: vfs.OS()}, report: new(StorageReport)}
	if err := r.verify(path, records); err != nil || r.report.Verified != 3 {
		t.Fatalf("sound file: %v, %d verified", err, r.report.Verified)
	}
	if err := r.verify(path, records[:2]); err == nil {
		t.Error("a chunk too many was not seen")
	}
	if err := r.verify(path, durableRecords(3, 2)); err == nil {
		t.Error("other content was not seen")
	}
	raw, err := vfs.OS().OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := raw.WriteAt([]byte{0x7f}, int64(first.Sector())*region.SectorBytes); err != nil {
		t.Fatal(err)
	}
	if err := raw.Close(); err != nil {
		t.Fatal(err)
	}
	if err := r.verify(path, records); err == nil {
		t.Error("a damaged length was not seen")
	}
}

func TestMedianAndRanks(t *testing.T) {
	s := newSeries("strata", "op", clockWall, 10, 1000)
	for _, pass := range []time.Duration{500, 100, 300, 400} {
		s.pass(pass, []time.Duration{pass / 10, pass / 5})
	}
	r := s.finish()
	if r.NS != 35 || r.MinNS != 10 || r.MaxNS != 50 {
		t.Errorf("median %v of %v to %v", r.NS, r.MinNS, r.MaxNS)
	}
	// Of 10 20 30 40 50 60 80 100.
	if r.P50NS != 40 || r.P95NS != 100 || r.P99NS != 100 || r.SlowestNS != 100 {
		t.Errorf("ranks %v, %v, %v, %v", r.P50NS, r.P95NS, r.P99NS, r.SlowestNS)
	}
	// 100 bytes a chunk in 35 ns.
	if r.BytesPerS != 2_857_142_857 {
		t.Errorf("%d bytes a second", r.BytesPerS)
	}
}

func TestRatiosReferToTheSameOp(t *testing.T) {
	rows := []StorageRow{
		{Op: "a", Name: "ours", NS: 10, MinNS: 4}, {Op: "a", Name: "ref", NS: 40, MinNS: 40},
		{Op: "b", Name: "ours", NS: 10, MinNS: 4}, {Op: "c", Name: "ref", NS: 1, MinNS: 1},
		{Op: "d", Name: "ours", NS: 10, MinNS: 4}, {Op: "d", Name: "ref"},
	}
	compareTo(rows, "ref")
	if rows[0].Ratio != 0.25 || rows[0].MinRatio != 0.1 || rows[0].Reference != "ref" {
		t.Errorf("row %+v", rows[0])
	}
	for _, i := range []int{1, 2, 3, 5} {
		if rows[i].Reference != "" || rows[i].Ratio != 0 {
			t.Errorf("row %+v", rows[i])
		}
	}
	if rows[4].Ratio != 0 {
		t.Errorf("ratio %v to nothing", rows[4].Ratio)
	}
}

func TestFlushWatchLetsSoManyReadsBeginUnderAFlush(t *testing.T) {
	entered, leave := make(chan struct{}), make(chan struct{})
	disk := vfs.NewFault(vfs.NewMem(vfs.MemOptions{}))
	disk.Add(vfs.Rule{Ops: vfs.OpSync, Forever: true, Hook: func(vfs.OpInfo) {
		entered <- struct{}{}
		<-leave
	}})
	watch := &flushWatch{FS: disk}
	file, err := watch.OpenFile("f", os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for range 2 {
		if err := watch.await(ended); !errors.Is(err, context.Canceled) {
			t.Errorf("without a flush: %v", err)
		}
		done := make(chan error)
		go func() { done <- file.Sync() }()
		<-entered
		for i := range readsPerFlush {
			if err := watch.await(ended); err != nil {
				t.Fatalf("read %d under a flush: %v", i, err)
			}
		}
		if err := watch.await(ended); !errors.Is(err, context.Canceled) {
			t.Errorf("one read more: %v", err)
		}
		leave <- struct{}{}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	if watch.seen != 2 {
		t.Errorf("saw %d flushes", watch.seen)
	}
}

func TestReadersNoticeOtherContent(t *testing.T) {
	opts, err := (StorageOptions{Chunks: 3}).withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	r := &storageRun{StorageOptions: opts, dir: t.TempDir(), report: new(StorageReport)}
	if err := r.makeSample(t.Context()); err != nil {
		t.Fatal(err)
	}
	file, err := region.Open(r.sample.path, region.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, rd := range []reader{strataRead(file), strataInflate(file), stdlibInflate(file)} {
		if err := r.checkReader(t.Context(), rd); err != nil {
			t.Error(err)
		}
		wrong := rd
		wrong.get = func(i int) ([]byte, error) { return rd.get(2 - i) }
		if err := r.checkReader(t.Context(), wrong); err == nil {
			t.Errorf("%s, %s: chunks in the wrong order pass", rd.op, rd.name)
		}
		wrong.get = func(int) ([]byte, error) { return nil, io.ErrUnexpectedEOF }
		if err := r.checkReader(t.Context(), wrong); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s, %s: error %v", rd.op, rd.name, err)
		}
	}
}

func TestRandomStreamsAreRepeatableAndSpread(t *testing.T) {
	a, b := newRandomStreams(3), newRandomStreams(3)
	sizes := map[uint32]int{}
	for range 2000 {
		x, y := a.next(), b.next()
		if !bytes.Equal(x.Data, y.Data) {
			t.Fatal("the same seed gives other records")
		}
		if len(x.Data) < 1<<10 || len(x.Data) > maxRandomStream {
			t.Fatalf("record of %d bytes", len(x.Data))
		}
		sizes[region.RecordSectors(len(x.Data))]++
	}
	for n := uint32(1); n <= 6; n++ {
		if sizes[n] < 20 {
			t.Errorf("%d of 2,000 records of %d sectors", sizes[n], n)
		}
	}
}
