package region

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"strata/region/codec"
	"strata/region/vfs"
)

// sealed stages and seals a group as a journal does.
func sealed(t *testing.T, f *File, writes ...Write) *Group {
	t.Helper()
	g, err := f.Stage(writes...)
	if err != nil {
		t.Fatal(err)
	}
	if g.File() != f {
		t.Error("the group names another file")
	}
	if _, _, err := g.Seal(); err != nil {
		t.Fatal(err)
	}
	return g
}

func plain(s Slot, version, size int) Write {
	return Write{Slot: s, Scheme: codec.None, Data: payload(s, version, size), Journaled: true}
}

// gateIsHeld reports whether publishes of the file wait.
func gateIsHeld(f *File) bool {
	if f.gate.TryLock() {
		f.gate.Unlock()
		return false
	}
	return true
}

// While a record describes the header nobody else may publish one.
func TestRecordedGroupHoldsTheGateUntilReleased(t *testing.T) {
	r := newRig(Options{}, vfs.MemOptions{})
	r.group(repeat(4, 9000)...)
	f := r.use()
	old := f.Entry(1).Location
	g := sealed(t, f, plain(1, 9, 9000))
	if err := g.PublishRecorded(); err != nil {
		t.Fatal(err)
	}
	if !gateIsHeld(f) {
		t.Error("another group may be published before the record is retired")
	}
	other, err := f.Stage(plain(2, 9, 9000))
	if err != nil {
		t.Fatal(err)
	}
	if at := other.items[0].place.start; at >= old.Sector() && at < old.Sector()+old.Count() {
		t.Error("sectors of the old version were used before the record is retired")
	}
	g.Release()
	if gateIsHeld(f) {
		t.Error("the gate is held after Release")
	}
	g.Strand() // does nothing any more
	if err := other.Publish(); err != nil {
		t.Fatal(err)
	}
	other.Release()
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

func TestPublishRecordedNeedsASealedGroup(t *testing.T) {
	r := newRig(Options{}, vfs.MemOptions{})
	f := r.use()
	g, err := f.Stage(plain(1, 1, 100))
	if err != nil {
		t.Fatal(err)
	}
	wantErr(t, g.PublishRecorded(), ErrDone)
	g.Strand() // nor can it be stranded
	g.Abort()
	wantErr(t, g.PublishRecorded(), ErrDone)
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// A recorded group that could not be published keeps what its record names,
// and is published when it is tried again.
func TestRecordedGroupIsPublishedAtTheSecondTry(t *testing.T) {
	for _, c := range []struct {
		name string
		rule vfs.Rule
	}{
		{"body-not-renamed", vfs.Rule{Ops: vfs.OpRename, Err: errPlanned}},
		{"second-body-not-renamed", vfs.Rule{Ops: vfs.OpRename, Nth: 1, Err: errPlanned}},
		{"folder-not-flushed", vfs.Rule{Ops: vfs.OpSyncDir, Err: errPlanned}},
		{"links-not-counted", vfs.Rule{Ops: vfs.OpStat, Err: errPlanned}},
		{"header-not-flushed", vfs.Rule{Ops: vfs.OpSync, Name: "r.*", Forever: true, Err: errPlanned}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(Options{}, vfs.MemOptions{})
			r.group(repeat(6, 9000)...)
			f := r.use()
			g := sealed(t, f, plain(1, 9, 7000), plain(2, 9, big), plain(3, 9, big), Write{Slot: 4, Delete: true})
			place := g.items[0].place
			planned := r.fault.Add(c.rule)
			wantErr(t, g.PublishRecorded(), errPlanned)
			planned.Withdraw()
			if !gateIsHeld(f) {
				t.Fatal("the gate is free after the error")
			}
			other, err := f.Stage(plain(5, 9, 7000))
			if err != nil {
				t.Fatal(err)
			}
			if other.items[0].place.start == place.start {
				t.Fatal("sectors that the record names were allocated")
			}
			if err := g.PublishRecorded(); err != nil {
				t.Fatal(err)
			}
			g.Release()
			third, err := f.Stage(plain(10, 9, 7000))
			if err != nil {
				t.Fatal(err)
			}
			if third.items[0].place.start == place.start {
				t.Fatal("sectors that the header names were allocated")
			}
			third.Abort()
			if err := other.Publish(); err != nil {
				t.Fatal(err)
			}
			other.Release()
			for s, want := range map[Slot][]byte{1: payload(1, 9, 7000), 2: payload(2, 9, big), 3: payload(3, 9, big), 5: payload(5, 9, 7000)} {
				if rec, err := f.Read(s, nil); err != nil || string(rec.Data) != string(want) {
					t.Errorf("slot %d: %v, %s", s, err, describe(rec.Data))
				}
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// A stranded file keeps everything as the record has it until it is opened
// again.
func TestStrandedFileTakesNoWrites(t *testing.T) {
	for _, published := range []bool{false, true} {
		r := newRig(Options{}, vfs.MemOptions{})
		r.group(repeat(6, 9000)...)
		f := r.use()
		g := sealed(t, f, plain(1, 9, 7000), plain(2, 9, big))
		early, err := f.Stage(plain(3, 5, 400_000)) // leaves a tail that Close would cut off
		if err != nil {
			t.Fatal(err)
		}
		body := g.items[1].body
		if published {
			if err := g.PublishRecorded(); err != nil {
				t.Fatal(err)
			}
		}
		g.Strand()
		before, err := vfs.ReadFile(r.mem, testPath, 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		if gateIsHeld(f) {
			t.Error("the gate is held by nobody")
		}
		_, err = f.Stage(plain(1, 10, 100))
		wantErr(t, err, ErrStranded)
		wantErr(t, early.Publish(), ErrStranded)
		wantErr(t, f.Write(context.Background(), plain(1, 10, 100)), ErrStranded)
		wantErr(t, f.Restore(f.Header()), ErrStranded)
		wantErr(t, f.Compact(), ErrStranded)
		want := 0
		if published {
			want = 9
		}
		rec, err := f.Read(1, nil)
		if isNew := string(rec.Data) == string(payload(1, 9, 7000)); err != nil || isNew != (want == 9) {
			t.Errorf("published %v: slot 1 reads %s, %v", published, describe(rec.Data), err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if after, err := vfs.ReadFile(r.mem, testPath, 1<<30); err != nil || string(after) != string(before) {
			t.Errorf("published %v: the file has changed (%v)", published, err)
		}
		if _, err := r.mem.Stat(body); !published && err != nil {
			t.Errorf("the temporary body is gone: %v", err)
		}
		r.file = nil
		r.save(edit{slot: 1, size: 50})
		if len(r.errs) > 0 {
			t.Errorf("after opening it again: %v", r.errs)
		}
		r.finish()
	}
}

// A folder does not close a stranded file to open it afresh for the next user.
func TestFolderKeepsStrandedFilesOpen(t *testing.T) {
	mem := vfs.NewMem(vfs.MemOptions{})
	d, err := OpenFolder("w", FolderOptions{Options: Options{FS: mem}, MaxOpen: 4})
	if err != nil {
		t.Fatal(err)
	}
	f, release, err := d.Acquire(Pos{}, true)
	if err != nil {
		t.Fatal(err)
	}
	sealed(t, f, plain(1, 1, 100)).Strand()
	release()
	for x := range int32(12) {
		if err := d.Write(context.Background(), ChunkPos{X: 64 + x*32}, plain(0, 1, 100)); err != nil {
			t.Fatal(err)
		}
	}
	wantErr(t, d.Write(context.Background(), ChunkPos{}, plain(0, 1, 100)), ErrStranded)
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// A record counts only if the names it relies on survive a power cut.
func TestUnflushedFolderIsNamedUntilItIsFlushed(t *testing.T) {
	r := newRig(Options{}, vfs.MemOptions{})
	f := r.use()
	g := sealed(t, f, plain(1, 1, 100))
	if dir := g.UnflushedFolder(); dir != filepath.Dir(testPath) {
		t.Errorf("folder of a new file is %q", dir)
	}
	if err := g.PublishRecorded(); err != nil {
		t.Fatal(err)
	}
	g.Release()
	g = sealed(t, f, plain(1, 2, 100))
	if dir := g.UnflushedFolder(); dir != "" {
		t.Errorf("folder of a file that is durable is %q", dir)
	}
	g.Abort()
	g = sealed(t, f, plain(1, 3, big))
	if dir := g.UnflushedFolder(); dir != filepath.Dir(testPath) {
		t.Errorf("folder of a temporary body is %q", dir)
	}
	names, err := r.mem.ReadDir(filepath.Dir(testPath))
	if err != nil || !strings.HasPrefix(names[0].Name(), TemporaryPrefix) {
		t.Errorf("no temporary body: %v, %v", names, err)
	}
	g.Abort()
	r.finish()
	if err := errors.Join(r.errs...); err != nil {
		t.Error(err)
	}
}
