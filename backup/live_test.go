package backup

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/anvil/level"
	"strata/anvil/store"
	"strata/bench/testbed"
	"strata/nbt"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// What a process of this test binary does when the variable is set, instead of
// running tests.
const (
	writerEnv = "STRATA_BACKUP_WRITER" // the world that it writes without end
	workerEnv = "STRATA_BACKUP_WORKER" // what it does with a repository until it is killed
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(writerEnv); dir != "" {
		exit(writeWorld(dir))
	}
	if what := os.Getenv(workerEnv); what != "" {
		exit(work(what))
	}
	os.Exit(m.Run())
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

const (
	numberMember = "strata:number"
	setChunks    = 48
)

// setPos are the chunks that a writer changes together, in two regions.
func setPos(i int) region.ChunkPos { return region.ChunkPos{X: int32(i), Z: int32(i % 5)} }

// numberedStore opens a world with chunks that all have the number 0.
func numberedStore(dir string, o store.Options) (*store.Store, error) {
	w, err := anvil.Open(dir, anvil.Options{})
	if err != nil {
		return nil, err
	}
	where, err := store.WorldOf(w, anvil.Nether)
	if err != nil {
		return nil, err
	}
	return store.Open(where, o)
}

func setNumber(n uint32) func(*chunk.Chunk) error {
	return func(c *chunk.Chunk) error {
		return c.SetMember(numberMember, nbt.Raw{Type: nbt.TypeInt, Data: binary.BigEndian.AppendUint32(nil, n)})
	}
}

// hold makes the chunks of the set, if they are not there, and holds them.
func hold(s *store.Store) (all []*store.Hold, err error) {
	for dim := range store.Dim(2) {
		for i := range setChunks {
			h, err := s.Load(ctx, dim, setPos(i), store.Normal)
			if errors.Is(err, store.ErrAbsent) {
				var c *chunk.Chunk
				if c, err = chunk.New(s.Tables(), setPos(i), chunk.Options{DataVersion: level.NativeVersion, Sections: 2}); err != nil {
					return nil, err
				}
				if err = errors.Join(setNumber(0)(c), s.Put(ctx, dim, c)); err != nil {
					return nil, err
				}
				h, err = s.Load(ctx, dim, setPos(i), store.Normal)
			}
			if err != nil {
				return nil, err
			}
			all = append(all, h)
		}
	}
	return all, nil
}

// writeWorld changes a set of chunks and a file together, as fast as it can.
func writeWorld(dir string) error {
	s, err := numberedStore(dir, store.Options{Memory: 16 << 20, Interval: time.Millisecond})
	if err != nil {
		return err
	}
	held, err := hold(s)
	if err != nil {
		return err
	}
	fmt.Println("ready")
	for n := uint32(1); ; n++ {
		if err := s.Together(func(t store.Together) error { return change(t, held, dir, n) }); err != nil {
			return err
		}
		if n%64 == 0 {
			if err := s.Barrier(ctx); err != nil {
				return err
			}
		}
	}
}

func change(t store.Together, held []*store.Hold, dir string, n uint32) error {
	for _, h := range held {
		if err := t.Update(h, store.Structural, setNumber(n)); err != nil {
			return err
		}
	}
	return t.StageFile(filepath.Join(dir, "players", "data", "number.dat"), fmt.Appendf(nil, "%d", n), store.FileOptions{})
}

// numbersIn lists the numbers of a set that a snapshot has.
func numbersIn(t *testing.T, v *View) map[uint32]int {
	t.Helper()
	w, err := v.World()
	must(t, err)
	got := map[uint32]int{}
	var dec codec.Decoder
	var tape nbt.Tape
	for _, id := range []string{anvil.Overworld, anvil.Nether} {
		d, err := w.Dimension(id)
		must(t, err)
		folder, err := region.OpenFolder(d.Region, region.FolderOptions{Options: region.Options{FS: v, ReadOnly: true}})
		must(t, err)
		for i := range setChunks {
			rec, err := folder.Read(setPos(i), nil)
			must(t, err)
			data, err := rec.AppendDecoded(&dec, nil, 0)
			must(t, err)
			must(t, tape.Parse(data))
			n, ok := tape.Root().Get(numberMember).Int()
			if !ok {
				t.Fatalf("%s: chunk %v has no number", id, setPos(i))
			}
			got[uint32(n)]++
		}
		must(t, folder.Close())
	}
	data, err := vfs.ReadFile(v, filepath.Join(v.Root, "players", "data", "number.dat"), 100)
	must(t, err)
	var n uint32
	_, err = fmt.Sscan(string(data), &n)
	must(t, err)
	got[n]++
	return got
}

// startWriter starts a process that writes the world.
func startWriter(t *testing.T, dir string) (stop func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), writerEnv+"="+dir, "GOMAXPROCS=2")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	buf := make([]byte, 6)
	if _, err := io.ReadFull(out, buf); err != nil || string(buf) != "ready\n" {
		t.Fatalf("the writer says %q, %v", buf, err)
	}
	stopped := false
	stop = func() {
		if !stopped {
			stopped = true
			cmd.Process.Kill()
			cmd.Wait()
		}
	}
	t.Cleanup(stop)
	return stop
}

