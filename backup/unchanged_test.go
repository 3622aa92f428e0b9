package backup

import (
	"bytes"
	"io/fs"
	"strata/anvil/session"
	"testing"
	"time"

	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// TestInPlaceWritesAreSeen (H6): the size stays, and perhaps the time.
func TestInPlaceWritesAreSeen(t *testing.T) {
	const dir = "dimensions/minecraft/overworld/region"
	c := region.ChunkPos{X: 1, Z: 1}
	cases := map[string]func(r *rig){
		"a chunk by the engine": func(r *rig) { r.write(dir, c, 500) },
		"a payload under the old timestamp within the second of the snapshot": func(r *rig) {
			r.now = r.now.Add(-time.Minute) // when the snapshot was made
			f := r.region(dir, c.Region())
			stamp := f.Entry(c.Slot()).Timestamp
			must(r.t, f.Write(ctx, region.Write{Slot: c.Slot(), Scheme: codec.Zlib, Data: zlibbed(r.t, r.document(c, 500)), Timestamp: stamp, SetTimestamp: true}))
			must(r.t, f.Close())
			r.now = r.now.Add(time.Minute)
		},
		"a payload under an unchanged header": func(r *rig) {
			f := r.region(dir, c.Region())
			at := int64(f.Entry(c.Slot()).Location.Sector()) * region.SectorBytes
			must(r.t, f.Close())
			r.overwrite(dir+"/"+c.Region().Name(), at+20, []byte{1, 2, 3, 4})
		},
		"a data file of the same size": func(r *rig) {
			r.overwrite("dimensions/minecraft/overworld/data/mod/things.bin", 100, []byte("changed"))
		},
		"a chunk that was deleted": func(r *rig) {
			f := r.region(dir, c.Region())
			must(r.t, f.Write(ctx, region.Write{Slot: c.Slot(), Delete: true}))
			must(r.t, f.Close())
		},
		"a file that is gone": func(r *rig) { r.remove("empty.txt") },
	}
	for name, change := range cases {
		bothTargets(t, func(t *testing.T, target Target) {
			t.Run(name, func(t *testing.T) {
				r := newRig(t, target)
				r.write(dir, c, 700)
				r.create(CreateOptions{})
				change(r)
				rep := r.create(CreateOptions{})
				r.want(rep.ID, r.live(false), false)
			})
		})
	}
}

// coarseFS has times that are as coarse as step.
type coarseFS struct {
	*vfs.Mem
	step time.Duration
}

func (f *coarseFS) coarse(i vfs.FileInfo, err error) (vfs.FileInfo, error) {
	i.ModTime, i.ChangeTime = i.ModTime.Truncate(f.step), i.ChangeTime.Truncate(f.step)
	return i, err
}

func (f *coarseFS) Stat(name string) (vfs.FileInfo, error)  { return f.coarse(f.Mem.Stat(name)) }
func (f *coarseFS) Lstat(name string) (vfs.FileInfo, error) { return f.coarse(f.Mem.Lstat(name)) }

func (f *coarseFS) OpenFile(name string, flag int, perm fs.FileMode) (vfs.File, error) {
	file, err := f.Mem.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return &coarseFile{file, f}, nil
}

type coarseFile struct {
	vfs.File
	fs *coarseFS
}

func (f *coarseFile) Stat() (vfs.FileInfo, error) { return f.fs.coarse(f.File.Stat()) }

// TestAFileThatChangesWhileItsTimeStandsIsRead (H6): its times may be as coarse as
// those of a kernel's clock, or of a file system that has seconds.
func TestAFileThatChangesWhileItsTimeStandsIsRead(t *testing.T) {
	for _, step := range []time.Duration{10 * time.Millisecond, time.Second} {
		bothTargets(t, func(t *testing.T, target Target) {
			r := newRig(t, target)
			r.fs = &coarseFS{r.mem, step}
			r.open()
			const name = "dimensions/minecraft/overworld/data/mod/things.bin"
			r.now = r.now.Add(time.Minute + 700*time.Millisecond)
			r.overwrite(name, 100, []byte("once"))
			before, err := r.fs.Stat(r.worldPath(name))
			must(t, err)
			_, err = r.repo.Create(ctx, r.world, CreateOptions{})
			must(t, err)
			r.overwrite(name, 100, []byte("then"))
			after, err := r.fs.Stat(r.worldPath(name))
			must(t, err)
			if before != after {
				t.Fatalf("its times tell: %v, %v", before, after)
			}
			r.now = r.now.Add(time.Minute)
			rep, err := r.repo.Create(ctx, r.world, CreateOptions{})
			must(t, err)
			r.want(rep.ID, r.live(false), false)
		})
	}
}

// TestANewInodeIsReadAnew: a file that was put in the place of another may hold
// anything, whatever its header says of the slots that seem unchanged.
func TestANewInodeIsReadAnew(t *testing.T) {
	const name = "dimensions/minecraft/overworld/region/r.0.0.mca"
	r := newRig(t, Repo)
	dir, a, b := "dimensions/minecraft/overworld/region", region.ChunkPos{X: 1, Z: 1}, region.ChunkPos{X: 2, Z: 2}
	r.write(dir, a, 700)
	r.write(dir, b, 700)
	r.create(CreateOptions{})
	r.write(dir, b, 800)
	f := r.region(dir, region.Pos{})
	at := int64(f.Entry(a.Slot()).Location.Sector()) * region.SectorBytes
	must(t, f.Close())
	data, err := vfs.ReadFile(r.fs, r.worldPath(name), 1<<30)
	must(t, err)
	data[at+30] ^= 1
	r.put(name, data)
	rep := r.create(CreateOptions{})
	r.want(rep.ID, r.live(false), false)
}

// TestARacySlotIsReadAgain: a slot that is stamped within the second before the
// snapshot may be written again without a sign.
func TestARacySlotIsReadAgain(t *testing.T) {
	const dir = "dimensions/minecraft/overworld/region"
	c := region.ChunkPos{X: 2, Z: 2}
	bothTargets(t, func(t *testing.T, target Target) {
		r := newRig(t, target)
		r.now = r.now.Add(time.Minute)
		r.write(dir, c, 700)
		first, err := r.repo.Create(ctx, r.world, CreateOptions{})
		must(t, err)
		f := r.region(dir, c.Region())
		e := f.Entry(c.Slot())
		must(t, f.Close())
		if int64(e.Timestamp) < first.Time.Unix()-1 {
			t.Fatal("the slot is not racy")
		}
		rep, err := r.repo.Create(ctx, r.world, CreateOptions{})
		must(t, err)
		if rep.ChangedFiles == 0 {
			t.Error("nothing was read again")
		}
	})
}

// TestAClockThatWentBackReadsEverything (H6, case 40).
func TestAClockThatWentBackReadsEverything(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		r := newRig(t, target)
		first := r.create(CreateOptions{})
		r.now = r.now.Add(-time.Hour)
		rep, err := r.repo.Create(ctx, r.world, CreateOptions{})
		must(t, err)
		if rep.ChangedFiles != first.Files {
			t.Errorf("%d of %d files were read", rep.ChangedFiles, first.Files)
		}
		if compareIDs(first.ID, rep.ID) >= 0 {
			t.Errorf("%s was made after %s", rep.ID, first.ID)
		}
		latest, err := r.repo.Find(ctx, Latest)
		must(t, err)
		if latest.ID != rep.ID {
			t.Errorf("the latest snapshot is %s, not %s", latest.ID, rep.ID)
		}
	})
}

