package journal

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"strata/bench/testbed"
	"strata/region"
	"strata/region/vfs"
)

// windows makes a file system in which open files are neither renamed nor
// removed, folders are not flushed and locked files not read.
var windows = vfs.MemOptions{Windows: true}

// TestEpochCrashPoints stops each workload before each operation that changes
// the disk and looks at what a power cut could leave there: nothing that was
// not flushed, everything, or a random part of it, torn at 512 bytes. After
// the replay all of the epoch must be there or nothing of it, and all of it if
// it was acknowledged. On a submission 5,000 states; for a release 100,000.
func TestEpochCrashPoints(t *testing.T) {
	crashAll(t, testbed.Runs(t, 5000), vfs.MemOptions{})
}

// TestEpochCrashPointsOnWindows is the same under Windows semantics, 1,500
// states.
func TestEpochCrashPointsOnWindows(t *testing.T) {
	crashAll(t, testbed.Runs(t, 1500), windows)
}

// tally counts what crash tests have seen.
type tally struct {
	states, acked, replayed, unfinished, nothing, interrupted int
}

func (y *tally) add(o *tally) {
	y.states += o.states
	y.acked += o.acked
	y.replayed += o.replayed
	y.unfinished += o.unfinished
	y.nothing += o.nothing
	y.interrupted += o.interrupted
}

func (y *tally) count(o Outcome) {
	switch o {
	case Replayed:
		y.replayed++
	case Unfinished:
		y.unfinished++
	default:
		y.nothing++
	}
}

func (y *tally) String() string {
	return fmt.Sprintf("%d states, %d acknowledged epochs: %d replayed, %d unfinished, %d nothing; %d replays interrupted",
		y.states, y.acked, y.replayed, y.unfinished, y.nothing, y.interrupted)
}

func crashAll(t *testing.T, states int, memory vfs.MemOptions) {
	seed, total, weights := uint64(testbed.Seed(t)), &tally{}, 0
	for i := range workloads {
		weights += workloads[i].weight()
	}
	for i := range workloads {
		w := &workloads[i]
		t.Run(w.name, func(t *testing.T) {
			total.add(w.crash(t, memory, (states*w.weight()+weights-1)/weights, seed))
		})
	}
	t.Logf("%d workloads: %v", len(workloads), total)
	if total.states < states && !t.Failed() {
		t.Errorf("%d states are fewer than %d", total.states, states)
	}
	if total.replayed == 0 || total.nothing == 0 || total.interrupted == 0 {
		t.Errorf("not every outcome was reached: %v", total)
	}
}

// operations runs the workload to its end, in which nothing fails, and counts
// what changes the disk.
func (w *workload) operations(t *testing.T, memory vfs.MemOptions) int {
	r := w.start(memory)
	before := r.fault.Count(vfs.OpMutating)
	w.play(r)
	for _, err := range r.errs {
		t.Fatal(err)
	}
	for _, p := range r.broken {
		t.Error(p)
	}
	is, err := look(r.mem)
	if err != nil {
		t.Fatal(err)
	}
	if d := r.judge(is); d != "" {
		t.Fatal(d)
	}
	return r.fault.Count(vfs.OpMutating) - before
}

func (w *workload) crash(t *testing.T, memory vfs.MemOptions, states int, seed uint64) *tally {
	total := w.operations(t, memory)
	y := &tally{}
	stride := 1
	if testing.Short() {
		stride = 12
	}
	points := total/stride + 1
	outcomes := max(3, (states+points-1)/points) // none, all and the rest random
	for n := 0; n <= total; n += stride {
		r := w.start(memory)
		acked := r.acked
		r.fault.Add(vfs.Rule{Ops: vfs.OpMutating, Nth: n, Crash: true})
		w.play(r)
		y.acked += r.acked - acked
		for i := range outcomes {
			o := vfs.CrashOptions{Keep: vfs.Keep(min(i, 2)), Seed: seed + uint64(n*outcomes+i)}
			y.states++
			problems := append(w.reopen(r, y, r.mem.CrashClone(o), i == n%outcomes%4 && (!w.heavy || n%4 == 0)), r.broken...)
			for _, p := range problems {
				t.Errorf("%s\n  STRATA_SEED=%d go test -run '%s$': operation %d, keep %d, outcome seed %d",
					p, int64(seed), t.Name(), n, o.Keep, o.Seed)
			}
			if len(problems) > 0 {
				for _, op := range r.fault.Ops() {
					t.Log(op)
				}
				t.FailNow()
			}
		}
	}
	return y
}

