package store

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"slices"
	"testing"

	"strata/anvil/chunk"
	"strata/anvil/session"
	"strata/bench/testbed"
	"strata/region/codec"
	"strata/region/vfs"
)

func snapshotNumber(t testing.TB, sn *Snapshot, ref Ref) int32 {
	t.Helper()
	rec, err := sn.Read(ref, nil)
	if errors.Is(err, ErrAbsent) {
		return -1
	}
	if err != nil {
		t.Fatal(err)
	}
	data, err := rec.AppendDecoded(new(codec.Decoder), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	if ref.Kind != Chunks {
		return documentNumber(t, data)
	}
	c, err := chunk.NewDecoder(chunk.NewTables()).Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return number(c)
}

func TestSnapshotStaysAsItWas(t *testing.T) {
	seed := testbed.Seed(t)
	rng := rand.New(rand.NewPCG(uint64(seed), 9))
	m := mem()
	w := makeWorld(t, m, "w")
	s := openStore(t, w, small())
	putEverything(t, s, 1) // not saved yet: the snapshot does
	sn, err := s.Snapshot(ctx)
	if err != nil {
		t.Fatal(err)
	}
	wantFiles, err := sn.Files()
	if err != nil || len(wantFiles) != 4 {
		t.Errorf("files %v, %v", wantFiles, err)
	}
	look := func() {
		t.Helper()
		for _, ref := range everything {
			if n := snapshotNumber(t, sn, ref); n != 1 {
				t.Errorf("%v: %d", ref, n)
			}
		}
		for _, ref := range []Ref{at(9, 9), {1, POI, at(0, 0).Pos}, {1, Chunks, at(70, 0).Pos}} {
			if n := snapshotNumber(t, sn, ref); n != -1 {
				t.Errorf("%v was not there: %d", ref, n)
			}
		}
		for _, path := range []string{playerPath, "w/data/1.dat"} {
			if data, err := sn.ReadFile(path, 1<<20); err != nil || fileNumber(t, data) != 1 {
				t.Errorf("%s: %v", path, err)
			}
		}
		if _, err := sn.ReadFile("w/data/0.dat", 1<<20); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a file that came later: %v", err)
		}
		if files, err := sn.Files(); err != nil || !slices.Equal(files, wantFiles) {
			t.Errorf("files %v, want %v, %v", files, wantFiles, err)
		}
	}
	look()
	for n := range int32(6) {
		putEverything(t, s, n+2)
		put(t, s, at(9, 9), n)
		put(t, s, Ref{1, POI, at(0, 0).Pos}, n)
		put(t, s, Ref{1, Chunks, at(70, 0).Pos}, n)
		for range 20 {
			put(t, s, at(rng.Int32N(3), rng.Int32N(3)+5), rng.Int32())
		}
		barrier(t, s)
		look()
	}
	// The store closes for its user, and stays for the snapshot.
	closeStore(t, s)
	if held, err := session.Held(m, "w"); err != nil || !held {
		t.Errorf("the lock was given away under a snapshot: %v, %v", held, err)
	}
	look()
	if sn.Revoked() {
		t.Error("revoked")
	}
	if err := sn.Release(); err != nil {
		t.Error(err)
	}
	if err := sn.Release(); err != nil {
		t.Error(err)
	}
	if held, err := session.Held(m, "w"); err != nil || held {
		t.Errorf("the lock is still held: %v, %v", held, err)
	}
	if entries, _ := m.ReadDir("w/strata/pins"); len(entries) != 0 {
		t.Errorf("%v is left", entries)
	}
	check(t, w)
}