// TestSnapshotsBesideAWriterAreOfOneEpoch: another process writes at full speed.
func TestSnapshotsBesideAWriterAreOfOneEpoch(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		r := newDiskRig(t, target)
		stop := startWriter(t, r.world)
		last := uint32(0)
		for i := range testbed.Runs(t, 2) {
			rep, err := r.repo.Create(ctx, r.world, CreateOptions{})
			must(t, err)
			if rep.Consistency != Epoch || len(rep.Skipped) > 0 {
				t.Fatalf("%v, skipped %v", rep.Consistency, rep.Skipped)
			}
			v, err := r.repo.View(ctx, rep.ID)
			must(t, err)
			got := numbersIn(t, v)
			must(t, v.Close())
			if len(got) != 1 {
				t.Fatalf("snapshot %d is of several epochs: %v", i, got)
			}
			for n := range got {
				if i > 0 && n <= last {
					t.Errorf("snapshot %d has number %d, the one before %d", i, n, last)
				}
				last = n
			}
		}
		if _, err := r.repo.Restore(ctx, Latest, RestoreOptions{InPlace: r.world}); err == nil {
			t.Error("a restore into a held world")
		}
		stop()
		r.verify()
		// The world of the killed writer is quiet: its journal comes along.
		rep, err := r.repo.Create(ctx, r.world, CreateOptions{})
		must(t, err)
		if rep.Consistency != Epoch {
			t.Error(rep.Consistency)
		}
	})
}

// TestASnapshotOfAnOwnStoreIsPinned: this process has the world open.
func TestASnapshotOfAnOwnStoreIsPinned(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		r := newDiskRig(t, target)
		r.ahead = time.Hour
		s, err := numberedStore(r.world, store.Options{Memory: 16 << 20, Interval: time.Hour})
		must(t, err)
		held, err := hold(s)
		must(t, err)
		must(t, s.Together(func(x store.Together) error { return change(x, held, r.world, 7) }))
		rep, err := r.repo.Create(ctx, r.world, CreateOptions{})
		must(t, err)
		v, err := r.repo.View(ctx, rep.ID)
		must(t, err)
		if got := numbersIn(t, v); rep.Consistency != Epoch || got[7] != 2*setChunks+1 {
			t.Errorf("%v, %v", rep.Consistency, got)
		}
		must(t, v.Close())
		again, err := r.repo.Create(ctx, r.world, CreateOptions{})
		must(t, err)
		if again.NewChunks != 0 || again.LinkedBytes == 0 {
			t.Errorf("a world that is open and did not change: %+v", again)
		}
		for _, h := range held {
			h.Release()
		}
		must(t, s.Close())
	})
}

