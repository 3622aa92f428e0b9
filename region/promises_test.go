package region

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"testing"
	"time"

	"strata/bench/testbed"
	"strata/region/codec"
	"strata/region/vfs"
)

// settle closes what the rig has open and reports every problem.
func (r *rig) settle(t *testing.T, planned error) {
	t.Helper()
	r.finish()
	y := &tally{}
	y.inspect(r.mem, "w", r.ledger)
	y.inspectLinks(r.mem, r)
	for _, p := range append(y.problems, r.broken...) {
		t.Error(p)
	}
	for _, err := range r.errs {
		if planned == nil || !errors.Is(err, planned) {
			t.Errorf("a step failed: %v", err)
		}
	}
	r.fault.Verify(t)
}

// afterCrash checks what power cuts would leave now.
func (r *rig) afterCrash(t *testing.T) {
	t.Helper()
	y := &tally{}
	for seed := range uint64(12) {
		y.reopen(r, r.mem.CrashClone(vfs.CrashOptions{Keep: vfs.Keep(min(seed, 2)), Seed: seed}))
	}
	for _, p := range y.problems {
		t.Error(p)
	}
}

func regionWrites(ops []vfs.OpInfo) (offsets []int64) {
	for _, op := range ops {
		if op.Op == vfs.OpWrite && isRegionName(op.Name) {
			offsets = append(offsets, op.Off)
		}
	}
	return offsets
}

// A payload flush that fails is not repeated: everything is written again, to
// other sectors, through a file that was opened again.
func TestFailedPayloadFlushIsNotBelieved(t *testing.T) {
	r := newRig(Options{}, vfs.MemOptions{})
	r.save(edit{slot: 1, size: 9000}, edit{slot: 2, size: 5000})
	before := len(r.fault.Ops())
	r.fault.Add(vfs.Rule{Ops: vfs.OpSync, Err: errPlanned})
	r.group(edit{slot: 1, size: 9000}, edit{slot: 2, size: 5000})
	ops := r.fault.Ops()[before:]
	var kinds []vfs.Op
	for _, op := range ops {
		if op.Op&(vfs.OpOpen|vfs.OpWrite|vfs.OpSync) != 0 {
			kinds = append(kinds, op.Op)
		}
	}
	want := []vfs.Op{vfs.OpWrite, vfs.OpSync, vfs.OpOpen, vfs.OpWrite, vfs.OpSync, vfs.OpWrite, vfs.OpSync}
	if len(kinds) != len(want) {
		t.Fatalf("operations %v, want %v", kinds, want)
	}
	for i := range want {
		if kinds[i] != want[i] {
			t.Fatalf("operations %v, want %v", kinds, want)
		}
	}
	at := regionWrites(ops)
	if lost := at[0]; at[1] < lost+5*SectorBytes && lost < at[1]+5*SectorBytes {
		t.Fatalf("what was lost at byte %d was written again at byte %d", lost, at[1])
	}
	for s := Slot(1); s <= 2; s++ {
		if int64(r.file.Entry(s).Location.Sector())*SectorBytes < at[1] {
			t.Fatalf("slot %d is in sectors whose flush failed", s)
		}
	}
	r.afterCrash(t)
	r.settle(t, nil)
}

// If the second flush fails too, the header is not written.
func TestNoHeaderAfterTwoFailedPayloadFlushes(t *testing.T) {
	r := newRig(Options{}, vfs.MemOptions{})
	r.save(edit{slot: 1, size: 9000})
	header := r.file.Header()
	bad := r.fault.Add(vfs.Rule{Ops: vfs.OpSync, Forever: true, Err: errPlanned})
	before := len(r.fault.Ops())
	err := r.file.Write(context.Background(), Write{Slot: 1, Scheme: codec.None, Data: payload(1, 2, 9000)})
	wantErr(t, err, ErrFlush)
	wantErr(t, err, errPlanned)
	for _, at := range regionWrites(r.fault.Ops()[before:]) {
		if at == 0 {
			t.Fatal("the header was written")
		}
	}
	if *r.file.Header() != *header {
		t.Fatal("the group became visible")
	}
	bad.Withdraw()
	r.save(edit{slot: 1, size: 7000}, edit{slot: 2, size: 100})
	r.afterCrash(t)
	r.settle(t, nil)
}