// reopen checks what a crash has left: first that Inspect foretells what Open
// does and changes nothing, then the world after Open, and that it goes on.
// If thorough it interrupts the replay at each of its operations as well.
func (w *workload) reopen(r *rig, y *tally, disk *vfs.Mem, thorough bool) (problems []string) {
	problem := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	opts := Options{FS: disk, Roots: testRoots}
	var before map[string]string
	if thorough {
		before = bytesOf(disk)
	}
	foretold, err := Inspect(opts)
	if err != nil {
		problem("inspect: %v", err)
		return problems
	}
	if thorough {
		if after := bytesOf(disk); !maps.Equal(before, after) {
			problem("Inspect has changed the world")
		}
		if foretold.Outcome == Pending {
			problems = append(problems, w.interrupt(r, y, disk)...)
		}
	}
	j, err := Open(opts)
	if err != nil {
		problem("open: %v", err)
		return problems
	}
	report := j.Report()
	y.count(report.Outcome)
	if want := map[Outcome]Outcome{Pending: Replayed, Void: SetAside}[foretold.Outcome]; report.Outcome != want && report.Outcome != foretold.Outcome {
		problem("Inspect said %s, Open %s", foretold.Outcome, report.Outcome)
	}
	if report.Outcome == SetAside {
		problem("set aside: %v", report.Reason)
	}
	problems = append(problems, inspect(r, disk)...)
	if err := j.Close(); err != nil {
		problem("close: %v", err)
	}
	if info, err := disk.Stat("w/strata/journal"); err != nil || info.Size != 0 {
		problem("a clean close leaves %d bytes in the journal (%v)", info.Size, err)
	}
	if thorough && len(problems) == 0 {
		problems = append(problems, goOn(r, disk)...)
	}
	return problems
}

// inspect looks at the world and at every region file.
func inspect(r *rig, disk vfs.FS) (problems []string) {
	is, err := look(disk)
	if err != nil {
		return []string{fmt.Sprintf("unreadable: %v", err)}
	}
	if d := r.judge(is); d != "" {
		problems = append(problems, d)
	}
	for name, want := range r.links {
		got, err := vfs.ReadFile(disk, name, 1<<30)
		if err != nil || string(got) != want && !(r.flushFails && sameRecords(got, []byte(want))) {
			problems = append(problems, fmt.Sprintf("snapshot %s has changed (%v)", name, err))
		}
	}
	for _, name := range names(disk) {
		if _, ok := region.ParseName(base(name)); !ok {
			continue
		}
		report, err := region.Check(name, region.CheckOptions{FS: disk, SkipDecode: true})
		if err != nil {
			problems = append(problems, err.Error())
			continue
		}
		for _, f := range report.Findings {
			if f.Severity >= region.SeverityError {
				problems = append(problems, fmt.Sprint(f))
			}
		}
	}
	return problems
}

// sameRecords reports whether two region files have the same header and the
// same bytes in the sectors it names. After failed flushes free sectors may
// have been in the cache alone when a snapshot was taken.
func sameRecords(a, b []byte) bool {
	if len(a) < region.HeaderBytes || len(b) < region.HeaderBytes || !bytes.Equal(a[:region.HeaderBytes], b[:region.HeaderBytes]) {
		return false
	}
	h := (*region.Header)(a)
	for s := range region.Slot(region.Slots) {
		from := int(h.Location(s).Sector()) * region.SectorBytes
		to := from + int(h.Location(s).Count())*region.SectorBytes
		if to > len(a) || to > len(b) || !bytes.Equal(a[from:to], b[from:to]) {
			return false
		}
	}
	return true
}

