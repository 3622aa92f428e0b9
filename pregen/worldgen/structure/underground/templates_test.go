package underground_test

import (
	"archive/tar"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"strata/anvil/datapack"
	"strata/bench/testbed"
	"strata/pregen/worldgen/structure/template"
)

// gameFiles are the templates of the game, by id.
type gameFiles map[string][]byte

// ReadTemplate implements template.Source.
func (g gameFiles) ReadTemplate(id datapack.ID) ([]byte, error) {
	if data, ok := g[id.String()]; ok {
		return data, nil
	}
	return nil, fs.ErrNotExist
}

// fossils returns the game's templates of nether fossils with their blocks.
func fossils(t testing.TB) *template.Library {
	t.Helper()
	file, err := os.Open(testbed.Shared(t, "reference", "vanilla-datapack-26.2.tar.zst"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
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
		name, ok := strings.CutSuffix(name, ".nbt")
		if !ok || !strings.HasPrefix(name, "nether_fossils/") {
			continue
		}
		if files["minecraft:"+name], err = io.ReadAll(archive); err != nil {
			t.Fatal(err)
		}
	}
	if len(files) != 14 {
		t.Fatalf("%d templates of fossils, want 14", len(files))
	}
	return template.New(files)
}
