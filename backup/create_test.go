package backup

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"strata/anvil"
	"strata/anvil/session"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

func TestSnapshotsComeBackAsTheyWere(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		r := newRig(t, target)
		var ids []string
		var was []sums
		for range 8 {
			rep := r.create(CreateOptions{})
			if rep.Consistency != Epoch || len(rep.Skipped)+len(rep.Suspect) > 0 {
				t.Errorf("%+v", rep)
			}
			ids, was = append(ids, rep.ID), append(was, r.live(false))
			for range 5 {
				dir := r.regionDirs()[r.rnd.IntN(6)]
				r.write(dir, region.ChunkPos{X: int32(r.rnd.IntN(40)) - 8, Z: int32(r.rnd.IntN(8))}, 0)
			}
			r.put("level.dat_old", r.bytes(300))
		}
		for i, id := range ids {
			r.want(id, was[i], false)
			r.wantView(id, was[i])
		}
		r.verify()
	})
}

// TestRepeatsStoreNothing: a world that did not change costs a tree links and a
// repo one small file (H9 the other way round).
func TestRepeatsStoreNothing(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		r := newRig(t, target)
		first := r.create(CreateOptions{})
		rep := r.create(CreateOptions{})
		if rep.CopiedBytes != 0 || rep.NewChunks != 0 || rep.ChangedFiles != 0 || rep.LinkedBytes != first.Bytes {
			t.Errorf("a repeat: %+v", rep)
		}
		if target == Repo && rep.NewBytes > 2000 {
			t.Errorf("a repeat adds %d bytes", rep.NewBytes)
		}
	})
}

// TestOneChangedChunkCostsLittle (H9): of a region the store takes only what
// changed.
func TestOneChangedChunkCostsLittle(t *testing.T) {
	r := newRig(t, Repo)
	r.create(CreateOptions{})
	r.write("dimensions/minecraft/overworld/region", region.ChunkPos{X: 3, Z: 3}, 3000)
	rep := r.create(CreateOptions{})
	if rep.NewChunks != 1 || rep.ChangedFiles != 1 {
		t.Errorf("%d new chunks, %d files read", rep.NewChunks, rep.ChangedFiles)
	}
	if limit := int64(3200*3/2 + 64 + 2048); rep.NewBytes > limit {
		t.Errorf("one chunk of 3,000 bytes adds %d bytes, over %d", rep.NewBytes, limit)
	}
}

// TestContentIsStoredOnce: a copy of a world costs tables alone.
func TestContentIsStoredOnce(t *testing.T) {
	r := newRig(t, Repo)
	first := r.create(CreateOptions{})
	must(t, vfs.MkdirAll(r.fs, "copy", 0o755))
	copyTree(t, r.fs, "world", "copy")
	rep, err := r.repo.Create(ctx, "copy", CreateOptions{})
	must(t, err)
	if rep.NewBytes > first.NewBytes/10 {
		t.Errorf("the first world took %d bytes, a copy %d", first.NewBytes, rep.NewBytes)
	}
	if rep.Parent != "" {
		t.Errorf("a world at another place is compared with %s", rep.Parent)
	}
}

func copyTree(t testing.TB, fsys vfs.FS, from, to string) {
	t.Helper()
	must(t, walkFiles(fsys, from, "", func(rel string) {
		dir := to + "/" + rel[:max(0, strings.LastIndexByte(rel, '/'))]
		must(t, vfs.MkdirAll(fsys, dir, 0o755))
		_, err := vfs.CopyFile(fsys, to+"/"+rel, from+"/"+rel)
		must(t, err)
	}))
}

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

