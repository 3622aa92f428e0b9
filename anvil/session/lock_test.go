package session_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"strata/anvil/session"
	"strata/region/vfs"
)

func mkdirs(t testing.TB, fsys vfs.FS, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := vfs.MkdirAll(fsys, name, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func acquire(t testing.TB, fsys vfs.FS, folders ...string) *session.Lock {
	t.Helper()
	l, err := session.Acquire(fsys, folders...)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func release(t testing.TB, l *session.Lock) {
	t.Helper()
	if err := l.Release(); err != nil {
		t.Error(err)
	}
}

func wantHeld(t testing.TB, fsys vfs.FS, folder string, want bool) {
	t.Helper()
	if held, err := session.Held(fsys, folder); err != nil || held != want {
		t.Errorf("%s is held: %v, %v; want %v", folder, held, err, want)
	}
}

func wantLocked(t testing.TB, fsys vfs.FS, at string, folders ...string) {
	t.Helper()
	l, err := session.Acquire(fsys, folders...)
	var locked *session.LockedError
	if !errors.As(err, &locked) || locked.Folder != at || !errors.Is(err, session.ErrLocked) {
		t.Errorf("acquiring %v: %v, want it locked at %s", folders, err, at)
	}
	if l != nil {
		t.Error("a lock and an error")
	}
}

func content(t testing.TB, fsys vfs.FS, folder string) string {
	t.Helper()
	data, err := vfs.ReadFile(fsys, filepath.Join(folder, session.FileName), 100)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// systems runs a test on the machine's file system and in memory.
func systems(t *testing.T, test func(t *testing.T, fsys vfs.FS, dir string)) {
	t.Run("os", func(t *testing.T) { test(t, vfs.OS(), t.TempDir()) })
	t.Run("mem", func(t *testing.T) {
		m := vfs.NewMem(vfs.MemOptions{})
		mkdirs(t, m, "worlds")
		test(t, m, "worlds")
	})
}

func TestOneHolderAtATime(t *testing.T) {
	systems(t, func(t *testing.T, fsys vfs.FS, dir string) {
		wantHeld(t, fsys, dir, false)
		if _, err := fsys.Stat(filepath.Join(dir, session.FileName)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("asking created the file: %v", err)
		}
		l := acquire(t, fsys, dir)
		wantHeld(t, fsys, dir, true)
		wantLocked(t, fsys, dir, dir)
		if err := l.Check(); err != nil {
			t.Error(err)
		}
		if got := l.Unprotected(); len(got) != 0 {
			t.Errorf("unprotected: %v", got)
		}
		release(t, l)
		wantHeld(t, fsys, dir, false)
		if got := content(t, fsys, dir); got != "\u2603" {
			t.Errorf("the file holds %q and should be there still", got)
		}
		if err := l.Check(); !errors.Is(err, session.ErrReleased) {
			t.Errorf("check after release: %v", err)
		}
		if err := l.Release(); !errors.Is(err, session.ErrReleased) {
			t.Errorf("second release: %v", err)
		}
		release(t, acquire(t, fsys, dir))
	})
}

func TestLockIsHeldUntilTheLastUserEnds(t *testing.T) {
	systems(t, func(t *testing.T, fsys vfs.FS, dir string) {
		writer := acquire(t, fsys, dir)
		if err := writer.Retain(); err != nil { // a backup
			t.Fatal(err)
		}
		release(t, writer)
		wantLocked(t, fsys, dir, dir)
		release(t, writer)
		if err := writer.Retain(); !errors.Is(err, session.ErrReleased) {
			t.Errorf("retain after the last release: %v", err)
		}
		release(t, acquire(t, fsys, dir))
	})
}

func TestSplitWorldIsLockedWholeOrNotAtAll(t *testing.T) {
	systems(t, func(t *testing.T, fsys vfs.FS, dir string) {
		var folders []string
		for _, name := range []string{"world", "world_nether", "world_the_end"} {
			folders = append(folders, filepath.Join(dir, name))
		}
		mkdirs(t, fsys, folders...)
		end := acquire(t, fsys, folders[2])
		wantLocked(t, fsys, folders[2], folders...)
		wantHeld(t, fsys, folders[0], false)
		wantHeld(t, fsys, folders[1], false)
		release(t, end)
		l := acquire(t, fsys, folders...)
		if got := l.Folders(); !slices.Equal(got, folders) {
			t.Errorf("folders %v", got)
		}
		for _, folder := range folders {
			wantHeld(t, fsys, folder, true)
			wantLocked(t, fsys, folder, folder)
		}
		release(t, l)
		for _, folder := range folders {
			wantHeld(t, fsys, folder, false)
		}
	})
}

func TestFolderNamedTwiceIsLockedOnce(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	l := acquire(t, vfs.OS(), dir, link, dir)
	if got := l.Folders(); !slices.Equal(got, []string{dir}) {
		t.Errorf("folders %v", got)
	}
	wantLocked(t, vfs.OS(), link, link)
	release(t, l)
}

func TestNothingIsWrittenBeforeTheLockIsHeld(t *testing.T) {
	for _, before := range []string{"", "\u2603", "12345678", "\u2603 and more"} {
		m := vfs.NewMem(vfs.MemOptions{})
		mkdirs(t, m, "world")
		if before != "" {
			if err := vfs.WriteFileSync(m, "world/session.lock", []byte(before), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		f := vfs.NewFault(m)
		locked := false
		f.Add(vfs.Rule{Ops: vfs.OpLock, Hook: func(vfs.OpInfo) {
			// Not locked yet: the file is what it was.
			if got := content(t, m, "world"); got != before {
				t.Errorf("before the lock %q became %q", before, got)
			}
			locked = true
		}})
		f.Add(vfs.Rule{Ops: vfs.OpWrite | vfs.OpTruncate | vfs.OpRemove | vfs.OpRename, Forever: true, Hook: func(in vfs.OpInfo) {
			if !locked {
				t.Errorf("%q: %v without the lock", before, in)
			}
			if in.Op == vfs.OpRemove || in.Op == vfs.OpRename {
				t.Errorf("%q: %v", before, in)
			}
		}}).Withdraw()
		l := acquire(t, f, "world")
		if got := content(t, m, "world"); got != "\u2603" {
			t.Errorf("%q became %q", before, got)
		}
		release(t, l)
		if n := f.Count(vfs.OpRemove | vfs.OpRename); n != 0 {
			t.Errorf("%d removals and renames", n)
		}
		f.Verify(t)
	}
}

// TestLinkInThePlaceOfTheLockIsRefused is about a world from elsewhere whose
// session.lock leads to a file that is not the world's.
func TestLinkInThePlaceOfTheLockIsRefused(t *testing.T) {
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "letter")
	if err := os.WriteFile(outside, []byte("dear reader"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{outside, outside + ".new"} {
		link := filepath.Join(dir, session.FileName)
		if err := os.Symlink(target, link); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
		if l, err := session.Acquire(vfs.OS(), dir); !errors.Is(err, session.ErrSymlink) || l != nil {
			t.Errorf("acquire: %v", err)
		}
		if err := os.Remove(link); err != nil {
			t.Fatal(err)
		}
	}
	if data, err := os.ReadFile(outside); err != nil || string(data) != "dear reader" {
		t.Errorf("the file outside holds %q, %v", data, err)
	}
	if _, err := os.Stat(outside + ".new"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file was made outside: %v", err)
	}
	// Nor when it takes the lock's place between the look and the opening.
	f := vfs.NewFault(vfs.OS())
	f.Add(vfs.Rule{Ops: vfs.OpOpen | vfs.OpCreate, Name: session.FileName, Hook: func(vfs.OpInfo) {
		if err := os.Symlink(outside, filepath.Join(dir, session.FileName)); err != nil {
			t.Error(err)
		}
	}})
	if l, err := session.Acquire(f, dir); err == nil || l != nil {
		t.Error("a link that came in between was taken for the lock")
	}
	f.Verify(t)
	if data, err := os.ReadFile(outside); err != nil || string(data) != "dear reader" {
		t.Errorf("the file outside holds %q, %v", data, err)
	}
}

func TestHoldersContentStaysWhenAnotherComes(t *testing.T) {
	m := vfs.NewMem(vfs.MemOptions{})
	mkdirs(t, m, "world")
	holder, err := m.OpenFile("world/session.lock", os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Lock(true); err != nil {
		t.Fatal(err)
	}
	if _, err := holder.WriteAt([]byte("foreign content"), 0); err != nil {
		t.Fatal(err)
	}
	wantLocked(t, m, "world", "world")
	wantHeld(t, m, "world", true)
	if got := content(t, m, "world"); got != "foreign content" {
		t.Errorf("the holder's file became %q", got)
	}
	holder.Close()
}

func TestLostLockIsNoticed(t *testing.T) {
	for name, lose := range map[string]func(path string) error{
		"removed": os.Remove,
		"replaced by another file": func(path string) error {
			other := path + ".new"
			return errors.Join(os.WriteFile(other, []byte("\u2603"), 0o644), os.Rename(other, path))
		},
		"folder replaced": func(path string) error {
			dir := filepath.Dir(path)
			return errors.Join(os.Rename(dir, dir+".away"), os.Mkdir(dir, 0o755), os.WriteFile(path, nil, 0o644))
		},
		"folder moved": func(path string) error { return os.Rename(filepath.Dir(path), filepath.Dir(path)+".away") },
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "world")
			mkdirs(t, vfs.OS(), dir)
			l := acquire(t, vfs.OS(), dir)
			if err := l.Check(); err != nil {
				t.Fatal(err)
			}
			if err := lose(filepath.Join(dir, session.FileName)); err != nil {
				t.Skipf("this system does not let it be lost: %v", err)
			}
			if err := l.Check(); !errors.Is(err, session.ErrLost) {
				t.Errorf("check: %v", err)
			}
			release(t, l)
		})
	}
}

func TestFileReplacedWhileItIsLockedIsLockedAgain(t *testing.T) {
	for _, always := range []bool{false, true} {
		m := vfs.NewMem(vfs.MemOptions{})
		mkdirs(t, m, "world")
		f := vfs.NewFault(m)
		f.Add(vfs.Rule{Ops: vfs.OpLock, Forever: always, Hook: func(vfs.OpInfo) {
			if err := vfs.WriteFileSync(m, "world/session.lock", []byte("x"), 0o644); err != nil {
				t.Error(err)
			}
		}})
		l, err := session.Acquire(f, "world")
		if always {
			if !errors.Is(err, session.ErrLost) {
				t.Errorf("a file replaced for ever: %v", err)
			}
			continue
		}
		if err != nil || l.Check() != nil {
			t.Fatalf("acquire: %v", err)
		}
		wantLocked(t, m, "world", "world") // the file of that name is locked
		release(t, l)
	}
}

func TestFileSystemWithoutLocksIsUsedAndNamed(t *testing.T) {
	m := vfs.NewMem(vfs.MemOptions{})
	mkdirs(t, m, "a", "b")
	f := vfs.NewFault(m)
	f.Add(vfs.Rule{Ops: vfs.OpLock, Nth: 1, Err: vfs.ErrUnsupported})
	l := acquire(t, f, "a", "b")
	if got := l.Unprotected(); !slices.Equal(got, []string{"b"}) {
		t.Errorf("unprotected: %v", got)
	}
	if err := l.Check(); err != nil {
		t.Error(err)
	}
	release(t, l)
	f.Add(vfs.Rule{Ops: vfs.OpLock, Err: vfs.ErrUnsupported})
	wantHeld(t, f, "b", false)
	f.Verify(t)
}

func TestEveryFaultLeavesTheWorldFree(t *testing.T) {
	broken := errors.New("input/output error")
	failed := 0
	for nth := range 200 {
		m := vfs.NewMem(vfs.MemOptions{})
		mkdirs(t, m, "a", "b")
		f := vfs.NewFault(m)
		rule := f.Add(vfs.Rule{Nth: nth, Err: broken})
		l, err := session.Acquire(f, "a", "b")
		if err == nil && rule.Fired() == 0 {
			// Not in Acquire, so in Release or nowhere.
			err = l.Release()
			if rule.Fired() == 0 {
				break
			}
			if !errors.Is(err, broken) {
				t.Errorf("release with operation %d failing: %v", nth, err)
			}
			continue
		}
		if err == nil {
			t.Errorf("operation %d failed and nobody noticed", nth)
			release(t, l)
			continue
		}
		failed++
		if !errors.Is(err, broken) {
			t.Errorf("operation %d: %v", nth, err)
		}
		wantHeld(t, m, "a", false)
		wantHeld(t, m, "b", false)
	}
	if failed < 10 {
		t.Errorf("only %d operations could fail", failed)
	}
}

func TestWhatCannotBeLockedIsAnError(t *testing.T) {
	m := vfs.NewMem(vfs.MemOptions{})
	mkdirs(t, m, "world")
	if err := vfs.WriteFileSync(m, "world/file", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, folders := range [][]string{nil, {"absent"}, {"world", "absent"}, {"world/file"}} {
		if l, err := session.Acquire(m, folders...); err == nil || l != nil {
			t.Errorf("%v was locked", folders)
		}
	}
	if _, err := session.Acquire(m, "absent"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("absent: %v", err)
	}
	wantHeld(t, m, "world", false)
}
