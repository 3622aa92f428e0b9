package anvil_test

import (
	"archive/tar"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"strata/anvil/level"
	"strata/bench/testbed"
	"strata/nbt"
	"strata/nbt/snbt"
	"strata/region"
	"strata/region/vfs"
)

var archives struct {
	sync.Mutex
	mem map[string]*vfs.Mem
}

// archived unpacks an archive of worlds into memory: everything but the
// records of region files, which are holes of the right size. Each test gets a
// file system of its own.
func archived(t testing.TB, name string) *vfs.Mem {
	t.Helper()
	path := testbed.Shared(t, "worlds", name)
	archives.Lock()
	defer archives.Unlock()
	if m := archives.mem[name]; m != nil {
		return m.CrashClone(vfs.CrashOptions{Keep: vfs.KeepAll})
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := zstd.NewReader(f, zstd.WithDecoderMaxWindow(128<<20), zstd.WithDecoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	m := vfs.NewMem(vfs.MemOptions{})
	for in := tar.NewReader(z); ; {
		h, err := in.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeDir {
			mkdir(t, m, h.Name)
		}
		if h.Typeflag == tar.TypeReg {
			put(t, m, h.Name, h.Size, in)
		}
	}
	if archives.mem == nil {
		archives.mem = map[string]*vfs.Mem{}
	}
	archives.mem[name] = m
	return m.CrashClone(vfs.CrashOptions{Keep: vfs.KeepAll})
}

func put(t testing.TB, m *vfs.Mem, name string, size int64, in io.Reader) {
	t.Helper()
	if strings.HasSuffix(name, ".mca") {
		in = io.LimitReader(in, region.HeaderBytes)
	}
	data, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	write(t, m, name, data)
	f, err := m.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(size); err != nil {
		t.Fatal(err)
	}
	f.Close()
}

func mkdir(t testing.TB, fsys vfs.FS, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := vfs.MkdirAllSync(fsys, name, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// write makes a file and the folders above it.
func write(t testing.TB, fsys vfs.FS, name string, data []byte) {
	t.Helper()
	mkdir(t, fsys, filepath.Dir(name))
	if err := vfs.WriteFileSync(fsys, name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// chunks writes region files with that many entries, by their names.
func chunks(t testing.TB, fsys vfs.FS, files map[string]int) {
	t.Helper()
	for name, n := range files {
		var h region.Header
		for s := range region.Slot(n) {
			h.Set(s, region.Entry{Location: region.MakeLocation(2+uint32(s), 1)})
		}
		write(t, fsys, name, h[:])
	}
}

// dat writes a data file from text.
func dat(t testing.TB, fsys vfs.FS, name, text string) {
	t.Helper()
	write(t, fsys, name, datBytes(t, text))
}

func datBytes(t testing.TB, text string) []byte {
	t.Helper()
	doc, err := snbt.AppendDocument(nil, text, nbt.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	data, err := nbt.Pack(nil, doc, nbt.Gzip)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The level.dat of worlds made up for tests.
const (
	oldLevel = `{Data:{DataVersion:4082,LevelName:"w",WorldGenSettings:{seed:5L,generate_features:1b,dimensions:{` +
		`"minecraft:overworld":{type:"minecraft:overworld",generator:{type:"minecraft:noise"}},` +
		`"a:b/c":{type:"a:tall",generator:{type:"minecraft:noise"}}}}}}`
	bukkitLevel = `{Data:{DataVersion:4082,LevelName:"w","Bukkit.Version":"CraftBukkit",RandomSeed:6L}}`
	newLevel    = `{Data:{DataVersion:4903,LevelName:"w"}}`
	paperLevel  = `{Data:{DataVersion:4790,LevelName:"w","Bukkit.Version":"Paper"}}`
)

func mem() *vfs.Mem { return vfs.NewMem(vfs.MemOptions{}) }

var _ = level.FileName
