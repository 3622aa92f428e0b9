package transplant

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"strata/anvil"
	"strata/anvil/scan"
	"strata/anvil/store"
	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/nbt"
	"strata/region"
	"strata/region/codec"
)

// realDocuments calls f with documents of real worlds: of the sample worlds, and
// of the chunks with many kinds of structures that generation is compared with.
func realDocuments(t *testing.T, f func(name string, kind store.Kind, pos region.ChunkPos, data []byte)) {
	t.Helper()
	dir := t.TempDir()
	if err := corpus.Unpack(testbed.Shared(t, "worlds", "sample-worlds.tar.zst"), dir); err != nil {
		t.Fatal(err)
	}
	var r scan.Reader
	worlds, oracle := []string{"layout-1.21.3", "world-26.2", "paper-26.1.2", "vanilla-26.1.2-fresh"}, testbed.Shared(t, "oracle")
	if testing.Short() {
		worlds, oracle = worlds[:1], filepath.Join(oracle, "vanilla-a", "the_nether")
	}
	for _, name := range worlds {
		w, err := anvil.Open(filepath.Join(dir, "sample", name), anvil.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range scan.Files(w).Files {
			_, err := r.Chunks(t.Context(), w.FS(), file, true, func(c *scan.Chunk) bool {
				if c.Err == nil {
					f(name, file.Kind, c.Pos, c.Data)
				}
				return true
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	err := filepath.WalkDir(oracle, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".mca" || !strings.Contains(path, "full") {
			return err
		}
		return regionDocuments(t.Context(), path, func(pos region.ChunkPos, data []byte) {
			f(filepath.Base(filepath.Dir(filepath.Dir(path))), store.Chunks, pos, data)
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}

func regionDocuments(ctx context.Context, path string, f func(region.ChunkPos, []byte)) error {
	file, err := region.Open(path, region.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	defer file.Close()
	var dec codec.Decoder
	pos, _ := region.ParseName(filepath.Base(path))
	header := file.Header()
	for slot := range region.Slot(region.Slots) {
		if header.Entry(slot).Empty() {
			continue
		}
		rec, err := file.Read(slot, nil)
		if err != nil {
			return err
		}
		data, err := rec.AppendDecoded(&dec, nil, maxDocument)
		if err != nil {
			return err
		}
		f(pos.Chunk(slot), data)
	}
	return ctx.Err()
}

// TestRealDocumentsAreMovedWholeAndComeBack looks at real documents by what is in
// them, not by names: whatever lies where the chunk does has to have moved, and
// nothing else may have changed.
func TestRealDocumentsAreMovedWholeAndComeBack(t *testing.T) {
	m := Mover{Move: Move{anvil.Overworld, anvil.Overworld, 700, -333}}
	back := Mover{Move: m.Move.Back()}
	documents, rounded, places := 0, 0, 0
	realDocuments(t, func(name string, kind store.Kind, pos region.ChunkPos, data []byte) {
		documents++
		moved, err := m.Document(kind, pos, data)
		if err != nil {
			t.Fatalf("%s: %v %v: %v", name, kind, pos, err)
		}
		l := look{t: t, name: fmt.Sprint(name, " ", kind, " ", pos), pos: pos, move: m.Move}
		var before, after nbt.Tape
		if err := before.Parse(data); err != nil {
			t.Fatal(err)
		}
		if err := after.Parse(moved.Data); err != nil {
			t.Fatal(err)
		}
		l.compare("", before.Root(), after.Root())
		places += l.places
		to, err := m.Move.Pos(pos)
		if err != nil {
			t.Fatal(err)
		}
		again, err := back.Document(kind, to, moved.Data)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(again.Data, data) {
			rounded++
			if err := after.Parse(again.Data); err != nil {
				t.Fatal(err)
			}
			l.same("", before.Root(), after.Root())
		}
	})
	t.Logf("%d documents, %d places; %d do not come back in the last bits of doubles", documents, places, rounded)
	if documents < 2000 || places < 20_000 || rounded > documents/10 {
		t.Errorf("%d documents, %d places, %d rounded", documents, places, rounded)
	}
}

// look compares a document before and after it was moved.
type look struct {
	t      *testing.T
	name   string
	pos    region.ChunkPos
	move   Move
	places int
}

// near reports whether numbers are a place around the chunk, in blocks. It can
// tell only for chunks that are not around 0, as there are many small numbers.
func (l *look) near(x, z float64, reach int32) bool {
	in := func(v float64, chunk int32) bool {
		return v >= float64(chunk*16-reach) && v < float64(chunk*16+16+reach)
	}
	far := min(max(l.pos.X, -l.pos.X), max(l.pos.Z, -l.pos.Z)) >= 8
	return far && in(x, l.pos.X) && in(z, l.pos.Z)
}

// moved checks one place, in units that are so many for a chunk.
func (l *look) moved(path string, unit int32, x, z, x2, z2 float64, must bool) {
	dx, dz := float64(l.move.X*unit), float64(l.move.Z*unit)
	switch {
	case math.Abs(x2-x-dx) < 1e-6 && math.Abs(z2-z-dz) < 1e-6:
		l.places++
	case x == x2 && z == z2 && !must:
	case x == x2 && z == z2:
		l.t.Errorf("%s%s: %v,%v did not move", l.name, path, x, z)
	default:
		l.t.Errorf("%s%s: %v,%v became %v,%v", l.name, path, x, z, x2, z2)
	}
}

func (l *look) compare(path string, a, b nbt.Tag) {
	if a.Type() != b.Type() || a.Elem() != b.Elem() {
		l.t.Fatalf("%s%s: %v became %v", l.name, path, a.Type(), b.Type())
	}
	switch a.Type() {
	case nbt.TypeCompound:
		l.compound(path, a, b)
	case nbt.TypeList:
		l.list(path, a, b)
	case nbt.TypeIntArray:
		l.ints(path, a, b)
	case nbt.TypeLongArray:
		if strings.Contains(path, ".References.") {
			l.references(path, a, b)
			return
		}
		l.equal(path, a, b)
	default:
		l.equal(path, a, b)
	}
}

func (l *look) equal(path string, a, b nbt.Tag) {
	if !bytes.Equal(a.Raw().Data, b.Raw().Data) {
		l.t.Errorf("%s%s changed", l.name, path)
	}
}

// compound takes members whose names end in x and z for places, and those of
// chunks that are named so.
func (l *look) compound(path string, a, b nbt.Tag) {
	done := map[string]bool{}
	for name, x := range a.Members() {
		n := string(name)
		for _, end := range [][2]string{{"x", "z"}, {"X", "Z"}, {"xPos", "zPos"}, {"ChunkX", "ChunkZ"}} {
			stem, ok := strings.CutSuffix(n, end[0])
			z := a.Get(stem + end[1])
			if !ok || x.Type() != nbt.TypeInt || z.Type() != nbt.TypeInt {
				continue
			}
			other := stem + end[1]
			done[n], done[other] = true, true
			unit := int32(16)
			if strings.HasSuffix(n, "Pos") || strings.HasPrefix(end[0], "Chunk") || n == "ChunkX" {
				unit = 1
			}
			l.pair(path+"."+n, unit, x, z, b.Get(n), b.Get(other))
		}
	}
	for name, x := range a.Members() {
		if !done[string(name)] {
			l.compare(path+"."+string(name), x, b.GetBytes(name))
		}
	}
}

func (l *look) pair(path string, unit int32, x, z, x2, z2 nbt.Tag) {
	ax, _ := x.Float()
	az, _ := z.Float()
	bx, _ := x2.Float()
	bz, _ := z2.Float()
	l.moved(path, unit, ax, az, bx, bz, unit == 1 || l.near(ax, az, 600))
}

func (l *look) list(path string, a, b nbt.Tag) {
	if a.Len() != b.Len() {
		l.t.Fatalf("%s%s: %d elements became %d", l.name, path, a.Len(), b.Len())
	}
	if a.Elem() == nbt.TypeDouble && a.Len() == 3 {
		l.pair3(path, a, b)
		return
	}
	if a.Elem().Numeric() {
		l.equal(path, a, b)
		return
	}
	var others []nbt.Tag
	for _, e := range b.Elements() {
		others = append(others, e)
	}
	for i, e := range a.Elements() {
		l.compare(fmt.Sprintf("%s[%d]", path, i), e, others[i])
	}
}

func (l *look) pair3(path string, a, b nbt.Tag) {
	l.equal(path+"[1]", a.At(1), b.At(1))
	ax, _ := a.At(0).Float()
	az, _ := a.At(2).Float()
	bx, _ := b.At(0).Float()
	bz, _ := b.At(2).Float()
	l.moved(path, 16, ax, az, bx, bz, l.near(ax, az, 100))
}

func (l *look) ints(path string, a, b nbt.Tag) {
	x, _ := a.IntArray()
	y, _ := b.IntArray()
	at := func(i int) float64 { return float64(x.At(i)) }
	to := func(i int) float64 { return float64(y.At(i)) }
	switch {
	case x.Len() == 2 && path == ".Position":
		l.moved(path, 1, at(0), at(1), to(0), to(1), true)
	case x.Len() == 3:
		l.moved(path, 16, at(0), at(2), to(0), to(2), l.near(at(0), at(2), 200))
	case x.Len() == 6:
		l.moved(path, 16, at(0), at(2), to(0), to(2), l.near(at(0), at(2), 600))
		l.moved(path, 16, at(3), at(5), to(3), to(5), l.near(at(3), at(5), 600))
	default:
		l.equal(path, a, b)
	}
}

func (l *look) references(path string, a, b nbt.Tag) {
	x, _ := a.LongArray()
	y, _ := b.LongArray()
	for i := range x.Len() {
		v, w := uint64(x.At(i)), uint64(y.At(i))
		l.moved(path, 1, float64(int32(v)), float64(int32(v>>32)), float64(int32(w)), float64(int32(w>>32)), true)
	}
}

// same checks that documents differ in the last bits of doubles alone.
func (l *look) same(path string, a, b nbt.Tag) {
	switch {
	case a.Type() == nbt.TypeCompound:
		for name, x := range a.Members() {
			l.same(path+"."+string(name), x, b.GetBytes(name))
		}
	case a.Type() == nbt.TypeList && !a.Elem().Numeric():
		for i, x := range a.Elements() {
			l.same(fmt.Sprintf("%s[%d]", path, i), x, b.At(i))
		}
	case a.Type() == nbt.TypeList && a.Elem() == nbt.TypeDouble:
		for i := range a.Len() {
			x, _ := a.At(i).Float()
			y, _ := b.At(i).Float()
			if math.Abs(x-y) > 1.0/(1<<28) {
				l.t.Errorf("%s%s: %v came back as %v", l.name, path, x, y)
			}
		}
	default:
		l.equal(path, a, b)
	}
}
