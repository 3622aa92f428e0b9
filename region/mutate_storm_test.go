package region

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	runtimemetrics "runtime/metrics"
	"slices"
	"testing"

	"strata/bench/testbed"
	"strata/region/codec"
	"strata/region/vfs"
)

const (
	stormMaxStream = 1 << 20
	stormHeap      = 64 << 20
)

// mutate damages the file in one way.
func (m *image) mutate(rng *rand.Rand, bombs map[codec.Scheme][]byte) {
	n := len(m.bytes)
	record := func() []byte { // the start of some sector behind the header
		if n < HeaderBytes+SectorBytes {
			return make([]byte, SectorBytes)
		}
		return m.bytes[HeaderBytes+SectorBytes*rng.IntN((n-HeaderBytes)/SectorBytes):]
	}
	switch rng.IntN(16) {
	case 0, 1, 2, 3:
		if n >= HeaderBytes {
			breakHeader(rng, (*Header)(m.bytes))
		}
	case 4:
		if n > 0 {
			m.bytes[rng.IntN(n)] ^= 1 << rng.IntN(8)
		}
	case 5:
		record()[rng.IntN(RecordHeaderBytes)] ^= 1 << rng.IntN(8)
	case 6:
		lengths := []uint32{0, 1, 2, 5, 4091, 4092, 4093, 1 << 20, 1<<31 - 1, 1 << 31, 1<<32 - 1}
		binary.BigEndian.PutUint32(record(), lengths[rng.IntN(len(lengths))])
	case 7:
		record()[4] = byte(rng.Uint32())
	case 8:
		record()[4] ^= externalFlag
	case 9:
		m.bytes = m.bytes[:rng.IntN(n+1)]
	case 10:
		m.bytes = m.bytes[:max(0, n-rng.IntN(SectorBytes))]
	case 11: // a sector of the device
		if n >= 512 {
			b := m.bytes[512*rng.IntN(n/512):][:512]
			clear(b)
			if rng.IntN(2) == 0 {
				for i := range b {
					b[i] = byte(rng.Uint32())
				}
			}
		}
	case 12: // one record over another
		copy(record(), slices.Clone(record()[:SectorBytes]))
	case 13:
		m.damageBody(rng)
	case 14:
		if s := codec.Scheme(1 + rng.IntN(4)); s != codec.None {
			b := record()
			binary.BigEndian.PutUint32(b, uint32(len(bombs[s])+1))
			b[4] = byte(s)
			copy(b[RecordHeaderBytes:], bombs[s])
		}
	case 15:
		m.bytes = append(m.bytes, make([]byte, rng.IntN(3*SectorBytes))...)
	}
}

func (m *image) damageBody(rng *rand.Rand) {
	for _, name := range slices.Sorted(maps.Keys(m.files)) {
		body := slices.Clone(m.files[name])
		switch rng.IntN(3) {
		case 0:
			delete(m.files, name)
		case 1:
			m.files[name] = body[:rng.IntN(len(body)+1)]
		case 2:
			if len(body) > 0 {
				body[rng.IntN(len(body))] ^= 1 << rng.IntN(8)
			}
			m.files[name] = body
		}
	}
}

func TestDamagedInputsStorm(t *testing.T) {
	seed := uint64(testbed.Seed(t))
	ci := 100_000
	if testing.Short() {
		ci /= 5 // of which Runs leaves a tenth: under -race one takes 7 ms
	}
	runs := testbed.Runs(t, ci)
	bases := stormBases(t, rand.New(rand.NewPCG(seed, 0)))
	st := &storm{bombs: bombs(t), buf: make([]byte, countByLength*SectorBytes), raw: make([]byte, 0, 2*stormMaxStream)}
	heap := []runtimemetrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	for run := range runs {
		rng := rand.New(rand.NewPCG(seed, uint64(run)+1))
		base := bases[rng.IntN(len(bases))]
		runtimemetrics.Read(heap)
		before := heap[0].Value.Uint64()
		st.strike(t, rng, base)
		runtimemetrics.Read(heap)
		// What was allocated in all bounds what the heap has grown.
		if n := heap[0].Value.Uint64() - before; n > stormHeap {
			t.Errorf("%d bytes were allocated", n)
		} else {
			st.most = max(st.most, n)
		}
		if t.Failed() {
			t.Fatalf("run %d", run)
		}
	}
	t.Logf("%d files damaged: %d chunks harmed, each named; %d intact ones, %d of them found again by the repair; at most %d KiB allocated for a file",
		runs, st.harmed, st.intact, st.found, st.most>>10)
	if runs >= 1000 && (st.harmed < runs/10 || st.found < runs/100) {
		t.Error("the storm harms too little to tell anything")
	}
}

type storm struct {
	bombs                 map[codec.Scheme][]byte
	dec                   codec.Decoder
	buf, raw              []byte
	harmed, intact, found int
	most                  uint64
}