// TestTwoSnapshotsInOneSecondAreTwo (case 40).
func TestTwoSnapshotsInOneSecondAreTwo(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		r := newRig(t, target)
		a, err := r.repo.Create(ctx, r.world, CreateOptions{})
		must(t, err)
		b, err := r.repo.Create(ctx, r.world, CreateOptions{})
		must(t, err)
		if compareIDs(a.ID, b.ID) >= 0 {
			t.Errorf("%s, then %s", a.ID, b.ID)
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

// TestDeletedChunksAreGone (case 40): and timestamps of empty slots stay.
func TestDeletedChunksAreGone(t *testing.T) {
	const dir = "dimensions/minecraft/overworld/region"
	c := region.ChunkPos{X: 4, Z: 4}
	bothTargets(t, func(t *testing.T, target Target) {
		r := newRig(t, target)
		r.write(dir, c, 700)
		r.create(CreateOptions{})
		f := r.region(dir, c.Region())
		must(t, f.Write(ctx, region.Write{Slot: c.Slot(), Delete: true}))
		if e := f.Entry(c.Slot()); !e.Empty() || e.Timestamp == 0 {
			t.Fatalf("a deleted chunk leaves %+v", e)
		}
		must(t, f.Close())
		rep := r.create(CreateOptions{})
		r.want(rep.ID, r.live(false), false)
	})
}

// TestDamagedRegionFilesComeBackByteForByte: what cannot be read is kept.
func TestDamagedRegionFilesComeBackByteForByte(t *testing.T) {
	const name = "dimensions/minecraft/overworld/region/r.0.0.mca"
	cases := map[string]func(r *rig, data []byte) []byte{
		"zero-byte":                     func(*rig, []byte) []byte { return nil },
		"short header":                  func(_ *rig, d []byte) []byte { return d[:5000] },
		"garbage":                       func(r *rig, _ []byte) []byte { return r.bytes(40_000) },
		"a location in the header":      func(_ *rig, d []byte) []byte { copy(d[4*700:], []byte{0, 0, 1, 1}); return d },
		"a location beyond the end":     func(_ *rig, d []byte) []byte { copy(d[4*700:], []byte{9, 0, 1, 1}); return d },
		"a count of zero":               func(_ *rig, d []byte) []byte { copy(d[4*700:], []byte{0, 0, 5, 0}); return d },
		"a huge length":                 func(_ *rig, d []byte) []byte { return withRecord(d, 700, []byte{0x7f, 0xff, 0xff, 0xff, 2}) },
		"a length of zero":              func(_ *rig, d []byte) []byte { return withRecord(d, 700, []byte{0, 0, 0, 0, 2}) },
		"a missing external":            func(_ *rig, d []byte) []byte { return withRecord(d, 700, []byte{0, 0, 0, 1, 0x82}) },
		"an overlap":                    func(_ *rig, d []byte) []byte { copy(d[4*700:], d[:4]); copy(d[4*701:], d[4:8]); return overlap(d) },
		"an unpadded tail":              func(_ *rig, d []byte) []byte { return d[:len(d)-100] },
		"a truncated record":            func(_ *rig, d []byte) []byte { return d[:len(d)-4095] },
		"an unknown scheme":             func(_ *rig, d []byte) []byte { return withRecord(d, 700, []byte{0, 0, 0, 6, 99, 1, 2, 3, 4, 5}) },
		"a stream that does not decode": func(_ *rig, d []byte) []byte { return withRecord(d, 700, []byte{0, 0, 0, 6, 2, 1, 2, 3, 4, 5}) },
	}
	// These are whole by their chunks, and only with Exact by their bytes.
	sound := map[string]bool{"an unpadded tail": true, "an unknown scheme": true, "a stream that does not decode": true, "an overlap": false}
	for label, damage := range cases {
		bothTargets(t, func(t *testing.T, target Target) {
			t.Run(label, func(t *testing.T) {
				r := newRig(t, target)
				before, err := vfs.ReadFile(r.fs, r.worldPath(name), 1<<30)
				must(t, err)
				r.put(name, damage(r, bytes.Clone(before)))
				rep := r.create(CreateOptions{})
				if len(rep.Skipped) > 0 {
					t.Errorf("skipped: %v", rep.Skipped)
				}
				byBytes := target == Tree || !sound[label]
				want, got := r.live(byBytes), sums{}
				to := r.path("restored")
				_, err = r.repo.Restore(ctx, rep.ID, RestoreOptions{To: to})
				must(t, err)
				got = sumsOf(t, r.fs, to, byBytes)
				key := name
				if !byBytes {
					want, got = onlyOf(want, key), onlyOf(got, key)
				}
				if byBytes && want[key] != got[key] {
					t.Errorf("%s, not %s", got[key], want[key])
				}
				if diff := want.diff(got); !byBytes && len(diff) > 0 {
					t.Error(diff)
				}
				must(t, removeAll(r.fs, to))
				exact := r.create(CreateOptions{Exact: true})
				r.want(exact.ID, r.live(true), true)
				again := r.create(CreateOptions{Exact: true})
				r.want(again.ID, r.live(true), true)
				r.verify()
			})
		})
	}
}

func onlyOf(s sums, prefix string) sums {
	out := sums{}
	for k, v := range s {
		if strings.HasPrefix(k, prefix) {
			out[k] = v
		}
	}
	return out
}

// withRecord puts a record into a sector at the end, and its location in a slot.
func withRecord(d []byte, slot int, record []byte) []byte {
	for len(d)%region.SectorBytes != 0 {
		d = append(d, 0)
	}
	sector := len(d) / region.SectorBytes
	d = append(d, make([]byte, region.SectorBytes)...)
	copy(d[sector*region.SectorBytes:], record)
	copy(d[4*slot:], []byte{0, byte(sector >> 8), byte(sector), 1})
	return d
}

// overlap makes a second location of the first chunk that there is.
func overlap(d []byte) []byte {
	for s := range region.Slots {
		if d[4*s+2] != 0 && s != 700 {
			copy(d[4*700:4*700+4], d[4*s:4*s+4])
			break
		}
	}
	return d
}

// TestExternalChunksComeBack: a record of a megabyte has a file of its own, which
// may change, grow, and become small again.
func TestExternalChunksComeBack(t *testing.T) {
	const dir = "dimensions/minecraft/overworld/region"
	c := region.ChunkPos{X: 5, Z: 5}
	bothTargets(t, func(t *testing.T, target Target) {
		r := newRig(t, target)
		for _, size := range []int{1_200_000, 1_300_000, 500, 1_100_000} {
			r.write(dir, c, size)
			rep := r.create(CreateOptions{})
			r.want(rep.ID, r.live(false), false)
			exact := r.create(CreateOptions{Exact: true})
			r.want(exact.ID, r.live(true), true)
		}
		// The body alone changes, as a crash between two commits may leave it.
		body, err := vfs.ReadFile(r.fs, r.worldPath(dir+"/"+c.ExternalName()), 1<<30)
		must(t, err)
		body[len(body)/2] ^= 1
		r.put(dir+"/"+c.ExternalName(), body)
		r.put(dir+"/c.900.900.mcc", r.bytes(5000)) // an orphan
		rep := r.create(CreateOptions{})
		r.want(rep.ID, r.live(false), false)
		v, err := r.repo.View(ctx, rep.ID)
		must(t, err)
		got, err := vfs.ReadFile(v, v.Root+"/"+dir+"/"+c.ExternalName(), 1<<30)
		must(t, err)
		if !bytes.Equal(got, body) {
			t.Error("the body that changed is not in the snapshot")
		}
		if _, err := v.Stat(v.Root + "/" + dir + "/c.900.900.mcc"); err != nil {
			t.Errorf("the orphan: %v", err)
		}
		must(t, v.Close())
	})
}

// TestWhatIsNotOfTheWorldIsLeftOut (case 23).
func TestWhatIsNotOfTheWorldIsLeftOut(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		r := newRig(t, target)
		r.put("strata/control", []byte("token"))
		r.put("strata/pregen/minecraft/overworld/r.0.0.spool", []byte("spool"))
		r.put("strata/pregen/run.json", []byte("{}"))
		r.put("region/.strata-left", []byte("left"))
		rep := r.create(CreateOptions{Exclude: []string{"*.bak"}})
		v, err := r.repo.View(ctx, rep.ID)
		must(t, err)
		for name, want := range map[string]bool{
			session.FileName: false, "strata/control": false, "strata/pregen/minecraft/overworld/r.0.0.spool": false,
			"region/.strata-left": false, "strata/pregen/run.json": true, "level.dat": true,
		} {
			if _, err := v.Stat(v.Root + "/" + name); (err == nil) != want {
				t.Errorf("%s: %v", name, err)
			}
		}
		must(t, v.Close())
	})
}

