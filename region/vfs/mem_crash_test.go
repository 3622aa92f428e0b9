package vfs

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// keeps are the three ways to cut the power, KeepRandom with many seeds.
func eachCrash(m *Mem, seeds int, fn func(o CrashOptions, c *Mem)) {
	for _, o := range []CrashOptions{{Keep: KeepNone}, {Keep: KeepAll}} {
		fn(o, m.CrashClone(o))
	}
	for seed := range uint64(seeds) {
		o := CrashOptions{Keep: KeepRandom, Seed: seed}
		fn(o, m.CrashClone(o))
	}
}

// outcomes counts what describe says of the crashes by many seeds.
func outcomes(m *Mem, seeds int, describe func(c *Mem) string) map[string]int {
	got := map[string]int{}
	for seed := range uint64(seeds) {
		got[describe(m.CrashClone(CrashOptions{Keep: KeepRandom, Seed: seed}))]++
	}
	return got
}

func wantOutcomes(t *testing.T, got map[string]int, want ...string) {
	t.Helper()
	slices.Sort(want)
	if keys := slices.Sorted(maps.Keys(got)); !slices.Equal(keys, want) {
		t.Fatalf("crashes lead to %q, want %q (%v)", keys, want, got)
	}
}

// content returns name's bytes, "-" if it is absent.
func contentOf(c *Mem, name string) string {
	data, err := ReadFile(c, name, 1<<30)
	if err != nil {
		return "-"
	}
	return string(data)
}

// tree returns the names and contents of the files in a folder.
func tree(t *testing.T, fsys FS, dir string) string {
	t.Helper()
	var b strings.Builder
	es, err := fsys.ReadDir(dir)
	must(t, err)
	for _, e := range es {
		name := dir + "/" + e.Name()
		if e.IsDir() {
			fmt.Fprintf(&b, "%s/{%s} ", e.Name(), tree(t, fsys, name))
			continue
		}
		data, err := ReadFile(fsys, name, 1<<30)
		must(t, err)
		fmt.Fprintf(&b, "%s=%s ", e.Name(), data)
	}
	return strings.TrimSpace(b.String())
}

// durable creates name with data, all of it durable, and returns the handle.
func durableFile(t *testing.T, fsys FS, name string, data []byte) File {
	t.Helper()
	f := create(t, fsys, name)
	_, err := f.WriteAt(data, 0)
	must(t, err)
	must(t, f.Sync())
	must(t, fsys.SyncDir("/"))
	return f
}

func TestSyncedContentSurvivesEveryCrash(t *testing.T) {
	m := NewMem(MemOptions{})
	data := fill(20_000, 1)
	f := durableFile(t, m, "f", data)
	must(t, f.Truncate(12_000))
	must(t, f.PunchHole(4096, 4096))
	must(t, f.Sync())
	want := slices.Clone(data[:12_000])
	clear(want[4096:8192])
	eachCrash(m, 100, func(o CrashOptions, c *Mem) {
		if got := contentOf(c, "f"); got != string(want) {
			t.Fatalf("%+v: synced content is gone (%d bytes)", o, len(got))
		}
	})
}

func TestUnsyncedWritesAreOldNewOrTorn(t *testing.T) {
	m := NewMem(MemOptions{})
	f := durableFile(t, m, "f", fill(8192, 2))
	old, _ := ReadFile(m, "f", 1<<20)
	// Neither end is aligned: [100, 5000) touches sectors 0 to 9.
	_, err := f.WriteAt(fill(4900, 90), 100)
	must(t, err)
	cache, _ := ReadFile(m, "f", 1<<20)
	var allOld, allNew, prefix, mixed bool
	eachCrash(m, 300, func(o CrashOptions, c *Mem) {
		got := []byte(contentOf(c, "f"))
		if len(got) != 8192 {
			t.Fatalf("%+v: size %d", o, len(got))
		}
		var states []byte
		for s := range 10 {
			sector := got[s*512 : s*512+512]
			switch {
			case bytes.Equal(sector, old[s*512:s*512+512]):
				states = append(states, 'o')
			case bytes.Equal(sector, cache[s*512:s*512+512]):
				states = append(states, 'n')
			default:
				t.Fatalf("%+v: sector %d is neither old nor new", o, s)
			}
		}
		if !bytes.Equal(got[5120:], old[5120:]) {
			t.Fatalf("%+v: bytes beside the write changed", o)
		}
		news := bytes.Count(states, []byte("n"))
		switch {
		case o.Keep == KeepNone && news != 0, o.Keep == KeepAll && news != 10:
			t.Fatalf("%+v: %s", o, states)
		case news == 0:
			allOld = true
		case news == 10:
			allNew = true
		case bytes.HasPrefix(states, bytes.Repeat([]byte("n"), news)):
			prefix = true
		default:
			mixed = true
		}
	})
	if !allOld || !allNew || !prefix || !mixed {
		t.Fatalf("old %v new %v prefix %v mixed %v: not all reached", allOld, allNew, prefix, mixed)
	}
}

