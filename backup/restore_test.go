package backup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strata/anvil"
	"strata/anvil/fsck"
	"strata/anvil/session"
	"strata/anvil/store"
	"strata/backup/source"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// changed makes a snapshot of a world and then changes the world in every way.
func changed(r *rig) (id string, was sums) {
	r.t.Helper()
	c := region.ChunkPos{X: 9, Z: 9}
	r.write("dimensions/minecraft/overworld/region", c, 1_200_000)
	id, was = r.create(CreateOptions{}).ID, r.live(false)
	for _, dir := range r.regionDirs() {
		for range 5 {
			r.write(dir, region.ChunkPos{X: int32(r.rnd.IntN(40)) - 8, Z: int32(r.rnd.IntN(8))}, 0)
		}
	}
	r.write("dimensions/minecraft/overworld/region", c, 100)
	r.fill("dimensions/minecraft/overworld/poi", region.Pos{X: 4, Z: 4}, 3)
	r.remove("dimensions/minecraft/the_nether/region/r.-1.0.mca")
	r.put("players/data/5f0f0f0f-0000-4000-8000-00000000000a.dat", r.bytes(901))
	r.put("players/data/5f0f0f0f-0000-4000-8000-00000000000b.dat", r.bytes(902))
	r.put("new/folder/file", r.bytes(10))
	r.remove("empty.txt")
	return id, was
}

func TestRestoreInPlaceMakesTheWorldWhatItWas(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		r := newRig(t, target)
		id, was := changed(r)
		live := r.live(false)
		plan, err := r.repo.Restore(ctx, id, RestoreOptions{InPlace: r.world, DryRun: true})
		must(t, err)
		if diff := live.diff(r.live(false)); len(diff) > 0 {
			t.Fatalf("a dry run changed the world: %v", diff)
		}
		done, err := r.repo.Restore(ctx, id, RestoreOptions{InPlace: r.world})
		must(t, err)
		if diff := was.diff(r.live(false)); len(diff) > 0 {
			t.Errorf("the world is not what it was: %v", strings.Join(diff, "\n"))
		}
		if plan.Files != done.Files || plan.Removed != done.Removed || plan.Same != done.Same || done.Same == 0 || done.Removed < 3 {
			t.Errorf("planned %+v, done %+v", plan, done)
		}
		kept, err := r.repo.Find(ctx, done.Kept)
		must(t, err)
		if !kept.Protected || kept.Reason != PreRestore || kept.Expires == nil {
			t.Errorf("what was there is kept as %+v", kept)
		}
		if err := r.repo.Forget(ctx, kept.ID); !errors.Is(err, ErrProtected) {
			t.Errorf("a protected snapshot: %v", err)
		}
		r.want(kept.ID, live, false)
		if _, err := r.fs.Stat(filepath.Join(r.world, source.OwnFolder, source.RestoreFolder)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("what was staged is still there: %v", err)
		}
	})
}

