package region

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	runtimemetrics "runtime/metrics"
	"testing"

	"strata/region/codec"
	"strata/region/vfs"
)

// fuzzMaxStream bounds what a fuzzed stream may decode to.
const fuzzMaxStream = 256 << 10

// fuzzAllocs is how much may be allocated for a file of n bytes: what the
// package keeps for any file, records of up to 255 sectors, which are read as
// the header counts them, and decoding of every slot to its limit.
func fuzzAllocs(n int) uint64 { return 64<<20 + 1024*uint64(n) }

func allocated() uint64 {
	s := []runtimemetrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	runtimemetrics.Read(s)
	return s[0].Value.Uint64()
}

// FuzzHeader takes arbitrary bytes for a region file: it opens for writing,
// every slot is read, and it is checked. Nothing panics, memory is bounded,
// and Check without decoding agrees with Read about what can be read.
func FuzzHeader(f *testing.F) {
	addDefects(f)
	buf := make([]byte, countByLength*SectorBytes)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<20 {
			return
		}
		before := allocated()
		fsys := vfs.NewMem(vfs.MemOptions{})
		m := &image{t: t, pos: defectPos, bytes: data}
		path := m.save(fsys, "w")
		file, err := Open(path, Options{FS: fsys, MaxStream: fuzzMaxStream})
		if err != nil {
			t.Fatal(err)
		}
		broken := map[int]bool{}
		for s := range Slot(Slots) {
			if !file.Entry(s).Empty() {
				_, err := file.Read(s, buf)
				broken[int(s)] = err != nil
			}
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := Check(path, CheckOptions{FS: fsys, MaxStream: fuzzMaxStream, SkipDecode: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Findings {
			if f.Slot >= 0 && f.Class != Overlap && f.Severity >= SeverityError && !broken[f.Slot] {
				t.Errorf("slot %d can be read, and yet: %v", f.Slot, f)
			}
			delete(broken, f.Slot)
		}
		for s, is := range broken {
			if is {
				t.Errorf("slot %d cannot be read, and nothing is found", s)
			}
		}
		if n := allocated() - before; n > fuzzAllocs(len(data)) {
			t.Errorf("%d bytes were allocated for a file of %d", n, len(data))
		}
	})
}

// addDefects makes files with the defects that bear on the header seeds.
func addDefects(f *testing.F) {
	for _, name := range []string{"zero bytes", "header cut", "short text", "location in the header", "count 0",
		"count beyond the end", "length 2^31", "two slots, one record", "external file missing", "custom scheme",
		"two chunks swapped", "header of random bytes", "inflates beyond the limit"} {
		for i := range defects {
			if d := &defects[i]; d.name == name {
				m := newImage(f, defectPos)
				d.build(m)
				f.Add(m.bytes)
			}
		}
	}
}

// FuzzRepair takes arbitrary bytes for a region file and puts it through
// everything: it is read and decoded, checked, repaired, and written to.
// Nothing that could be read is lost, and Check agrees with Decode.
func FuzzRepair(f *testing.F) {
	addDefects(f)
	buf := make([]byte, countByLength*SectorBytes)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<20 {
			return
		}
		before := allocated()
		fsys := vfs.NewMem(vfs.MemOptions{})
		m := &image{t: t, pos: defectPos, bytes: data}
		path := m.save(fsys, "w")
		readableSlots := fuzzRead(t, fsys, path, buf)
		r, err := Check(path, CheckOptions{FS: fsys, MaxStream: fuzzMaxStream, Inspect: acceptAll})
		if err != nil {
			t.Fatal(err)
		}
		broken := map[int]bool{}
		for _, f := range r.Findings {
			if f.Class != Overlap && f.Severity >= SeverityError || f.Class == UnknownScheme {
				broken[f.Slot] = true
			}
		}
		h := (*Header)(padded(data))
		for s := range Slot(Slots) {
			if e := h.Entry(s); !e.Empty() && readableSlots[s] == broken[int(s)] {
				t.Errorf("slot %d, %v: readable %v, found broken %v: %v", s, e, readableSlots[s], broken[int(s)], r.Findings)
			}
		}
		if _, err := Repair(path, RepairOptions{FS: fsys, MaxStream: fuzzMaxStream, ScanEmpty: true}); err != nil {
			t.Fatal(err)
		}
		repaired := fuzzRead(t, fsys, path, buf)
		for s := range readableSlots {
			if !repaired[s] {
				t.Errorf("the repair has lost slot %d", s)
			}
		}
		written := fuzzWrite(t, fsys, path, repaired)
		after := fuzzRead(t, fsys, path, buf)
		for s := range repaired {
			if !after[s] {
				t.Errorf("writing slot %d has lost slot %d", written, s)
			}
		}
		if n := allocated() - before; n > fuzzAllocs(len(data)) {
			t.Errorf("%d bytes were allocated for a file of %d", n, len(data))
		}
	})
}