func base(name string) string { return place{path: name}.base() }

// goOn commits one more epoch in a world that was opened after a crash.
func goOn(r *rig, disk *vfs.Mem) (problems []string) {
	is, err := look(disk)
	if err != nil {
		return []string{err.Error()}
	}
	next := &rig{mem: disk, fault: vfs.NewFault(disk), files: map[string]*region.File{}, base: is,
		ignored: map[string]bool{}, links: r.links, saves: r.saves + 1000}
	next.epoch(change{path: over, slot: 1, size: 6000}, change{path: over, slot: 40, size: 20_000},
		change{path: nether, slot: 7, size: 100}, change{path: player, size: 77, keepOld: true})
	next.close()
	for _, err := range next.errs {
		problems = append(problems, fmt.Sprintf("after the crash: %v", err))
	}
	return append(problems, inspect(next, disk)...)
}

// interrupt lets the power fail at each operation of the replay, and has it
// repeated: what comes out is the epoch, whole, each time.
func (w *workload) interrupt(r *rig, y *tally, disk *vfs.Mem) (problems []string) {
	if r.candidate == nil {
		return []string{"a record counts though its epoch was complete"}
	}
	epoch := &rig{base: r.candidate, ignored: r.ignored, links: r.links}
	for n := y.interrupted / 3 % 4; ; n += 4 { // a quarter each time
		fault := vfs.NewFault(disk.CrashClone(vfs.CrashOptions{}))
		fault.Add(vfs.Rule{Ops: vfs.OpMutating, Nth: n, Crash: true})
		j, err := Open(Options{FS: fault, Roots: testRoots})
		if !fault.Crashed() {
			if err != nil {
				return append(problems, fmt.Sprintf("replay: %v", err))
			}
			j.Close()
			return problems
		}
		for i := range 3 {
			y.interrupted++
			o := vfs.CrashOptions{Keep: vfs.Keep(i), Seed: uint64(n)}
			after := fault.Unwrap().(*vfs.Mem).CrashClone(o)
			j, err := Open(Options{FS: after, Roots: testRoots})
			if err != nil {
				problems = append(problems, fmt.Sprintf("replay after an interruption at %d: %v", n, err))
				continue
			}
			if j.Report().Outcome == SetAside {
				problems = append(problems, fmt.Sprintf("set aside after an interruption at %d: %v", n, j.Report().Reason))
			}
			j.Close()
			for _, p := range inspect(epoch, after) {
				problems = append(problems, fmt.Sprintf("interrupted at %d, keep %d: %s", n, i, p))
			}
		}
		if len(problems) > 0 {
			return problems
		}
	}
}

// bytesOf is the content of every file of the file system, by name.
func bytesOf(fsys vfs.FS) map[string]string {
	all := map[string]string{}
	for _, name := range names(fsys) {
		s, err := readState(fsys, name)
		if err != nil {
			panic(err)
		}
		all[name] = s.String()
	}
	return all
}

// names are the files of a file system.
func names(fsys vfs.FS) (all []string) {
	dirs := []string{"w", "n"}
	for len(dirs) > 0 {
		dir := dirs[0]
		dirs = dirs[1:]
		entries, err := fsys.ReadDir(dir)
		if err != nil {
			panic(err)
		}
		for _, e := range entries {
			if name := dir + "/" + e.Name(); e.IsDir() {
				dirs = append(dirs, name)
			} else {
				all = append(all, name)
			}
		}
	}
	return all
}