func TestRestoreOfAPartTouchesNothingElse(t *testing.T) {
	rect := Rect{region.ChunkPos{X: -3, Z: 0}, region.ChunkPos{X: 12, Z: 12}}
	scopes := map[string]struct {
		scope Scope
		in    func(key string) bool
	}{
		"dimension": {Scope{Dimension: anvil.Nether}, func(k string) bool { return strings.HasPrefix(k, "dimensions/minecraft/the_nether/") }},
		"region": {Scope{Regions: []region.Pos{{X: -1}}}, func(k string) bool {
			return strings.HasPrefix(k, "dimensions/minecraft/overworld/") && strings.Contains(k, "/r.-1.0.mca")
		}},
		"chunks": {Scope{Chunks: &rect}, func(k string) bool {
			name, at, ok := strings.Cut(k, "#")
			var c region.ChunkPos
			if ok {
				_, err := sscan(at, &c)
				ok = err == nil
			}
			return ok && strings.HasPrefix(name, "dimensions/minecraft/overworld/") && rect.Contains(c)
		}},
		"player": {Scope{Players: []string{"5F0F0F0F00004000800000000000000A"}}, func(k string) bool { return strings.HasSuffix(k, "00a.dat") }},
		"file":   {Scope{Files: []string{"empty.*"}}, func(k string) bool { return k == "empty.txt" }},
	}
	for label, s := range scopes {
		bothTargets(t, func(t *testing.T, target Target) {
			t.Run(label, func(t *testing.T) {
				r := newRig(t, target)
				id, was := changed(r)
				live := r.live(false)
				want, part := sums{}, sums{}
				for k, v := range live {
					if !s.in(k) {
						want[k] = v
					}
				}
				for k, v := range was {
					if s.in(k) {
						want[k], part[k] = v, v
					}
				}
				if len(part) == 0 {
					t.Fatal("nothing is in the scope")
				}
				_, err := r.repo.Restore(ctx, id, RestoreOptions{InPlace: r.world, Scope: s.scope})
				must(t, err)
				if diff := withoutStamps(want).diff(withoutStamps(r.live(false))); len(diff) > 0 {
					t.Errorf("in place: %s", strings.Join(diff, "\n"))
				}
				to := r.path("part")
				_, err = r.repo.Restore(ctx, id, RestoreOptions{To: to, Scope: s.scope})
				must(t, err)
				if diff := part.diff(sumsOf(t, r.fs, to, false)); len(diff) > 0 {
					t.Errorf("to a folder: %s", strings.Join(diff, "\n"))
				}
			})
		})
	}
}

func sscan(text string, c *region.ChunkPos) (int, error) {
	text = strings.NewReplacer("(", "", ")", "").Replace(text)
	return fmt.Sscanf(text, "%d,%d", &c.X, &c.Z)
}

// withoutStamps leaves out empty slots, which keep a timestamp when a chunk is
// deleted, and what commands leave in the folder strata.
func withoutStamps(s sums) sums {
	out := sums{}
	for k, v := range s {
		if strings.HasPrefix(k, "strata/") || strings.HasSuffix(v, " ") {
			continue
		}
		out[k] = v
	}
	return out
}

func TestRestoreToAFolderThatIsNotEmptyIsRefused(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		r := newRig(t, target)
		id := r.create(CreateOptions{}).ID
		_, err := r.repo.Restore(ctx, id, RestoreOptions{To: r.world})
		if !errors.Is(err, ErrNotEmpty) {
			t.Error(err)
		}
		must(t, r.fs.Mkdir(r.path("there"), 0o755))
		_, err = r.repo.Restore(ctx, id, RestoreOptions{To: r.path("there")})
		must(t, err)
		for _, o := range []RestoreOptions{{}, {To: "a", InPlace: "b"}, {To: "a", Scope: Scope{Chunks: &Rect{}, Players: []string{"x"}}}} {
			if _, err := r.repo.Restore(ctx, id, o); !errors.Is(err, ErrOptions) {
				t.Errorf("%+v: %v", o, err)
			}
		}
		if _, err := r.repo.Restore(ctx, "no-such", RestoreOptions{To: "a"}); !errors.Is(err, ErrNoSnapshot) {
			t.Error(err)
		}
	})
}

// TestAFullDiskHarmsNothing (case 20).
func TestAFullDiskHarmsNothing(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		r := newRig(t, target)
		id, _ := changed(r)
		full := vfs.NewFault(r.fs)
		o := OpenOptions{FS: full, Now: r.time}
		repo, err := Open(r.path("repo"), o)
		must(t, err)
		// The disk has no room for any byte more.
		full.Add(vfs.Rule{Ops: vfs.OpWrite | vfs.OpClone | vfs.OpTruncate | vfs.OpPreallocate, Err: vfs.ErrNoSpace, Forever: true})
		r.write("dimensions/minecraft/overworld/region", region.ChunkPos{}, 5000)
		live := r.live(false)
		for label, f := range map[string]func() error{
			"create":   func() error { _, err := repo.Create(ctx, r.world, CreateOptions{}); return err },
			"restore":  func() error { _, err := repo.Restore(ctx, id, RestoreOptions{To: r.path("to")}); return err },
			"in place": func() error { _, err := repo.Restore(ctx, id, RestoreOptions{InPlace: r.world}); return err },
		} {
			if err := f(); !errors.Is(err, vfs.ErrNoSpace) {
				t.Errorf("%s: %v", label, err)
			}
			if diff := live.diff(r.live(false)); len(diff) > 0 {
				t.Errorf("%s changed the world: %v", label, diff)
			}
		}
		r.open()
		list, err := r.repo.Snapshots(ctx)
		must(t, err)
		if len(list) != 1 {
			t.Errorf("%d snapshots", len(list))
		}
		r.verify()
	})
}