// TestPinsHoldWritersUpForLittle measures changes of a chunk while epochs are
// pinned one after the other.
func TestPinsHoldWritersUpForLittle(t *testing.T) {
	r := newDiskRig(t, Repo)
	s, err := numberedStore(r.world, store.Options{Memory: 16 << 20, Interval: 10 * time.Millisecond})
	must(t, err)
	held, err := hold(s)
	must(t, err)
	update := func(n uint32) time.Duration {
		begin := time.Now()
		must(t, held[int(n)%len(held)].Update(store.Structural, setNumber(n)))
		return time.Since(begin)
	}
	const limit = 5 * time.Millisecond
	measure := func(until func() bool) (most time.Duration, over int, n uint32) {
		for n = 1; !until(); n++ {
			d := update(n)
			most = max(most, d)
			if d > limit {
				over++
			}
			time.Sleep(100 * time.Microsecond)
		}
		return most, over, n
	}
	pins := testbed.Runs(t, 5)
	done := make(chan error, 1)
	go func() {
		for range pins {
			sn, err := s.Snapshot(ctx)
			if err == nil {
				err = sn.Release()
			}
			if err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	begin := time.Now()
	var ended error
	most, over, n := measure(func() bool {
		select {
		case ended = <-done:
			return true
		default:
			return false
		}
	})
	must(t, ended)
	took := time.Since(begin)
	quiet, overQuiet, _ := measure(func() bool { return time.Since(begin) > 2*took })
	t.Logf("%d pins beside %d changes: the longest took %v, %d over %v; without pins %v, %d", pins, n, most, over, limit, quiet, overQuiet)
	// A machine that others use as well takes the processor away for as long, now
	// and then; of a pin's own doing it would be every time.
	if over > 1+pins/100+2*overQuiet {
		t.Errorf("%d of %d changes took over %v while there were pins, %d without", over, n, limit, overQuiet)
	}
	for _, h := range held {
		h.Release()
	}
	must(t, s.Close())
}

// TestARegionFileThatIsBeingWrittenIsReadWhole: a program that is not ours writes
// in place, as the game does, without a word.
func TestARegionFileThatIsBeingWrittenIsReadWhole(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		r := newDiskRig(t, target)
		stop := foreign(t, r)
		defer stop()
		for range testbed.Runs(t, 1) {
			rep, err := r.repo.Create(ctx, r.world, CreateOptions{})
			must(t, err)
			if rep.Consistency != PerChunk {
				t.Fatal(rep.Consistency)
			}
			for _, x := range rep.Skipped {
				if !strings.Contains(x.Reason, "changed whenever") {
					t.Errorf("%+v", x)
				}
			}
			v, err := r.repo.View(ctx, rep.ID)
			must(t, err)
			f, err := region.Open(filepath.Join(v.Root, filepath.FromSlash(foreignDir), "r.0.0.mca"), region.Options{FS: v, ReadOnly: true})
			must(t, err)
			var dec codec.Decoder
			found := 0
			for slot := range region.Slot(region.Slots) {
				if f.Entry(slot).Empty() {
					continue
				}
				data, _, err := f.Decode(slot, &dec, nil, nil)
				must(t, err)
				var tape nbt.Tape
				must(t, tape.Parse(data))
				if x, _ := tape.Root().Get("xPos").Int(); int(x) != int(slot)%32 {
					t.Fatalf("slot %d has the chunk of x %d", slot, x)
				}
				found++
			}
			if found < 20 {
				t.Errorf("%d chunks", found)
			}
			must(t, f.Close())
			must(t, v.Close())
		}
	})
}

const foreignDir = "dimensions/minecraft/overworld/region"

