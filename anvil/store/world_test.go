package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"strata/anvil"
	"strata/anvil/level"
	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/region"
)

// worldIn is the world in a folder on the disk.
func worldIn(t testing.TB, dir string) World {
	t.Helper()
	a, err := anvil.Open(dir, anvil.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	w, err := WorldOf(a)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestFoldersBehindSymbolicLinksAreWritten(t *testing.T) {
	dir, elsewhere := filepath.Join(t.TempDir(), "w"), t.TempDir()
	a, err := anvil.Create(dir, anvil.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	nether, err := a.Dimension("minecraft:the_nether")
	if err != nil {
		t.Fatal(err)
	}
	a.Close()
	if err := os.MkdirAll(filepath.Dir(nether.Root), 0o755); err != nil {
		t.Fatal(err)
	}
	os.RemoveAll(nether.Root)
	if err := os.Symlink(elsewhere, nether.Root); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	hidden := filepath.Join(dir, "hidden")
	if err := os.Symlink(t.TempDir(), hidden); err != nil {
		t.Fatal(err)
	}
	w := worldIn(t, dir)
	if len(w.Links) != 1 || w.Links[0].Dir != nether.Root || len(w.Dimensions) != 3 {
		t.Fatalf("links %v of %d dimensions", w.Links, len(w.Dimensions))
	}
	s := openStore(t, w, small())
	var refs []Ref
	for dim := range Dim(len(w.Dimensions)) {
		ref := Ref{dim, Chunks, region.ChunkPos{X: 3, Z: -4}}
		refs = append(refs, ref)
		put(t, s, ref, int32(dim)+5)
	}
	if err := s.StageFile(filepath.Join(hidden, "x.dat"), []byte("x"), FileOptions{}); !errors.Is(err, level.ErrSymlink) {
		t.Errorf("staged behind a link: %v", err)
	}
	closeStore(t, s)
	s = openStore(t, w, small())
	for dim, ref := range refs {
		if n := get(t, s, ref); n != int32(dim)+5 {
			t.Errorf("%v: %d", ref, n)
		}
	}
	closeStore(t, s)
	if _, err := os.Stat(filepath.Join(elsewhere, "region", "r.0.-1.mca")); err != nil {
		t.Error(err)
	}
}

// TestRealWorldsLoad loads every chunk and entry of the sample worlds, and
// changes one of each that may be changed.
func TestRealWorldsLoad(t *testing.T) {
	archive := testbed.Shared(t, "worlds", "sample-worlds.tar.zst")
	if testing.Short() {
		t.Skip("long")
	}
	dir := t.TempDir()
	if err := corpus.Unpack(archive, dir); err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(dir, "sample", "*", "level.dat"))
	if err != nil || len(found) == 0 {
		t.Fatalf("no worlds: %v", err)
	}
	for _, file := range found {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			w := worldIn(t, filepath.Dir(file))
			s, err := OpenRead(w, small())
			if err != nil {
				t.Fatal(err)
			}
			count, odd := loadAll(t, s)
			t.Logf("version %d: chunks, entities, poi %v; other answers %v", s.Version(), count, odd)
			closeStore(t, s)
			if s.Version() < MinVersion {
				return
			}
			changeOne(t, w)
		})
	}
}

// loadAll loads all there is and counts what did not load.
func loadAll(t *testing.T, s *Store) (count [kinds]int, odd map[string]int) {
	t.Helper()
	odd = map[string]int{}
	for dim := range Dim(len(s.World().Dimensions)) {
		for k := range Kind(kinds) {
			r, err := s.Raw(dim, k)
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Each(ctx, func(pos region.ChunkPos, _ region.Record, err error) error {
				if err != nil {
					t.Error(err)
				}
				count[k]++
				ref := Ref{dim, k, pos}
				_, err = loads(s, ref)
				for _, answer := range []error{ErrAbsent, ErrUnreadable, ErrTooNew, ErrTooOld, ErrWrongPosition} {
					if errors.Is(err, answer) {
						odd[answer.Error()]++
						if !errors.Is(err, ErrTooOld) {
							t.Error(err)
						}
					}
				}
				return nil
			}); err != nil {
				t.Error(err)
			}
		}
	}
	return count, odd
}

func loads(s *Store, ref Ref) (bool, error) {
	if ref.Kind != Chunks {
		_, err := s.LoadDocument(ctx, ref, Background)
		return err == nil, err
	}
	h, err := s.Load(ctx, ref.Dim, ref.Pos, Background)
	if err != nil {
		return false, err
	}
	h.Release()
	return true, nil
}

// changeOne changes the first chunk there is.
func changeOne(t *testing.T, w World) {
	t.Helper()
	s := openStore(t, w, small())
	r, err := s.Raw(0, Chunks)
	if err != nil {
		t.Fatal(err)
	}
	done := errors.New("done")
	var ref Ref
	if err := r.Each(ctx, func(pos region.ChunkPos, _ region.Record, _ error) error {
		ref = Ref{0, Chunks, pos}
		return done
	}); !errors.Is(err, done) {
		t.Fatal("no chunks")
	}
	if err := s.Update(ctx, ref.Dim, ref.Pos, Structural, updateNumber(42)); err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	s = openStore(t, w, small())
	defer closeStore(t, s)
	if n := get(t, s, ref); n != 42 {
		t.Errorf("%v: %d", ref, n)
	}
}