// TestALinkedWorldStaysALink (case 22).
func TestALinkedWorldStaysALink(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		r := newDiskRig(t, target)
		link := r.path("link")
		must(t, os.Symlink(r.world, link))
		rep, err := r.repo.Create(ctx, link, CreateOptions{})
		must(t, err)
		if rep.Chunks == 0 {
			t.Error("nothing is in the snapshot")
		}
		was := r.live(false)
		r.put("level.dat_old", r.bytes(10))
		_, err = r.repo.Restore(ctx, rep.ID, RestoreOptions{InPlace: link})
		must(t, err)
		info, err := os.Lstat(link)
		must(t, err)
		if info.Mode()&os.ModeSymlink == 0 {
			t.Error("the link was replaced")
		}
		if diff := was.diff(r.live(false)); len(diff) > 0 {
			t.Error(diff)
		}
	})
}

// TestAWorldWithoutLevelDatIsRestored: that is what backups are for.
func TestAWorldWithoutLevelDatIsRestored(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		r := newRig(t, target)
		id, was := r.create(CreateOptions{}).ID, r.live(false)
		for _, name := range []string{"level.dat", "level.dat_old"} {
			if err := r.fs.Remove(r.worldPath(name)); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
		}
		_, err := r.repo.Restore(ctx, id, RestoreOptions{InPlace: r.world})
		must(t, err)
		if diff := was.diff(r.live(false)); len(diff) > 0 {
			t.Error(diff)
		}
	})
}

// TestFsckTakesChunksFromSnapshots repairs a chunk out of a snapshot.
func TestFsckTakesChunksFromSnapshots(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		r := newRig(t, target)
		const dir = "dimensions/minecraft/overworld/region"
		c := region.ChunkPos{X: 6, Z: 6}
		r.write(dir, c, 400)
		id := r.create(CreateOptions{}).ID
		all, done, err := Donors(ctx, r.repo, id)
		must(t, err)
		if len(all) != 1 || !strings.Contains(all[0].Name(), id) {
			t.Fatalf("%d donors", len(all))
		}
		rec, err := all[0].Record(ctx, anvil.Overworld, store.Chunks, c, nil)
		must(t, err)
		f := r.region(dir, c.Region())
		want, err := f.Read(c.Slot(), nil)
		must(t, err)
		must(t, f.Close())
		if string(rec.Data) != string(want.Data) || rec.Scheme != codec.Zlib {
			t.Error("the donor gives another chunk")
		}
		list, err := all[0].Positions(ctx, anvil.Overworld, store.Chunks, c.Region())
		must(t, err)
		if len(list) == 0 {
			t.Error("the donor lists no chunks")
		}
		if _, err := all[0].Record(ctx, anvil.Overworld, store.Chunks, region.ChunkPos{X: 900}, nil); !errors.Is(err, fsck.ErrNoDonation) {
			t.Errorf("a chunk that is not there: %v", err)
		}
		must(t, done())
	})
}

func TestOneRestoreInPlaceAtATime(t *testing.T) {
	r := newRig(t, Repo)
	id := r.create(CreateOptions{}).ID
	l, err := session.Acquire(r.fs, r.world)
	must(t, err)
	if _, err := r.repo.Restore(ctx, id, RestoreOptions{InPlace: r.world}); !errors.Is(err, session.ErrLocked) {
		t.Error(err)
	}
	must(t, l.Release())
}
