package backup

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strata/bench/testbed"
	"strata/region"
	"strata/region/vfs"
)

// TestEveryChangedByteIsFound changes one byte of a repository, again and again:
// verify finds it, names what cannot be restored, and all else can be.
func TestEveryChangedByteIsFound(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		r := newRig(t, target)
		was := map[string]sums{}
		for i := range 3 {
			rep := r.create(CreateOptions{Exact: i == 1})
			was[rep.ID] = r.live(false)
			for range 6 {
				r.write(r.regionDirs()[r.rnd.IntN(6)], region.ChunkPos{X: int32(r.rnd.IntN(40)) - 8, Z: 2}, 0)
			}
			r.put("level.dat_old", r.bytes(1500))
		}
		var files []StoredFile
		all, err := r.repo.Files(ctx)
		must(t, err)
		total := int64(0)
		for _, f := range all {
			if target == Tree && f.Path == configName {
				continue
			}
			files = append(files, f)
			total += f.Bytes
		}
		for range testbed.Runs(t, 12) {
			// Half of them by size, half by file, so that small ones get their share.
			at := r.rnd.Int64N(total)
			f := files[r.rnd.IntN(len(files))]
			if r.rnd.IntN(2) == 0 {
				for _, g := range files {
					if at -= g.Bytes; at < 0 {
						f = g
						break
					}
				}
			}
			if f.Bytes == 0 {
				continue
			}
			m := r.mem.CrashClone(vfs.CrashOptions{Keep: vfs.KeepAll})
			off := r.rnd.Int64N(f.Bytes)
			flip(t, m, filepath.Join("repo", filepath.FromSlash(f.Path)), off, byte(1+r.rnd.IntN(255)))
			wantFound(t, r, m, f.Path, off, was)
		}
	})
}

// flip changes a byte.
func flip(t *testing.T, fsys vfs.FS, name string, off int64, by byte) {
	t.Helper()
	f, err := fsys.OpenFile(name, os.O_RDWR, 0)
	must(t, err)
	b := make([]byte, 1)
	_, err = f.ReadAt(b, off)
	must(t, err)
	b[0] ^= by
	_, err = f.WriteAt(b, off)
	must(t, err)
	must(t, f.Close())
}

func wantFound(t *testing.T, r *rig, m *vfs.Mem, path string, off int64, was map[string]sums) {
	t.Helper()
	repo, err := Open("repo", OpenOptions{FS: m, Now: r.time})
	if path == configName {
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("%s at %d: %v", path, off, err)
		}
		return
	}
	must(t, err)
	v, err := repo.Verify(ctx, VerifyOptions{})
	must(t, err)
	if v.OK() || len(v.Damage) == 0 {
		t.Fatalf("a changed byte of %s at %d was not found", path, off)
	}
	for id, want := range was {
		lost := func(key string) bool {
			for _, l := range v.Lost {
				file := strings.TrimPrefix(l.Path, "world/")
				if l.Snapshot == id && (l.Path == "" || l.Chunk == nil && strings.HasPrefix(key, file) || l.Chunk != nil && key == file+"#"+l.Chunk.String()) {
					return true
				}
			}
			return false
		}
		rep, err := repo.Restore(ctx, id, RestoreOptions{To: "restored", Force: true})
		if err != nil {
			if !lost("") && !errors.Is(err, ErrDamaged) {
				t.Errorf("%s at %d: restore of %s: %v", path, off, id, err)
			}
			wholly := false
			for _, l := range v.Lost {
				wholly = wholly || l.Snapshot == id && l.Path == ""
			}
			if !wholly {
				t.Errorf("%s at %d: %s is not listed as lost, and cannot be restored: %v", path, off, id, err)
			}
			continue
		}
		got := sumsOf(t, m, "restored", false)
		for key, x := range want {
			if got[key] != x && !lost(key) {
				t.Errorf("%s at %d: %s of %s came back as %q and is not listed among the %d that are lost", path, off, key, id, got[key], len(v.Lost))
			}
		}
		if len(rep.Lost) == 0 && len(want.diff(got)) > 0 {
			t.Errorf("%s at %d: the restore of %s says nothing is lost", path, off, id)
		}
		must(t, removeAll(m, "restored"))
	}
}

