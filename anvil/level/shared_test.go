package level_test

import (
	"archive/tar"
	"io"
	"maps"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"strata/anvil/level"
	"strata/bench/testbed"
)

// archived returns the files of an archive of the shared folder that keep
// takes, by their names in it.
func archived(t testing.TB, keep func(name string) bool, elem ...string) map[string][]byte {
	t.Helper()
	f, err := os.Open(testbed.Shared(t, elem...))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := zstd.NewReader(f, zstd.WithDecoderMaxWindow(128<<20), zstd.WithDecoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	files := map[string][]byte{}
	for in := tar.NewReader(z); ; {
		h, err := in.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag != tar.TypeReg || !keep(h.Name) {
			continue
		}
		if files[h.Name], err = io.ReadAll(in); err != nil {
			t.Fatal(err)
		}
	}
}

func isData(name string) bool {
	return strings.HasSuffix(name, ".dat") || strings.HasSuffix(name, ".dat"+level.OldSuffix)
}

// sampleData are the data files of the sample worlds, read once.
var sampleData struct {
	once  sync.Once
	files map[string][]byte
}

func sampleFiles(t testing.TB) map[string][]byte {
	t.Helper()
	testbed.Shared(t, "worlds", "sample-worlds.tar.zst") // before Do, which a skip would use up
	sampleData.once.Do(func() {
		sampleData.files = archived(t, isData, "worlds", "sample-worlds.tar.zst")
	})
	return sampleData.files
}

// realFiles are the data files of all worlds there are.
func realFiles(t testing.TB) map[string][]byte {
	t.Helper()
	files := maps.Clone(sampleFiles(t))
	if testing.Short() {
		return files
	}
	for name, data := range archived(t, isData, "worlds", "history-6-saves.tar.zst") {
		files[name] = data
	}
	return files
}

// sampleLevel is the level of a world in the sample archive.
func sampleLevel(t *testing.T, world string) *level.Level {
	t.Helper()
	data, ok := sampleFiles(t)["sample/"+world+"/level.dat"]
	if !ok {
		t.Fatalf("no level.dat of %s in the archive", world)
	}
	l, err := level.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func mustDocument(t testing.TB, content any) *level.Document {
	t.Helper()
	d, err := level.NewDocument(content, level.NativeVersion)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
