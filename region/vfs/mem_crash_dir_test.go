package vfs

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestRenameIsAtomicForItsTarget(t *testing.T) {
	m := NewMem(MemOptions{})
	must(t, durableFile(t, m, "level.dat", []byte("old")).Close())
	must(t, durableFile(t, m, "tmp", []byte("new")).Close())
	must(t, m.Rename("tmp", "level.dat"))
	got := outcomes(m, 200, func(c *Mem) string { return tree(t, c, "/") })
	wantOutcomes(t, got, "level.dat=old tmp=new", "level.dat=new", "level.dat=new tmp=new")
	must(t, m.SyncDir("/"))
	wantOutcomes(t, outcomes(m, 20, func(c *Mem) string { return tree(t, c, "/") }), "level.dat=new")
}

func TestRenameOfUnsyncedFileMayLeaveItEmpty(t *testing.T) {
	m := NewMem(MemOptions{})
	must(t, durableFile(t, m, "f", []byte("old")).Close())
	writeFile(t, m, "tmp", []byte("new"))
	must(t, m.Rename("tmp", "f"))
	got := outcomes(m, 300, func(c *Mem) string { return contentOf(c, "f") })
	wantOutcomes(t, got, "old", "new", "", "\x00\x00\x00")
}

func TestRemovalNeedsSyncDir(t *testing.T) {
	m := NewMem(MemOptions{})
	must(t, durableFile(t, m, "f", []byte("A")).Close())
	must(t, m.Remove("f"))
	wantOutcomes(t, outcomes(m, 50, func(c *Mem) string { return tree(t, c, "/") }), "", "f=A")
	must(t, m.SyncDir("/"))
	wantOutcomes(t, outcomes(m, 50, func(c *Mem) string { return tree(t, c, "/") }), "")
}

func TestRenameAcrossFoldersNeverLosesTheFile(t *testing.T) {
	for _, sync := range []string{"", "/a", "/b"} {
		m := NewMem(MemOptions{})
		must(t, MkdirAllSync(m, "/a", 0o755))
		must(t, MkdirAllSync(m, "/b", 0o755))
		writeFile(t, m, "/a/f", nil)
		must(t, m.SyncDir("/a"))
		must(t, m.Rename("/a/f", "/b/g"))
		want := []string{"a/{} b/{g=}"}
		if sync != "/a" { // flushing the old folder brings the new name along
			want = append(want, "a/{f=} b/{g=}")
		}
		if sync == "" {
			want = append(want, "a/{f=} b/{}")
		}
		if sync != "" {
			must(t, m.SyncDir(sync))
		}
		wantOutcomes(t, outcomes(m, 100, func(c *Mem) string { return tree(t, c, "/") }), want...)
	}
}

func TestNewFolderAndItsFilesAreNamedApart(t *testing.T) {
	m := NewMem(MemOptions{})
	must(t, m.Mkdir("d", 0o755))
	f := create(t, m, "d/f")
	must(t, f.Sync())
	must(t, m.SyncDir("d"))
	wantOutcomes(t, outcomes(m, 100, func(c *Mem) string { return tree(t, c, "/") }), "", "d/{f=}")
	must(t, m.SyncDir("/"))
	wantOutcomes(t, outcomes(m, 20, func(c *Mem) string { return tree(t, c, "/") }), "d/{f=}")
}

func TestMkdirAllSyncIsDurable(t *testing.T) {
	m := NewMem(MemOptions{})
	must(t, MkdirAllSync(m, "/a/b/c", 0o755))
	must(t, WriteFileSync(m, "/a/b/c/f", []byte("A"), 0o644))
	eachCrash(m, 20, func(o CrashOptions, c *Mem) {
		if got := tree(t, c, "/"); got != "a/{b/{c/{f=A}}}" {
			t.Fatalf("%+v: %s", o, got)
		}
	})
}

func TestMkdirAllSyncAfterAnInterruptedOne(t *testing.T) {
	for nth := 0; ; nth++ {
		for _, rule := range []Rule{{Nth: nth, Err: errTest}, {Nth: nth, Crash: true}} {
			m := NewMem(MemOptions{})
			f := NewFault(m)
			rule.Ops = OpMutating
			p := f.Add(rule)
			err := MkdirAllSync(f, "/a/b", 0o755)
			if p.Fired() == 0 {
				must(t, err)
				return
			}
			if err == nil {
				t.Fatalf("operation %d failed unnoticed", nth)
			}
			must(t, MkdirAllSync(m, "/a/b", 0o755)) // the process came back, the power never went
			eachCrash(m, 10, func(o CrashOptions, c *Mem) {
				if got := tree(t, c, "/"); got != "a/{b/{}}" {
					t.Fatalf("%d, %+v: %s", nth, o, got)
				}
			})
		}
	}
}

