package diff

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"strata/nbt"
	"strata/nbt/snbt"
	"strata/region"
	"strata/region/codec"
)

var ctx = context.Background()

// stored is a record to be put into a region file.
type stored struct {
	text   string // SNBT, unless data is given
	data   []byte
	scheme codec.Scheme // default zlib
	level  codec.Level
	stamp  uint32
	raw    []byte // the stream, as it is
}

// document makes a document of SNBT.
func document(t testing.TB, text string) []byte {
	t.Helper()
	data, err := snbt.AppendDocument(nil, text, nbt.Limits{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return data
}

// write makes a region file, with its records in the order given by slots.
func write(t testing.TB, dir string, pos region.Pos, slots []region.Slot, records map[region.Slot]stored) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	w, err := region.Create(filepath.Join(dir, pos.Name()), region.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, slot := range slots {
		r := records[slot]
		if r.scheme == 0 {
			r.scheme = codec.Zlib
		}
		stream := r.raw
		if stream == nil {
			data := r.data
			if data == nil {
				data = document(t, r.text)
			}
			e, err := codec.NewEncoder(r.scheme, r.level)
			if err != nil {
				t.Fatal(err)
			}
			if stream, err = e.Append(nil, data); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Put(slot, region.Record{Scheme: r.scheme, Data: stream, Entry: region.Entry{Timestamp: r.stamp}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
}

// side makes a folder with one region file, records in the order of slots given.
func side(t testing.TB, kind string, slots []region.Slot, records map[region.Slot]stored) *Side {
	t.Helper()
	dir := filepath.Join(t.TempDir(), kind)
	write(t, dir, region.Pos{}, slots, records)
	return openFolder(t, dir)
}

func openFolder(t testing.TB, dir string) *Side {
	t.Helper()
	s, err := OpenFolder(nil, dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// compare compares two sides and returns the regions as well.
func compare(t testing.TB, a, b *Side, o Options) (*Result, []*Region) {
	t.Helper()
	var all []*Region
	r, err := Compare(ctx, a, b, o, func(r *Region) error {
		all = append(all, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return r, all
}
