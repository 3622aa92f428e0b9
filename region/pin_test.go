package region

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"strata/bench/testbed"
	"strata/region/codec"
	"strata/region/vfs"
)

// A pin reads its moment while 10,000 writes go on, external bodies
// included. 10,000 writes on a submission, 100,000 nightly.
func TestPinReadsItsMomentWhileWritesGoOn(t *testing.T) {
	writes := testbed.Runs(t, 10_000)
	m := newWorld(t)
	f := open(t, m, Options{})
	const slots = 40
	sizes := func(s Slot) int { return 500 + int(s)*400 }
	for s := range Slot(slots) {
		write(t, f, s, payload(s, 0, sizes(s)))
	}
	write(t, f, slots, payload(slots, 0, big))
	pin, err := f.Pin()
	if err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var reads atomic.Int64
	var wg sync.WaitGroup
	wg.Go(func() {
		var buf []byte
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			s := Slot(i % slots)
			want := cachedPayload(s, 0, sizes(s))
			if i%500 == 7 {
				s, want = slots, cachedPayload(slots, 0, big)
			}
			rec, err := pin.Read(s, buf)
			if err != nil || !bytes.Equal(rec.Data, want) {
				t.Errorf("slot %d of the pin: %s, %v", s, describe(rec.Data), err)
				return
			}
			buf = rec.Buffer()
			reads.Add(1)
		}
	})
	rng := rand.New(rand.NewPCG(1, 2))
	data := payload(0, 1, 30_000)
	var last *Commit
	for n := range writes {
		w := Write{Slot: Slot(rng.IntN(slots)), Scheme: codec.None, Data: data[:100+rng.IntN(20_000)]}
		if n%2500 == 10 {
			w.Slot, w.Data = slots, cachedPayload(slots, n, big+n)
		}
		if last = f.Submit(w); n%64 == 63 {
			if err := last.Wait(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := last.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	close(stop)
	wg.Wait()
	for s := range Slot(slots) {
		rec, err := pin.Read(s, nil)
		if err != nil || !bytes.Equal(rec.Data, payload(s, 0, sizes(s))) {
			t.Fatalf("slot %d of the pin: %v", s, err)
		}
	}
	if err := pin.Release(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d writes, %d reads of the pin", writes, reads.Load())
}

// While a file is pinned it is not cut, punched, compacted or restored, and
// afterwards it is.
func TestPinnedFileIsNotCutPunchedOrCompacted(t *testing.T) {
	r := newRig(Options{PunchHoles: true}, vfs.MemOptions{})
	r.group(repeat(6, 9000)...)
	r.save(edit{slot: 9, size: 400_000}) // the tail
	p := r.pin()
	cuts := vfs.OpTruncate | vfs.OpPunch
	before := r.fault.Count(cuts)
	r.save(edit{slot: 9}, edit{slot: 1, size: 5000}, edit{slot: 1, size: 9000}, edit{slot: 2, size: 100})
	r.save(edit{slot: 9, size: 500_000}, edit{slot: 9}) // beyond what is pinned
	if n := r.fault.Count(cuts) - before; n != 0 {
		t.Errorf("%d cuts and holes under a pin", n)
	}
	wantErr(t, r.file.Compact(), ErrPinned)
	wantErr(t, r.file.Restore(r.file.Header()), ErrPinned)
	r.unpin(p)
	r.save(edit{slot: 3, size: 20_000}, edit{slot: 3, size: 100}, edit{slot: 9, size: 500_000}, edit{slot: 9})
	if r.fault.Count(vfs.OpTruncate) == 0 || r.fault.Count(vfs.OpPunch) == 0 {
		t.Error("nothing was given back after the pin")
	}
	if err := r.file.Compact(); err != nil {
		t.Error(err)
	}
	r.settle(t, nil)
}

// A pin of a folder is of one moment: a writer that writes two files one
// after the other is never seen with the second ahead of the first.
func TestFolderPinIsOfOneMoment(t *testing.T) {
	d := openFolder(t, newWorld(t), FolderOptions{})
	chunks := []ChunkPos{{0, 0}, {32, 0}, {64, 0}, {96, 0}}
	for _, c := range chunks {
		put(t, d, c, 0, 100)
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for v := 1; ; v++ {
			for _, c := range chunks {
				select {
				case <-stop:
					return
				default:
				}
				err := d.Write(context.Background(), c, Write{Scheme: codec.None, Data: payload(c.Slot(), v, 100+v%7*3000)})
				if err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
	moved := uint64(0)
	pins := testbed.Runs(t, 300)
	for n := 0; n < pins || moved < 20; n++ {
		fp, err := d.Pin(0)
		if err != nil {
			t.Fatal(err)
		}
		var versions []uint64
		for _, c := range chunks {
			rec, err := fp.Read(c, nil)
			if err != nil {
				t.Fatal(err)
			}
			versions = append(versions, binary.LittleEndian.Uint64(rec.Data[8:]))
		}
		for i := 1; i < len(versions); i++ {
			if versions[i] > versions[i-1] || versions[i]+1 < versions[0] {
				t.Fatalf("versions %v are of no one moment", versions)
			}
		}
		moved = versions[0]
		if err := fp.Release(); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	wg.Wait()
	t.Logf("%d rounds were written meanwhile", moved)
}

// A file that is opened after a folder's pin began joins it before anything
// is published in it; one that is made later is not in it.
func TestFilesOpenedLaterJoinThePinAndNewOnesDoNot(t *testing.T) {
	m := newWorld(t)
	d, err := OpenFolder("w", FolderOptions{Options: Options{FS: m}})
	if err != nil {
		t.Fatal(err)
	}
	put(t, d, ChunkPos{0, 0}, 1, 9000)
	put(t, d, ChunkPos{32, 0}, 1, 9000)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d = openFolder(t, m, FolderOptions{MaxOpen: 4})
	fp, err := d.Pin(0) // nothing is open
	if err != nil {
		t.Fatal(err)
	}
	for v := 2; v < 6; v++ {
		for x := range int32(12) { // more files than may be open
			put(t, d, ChunkPos{x * 32, 0}, v, 9000)
		}
	}
	for _, c := range []ChunkPos{{0, 0}, {32, 0}} {
		rec, err := fp.Read(c, nil)
		if err != nil || !bytes.Equal(rec.Data, payload(c.Slot(), 1, 9000)) {
			t.Fatalf("%v of the pin: %v", c, err)
		}
	}
	for x := int32(2); x < 12; x++ {
		_, err := fp.Read(ChunkPos{x * 32, 0}, nil)
		wantErr(t, err, ErrAbsent)
		_, err = fp.Region(Pos{x, 0})
		wantErr(t, err, fs.ErrNotExist)
	}
	regions, err := fp.Regions()
	if err != nil || len(regions) != 2 {
		t.Fatalf("regions of the pin: %v, %v", regions, err)
	}
	if err := errors.Join(fp.Release(), fp.Release()); err != nil {
		t.Fatal(err)
	}
	put(t, d, ChunkPos{0, 0}, 9, 100)
}

// A reader of a pin that stands still does not keep writers waiting.
func TestPinNeverBlocksAWriter(t *testing.T) {
	r := newRig(Options{}, vfs.MemOptions{})
	r.group(repeat(6, 9000)...)
	r.save(edit{slot: 7, size: big})
	f := r.file
	p := r.pin()
	stopped, resume := make(chan struct{}), make(chan struct{})
	r.fault.Add(vfs.Rule{Ops: vfs.OpRead, Hook: func(vfs.OpInfo) {
		close(stopped)
		<-resume
	}})
	done := make(chan error)
	go func() {
		_, err := p.pin.Read(1, nil)
		done <- err
	}()
	<-stopped
	r.group(edit{slot: 1, size: 20_000}, edit{slot: 7, size: big + 5}, edit{slot: 2})
	r.save(edit{slot: 1, size: 500}, edit{slot: 3, size: 700})
	if f.Metrics().Writes < 6+1+5 {
		t.Fatal("the writes did not go through")
	}
	close(resume)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	r.unpin(p)
	r.settle(t, nil)
}

// A pin that holds back more than its limit is revoked, and says so; writers
// do not notice, and what it held is used again.
func TestPinIsRevokedAtItsLimit(t *testing.T) {
	r := newRig(Options{PinLimit: 100 * SectorBytes}, vfs.MemOptions{})
	r.group(repeat(40, 16_000)...)
	pin, err := r.use().Pin()
	if err != nil {
		t.Fatal(err)
	}
	for s := range Slot(25) {
		r.save(edit{slot: s, size: 16_000})
	}
	if pin.Revoked() {
		t.Fatal("revoked at its limit already")
	}
	for s := Slot(25); s < 30; s++ {
		r.save(edit{slot: s, size: 16_000})
	}
	if !pin.Revoked() {
		t.Fatal("not revoked beyond its limit")
	}
	_, err = pin.Read(0, nil)
	wantErr(t, err, ErrPinRevoked)
	if len(r.events) != 1 || r.events[0].Kind != PinRevoked {
		t.Fatalf("events: %v", r.events)
	}
	if _, live := r.file.Size(); live != (2+40*4)*SectorBytes {
		t.Fatalf("%d live sectors: the revoked pin still holds some", live/SectorBytes)
	}
	if err := pin.Release(); err != nil {
		t.Fatal(err)
	}
	r.settle(t, nil)
}

// The pins of a folder share one limit: a snapshot with a hole is none.
func TestFolderPinIsRevokedWhole(t *testing.T) {
	d := openFolder(t, newWorld(t), FolderOptions{})
	for x := range int32(3) {
		put(t, d, ChunkPos{x * 32, 0}, 1, 16_000)
	}
	fp, err := d.Pin(6 * SectorBytes)
	if err != nil {
		t.Fatal(err)
	}
	put(t, d, ChunkPos{0, 0}, 2, 100)
	put(t, d, ChunkPos{32, 0}, 2, 100)
	if !fp.Revoked() {
		t.Fatal("two files hold back 8 sectors of 6 and the pin goes on")
	}
	_, err = fp.Read(ChunkPos{64, 0}, nil)
	wantErr(t, err, ErrPinRevoked)
	if err := fp.Release(); err != nil {
		t.Fatal(err)
	}
}

// A pin ends with its file.
func TestPinEndsWithClose(t *testing.T) {
	r := newRig(Options{}, vfs.MemOptions{})
	r.save(edit{slot: 1, size: 9000}, edit{slot: 2, size: big})
	p := r.pin()
	r.close()
	for s := Slot(1); s <= 2; s++ {
		_, err := p.pin.Read(s, nil)
		wantErr(t, err, ErrPinRevoked)
	}
	if err := p.pin.Release(); err != nil {
		t.Fatal(err)
	}
	_, err := r.use().Pin()
	if err != nil {
		t.Fatal(err)
	}
	r.settle(t, nil)
}

// An external body is opened for the pin before it is renamed over or
// removed, with both semantics of open files; nothing is left over.
func TestPinKeepsExternalBodies(t *testing.T) {
	for _, memory := range []vfs.MemOptions{{}, windows} {
		r := newRig(Options{}, memory)
		r.save(repeat(3, big)...)
		p, q := r.pin(), r.pin()
		if _, err := q.pin.Read(0, nil); err != nil { // has it open already
			t.Fatal(err)
		}
		r.save(edit{slot: 0, size: big + 1}, edit{slot: 1, size: 100}, edit{slot: 2})
		later := r.pin()
		r.save(edit{slot: 0}, edit{slot: 1, size: big}, edit{slot: 2, size: big})
		r.check(p)
		r.check(later)
		r.unpin(p)
		r.check(q)
		r.unpin(q)
		r.unpin(later)
		r.save(repeat(3, 0)...)
		r.settle(t, nil)
		entries, err := r.mem.ReadDir("w")
		if err != nil || len(entries) != 1 {
			t.Errorf("windows %v: left over %v, %v", memory.Windows, entries, err)
		}
	}
}
