package journal

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/region"
)

// sample is a record with everything a record can have.
func sample() *record {
	r := &record{levelOld: state{true, 900, 1}, levelNew: state{true, 910, 2}}
	h := new(region.Header)
	h.Set(3, region.Entry{Location: region.MakeLocation(2, 1), Timestamp: 7})
	h.Set(9, region.Entry{Timestamp: 8})
	h.Set(1000, region.Entry{Location: region.MakeLocation(3, 2), Timestamp: 9})
	h.Set(1023, region.Entry{Location: region.MakeLocation(700, 4), Timestamp: 1})
	r.regions = []regionChange{
		{at: place{"", "region/r.0.0.mca"}, header: h, entries: []entryChange{
			{slot: 3, old: region.Entry{Location: region.MakeLocation(9, 1), Timestamp: 6}, new: h.Entry(3), sum: 5},
			{slot: 9, old: region.Entry{Location: region.MakeLocation(8, 1), Timestamp: 7}, new: h.Entry(9)},
			{slot: 1000, new: h.Entry(1000), stream: 5000, sum: 6},
		}},
		{at: place{"nether", "DIM-1/region/r.-1.5.mca"}, header: new(region.Header), entries: []entryChange{}},
	}
	r.files = []fileChange{
		{at: place{"", "region/c.3.0.mcc"}, temporary: ".strata-c.3.0.mcc.1", old: state{}, new: state{true, 1 << 20, 8}},
		{at: levelPlace(""), temporary: ".strata-00", old: r.levelOld, new: r.levelNew},
		{at: place{"", "playerdata/a.dat"}, old: state{true, 0, 9}},
	}
	return r
}

func TestRecordComesBack(t *testing.T) {
	want := sample()
	body := want.append(nil)
	if len(body) != want.size() {
		t.Errorf("%d bytes, size said %d", len(body), want.size())
	}
	got, err := parse(body, "")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got, cmp.Exporter(func(reflect.Type) bool { return true })); d != "" {
		t.Error(d)
	}
}

func TestEveryShortRecordIsDamaged(t *testing.T) {
	body := sample().append(nil)
	for n := range body {
		if _, err := parse(body[:n], ""); !errors.Is(err, errDamaged) {
			t.Fatalf("%d of %d bytes: %v", n, len(body), err)
		}
	}
	if _, err := parse(append(body, 0), ""); !errors.Is(err, errDamaged) {
		t.Errorf("a byte too many: %v", err)
	}
}