// TestParanoidReadsEverything.
func TestParanoidReadsEverything(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		r := newRig(t, target)
		first := r.create(CreateOptions{})
		if rep := r.create(CreateOptions{Paranoid: true}); rep.ChangedFiles != first.Files {
			t.Errorf("%d of %d files were read", rep.ChangedFiles, first.Files)
		}
	})
}

// TestAFileThatChangesWhileItIsReadIsReadAgain (case 24): beside another program.
func TestAFileThatChangesWhileItIsReadIsReadAgain(t *testing.T) {
	const name = "dimensions/minecraft/overworld/data/mod/things.bin"
	bothTargets(t, func(t *testing.T, target Target) {
		r := newRig(t, target)
		r.put(name, bytes.Repeat([]byte("old "), 700_000)) // is read in several pieces
		l, err := session.Acquire(r.fs, r.world)
		must(t, err)
		f := vfs.NewFault(r.fs)
		changed := f.Add(vfs.Rule{Ops: vfs.OpRead, Name: "things.bin", Nth: 1, Hook: func(vfs.OpInfo) {
			r.now = r.now.Add(time.Second)
			r.overwrite(name, 0, bytes.Repeat([]byte("new "), 700_000))
		}})
		rep, err := r.repo.Create(ctx, r.world, CreateOptions{FS: f})
		must(t, err)
		must(t, l.Release())
		if changed.Fired() == 0 || rep.Consistency != PerChunk || len(rep.Skipped) > 0 {
			t.Errorf("changed %d times, %+v", changed.Fired(), rep)
		}
		r.want(rep.ID, r.live(false), false)
	})
}
