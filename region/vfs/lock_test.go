package vfs

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

func TestLocksBelongToHandles(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys FS, dir string) {
		name := filepath.Join(dir, "session.lock")
		a, b := create(t, fsys, name), create(t, fsys, name)
		orUnsupported(t, fsys, a.Lock(true))
		must(t, a.Lock(true)) // again is fine
		wantErr(t, b.Lock(true), ErrLocked)
		wantErr(t, b.Lock(false), ErrLocked)
		must(t, a.Unlock())
		must(t, b.Lock(false))
		must(t, a.Lock(false))
		wantErr(t, a.Lock(true), ErrLocked)
		must(t, b.Close())
		must(t, a.Lock(true))
		must(t, a.Close())
		c := create(t, fsys, name)
		must(t, c.Lock(true))
		must(t, c.Close())
	})
}

func TestClosingAnotherHandleKeepsTheLock(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys FS, dir string) {
		name := filepath.Join(dir, "session.lock")
		a := create(t, fsys, name)
		defer a.Close()
		orUnsupported(t, fsys, a.Lock(true))
		for range 3 {
			must(t, create(t, fsys, name).Close())
		}
		b := create(t, fsys, name)
		defer b.Close()
		wantErr(t, b.Lock(true), ErrLocked)
		if windowsRules(fsys) {
			_, err := b.ReadAt(make([]byte, 1), 0)
			wantErr(t, err, ErrLocked)
		}
	})
}

// lockChildEnv makes the test binary the process that holds a lock.
const lockChildEnv = "STRATA_VFS_LOCK_CHILD"

func TestLockIsSeenByAnotherProcess(t *testing.T) {
	if name := os.Getenv(lockChildEnv); name != "" {
		lockChild(name)
	}
	name := filepath.Join(t.TempDir(), "session.lock")
	f := create(t, OS(), name)
	defer f.Close()

	cmd := exec.Command(os.Args[0], "-test.run=^TestLockIsSeenByAnotherProcess$")
	cmd.Env = append(os.Environ(), lockChildEnv+"="+name)
	stdin, err := cmd.StdinPipe()
	must(t, err)
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil || line != "locked\n" {
		t.Fatalf("the other process says %q, %v", line, err)
	}
	wantErr(t, f.Lock(true), ErrLocked)
	wantErr(t, f.Lock(false), ErrLocked)
	must(t, stdin.Close())
	must(t, cmd.Wait())
	must(t, f.Lock(true)) // it died without Unlock or Close
}

// lockChild holds the lock until its input ends and dies with it.
func lockChild(name string) {
	f, err := OS().OpenFile(name, os.O_RDWR, 0)
	if err == nil {
		err = f.Lock(true)
	}
	if err != nil {
		os.Stdout.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
	os.Stdout.WriteString("locked\n")
	_, err = io.Copy(io.Discard, os.Stdin)
	runtime.KeepAlive(f)
	if err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

func TestExclusiveLockNeedsAWritableHandle(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("flock and LockFileEx lock through any handle")
	}
	for _, fsys := range []FS{OS(), NewMem(MemOptions{})} {
		name := filepath.Join(t.TempDir(), "f")
		must(t, MkdirAll(fsys, filepath.Dir(name), 0o755))
		writeFile(t, fsys, name, nil)
		f, err := fsys.OpenFile(name, os.O_RDONLY, 0)
		must(t, err)
		if err := f.Lock(true); err == nil || errors.Is(err, ErrLocked) {
			t.Fatalf("exclusive lock through a handle for reading: %v", err)
		}
		must(t, f.Lock(false))
		must(t, f.Close())
	}
}
