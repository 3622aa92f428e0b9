package registry

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"strata/bench/testbed"
)

// sectionDecoders decode the sections of a version as newTables does.
var sectionDecoders = []struct {
	name   string
	decode func(data []byte, names *nameTable, tags []*TagRegistry) error
}{
	{"names", func(data []byte, _ *nameTable, _ []*TagRegistry) error { _, err := decodeNames(data); return err }},
	{"synced", func(data []byte, n *nameTable, _ []*TagRegistry) error { _, err := decodeSynced(data, n); return err }},
	{"unsent", func(data []byte, n *nameTable, _ []*TagRegistry) error { _, err := decodeUnsent(data, n); return err }},
	{"tags", func(data []byte, n *nameTable, _ []*TagRegistry) error { _, err := decodeTags(data, n); return err }},
	{"items", func(data []byte, n *nameTable, _ []*TagRegistry) error { _, err := decodeItems(data, n); return err }},
	{"entities", func(data []byte, n *nameTable, _ []*TagRegistry) error { _, err := decodeEntities(data, n); return err }},
	{"recipes", func(data []byte, n *nameTable, t []*TagRegistry) error {
		_, err := decodeRecipes(data, n, t)
		return err
	}},
	{"biomes", func(data []byte, n *nameTable, _ []*TagRegistry) error { _, err := decodeBiomes(data, n); return err }},
	{"rules", func(data []byte, n *nameTable, _ []*TagRegistry) error { _, err := decodeRules(data, n); return err }},
}

func section(t testing.TB, name string) []byte {
	t.Helper()
	data, err := unpackSection(file262, name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestSectionsCutShortAreErrors(t *testing.T) {
	names, tags := of(V26_2).names(), of(V26_2).tags()
	for _, s := range sectionDecoders {
		data := section(t, s.name)
		if err := s.decode(data, names, tags); err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		for i := range 50 {
			cut := len(data) * i / 50
			if err := s.decode(data[:cut:cut], names, tags); !errors.Is(err, errFormat) {
				t.Errorf("%d of %d bytes of %s: %v", cut, len(data), s.name, err)
			}
		}
		if err := s.decode(append(slices.Clone(data), 0), names, tags); !errors.Is(err, errFormat) {
			t.Errorf("%s with a byte too many: %v", s.name, err)
		}
	}
}

// TestDamagedSectionsCostLittle changes bytes at random: what comes out is an
// error or other values, without a panic and without much memory.
func TestDamagedSectionsCostLittle(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 0))
	names, tags := of(V26_2).names(), of(V26_2).tags()
	for _, s := range sectionDecoders {
		data := section(t, s.name)
		for range testbed.Runs(t, 100) {
			damaged := slices.Clone(data)
			for range 1 + r.IntN(3) {
				damaged[r.IntN(len(damaged))] = byte(r.Uint32())
			}
			used := allocated(func() { err := s.decode(damaged, names, tags); _ = err })
			if limit := uint64(256*len(damaged) + 1<<20); used > limit {
				t.Errorf("%s took %d bytes, over %d", s.name, used, limit)
			}
		}
	}
}

func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestDamagedFilesAreErrors(t *testing.T) {
	if _, err := unpackSection(file262, "nothing"); !errors.Is(err, errFormat) {
		t.Errorf("a section that is not there: %v", err)
	}
	if _, err := unpackSection([]byte("another file"), "names"); !errors.Is(err, errFormat) {
		t.Errorf("another file: %v", err)
	}
	for _, cut := range []int{0, 5, len(magic), len(magic) + 1, len(magic) + 9, 200, len(file262) / 2} {
		if _, err := unpackSection(file262[:cut:cut], "rules"); !errors.Is(err, errFormat) {
			t.Errorf("%d bytes of a file: %v", cut, err)
		}
	}
	damaged := bytes.Clone(file262)
	for i := len(damaged) / 2; i < len(damaged)/2+40; i++ {
		damaged[i] ^= 0x55
	}
	failed := false
	for _, s := range sectionDecoders {
		data, err := unpackSection(damaged, s.name)
		failed = failed || err != nil || !bytes.Equal(data, section(t, s.name))
	}
	if !failed {
		t.Error("damage in the middle of a file is not seen")
	}
}

func TestSectionsLargerThanTheLimitAreErrors(t *testing.T) {
	file := append([]byte(magic), 1, 1, 'x')
	file = append(binary.AppendUvarint(file, maxSection+1), 0)
	if _, err := unpackSection(file, "x"); !errors.Is(err, errFormat) {
		t.Errorf("got %v", err)
	}
}

func TestLazyPanicsOnDamageAlone(t *testing.T) {
	get := lazy(file262, "names", decodeNames)
	if first := get(); first != get() {
		t.Error("decoded twice")
	}
	defer func() {
		if recover() == nil {
			t.Error("a damaged table did not panic")
		}
	}()
	lazy([]byte(magic), "names", decodeNames)()
}

func FuzzDecode(f *testing.F) {
	names, tags := of(V26_2).names(), of(V26_2).tags()
	for i, s := range sectionDecoders {
		data := section(f, s.name)
		f.Add(uint8(i), data[:min(len(data), 2000)])
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		s := sectionDecoders[int(which)%len(sectionDecoders)]
		if err := s.decode(data, names, tags); err != nil && !errors.Is(err, errFormat) {
			t.Errorf("%s: %v", s.name, err)
		}
		if _, err := decodePackets(data, 0); err != nil && !errors.Is(err, errFormat) {
			t.Error(err)
		}
	})
}

func FuzzUnpackSection(f *testing.F) {
	f.Add(filePackets)
	f.Add(file262[:300])
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range []string{"775", "names", ""} {
			if _, err := unpackSection(data, name); err != nil && !errors.Is(err, errFormat) {
				t.Error(err)
			}
		}
	})
}
