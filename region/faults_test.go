package region

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"strata/region/vfs"
)

// faultKind is a kind of operation and the ways in which it fails.
type faultKind struct {
	name  string
	ops   vfs.Op
	fails []vfs.Rule // Err, ShortWrite and Landed count
	// reading: while it lasts chunks may be unreadable.
	reading bool
}

// On Linux vfs.OS makes ENOSPC and EFBIG match vfs.ErrNoSpace; so do these.
var (
	errIO     = error(syscall.EIO)
	errFull   = errors.Join(vfs.ErrNoSpace, syscall.ENOSPC)
	errTooBig = errors.Join(vfs.ErrNoSpace, syscall.EFBIG)
)

var faultKinds = []faultKind{
	{name: "write", ops: vfs.OpWrite, fails: []vfs.Rule{
		{Err: errIO}, {Err: errFull, ShortWrite: 5000}, {Err: errTooBig}, {Err: errIO, ShortWrite: 700},
	}},
	{name: "flush", ops: vfs.OpSync, fails: []vfs.Rule{
		{Err: errIO},
		{Err: errFull, Landed: vfs.CrashOptions{Keep: vfs.KeepAll}},
		{Err: errIO, Landed: vfs.CrashOptions{Keep: vfs.KeepRandom, Seed: 8}},
	}},
	{name: "syncdir", ops: vfs.OpSyncDir, fails: []vfs.Rule{{Err: errIO}}},
	{name: "rename", ops: vfs.OpRename, fails: []vfs.Rule{{Err: errIO}, {Err: errFull}}},
	{name: "remove", ops: vfs.OpRemove, fails: []vfs.Rule{{Err: errIO}}},
	{name: "truncate", ops: vfs.OpTruncate, fails: []vfs.Rule{{Err: errIO}, {Err: errTooBig}}},
	{name: "punch", ops: vfs.OpPunch, fails: []vfs.Rule{{Err: errIO}}},
	{name: "open", ops: vfs.OpOpen | vfs.OpCreate, fails: []vfs.Rule{{Err: errIO}, {Err: errFull}}, reading: true},
	{name: "clone", ops: vfs.OpClone | vfs.OpLink, fails: []vfs.Rule{{Err: errIO}, {Err: errFull}}},
	{name: "stat", ops: vfs.OpStat | vfs.OpReadDir, fails: []vfs.Rule{{Err: errIO}}, reading: true},
	{name: "read", ops: vfs.OpRead, fails: []vfs.Rule{{Err: errIO}}, reading: true},
}

// TestEveryOperationFails lets each operation of each workload fail, once and
// from then on, in each way in which it can. The error must come up, nothing
// acknowledged may be lost in the open file or in a power cut before or after
// the fault is gone, and once it is gone the next write succeeds. The count
// is not random: every n until the workload passes.
func TestEveryOperationFails(t *testing.T) {
	total := failAll(t, 1, vfs.MemOptions{})
	t.Logf("%d workloads: %v", len(workloads), total)
}

// failAll lets every step-th operation of all workloads fail; under -short
// only every 15th of these, of workloads that move megabytes every 60th, and
// in one way each.
func failAll(t *testing.T, step int, memory vfs.MemOptions) *tally {
	if testing.Short() {
		step *= 15
	}
	total := &tally{}
	t.Run("workload", func(t *testing.T) {
		for i := range workloads {
			w := &workloads[i]
			t.Run(w.name, func(t *testing.T) {
				t.Parallel()
				step := step
				if testing.Short() && w.heavy {
					step *= 4
				}
				total.add(w.failEach(t, memory, step))
			})
		}
	})
	return total
}

// failEach runs the workload once for each step-th operation of each kind and
// each way in which it fails. States are runs.
func (w *workload) failEach(t *testing.T, memory vfs.MemOptions, step int) *tally {
	y := &tally{}
	for k := range faultKinds {
		kind := &faultKinds[k]
		for i, fail := range kind.fails {
			if testing.Short() && i > 0 {
				continue
			}
			for _, forever := range []bool{false, true} {
				if forever && i > 0 && kind.ops != vfs.OpSync {
					continue // for good the error alone makes no difference
				}
				if forever && w.heavy && testing.Short() {
					continue
				}
				fail.Ops, fail.Forever = kind.ops, forever
				for n := 0; ; n += step {
					fail.Nth = n
					if !w.failOne(t, y, memory, kind, fail) {
						break
					}
				}
				if t.Failed() {
					return y
				}
			}
		}
	}
	return y
}