// TestWhatCannotBeReadIsSkippedAndNamed (case 33): and the rest is there.
func TestWhatCannotBeReadIsSkippedAndNamed(t *testing.T) {
	for _, name := range []string{"r.0.0.mca", "things.bin"} {
		for _, op := range []vfs.Op{vfs.OpOpen, vfs.OpRead} {
			bothTargets(t, func(t *testing.T, target Target) {
				r := newRig(t, target)
				f := vfs.NewFault(r.fs)
				f.Add(vfs.Rule{Ops: op, Name: name, Err: fs.ErrPermission, Forever: true})
				rep, err := r.repo.Create(ctx, r.world, CreateOptions{FS: f})
				must(t, err)
				if len(rep.Skipped) == 0 {
					t.Fatal("nothing is skipped")
				}
				want := r.live(false)
				for _, x := range rep.Skipped {
					if !strings.HasSuffix(x.Path, name) {
						t.Errorf("%+v", x)
					}
					file := strings.TrimPrefix(x.Path, "world/")
					for k := range want {
						if k == file || strings.HasPrefix(k, file+"#") {
							delete(want, k)
						}
					}
				}
				r.want(rep.ID, want, false)
			})
		}
	}
}

// TestFoldersThatLeadBackEnd: links in a world may make a circle.
func TestFoldersThatLeadBackEnd(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		r := newDiskRig(t, target)
		was := r.live(false)
		must(t, os.Symlink("..", r.worldPath("dimensions/back")))
		must(t, os.Symlink("nowhere", r.worldPath("dangling")))
		rep := r.create(CreateOptions{})
		if len(rep.Skipped) == 0 {
			t.Error("nothing is skipped")
		}
		must(t, os.Remove(r.worldPath("dimensions/back")))
		v, err := r.repo.View(ctx, rep.ID)
		must(t, err)
		got := sumsOf(t, v, v.Root, false)
		for k, x := range was {
			if got[k] != x {
				t.Errorf("%s: %q", k, got[k])
			}
		}
		must(t, v.Close())
	})
}

