package region

import (
	"bytes"
	"context"
	"sync"
	"testing"

	"strata/bench/testbed"
	"strata/region/codec"
	"strata/region/vfs"
)

// windows makes a file system in which open files are neither renamed nor
// removed, folders are not flushed and nothing is cloned.
var windows = vfs.MemOptions{Windows: true}

// TestWorkloadsSurviveCrashesOnWindows is TestCrashPoints under Windows
// semantics: 3,000 states on a submission, as many as STRATA_LONG_RUNS says
// nightly.
func TestWorkloadsSurviveCrashesOnWindows(t *testing.T) {
	total := crashAll(t, testbed.Runs(t, 3000), windows)
	t.Logf("%d workloads: %v", len(workloads), total)
}

// TestEveryOperationFailsOnWindows is TestEveryOperationFails under Windows
// semantics, for every 5th operation.
func TestEveryOperationFailsOnWindows(t *testing.T) {
	total := failAll(t, 5, windows)
	t.Logf("%d workloads: %v", len(workloads), total)
}

// A handle that is lost while files are exchanged, because the new one cannot
// be opened, is found again, with the layout of the file that is there.
func TestFileIsFoundAgainAfterAnExchangeThatCouldNotOpenIt(t *testing.T) {
	for _, c := range []struct {
		name   string
		rename bool // the rename fails as well
		change func(f *File, r *rig) error
	}{
		{"compact", false, func(f *File, _ *rig) error { return f.Compact() }},
		{"compact-not-renamed", true, func(f *File, _ *rig) error { return f.Compact() }},
		{"broken-link", false, func(f *File, r *rig) error {
			r.link("snapshot")
			_, err := f.Stage(Write{Slot: 1, Scheme: codec.None, Data: payload(1, 9, 3000)})
			return err
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(Options{}, windows)
			r.group(repeat(6, 9000)...)
			r.group(edit{slot: 0, size: 100}, edit{slot: 2}, edit{slot: 4, size: 20_000})
			f := r.use()
			// The exchange closes our handle and opens r.0.0.mca again.
			lost := r.fault.Add(vfs.Rule{Ops: vfs.OpOpen, Name: "r.0.0.mca", Nth: opensBefore(c.name), Forever: true, Err: errPlanned})
			if c.rename {
				r.fault.Add(vfs.Rule{Ops: vfs.OpRename, Nth: 1, Err: errPlanned})
			}
			wantErr(t, c.change(f, r), errPlanned)
			_, err := f.Read(1, nil)
			wantErr(t, err, errPlanned)
			if lost.Fired() < 2 {
				t.Fatal("reading did not try to open the file again")
			}
			lost.Withdraw()
			y := &tally{}
			y.live(r)
			r.save(edit{slot: 1, size: 5000}, edit{slot: 7, size: 9000})
			y.live(r)
			r.finish()
			y.inspect(r.mem, "w", r.ledger)
			y.inspectLinks(r.mem, r)
			for _, p := range y.problems {
				t.Error(p)
			}
			for _, err := range r.errs {
				t.Error(err)
			}
			r.fault.Verify(t)
		})
	}
}

// opensBefore is how often the file is opened before the exchange opens it.
func opensBefore(change string) int {
	if change == "broken-link" {
		return 2 // to link it, to copy it
	}
	return 0
}

// Closing a file whose handle is lost is no crash.
func TestLostFileIsClosed(t *testing.T) {
	r := newRig(Options{}, windows)
	r.group(repeat(3, 9000)...)
	f := r.use()
	lost := r.fault.Add(vfs.Rule{Ops: vfs.OpOpen, Name: "r.0.0.mca", Forever: true, Err: errPlanned})
	wantErr(t, f.Compact(), errPlanned)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	lost.Withdraw()
	_, err := f.Read(1, nil)
	wantErr(t, err, ErrClosed)
	r.fault.Verify(t)
}

// Readers go on while files are exchanged for which the handle has to be
// closed: they wait, and then read the same records at other places.
func TestReadersSurviveExchangesOnWindows(t *testing.T) {
	r := newRig(Options{}, windows)
	r.group(repeat(16, 9000)...)
	r.save(edit{slot: 3, size: big})
	f := r.use()
	want := r.contents(f.Read)
	done := make(chan struct{})
	var readers sync.WaitGroup
	for g := range 2 {
		readers.Go(func() {
			var buf []byte
			for i := g; ; i++ {
				select {
				case <-done:
					return
				default:
				}
				s := Slot(i % 16)
				rec, err := f.Read(s, buf)
				if err != nil {
					t.Errorf("slot %d: %v", s, err)
					return
				}
				if !bytes.Equal(rec.Data, want[s]) {
					t.Errorf("slot %d: %s", s, describe(rec.Data))
					return
				}
				buf = rec.Buffer()
			}
		})
	}
	for i := range 40 {
		w := Write{Slot: Slot(20 + i%3), Scheme: codec.None, Data: payload(20, i, 1000*(i%7+1))}
		if err := f.Write(context.Background(), w); err != nil {
			t.Error(err)
		}
		if err := f.Compact(); err != nil {
			t.Error(err)
		}
	}
	close(done)
	readers.Wait()
	r.finish()
}
