package journal

import (
	"fmt"

	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// big is the size of a stream that goes to an external file.
const big = 1_044_476

const (
	over    = "w/region/r.0.0.mca"
	west    = "w/region/r.-1.0.mca"
	animals = "w/entities/r.0.0.mca"
	nether  = "n/DIM-1/region/r.0.0.mca"
	player  = "w/playerdata/a.dat"
	level   = "w/level.dat"
)

// workload is a series of epochs and what may go on around them.
type workload struct {
	name  string
	heavy bool // megabytes a run: gets fewer states
	setup func(r *rig)
	run   func(r *rig)
}

func (w *workload) weight() int {
	if w.heavy {
		return 1
	}
	return 6
}

// start makes a world and runs the setup, in which nothing fails.
func (w *workload) start(memory vfs.MemOptions) *rig {
	r := newRig(memory)
	r.epoch(change{path: level, size: 900}, change{path: player, size: 700},
		change{path: over, slot: 1, size: 5000}, change{path: over, slot: 2, size: 300},
		change{path: animals, slot: 1, size: 800}, change{path: nether, slot: 7, size: 9000})
	if w.setup != nil {
		w.setup(r)
	}
	r.close()
	if len(r.errs) > 0 {
		panic(r.errs[0])
	}
	return r
}

func (w *workload) play(r *rig) {
	w.run(r)
	r.close()
}

// many are n chunks of a region file.
func many(path string, n, size int) []change {
	changes := make([]change, n)
	for i := range changes {
		changes[i] = change{path: path, slot: region.Slot(i), size: size}
	}
	return changes
}

var workloads = []workload{
	{name: "chunks-of-four-files", run: func(r *rig) {
		for i := range 3 {
			r.epoch(change{path: over, slot: 1, size: 5000 + 4000*i}, change{path: over, slot: 2},
				change{path: west, slot: 1000, size: 100}, change{path: animals, slot: 1, size: 6000 * (i % 2)},
				change{path: nether, slot: 7, size: 9000 - 4000*i})
		}
	}},
	{name: "player-moves-an-item", run: func(r *rig) {
		for i := range 3 {
			r.epoch(change{path: over, slot: 2, size: 400 + i}, change{path: player, size: 800 + i, keepOld: true},
				change{path: level, size: 950 + i, keepOld: true})
		}
	}},
	{name: "files-made-and-removed", run: func(r *rig) {
		r.epoch(change{path: "w/data/raids.dat", size: 50}, change{path: "w/data/maps/1.dat", size: 60_000, by: true}, change{path: player})
		r.epoch(change{path: player, size: 10, by: true}, change{path: "w/data/raids.dat"}, change{path: over, slot: 3, size: 4000})
		r.epoch(change{path: "w/data/maps/1.dat"}, change{path: "w/data/raids.dat", size: 1}, change{path: "w/data/none.dat"})
	}},
	{name: "new-region-files", run: func(r *rig) {
		for i := range 3 {
			r.epoch(change{path: fmt.Sprintf("w/region/r.%d.5.mca", i), slot: 9, size: 3000},
				change{path: fmt.Sprintf("n/DIM-1/region/r.%d.5.mca", i), slot: 9, size: 3000},
				change{path: over, slot: 1, size: 200})
		}
	}},
	{name: "large-and-small-records", run: func(r *rig) {
		r.epoch(append(many(over, 200, 100), many(west, 200, 100)...)...)
		r.epoch(change{path: player, size: 3})
		r.epoch(many(west, 30, 5000)...)
		r.epoch(change{path: west, slot: 4})
	}},
	{name: "epochs-and-ordinary-commits", run: func(r *rig) {
		for i := range 3 {
			r.epoch(change{path: over, slot: 1, size: 9000}, change{path: animals, slot: 1, size: 300 + i})
			r.write(change{path: over, slot: 1, size: 5000})
			r.write(change{path: animals, slot: 1})
			r.write(change{path: west, slot: region.Slot(i), size: 12_000})
		}
	}},
	{name: "aborted-epochs", run: func(r *rig) {
		for i := range 3 {
			r.abort(change{path: over, slot: 1, size: 9000}, change{path: player, size: 5000}, change{path: west, slot: 1, size: 10})
			r.epoch(change{path: over, slot: 1, size: 9000 - i}, change{path: player, size: 500, by: true})
		}
	}},
	{name: "opened-again", run: func(r *rig) {
		for i := range 3 {
			r.epoch(change{path: over, slot: 1, size: 7000}, change{path: nether, slot: 7, size: 10 + i}, change{path: level, size: 900 + i})
			r.close()
		}
	}},
	{name: "hard-links", setup: func(r *rig) {
		r.link(over, "w/region/snapshot")
	}, run: func(r *rig) {
		r.epoch(change{path: over, slot: 1, size: 9000}, change{path: animals, slot: 1, size: 300})
		r.link(animals, "w/entities/snapshot")
		r.epoch(change{path: over, slot: 1, size: 200}, change{path: animals, slot: 2, size: 300})
	}},
	{name: "external-in-and-out", heavy: true, run: func(r *rig) {
		r.epoch(change{path: over, slot: 1, size: big}, change{path: animals, slot: 1, size: 400})
		r.epoch(change{path: over, slot: 1, size: 300}, change{path: west, slot: 3, size: big}, change{path: player, size: 9})
		r.epoch(change{path: west, slot: 3}, change{path: over, slot: 1, size: big + 5000})
	}},
	{name: "external-other-scheme", heavy: true, setup: func(r *rig) {
		r.epoch(change{path: over, slot: 1, size: big}, change{path: nether, slot: 7, size: big + 9, scheme: codec.Zlib})
	}, run: func(r *rig) {
		r.epoch(change{path: over, slot: 1, size: big + 4000, scheme: codec.Zlib}, change{path: nether, slot: 7, size: big})
		r.epoch(change{path: over, slot: 1, size: big + 4000, scheme: codec.LZ4}, change{path: nether, slot: 7, size: 800}, change{path: level, size: 30})
	}},
}
