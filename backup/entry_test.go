package backup

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/store"
	"strata/backup/pack"
	"strata/backup/source"
)

func someEntries() []entry {
	s := stat{mode: 0o644, size: 12345, mod: 1, change: -2, device: 3, inode: 1 << 60}
	id := pack.ID{1, 2, 3}
	return []entry{
		{kind: source.Folder, stat: stat{mode: 0o755}},
		{kind: source.Data, stat: s, data: content{id: id, size: 12345, parts: true}},
		{kind: source.External, stat: s, data: content{id: id}, dimension: "minecraft:overworld", record: store.POI},
		{kind: source.RegionFile, stat: s, dimension: "a:b", record: store.Entities, region: &regionEntry{table: id, sum: 7, chunks: 9}},
		{kind: source.RegionFile, stat: s, region: &regionEntry{table: id, odd: true, exact: true, rest: content{id: id, size: 5, parts: true}}},
	}
}

func TestEntriesComeBack(t *testing.T) {
	for _, e := range someEntries() {
		got, err := parseEntry(string(e.append(nil)))
		must(t, err)
		if diff := cmp.Diff(&e, got, cmp.AllowUnexported(entry{}, stat{}, content{}, regionEntry{})); diff != "" {
			t.Error(diff)
		}
	}
}

func FuzzEntry(f *testing.F) {
	for _, e := range someEntries() {
		f.Add(string(e.append(nil)))
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := parseEntry(text)
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Fatal(err)
			}
			return
		}
		again, err := parseEntry(string(e.append(nil)))
		if err != nil || !cmp.Equal(e, again, cmp.AllowUnexported(entry{}, stat{}, content{}, regionEntry{})) {
			t.Fatalf("%+v comes back as %+v, %v", e, again, err)
		}
	})
}
