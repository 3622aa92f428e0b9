package store

import "sync"

// object is one chunk, or the entities or points of interest of one, that the
// store has charge of: while it is loading, held, changed, or being saved. The
// map of objects is the only authority; everything else is the disk's.
type object struct {
	ref Ref
	key uint64

	// edit is held by whoever reads or changes the content. Locks are taken in
	// the order Store.gate, edit, Store.mu.
	edit  sync.Mutex
	value content // nil: there is none, or it was deleted
	// frozen is the content as it was at a cut that has not taken it yet, if
	// isFrozen says that somebody changed it since.
	frozen   content
	isFrozen bool

	// Guarded by Store.mu.
	holds   int
	load    *load // not nil while loading
	in      *list // of what is changed, nil: not due
	dirty   int64 // bytes that are counted in it
	saving  bool  // part of the epoch that is being made
	rescued bool  // could not be saved; kept for good
	fails   int
	tag     tag
	sum     digest // of what is on the disk as tag says
	bytes   int64  // estimate of what it takes in memory
}

// dueness says when a change has to be saved.
type dueness uint8

const (
	notDue       dueness = iota
	atAutosave           // drift
	atNextEpoch          // structural
	minObject    = 1 << 10
	overhead     = 2 << 10 // of a chunk beside what its NBT suggests
	newChunkSize = 64 << 10
)

func (o *object) idle() bool {
	return o.holds == 0 && o.load == nil && o.in == nil && !o.saving && !o.rescued
}
