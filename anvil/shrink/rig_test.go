package shrink

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/level"
	"strata/anvil/store"
	"strata/anvil/store/journal"
	"strata/anvil/undo"
	"strata/bench/testbed"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

var ctx = context.Background()

func random(t testing.TB) *rand.Rand {
	return rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 9))
}

// makeWorld makes the folder of a world with one dimension and a level.dat.
func makeWorld(t testing.TB, fsys vfs.FS, dir string) store.World {
	t.Helper()
	l, err := level.NewLevel(level.Fresh{Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	data, err := l.Pack()
	if err != nil {
		t.Fatal(err)
	}
	if err := vfs.MkdirAllSync(fsys, dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := vfs.WriteFileSync(fsys, filepath.Join(dir, level.FileName), data, 0o644); err != nil {
		t.Fatal(err)
	}
	return worldAt(fsys, dir)
}

func worldAt(fsys vfs.FS, dir string) store.World {
	d := filepath.Join(dir, "dimensions", "minecraft", "overworld")
	return store.World{FS: fsys, Roots: []journal.Root{{Dir: dir}}, Dimensions: []store.Dimension{{
		Name: "minecraft:overworld", Region: filepath.Join(d, "region"), Entities: filepath.Join(d, "entities"), POI: filepath.Join(d, "poi"),
	}}}
}

func open(t testing.TB, w store.World) *store.Store {
	t.Helper()
	s, err := store.Open(w, store.Options{Memory: 16 << 20, NoControl: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func closeStore(t testing.TB, s *store.Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// payload is a document that can be compressed, but not to nothing.
func payload(rng *rand.Rand, size int) []byte {
	b := make([]byte, size)
	for i := range b {
		if b[i] = byte(rng.IntN(8)); i > 300 && rng.IntN(50) > 0 {
			b[i] = b[i-1-rng.IntN(2)*rng.IntN(250)]
		}
	}
	return b
}

func pack(t testing.TB, scheme codec.Scheme, level codec.Level, data []byte) []byte {
	t.Helper()
	e, err := codec.NewEncoder(scheme, level)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := e.Append(nil, data)
	if err != nil {
		t.Fatal(err)
	}
	return packed
}

// fill puts records of all kinds and schemes into a world: two regions of chunks,
// written sparsely, one of them with a record that cannot be inflated if damaged,
// and with one that is larger than a region file takes if large.
func fill(t testing.TB, w store.World, rng *rand.Rand, records int, damaged, large bool) {
	t.Helper()
	s := open(t, w)
	defer closeStore(t, s)
	for _, place := range []struct {
		kind store.Kind
		pos  region.Pos
	}{{store.Chunks, region.Pos{}}, {store.Chunks, region.Pos{X: -1, Z: 2}}, {store.Entities, region.Pos{}}, {store.POI, region.Pos{X: 3}}} {
		raw, err := s.Raw(0, place.kind)
		if err != nil {
			t.Fatal(err)
		}
		put := func(slot region.Slot, scheme codec.Scheme, data []byte) {
			old := region.Entry{}
			if h, err := raw.Header(place.pos); err == nil {
				old = h.Entry(slot)
			}
			stamp := uint32(1000 + rng.IntN(1000))
			err := raw.Replace(ctx, place.pos.Chunk(slot), store.RawWrite{Old: old, Record: region.Record{Scheme: scheme, Data: data}, Timestamp: &stamp})
			if err != nil {
				t.Fatal(err)
			}
		}
		for i := range records {
			scheme := []codec.Scheme{codec.Zlib, codec.Zlib, codec.Gzip, codec.LZ4, codec.None}[rng.IntN(5)]
			put(region.Slot(i*7%1024), scheme, pack(t, scheme, 1, payload(rng, 200+rng.IntN(16000))))
		}
		for i := 0; i < records; i += 3 { // again, which leaves free sectors
			put(region.Slot(i*7%1024), codec.Zlib, pack(t, codec.Zlib, 1, payload(rng, 200+rng.IntN(9000))))
		}
		if place.kind != store.Chunks {
			continue
		}
		if damaged {
			put(1000, codec.Zlib, []byte("this is no stream"))
			put(1001, codec.Custom, []byte("\x00\x01xforeign"))
		}
		if large {
			noise := make([]byte, 0, 1050<<10)
			for len(noise)+8 <= cap(noise) {
				noise = binary.BigEndian.AppendUint64(noise, rng.Uint64())
			}
			put(1002, codec.None, noise)
			put(1003, codec.None, bytes.Repeat(payload(rng, 1<<10), 1050))
		}
	}
}

// record is what a record is for who reads the world.
type record struct {
	document string
	stamp    uint32
	scheme   codec.Scheme
	external bool
	stream   string
}

// read is all there is in the region files of a world.
func read(t testing.TB, s *store.Store) map[string]record {
	t.Helper()
	all := map[string]record{}
	var decoder codec.Decoder
	for _, k := range kinds {
		raw, err := s.Raw(0, k)
		if err != nil {
			t.Fatal(err)
		}
		err = raw.Each(ctx, func(pos region.ChunkPos, rec region.Record, err error) error {
			r := record{stamp: rec.Entry.Timestamp, scheme: rec.Scheme, external: rec.External, stream: string(rec.Data)}
			if err != nil {
				r.document = "unreadable"
			} else if data, err := rec.AppendDecoded(&decoder, nil, 0); err != nil {
				r.document = "damaged " + r.stream
			} else {
				r.document = string(data)
			}
			all[fmt.Sprint(k, pos)] = r
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// differ says where two contents differ: in documents, and with stamps in
// timestamps too, with streams in all.
func differ(got, want map[string]record, stamps, streams bool) string {
	keys := func(m map[string]record) []string { return slices.Sorted(maps.Keys(m)) }
	if d := cmp.Diff(keys(want), keys(got)); d != "" {
		return d
	}
	text := ""
	for _, k := range keys(want) {
		a, b := got[k], want[k]
		if a.document != b.document || stamps && a.stamp != b.stamp || streams && (a.stream != b.stream || a.scheme != b.scheme) {
			text += fmt.Sprintf("%s differs: %v, %d bytes, time %d, want %v, %d, %d\n", k, a.scheme, len(a.stream), a.stamp, b.scheme, len(b.stream), b.stamp)
		}
	}
	return text
}

// recompressed runs a whole command on an open world.
func recompressed(s *store.Store, o RecompressOptions) (*Recompressed, error) {
	v, err := Look(ctx, s)
	if err != nil {
		return nil, err
	}
	if o.Change, err = undo.Begin(s, "recompress", undo.Options{}); err != nil {
		return nil, err
	}
	out, err := Recompress(ctx, s, v, o)
	if err != nil {
		return out, errors.Join(err, o.Change.Abort())
	}
	return out, o.Change.Finish(ctx)
}

// check looks for defects in all region files, other than those of records that
// were damaged from the start.
func check(t testing.TB, w store.World) {
	t.Helper()
	for _, dir := range []string{w.Dimensions[0].Region, w.Dimensions[0].Entities, w.Dimensions[0].POI} {
		report, err := region.CheckFolder(ctx, dir, region.CheckOptions{FS: w.FS})
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		findings := report.Findings
		for _, r := range report.Regions {
			findings = append(findings, r.Findings...)
		}
		for _, f := range findings {
			if f.Severity >= region.SeverityWarning && f.Class != region.BadStream && f.Class != region.UnknownScheme {
				t.Errorf("%v", f)
			}
		}
	}
}

// scanKey reads the position in a key of read.
func scanKey(key string, x, z *int32) (int, error) {
	for i := range len(key) {
		if c := key[i]; c >= '0' && c <= '9' || c == '-' {
			return fmt.Sscanf(key[i:], "%d,%d", x, z)
		}
	}
	return 0, fs.ErrNotExist
}
