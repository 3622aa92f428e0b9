package vfs

import (
	"fmt"
	"os"
	"testing"
)

// BenchmarkCrashClone is one state of a crash test: a file system with a
// region file of 100 KB, 20 operations, one power cut.
func BenchmarkCrashClone(b *testing.B) {
	for _, keep := range []Keep{KeepNone, KeepAll, KeepRandom} {
		b.Run(fmt.Sprintf("keep=%d", keep), func(b *testing.B) {
			base := fill(100<<10, 1)
			chunk := fill(8<<10, 2)
			for i := uint64(0); b.Loop(); i++ {
				m := NewMem(MemOptions{})
				f, err := createBench(m, base)
				if err != nil {
					b.Fatal(err)
				}
				for j := range int64(10) {
					if _, err := f.WriteAt(chunk, 8192+j*chunkStride); err != nil {
						b.Fatal(err)
					}
					if _, err := f.WriteAt(chunk[:4], j*4); err != nil {
						b.Fatal(err)
					}
				}
				if c := m.CrashClone(CrashOptions{Keep: keep, Seed: i}); c.root.entries["r.0.0.mca"] == nil {
					b.Fatal("the file is gone")
				}
			}
		})
	}
}

const chunkStride = 9 << 10

func createBench(m *Mem, base []byte) (File, error) {
	f, err := m.OpenFile("r.0.0.mca", os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if _, err := f.WriteAt(base, 0); err != nil {
		return nil, err
	}
	if err := f.Sync(); err != nil {
		return nil, err
	}
	return f, m.SyncDir("/")
}

// BenchmarkCrashCloneOnly is a power cut of a file system with 20 files of
// 1 MiB and one unflushed write in each.
func BenchmarkCrashCloneOnly(b *testing.B) {
	m := NewMem(MemOptions{})
	for i := range 20 {
		f, err := m.OpenFile(fmt.Sprint("f", i), os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			b.Fatal(err)
		}
		for _, off := range []int64{0, 500_000} {
			if _, err := f.WriteAt(fill(1<<19, byte(i)), off); err != nil {
				b.Fatal(err)
			}
			if off == 0 {
				if err := f.Sync(); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	for i := uint64(0); b.Loop(); i++ {
		m.CrashClone(CrashOptions{Keep: KeepRandom, Seed: i})
	}
}