func TestLaterWriteCanOvertakeEarlierOne(t *testing.T) {
	m := NewMem(MemOptions{})
	f := durableFile(t, m, "f", []byte(strings.Repeat("-", 1024)))
	for i, p := range []string{"A", "B"} {
		_, err := f.WriteAt([]byte(p), int64(i)*512)
		must(t, err)
	}
	got := outcomes(m, 200, func(c *Mem) string {
		s := contentOf(c, "f")
		return s[:1] + s[512:513]
	})
	wantOutcomes(t, got, "--", "A-", "-B", "AB")
}

func TestSectorNeverMixesTwoMoments(t *testing.T) {
	m := NewMem(MemOptions{})
	f := durableFile(t, m, "f", []byte("--"))
	for i, p := range []string{"A", "B"} { // the same sector
		_, err := f.WriteAt([]byte(p), int64(i))
		must(t, err)
	}
	got := outcomes(m, 200, func(c *Mem) string { return contentOf(c, "f") })
	wantOutcomes(t, got, "--", "A-", "AB")
}

func TestSizeAndDataSurviveApart(t *testing.T) {
	m := NewMem(MemOptions{})
	f := durableFile(t, m, "f", []byte(strings.Repeat("-", 512)))
	_, err := f.WriteAt([]byte(strings.Repeat("A", 1024)), 512)
	must(t, err)
	got := outcomes(m, 600, func(c *Mem) string {
		s := contentOf(c, "f")
		// What landed beyond the size does not come back when the file grows.
		g := create(t, c, "f")
		must(t, g.Truncate(4096))
		if tail := contentOf(c, "f")[len(s):]; strings.Trim(tail, "\x00") != "" {
			t.Fatalf("after %d bytes the file grows by %.10q", len(s), tail)
		}
		out := ""
		for i := 0; i < len(s); i += 512 {
			if s[i] == 0 {
				out += "0"
			} else {
				out += s[i : i+1]
			}
		}
		return out
	})
	// The last: the sectors landed in either order, or the size came short.
	wantOutcomes(t, got, "-", "-AA", "-00", "-A0", "-0A", "-A")
}

func TestTruncateAndPunchMayBeLost(t *testing.T) {
	m := NewMem(MemOptions{})
	f := durableFile(t, m, "f", []byte(strings.Repeat("A", 8192)))
	must(t, f.PunchHole(0, 4096))
	must(t, f.Truncate(6000))
	got := outcomes(m, 200, func(c *Mem) string {
		s := contentOf(c, "f")
		return fmt.Sprint(len(s), s[0] == 0, s[len(s)-1] == 'A')
	})
	wantOutcomes(t, got, "8192 false true", "8192 true true", "6000 false true", "6000 true true")
}

func TestShrinkThenGrowNeverShowsForeignBytes(t *testing.T) {
	m := NewMem(MemOptions{})
	f := durableFile(t, m, "f", []byte(strings.Repeat("A", 8192)))
	must(t, f.Truncate(100))
	must(t, f.Truncate(8192))
	got := outcomes(m, 200, func(c *Mem) string {
		s := strings.TrimLeft(contentOf(c, "f"), "A")
		if strings.Trim(s, "\x00") != "" {
			t.Fatal("bytes that were never written there")
		}
		return fmt.Sprint(len(s))
	})
	wantOutcomes(t, got, "0", "8092") // lost or only shrunk; cut and grown
}

