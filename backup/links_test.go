package backup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"strata/anvil/session"
	"strata/bench/testbed"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// snapshotFiles lists the files of all snapshots of a tree.
func snapshotFiles(t testing.TB, r *rig) map[string]vfs.FileInfo {
	t.Helper()
	files := map[string]vfs.FileInfo{}
	dir := r.path("repo", snapshotsDir)
	must(t, walkFiles(r.fs, dir, "", func(rel string) {
		info, err := r.fs.Stat(filepath.Join(dir, rel))
		must(t, err)
		files[rel] = info
	}))
	return files
}

// TestNothingIsLinkedToLiveFiles (H1, H2, case 27).
func TestNothingIsLinkedToLiveFiles(t *testing.T) {
	for name, makeRig := range map[string]func(testing.TB, Target) *rig{"disk": newDiskRig, "memory, with clones": newRig} {
		t.Run(name, func(t *testing.T) { wantNoLinks(t, makeRig(t, Tree)) })
	}
}

func wantNoLinks(t *testing.T, r *rig) {
	r.ahead = time.Hour
	r.create(CreateOptions{})
	rep := r.create(CreateOptions{})
	if rep.LinkedBytes == 0 {
		t.Error("nothing is linked to the snapshot before")
	}
	_, err := r.repo.Restore(ctx, rep.ID, RestoreOptions{To: r.path("restored")})
	must(t, err)
	stored := map[[2]uint64]string{}
	for name, info := range snapshotFiles(t, r) {
		stored[[2]uint64{info.Device, info.Inode}] = name
	}
	for _, dir := range []string{r.world, r.path("restored")} {
		must(t, walkFiles(r.fs, dir, "", func(rel string) {
			info, err := r.fs.Stat(filepath.Join(dir, rel))
			must(t, err)
			if name, shared := stored[[2]uint64{info.Device, info.Inode}]; shared || info.Links > 1 {
				t.Errorf("%s in %s is a link: %s", rel, dir, name)
			}
		}))
	}
}

// TestFilesOfSnapshotsAreReadOnly (H3).
func TestFilesOfSnapshotsAreReadOnly(t *testing.T) {
	r := newDiskRig(t, Tree)
	rep := r.create(CreateOptions{})
	root := r.path("repo", snapshotsDir, rep.ID)
	must(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if want := map[bool]fs.FileMode{true: 0o555, false: 0o444}[d.IsDir()]; info.Mode().Perm() != want {
			t.Errorf("%s has the mode %v", path, info.Mode())
		}
		if d.Name() == session.FileName {
			t.Errorf("%s is in the snapshot", path)
		}
		return nil
	}))
	v, err := r.repo.View(ctx, rep.ID)
	must(t, err)
	if _, err := v.OpenFile(filepath.Join(v.Root, "level.dat"), os.O_RDWR, 0); !errors.Is(err, ErrReadOnly) {
		t.Errorf("opened for writing: %v", err)
	}
	must(t, v.Close())
	// And they can be forgotten all the same.
	must(t, r.repo.Forget(ctx, rep.ID))
	if _, err := os.Stat(root); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is left: %v", err)
	}
}

// TestAWorldOfLinksHarmsNoSnapshot (H4): somebody has linked a world to a snapshot,
// and our engine writes it.
func TestAWorldOfLinksHarmsNoSnapshot(t *testing.T) {
	r := newRig(t, Tree)
	rep := r.create(CreateOptions{})
	was := r.live(true)
	root := filepath.Join(r.path("repo", snapshotsDir), rep.ID, "world")
	must(t, walkFiles(r.fs, root, "", func(rel string) {
		to := filepath.Join("linked", rel)
		must(t, vfs.MkdirAll(r.fs, filepath.Dir(to), 0o755))
		must(t, r.fs.Link(filepath.Join(root, rel), to))
	}))
	live := r.world
	r.world = "linked"
	for range 20 {
		r.write("dimensions/minecraft/overworld/region", region.ChunkPos{X: int32(r.rnd.IntN(32)), Z: 1}, 0)
	}
	f := r.region("dimensions/minecraft/the_nether/region", region.Pos{})
	must(t, f.Compact())
	must(t, f.Close())
	r.world = live
	r.want(rep.ID, was, true)
	r.verify()
}

// TestModesAndTimesAreThoseOfEachSnapshot (H5): two snapshots share a file that had
// another mode and time in each.
func TestModesAndTimesAreThoseOfEachSnapshot(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		r := newDiskRig(t, target)
		name := r.worldPath("empty.txt")
		var ids []string
		for i, mode := range []os.FileMode{0o600, 0o640} {
			must(t, os.Chmod(name, mode))
			when := time.Date(2020+i, 1, 1, 0, 0, 0, 0, time.UTC)
			must(t, os.Chtimes(name, when, when))
			ids = append(ids, r.create(CreateOptions{}).ID)
		}
		for i, mode := range []os.FileMode{0o600, 0o640} {
			to := r.path("restored" + ids[i])
			_, err := r.repo.Restore(ctx, ids[i], RestoreOptions{To: to})
			must(t, err)
			info, err := os.Stat(filepath.Join(to, "empty.txt"))
			must(t, err)
			if info.Mode().Perm() != mode || info.ModTime().UTC().Year() != 2020+i {
				t.Errorf("snapshot %d gives %v of %v", i, info.Mode(), info.ModTime())
			}
		}
	})
}

