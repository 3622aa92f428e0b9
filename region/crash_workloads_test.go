package region

import (
	"math/rand/v2"

	"strata/region/codec"
	"strata/region/vfs"
)

// big is the size of a stream that goes to an external file.
const big = 1_044_476

// workload is a series of saves and what may go on around them. It is run
// many times, each time with another fault.
type workload struct {
	name  string
	heavy bool // megabytes a run: gets fewer states
	opts  Options
	setup func(r *rig) // before faults are planned
	run   func(r *rig)
}

// start makes the rig and runs the workload's setup, in which nothing fails.
func (w *workload) start(memory vfs.MemOptions) *rig {
	r := newRig(w.opts, memory)
	if w.setup != nil {
		w.setup(r)
		r.close()
		if len(r.errs) > 0 {
			panic(r.errs[0])
		}
	}
	return r
}

// play runs the workload and closes what it has opened.
func (w *workload) play(r *rig) {
	w.run(r)
	r.finish()
}

// repeat makes n edits of the same size, of consecutive slots.
func repeat(n, size int) []edit {
	edits := make([]edit, n)
	for i := range edits {
		edits[i] = edit{slot: Slot(i), size: size}
	}
	return edits
}

// randomEdits depends on the seed alone, so that each run of a workload makes
// the same operations.
func randomEdits(seed uint64, n, slots, maxSize int) []edit {
	r := rand.New(rand.NewPCG(seed, 77))
	edits := make([]edit, n)
	for i := range edits {
		edits[i] = edit{slot: Slot(r.IntN(slots)), size: 16 + r.IntN(maxSize)}
		if r.IntN(8) == 0 {
			edits[i].size = 0
		}
	}
	return edits
}