// After a header flush that failed either version may be there, and nothing
// is acknowledged. What the header may name is not used again before a later
// one is flushed, which sets it right.
func TestFailedHeaderFlushLeavesOldOrNew(t *testing.T) {
	for keep := range vfs.Keep(3) {
		r := newRig(Options{}, vfs.MemOptions{})
		r.save(edit{slot: 1, size: 9000}, edit{slot: 2, size: 9000})
		st := r.stage(edit{slot: 1, size: 9000}, edit{slot: 3, size: 100})
		place := st.g.items[0].place
		bad := r.fault.Add(vfs.Rule{Ops: vfs.OpSync, Forever: true, Err: errPlanned, Landed: vfs.CrashOptions{Keep: keep, Seed: 5}})
		r.publish(st)
		if len(r.errs) != 1 || !errors.Is(r.errs[0], ErrFlush) || !errors.Is(r.errs[0], errPlanned) {
			t.Fatalf("publish returned %v", r.errs)
		}
		r.afterCrash(t)
		bad.Withdraw()
		st = r.stage(edit{slot: 5, size: 9000}, edit{slot: 6, size: 9000})
		for _, it := range st.g.items {
			if it.place.start < place.end() && place.start < it.place.end() {
				t.Fatalf("sectors %v are written, which the header on the disk may name", place)
			}
		}
		r.afterCrash(t)
		r.publish(st)
		r.ledger.chunks[r.file.pos.Chunk(3)].(*listed).versions[0] = nil // the next publish has set it right
		r.afterCrash(t)
		if _, live := r.file.Size(); live != (2+4*3)*SectorBytes {
			t.Fatalf("%d live bytes: what was in doubt is still held", live)
		}
		r.settle(t, errPlanned)
	}
}

// The same of a Restore: the sectors that its image names stay as they are
// while the image may be on the disk.
func TestFailedRestoreHoldsWhatItsImageNames(t *testing.T) {
	r := newRig(Options{}, vfs.MemOptions{})
	r.group(repeat(6, 9000)...)
	image, content := r.file.Header(), r.contents(r.file.Read)
	drop := []Slot{1, 2, 3}
	r.restore(image, content, drop, nil)
	bad := r.fault.Add(vfs.Rule{Ops: vfs.OpSync, Forever: true, Err: errPlanned, Landed: vfs.CrashOptions{Keep: vfs.KeepAll}})
	r.restore(image, content, nil, drop)
	bad.Withdraw()
	st := r.stage(repeat(6, 9000)...)
	r.afterCrash(t)
	r.publish(st)
	r.afterCrash(t)
	r.settle(t, errPlanned)
}

// Whatever mixture of old and new 512-byte blocks of the header a power cut
// leaves, each chunk is at its old or at its new version. 200 groups with 20
// mixtures each on a submission, 2,000 nightly.
func TestAnyMixOfHeaderBlocksIsSound(t *testing.T) {
	seed := uint64(testbed.Seed(t))
	rng := rand.New(rand.NewPCG(seed, 1))
	r := newRig(Options{}, vfs.MemOptions{})
	y := &tally{}
	groups := testbed.Runs(t, 200)
	for n := range groups {
		f := r.use()
		old := f.Header()
		var edits []edit
		for range 1 + rng.IntN(12) {
			e := edit{slot: Slot(rng.IntN(90) * 11), size: rng.IntN(20_000)}
			if rng.IntN(6) == 0 {
				e.size = 0
			}
			if !hasSlot(edits, e.slot) {
				edits = append(edits, e)
			}
		}
		st := r.stage(edits...)
		r.submit(st.saves)
		if r.failed(st.g.Publish()) {
			t.Fatal(r.errs)
		}
		now := f.Header() // flushed, and nothing freed yet
		for range 20 {
			disk := r.mem.CrashClone(vfs.CrashOptions{})
			mixed, mask := *now, rng.Uint32()
			for b := range HeaderBytes / 512 {
				if mask>>b&1 == 0 {
					copy(mixed[b*512:(b+1)*512], old[b*512:])
				}
			}
			overwrite(t, disk, testPath, mixed[:], 0)
			y.states++
			y.inspect(disk, "w", r.ledger)
			for _, p := range y.problems {
				t.Fatalf("%s\n  STRATA_SEED=%d: group %d, blocks %016b", p, int64(seed), n, mask)
			}
		}
		r.ack(st.saves)
		st.g.Release()
	}
	t.Logf("%d groups: %v", groups, y)
	r.settle(t, nil)
}

func hasSlot(edits []edit, s Slot) bool {
	for _, e := range edits {
		if e.slot == s {
			return true
		}
	}
	return false
}

func overwrite(t testing.TB, fsys vfs.FS, path string, b []byte, off int64) {
	t.Helper()
	f, err := fsys.OpenFile(path, 2, 0) // os.O_RDWR
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt(b, off); err != nil {
		t.Fatal(err)
	}
	if err := f.Sync(); err != nil {
		t.Fatal(err)
	}
}

