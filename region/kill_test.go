package region

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"strata/bench/testbed"
)

// TestKilledAtRandom kills a process that saves chunks at a random moment:
// 1,000 kills on a submission, 2,000 nightly.
func TestKilledAtRandom(t *testing.T) {
	t.Parallel()
	kills, seed := testbed.Runs(t, 1000), uint64(testbed.Seed(t))
	rng := rand.New(rand.NewPCG(seed, 3))
	dir, l, y := t.TempDir(), newLedger(), &tally{}
	next, start := uint32(1), time.Now()
	for n := range kills {
		s := startStorm(t, dir, l, seed+uint64(n), next)
		s.begun(t)
		s.listen(t, time.Now().Add(time.Duration(rng.IntN(8_000))*time.Microsecond))
		if err := s.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		s.end(t)
		y.kills++
		y.acknowledged += s.acks
		next = s.next
		y.afterKill(dir, l, n)
		if len(y.problems) > 0 {
			break
		}
	}
	report(t, y, start, int64(seed))
}

// killCalls are the system calls by which a region folder is changed.
const killCalls = "pwrite64,fdatasync,fsync,rename,renameat,renameat2,unlink,unlinkat,ftruncate,fallocate,mkdir,mkdirat"

// TestKilledBeforeSystemCall kills a process that saves chunks as it enters
// its n-th system call that changes a file, for n of each thread from 1 to
// 40: 200 kills on a submission, 500 nightly.
func TestKilledBeforeSystemCall(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("strace is for Linux")
	}
	t.Parallel()
	strace := testbed.Tool(t, "strace")
	kills, seed := testbed.Runs(t, 200), uint64(testbed.Seed(t))
	dir, l, y := t.TempDir(), newLedger(), &tally{}
	next, start := uint32(1), time.Now()
	for n := range kills {
		inject := fmt.Sprintf("inject=%s:signal=KILL:when=%d", killCalls, 1+n%40)
		s := startStorm(t, dir, l, seed+uint64(n), next,
			strace, "-f", "-qq", "-o", "/dev/null", "-e", "trace="+killCalls, "-e", inject)
		s.end(t)
		y.kills++
		y.acknowledged += s.acks
		next = s.next
		y.afterKill(dir, l, n)
		if len(y.problems) > 0 {
			break
		}
	}
	report(t, y, start, int64(seed))
}

// report logs the counts and fails the test for each problem.
func report(t *testing.T, y *tally, start time.Time, seed int64) {
	t.Helper()
	for _, p := range y.problems {
		t.Errorf("%s\n  STRATA_SEED=%d go test -run '%s$': kill %d", p, seed, t.Name(), y.kills)
	}
	t.Logf("%v; %v a state", y, (time.Since(start) / time.Duration(max(1, y.states))).Round(100*time.Microsecond))
}