func TestPreallocationMayBeLost(t *testing.T) {
	m := NewMem(MemOptions{})
	f := durableFile(t, m, "f", []byte("A"))
	must(t, f.Preallocate(0, 10_000))
	got := outcomes(m, 100, func(c *Mem) string { return fmt.Sprint(len(contentOf(c, "f"))) })
	wantOutcomes(t, got, "1", "10000")
}

func TestFilesSurviveIndependently(t *testing.T) {
	m := NewMem(MemOptions{})
	for _, n := range []string{"a", "b", "c"} {
		f := durableFile(t, m, n, []byte("0"))
		_, err := f.WriteAt([]byte("1"), 0)
		must(t, err)
	}
	got := outcomes(m, 300, func(c *Mem) string { return contentOf(c, "a") + contentOf(c, "b") + contentOf(c, "c") })
	if len(got) != 8 {
		t.Fatalf("reached %v, want all 8", got)
	}
}

func TestCreatedNameNeedsSyncDir(t *testing.T) {
	m := NewMem(MemOptions{})
	f := create(t, m, "f")
	_, err := f.WriteAt([]byte("A"), 0)
	must(t, err)
	must(t, f.Sync())
	got := outcomes(m, 100, func(c *Mem) string { return contentOf(c, "f") })
	wantOutcomes(t, got, "-", "A")
	must(t, m.SyncDir("/"))
	eachCrash(m, 50, func(o CrashOptions, c *Mem) {
		if got := contentOf(c, "f"); got != "A" {
			t.Fatalf("%+v: %q", o, got)
		}
	})
	// The name alone says nothing of the content.
	g := create(t, m, "g")
	must(t, m.SyncDir("/"))
	_, err = g.WriteAt([]byte("A"), 0)
	must(t, err)
	got = outcomes(m, 100, func(c *Mem) string { return contentOf(c, "g") })
	wantOutcomes(t, got, "", "A", "\x00")
}

func TestHardLinksShareWhatSurvives(t *testing.T) {
	m := NewMem(MemOptions{})
	f := durableFile(t, m, "a", []byte("0"))
	must(t, m.Link("a", "b"))
	_, err := f.WriteAt([]byte("1"), 0)
	must(t, err)
	got := outcomes(m, 200, func(c *Mem) string {
		fi, err := c.Stat("a")
		must(t, err)
		return fmt.Sprint(tree(t, c, "/"), " links ", fi.Links)
	})
	wantOutcomes(t, got, "a=0 links 1", "a=1 links 1", "a=0 b=0 links 2", "a=1 b=1 links 2")
}

func TestFailedFlushIsFinal(t *testing.T) {
	m := NewMem(MemOptions{})
	fault := NewFault(m)
	f := durableFile(t, fault, "f", []byte(strings.Repeat("-", 1024)))
	_, err := f.WriteAt([]byte("A"), 0)
	must(t, err)
	p := fault.Add(Rule{Ops: OpSync, Err: errTest})
	wantErr(t, f.Sync(), errTest)
	if p.Fired() != 1 {
		t.Fatal("not fired")
	}
	must(t, f.Sync()) // believed by nobody: the page counts as clean
	see := func(c FS) string {
		data, err := ReadFile(c, "f", 1<<20)
		must(t, err)
		return string(data[0]) + string(data[512])
	}
	if got := see(fault); got != "A-" {
		t.Fatalf("the live file shows %q", got)
	}
	eachCrash(m, 50, func(o CrashOptions, c *Mem) {
		if got := see(c); got != "--" {
			t.Fatalf("%+v: %q survived a failed flush", o, got)
		}
	})
	_, err = f.WriteAt([]byte("B"), 512) // another sector does not bring A along
	must(t, err)
	wantOutcomes(t, outcomes(m, 50, func(c *Mem) string { return see(c) }), "--", "-B")
	must(t, f.Sync())
	eachCrash(m, 50, func(o CrashOptions, c *Mem) {
		if got := see(c); got != "-B" {
			t.Fatalf("%+v: %q", o, got)
		}
	})
	_, err = f.WriteAt([]byte("A"), 0) // written again, it is durable
	must(t, err)
	must(t, f.Sync())
	eachCrash(m, 50, func(o CrashOptions, c *Mem) {
		if got := see(c); got != "AB" {
			t.Fatalf("%+v: %q", o, got)
		}
	})
}

