package spool

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/bench/testbed"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

const (
	dir  = "spools"
	runA = 0x1234
)

var here = region.Pos{X: -3, Z: 7}

// firstSlots are those that the tests use, and some more.
var firstSlots = func() (all []region.Slot) {
	for slot := range region.Slot(24) {
		all = append(all, slot)
	}
	return all
}()

func newMem(t testing.TB) *vfs.Mem {
	t.Helper()
	mem := vfs.NewMem(vfs.MemOptions{})
	if err := vfs.MkdirAllSync(mem, dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return mem
}

func open(t testing.TB, fsys vfs.FS) *Spool {
	t.Helper()
	s, err := Open(fsys, dir, runA, here)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// group makes the records of a chunk, which depend on slot and version alone.
func group(slot region.Slot, version int) []Record {
	random := rand.New(rand.NewPCG(uint64(slot), uint64(version)))
	data := func() []byte {
		b := make([]byte, random.IntN(900))
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		return b
	}
	if slot%7 == 3 {
		return []Record{{Kind: Settled, Slot: slot}}
	}
	var g []Record
	if slot%3 == 0 {
		g = append(g, Record{Kind: Entities, Slot: slot, Scheme: codec.Zlib, Data: data()})
	}
	if slot%2 == 0 {
		g = append(g, Record{Kind: POI, Slot: slot, Scheme: codec.LZ4, Data: data()})
	}
	return append(g, Record{Kind: Chunk, Slot: slot, Scheme: codec.Zlib, Data: data(), Base: uint64(slot) + 5})
}

func add(t testing.TB, s *Spool, slots ...region.Slot) {
	t.Helper()
	for _, slot := range slots {
		if err := s.Append(group(slot, 0)...); err != nil {
			t.Fatal(err)
		}
	}
}

func flush(t testing.TB, s *Spool) {
	t.Helper()
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
}

// check compares all of a flushed spool with the slots it should have.
func check(t testing.TB, s *Spool, slots ...region.Slot) {
	t.Helper()
	want := map[region.Slot]bool{}
	for _, slot := range slots {
		want[slot] = true
	}
	v, err := s.View()
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	for _, slot := range append([]region.Slot{1022, 1023}, firstSlots...) {
		done, chunk, base := s.Has(slot)
		if done != want[slot] {
			t.Fatalf("slot %d: Has is %v", slot, done)
		}
		records := map[Kind]Record{}
		if done {
			for _, r := range group(slot, 0) {
				records[r.Kind] = r
			}
		}
		if c, ok := records[Chunk]; ok != chunk || c.Base != base {
			t.Fatalf("slot %d: chunk %v, base %d", slot, chunk, base)
		}
		for k := range kinds {
			got, err := v.Read(slot, k)
			r, ok := records[k]
			if !ok && !errors.Is(err, ErrAbsent) || ok && err != nil {
				t.Fatalf("slot %d, kind %d: %v", slot, k, err)
			}
			if ok && !bytes.Equal(got.Data, r.Data) {
				t.Fatalf("slot %d, kind %d: other bytes", slot, k)
			}
			if got.Data = r.Data; ok && !cmp.Equal(got, r) {
				t.Fatalf("slot %d, kind %d: %v", slot, k, got)
			}
		}
	}
}

func TestWhatIsFlushedIsThereAgain(t *testing.T) {
	mem := newMem(t)
	s := open(t, mem)
	check(t, s)
	add(t, s, 0, 3, 5, 6)
	if n, size := s.Pending(); n != 4 || size != s.Size()-headBytes {
		t.Errorf("pending: %d groups, %d bytes of %d", n, size, s.Size())
	}
	flush(t, s)
	check(t, s, 0, 3, 5, 6)
	add(t, s, 1023, 8)
	flush(t, s)
	flush(t, s) // nothing to do
	check(t, s, 0, 3, 5, 6, 8, 1023)
	for _, fsys := range []vfs.FS{mem, mem.CrashClone(vfs.CrashOptions{})} {
		again := open(t, fsys)
		check(t, again, 0, 3, 5, 6, 8, 1023)
		if again.Size() != s.Size() || again.Chunks() != 5 || s.Chunks() != 5 {
			t.Errorf("size %d and %d, chunks %d and %d", again.Size(), s.Size(), again.Chunks(), s.Chunks())
		}
		add(t, again, 9)
		flush(t, again)
		check(t, again, 0, 3, 5, 6, 8, 9, 1023)
	}
	if err := s.Remove(); err != nil {
		t.Fatal(err)
	}
	check(t, open(t, mem.CrashClone(vfs.CrashOptions{})))
}

func TestTheLastRecordOfASlotCounts(t *testing.T) {
	mem := newMem(t)
	s := open(t, mem)
	for _, r := range []region.Slot{4, 5} {
		if err := s.Append(Record{Kind: Chunk, Slot: r, Scheme: codec.Zlib, Data: []byte("old")}); err != nil {
			t.Fatal(err)
		}
	}
	s.Drop(5)
	if done, _, _ := s.Has(5); done || s.Chunks() != 1 {
		t.Errorf("dropped: Has is %v, %d chunks", done, s.Chunks())
	}
	add(t, s, 4, 5)
	flush(t, s)
	check(t, s, 4, 5)
	check(t, open(t, mem), 4, 5)
}

func TestATornTailIsCutOff(t *testing.T) {
	mem := newMem(t)
	s := open(t, mem)
	slots := []region.Slot{0, 3, 5, 6, 12}
	ends := []int64{headBytes}
	for _, slot := range slots {
		add(t, s, slot)
		ends = append(ends, s.Size())
	}
	flush(t, s)
	whole, err := vfs.ReadFile(mem, s.Path(), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(whole); n += 1 + n/200 {
		for _, spoil := range []bool{false, true} {
			data := bytes.Clone(whole[:n])
			if spoil {
				data = bytes.Clone(whole)
				data[n] ^= 0x40
			}
			torn := newMem(t)
			if err := vfs.WriteFileSync(torn, s.Path(), data, 0o644); err != nil {
				t.Fatal(err)
			}
			have := 0
			for have < len(slots) && ends[have+1] <= int64(n) {
				have++
			}
			if n < headBytes {
				have = 0
			}
			again := open(t, torn)
			if have%2 == 0 { // a look at all of them takes its time
				check(t, again, slots[:have]...)
			}
			info, err := torn.Stat(s.Path())
			want := ends[have]
			if n < headBytes {
				want = 0
			}
			if err != nil || info.Size != want {
				t.Fatalf("cut at %d (spoiled %v): size %d, want %d: %v", n, spoil, info.Size, want, err)
			}
		}
	}
}

func TestSpoolsOfOthersAreNotTouched(t *testing.T) {
	mem := newMem(t)
	s := open(t, mem)
	add(t, s, 1)
	flush(t, s)
	before, _ := vfs.ReadFile(mem, s.Path(), 1<<20)
	if _, err := Open(mem, dir, runA+1, here); !errors.Is(err, ErrOtherRun) {
		t.Errorf("another run: %v", err)
	}
	if err := mem.Rename(s.Path(), filepath.Join(dir, Name(region.Pos{}))); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(mem, dir, runA, region.Pos{}); !errors.Is(err, ErrOtherRun) {
		t.Errorf("another region: %v", err)
	}
	after, _ := vfs.ReadFile(mem, filepath.Join(dir, Name(region.Pos{})), 1<<20)
	if !bytes.Equal(before, after) {
		t.Error("the file was changed")
	}
}

func TestNamesAreThoseOfRegions(t *testing.T) {
	if got := Name(here); got != "r.-3.7.spool" {
		t.Errorf("name %q", got)
	}
	if p, ok := ParseName("r.-3.7.spool"); !ok || p != here {
		t.Errorf("read as %v, %v", p, ok)
	}
	for _, name := range []string{"r.1.2.mca", "r.1.2", "x.spool", "r.01.2.spool"} {
		if p, ok := ParseName(name); ok {
			t.Errorf("%q is read as %v", name, p)
		}
	}
}

// TestAFailedFlushIsNotBelieved fails each flush of the file, once or for
// good: what was acknowledged survives a power cut, the rest is tried again.
func TestAFailedFlushIsNotBelieved(t *testing.T) {
	for nth := range 3 {
		for _, forever := range []bool{false, true} {
			mem := newMem(t)
			fault := vfs.NewFault(mem)
			planned := fault.Add(vfs.Rule{Ops: vfs.OpSync, Nth: nth, Forever: forever, Err: io.ErrUnexpectedEOF})
			s := open(t, fault)
			var durable, all []region.Slot
			for slot := range region.Slot(3) {
				add(t, s, slot)
				all = append(all, slot)
				err := s.Flush()
				if err == nil {
					durable = append([]region.Slot(nil), all...)
				} else if !forever {
					t.Fatalf("flush %d failed once: %v", nth, err)
				}
				check(t, open(t, mem.CrashClone(vfs.CrashOptions{})), durable...)
			}
			if planned.Fired() == 0 {
				t.Fatal("the fault did not fire")
			}
			planned.Withdraw()
			flush(t, s)
			check(t, s, all...)
			check(t, open(t, mem.CrashClone(vfs.CrashOptions{})), all...)
		}
	}
}

func TestAFullDiskLosesNothing(t *testing.T) {
	mem := vfs.NewMem(vfs.MemOptions{Capacity: 64 << 10})
	if err := vfs.MkdirAllSync(mem, dir, 0o755); err != nil {
		t.Fatal(err)
	}
	filler, err := mem.OpenFile("filler", os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := filler.WriteAt(make([]byte, 56<<10), 0); err != nil {
		t.Fatal(err)
	}
	s := open(t, mem)
	var durable, slots []region.Slot
	for slot := region.Slot(0); ; slot++ {
		add(t, s, slot)
		slots = append(slots, slot)
		if err = s.Flush(); err != nil {
			break
		}
		durable = append(durable, slot)
	}
	if !errors.Is(err, vfs.ErrNoSpace) {
		t.Fatal(err)
	}
	check(t, open(t, mem.CrashClone(vfs.CrashOptions{})), durable...)
	if err := filler.Truncate(0); err != nil {
		t.Fatal(err)
	}
	flush(t, s)
	check(t, s, slots...)
	check(t, open(t, mem.CrashClone(vfs.CrashOptions{})), slots...)
}

// TestAfterACrashEveryFlushedGroupIsThere crashes at every operation of a
// workload, with nothing, all, or some of what was not durable left.
func TestAfterACrashEveryFlushedGroupIsThere(t *testing.T) {
	seed := uint64(testbed.Seed(t))
	groups := [][]region.Slot{{0, 3}, {5}, {6, 7, 8}, {9}}
	for at := 0; ; at++ {
		mem := newMem(t)
		fault := vfs.NewFault(mem)
		fault.Add(vfs.Rule{Ops: vfs.OpMutating, Nth: at, Crash: true})
		var durable, begun []region.Slot
		s, err := Open(fault, dir, runA, here)
		for i := 0; i < len(groups) && err == nil; i++ {
			if i == 2 {
				// As a run that goes on does.
				if s, err = Open(fault, dir, runA, here); err != nil {
					break
				}
			}
			add(t, s, groups[i]...)
			begun = append(begun, groups[i]...)
			if err = s.Flush(); err == nil {
				durable = append(durable, groups[i]...)
			}
		}
		for n, keep := range []vfs.Keep{vfs.KeepNone, vfs.KeepAll, vfs.KeepRandom, vfs.KeepRandom, vfs.KeepRandom} {
			name := fmt.Sprintf("crash at %d, keep %d (%d)", at, keep, n)
			left := mem.CrashClone(vfs.CrashOptions{Keep: keep, Seed: seed + uint64(n)})
			again := open(t, left)
			var have []region.Slot
			for _, slot := range begun {
				if done, _, _ := again.Has(slot); done {
					have = append(have, slot)
				}
			}
			if len(have) < len(durable) {
				t.Fatalf("%s: %v are left of %v", name, have, durable)
			}
			check(t, again, begun[:len(have)]...)
			add(t, again, begun...)
			flush(t, again)
			check(t, open(t, left.CrashClone(vfs.CrashOptions{})), begun...)
		}
		if !fault.Crashed() {
			return
		}
	}
}

func FuzzOpen(f *testing.F) {
	valid := fileHead(runA, here)
	for _, slot := range []region.Slot{0, 3, 6} {
		for _, r := range group(slot, 0) {
			valid = appendRecord(valid, &r)
		}
	}
	f.Add(valid)
	f.Add(valid[:len(valid)-3])
	f.Add([]byte("strSPL\x00\x01"))
	f.Fuzz(func(t *testing.T, data []byte) {
		mem := newMem(t)
		path := filepath.Join(dir, Name(here))
		if err := vfs.WriteFileSync(mem, path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := Open(mem, dir, runA, here)
		if err != nil {
			return
		}
		v, err := s.View()
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		for slot := range region.Slot(region.Slots) {
			if _, chunk, _ := s.Has(slot); chunk {
				if _, err := v.Read(slot, Chunk); err != nil {
					t.Fatal(err)
				}
			}
		}
		if again := open(t, mem); again.Size() != s.Size() {
			t.Fatalf("size %d, then %d", s.Size(), again.Size())
		}
	})
}