// foreign holds the world's lock and rewrites chunks where they are: payload first,
// then the header, sectors reused at once.
func foreign(t *testing.T, r *rig) (stop func()) {
	t.Helper()
	w, err := anvil.Open(r.world, anvil.Options{Write: true})
	must(t, err)
	name := r.worldPath(foreignDir + "/r.0.0.mca")
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	must(t, err)
	quit, done := make(chan struct{}), make(chan error, 1)
	var h region.Header
	_, err = f.ReadAt(h[:], 0)
	must(t, err)
	var there []region.Slot
	for s := range region.Slot(region.Slots) {
		if h.Location(s) != 0 {
			there = append(there, s)
		}
	}
	rnd := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 5))
	go func() { done <- rewrite(f, &h, there, rnd, quit) }()
	return func() {
		close(quit)
		if err := <-done; err != nil {
			t.Error(err)
		}
		must(t, f.Close())
		must(t, w.Close())
	}
}

// rewrite swaps the places of two chunks of one size, again and again.
func rewrite(f *os.File, h *region.Header, there []region.Slot, rnd *rand.Rand, quit chan struct{}) error {
	stamp := uint32(time.Now().Unix())
	for {
		select {
		case <-quit:
			return nil
		case <-time.After(time.Duration(rnd.IntN(300)) * time.Microsecond):
		}
		a, b := there[rnd.IntN(len(there))], there[rnd.IntN(len(there))]
		if a == b || h.Location(a).Count() != h.Location(b).Count() {
			continue
		}
		stamp++
		dataA := make([]byte, int(h.Location(a).Count())*region.SectorBytes)
		dataB := make([]byte, len(dataA))
		for _, x := range []struct {
			slot region.Slot
			to   []byte
		}{{a, dataA}, {b, dataB}} {
			if _, err := f.ReadAt(x.to, int64(h.Location(x.slot).Sector())*region.SectorBytes); err != nil && !errors.Is(err, io.EOF) {
				return err
			}
		}
		if err := swapPlaces(f, h, a, b, dataA, dataB, stamp, time.Duration(rnd.IntN(400))*time.Microsecond); err != nil {
			return err
		}
	}
}

// swapPlaces writes a's payload over b's and b's over a's, and then the header.
func swapPlaces(f *os.File, h *region.Header, a, b region.Slot, dataA, dataB []byte, stamp uint32, pause time.Duration) error {
	la, lb := h.Location(a), h.Location(b)
	if _, err := f.WriteAt(dataA, int64(lb.Sector())*region.SectorBytes); err != nil {
		return err
	}
	if _, err := f.WriteAt(dataB, int64(la.Sector())*region.SectorBytes); err != nil {
		return err
	}
	// Now either slot leads to the other's chunk, whole.
	time.Sleep(pause)
	h.Set(a, region.Entry{Location: lb, Timestamp: stamp})
	h.Set(b, region.Entry{Location: la, Timestamp: stamp})
	_, err := f.WriteAt(h[:], 0)
	return err
}

// TestARevokedPinMakesNoSnapshot: writers were not held up, the space for them ran
// out, and the snapshot says so.
func TestARevokedPinMakesNoSnapshot(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		r := newDiskRig(t, target)
		s, err := numberedStore(r.world, store.Options{Memory: 16 << 20, Interval: time.Hour, PinLimit: 1 << 16})
		must(t, err)
		held, err := hold(s)
		must(t, err)
		must(t, s.Barrier(ctx))
		n := uint32(0)
		_, err = r.repo.Create(ctx, r.world, CreateOptions{Progress: func(_, _ int64) {
			if n++; n <= 3 {
				must(t, s.Together(func(x store.Together) error { return change(x, held, r.world, n) }))
				must(t, s.Barrier(ctx))
			}
		}})
		if !errors.Is(err, ErrUnstable) || !errors.Is(err, region.ErrPinRevoked) {
			t.Errorf("%v", err)
		}
		list, err := r.repo.Snapshots(ctx)
		must(t, err)
		if len(list) > 0 {
			t.Errorf("%d snapshots", len(list))
		}
		for _, h := range held {
			h.Release()
		}
		must(t, s.Close())
	})
}
