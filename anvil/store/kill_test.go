package store

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"strata/anvil/chunk"
	"strata/anvil/session"
	"strata/bench/testbed"
	"strata/region/vfs"
)

// killedFolder, when it is set, makes a process of this test binary work on
// the world in that folder until it is killed.
const killedFolder = "STRATA_STORE_KILLED"

const writers = 4

func TestMain(m *testing.M) {
	if dir := os.Getenv(killedFolder); dir != "" {
		if err := toBeKilled(dir); err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// set is what a writer changes together: all of it has the same number.
func set(i int) []Ref {
	n := int32(i)
	return []Ref{at(n, 0), at(40+n, 0), {1, Chunks, at(n, 0).Pos}, at(n, 0).as(Entities), at(n, 40).as(POI)}
}

func playerOf(dir string, i int) string {
	return filepath.Join(dir, "players", "data", fmt.Sprint(i, ".dat"))
}

// toBeKilled opens the world, says what it finds of each writer's set, and
// lets the writers go on from there.
func toBeKilled(dir string) error {
	s, err := Open(worldAt(vfs.OS(), dir), Options{Memory: 16 << 20, Interval: time.Millisecond})
	if err != nil {
		return err
	}
	t := new(failer)
	var mu sync.Mutex
	var failed error
	var all sync.WaitGroup
	var numbers [writers]int32
	for i := range writers {
		if numbers[i], err = setNumberOf(t, s, dir, i); err != nil {
			return err
		}
		fmt.Println("found", i, numbers[i])
	}
	for i, n := range numbers {
		all.Go(func() {
			if err := writeOn(t, s, dir, i, n); err != nil {
				mu.Lock()
				failed = err
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return failed
}

// setNumberOf is the number that all parts of a writer's set have.
func setNumberOf(t testing.TB, s *Store, dir string, i int) (int32, error) {
	data, err := s.ReadFile(playerOf(dir, i), 1<<20)
	n := int32(0)
	if err == nil {
		n = fileNumber(t, data)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	for _, ref := range set(i) {
		got, err := numberOf(t, s, ref)
		if err != nil {
			return 0, err
		}
		if max(got, 0) != n {
			return 0, fmt.Errorf("the epochs are mixed: %v is %d, the player %d", ref, got, n)
		}
	}
	return n, nil
}

func writeOn(t testing.TB, s *Store, dir string, i int, n int32) error {
	refs := set(i)
	for _, ref := range refs {
		if ref.Kind != Chunks || n > 0 {
			continue
		}
		// There has to be a chunk before it can be changed: number 0.
		if err := s.Put(ctx, ref.Dim, numbered(t, s.Tables(), ref.Pos, 0)); err != nil {
			return err
		}
	}
	var holds []*Hold
	var documents []*DocumentHold
	for _, ref := range refs {
		if ref.Kind == Chunks {
			h, err := s.Load(ctx, ref.Dim, ref.Pos, Normal)
			if err != nil {
				return err
			}
			holds = append(holds, h)
			continue
		}
		h, err := s.HoldDocument(ctx, ref, Normal)
		if err != nil {
			return err
		}
		documents = append(documents, h)
	}
	for {
		n++
		err := s.Together(func(tx Together) error {
			var errs []error
			for _, h := range holds {
				errs = append(errs, tx.Update(h, Structural, func(c *chunk.Chunk) error { return setNumber(c, n) }))
			}
			for _, h := range documents {
				data := numberedDocument(t, h.h.o.ref, n)
				errs = append(errs, tx.UpdateDocument(h, Structural, func([]byte) ([]byte, error) { return data, nil }))
			}
			errs = append(errs, tx.StageFile(playerOf(dir, i), playerDat(t, n), FileOptions{KeepOld: true}))
			return errors.Join(errs...)
		})
		if err == nil && n%2 == 0 {
			if err = s.Barrier(ctx); err == nil {
				fmt.Println("acked", i, n)
			}
		}
		if err != nil {
			return err
		}
	}
}

// failer is what helpers of tests get outside of one.
type failer struct{ testing.TB }

func (*failer) Helper() {}

func (*failer) Fatal(args ...any) {
	fmt.Println(append([]any{"error"}, args...)...)
	os.Exit(1)
}

// TestKilledProcessesLoseNothingAcknowledged kills a process with four writers
// again and again; each next one finds every set whole, at its last
// acknowledged number or a later one: 100 kills on a submission, 1,000 in long
// runs.
func TestKilledProcessesLoseNothingAcknowledged(t *testing.T) {
	seed := testbed.Seed(t)
	rng := rand.New(rand.NewPCG(uint64(seed), 4))
	dir := filepath.Join(t.TempDir(), "w")
	makeWorld(t, vfs.OS(), dir)
	acked := map[int]int32{}
	acks, kills := 0, testbed.Runs(t, 100)
	for kill := range kills {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), killedFolder+"="+dir, "GOMAXPROCS=2")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		after, delay := rng.IntN(6), time.Duration(rng.IntN(5_000))*time.Microsecond
		found := follow(t, out, acked, &acks, func(heard int) {
			if heard == 0 && kill%25 == 0 { // while the process lives
				if _, err := Open(worldAt(vfs.OS(), dir), small()); !errors.Is(err, session.ErrLocked) {
					t.Errorf("opened beside another process: %v", err)
				}
			}
			if heard == after {
				time.AfterFunc(delay, func() { cmd.Process.Kill() })
			}
		})
		cmd.Wait() // its error is that it was killed
		if found != writers || t.Failed() {
			t.Fatalf("kill %d: %d sets were found", kill, found)
		}
	}
	if acks < kills {
		t.Errorf("only %d acknowledgements in %d runs", acks, kills)
	}
	s := openStore(t, worldAt(vfs.OS(), dir), small())
	closeStore(t, s)
	check(t, worldAt(vfs.OS(), dir))
	t.Logf("%d kills, %d acknowledgements", kills, acks)
}

// follow reads what a process says until it is dead. It calls heard with the
// number of acknowledgements, 0 when all sets have been found.
func follow(t *testing.T, out io.Reader, acked map[int]int32, acks *int, heard func(int)) (found int) {
	t.Helper()
	count := 0
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		var what string
		var i int
		var n int32
		if _, err := fmt.Sscan(lines.Text(), &what, &i, &n); err != nil {
			t.Error(lines.Text())
			continue
		}
		switch {
		case what == "acked":
			acked[i] = n
			*acks++
			count++
			heard(count)
		case n < acked[i]:
			t.Errorf("set %d is at %d, and %d was acknowledged", i, n, acked[i])
		default:
			if found++; found == writers {
				heard(0)
			}
		}
	}
	return found
}