var workloads = []workload{
	{name: "grow", run: func(r *rig) {
		for size := 100; size < 40_000; size += 4000 {
			r.save(edit{slot: 5, size: size}, edit{slot: 6, size: size / 2})
		}
	}},
	{name: "shrink", run: func(r *rig) {
		for size := 40_000; size > 0; size -= 4000 {
			r.save(edit{slot: 5, size: size}, edit{slot: 6, size: size / 2})
		}
	}},
	{name: "overwrite-same-size", run: func(r *rig) {
		for range 8 {
			r.save(repeat(3, 5000)...)
		}
	}},
	{name: "random-sizes", run: func(r *rig) {
		r.save(randomEdits(1, 25, 8, 30_000)...)
	}},
	{name: "large-groups", run: func(r *rig) {
		for range 6 {
			r.group(repeat(24, 7000)...)
			r.group(repeat(12, 2000)...)
		}
	}},
	{name: "submitted-bursts", run: func(r *rig) {
		for i := range uint64(4) {
			r.burst(randomEdits(10+i, 30, 20, 9000)...)
		}
	}},
	{name: "reopen", run: func(r *rig) {
		for i := range uint64(5) {
			r.save(randomEdits(20+i, 4, 6, 20_000)...)
			r.close()
		}
	}},
	{name: "delete", run: func(r *rig) {
		for range 3 {
			r.save(repeat(5, 9000)...)
			r.save(repeat(3, 0)...)
			r.group(edit{slot: 3}, edit{slot: 0, size: 3000}, edit{slot: 9})
		}
	}},
	{name: "external-in", heavy: true, run: func(r *rig) {
		for s := range Slot(2) {
			r.save(edit{slot: s, size: 6000}, edit{slot: s, size: big})
			r.group(edit{slot: s + 4, size: big + 10_000}, edit{slot: 9, size: 100})
		}
	}},
	{name: "external-out", heavy: true, setup: func(r *rig) {
		r.save(repeat(3, big)...)
	}, run: func(r *rig) {
		r.save(edit{slot: 0, size: 6000}, edit{slot: 8, size: 9000}, edit{slot: 1, size: 50_000})
		r.group(edit{slot: 2, size: 100}, edit{slot: 0, size: 7000})
	}},
	{name: "external-same-scheme", heavy: true, run: func(r *rig) {
		for range 3 {
			r.save(edit{slot: 1, size: big}, edit{slot: 2, size: 500})
		}
	}},
	{name: "external-other-scheme", heavy: true, setup: func(r *rig) {
		r.save(edit{slot: 1, size: big}, edit{slot: 2, size: big, scheme: codec.LZ4})
	}, run: func(r *rig) {
		r.save(edit{slot: 1, size: big, scheme: codec.Zlib}, edit{slot: 3, size: 100})
		r.save(edit{slot: 2, size: big}, edit{slot: 1, size: big + 1, scheme: codec.LZ4})
		r.group(edit{slot: 1, size: 400}, edit{slot: 2, size: big, scheme: codec.Zlib})
		r.save(edit{slot: 1, size: big, scheme: codec.LZ4})
	}},
	{name: "external-delete", heavy: true, setup: func(r *rig) {
		r.save(repeat(3, big)...)
	}, run: func(r *rig) {
		r.save(edit{slot: 0}, edit{slot: 8, size: 9000})
		r.group(edit{slot: 1}, edit{slot: 2}, edit{slot: 0, size: 100})
		r.save(edit{slot: 1, size: big}, edit{slot: 1})
	}},
	{name: "groups-in-other-order", run: func(r *rig) {
		for range 4 {
			a := r.stage(edit{slot: 1, size: 5000}, edit{slot: 2, size: 9000}, edit{slot: 3, size: 100})
			b := r.stage(edit{slot: 1, size: 12_000}, edit{slot: 4, size: 9000})
			c := r.stage(edit{slot: 2, size: 700}, edit{slot: 5, size: 9000})
			r.publish(c)
			r.publish(a)
			r.publish(b)
		}
	}},
	{name: "abort", run: func(r *rig) {
		for range 5 {
			r.save(edit{slot: 1, size: 5000}, edit{slot: 2, size: 9000})
			a := r.stage(edit{slot: 1, size: 14_000}, edit{slot: 2, size: 900}, edit{slot: 3, size: 100})
			b := r.stage(edit{slot: 2, size: 6000}, edit{slot: 4})
			r.abort(a)
			r.publish(b)
		}
	}},
	{name: "compact", run: func(r *rig) {
		r.group(repeat(20, 9000)...)
		for i := range uint64(3) {
			r.save(randomEdits(30+i, 6, 20, 40_000)...)
			r.compact()
		}
		r.save(edit{slot: 1, size: 5000})
	}},
	{name: "compact-with-damage", setup: func(r *rig) {
		r.group(repeat(12, 9000)...)
		r.damage(3, []byte{0, 0, 0, 0, 2})
		r.damage(5, []byte{0x7f, 0xff, 0xff, 0xff, 2})
		r.damage(7, []byte{0, 0, 0x20, 1, 99, 1, 2, 3})
	}, run: func(r *rig) {
		for i := range uint64(3) {
			r.save(edit{slot: 1, size: int(20_000 - i*3000)}, edit{slot: 2, size: 100}, edit{slot: 9})
			r.compact()
			r.save(edit{slot: 20, size: 15_000})
		}
	}},
	{name: "writer", heavy: true, run: func(r *rig) {
		r.create(Pos{0, 0}, edit{slot: 1, size: 5000}, edit{slot: 2, size: big}, edit{slot: 3, size: 9000})
		r.save(edit{slot: 1, size: 9000}, edit{slot: 2, size: 100})
		r.create(Pos{1, 0}, repeat(6, 7000)...)
	}},
	{name: "folder", run: func(r *rig) {
		for i := range int32(24) {
			r.saveChunk(ChunkPos{X: i % 6 * 32, Z: i % 2 * -32}, int(3000+i*500))
		}
	}},
	{name: "hard-link", setup: func(r *rig) {
		r.group(repeat(6, 9000)...)
		r.save(edit{slot: 2, size: 100}, edit{slot: 3})
	}, run: func(r *rig) {
		r.use()
		r.link("snapshot-1")
		r.save(edit{slot: 1, size: 9000}, edit{slot: 2, size: 20_000})
		st := r.stage(edit{slot: 1, size: 3000})
		r.link("snapshot-2")
		r.publish(st)
		r.save(edit{slot: 1, size: 800}, edit{slot: 7, size: 800}, edit{slot: 4})
		r.close()
		r.link("snapshot-3")
		r.compact()
		r.save(edit{slot: 1, size: 9000})
	}},
	{name: "pin", run: func(r *rig) {
		r.save(repeat(4, 9000)...)
		p := r.pin()
		r.save(randomEdits(40, 8, 5, 20_000)...)
		r.check(p)
		r.save(randomEdits(41, 6, 5, 20_000)...)
		r.unpin(p)
		r.save(randomEdits(42, 6, 5, 20_000)...)
	}},
	{name: "pin-external", heavy: true, setup: func(r *rig) {
		r.save(repeat(2, big)...)
	}, run: func(r *rig) {
		r.use()
		p := r.pin()
		r.save(edit{slot: 0, size: big}, edit{slot: 1, size: 600})
		r.check(p)
		r.save(edit{slot: 0}, edit{slot: 1, size: big})
		r.unpin(p)
	}},
	{name: "tail-truncation", run: func(r *rig) {
		for i := range 4 {
			r.save(edit{slot: 1, size: 6000}, edit{slot: 2, size: 200_000})
			r.save(edit{slot: 2, size: 50 * i}, edit{slot: 3, size: 9000})
		}
	}},
	{name: "hole-punching", opts: Options{PunchHoles: true}, run: func(r *rig) {
		r.save(randomEdits(50, 20, 6, 30_000)...)
		r.group(repeat(6, 5000)...)
		r.group(repeat(6, 9000)...)
	}},
	{name: "restore", setup: func(r *rig) {
		r.group(repeat(8, 9000)...)
	}, run: func(r *rig) {
		f := r.use()
		if f == nil {
			return
		}
		image, content := f.Header(), r.contents(f.Read)
		if content == nil {
			return
		}
		drop := []Slot{1, 2, 3}
		r.restore(image, content, drop, nil)
		if f.Entry(1).Empty() { // the dropped records are where they were
			r.restore(image, content, nil, drop)
		}
		r.save(randomEdits(60, 6, 8, 9000)...)
	}},
	{name: "failed-payload-flush", run: func(r *rig) {
		r.save(repeat(3, 5000)...)
		once := r.fault.Add(vfs.Rule{Ops: vfs.OpSync, Name: "r.*", Nth: 2, Err: errPlanned, Landed: vfs.CrashOptions{Keep: vfs.KeepRandom, Seed: 3}})
		r.save(repeat(3, 5000)...)
		once.Withdraw()
		twice := r.fault.Add(vfs.Rule{Ops: vfs.OpSync, Name: "r.*", Forever: true, Err: errPlanned, Landed: vfs.CrashOptions{Keep: vfs.KeepRandom, Seed: 4}})
		r.save(edit{slot: 1, size: 7000})
		twice.Withdraw()
		r.save(repeat(4, 7000)...)
	}},
	{name: "failed-header-flush", run: func(r *rig) {
		r.save(repeat(3, 5000)...)
		for i := range 3 {
			st := r.stage(edit{slot: 1, size: 6000}, edit{slot: 7, size: 100 + i}, edit{slot: 2})
			fails := r.fault.Add(vfs.Rule{Ops: vfs.OpSync, Name: "r.*", Forever: true, Err: errPlanned, Landed: vfs.CrashOptions{Keep: vfs.Keep(i)}})
			r.publish(st)
			fails.Withdraw()
			r.save(edit{slot: 4, size: 12_000}, edit{slot: 5, size: 6000})
		}
		r.save(edit{slot: 1, size: 300})
	}},
}