// A reader that is stopped between the entry and the record, while the writer
// wraps round and other chunks take the old sectors, returns a whole version.
func TestReaderStoppedBeforeTheRecordGetsAWholeVersion(t *testing.T) {
	for _, deleted := range []bool{false, true} {
		r := newRig(Options{}, vfs.MemOptions{})
		r.save(edit{slot: 1, size: 9000}, edit{slot: 2, size: 9000})
		f := r.file
		at := f.Entry(1).Location
		stopped, resume := make(chan struct{}), make(chan struct{})
		r.fault.Add(vfs.Rule{Ops: vfs.OpRead, Name: "r.*.mca", Hook: func(vfs.OpInfo) {
			close(stopped)
			<-resume
		}})
		type result struct {
			rec Record
			err error
		}
		done := make(chan result)
		go func() {
			rec, err := f.Read(1, nil)
			done <- result{rec, err}
		}()
		<-stopped
		last := edit{slot: 1, size: 9000}
		if deleted {
			last.size = 0
		}
		r.save(last)
		taken := false
		for s := Slot(3); s < 6; s++ {
			r.save(edit{slot: s, size: 9000})
			taken = taken || f.Entry(s).Location.Sector() == at.Sector()
		}
		if !taken {
			t.Fatal("the writer has not wrapped round; the test shows nothing")
		}
		close(resume)
		got := <-done
		if deleted {
			wantErr(t, got.err, ErrAbsent)
		} else if h := r.ledger.chunks[f.pos.Chunk(1)].(*listed); got.err != nil || !bytes.Equal(got.rec.Data, h.versions[1]) {
			t.Fatalf("%s, %v", describe(got.rec.Data), got.err)
		}
		if f.Metrics().ReadRetries == 0 {
			t.Fatal("the reader did not read again")
		}
		r.settle(t, nil)
	}
}

// With a flush that takes a second, 1,000 reads of committed chunks end
// within 10 ms each. Whoever waited for it would take until its end, so one
// of three rounds has to pass: the machine may be busy.
func TestReadsDoNotWaitForAFlush(t *testing.T) {
	for _, nth := range []int{0, 1} { // of the payloads, of the header
		var worst time.Duration
		for range 3 {
			if worst = slowestReadDuringFlush(t, nth); worst <= 10*time.Millisecond {
				break
			}
		}
		t.Logf("flush %d: the slowest of 1,000 reads took %v", nth, worst)
		if worst > 10*time.Millisecond {
			t.Errorf("flush %d: a read took %v", nth, worst)
		}
	}
}

func slowestReadDuringFlush(t *testing.T, nth int) (worst time.Duration) {
	r := newRig(Options{}, vfs.MemOptions{})
	r.group(repeat(50, 9000)...)
	f := r.file
	held := make(chan struct{})
	r.fault.Add(vfs.Rule{Ops: vfs.OpSync, Nth: nth, Hook: func(vfs.OpInfo) {
		close(held)
		time.Sleep(time.Second)
	}})
	c := f.Submit(Write{Slot: 7, Scheme: codec.None, Data: payload(7, 9, 9000)})
	<-held
	var buf []byte
	for i := range 1000 {
		start := time.Now()
		rec, err := f.Read(Slot(i%50), buf)
		worst = max(worst, time.Since(start))
		if err != nil {
			t.Fatal(err)
		}
		buf = rec.Buffer()
	}
	select {
	case <-c.Done():
		t.Log("the reads outlasted the flush") // a very busy machine; each counts all the same
	default:
	}
	if err := c.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	r.finish()
	return worst
}

func publishAll(t testing.TB, f *File, writes ...Write) {
	t.Helper()
	g, err := f.Stage(writes...)
	if err == nil {
		err = g.Publish()
	}
	if err != nil {
		t.Fatal(err)
	}
	g.Release()
}

// A header never comes back with other content, even if the clock stands
// still: each is unlike all before it.
func TestHeaderNeverComesBack(t *testing.T) {
	r := newRig(Options{}, vfs.MemOptions{})
	rng := rand.New(rand.NewPCG(7, 7))
	seen := map[Header]int{}
	for n := range 2000 {
		e := edit{slot: Slot(rng.IntN(3)), size: 4000 * rng.IntN(3)}
		if f := r.use(); e.size == 0 && f.Entry(e.slot).Empty() {
			continue // changes nothing
		}
		r.save(e)
		if before, ok := seen[*r.file.Header()]; ok {
			t.Fatalf("the header of write %d is that of write %d", n, before)
		}
		seen[*r.file.Header()] = n
	}
	r.settle(t, nil)
}