func TestSectorWrittenAfterFailedFlushIsWhole(t *testing.T) {
	m := NewMem(MemOptions{})
	f := durableFile(t, m, "f", []byte("--"))
	_, err := f.WriteAt([]byte("A"), 0)
	must(t, err)
	must(t, m.DropUnsynced("f", CrashOptions{}))
	_, err = f.WriteAt([]byte("B"), 1)
	must(t, err)
	wantOutcomes(t, outcomes(m, 50, func(c *Mem) string { return contentOf(c, "f") }), "--", "AB")
	must(t, f.Sync())
	wantOutcomes(t, outcomes(m, 5, func(c *Mem) string { return contentOf(c, "f") }), "AB")
}

func TestFailedFlushMayHaveLanded(t *testing.T) {
	m := NewMem(MemOptions{})
	f := durableFile(t, m, "f", []byte("-"))
	_, err := f.WriteAt([]byte("A"), 0)
	must(t, err)
	must(t, m.DropUnsynced("f", CrashOptions{Keep: KeepAll}))
	if got := contentOf(m.CrashClone(CrashOptions{}), "f"); got != "A" {
		t.Fatalf("%q", got)
	}
	_, err = f.WriteAt([]byte("BB"), 0)
	must(t, err)
	must(t, m.DropUnsynced("f", CrashOptions{}))
	wantFile(t, m, "f", []byte("BB"))
	if got := contentOf(m.CrashClone(CrashOptions{Keep: KeepAll}), "f"); got != "A" {
		t.Fatalf("%q", got)
	}
	// Size and data written again are there again.
	_, err = f.WriteAt([]byte("BB"), 0)
	must(t, err)
	must(t, f.Sync())
	if got := contentOf(m.CrashClone(CrashOptions{}), "f"); got != "BB" {
		t.Fatalf("%q", got)
	}
}

func TestCrashCloneIsIndependent(t *testing.T) {
	m := NewMem(MemOptions{})
	f := durableFile(t, m, "f", fill(10_000, 1))
	must(t, f.Lock(true))
	c := m.CrashClone(CrashOptions{})
	g := create(t, c, "f")
	must(t, g.Lock(true)) // locks do not survive
	want, _ := ReadFile(m, "f", 1<<20)
	for i, h := range []File{f, g} {
		_, err := h.WriteAt(fill(5000, byte(i)), 3000)
		must(t, err)
		must(t, h.Truncate(9000))
	}
	for i, fsys := range []*Mem{m, c} {
		w := slices.Clone(want[:9000])
		copy(w[3000:], fill(5000, byte(i)))
		wantFile(t, fsys, "f", w)
	}
	// What the crash left is durable; the clone can crash too.
	if got := contentOf(c.CrashClone(CrashOptions{}), "f"); got != string(want) {
		t.Fatal("the clone's own durable state is wrong")
	}
	a, _ := m.Stat("f")
	b, _ := c.Stat("f")
	if a.Inode != b.Inode || b.Links != 1 {
		t.Fatalf("inode %d and %d, links %d", a.Inode, b.Inode, b.Links)
	}
}

func TestSameSeedSameOutcome(t *testing.T) {
	build := func() *Mem {
		m := NewMem(MemOptions{})
		for i := range 20 {
			writeFile(t, m, fmt.Sprint("f", i), fill(3000, byte(i)))
			if i%3 == 0 {
				must(t, m.Rename(fmt.Sprint("f", i), fmt.Sprint("g", i)))
			}
		}
		return m
	}
	a, b := build(), build()
	for seed := range uint64(30) {
		o := CrashOptions{Keep: KeepRandom, Seed: seed}
		if tree(t, a.CrashClone(o), "/") != tree(t, b.CrashClone(o), "/") {
			t.Fatalf("seed %d has two outcomes", seed)
		}
	}
}