func TestRecordsThatMustNotBeFollowed(t *testing.T) {
	for name, change := range map[string]func(r *record){
		"path leads out":          func(r *record) { r.files[2].at.path = "../other/a.dat" },
		"path leads out later":    func(r *record) { r.files[2].at.path = "a/../../b" },
		"absolute path":           func(r *record) { r.files[2].at.path = "/etc/passwd" },
		"backslash":               func(r *record) { r.files[2].at.path = `..\a` },
		"drive":                   func(r *record) { r.files[2].at.path = "C:a" },
		"stream of a file":        func(r *record) { r.files[2].at.path = "a.dat:x" },
		"zero byte":               func(r *record) { r.files[2].at.path = "a\x00b" },
		"our own folder":          func(r *record) { r.files[2].at.path = "strata/journal" },
		"our own folder, shouted": func(r *record) { r.files[2].at.path = "Strata./journal" },
		"the lock":                func(r *record) { r.files[2].at.path = "session.lock" },
		"the folder itself":       func(r *record) { r.files[2].at.path = "." },
		"empty path":              func(r *record) { r.files[2].at.path = "" },
		"temporary elsewhere":     func(r *record) { r.files[0].temporary = ".strata-/../x" },
		"temporary of others":     func(r *record) { r.files[0].temporary = "level.dat_new" },
		"temporary as final name": func(r *record) { r.files[2].at.path = "playerdata/.strata-1" },
		"region file's name":      func(r *record) { r.regions[0].at.path = "region/level.dat" },
		"region file leads out":   func(r *record) { r.regions[0].at.path = "../r.0.0.mca" },
		"file twice":              func(r *record) { r.files[2].at = r.files[0].at },
		"region file twice":       func(r *record) { r.regions[1].at = r.regions[0].at },
		"file is a region file":   func(r *record) { r.files[2].at = r.regions[0].at },
		"temporary twice":         func(r *record) { r.files[2] = r.files[0]; r.files[2].at.path = "region/c.4.0.mcc" },
		"slots out of order":      func(r *record) { e := r.regions[0].entries; e[0], e[1] = e[1], e[0] },
		"slot twice":              func(r *record) { e := r.regions[0].entries; e[1] = e[0] },
		"slot too large":          func(r *record) { r.regions[0].entries[2].slot = region.Slots },
		"entry beside the header": func(r *record) { r.regions[0].entries[0].new.Timestamp++ },
		"record in the header": func(r *record) {
			e := &r.regions[0].entries[0]
			e.new.Location = region.MakeLocation(1, 1)
			r.regions[0].header.Set(e.slot, e.new)
		},
		"payload beyond its sectors": func(r *record) { r.regions[0].entries[0].stream = 4092 },
		"payload of a deletion":      func(r *record) { r.regions[0].entries[1].stream = 1 },
		"replaced by nothing":        func(r *record) { r.files[0].new = state{} },
		"removal with a new state":   func(r *record) { r.files[2].new = r.files[2].old },
		"removal of nothing":         func(r *record) { r.files[2].old = state{} },
		"two states of level.dat":    func(r *record) { r.levelNew.sum++ },
		"absent with a size":         func(r *record) { r.levelOld = state{false, 1, 0} },
		"negative size":              func(r *record) { r.levelOld.size = -1 },
		"path too long":              func(r *record) { r.files[2].at.path = strings.Repeat("a", maxPath+1) },
	} {
		t.Run(name, func(t *testing.T) {
			r := sample()
			change(r)
			if _, err := parse(r.append(nil), ""); !errors.Is(err, errDamaged) {
				t.Errorf("accepted: %v", err)
			}
		})
	}
}

// file is a journal's bytes with the record in it.
func encoded(r *record, sequence uint64) []byte {
	j := &Journal{sequence: sequence - 1, opening: 77}
	return j.encode(r, headBytes+r.size())
}

func read(t testing.TB, b []byte) content {
	t.Helper()
	c, err := readContent(bytes.NewReader(b), int64(len(b)), "")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestJournalFileStates(t *testing.T) {
	whole := encoded(sample(), 5)
	retired := (&head{state: headRetired, sequence: 4}).append(nil, nil)
	flip := func(b []byte, at int) []byte {
		b = bytes.Clone(b)
		b[at] ^= 1
		return b
	}
	for _, c := range []struct {
		name   string
		bytes  []byte
		rec    bool
		torn   bool
		reason bool
	}{
		{"empty", nil, false, false, false},
		{"zeros", make([]byte, 5000), false, false, false},
		{"whole", whole, true, false, false},
		{"whole with older bytes behind", append(bytes.Clone(whole), whole...), true, false, false},
		{"retired", retired, false, false, false},
		{"retired with a record behind", append(bytes.Clone(retired), whole[headBytes:]...), false, false, false},
		{"cut", whole[:len(whole)-1], false, true, false},
		{"head alone", whole[:headBytes], false, true, false},
		{"body differs", flip(whole, headBytes+40), false, true, false},
		{"last byte differs", flip(whole, len(whole)-1), false, true, false},
		{"head differs", flip(whole, 20), false, false, true},
		{"padding of the head differs", flip(whole, 300), false, false, true},
		{"part of a head", whole[:100], false, false, true},
		{"something else", []byte("#!/bin/sh\n"), false, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := read(t, c.bytes)
			if (got.rec != nil) != c.rec || got.torn != c.torn || (got.reason != nil) != c.reason {
				t.Errorf("record %v, torn %v, reason %v", got.rec != nil, got.torn, got.reason)
			}
		})
	}
	if got := read(t, whole); got.head.sequence != 5 {
		t.Errorf("sequence %d, want 5", got.head.sequence)
	}
	// A body that is whole and nonsense was not torn.
	bad := sample()
	bad.files[2].at.path = "../x"
	if got := read(t, encoded(bad, 1)); got.reason == nil || got.torn {
		t.Errorf("nonsense is torn %v, reason %v", got.torn, got.reason)
	}
}

