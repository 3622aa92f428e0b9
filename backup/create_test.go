package backup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strata/anvil"
	"strata/anvil/session"
	"strata/region"
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