// TestTornRecordIsNoRecord tears the record while it is written over an older
// and longer one, whose bytes lie behind it.
func TestTornRecordIsNoRecord(t *testing.T) {
	seed := uint64(testbed.Seed(t))
	for _, memory := range []vfs.MemOptions{{}, windows} {
		r := newRig(memory)
		r.epoch(append(many(over, 300, 100), change{path: level, size: 100}, change{path: player, size: 90})...)
		acked := r.base
		journalSync := r.fault.Add(vfs.Rule{Ops: vfs.OpSync, Name: "journal", Crash: true})
		r.epoch(change{path: over, slot: 1, size: 50_000}, change{path: west, slot: 1, size: 100}, change{path: player, size: 100})
		r.epoch(change{path: over, slot: 1, size: 50_000}, change{path: west, slot: 1, size: 100}, change{path: player, size: 100})
		if journalSync.Fired() == 0 || r.candidate == nil {
			t.Fatal("the record was not being flushed")
		}
		seen := map[Outcome]int{}
		for i := range uint64(testbed.Runs(t, 400)) {
			disk := r.mem.CrashClone(vfs.CrashOptions{Keep: vfs.KeepRandom, Seed: seed + i})
			j, err := Open(Options{FS: disk, Roots: testRoots})
			if err != nil {
				t.Fatal(err)
			}
			o := j.Report().Outcome
			seen[o]++
			want := acked
			if o == Replayed {
				want = r.candidate
			}
			is, err := look(disk)
			if err != nil {
				t.Fatal(err)
			}
			if d := r.differ(is, want); d != "" || o == SetAside {
				t.Fatalf("seed %d: %s, %v:%s", seed+i, o, j.Report().Reason, d)
			}
		}
		if !testing.Short() && seen[Unfinished] == 0 || seen[Nothing] == 0 || seen[Replayed] == 0 {
			t.Errorf("outcomes %v: not all were reached", seen)
		}
		t.Log(seen)
	}
}

// TestKilledThenPowerCut kills the process before each operation, so that what
// it has written and not flushed is in the cache, opens the world again and
// lets the power fail during the replay or after it. What the second process
// does because of what it has read must not outlive what it has read.
func TestKilledThenPowerCut(t *testing.T) {
	for _, memory := range []vfs.MemOptions{{}, windows} {
		t.Run(fmt.Sprintf("windows=%v", memory.Windows), func(t *testing.T) {
			seed, cuts := uint64(testbed.Seed(t)), 0
			for i := range workloads {
				cuts += workloads[i].killThenCut(t, memory, seed)
			}
			t.Logf("%d power cuts", cuts)
		})
	}
}

func (w *workload) killThenCut(t *testing.T, memory vfs.MemOptions, seed uint64) (cuts int) {
	total, stride := w.operations(t, memory), 1
	if w.heavy {
		stride = 4
	}
	if testing.Short() {
		stride *= 15
	}
	rnd := rand.New(rand.NewPCG(seed, 5))
	for n := 0; n <= total; n += stride {
		for range 3 {
			r := w.start(memory)
			r.fault.Add(vfs.Rule{Ops: vfs.OpMutating, Nth: n, Crash: true})
			w.play(r)
			again := vfs.NewFault(r.mem)
			m := rnd.IntN(24)
			again.Add(vfs.Rule{Ops: vfs.OpMutating, Nth: m, Crash: true})
			if j, err := Open(Options{FS: again, Roots: testRoots}); err == nil {
				j.Close()
			} else if !again.Crashed() {
				t.Fatalf("%s: killed at %d: %v", w.name, n, err)
			}
			cuts++
			o := vfs.CrashOptions{Keep: vfs.Keep(rnd.IntN(3)), Seed: rnd.Uint64()}
			problems := w.reopen(r, &tally{}, r.mem.CrashClone(o), false)
			for _, p := range problems {
				t.Errorf("%s: killed at %d, power cut at %d, %+v, STRATA_SEED=%d: %s", w.name, n, m, o, int64(seed), p)
			}
			if len(problems) > 0 {
				for _, op := range append(r.fault.Ops(), again.Ops()...) {
					t.Log(op)
				}
				t.FailNow()
			}
		}
	}
	return cuts
}
