package store

import (
	"errors"
	"slices"
	"testing"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/anvil/level"
	"strata/nbt"
	"strata/region/vfs"
)

// levelOf is a level.dat of a version.
func levelOf(t testing.TB, version int32) []byte {
	t.Helper()
	l, err := level.Parse(levelDat(t, 1))
	if err != nil {
		t.Fatal(err)
	}
	e := l.Edit()
	e.SetVersion(level.Version{ID: version, Name: "x", Series: "main"})
	if l, err = e.Level(); err != nil {
		t.Fatal(err)
	}
	data, err := l.Pack()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// olderWorld is a world of some version with a chunk of 26.1.2 at 0, 0 that has
// a bed and a chest.
func olderWorld(t *testing.T, version int32) (*vfs.Mem, World) {
	t.Helper()
	m := mem()
	w := makeWorld(t, m, "w")
	if err := vfs.WriteFileSync(m, "w/level.dat", levelOf(t, version), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := chunk.New(chunk.NewTables(), at(0, 0).Pos, chunk.Options{DataVersion: 4790, Sections: 2})
	if err != nil {
		t.Fatal(err)
	}
	var entities []nbt.Raw
	for i, id := range []string{"minecraft:bed", "minecraft:chest"} {
		e, err := nbt.MarshalRaw(map[string]any{"id": id, "x": int32(i), "y": int32(1), "z": int32(0)})
		if err != nil {
			t.Fatal(err)
		}
		entities = append(entities, e)
	}
	if err := c.SetBlockEntities(entities); err != nil {
		t.Fatal(err)
	}
	writeRecord(t, w, at(0, 0), encoded(t, c))
	return m, w
}

// versionOnDisk is the DataVersion of the chunk at 0, 0 and whether it has a bed.
func versionOnDisk(t *testing.T, w World) (version int32, bed bool) {
	t.Helper()
	s, err := OpenRead(w, small())
	if err != nil {
		t.Fatal(err)
	}
	defer closeStore(t, s)
	h, err := s.Load(ctx, 0, at(0, 0).Pos, Normal)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Release()
	c, err := h.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	_, bed = c.BlockEntityAt(chunk.BlockPos{X: 0, Y: 1, Z: 0})
	if _, chest := c.BlockEntityAt(chunk.BlockPos{X: 1, Y: 1, Z: 0}); !chest {
		t.Error("the chest has gone")
	}
	return c.DataVersion(), bed
}

func TestChunksAreRaisedWhenAskedForAlone(t *testing.T) {
	raise := func(to int32) func(*chunk.Chunk) error {
		return func(c *chunk.Chunk) error {
			_, err := c.Raise(to)
			return errors.Join(err, setNumber(c, 2))
		}
	}
	for _, c := range []struct {
		name  string
		world int32
		opts  func(*Options)
		f     func(*chunk.Chunk) error
		err   error
		want  int32
	}{
		{"an edit keeps the version", 4903, nil, updateNumber(2), nil, 4790},
		{"a call raises", 4903, nil, raise(4903), nil, 4903},
		{"the option raises", 4903, func(o *Options) { o.Raise = true }, updateNumber(2), nil, 4903},
		{"nothing above the world's version", 4790, nil, raise(4903), ErrTooNew, 4790},
		{"nothing without conversions", 4903, nil, raise(4902), chunk.ErrNoConversion, 4790},
		{"the option keeps what the world has", 4790, func(o *Options) { o.Raise = true }, updateNumber(2), nil, 4790},
		{"the option keeps what nothing leads to", 4800, func(o *Options) { o.Raise = true }, updateNumber(2), nil, 4790},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, w := olderWorld(t, c.world)
			opts := small()
			if c.opts != nil {
				c.opts(&opts)
			}
			s := openStore(t, w, opts)
			if err := s.Update(ctx, 0, at(0, 0).Pos, Structural, c.f); !errors.Is(err, c.err) {
				t.Errorf("update: %v", err)
			}
			if n := get(t, s, at(0, 0)); (n == 2) != (c.err == nil || errors.Is(c.err, chunk.ErrNoConversion)) {
				t.Errorf("the chunk is number %d", n)
			}
			closeStore(t, s)
			if version, bed := versionOnDisk(t, w); version != c.want || bed != (version < 4903) {
				t.Errorf("DataVersion %d, bed %v", version, bed)
			}
			check(t, w)
		})
	}
}

// Neither loading nor changes of others raise a chunk.
func TestTheOptionRaisesWhatIsChangedAlone(t *testing.T) {
	_, w := olderWorld(t, 4903)
	opts := small()
	opts.Raise = true
	s := openStore(t, w, opts)
	if n := get(t, s, at(0, 0)); n != 0 {
		t.Errorf("number %d", n)
	}
	put(t, s, at(1, 0), 1)
	closeStore(t, s)
	if version, bed := versionOnDisk(t, w); version != 4790 || !bed {
		t.Errorf("DataVersion %d, bed %v", version, bed)
	}
}

// What an update has raised too far is as it was before that update, the
// changes of earlier ones included.
func TestAnUpdateThatRaisesTooFarIsUndone(t *testing.T) {
	_, w := olderWorld(t, 4790)
	s := openStore(t, w, small())
	if err := s.Update(ctx, 0, at(0, 0).Pos, Structural, updateNumber(7)); err != nil {
		t.Fatal(err)
	}
	err := s.Update(ctx, 0, at(0, 0).Pos, Structural, func(c *chunk.Chunk) error {
		_, err := c.Raise(4903)
		return errors.Join(err, setNumber(c, 8))
	})
	var ve *VersionError
	if !errors.As(err, &ve) || ve.Version != 4903 || ve.Max != 4790 {
		t.Errorf("raised too far: %v", err)
	}
	closeStore(t, s)
	if version, bed := versionOnDisk(t, w); version != 4790 || !bed {
		t.Errorf("DataVersion %d, bed %v", version, bed)
	}
	s = openStore(t, w, small())
	defer closeStore(t, s)
	if n := get(t, s, at(0, 0)); n != 7 {
		t.Errorf("number %d, not that of the first update", n)
	}
}

// Packages anvil and chunk say the same of what can be raised, and nothing is
// raised above what a store writes.
func TestTablesOfConversionsAgree(t *testing.T) {
	versions := []int32{0, 4785, 4786, 4790, 4800, 4902, 4903, 4904, 5023}
	for _, from := range versions {
		for _, to := range versions {
			if a, b := anvil.CheckRaise(from, to), chunk.CheckRaise(from, to); (a == nil) != (b == nil) {
				t.Errorf("%d to %d: %v and %v", from, to, a, b)
			}
		}
	}
	steps := chunk.Steps()
	if i := slices.IndexFunc(steps, func(s chunk.Step) bool { return s.To > level.NativeVersion || s.From < MinVersion }); i >= 0 {
		t.Errorf("step %+v", steps[i])
	}
}
