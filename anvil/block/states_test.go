package block

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"testing"
)

func TestInternGivesEqualEntriesOneState(t *testing.T) {
	s := NewStates(StatesOptions{})
	first, err := s.Intern([]byte("entry a"), []byte("mod:a"), nil)
	if err != nil {
		t.Fatal(err)
	}
	second, err := s.Intern([]byte("entry b"), []byte("mod:a"), nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.Intern([]byte("entry a"), []byte("mod:a"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if first != again || first == second || first.Native() || second.Native() || s.Len() != 2 {
		t.Errorf("states %d, %d, %d of %d entries", first, second, again, s.Len())
	}
	if got := s.NBT(first); string(got) != "entry a" {
		t.Errorf("kept %q", got)
	}
}

func TestInternKeepsACopy(t *testing.T) {
	s := NewStates(StatesOptions{})
	nbt := []byte("entry a")
	state, err := s.Intern(nbt, []byte("mod:a"), nil)
	if err != nil {
		t.Fatal(err)
	}
	copy(nbt, "ENTRY Z")
	if got := s.NBT(state); string(got) != "entry a" {
		t.Errorf("kept %q", got)
	}
}

func TestBaseIsTheNearestNativeState(t *testing.T) {
	s := NewStates(StatesOptions{})
	for _, test := range []struct {
		name       string
		properties []Pair
		want       string
		known      bool
	}{
		{"mod:machine", nil, "stone", false},
		{"minecraft:poplar_leaves", nil, "stone", false},
		{"minecraft:oak_log", nil, "oak_log[axis=y]", true},
		{"oak_leaves", nil, "oak_leaves", true},
		{"minecraft:oak_log", []Pair{{[]byte("axis"), []byte("x")}, {[]byte("new"), []byte("1")}}, "oak_log[axis=x]", true},
		{"minecraft:oak_slab", []Pair{{[]byte("type"), []byte("half")}, {[]byte("waterlogged"), []byte("true")}}, "oak_slab[waterlogged=true]", true},
	} {
		state, err := s.Intern(fmt.Appendf(nil, "%s %q", test.name, test.properties), []byte(test.name), test.properties)
		if err != nil {
			t.Fatal(err)
		}
		if base, known := s.Base(state); base != MustParse(test.want) || known != test.known {
			t.Errorf("base of %s %q is %v, %t, want %s, %t", test.name, test.properties, base, known, test.want, test.known)
		}
	}
	if base, known := s.Base(OakLog.Default()); base != OakLog.Default() || !known {
		t.Errorf("base of a native state is %v, %t", base, known)
	}
	if base, known := s.Base(0xFFFF); base != Stone.Default() || known || s.NBT(0xFFFF) != nil || s.NBT(0) != nil {
		t.Errorf("base of a state never given out is %v, %t", base, known)
	}
}

func TestStatesAreBounded(t *testing.T) {
	few := NewStates(StatesOptions{MaxEntries: 2})
	for i := range 2 {
		if _, err := few.Intern([]byte{byte(i)}, nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := few.Intern([]byte{2}, nil, nil); !errors.Is(err, ErrFull) {
		t.Errorf("third of two entries: %v", err)
	}
	if _, err := few.Intern([]byte{1}, nil, nil); err != nil {
		t.Errorf("an entry that is there: %v", err)
	}
	small := NewStates(StatesOptions{MaxBytes: 10})
	if _, err := small.Intern(make([]byte, 11), nil, nil); !errors.Is(err, ErrFull) {
		t.Errorf("11 of 10 bytes: %v", err)
	}
	if _, err := small.Intern(make([]byte, 10), nil, nil); err != nil {
		t.Errorf("10 of 10 bytes: %v", err)
	}
	if _, err := NewStates(StatesOptions{}).Intern(make([]byte, MaxEntry+1), nil, nil); !errors.Is(err, ErrFull) {
		t.Errorf("an entry over the limit: %v", err)
	}
}

func TestStatesFillTheWholeRange(t *testing.T) {
	s := NewStates(StatesOptions{})
	for i := range maxStates - StateCount {
		state, err := s.Intern(fmt.Appendf(nil, "%d", i), nil, nil)
		if err != nil || int(state) != StateCount+i {
			t.Fatalf("entry %d: %d, %v", i, state, err)
		}
	}
	if _, err := s.Intern([]byte("one more"), nil, nil); !errors.Is(err, ErrFull) {
		t.Errorf("one more: %v", err)
	}
	if got := s.NBT(0xFFFF); string(got) != fmt.Sprint(maxStates-StateCount-1) {
		t.Errorf("last entry is %q", got)
	}
}

func TestInternConcurrently(t *testing.T) {
	const workers, entries = 8, 3000
	s := NewStates(StatesOptions{})
	var got [workers][entries]State
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for k := range entries {
				i := (k*7 + w*entries/workers) % entries
				nbt := fmt.Appendf(nil, "entry %d", i)
				state, err := s.Intern(nbt, nil, nil)
				if err != nil || !bytes.Equal(s.NBT(state), nbt) {
					t.Errorf("entry %d: %d, %v", i, state, err)
					return
				}
				got[w][i] = state
			}
		})
	}
	wg.Wait()
	if s.Len() != entries {
		t.Errorf("%d entries, want %d", s.Len(), entries)
	}
	for w := range workers {
		if got[w] != got[0] {
			t.Errorf("worker %d was given other states", w)
		}
	}
}

func TestInternOfKnownEntryDoesNotAllocate(t *testing.T) {
	s := NewStates(StatesOptions{})
	nbt := []byte("a palette entry of some length, as mods have them")
	if _, err := s.Intern(nbt, nil, nil); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() {
		if _, err := s.Intern(nbt, nil, nil); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