// What is acknowledged is found after a power cut: the file, its folder and
// the folders above it, also if making their names durable failed at first.
func TestAcknowledgedChunkHasADurablePath(t *testing.T) {
	for nth := range 6 {
		m := vfs.NewMem(vfs.MemOptions{})
		fault := vfs.NewFault(m)
		fault.Add(vfs.Rule{Ops: vfs.OpSyncDir, Nth: nth, Err: errPlanned})
		c := ChunkPos{3, 4}
		data := payload(c.Slot(), 1, 100)
		acknowledged := false
		for range 3 {
			d, err := OpenFolder("new/dimensions/region", FolderOptions{Options: Options{FS: fault}})
			if err != nil {
				wantErr(t, err, errPlanned)
				continue
			}
			err = d.Write(context.Background(), c, Write{Scheme: codec.None, Data: data})
			if cerr := d.Close(); cerr != nil {
				t.Fatal(cerr)
			}
			if err == nil {
				acknowledged = true
				break
			}
			wantErr(t, err, errPlanned)
		}
		if !acknowledged {
			t.Fatal("no write went through")
		}
		disk := m.CrashClone(vfs.CrashOptions{})
		d, err := OpenFolder("new/dimensions/region", FolderOptions{Options: Options{FS: disk, ReadOnly: true}})
		if err != nil {
			t.Fatalf("folder flush %d failed: %v", nth, err)
		}
		rec, err := d.Read(c, nil)
		if err != nil || !bytes.Equal(rec.Data, data) {
			t.Errorf("folder flush %d failed: %v", nth, err)
		}
		d.Close()
	}
}

// A writer is invisible until Finish, and does not flush before it unless it is
// told to: a power cut at any operation leaves the whole file or none.
func TestWriterIsInvisibleUntilFinish(t *testing.T) {
	t.Run("finished", func(t *testing.T) { testWriter(t, false) })
	t.Run("flushed before", func(t *testing.T) { testWriter(t, true) })
}

func testWriter(t *testing.T, flush bool) {
	t.Helper()
	for n := 0; ; n++ {
		r := newRig(Options{}, vfs.MemOptions{})
		w, err := Create(testPath, r.opts)
		if err != nil {
			t.Fatal(err)
		}
		syncs := r.fault.Count(vfs.OpSync)
		for s := range Slot(300) {
			if err := w.Put(s, Record{Scheme: codec.None, Data: cachedPayload(s, 1, 9000), Entry: Entry{Timestamp: 5}}); err != nil {
				t.Fatal(err)
			}
		}
		if r.fault.Count(vfs.OpSync) != syncs {
			t.Fatal("flushed before Finish")
		}
		if flush {
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			syncs = r.fault.Count(vfs.OpSync)
		}
		if _, err := r.mem.Stat(testPath); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("visible before Finish: %v", err)
		}
		crash := r.fault.Add(vfs.Rule{Ops: vfs.OpMutating, Nth: n, Crash: true})
		err = w.Finish()
		for seed := range uint64(8) {
			disk := r.mem.CrashClone(vfs.CrashOptions{Keep: vfs.Keep(min(seed, 2)), Seed: seed})
			wantWholeOrNone(t, disk, err == nil)
		}
		if crash.Fired() == 0 {
			if err != nil {
				t.Fatal(err)
			}
			if again := r.fault.Count(vfs.OpSync) != syncs; again == flush {
				t.Errorf("Finish flushes the file: %v", again)
			}
			return
		}
	}
}

func wantWholeOrNone(t *testing.T, disk *vfs.Mem, finished bool) {
	t.Helper()
	f, err := Open(testPath, Options{FS: disk, ReadOnly: true})
	if errors.Is(err, fs.ErrNotExist) && !finished {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := range Slot(300) {
		wantRecord(t, f, s, cachedPayload(s, 1, 9000))
	}
}

// One publish at a time: a sealed group keeps others of its file waiting, and
// the header of each holds what was published before.
func TestSealedGroupKeepsOthersWaiting(t *testing.T) {
	r := newRig(Options{}, vfs.MemOptions{})
	a, b := r.stage(edit{slot: 1, size: 100}), r.stage(edit{slot: 2, size: 100})
	if _, _, err := a.g.Seal(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- b.g.Publish() }()
	if r.file.gate.TryLock() {
		t.Fatal("a sealed group does not hold the gate")
	}
	r.publish(a)
	r.submit(b.saves)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	r.ack(b.saves)
	b.g.Release()
	for s := Slot(1); s <= 2; s++ {
		if r.file.Entry(s).Empty() {
			t.Fatalf("slot %d was lost", s)
		}
	}
	r.settle(t, nil)
}
