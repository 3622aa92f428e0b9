package region

import (
	"errors"
	"testing"

	"strata/bench/testbed"
	"strata/region/vfs"
)

var errPlanned = errors.New("planned failure")

// TestCrashPoints stops each workload after each operation that changes the
// disk and looks at what a power cut could leave there: nothing that was not
// flushed, everything, or a random part of it, torn at 512 bytes. On a
// submission 20,000 states; nightly 200,000 (STRATA_LONG_RUNS).
func TestCrashPoints(t *testing.T) {
	states := testbed.Runs(t, 20_000)
	total := crashAll(t, states, vfs.MemOptions{})
	t.Logf("%d workloads: %v", len(workloads), total)
	if total.states < states && !t.Failed() {
		t.Errorf("%d states are fewer than %d", total.states, states)
	}
}

// crashAll stops all workloads at each of their operations.
func crashAll(t *testing.T, states int, memory vfs.MemOptions) *tally {
	seed, total := uint64(testbed.Seed(t)), &tally{}
	weights := 0
	for i := range workloads {
		weights += workloads[i].weight()
	}
	t.Run("workload", func(t *testing.T) {
		for i := range workloads {
			w := &workloads[i]
			t.Run(w.name, func(t *testing.T) {
				t.Parallel()
				total.add(w.crash(t, memory, (states*w.weight()+weights-1)/weights, seed))
			})
		}
	})
	return total
}

func (w *workload) weight() int {
	if w.heavy {
		return 1
	}
	return 12
}

// crash stops the workload after each of its operations in turn, with as many
// outcomes each as make up the number of states; under -short after every
// fifth.
func (w *workload) crash(t *testing.T, memory vfs.MemOptions, states int, seed uint64) *tally {
	total := w.operations(t, memory)
	y := &tally{}
	stride := 1
	if testing.Short() {
		stride = 5
	}
	points := total/stride + 1
	outcomes := max(3, (states+points-1)/points) // none, all and the rest random
	for n := 0; n <= total; n += stride {
		r := w.start(memory)
		r.fault.Add(vfs.Rule{Ops: vfs.OpMutating, Nth: n, Crash: true})
		w.play(r)
		y.acknowledged += r.ledger.acknowledged()
		for i := range outcomes {
			o := vfs.CrashOptions{Keep: vfs.Keep(min(i, 2)), Seed: seed + uint64(n*outcomes+i)}
			before := len(y.problems)
			y.states++
			y.reopen(r, r.mem.CrashClone(o))
			y.problems = append(y.problems, r.broken...)
			r.broken = nil
			for _, p := range y.problems[before:] {
				t.Errorf("%s\n  STRATA_SEED=%d go test -run '%s$': operation %d, keep %d, outcome seed %d",
					p, int64(seed), t.Name(), n, o.Keep, o.Seed)
			}
			if len(y.problems) > 10 {
				for _, op := range r.fault.Ops() {
					t.Log(op)
				}
				t.Fatal("too many problems")
			}
		}
	}
	return y
}

// operations runs the workload to its end and counts what changes the disk.
// Nothing fails but what the workload itself plans.
func (w *workload) operations(t *testing.T, memory vfs.MemOptions) int {
	r := w.start(memory)
	before := r.fault.Count(vfs.OpMutating)
	w.play(r)
	for _, err := range r.errs {
		if !errors.Is(err, errPlanned) {
			t.Fatal(err)
		}
	}
	for _, p := range r.broken {
		t.Error(p)
	}
	r.fault.Verify(t)
	return r.fault.Count(vfs.OpMutating) - before
}

// reopen checks what a crash has left, twice: as it is, and after one more
// chunk was written to each region file.
func (y *tally) reopen(r *rig, disk *vfs.Mem) {
	y.inspect(disk, "w", r.ledger)
	y.inspectLinks(disk, r)
	entries, err := disk.ReadDir("w")
	if err != nil {
		y.problem(&y.unreadable, "list: %v", err)
		return
	}
	extra := map[ChunkPos]history{}
	for _, e := range entries {
		p, ok := ParseName(e.Name())
		if !ok {
			continue
		}
		c := p.Chunk(1000)
		data := cachedPayload(1000, 1, 5000)
		if err := writeTo(disk, "w/"+e.Name(), data, r.opts); err != nil {
			y.problem(&y.unreadable, "write after the crash: %v", err)
			continue
		}
		extra[c] = &listed{versions: [][]byte{data}}
	}
	for c, h := range extra {
		r.ledger.chunks[c] = h
	}
	y.inspect(disk, "w", r.ledger)
	y.inspectLinks(disk, r)
	for c := range extra {
		delete(r.ledger.chunks, c)
	}
}

// writeTo opens a region file, writes slot 1000 and closes it.
func writeTo(fsys vfs.FS, path string, data []byte, opts Options) error {
	opts.FS, opts.Events = fsys, nil
	f, err := Open(path, opts)
	if err != nil {
		return err
	}
	g, err := f.Stage(Write{Slot: 1000, Scheme: 3, Data: data})
	if err == nil {
		err = g.Publish()
		g.Release()
	}
	return errors.Join(err, f.Close())
}