// TestFileSystemsWithoutLinksAreCopiedTo (H7, cases 28 and 29): and the summary says
// so.
func TestFileSystemsWithoutLinksAreCopiedTo(t *testing.T) {
	r := newRig(t, Tree)
	first := r.create(CreateOptions{})
	f := vfs.NewFault(r.fs)
	f.Add(vfs.Rule{Ops: vfs.OpLink | vfs.OpClone, Err: fs.ErrPermission, Forever: true})
	repo, err := Open(r.path("repo"), OpenOptions{FS: f, Now: r.time})
	must(t, err)
	r.now = r.now.Add(time.Minute)
	rep, err := repo.Create(ctx, r.world, CreateOptions{})
	must(t, err)
	if rep.LinkedBytes != 0 || rep.CopiedBytes != first.Bytes || !strings.Contains(strings.Join(rep.Notes, " "), "no hard links") {
		t.Errorf("%d linked, %d copied of %d, %q", rep.LinkedBytes, rep.CopiedBytes, first.Bytes, rep.Notes)
	}
	r.want(rep.ID, r.live(true), true)
	g := vfs.NewFault(vfs.NewMem(vfs.MemOptions{}))
	g.Add(vfs.Rule{Ops: vfs.OpLink, Err: fs.ErrPermission, Forever: true})
	bare, err := Init(ctx, "repo", InitOptions{FS: g, Target: Tree})
	must(t, err)
	if bare.Config().Links {
		t.Error("links are said to be there")
	}
}

// TestAFileWithTooManyLinksGetsANewCopy (H7): ext4 allows 65,000.
func TestAFileWithTooManyLinksGetsANewCopy(t *testing.T) {
	r := newRig(t, Tree)
	r.create(CreateOptions{})
	f := vfs.NewFault(r.fs)
	f.Add(vfs.Rule{Ops: vfs.OpLink, Name: "level.dat", Err: errors.New("too many links"), Forever: true})
	repo, err := Open(r.path("repo"), OpenOptions{FS: f, Now: r.time})
	must(t, err)
	r.now = r.now.Add(time.Minute)
	rep, err := repo.Create(ctx, r.world, CreateOptions{})
	must(t, err)
	if rep.LinkedBytes == 0 || rep.CopiedBytes+rep.ClonedBytes == 0 || len(rep.Notes) != 1 {
		t.Errorf("%d linked, %d copied, %q", rep.LinkedBytes, rep.CopiedBytes+rep.ClonedBytes, rep.Notes)
	}
	r.want(rep.ID, r.live(true), true)
}

// TestOneBadSectorIsFoundInAllItsSnapshots (H8).
func TestOneBadSectorIsFoundInAllItsSnapshots(t *testing.T) {
	r := newRig(t, Tree)
	ids := []string{r.create(CreateOptions{}).ID, r.create(CreateOptions{}).ID}
	const name = "world/dimensions/minecraft/overworld/region/r.0.0.mca"
	path := filepath.Join(r.path("repo", snapshotsDir), ids[0], filepath.FromSlash(name))
	f, err := r.fs.OpenFile(path, os.O_RDWR, 0)
	must(t, err)
	_, err = f.WriteAt([]byte{1, 2, 3}, 9000)
	must(t, err)
	must(t, f.Close())
	v, err := r.repo.Verify(ctx, VerifyOptions{})
	must(t, err)
	if len(v.Lost) != 2 || v.Lost[0].Path != name || v.Lost[1].Path != name || len(v.Damage) != 2 {
		t.Errorf("damage %v, lost %v", v.Damage, v.Lost)
	}
	if _, err := r.repo.Restore(ctx, ids[0], RestoreOptions{To: r.path("to")}); !errors.Is(err, ErrDamaged) {
		t.Errorf("a restore of a damaged file: %v", err)
	}
	rep, err := r.repo.Restore(ctx, ids[0], RestoreOptions{To: r.path("to"), Force: true})
	must(t, err)
	if len(rep.Lost) != 1 {
		t.Errorf("lost: %v", rep.Lost)
	}
}

// TestSnapshotsStayWhateverTheWorldGoesThrough (the killer): in-place writes by the
// engine, compactions and prunes, and every snapshot is what it was.
func TestSnapshotsStayWhateverTheWorldGoesThrough(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		r := newRig(t, target)
		was := map[string]sums{}
		take := func() {
			rep := r.create(CreateOptions{Exact: true, Tags: []string{"keep"}})
			was[rep.ID] = r.live(true)
		}
		take()
		dirs := r.regionDirs()
		files := map[string]*region.File{}
		for round := range testbed.Runs(t, 121) {
			dir := dirs[r.rnd.IntN(len(dirs))]
			f := files[dir]
			if f == nil {
				f = r.region(dir, region.Pos{})
				files[dir] = f
			}
			c := region.ChunkPos{X: int32(r.rnd.IntN(32)), Z: int32(r.rnd.IntN(32))}
			w := region.Write{Slot: c.Slot(), Scheme: codec.Zlib, Data: zlibbed(t, r.document(c, 100+r.rnd.IntN(9000))), Delete: r.rnd.IntN(10) == 0}
			must(t, f.Write(ctx, w))
			switch {
			case round%40 == 39:
				must(t, f.Compact())
			case round%60 == 59:
				take()
			case round%50 == 49:
				gone := r.create(CreateOptions{})
				must(t, r.repo.Forget(ctx, gone.ID))
				_, err := r.repo.Prune(ctx, PruneOptions{Threshold: 100})
				must(t, err)
			}
		}
		for _, f := range files {
			must(t, f.Close())
		}
		for id, s := range was {
			r.want(id, s, true)
		}
		r.verify()
	})
}
