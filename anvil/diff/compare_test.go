package diff

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil"
	"strata/bench/testbed"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

func TestEachClassIsTold(t *testing.T) {
	base := `{DataVersion:4903,Status:"minecraft:full",LastUpdate:5L,InhabitedTime:1L,x:1}`
	same := stored{text: base, stamp: 10}
	a := map[region.Slot]stored{}
	for slot := range region.Slot(12) {
		a[slot] = same
	}
	b := map[region.Slot]stored{
		0:  same,
		1:  {text: base, stamp: 11},
		2:  {text: `{DataVersion:4903,Status:"minecraft:full",LastUpdate:7L,InhabitedTime:3L,x:1}`, stamp: 10},
		3:  {text: `{DataVersion:4903,Status:"minecraft:full",LastUpdate:7L,InhabitedTime:3L,x:2}`, stamp: 10},
		4:  {text: base, stamp: 10, scheme: codec.LZ4},
		5:  same, // moved, see below
		6:  {text: `{x:1,InhabitedTime:1L,LastUpdate:5L,Status:"minecraft:full",DataVersion:4903}`, stamp: 10},
		8:  {raw: []byte("no zlib"), stamp: 10},
		9:  {raw: []byte("foreign"), scheme: codec.Custom, stamp: 10},
		10: {raw: []byte("foreign"), scheme: codec.Custom, stamp: 10},
		20: same,
	}
	a[10] = b[10]
	order := []region.Slot{0, 1, 2, 3, 4, 6, 5, 8, 9, 10, 20}
	slots := []region.Slot{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	old, now := side(t, "region", slots, a), side(t, "region", order, b)
	result, regions := compare(t, old, now, Options{})
	want := map[region.Slot]Class{
		0: Equal, 1: Touched, 2: Touched, 3: Modified, 4: Equal, 5: Moved, 6: Moved, 7: Deleted, 8: Unreadable, 9: Unreadable, 10: Moved, 11: Deleted, 20: Created,
	}
	for slot, class := range regions[0].Classes {
		if class != want[region.Slot(slot)] {
			t.Errorf("slot %d is %v, want %v", slot, class, want[region.Slot(slot)])
		}
	}
	counts := Counts{Created: 1, Deleted: 2, Modified: 1, Touched: 2, Moved: 3, Equal: 2, Unreadable: 2}
	if result.Counts != counts || result.Region != counts || result.Reencoded != 2 || !result.Differ() {
		t.Errorf("%+v", result)
	}
	if paths := []PathCount{{"InhabitedTime", 2}, {"LastUpdate", 2}, {"x", 1}}; !cmp.Equal(result.Paths, paths) {
		t.Errorf("paths %v", result.Paths)
	}
	if c := regions[0].Chunks[2]; c.X != 3 || c.Region.Document.Paths[2] != (PathChange{"x", "1", "2"}) {
		t.Errorf("%+v", c.Region)
	}
	result, _ = compare(t, old, now, Options{IgnoreTimestamps: true})
	if result.Touched != 1 {
		t.Errorf("without timestamps: %+v", result.Counts)
	}
	ignore, err := ParseIgnore("LastUpdate", "InhabitedTime", "x")
	if err != nil {
		t.Fatal(err)
	}
	result, _ = compare(t, old, now, Options{Ignore: ignore})
	if want := (Counts{Created: 1, Deleted: 2, Touched: 1, Moved: 3, Equal: 4, Unreadable: 2}); result.Counts != want {
		t.Errorf("with places that do not count: %+v", result.Counts)
	}
}

func TestCreatedAndDeletedAreSymmetric(t *testing.T) {
	one := stored{text: `{x:1}`}
	a := side(t, "region", []region.Slot{1, 2, 3}, map[region.Slot]stored{1: one, 2: one, 3: one})
	b := side(t, "region", []region.Slot{3, 9}, map[region.Slot]stored{3: {text: `{x:2}`}, 9: one})
	there, _ := compare(t, a, b, Options{})
	back, _ := compare(t, b, a, Options{})
	if there.Created != 1 || there.Deleted != 2 || back.Created != 2 || back.Deleted != 1 || there.Modified != 1 || back.Modified != 1 {
		t.Errorf("%+v and back %+v", there.Counts, back.Counts)
	}
}

func TestEverythingIsEqualToItself(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "region")
	write(t, dir, region.Pos{X: -2, Z: 5}, []region.Slot{4, 1000}, map[region.Slot]stored{4: {text: "{a:1}"}, 1000: {raw: []byte("damaged")}})
	copied := filepath.Join(t.TempDir(), "region")
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{dir, copied} {
		r, _ := compare(t, openFolder(t, dir), openFolder(t, other), Options{})
		if r.Equal != 2 || r.Total() != 2 || r.Differ() {
			t.Errorf("%+v", r.Counts)
		}
	}
}