func acceptAll(ChunkPos, []byte) (Inspection, error) { return Inspection{}, nil }

func padded(data []byte) []byte {
	return append(bytes.Clone(data[:min(len(data), HeaderBytes)]), make([]byte, HeaderBytes)...)[:HeaderBytes]
}

// fuzzWrite writes the first slot that can be read, or else slot 0, and
// returns it.
func fuzzWrite(t *testing.T, fsys *vfs.Mem, path string, readable map[Slot]bool) (s Slot) {
	f, err := Open(path, Options{FS: fsys, MaxStream: fuzzMaxStream})
	if err != nil {
		t.Fatal(err)
	}
	for s < Slots-1 && !readable[s] && len(readable) > 0 {
		s++
	}
	err = f.Write(context.Background(), Write{Slot: s, Scheme: codec.None, Data: make([]byte, 9000)})
	if err != nil && !errors.Is(err, ErrUnreadable) && !errors.Is(err, ErrFull) {
		t.Errorf("write slot %d: %v", s, err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return s
}

// fuzzRead opens the file for writing and reads every slot that is not empty,
// and one that is: the others take the same way.
func fuzzRead(t *testing.T, fsys *vfs.Mem, path string, buf []byte) map[Slot]bool {
	f, err := Open(path, Options{FS: fsys, MaxStream: fuzzMaxStream})
	if err != nil {
		t.Fatal(err)
	}
	var dec codec.Decoder
	var raw []byte
	ok := map[Slot]bool{}
	sawEmpty := false
	for s := range Slot(Slots) {
		empty := f.Entry(s).Empty()
		if empty && sawEmpty {
			continue
		}
		var err error
		if raw, _, err = f.Decode(s, &dec, buf, raw[:0]); err == nil {
			ok[s] = true
		}
		if empty != errors.Is(err, ErrAbsent) {
			t.Errorf("slot %d: empty %v, %v", s, empty, err)
		}
		sawEmpty = sawEmpty || empty
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return ok
}

// FuzzRecord takes arbitrary bytes for one record: the four length bytes,
// type and stream. What Read returns is what is there, bounded by the record.
func FuzzRecord(f *testing.F) {
	for _, scheme := range []codec.Scheme{codec.Gzip, codec.Zlib, codec.None, codec.LZ4} {
		m := newImage(f, defectPos)
		x := m.chunk(1, scheme, 100)
		f.Add(m.bytes[int(x.start)*SectorBytes:], byte(1))
	}
	f.Add([]byte{0, 0, 0, 1, 0x82}, byte(1))
	f.Add([]byte{0x7f, 0xff, 0xff, 0xff, 2, 0x78}, byte(255))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 127, 0, 3}, byte(0))
	f.Fuzz(func(t *testing.T, record []byte, count byte) {
		if len(record) > 2<<20 {
			return
		}
		m := newImage(t, defectPos)
		m.bytes = append(m.bytes, record...)
		m.set(7, HeaderSectors, uint32(count), 1)
		fsys := vfs.NewMem(vfs.MemOptions{})
		path := m.save(fsys, "w")
		file, err := Open(path, Options{FS: fsys, ReadOnly: true, MaxStream: fuzzMaxStream})
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		rec, err := file.Read(7, nil)
		if err == nil && !rec.External {
			n := int(binary.BigEndian.Uint32(record))
			if len(rec.Data) != n-1 || !bytes.Equal(rec.Data, record[RecordHeaderBytes:4+n]) || rec.Scheme != codec.Scheme(record[4]) {
				t.Errorf("a record of %d bytes reads as %d", n-1, len(rec.Data))
			}
		}
		if err != nil {
			classOf(t, err)
		}
		out, _, err := file.Decode(7, new(codec.Decoder), nil, nil)
		if err == nil && len(out) > fuzzMaxStream {
			t.Errorf("decoded to %d bytes", len(out))
		}
		r, cerr := Check(path, CheckOptions{FS: fsys, MaxStream: fuzzMaxStream})
		if cerr != nil {
			t.Fatal(cerr)
		}
		found := r.Worst() >= SeverityError || r.Worst() == SeverityWarning && bytes.Contains(briefs(r), []byte(UnknownScheme))
		if (err != nil) != found {
			t.Errorf("read gives %v, check %v", err, r.Findings)
		}
	})
}

func briefs(r *Report) (b []byte) {
	for _, f := range r.Findings {
		b = append(b, brief(f)...)
	}
	return b
}
