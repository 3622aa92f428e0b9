package journal

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"strata/region/vfs"
)

var (
	errIO   = error(syscall.EIO)
	errFull = errors.Join(vfs.ErrNoSpace, syscall.ENOSPC)
)

// faultKinds are the kinds of operation and the ways in which they fail.
var faultKinds = []struct {
	ops   vfs.Op
	fails []vfs.Rule
}{
	{vfs.OpWrite, []vfs.Rule{{Err: errIO}, {Err: errFull, ShortWrite: 700}}},
	{vfs.OpSync, []vfs.Rule{
		{Err: errIO},
		{Err: errIO, Landed: vfs.CrashOptions{Keep: vfs.KeepAll}},
		{Err: errFull, Landed: vfs.CrashOptions{Keep: vfs.KeepRandom, Seed: 8}},
	}},
	{vfs.OpSyncDir, []vfs.Rule{{Err: errIO}}},
	{vfs.OpRename, []vfs.Rule{{Err: errIO}}},
	{vfs.OpRemove, []vfs.Rule{{Err: errIO}}},
	{vfs.OpTruncate | vfs.OpPreallocate, []vfs.Rule{{Err: errFull}}},
	{vfs.OpOpen | vfs.OpCreate, []vfs.Rule{{Err: errIO}}},
	{vfs.OpLock | vfs.OpMkdir | vfs.OpClone | vfs.OpLink, []vfs.Rule{{Err: errIO}}},
	{vfs.OpStat | vfs.OpReadDir, []vfs.Rule{{Err: errIO}}},
	{vfs.OpRead, []vfs.Rule{{Err: errIO}}},
}

// TestEveryOperationFails lets each operation of each workload fail, once and
// from then on. The error must come up, the world must be the acknowledged one
// while the fault lasts and after a power cut, and when it is gone the next
// epoch succeeds. Of workloads that move megabytes every 6th operation, under
// -short none; of the others then every 25th, in one way each.
func TestEveryOperationFails(t *testing.T) { failAll(t, vfs.MemOptions{}, 1) }

// TestEveryOperationFailsOnWindows is the same under Windows semantics, for
// every 5th operation.
func TestEveryOperationFailsOnWindows(t *testing.T) { failAll(t, windows, 5) }

func failAll(t *testing.T, memory vfs.MemOptions, step int) {
	if testing.Short() {
		step *= 25
	}
	runs := 0
	for i := range workloads {
		w := &workloads[i]
		if w.heavy && testing.Short() {
			continue
		}
		step := step
		if w.heavy {
			step *= 6
		}
		t.Run(w.name, func(t *testing.T) {
			for _, kind := range faultKinds {
				for i, rule := range kind.fails {
					if testing.Short() && i > 0 {
						break
					}
					for _, forever := range []bool{false, true} {
						rule.Ops, rule.Forever, rule.Nth = kind.ops, forever, 0
						for w.fail(t, memory, rule) {
							rule.Nth += step
							runs++
						}
						if t.Failed() {
							return
						}
					}
				}
			}
		})
	}
	t.Logf("%d workloads, %d runs with a fault", len(workloads), runs)
}

// fail reports whether the planned fault fired.
func (w *workload) fail(t *testing.T, memory vfs.MemOptions, rule vfs.Rule) bool {
	r := w.start(memory)
	var hit vfs.OpInfo
	rule.Hook = func(in vfs.OpInfo) {
		if hit.Name == "" {
			hit = in
		}
	}
	planned := r.fault.Add(rule)
	r.flushFails = rule.Ops&vfs.OpSync != 0
	w.run(r)
	fired := planned.Fired() > 0
	problems := r.broken
	if fired && !surfaced(r.errs, rule.Err) && !maySink(hit) {
		problems = append(problems, "the error did not come up")
	}
	for _, err := range r.errs {
		if !surfaced([]error{err}, rule.Err) {
			problems = append(problems, fmt.Sprintf("an error that was not planned: %v", err))
		}
	}
	problems = append(problems, w.recover(r, planned)...)
	for _, p := range problems {
		t.Errorf("%s\n  go test -run '%s$': %v %d (%v) fails with %q, forever %v, landed %v",
			p, t.Name(), rule.Ops, rule.Nth, hit, rule.Err, rule.Forever, rule.Landed.Keep)
	}
	if len(problems) > 0 {
		for _, err := range r.errs {
			t.Log("error:", err)
		}
		for _, op := range r.fault.Ops() {
			t.Log(op)
		}
	}
	return fired && !t.Failed()
}

// recover looks at what a power cut would leave while the fault lasts and
// after it is gone, and goes on without it.
func (w *workload) recover(r *rig, planned *vfs.Planned) (problems []string) {
	check := func(when string, o vfs.CrashOptions) {
		disk := r.mem.CrashClone(o)
		j, err := Open(Options{FS: disk, Roots: testRoots})
		if err != nil {
			problems = append(problems, fmt.Sprintf("%s: %v", when, err))
			return
		}
		if j.Report().Outcome == SetAside {
			problems = append(problems, fmt.Sprintf("%s: set aside: %v", when, j.Report().Reason))
		}
		j.Close()
		for _, p := range inspect(r, disk) {
			problems = append(problems, when+": "+p)
		}
	}
	check("power cut while the fault lasts", vfs.CrashOptions{})
	check("kill while the fault lasts", vfs.CrashOptions{Keep: vfs.KeepAll})
	planned.Withdraw()
	r.close()
	errs := len(r.errs)
	if r.use() == nil {
		return append(problems, fmt.Sprintf("open without the fault: %v", errors.Join(r.errs[errs:]...)))
	}
	problems = append(problems, w.after(r)...)
	r.close()
	for _, err := range r.errs[errs:] {
		problems = append(problems, fmt.Sprintf("without the fault: %v", err))
	}
	check("power cut after the fault", vfs.CrashOptions{})
	return append(problems, r.broken...)
}

func (w *workload) after(r *rig) []string {
	r.epoch(change{path: over, slot: 1, size: 6000}, change{path: over, slot: 40, size: 20_000},
		change{path: nether, slot: 7, size: 100}, change{path: player, size: 77, keepOld: true})
	return inspect(r, r.mem)
}

func surfaced(errs []error, want error) bool {
	for _, err := range errs {
		if errors.Is(err, want) || errors.Is(err, ErrBroken) {
			return true
		}
	}
	return false
}

// maySink names the failures that nobody needs to hear of: a temporary file
// of ours or an external file that stays, a tail that is not cut off, and what
// was tried once more and then went well.
func maySink(in vfs.OpInfo) bool {
	switch in.Op {
	case vfs.OpRemove, vfs.OpRename, vfs.OpOpen, vfs.OpStat, vfs.OpSync, vfs.OpWrite, vfs.OpSyncDir, vfs.OpLock:
		return true
	case vfs.OpTruncate:
		return filepath.Base(in.Name) != "journal"
	case vfs.OpPreallocate:
		return true
	case vfs.OpClone:
		return strings.HasPrefix(filepath.Base(in.NewName), vfs.TempPrefix)
	}
	return false
}
