package building

import (
	"archive/tar"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"strata/anvil/datapack"
	"strata/bench/testbed"
	"strata/pregen/worldgen/structure/template"
)

// gameFiles are the game's own templates, by id.
type gameFiles map[string][]byte

// ReadTemplate implements template.Source.
func (g gameFiles) ReadTemplate(id datapack.ID) ([]byte, error) {
	if data, ok := g[id.String()]; ok {
		return data, nil
	}
	return nil, fs.ErrNotExist
}

var library struct {
	sync.Mutex
	*template.Library
}

// templates returns the game's own templates with their blocks.
func templates(t testing.TB) *template.Library {
	t.Helper()
	file, err := os.Open(testbed.Shared(t, "reference", "vanilla-datapack-26.2.tar.zst"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	library.Lock()
	defer library.Unlock()
	if library.Library != nil {
		return library.Library
	}
	unpacked, err := zstd.NewReader(file, zstd.WithDecoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	defer unpacked.Close()
	files := make(gameFiles)
	for archive := tar.NewReader(unpacked); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		_, name, _ := strings.Cut(path.Clean(header.Name), "/minecraft/structure/")
		if name, ok := strings.CutSuffix(name, ".nbt"); ok {
			data, err := io.ReadAll(archive)
			if err != nil {
				t.Fatal(err)
			}
			files["minecraft:"+name] = data
		}
	}
	if len(files) < 500 {
		t.Fatalf("only %d templates", len(files))
	}
	library.Library = template.New(files)
	return library.Library
}
