package backup

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"strata/bench/testbed"
	"strata/region"
	"strata/region/vfs"
)

var errDisk = errors.New("the disk fails")

// storm runs an operation on copies of a rig's file system, failing or losing power
// at one step after the other.
type storm struct {
	r    *rig
	snap map[string]sums // what the snapshots before are
	old  sums            // the world as it is
	// want are the states the world may be in afterwards and once the next run is
	// through.
	want []sums
	run  func(repo Repository) error
}

// on opens the repository of a copy.
func (s *storm) on(fsys vfs.FS) (Repository, error) {
	return Open(s.r.path("repo"), OpenOptions{FS: fsys, Now: s.r.time})
}

// copy is the file system as it is.
func (s *storm) copy() *vfs.Mem { return s.r.mem.CrashClone(vfs.CrashOptions{Keep: vfs.KeepAll}) }

// steps counts the operations of a run that goes well.
func (s *storm) steps(t *testing.T, ops vfs.Op) int {
	t.Helper()
	f := vfs.NewFault(s.copy())
	repo, err := s.on(f)
	must(t, err)
	before := f.Count(ops)
	must(t, s.run(repo))
	return f.Count(ops) - before
}

// all runs the storm, with so many steps in a submission.
func (s *storm) all(t *testing.T, ci int) {
	rnd := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 4))
	s.after(t, rnd)
	for _, kind := range []string{"fails", "crashes"} {
		steps := s.steps(t, vfs.OpMutating)
		order := rnd.Perm(steps)
		if n := testbed.Runs(t, ci); n < len(order) {
			order = order[:n]
		}
		for _, n := range order {
			s.one(t, kind, n, rnd.Uint64())
			if t.Failed() {
				t.Fatalf("step %d of %d %s", n, steps, kind)
			}
		}
		t.Logf("%s: %d of %d steps", kind, len(order), steps)
	}
}

// after loses power when a run has gone well: what it said to have done is there.
func (s *storm) after(t *testing.T, rnd *rand.Rand) {
	t.Helper()
	m := s.copy()
	repo, err := s.on(m)
	must(t, err)
	must(t, s.run(repo))
	before, err := repo.Snapshots(ctx)
	must(t, err)
	for _, keep := range []vfs.Keep{vfs.KeepNone, vfs.KeepRandom, vfs.KeepAll} {
		m := m.CrashClone(vfs.CrashOptions{Keep: keep, Seed: rnd.Uint64()})
		repo, err := s.on(m)
		must(t, err)
		after, err := repo.Snapshots(ctx)
		must(t, err)
		if len(before) != len(after) {
			t.Errorf("%d snapshots, %d after the power was lost", len(before), len(after))
		}
		s.check(t, m, nil)
	}
}

func (s *storm) one(t *testing.T, kind string, n int, seed uint64) {
	t.Helper()
	m := s.copy()
	f := vfs.NewFault(m)
	repo, err := s.on(f)
	must(t, err)
	rule := vfs.Rule{Ops: vfs.OpMutating, Nth: n, Err: errDisk}
	if kind == "crashes" {
		rule = vfs.Rule{Ops: vfs.OpMutating, Nth: n, Crash: true}
	}
	planned := f.Add(rule)
	err = s.run(repo)
	if planned.Fired() == 0 {
		return // goroutines made it shorter this time
	}
	if kind == "crashes" {
		m = m.CrashClone(vfs.CrashOptions{Keep: vfs.KeepRandom, Seed: seed})
	}
	s.check(t, m, err)
}

// check demands that nothing was lost, and that the next run cleans up.
func (s *storm) check(t *testing.T, m *vfs.Mem, ran error) {
	t.Helper()
	repo, err := s.on(m)
	must(t, err)
	s.sound(t, repo)
	// The next run.
	s.r.now = s.r.now.Add(1)
	rep, err := repo.Create(ctx, s.r.world, CreateOptions{})
	if err != nil {
		t.Fatalf("the run after (%v): %v", ran, err)
	}
	world := sumsOf(t, m, s.r.world, false)
	if !slices.ContainsFunc(s.want, func(w sums) bool { return len(w.diff(world)) == 0 }) {
		t.Errorf("after %v the world is neither what it was nor what it was to be: %s", ran, strings.Join(s.want[0].diff(world), "\n"))
	}
	v, err := repo.View(ctx, rep.ID)
	must(t, err)
	if diff := world.diff(sumsOf(t, v, v.Root, false)); len(diff) > 0 {
		t.Errorf("the snapshot after: %v", diff)
	}
	must(t, v.Close())
	s.sound(t, repo)
	for _, dir := range []string{s.r.path("repo"), s.r.world} {
		must(t, walkFiles(m, dir, "", func(rel string) {
			if strings.Contains(rel, vfs.TempPrefix) && !strings.HasPrefix(filepath.Base(rel), ".strata-r.") && !strings.HasPrefix(rel, "dimensions") {
				t.Errorf("%s is left in %s", rel, dir)
			}
		}))
	}
}