// TestARepositoryInTheWorldIsLeftOut: it would hold itself.
func TestARepositoryInTheWorldIsLeftOut(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		r := newRig(t, target)
		inside, err := Init(ctx, r.worldPath("backups/here"), InitOptions{FS: r.fs, Target: target})
		must(t, err)
		for range 2 {
			rep, err := inside.Create(ctx, r.world, CreateOptions{})
			must(t, err)
			v, err := inside.View(ctx, rep.ID)
			must(t, err)
			if _, err := v.Stat(filepath.Join(v.Root, "backups", "here")); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the repository is in it: %v", err)
			}
			must(t, v.Close())
		}
		// Nor does a restore in place remove it.
		_, err = inside.Restore(ctx, Latest, RestoreOptions{InPlace: r.world})
		must(t, err)
		if _, err := r.fs.Stat(r.worldPath("backups/here/" + configName)); err != nil {
			t.Error(err)
		}
	})
}

// TestALostDimensionIsSuspect (case 26).
func TestALostDimensionIsSuspect(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		r := newRig(t, target)
		for x := range int32(32) {
			for z := range int32(8) {
				r.write("dimensions/minecraft/overworld/region", region.ChunkPos{X: x, Z: z}, 50)
			}
		}
		r.create(CreateOptions{})
		must(t, removeAll(r.fs, r.worldPath("dimensions/minecraft/the_nether/region")))
		rep := r.create(CreateOptions{})
		if len(rep.Suspect) != 1 || rep.Suspect[0] != "lost-dimension "+anvil.Nether {
			t.Errorf("suspect: %v", rep.Suspect)
		}
		must(t, removeAll(r.fs, r.worldPath("dimensions/minecraft/overworld/region")))
		r.write("dimensions/minecraft/overworld/region", region.ChunkPos{}, 100)
		rep = r.create(CreateOptions{})
		if len(rep.Suspect) != 1 || rep.Suspect[0] != "fewer-chunks" {
			t.Errorf("suspect: %v", rep.Suspect)
		}
		found, err := r.repo.Find(ctx, rep.ID)
		must(t, err)
		if len(found.Suspect) != 1 {
			t.Error("the mark is not in the snapshot")
		}
	})
}

