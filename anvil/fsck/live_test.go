package fsck

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/bench/testbed"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// foreign is a server that writes as the game does: a record into free sectors,
// then the header, and the old sectors are free at once.
type foreign struct {
	file  vfs.File
	head  region.Header
	used  []bool
	stamp uint32
}

func (f *foreign) write(slot region.Slot, stream []byte) error {
	n := (len(stream) + region.RecordHeaderBytes + region.SectorBytes - 1) / region.SectorBytes
	at := region.HeaderSectors
	for run := 0; run < n; at++ {
		for at >= len(f.used) {
			f.used = append(f.used, false)
		}
		if run++; f.used[at] {
			run = 0
		}
	}
	at -= n
	record := append(binary.BigEndian.AppendUint32(nil, uint32(len(stream)+1)), byte(codec.Zlib))
	record = append(record, stream...)
	if _, err := f.file.WriteAt(record, int64(at)*region.SectorBytes); err != nil {
		return err
	}
	old := f.head.Location(slot)
	f.stamp++
	f.head.Set(slot, region.Entry{Location: region.MakeLocation(uint32(at), uint32(n)), Timestamp: f.stamp})
	if _, err := f.file.WriteAt(f.head[:], 0); err != nil {
		return err
	}
	for i := range int(old.Count()) {
		f.used[int(old.Sector())+i] = false
	}
	for i := range n {
		f.used[at+i] = true
	}
	return nil
}

func TestCheckBesideAServerFindsNoDamage(t *testing.T) {
	seed := uint64(testbed.Seed(t))
	mem := vfs.NewMem(vfs.MemOptions{})
	r := rigAt(t, mem, "world")
	m := newImage(t, 0, 0)
	m.save(r, store.Chunks)
	path := filepath.Join(r.folder(store.Chunks), "r.0.0.mca")
	file, err := mem.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	f := &foreign{file: file, used: make([]bool, region.HeaderSectors), stamp: 1000}
	// Some versions of each chunk, of several sizes.
	streams := map[region.ChunkPos][][]byte{}
	for x := range int32(12) {
		pos := m.at(x, x)
		for range 3 {
			tags := make([]byte, rand.IntN(9000))
			for i := range tags {
				tags[i] = byte(rand.Uint32())
			}
			data := chunkNBT(t, pos, func(c *chunk.Chunk) {
				if err := c.SetMember("strata_test", mustRaw(t, tags)); err != nil {
					t.Fatal(err)
				}
			})
			streams[pos] = append(streams[pos], encode(t, codec.Zlib, data))
		}
		if err := f.write(pos.Slot(), streams[pos][0]); err != nil {
			t.Fatal(err)
		}
	}
	var stop atomic.Bool
	done := make(chan error)
	go func() {
		rng := rand.New(rand.NewPCG(seed, 1))
		var err error
		for err == nil && !stop.Load() {
			x := rng.Int32N(12)
			err = f.write(m.at(x, x).Slot(), streams[m.at(x, x)][rng.IntN(3)])
			if rng.IntN(8) == 0 {
				time.Sleep(time.Duration(rng.IntN(300)) * time.Microsecond)
			}
		}
		done <- err
	}()
	unstable := 0
	for range testbed.Runs(t, 60) {
		report, err := Check(t.Context(), r.open(), Options{Workers: 1, pause: 200 * time.Microsecond})
		if err != nil {
			t.Fatal(err)
		}
		for i := range report.Findings {
			switch one := &report.Findings[i]; {
			case one.Class == Unstable:
				unstable++
			case one.Severity > region.SeverityInfo:
				t.Errorf("%v", one.String())
			}
		}
	}
	stop.Store(true)
	if err := errors.Join(<-done, file.Close()); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d times a chunk was unstable", unstable)
	wantClasses(t, r.check())
}