func TestLargeRecordsAreComparedInTheirFiles(t *testing.T) {
	large := func(fill byte) stored {
		data := document(t, "{a:[B;]}")
		data = append(data[:len(data)-5], 0, 0x20, 0, 0) // 2 MiB
		data = append(append(data, bytes.Repeat([]byte{fill}, 2<<20)...), 0)
		return stored{data: data, scheme: codec.None}
	}
	a := side(t, "region", []region.Slot{7}, map[region.Slot]stored{7: large(1)})
	b := side(t, "region", []region.Slot{7}, map[region.Slot]stored{7: large(2)})
	// The region files are equal, byte for byte.
	r, _ := compare(t, a, b, Options{})
	if r.Modified != 1 || r.Equal != 0 {
		t.Errorf("%+v", r.Counts)
	}
	r, _ = compare(t, a, a, Options{})
	if r.Equal != 1 {
		t.Errorf("%+v", r.Counts)
	}
}

func TestAChunkHasTheClassOfItsRecordsTogether(t *testing.T) {
	for _, c := range []struct {
		records [kinds]Class
		want    Class
	}{
		{[kinds]Class{Equal, Equal, Absent}, Equal},
		{[kinds]Class{Equal, Created, Absent}, Modified},
		{[kinds]Class{Equal, Moved, Touched}, Touched},
		{[kinds]Class{Touched, Modified, Equal}, Modified},
		{[kinds]Class{Deleted, Deleted, Absent}, Deleted},
		{[kinds]Class{Deleted, Equal, Absent}, Deleted},
		{[kinds]Class{Created, Absent, Created}, Created},
		{[kinds]Class{Absent, Created, Created}, Created},
		{[kinds]Class{Absent, Created, Deleted}, Modified},
		{[kinds]Class{Absent, Absent, Deleted}, Deleted},
		{[kinds]Class{Unreadable, Modified, Equal}, Unreadable},
		{[kinds]Class{}, Absent},
	} {
		if got := joint(c.records); got != c.want {
			t.Errorf("%v: %v, want %v", c.records, got, c.want)
		}
	}
}

func TestFilesThatCannotBeOpenedAreListed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "region")
	write(t, dir, region.Pos{}, []region.Slot{4}, map[region.Slot]stored{4: {text: "{a:1}"}})
	a, b := openFolder(t, dir), openFolder(t, dir)
	for at, f := range b.files {
		f.Path += ".gone"
		b.files[at] = f
	}
	r, _ := compare(t, a, b, Options{})
	if len(r.Failed) != 1 || r.Total() != 0 || !r.Differ() {
		t.Errorf("%+v", r)
	}
}

func TestWhatCannotBeComparedIsRefused(t *testing.T) {
	dir := t.TempDir()
	if _, err := OpenFolder(nil, dir); !errors.Is(err, ErrNothing) {
		t.Errorf("an empty folder: %v", err)
	}
	if _, err := OpenFolder(nil, filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
	one := map[region.Slot]stored{0: {text: "{}"}}
	chunks, entities := side(t, "region", []region.Slot{0}, one), side(t, "entities", []region.Slot{0}, one)
	if _, err := Compare(ctx, chunks, entities, Options{}, nil); !errors.Is(err, ErrKinds) {
		t.Errorf("two kinds: %v", err)
	}
	w, err := anvil.Create(filepath.Join(dir, "world"), anvil.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := Compare(ctx, chunks, OpenWorld(w), Options{}, nil); !errors.Is(err, ErrKinds) {
		t.Errorf("a folder and a world: %v", err)
	}
}

func TestEachEndsTheComparison(t *testing.T) {
	a := side(t, "region", []region.Slot{0}, map[region.Slot]stored{0: {text: "{}"}})
	enough := errors.New("enough")
	if _, err := Compare(ctx, a, a, Options{}, func(*Region) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("got %v", err)
	}
}

func TestFilesThatAreOneAreNotReadThrough(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "region")
	records := map[region.Slot]stored{}
	var slots []region.Slot
	for slot := range region.Slot(200) {
		slots = append(slots, slot)
		records[slot] = stored{text: "{a:1}"}
	}
	write(t, dir, region.Pos{}, slots, records)
	snapshot := filepath.Join(t.TempDir(), "region")
	if err := os.Mkdir(snapshot, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(filepath.Join(dir, "r.0.0.mca"), filepath.Join(snapshot, "r.0.0.mca")); err != nil {
		testbed.SkipOrFail(t, "no hard links here: %v", err)
	}
	counted := vfs.NewFault(vfs.OS())
	var sides [2]*Side
	for i, path := range []string{dir, snapshot} {
		var err error
		if sides[i], err = OpenFolder(counted, path); err != nil {
			t.Fatal(err)
		}
	}
	r, _ := compare(t, sides[0], sides[1], Options{})
	if reads := counted.Count(vfs.OpRead); r.Equal != 200 || reads > 10 {
		t.Errorf("%+v after %d reads", r.Counts, reads)
	}
}