// TestAHeldWorldIsReadRecordByRecord (cases 23 and 24): without an endpoint it is a
// foreign program that has it.
func TestAHeldWorldIsReadRecordByRecord(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		r := newRig(t, target)
		l, err := session.Acquire(r.fs, r.world)
		must(t, err)
		defer func() { must(t, l.Release()) }()
		rep := r.create(CreateOptions{})
		if rep.Consistency != PerChunk || len(rep.Skipped) > 0 {
			t.Errorf("%v, %v", rep.Consistency, rep.Skipped)
		}
		r.want(rep.ID, r.live(false), false)
		if _, err := r.repo.Create(ctx, r.world, CreateOptions{RefuseForeign: true}); !errors.Is(err, ErrForeign) {
			t.Errorf("to be refused: %v", err)
		}
		called := ""
		rep = r.create(CreateOptions{Quiesce: quiesce(&called)})
		if rep.Consistency != Quiesced || called != "off on" {
			t.Errorf("%v, %q", rep.Consistency, called)
		}
		r.want(rep.ID, r.live(false), false)
		if _, err := r.repo.Restore(ctx, rep.ID, RestoreOptions{InPlace: r.world}); !errors.Is(err, session.ErrLocked) {
			t.Errorf("a restore into a held world (case 25): %v", err)
		}
	})
}

func TestAWorldThatIsNoneIsRefused(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		r := newRig(t, target)
		for _, dir := range []string{"nowhere", "repo"} {
			if _, err := r.repo.Create(ctx, r.path(dir), CreateOptions{}); !errors.Is(err, anvil.ErrNoWorld) && !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s: %v", dir, err)
			}
		}
		list, err := r.repo.Snapshots(ctx)
		must(t, err)
		if len(list) > 0 {
			t.Errorf("%d snapshots", len(list))
		}
	})
}

func TestDryRunsStoreNothing(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		r := newRig(t, target)
		before := sumsOf(t, r.fs, r.path("repo"), true)
		dry, err := r.repo.Create(ctx, r.world, CreateOptions{DryRun: true})
		must(t, err)
		if diff := before.diff(sumsOf(t, r.fs, r.path("repo"), true)); len(diff) > 0 || dry.ID != "" {
			t.Errorf("%q: %v", dry.ID, diff)
		}
		rep, err := r.repo.Create(ctx, r.world, CreateOptions{})
		must(t, err)
		if dry.Chunks != rep.Chunks || dry.NewChunks != rep.NewChunks || dry.CopiedBytes+dry.ClonedBytes != rep.CopiedBytes+rep.ClonedBytes {
			t.Errorf("planned %+v, done %+v", dry, rep)
		}
	})
}
