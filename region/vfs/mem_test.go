package vfs

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sync"
	"testing"
	"time"
)

func TestMemTimesIncreaseStrictly(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	m := NewMem(MemOptions{Now: func() time.Time { return now }})
	f := create(t, m, "f")
	last := time.Time{}
	step := func(what string, content bool) {
		t.Helper()
		fi, err := m.Stat("f")
		must(t, err)
		if !fi.ChangeTime.After(last) {
			t.Fatalf("%s: change time %v is not after %v", what, fi.ChangeTime, last)
		}
		if content != fi.ModTime.Equal(fi.ChangeTime) {
			t.Fatalf("%s: modified %v, changed %v", what, fi.ModTime, fi.ChangeTime)
		}
		last = fi.ChangeTime
	}
	step("create", true)
	_, err := f.WriteAt([]byte("x"), 0)
	must(t, err)
	step("write", true)
	must(t, f.Truncate(0))
	step("truncate", true)
	must(t, m.Link("f", "g"))
	step("link", false)
	must(t, m.Remove("g"))
	step("remove", false)
	now = now.Add(-time.Hour) // a clock set back
	_, err = f.WriteAt([]byte("x"), 0)
	must(t, err)
	step("write", true)
	now = now.Add(48 * time.Hour)
	must(t, m.Rename("f", "g"))
	must(t, m.Rename("g", "f"))
	if fi, _ := m.Stat("f"); fi.ChangeTime.Before(now) {
		t.Fatalf("the clock is not followed: %v", fi.ChangeTime)
	}
}

func TestMemNamesAreTakenFromTheRoot(t *testing.T) {
	m := NewMem(MemOptions{})
	must(t, m.Mkdir("/w", 0o755))
	must(t, WriteFileSync(m, "w/region", []byte("x"), 0o644))
	for _, name := range []string{"/w/region", "w/region", "./w/../w/region", "//w//region"} {
		wantFile(t, m, name, []byte("x"))
	}
	for _, name := range []string{"", ".", "/", "../x"} {
		if _, err := m.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644); err == nil {
			t.Errorf("opened %q", name)
		}
	}
	for _, name := range []string{"", ".", "/"} {
		wantNames(t, m, name, "w")
		must(t, m.SyncDir(name))
	}
	if _, err := m.OpenFile("w", os.O_RDONLY, 0); err == nil {
		t.Error("opened a folder")
	}
	if _, err := m.Stat("w/region/x"); err == nil {
		t.Error("a file passed for a folder")
	}
}

// TestMemIsSafeForConcurrentUse is for the race detector: writers, readers and
// power cuts at once, and the clones used meanwhile. A file's bytes are all
// alike, since a write is one step here.
func TestMemIsSafeForConcurrentUse(t *testing.T) {
	m := NewMem(MemOptions{})
	const size, rounds = 3*pageSize + 100, 200
	var wg sync.WaitGroup
	for w := range 3 {
		f := create(t, m, fmt.Sprint("f", w))
		defer f.Close()
		wg.Go(func() {
			for i := range rounds {
				if _, err := f.WriteAt(bytes.Repeat([]byte{byte(i)}, size), 0); err != nil {
					t.Error(err)
				}
				if i%7 == 0 {
					if err := f.Sync(); err != nil {
						t.Error(err)
					}
				}
			}
		})
		wg.Go(func() {
			p := make([]byte, size)
			for range rounds {
				n, err := f.ReadAt(p, 0)
				if err != nil && err != io.EOF {
					t.Error(err)
				}
				if n > 0 && !bytes.Equal(p[:n], bytes.Repeat(p[:1], n)) {
					t.Error("a reader saw half a write")
				}
			}
		})
	}
	wg.Go(func() {
		for seed := range uint64(rounds) {
			c := m.CrashClone(CrashOptions{Keep: Keep(seed % 3), Seed: seed})
			for w := range 3 {
				g, err := c.OpenFile(fmt.Sprint("f", w), os.O_RDWR|os.O_CREATE, 0o644)
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := g.WriteAt([]byte("clone"), 10); err != nil {
					t.Error(err)
				}
				if err := g.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	})
	wg.Wait()
}