func TestMovedFolderHasOneName(t *testing.T) {
	m := NewMem(MemOptions{})
	must(t, MkdirAllSync(m, "/a", 0o755))
	must(t, MkdirAllSync(m, "/b", 0o755))
	// a into b, out again, and b into a: reordered, each could hold the other.
	must(t, m.Rename("/a", "/b/a"))
	must(t, m.Rename("/b/a", "/a"))
	must(t, m.Rename("/b", "/a/b"))
	got := outcomes(m, 300, func(c *Mem) string { return tree(t, c, "/") })
	wantOutcomes(t, got, "a/{} b/{}", "b/{a/{}}", "a/{b/{}}")
}

func TestFileMovedOutOfRemovedFolderIsNotLost(t *testing.T) {
	for _, remove := range []func(m *Mem) error{
		func(m *Mem) error { return m.Remove("/d") },
		func(m *Mem) error { return m.Rename("/e", "/d") }, // replaces it
	} {
		m := NewMem(MemOptions{})
		must(t, MkdirAllSync(m, "/d", 0o755))
		must(t, MkdirAllSync(m, "/e", 0o755))
		must(t, WriteFileSync(m, "/d/f", []byte("A"), 0o644))
		must(t, m.Rename("/d/f", "/f"))
		must(t, remove(m))
		eachCrash(m, 200, func(o CrashOptions, c *Mem) {
			if got := tree(t, c, "/"); !strings.Contains(got, "f=A") {
				t.Fatalf("%+v: lost, %q", o, got)
			}
		})
	}
}

func TestWindowsNamesAreDurableAtOnce(t *testing.T) {
	m := NewMem(MemOptions{Windows: true})
	f := create(t, m, "tmp")
	_, err := f.WriteAt([]byte("A"), 0)
	must(t, err)
	must(t, f.Sync())
	must(t, f.Close())
	must(t, m.Rename("tmp", "f"))
	eachCrash(m, 20, func(o CrashOptions, c *Mem) {
		if got := tree(t, c, "/"); got != "f=A" {
			t.Fatalf("%+v: %q", o, got)
		}
	})
}

// TestRenamesNeverLoseAFile moves durable files about at random, with names of
// their own that are never overwritten or removed: each must be somewhere
// after every crash, and every crash must leave a tree that can be walked.
func TestRenamesNeverLoseAFile(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 40 {
		m := NewMem(MemOptions{})
		dirs := []string{"/d0", "/d1", "/d2"}
		at := map[string]string{}
		for _, d := range dirs {
			must(t, MkdirAllSync(m, d, 0o755))
		}
		for i := range 4 {
			name := fmt.Sprintf("/d0/f%d", i)
			must(t, WriteFileSync(m, name, fmt.Appendf(nil, "<%d>", i), 0o644))
			at[fmt.Sprintf("<%d>", i)] = name
		}
		for step := range 25 {
			mark := fmt.Sprintf("<%d>", r.IntN(4))
			switch r.IntN(8) {
			case 0:
				must(t, m.SyncDir(dirs[r.IntN(len(dirs))]))
			case 1:
				d := fmt.Sprintf("/n%d", step)
				must(t, m.Mkdir(d, 0o755))
				dirs = append(dirs, d)
			case 2: // move a folder, with all that is in it
				i := r.IntN(len(dirs))
				to := fmt.Sprintf("%s/m%d", dirs[r.IntN(len(dirs))], step)
				from := dirs[i]
				if m.Rename(from, to) != nil {
					continue // into itself
				}
				for k, d := range dirs {
					if d == from || strings.HasPrefix(d, from+"/") {
						dirs[k] = to + d[len(from):]
					}
				}
				for k, n := range at {
					if strings.HasPrefix(n, from+"/") {
						at[k] = to + n[len(from):]
					}
				}
			default:
				to := fmt.Sprintf("%s/x%d", dirs[r.IntN(len(dirs))], r.IntN(3))
				if _, err := m.Stat(to); err == nil {
					continue
				}
				must(t, m.Rename(at[mark], to))
				at[mark] = to
			}
			for range 4 {
				o := CrashOptions{Keep: KeepRandom, Seed: r.Uint64()}
				got := tree(t, m.CrashClone(o), "/")
				for mark := range at {
					if !strings.Contains(got, mark) {
						t.Fatalf("%+v: file %s is lost: %s", o, mark, got)
					}
				}
			}
		}
	}
}
