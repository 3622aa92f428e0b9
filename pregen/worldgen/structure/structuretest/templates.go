package structuretest

import (
	"archive/tar"
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"strata/anvil/datapack"
	"strata/bench/testbed"
	"strata/pregen/worldgen/structure/template"
)

// files are structure templates in memory, by the path of their id.
type files map[string][]byte

// ReadTemplate implements template.Source.
func (f files) ReadTemplate(id datapack.ID) ([]byte, error) {
	if file, ok := f[id.Path]; ok && id.Namespace == datapack.DefaultNamespace {
		return file, nil
	}
	return nil, fmt.Errorf("structure template %v: %w", id, fs.ErrNotExist)
}

var unpacked struct {
	sync.Mutex
	files   files
	library *template.Library
}

// Templates returns the game's own templates with their blocks.
func Templates(t testing.TB) *template.Library {
	t.Helper()
	read(t)
	return unpacked.library
}

func read(t testing.TB) files {
	t.Helper()
	unpacked.Lock()
	defer unpacked.Unlock()
	if unpacked.files != nil {
		return unpacked.files
	}
	archive, err := os.Open(testbed.Shared(t, "reference", "vanilla-datapack-26.2.tar.zst"))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	z, err := zstd.NewReader(archive, zstd.WithDecoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	found := make(files)
	for r := tar.NewReader(z); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		_, name, inside := strings.Cut(header.Name, "minecraft/structure/")
		name, isTemplate := strings.CutSuffix(name, ".nbt")
		if !inside || !isTemplate {
			continue
		}
		if found[name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	if len(found) < 1000 {
		t.Fatalf("only %d templates", len(found))
	}
	unpacked.files, unpacked.library = found, template.New(found)
	return found
}

// Jar puts the game's templates into a file as the game's own jar has them.
func Jar(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "server-26.2.jar")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	z := zip.NewWriter(out)
	for name, file := range read(t) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: "data/minecraft/structure/" + name + ".nbt", Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(file); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// TemplateIDs lists the game's own templates.
func TemplateIDs(t testing.TB) []string {
	t.Helper()
	var ids []string
	for name := range read(t) {
		ids = append(ids, datapack.DefaultNamespace+":"+name)
	}
	slices.Sort(ids)
	return ids
}