// TestAParanoidSnapshotMendsWhatTheWorldStillHas.
func TestAParanoidSnapshotMendsWhatTheWorldStillHas(t *testing.T) {
	r := newRig(t, Repo)
	first := r.create(CreateOptions{})
	was := r.live(false)
	files, err := r.repo.Files(ctx)
	must(t, err)
	for _, f := range files {
		if strings.HasPrefix(f.Path, packsDir) {
			for range 3 {
				flip(t, r.fs, filepath.Join("repo", filepath.FromSlash(f.Path)), r.rnd.Int64N(f.Bytes*3/4), 0x55)
			}
		}
	}
	v, err := r.repo.Verify(ctx, VerifyOptions{})
	must(t, err)
	if len(v.Lost) == 0 {
		t.Fatal("nothing was lost")
	}
	r.create(CreateOptions{Paranoid: true})
	v, err = r.repo.Verify(ctx, VerifyOptions{})
	must(t, err)
	if len(v.Lost) > 0 || len(v.Damage) == 0 {
		t.Errorf("lost %v, damage %v", v.Lost, v.Damage)
	}
	r.want(first.ID, was, false)
	_, err = r.repo.Prune(ctx, PruneOptions{Threshold: 100})
	must(t, err)
	r.want(first.ID, was, false)
	r.verify() // the damaged pack is gone
}

func TestAMissingPackIsFound(t *testing.T) {
	r := newRig(t, Repo)
	r.create(CreateOptions{})
	files, err := r.repo.Files(ctx)
	must(t, err)
	for _, f := range files {
		if strings.HasPrefix(f.Path, packsDir) {
			must(t, r.fs.Remove(filepath.Join("repo", filepath.FromSlash(f.Path))))
		}
	}
	for _, quick := range []bool{true, false} {
		v, err := r.repo.Verify(ctx, VerifyOptions{Quick: quick})
		must(t, err)
		if len(v.Lost) == 0 {
			t.Errorf("quick %v: nothing is lost", quick)
		}
	}
	if _, err := r.repo.Prune(ctx, PruneOptions{}); !errors.Is(err, ErrDamaged) {
		t.Errorf("prune of a damaged repository: %v", err)
	}
}

func TestPruneKeepsWhatIsNeededAndFreesTheRest(t *testing.T) {
	r := newRig(t, Repo)
	was := map[string]sums{}
	var ids []string
	for range 10 {
		rep := r.create(CreateOptions{})
		ids = append(ids, rep.ID)
		was[rep.ID] = r.live(false)
		for range 8 {
			r.write(r.regionDirs()[r.rnd.IntN(6)], region.ChunkPos{X: int32(r.rnd.IntN(40)) - 8, Z: 2}, 0)
		}
	}
	must(t, r.repo.Forget(ctx, append(append([]string{}, ids[:4]...), ids[6:9]...)...))
	plan, err := r.repo.Prune(ctx, PruneOptions{DryRun: true, Threshold: 100})
	must(t, err)
	done, err := r.repo.Prune(ctx, PruneOptions{Threshold: 100})
	must(t, err)
	if plan.DryRun = false; *plan != *done || done.FreedBytes <= 0 || done.Removed == 0 {
		t.Errorf("planned %+v, done %+v", plan, done)
	}
	for _, id := range []string{ids[4], ids[5], ids[9]} {
		r.want(id, was[id], false)
	}
	if v := r.verify(); v.Garbage != 0 || v.Snapshots != 3 {
		t.Errorf("%+v", v)
	}
	rep := r.create(CreateOptions{})
	r.want(rep.ID, r.live(false), false)
}