// strike damages a copy of the file and puts it through everything.
func (st *storm) strike(t *testing.T, rng *rand.Rand, base *stormBase) {
	m := &image{t: t, pos: base.pos, bytes: slices.Clone(base.bytes), files: maps.Clone(base.files)}
	for range 1 + rng.IntN(3) {
		m.mutate(rng, st.bombs)
	}
	fsys := vfs.NewMem(vfs.MemOptions{})
	path := m.save(fsys, "w")
	before, opened := st.read(t, fsys, path, base)
	r, err := Check(path, CheckOptions{FS: fsys, Inspect: base.inspect, MaxStream: stormMaxStream})
	if err != nil {
		t.Fatal(err)
	}
	st.wantNamed(t, r, before, opened)
	scanEmpty := rng.IntN(2) == 0
	report, err := Repair(path, RepairOptions{FS: fsys, Inspect: base.inspect, MaxStream: stormMaxStream, ScanEmpty: scanEmpty})
	if err != nil {
		t.Fatal(err)
	}
	after, _ := st.read(t, fsys, path, base)
	listed := map[string]bool{}
	for _, f := range report.Unrepairable {
		listed[brief(f)] = true
	}
	left, err := Check(path, CheckOptions{FS: fsys, Inspect: base.inspect, MaxStream: stormMaxStream})
	if err != nil {
		t.Fatal(err)
	}
	st.wantRecovered(t, base, m, opened, before, after, report, left, scanEmpty)
	for _, f := range left.Findings {
		if f.Severity >= SeverityError && !listed[brief(f)] {
			t.Errorf("left and not listed: %v", f)
		}
	}
}

// read reads every slot through a file that is open for writing. state says
// of a slot whether it holds the base file's chunk as it was.
func (st *storm) read(t *testing.T, fsys vfs.FS, path string, base *stormBase) (state map[Slot]slotState, h *Header) {
	f, err := Open(path, Options{FS: fsys, MaxStream: stormMaxStream})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	state = map[Slot]slotState{}
	for s := range Slot(Slots) {
		if f.Entry(s).Empty() {
			continue
		}
		var err error
		st.raw, _, err = f.Decode(s, &st.dec, st.buf, st.raw[:0])
		if err != nil {
			state[s] = unreadable
			continue
		}
		c, known := base.chunks[s]
		in, err := base.inspect(base.pos.Chunk(s), st.raw)
		switch {
		case known && bytes.Equal(c.data, st.raw):
			state[s] = asItWas
		case err == nil && in.Position == base.pos.Chunk(s):
			state[s] = otherVersion
		default:
			state[s] = wrongChunk
		}
	}
	return state, f.Header()
}

type slotState uint8

const (
	emptySlot slotState = iota
	unreadable
	wrongChunk
	otherVersion // a freed copy of the same chunk: nothing tells that it is not the newest
	asItWas
)

// wantNamed wants a finding about every slot that is not what it should be.
func (st *storm) wantNamed(t *testing.T, r *Report, state map[Slot]slotState, h *Header) {
	named := map[int]bool{}
	for _, f := range r.Findings {
		if f.Severity >= SeverityWarning {
			named[f.Slot] = true
		}
	}
	for s, is := range state {
		if is == unreadable || is == wrongChunk {
			st.harmed++
			if !named[int(s)] {
				t.Errorf("slot %d (%v) is %d and no finding names it: %v", s, h.Entry(s), is, r.Findings)
			}
		}
	}
}

// wantRecovered wants every chunk whose record is intact to be readable after
// the repair, and none that was readable to be lost.
func (st *storm) wantRecovered(t *testing.T, base *stormBase, m *image, h *Header, before, after map[Slot]slotState, r *RepairReport, left *Report, scanEmpty bool) {
	for s, is := range before {
		if is >= otherVersion && after[s] < is {
			t.Errorf("slot %d was readable and is not any more: %v", s, r)
		}
	}
	opaque, misplaced := map[Slot]bool{}, map[Slot]bool{}
	for _, f := range left.Findings {
		switch f.Class {
		case UnknownScheme, TooLarge:
			opaque[Slot(f.Slot)] = true
		case WrongPosition:
			misplaced[Slot(f.Slot)] = true
		}
	}
	for s, c := range base.chunks {
		if !base.intact(m, c) || before[s] == otherVersion || h.Entry(s).Empty() && !scanEmpty {
			continue
		}
		// A record of an unknown scheme or beyond the limit is not given up
		// for another one, nor is one that belongs to the slot of such a record.
		if opaque[s] || len(opaque) > 0 && misplaced[s] {
			continue
		}
		st.intact++
		if before[s] != asItWas && after[s] == asItWas {
			st.found++
		}
		if after[s] != asItWas {
			t.Errorf("the record of slot %d is intact in %v and was not recovered (%d, now %d), entry %v: %s", s, c.place, before[s], after[s], h.Entry(s), describeRepair(r))
		}
	}
}

func describeRepair(r *RepairReport) (s string) {
	for _, a := range r.Actions {
		s += fmt.Sprintf("\n\t%v", a)
	}
	for _, f := range r.Unrepairable {
		s += fmt.Sprintf("\n\tleft: %v", f)
	}
	return s
}