func TestSnapshotThatHoldsTooMuchIsRevoked(t *testing.T) {
	w := makeWorld(t, mem(), "w")
	opts := small()
	opts.PinLimit = 64 << 10
	s := openStore(t, w, opts)
	big := at(0, 0).as(Entities)
	if err := s.PutDocument(ctx, big, bulky(t, big, 2)); err != nil {
		t.Fatal(err)
	}
	sn, err := s.Snapshot(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for n := range int32(40) {
		if err := s.PutDocument(ctx, big, bulky(t, big, 2*n)); err != nil {
			t.Fatal(err)
		}
		for x := range int32(20) {
			put(t, s, at(x, 0), n)
			put(t, s, at(x, 0).as(Entities), n)
		}
		barrier(t, s)
	}
	// What the pin of an empty region holds is nothing: only its own sectors
	// count, one here.
	if sn.Revoked() {
		t.Error("revoked for sectors that it does not hold")
	}
	if n, err := sn.Read(big, nil); err != nil || len(n.Data) == 0 {
		t.Error(err)
	}
	sn2, err := s.Snapshot(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for x := range int32(20) { // 80 KiB of entities of the second one
		put(t, s, at(x, 0).as(Entities), 1000+x)
	}
	barrier(t, s)
	if !sn2.Revoked() {
		t.Error("not revoked")
	}
	if _, err := sn2.Read(at(1, 0).as(Entities), nil); err == nil {
		t.Error("a revoked snapshot is read")
	}
	for _, x := range []*Snapshot{sn, sn2} {
		if err := x.Release(); err != nil {
			t.Error(err)
		}
	}
	closeStore(t, s)
}

func TestTwoHandlesAreOneStore(t *testing.T) {
	m := mem()
	w := makeWorld(t, m, "w")
	a := openStore(t, w, small())
	other := worldAt(m, "w/../w")
	b, err := Open(other, Options{})
	if err != nil || a != b {
		t.Fatalf("another store: %v", err)
	}
	r, err := OpenRead(w, small())
	if err != nil || r != a {
		t.Fatalf("another store to read: %v", err)
	}
	closeStore(t, r)
	put(t, a, at(0, 0), 1)
	if n := get(t, b, at(0, 0)); n != 1 {
		t.Errorf("%d", n)
	}
	closeStore(t, a) // what was changed is durable then
	if n := onDisk(t, m, w, at(0, 0)); n != 1 {
		t.Errorf("%d on the disk", n)
	}
	put(t, b, at(0, 0), 2)
	closeStore(t, b)
	if n := onDisk(t, m, w, at(0, 0)); n != 2 {
		t.Errorf("%d on the disk", n)
	}
	if err := b.Close(); !errors.Is(err, ErrClosed) {
		t.Errorf("closed too often: %v", err)
	}
	c := openStore(t, w, small())
	if c == a {
		t.Error("a closed store came back")
	}
	closeStore(t, c)
}

func TestTheWorldIsLockedWhileItIsOpen(t *testing.T) {
	m := mem()
	w := makeWorld(t, m, "w")
	l, err := session.Acquire(m, "w")
	if err != nil {
		t.Fatal(err)
	}
	if s, err := Open(w, small()); !errors.Is(err, session.ErrLocked) || s != nil {
		t.Errorf("opened a world that is locked: %v", err)
	}
	r, err := OpenRead(w, small())
	if err != nil {
		t.Fatal(err)
	}
	closeStore(t, r)
	l.Release()
	s := openStore(t, w, small())
	if _, err := session.Acquire(m, "w"); !errors.Is(err, session.ErrLocked) {
		t.Errorf("not locked: %v", err)
	}
	// Who has lost the lock does not write.
	put(t, s, at(0, 0), 1)
	if err := m.Remove("w/session.lock"); err != nil {
		t.Fatal(err)
	}
	if err := s.Barrier(ctx); !errors.Is(err, session.ErrLost) {
		t.Errorf("saved without the lock: %v", err)
	}
	if n := onDiskAnyway(t, m, at(0, 0)); n != -1 {
		t.Errorf("%d is on the disk", n)
	}
	if err := s.Close(); !errors.Is(err, ErrUnsaved) {
		t.Errorf("close: %v", err)
	}
	if err := s.Abandon(); err != nil {
		t.Error(err)
	}
	for _, dir := range []string{"nowhere", "w/dimensions"} {
		if _, err := Open(worldAt(m, dir), small()); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("opened %s: %v", dir, err)
		}
	}
}

func onDiskAnyway(t testing.TB, m *vfs.Mem, ref Ref) int32 {
	t.Helper()
	return onDisk(t, m, worldAt(m, "w"), ref)
}

func TestMemoryLimitIsTheContainers(t *testing.T) {
	const gib = 1 << 30
	for name, tc := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"nothing known": {nil, unknownMemory},
		"machine":       {map[string]string{"/proc/meminfo": "MemFree: 1 kB\nMemTotal:       16777216 kB\n"}, 16 * gib},
		"cgroup v2": {map[string]string{
			"/proc/meminfo": "MemTotal: 16777216 kB\n", "/proc/self/cgroup": "0::/a/b\n",
			"/sys/fs/cgroup/a/b/memory.max": "max\n", "/sys/fs/cgroup/a/memory.max": "2147483648\n",
		}, 2 * gib},
		"cgroup v2 in its namespace": {map[string]string{"/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "1073741824"}, gib},
		"cgroup v1": {map[string]string{
			"/proc/meminfo":     "MemTotal: 16777216 kB\n",
			"/proc/self/cgroup": "12:cpu,cpuacct:/x\n5:memory:/docker/1\n0::/\n",
			"/sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes": "3221225472\n",
			"/sys/fs/cgroup/memory/memory.limit_in_bytes":          "9223372036854771712\n",
		}, 3 * gib},
		"nonsense": {map[string]string{"/proc/meminfo": "MemTotal: x kB", "/proc/self/cgroup": "0::relative\n:::\n"}, unknownMemory},
	} {
		got := containerMemory(func(name string) ([]byte, error) {
			if text, ok := tc.files[name]; ok {
				return []byte(text), nil
			}
			return nil, fs.ErrNotExist
		})
		if got != tc.want {
			t.Errorf("%s: %d, want %d", name, got, tc.want)
		}
	}
	if n := systemMemory(); n < minMemory || n > maxMemory {
		t.Errorf("here it is %d", n)
	}
}
