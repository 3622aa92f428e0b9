package block

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"
)

// MaxEntry is the largest palette entry that [States] takes, in bytes of NBT.
const MaxEntry = 64 << 10

// StatesOptions bounds a [States].
type StatesOptions struct {
	// MaxEntries is how many palette entries are taken, 1 to the default,
	// which is all that the range of State has left.
	MaxEntries int
	// MaxBytes is how many bytes of NBT are kept in all; default 64 MiB.
	MaxBytes int
}

// States gives State numbers to palette entries that are not exactly native
// states: unknown blocks, and known ones with other properties. It keeps the
// NBT of each entry, so that a chunk is saved as it was loaded. The numbers
// hold for this States alone and as long as it lives; they are never written
// nor sent.
//
// All methods may be called concurrently. Looking up an entry or a state
// takes no lock; only a new entry does.
type States struct {
	maxEntries int
	maxBytes   int

	chunks [maxStates / statesChunk]atomic.Pointer[[statesChunk]foreign]
	slots  atomic.Pointer[foreignIndex]
	count  atomic.Int32 // of the entries that are whole

	mu    sync.Mutex // held while an entry is added
	bytes int        // guarded by mu
}

// statesChunk is how many entries are allocated together.
const statesChunk = 256

// foreign is an entry. It is written before its slot is, and never changed.
type foreign struct {
	nbt   []byte
	base  State
	known bool // base is the block of the entry's name
}

// foreignIndex finds entries by their bytes: open addressing, at most half
// full. A slot holds the entry's place plus one and is set once.
type foreignIndex struct {
	slots []atomic.Uint32
	mask  uint64
}

func newForeignIndex(n int) *foreignIndex {
	return &foreignIndex{slots: make([]atomic.Uint32, n), mask: uint64(n - 1)}
}

// NewStates returns an empty States.
func NewStates(o StatesOptions) *States {
	const room = maxStates - StateCount
	if o.MaxEntries <= 0 || o.MaxEntries > room {
		o.MaxEntries = room
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = 64 << 20
	}
	s := &States{maxEntries: o.MaxEntries, maxBytes: o.MaxBytes}
	s.slots.Store(newForeignIndex(64))
	return s
}

// Intern returns the State of a palette entry for which [Resolve] reports
// false, or that has more in it than name and properties: nbt is the payload
// of its compound, of which a copy is kept, name and properties are what was
// found in it, for [States.Base]. Equal bytes give equal states. The error is
// [ErrFull] if there is no room or the entry is over [MaxEntry].
func (s *States) Intern(nbt, name []byte, properties []Pair) (State, error) {
	hash := xxhash.Sum64(nbt)
	if state, ok := s.find(hash, nbt); ok {
		return state, nil
	}
	if len(nbt) > MaxEntry {
		return 0, fmt.Errorf("%w: palette entry of %d bytes, over %d", ErrFull, len(nbt), MaxEntry)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	// Another call may have added it since, or grown the index that was
	// looked into.
	if state, ok := s.find(hash, nbt); ok {
		return state, nil
	}
	if s.Len() == s.maxEntries {
		return 0, fmt.Errorf("%w: %d entries", ErrFull, s.Len())
	}
	if s.bytes+len(nbt) > s.maxBytes {
		return 0, fmt.Errorf("%w: over %d bytes", ErrFull, s.maxBytes)
	}
	f := foreign{nbt: append([]byte(nil), nbt...)}
	f.base, f.known = nearest(name, properties)
	if !f.known {
		f.base = Stone.Default()
	}
	return s.add(hash, f), nil
}

// add publishes an entry. mu is held.
func (s *States) add(hash uint64, f foreign) State {
	place := s.Len()
	chunk := s.chunks[place/statesChunk].Load()
	if chunk == nil {
		chunk = new([statesChunk]foreign)
		s.chunks[place/statesChunk].Store(chunk)
	}
	chunk[place%statesChunk] = f
	s.count.Add(1)
	s.bytes += len(f.nbt)
	index := s.slots.Load()
	if 2*s.Len() > len(index.slots) {
		bigger := newForeignIndex(2 * len(index.slots))
		for i := range index.slots {
			if slot := index.slots[i].Load(); slot != 0 {
				bigger.put(xxhash.Sum64(s.at(int(slot-1)).nbt), slot)
			}
		}
		bigger.put(hash, uint32(place+1))
		s.slots.Store(bigger)
	} else {
		index.put(hash, uint32(place+1))
	}
	return State(StateCount + place)
}

func (x *foreignIndex) put(hash uint64, slot uint32) {
	i := hash & x.mask
	for x.slots[i].Load() != 0 {
		i = (i + 1) & x.mask
	}
	x.slots[i].Store(slot)
}

func (s *States) find(hash uint64, nbt []byte) (State, bool) {
	index := s.slots.Load()
	for i := hash & index.mask; ; i = (i + 1) & index.mask {
		slot := index.slots[i].Load()
		if slot == 0 {
			return 0, false
		}
		if string(s.at(int(slot-1)).nbt) == string(nbt) {
			return State(StateCount + int(slot) - 1), true
		}
	}
}

// at returns the entry at a place that a slot or a State of this States gave.
func (s *States) at(place int) *foreign {
	return &s.chunks[place/statesChunk].Load()[place%statesChunk]
}

func (s *States) get(state State) *foreign {
	if state.Native() {
		return nil
	}
	place := int(state) - StateCount
	if place >= s.Len() {
		return nil
	}
	return s.at(place)
}

// NBT returns the palette entry that a state stands for, as it was interned;
// nil for native states and those of another States. The caller must not
// change it.
func (s *States) NBT(state State) []byte {
	if f := s.get(state); f != nil {
		return f.nbt
	}
	return nil
}

// Base returns the native state whose facts (light, shape, heightmaps) suit
// the state best: a native state itself; for an entry that names a native
// block that block, with the properties that it knows and the defaults of the
// rest; stone for everything else. known is false in the last case.
func (s *States) Base(state State) (base State, known bool) {
	if state.Native() {
		return state, true
	}
	if f := s.get(state); f != nil {
		return f.base, f.known
	}
	return Stone.Default(), false
}

// Len returns the number of entries.
func (s *States) Len() int { return int(s.count.Load()) }