// failOne reports whether the planned fault fired.
func (w *workload) failOne(t *testing.T, y *tally, memory vfs.MemOptions, kind *faultKind, rule vfs.Rule) bool {
	r := w.start(memory)
	var hit vfs.OpInfo
	rule.Hook = func(in vfs.OpInfo) {
		if hit.Name == "" {
			hit = in
		}
	}
	planned := r.fault.Add(rule)
	r.flushFails = rule.Ops&vfs.OpSync != 0
	before := len(y.problems)
	r.atEnd = func() { y.recover(r, kind, planned) }
	w.play(r)
	if planned.Fired() == 0 {
		planned.Withdraw()
		r.fault.Verify(t) // the workload's own faults
	}
	y.states++
	y.acknowledged += r.ledger.acknowledged()
	y.inspect(r.mem, "w", r.ledger)
	y.inspectLinks(r.mem, r)
	y.problems = append(y.problems, r.broken...)
	if planned.Fired() > 0 && !r.surfaced(rule.Err) && !maySink(hit) {
		y.problems = append(y.problems, "the error did not come up")
	}
	for _, err := range r.errs {
		if !errors.Is(err, rule.Err) && !errors.Is(err, errPlanned) {
			y.problems = append(y.problems, fmt.Sprintf("an error that was not planned: %v", err))
		}
	}
	for _, p := range y.problems[before:] {
		t.Errorf("%s\n  go test -run '%s$': %s %d (%v) fails with %q, forever %v, short %d",
			p, t.Name(), kind.name, rule.Nth, hit, rule.Err, rule.Forever, rule.ShortWrite)
	}
	if len(y.problems) > before {
		for _, op := range r.fault.Ops() {
			t.Log(op)
		}
	}
	return planned.Fired() > 0 && !t.Failed()
}

// recover checks the open files and what a power cut would leave while the
// fault lasts, takes the fault away, and writes again.
func (y *tally) recover(r *rig, kind *faultKind, planned *vfs.Planned) {
	if !kind.reading {
		y.live(r)
	}
	y.reopen(r, r.mem.CrashClone(vfs.CrashOptions{}))
	fired := planned.Fired() > 0
	planned.Withdraw()
	errs := len(r.errs)
	if r.folder != nil {
		r.saveChunk(ChunkPos{X: 33, Z: 2}, 6000)
	} else {
		r.save(edit{slot: 40, size: 6000}, edit{slot: 41, size: 100})
		r.group(edit{slot: 40, size: 9000}, edit{slot: 42, size: 20_000})
	}
	for _, err := range r.errs[errs:] {
		y.problem(&y.unreadable, "a write after the fault is gone: %v", err)
	}
	y.live(r)
	y.reopen(r, r.mem.CrashClone(vfs.CrashOptions{Keep: vfs.KeepNone}))
	if fired {
		y.reopen(r, r.mem.CrashClone(vfs.CrashOptions{Keep: vfs.KeepRandom, Seed: uint64(y.states)}))
	}
}

// surfaced reports whether a step returned the error or an event told it.
func (r *rig) surfaced(want error) bool {
	for _, err := range r.errs {
		if errors.Is(err, want) {
			return true
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.events {
		if errors.Is(e.Err, want) {
			return true
		}
	}
	return false
}

// maySink names the failures that nobody needs to hear of: a temporary file
// of ours that stays (Check reports it), and not knowing whether a tail may be
// cut off or a hole punched.
func maySink(in vfs.OpInfo) bool {
	switch in.Op {
	case vfs.OpRemove:
		return strings.HasPrefix(filepath.Base(in.Name), TemporaryPrefix)
	case vfs.OpStat:
		return true
	}
	return false
}