// Two records whose sectors are mixed are neither of them, unless all that
// differs has landed.
func TestMixedRecordsAreNoRecord(t *testing.T) {
	a := sample()
	b := sample()
	b.regions[0].entries[0].sum++
	b.levelNew.sum++
	b.files[1].new.sum++
	oldBytes, newBytes := encoded(a, 1), encoded(b, 2)
	sectors := (len(newBytes) + headBytes - 1) / headBytes
	rnd := rand.New(rand.NewPCG(1, 2))
	mixed := 0
	for range 2000 {
		m := bytes.Clone(oldBytes)
		for s := range sectors {
			if rnd.IntN(2) == 0 {
				copy(m[s*headBytes:min(len(m), (s+1)*headBytes)], newBytes[s*headBytes:])
			}
		}
		if bytes.Equal(m, oldBytes) || bytes.Equal(m, newBytes) {
			continue
		}
		mixed++
		if c := read(t, m); c.rec != nil || !c.torn {
			t.Fatal("a mixture reads as a record")
		}
	}
	if mixed < 1000 {
		t.Errorf("only %d mixtures", mixed)
	}
}

// hugeFile claims to be longer than anything and reads as zeros behind its
// bytes.
type hugeFile struct{ b []byte }

func (f hugeFile) ReadAt(p []byte, off int64) (int, error) {
	clear(p)
	if off < int64(len(f.b)) {
		copy(p, f.b[off:])
	}
	return len(p), nil
}

var _ io.ReaderAt = hugeFile{}

func TestLengthsAreLimited(t *testing.T) {
	h := head{state: headCounts, length: MaxRecord - headBytes + 1}
	c, err := readContent(hugeFile{h.append(nil, nil)}, 1<<40, "")
	if err != nil || c.reason == nil {
		t.Errorf("a record beyond the limit is %v, %v", c.reason, err)
	}
	// Counts do not make the parser take memory for what is not there.
	body := appendState(appendState(nil, state{}), state{})
	body = append(body, 0xff, 0xff, 0xff, 0xff)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := parse(body, ""); !errors.Is(err, errDamaged) {
		t.Errorf("4 billion region files: %v", err)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<16 {
		t.Errorf("%d bytes taken", n)
	}
}

// FuzzRecord reads arbitrary bytes as a journal and as the body of a record:
// no panic, memory in proportion to the input, and what is accepted is written
// back as it was.
func FuzzRecord(f *testing.F) {
	f.Add([]byte{})
	f.Add(encoded(sample(), 3))
	f.Add(encoded(&record{}, 1))
	f.Add(sample().append(nil))
	f.Add((&record{levelOld: state{true, 5, 5}, levelNew: state{true, 5, 5}}).append(nil))
	f.Add((&head{state: headRetired, sequence: 4}).append(nil, nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		c := read(t, b)
		if c.rec != nil && !bytes.Equal(c.rec.append(nil), c.raw[headBytes:]) {
			t.Error("a record was not written back as it was")
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r, err := parse(b, "")
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20+8*uint64(len(b)) {
			t.Errorf("%d bytes taken for %d", n, len(b))
		}
		switch {
		case err != nil && !errors.Is(err, errDamaged):
			t.Errorf("an error of another kind: %v", err)
		case err == nil && !bytes.Equal(r.append(nil), b):
			t.Error("a body was not written back as it was")
		case err == nil && r.size() != len(b):
			t.Errorf("size %d of %d bytes", r.size(), len(b))
		}
	})
}
