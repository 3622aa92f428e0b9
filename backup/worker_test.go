package backup

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"strata/bench/testbed"
	"strata/region"
	"strata/region/vfs"
)

// work does something with a repository again and again: "create DIR", and so on,
// with DIR holding "repo" and "world".
func work(what string) error {
	verb, dir, _ := strings.Cut(what, " ")
	repo, err := Open(filepath.Join(dir, "repo"), OpenOptions{})
	if err != nil {
		return err
	}
	world := filepath.Join(dir, "world")
	fmt.Println("ready")
	for n := 0; ; n++ {
		switch verb {
		case "create":
			_, err = repo.Create(ctx, world, CreateOptions{Paranoid: n%2 == 1})
		case "prune":
			err = workPrune(repo, world)
		case "restore":
			to := filepath.Join(dir, fmt.Sprint("restored-", os.Getpid(), "-", n))
			_, err = repo.Restore(ctx, Latest, RestoreOptions{To: to})
		case "inplace":
			err = workInPlace(repo, world)
		default:
			err = errors.New("what to do is not known")
		}
		if err != nil {
			return err
		}
	}
}

// workPrune forgets what is not tagged and prunes all.
func workPrune(repo Repository, world string) error {
	if _, err := repo.Create(ctx, world, CreateOptions{Exact: true}); err != nil {
		return err
	}
	list, err := repo.Snapshots(ctx)
	if err != nil {
		return err
	}
	for _, s := range list {
		if len(s.Tags) == 0 {
			if err := repo.Forget(ctx, s.ID); err != nil {
				return err
			}
		}
	}
	_, err = repo.Prune(ctx, PruneOptions{Threshold: 100})
	return err
}

// workInPlace restores the tagged snapshots in turn.
func workInPlace(repo Repository, world string) error {
	list, err := repo.Snapshots(ctx)
	if err != nil {
		return err
	}
	for _, s := range list {
		if len(s.Tags) == 0 {
			continue
		}
		if _, err := repo.Restore(ctx, s.ID, RestoreOptions{InPlace: world}); err != nil {
			return err
		}
	}
	return nil
}

// killAtRandom runs the worker for a random while and kills it.
func killAtRandom(t *testing.T, what, dir string, most time.Duration, rnd *rand.Rand) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), workerEnv+"="+what+" "+dir, "GOMAXPROCS=2")
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	if _, err := out.Read(make([]byte, 6)); err != nil {
		t.Fatalf("the worker: %v, %s", err, errs.String())
	}
	time.Sleep(time.Duration(rnd.Int64N(int64(most))))
	must(t, cmd.Process.Kill())
	cmd.Wait()
	if strings.Contains(errs.String(), "error:") {
		t.Fatalf("the worker: %s", errs.String())
	}
}

// TestKillsLoseNothing kills processes that make, prune and restore snapshots,
// so often each, over both targets; half of the restores are in place.
func TestKillsLoseNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("kills by signals")
	}
	runs := testbed.Runs(t, 50)
	for _, storm := range []struct {
		verb  string
		kills int // of each target
	}{{"create", runs / 2}, {"prune", runs / 2}, {"restore", runs / 4}, {"inplace", (runs + 2) / 4}} {
		bothTargets(t, func(t *testing.T, target Target) {
			t.Run(storm.verb, func(t *testing.T) {
				t.Parallel() // a round waits for the disk
				killStorm(t, target, storm.verb, max(storm.kills, 1))
			})
		})
	}
}

func killStorm(t *testing.T, target Target, verb string, kills int) {
	r := newDiskRig(t, target)
	rnd := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 6))
	kept := map[string]sums{}
	for range 2 {
		rep := r.create(CreateOptions{Tags: []string{"keep"}})
		kept[rep.ID] = r.live(false)
		r.write(r.regionDirs()[0], region.ChunkPos{X: 1, Z: 1}, 3000)
		r.put("level.dat_old", r.bytes(100))
	}
	live := r.live(false)
	for range kills {
		killAtRandom(t, verb, r.base, 80*time.Millisecond, rnd)
		// The next run cleans up.
		rep, err := r.repo.Create(ctx, r.world, CreateOptions{})
		must(t, err)
		now := r.live(false)
		ok := len(live.diff(now)) == 0
		for _, was := range kept {
			ok = ok || verb == "inplace" && len(was.diff(now)) == 0
		}
		if !ok {
			t.Fatalf("the world is not what it was: %v", live.diff(now))
		}
		kept[rep.ID] = now
		r.check(kept)
		delete(kept, rep.ID)
		must(t, r.repo.Forget(ctx, rep.ID))
	}
	t.Logf("%s of a %s: %d kills, nothing lost", verb, target, kills)
	if target == Repo {
		before, err := r.repo.Prune(ctx, PruneOptions{Threshold: 100})
		must(t, err)
		after, err := r.repo.Prune(ctx, PruneOptions{Threshold: 100, DryRun: true})
		must(t, err)
		if after.Objects != after.Live {
			t.Errorf("pruned %+v, and there is more: %+v", before, after)
		}
	}
	r.verify()
}

// check demands that all snapshots are whole.
func (r *rig) check(kept map[string]sums) {
	r.t.Helper()
	list, err := r.repo.Snapshots(ctx)
	must(r.t, err)
	for id, was := range kept {
		if !slices.ContainsFunc(list, func(s Snapshot) bool { return s.ID == id }) {
			r.t.Errorf("snapshot %s is gone", id)
			continue
		}
		r.wantView(id, was)
	}
	r.verify()
	for _, dir := range []string{"repo", "repo/packs", "repo/snapshots"} {
		entries, err := r.fs.ReadDir(r.path(dir))
		if err != nil {
			continue
		}
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), vfs.TempPrefix) {
				r.t.Errorf("%s is left in %s", e.Name(), dir)
			}
		}
	}
}