// sound demands that all snapshots that are listed are whole.
func (s *storm) sound(t *testing.T, repo Repository) {
	t.Helper()
	list, err := repo.Snapshots(ctx)
	must(t, err)
	for _, x := range list {
		if x.Err != nil {
			t.Errorf("snapshot %s: %v", x.ID, x.Err)
		}
		want, known := s.snap[x.ID]
		if !known {
			continue
		}
		v, err := repo.View(ctx, x.ID)
		must(t, err)
		if diff := want.diff(sumsOf(t, v, v.Root, false)); len(diff) > 0 {
			t.Errorf("snapshot %s: %v", x.ID, diff)
		}
		must(t, v.Close())
	}
	v, err := repo.Verify(ctx, VerifyOptions{})
	must(t, err)
	if !v.OK() {
		t.Errorf("damage %v, lost %v", v.Damage, v.Lost)
	}
}

// newStorm makes a repository with two snapshots and a world that is a third state.
func newStorm(t *testing.T, target Target) *storm {
	r := newRig(t, target)
	s := &storm{r: r, snap: map[string]sums{}}
	for range 2 {
		rep := r.create(CreateOptions{})
		s.snap[rep.ID] = r.live(false)
		for _, dir := range r.regionDirs()[:3] {
			r.write(dir, region.ChunkPos{X: int32(r.rnd.IntN(40)) - 8, Z: int32(r.rnd.IntN(8))}, 0)
		}
		r.put("level.dat_old", r.bytes(200))
		r.put("dimensions/minecraft/overworld/data/mod/things.bin", r.bytes(20_000)) // what prune finds
		r.now = r.now.Add(1e9 * 60)
	}
	s.old = r.live(false)
	s.want = []sums{s.old}
	return s
}

func (s *storm) first() string {
	id := ""
	for x := range s.snap {
		if id == "" || compareIDs(x, id) < 0 {
			id = x
		}
	}
	return id
}

func TestFaultsOfCreateHarmNothing(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		s := newStorm(t, target)
		s.run = func(repo Repository) error {
			_, err := repo.Create(ctx, s.r.world, CreateOptions{})
			return err
		}
		s.all(t, 6)
	})
}

func TestFaultsOfRestoreHarmNothing(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		s := newStorm(t, target)
		s.run = func(repo Repository) error {
			_, err := repo.Restore(ctx, s.first(), RestoreOptions{To: s.r.path("restored")})
			return err
		}
		s.all(t, 4)
	})
}

func TestFaultsOfRestoreInPlaceLeaveOneOrTheOther(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		s := newStorm(t, target)
		s.want = append(s.want, s.snap[s.first()])
		s.run = func(repo Repository) error {
			_, err := repo.Restore(ctx, s.first(), RestoreOptions{InPlace: s.r.world})
			return err
		}
		s.all(t, 6)
	})
}

func TestFaultsOfPruneLoseNothing(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		s := newStorm(t, target)
		gone := s.r.create(CreateOptions{})
		delete(s.snap, gone.ID)
		first := s.first()
		delete(s.snap, first)
		s.run = func(repo Repository) error {
			if err := repo.Forget(ctx, first, gone.ID); err != nil {
				return err
			}
			_, err := repo.Prune(ctx, PruneOptions{Threshold: 100})
			return err
		}
		s.all(t, 6)
	})
}

// TestAKilledInitIsBegunAnew: what is left of one is no repository.
func TestAKilledInitIsNoRepository(t *testing.T) {
	for n := range 12 {
		m := vfs.NewMem(vfs.MemOptions{})
		f := vfs.NewFault(m)
		f.Add(vfs.Rule{Ops: vfs.OpMutating, Nth: n, Crash: true})
		_, err := Init(ctx, "repo", InitOptions{FS: f})
		after := m.CrashClone(vfs.CrashOptions{Keep: vfs.KeepRandom, Seed: uint64(n)})
		_, oerr := Open("repo", OpenOptions{FS: after})
		if err != nil && oerr != nil && !errors.Is(oerr, ErrNoRepository) && !errors.Is(oerr, fs.ErrNotExist) {
			t.Error(fmt.Errorf("step %d: %w", n, oerr))
		}
	}
}
