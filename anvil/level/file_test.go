package level_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"strata/anvil/level"
	"strata/nbt"
	"strata/region/vfs"
)

const datPath = "world/level.dat"

// numbered is a level.dat that says which one it is.
func numbered(t testing.TB, n int64) *level.Level {
	t.Helper()
	l, err := level.NewLevel(level.Fresh{Name: fmt.Sprintf("level %d", n)})
	if err != nil {
		t.Fatal(err)
	}
	e := l.Edit()
	e.SetTime(n)
	if l, err = e.Level(); err != nil {
		t.Fatal(err)
	}
	return l
}

func worldFolder(t testing.TB, files map[string][]byte) *vfs.Mem {
	t.Helper()
	m := vfs.NewMem(vfs.MemOptions{})
	if err := vfs.MkdirAllSync(m, "world", 0o755); err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		if err := vfs.WriteFileSync(m, name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func packed(t testing.TB, d *level.Document) []byte {
	t.Helper()
	data, err := d.Pack()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// timeOf reads one file of a world by itself: the number it has, or -1 if it is
// not there. One that is there must be whole.
func timeOf(t *testing.T, fsys vfs.FS, name string) int64 {
	t.Helper()
	data, err := vfs.ReadFile(fsys, name, level.MaxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return -1
	}
	if err != nil {
		t.Fatal(err)
	}
	l, err := level.Parse(data)
	if err != nil {
		t.Fatalf("%s is there and not whole: %v", name, err)
	}
	return l.Time()
}

// checkPair asserts what a world has after a write of level 3 over 2, whose
// predecessor was 1, ended at any point.
func checkPair(t *testing.T, what string, fsys vfs.FS, done bool) {
	t.Helper()
	now, old := timeOf(t, fsys, datPath), timeOf(t, fsys, datPath+level.OldSuffix)
	if now != 2 && now != 3 {
		t.Errorf("%s: level.dat is %d, want 2 or 3", what, now)
	}
	if old != 1 && old != 2 {
		t.Errorf("%s: level.dat_old is %d, want 1 or 2", what, old)
	}
	if done && (now != 3 || old != 2) {
		t.Errorf("%s: acknowledged, but level.dat is %d and level.dat_old %d", what, now, old)
	}
}

func TestLevelIsNeverAbsentWhateverCrashes(t *testing.T) {
	states := 0
	start := map[string][]byte{
		datPath: packed(t, numbered(t, 2).Document), datPath + level.OldSuffix: packed(t, numbered(t, 1).Document),
	}
	check := func(what string, m *vfs.Mem, done bool) {
		for seed := range uint64(30) {
			keep := vfs.CrashOptions{Keep: vfs.KeepRandom, Seed: seed}
			switch seed {
			case 0:
				keep.Keep = vfs.KeepNone
			case 1:
				keep.Keep = vfs.KeepAll
			}
			states++
			checkPair(t, fmt.Sprintf("%s, keep %d seed %d", what, keep.Keep, seed), m.CrashClone(keep), done)
		}
	}
	m := worldFolder(t, start)
	f := vfs.NewFault(m)
	f.Add(vfs.Rule{Ops: vfs.OpMutating, Forever: true, Hook: func(in vfs.OpInfo) { check("before "+in.String(), m, false) }})
	if err := numbered(t, 3).Write(f, "world"); err != nil {
		t.Fatal(err)
	}
	check("at the end", m, true)
	f.Verify(t)
	if states < 8*30 {
		t.Errorf("only %d states were looked at", states)
	}
	t.Logf("%d states", states)
}

func TestLevelSurvivesEveryFault(t *testing.T) {
	start := map[string][]byte{
		datPath: packed(t, numbered(t, 2).Document), datPath + level.OldSuffix: packed(t, numbered(t, 1).Document),
	}
	fired := 0
	for nth := range 200 {
		m := worldFolder(t, start)
		f := vfs.NewFault(m)
		rule := f.Add(vfs.Rule{Ops: vfs.OpAny, Nth: nth, Err: vfs.ErrNoSpace, ShortWrite: 5})
		err := numbered(t, 3).Write(f, "world")
		checkPair(t, fmt.Sprintf("fault at operation %d", nth), m, err == nil)
		checkPair(t, fmt.Sprintf("fault at operation %d and a crash", nth), m.CrashClone(vfs.CrashOptions{}), err == nil)
		if rule.Fired() == 0 {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
		fired++
		var fe *level.FileError
		if err != nil && (!errors.Is(err, vfs.ErrNoSpace) || !errors.As(err, &fe) || fe.Path != filepath.FromSlash(datPath)) {
			t.Errorf("fault at operation %d is reported as %v", nth, err)
		}
	}
	if fired < 12 {
		t.Errorf("only %d operations could fail", fired)
	}
	t.Logf("%d faults", fired)
}

func TestDamagedLevelDoesNotReplaceSoundOld(t *testing.T) {
	junk := []byte("\x1f\x8b\x08 not a level")
	m := worldFolder(t, map[string][]byte{datPath: junk, datPath + level.OldSuffix: packed(t, numbered(t, 1).Document)})
	l, origin, err := level.Read(m, "world")
	if err != nil || l.Time() != 1 || !origin.FromOld() || !errors.Is(origin.Problem, level.ErrDamaged) {
		t.Fatalf("read %+v, %v", origin, err)
	}
	for range 2 {
		if err := numbered(t, 3).Write(m, "world"); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := vfs.ReadFile(m, datPath+"_damaged", 100); err != nil || !bytes.Equal(kept, junk) {
		t.Errorf("the damaged file is %q, %v", kept, err)
	}
	if old := timeOf(t, m, datPath+level.OldSuffix); old != 3 { // of the second write
		t.Errorf("level.dat_old is %d", old)
	}
	// Another damaged one does not replace the first.
	if err := vfs.WriteFileSync(m, datPath, []byte("other junk"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := numbered(t, 4).Write(m, "world"); err != nil {
		t.Fatal(err)
	}
	if kept, err := vfs.ReadFile(m, datPath+"_damaged-2", 100); err != nil || string(kept) != "other junk" {
		t.Errorf("the second damaged file is %q, %v", kept, err)
	}
	if old := timeOf(t, m, datPath+level.OldSuffix); old != 3 {
		t.Errorf("a damaged file replaced level.dat_old, which is %d", old)
	}
}

// TestAnotherDocumentDoesNotReplaceSoundOld is about a whole document that is no
// level, which Read passes over for level.dat_old.
func TestAnotherDocumentDoesNotReplaceSoundOld(t *testing.T) {
	other := packed(t, mustDocument(t, level.Weather{RainTime: 7}))
	m := worldFolder(t, map[string][]byte{datPath: other, datPath + level.OldSuffix: packed(t, numbered(t, 1).Document)})
	f := vfs.NewFault(m)
	f.Add(vfs.Rule{Ops: vfs.OpMutating, Forever: true, Hook: func(in vfs.OpInfo) {
		crashed := m.CrashClone(vfs.CrashOptions{Keep: vfs.KeepAll})
		if l, _, err := level.Read(crashed, "world"); err != nil || l.Time() != 1 && l.Time() != 3 {
			t.Errorf("before %v: no level is left: %v", in, err)
		}
	}})
	if err := numbered(t, 3).Write(f, "world"); err != nil {
		t.Fatal(err)
	}
	f.Verify(t)
	if now, old := timeOf(t, m, datPath), timeOf(t, m, datPath+level.OldSuffix); now != 3 || old != 1 {
		t.Errorf("level.dat is %d and level.dat_old %d, want 3 and 1", now, old)
	}
	if kept, err := vfs.ReadFile(m, datPath+"_damaged", level.MaxFile); err != nil || !bytes.Equal(kept, other) {
		t.Errorf("the other document was not kept: %v", err)
	}
}

func TestReadFallsBackToOld(t *testing.T) {
	good, old := packed(t, numbered(t, 2).Document), packed(t, numbered(t, 1).Document)
	other := packed(t, mustDocument(t, level.Weather{}))
	for _, tc := range []struct {
		name    string
		now     []byte
		old     []byte
		want    int64 // -1: an error
		problem error
	}{
		{"sound", good, old, 2, nil},
		{"absent", nil, old, 1, fs.ErrNotExist},
		{"empty", []byte{}, old, 1, level.ErrDamaged},
		{"truncated", good[:len(good)-10], old, 1, level.ErrDamaged},
		{"text", []byte("hello"), old, 1, level.ErrDamaged},
		{"another document", other, old, 1, level.ErrShape},
		{"both absent", nil, nil, -1, fs.ErrNotExist},
		{"both damaged", []byte("x"), []byte("y"), -1, level.ErrDamaged},
		{"damaged and absent", []byte("x"), nil, -1, level.ErrDamaged},
		{"both another document", other, other, -1, level.ErrShape},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files := map[string][]byte{}
			if tc.now != nil {
				files[datPath] = tc.now
			}
			if tc.old != nil {
				files[datPath+level.OldSuffix] = tc.old
			}
			l, origin, err := level.Read(worldFolder(t, files), "world")
			if tc.want < 0 {
				if err == nil || !errors.Is(err, tc.problem) {
					t.Errorf("error %v, want %v", err, tc.problem)
				}
				return
			}
			if err != nil || l.Time() != tc.want || origin.FromOld() != (tc.problem != nil) || !errors.Is(origin.Problem, tc.problem) {
				t.Errorf("level %v, %+v, %v", l, origin, err)
			}
		})
	}
}

func TestReadWaitsForTheGameToPutLevelInPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := worldFolder(t, map[string][]byte{datPath + level.OldSuffix: packed(t, numbered(t, 1).Document)})
		go func() {
			time.Sleep(30 * time.Millisecond)
			if err := vfs.WriteFileSync(m, datPath, packed(t, numbered(t, 2).Document), 0o644); err != nil {
				t.Error(err)
			}
		}()
		l, origin, err := level.Read(m, "world")
		if err != nil || l.Time() != 2 || origin.FromOld() {
			t.Errorf("read %+v, %v", origin, err)
		}
	})
}

func TestErrorsOfTheDiskAreNotDamage(t *testing.T) {
	m := worldFolder(t, map[string][]byte{
		datPath: packed(t, numbered(t, 2).Document), datPath + level.OldSuffix: packed(t, numbered(t, 1).Document),
	})
	broken := errors.New("input/output error")
	f := vfs.NewFault(m)
	f.Add(vfs.Rule{Ops: vfs.OpRead, Name: "level.dat", Err: broken, Forever: true})
	if _, _, err := level.Read(f, "world"); !errors.Is(err, broken) || errors.Is(err, level.ErrDamaged) {
		t.Errorf("read: %v", err)
	}
	if err := numbered(t, 3).Write(f, "world"); !errors.Is(err, broken) {
		t.Errorf("a file that could not be read was replaced: %v", err)
	}
	f.Verify(t)
	checkPair(t, "after both", m, false)
}

func TestFilesAreReadWhateverTheirCompression(t *testing.T) {
	doc := mustDocument(t, level.MapIDs{Last: 7})
	for _, how := range []nbt.Compression{nbt.Uncompressed, nbt.Gzip, nbt.Zlib} {
		file, err := nbt.Pack(nil, doc.Bytes(), how)
		if err != nil {
			t.Fatal(err)
		}
		m := worldFolder(t, map[string][]byte{"world/idcounts.dat": file})
		read, _, err := level.ReadFile(m, "world/idcounts.dat")
		if err != nil {
			t.Fatalf("%v: %v", how, err)
		}
		changed, err := read.With(level.MapIDs{Last: 8})
		if err != nil {
			t.Fatal(err)
		}
		if err := level.WriteFile(m, "world/idcounts.dat", changed); err != nil {
			t.Fatal(err)
		}
		again, _, err := level.ReadFile(m, "world/idcounts.dat")
		var ids level.MapIDs
		if err != nil || again.Compression() != how || again.Decode(&ids) != nil || ids.Last != 8 {
			t.Errorf("%v: %+v, %v", how, ids, err)
		}
	}
	// idcounts.dat before 1.13: uncompressed, a short at the root.
	old, err := level.ParseDocument([]byte{10, 0, 0, 2, 0, 3, 'm', 'a', 'p', 0, 41, 0})
	var ids level.MapIDs
	if err != nil || old.Decode(&ids) != nil || ids.Last != 41 || old.DataVersion() != 0 {
		t.Errorf("%+v, %v", ids, err)
	}
}

func TestOversizeFileIsRefusedUnread(t *testing.T) {
	m := worldFolder(t, nil)
	f, err := m.OpenFile(datPath, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(level.MaxFile + 1); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, _, err := level.Read(m, "world"); !errors.Is(err, level.ErrDamaged) || !errors.Is(err, vfs.ErrTooLarge) {
		t.Errorf("error %v", err)
	}
}

func TestLinkedLevelIsReadAndNotReplaced(t *testing.T) {
	dir := t.TempDir()
	elsewhere := filepath.Join(dir, "elsewhere.dat")
	if err := os.WriteFile(elsewhere, packed(t, numbered(t, 1).Document), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(dir, level.FileName)); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if l, _, err := level.Read(vfs.OS(), dir); err != nil || l.Time() != 1 {
		t.Errorf("read: %v", err)
	}
	if err := numbered(t, 2).Write(vfs.OS(), dir); !errors.Is(err, level.ErrSymlink) {
		t.Errorf("write: %v", err)
	}
	if info, err := os.Lstat(filepath.Join(dir, level.FileName)); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
}
