package datapack

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"strata/bench/testbed"
)

// The real data: see the README of the shared folder for where they are from.
const (
	archive262 = "vanilla-datapack-26.2.tar.zst" // below vanilla-datapack-26.2/minecraft
	archive261 = "vanilla-generated-26.1.2.tar.zst"
)

// files are the files of a pack, by their names in it.
type files map[string][]byte

func (f files) names() []string { return slices.Sorted(maps.Keys(f)) }

// with returns a copy with more files; text "-" takes one away.
func (f files) with(more map[string]string) files {
	out := maps.Clone(f)
	for name, text := range more {
		if text == "-" {
			delete(out, name)
		} else {
			out[name] = []byte(text)
		}
	}
	return out
}

func texts(m map[string]string) files { return files{}.with(m) }

var realFiles sync.Map // archive -> func() (files, error)

// reference returns the files of an archive of real data under the names that
// they have in a pack.
func reference(t testing.TB, archive, prefix, becomes string) files {
	t.Helper()
	if testing.Short() {
		t.Skip("real data of 10 MB in 8,000 files")
	}
	tarZst := testbed.Shared(t, "reference", archive)
	load, _ := realFiles.LoadOrStore(archive, sync.OnceValues(func() (files, error) { return readTar(tarZst) }))
	all, err := load.(func() (files, error))()
	if err != nil {
		t.Fatal(err)
	}
	out := files{}
	for name, data := range all {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			out[becomes+rest] = data
		}
	}
	return out
}

func reference262(t testing.TB) files {
	t.Helper()
	return reference(t, archive262, "vanilla-datapack-26.2/minecraft/", gameData)
}

func readTar(tarZst string) (files, error) {
	f, err := os.Open(tarZst)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	out := files{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if out[path.Clean(h.Name)], err = io.ReadAll(r); err != nil {
			return nil, err
		}
	}
}

// smallGame is the least that passes for the game's own data.
func smallGame() files {
	g := texts(map[string]string{
		versionName: `{"id":"26.2","name":"26.2","world_version":4903,"series_id":"main","protocol_version":776,
			"pack_version":{"resource_major":88,"resource_minor":0,"data_major":107,"data_minor":1},
			"build_time":"2026-06-16T12:01:27+00:00","java_component":"java-runtime-epsilon","java_version":25,"stable":true}`,
		languageName: `{"block.minecraft.stone":"Stone"}`,
		"data/minecraft/datapacks/extra/pack.mcmeta":                      `{"pack":{"description":"","min_format":[107,1],"max_format":107},"features":{"enabled":["minecraft:extra"]}}`,
		"data/minecraft/datapacks/extra/data/minecraft/recipe/bread.json": `{"extra":true}`,
		"data/minecraft/recipe/bread.json":                                `{"type":"minecraft:crafting_shaped"}`,
		"data/minecraft/structure/igloo/top.nbt":                          string(gz(template(4903))),
		"data/minecraft/worldgen/biome/desert.json":                       `{}`,
		"data/minecraft/worldgen/biome/nested/deep.json":                  `{}`,
		"data/minecraft/worldgen/structure_set/villages.json":             `{}`,
		"data/minecraft/tags/worldgen/biome/is_dry.json":                  `{"values":["desert"]}`,
	})
	for _, mark := range gameMarks {
		g[mark] = []byte(`{"values":[]}`)
	}
	return g
}

// template is the NBT of a structure template with nothing in it.
func template(dataVersion int32) []byte {
	p := []byte("\x0a\x00\x00\x03\x00\x0bDataVersion")
	p = append(p, byte(dataVersion>>24), byte(dataVersion>>16), byte(dataVersion>>8), byte(dataVersion))
	return append(p, 0)
}

func gz(data []byte) []byte {
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	z.Write(data)
	z.Close()
	return buf.Bytes()
}

func ungz(t testing.TB, data []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

// zipOf makes a zip of the files below prefix.
func zipOf(t testing.TB, f files, prefix string) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for _, name := range f.names() {
		method := zip.Deflate
		if isGzip(f[name]) {
			method = zip.Store
		}
		e, err := w.CreateHeader(&zip.FileHeader{Name: prefix + name, Method: method})
		if err != nil {
			t.Fatal(err)
		}
		e.Write(f[name])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// bundle wraps a jar as server.jar does.
func bundle(t testing.TB, inner []byte, sum string, method uint16) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for _, e := range []struct {
		name   string
		data   []byte
		method uint16
	}{
		{"META-INF/MANIFEST.MF", []byte("Main-Class: net.minecraft.bundler.Main\r\n"), zip.Deflate},
		{versionsList, []byte(sum + "\t26.2\t26.2/server-26.2.jar\n"), zip.Deflate},
		{"META-INF/libraries.list", []byte(strings.Repeat("0", 64) + "\torg.example:lib:1\torg/example/lib-1.jar\n"), zip.Deflate},
		{"META-INF/versions/26.2/server-26.2.jar", inner, method},
		{"net/minecraft/bundler/Main.class", []byte{0xca, 0xfe, 0xba, 0xbe}, zip.Deflate},
	} {
		out, err := w.CreateHeader(&zip.FileHeader{Name: e.name, Method: e.method})
		if err != nil {
			t.Fatal(err)
		}
		out.Write(e.data)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func sha(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

// onDisk writes a file and returns its path.
func onDisk(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// folderOf writes the files into a new folder and returns its path.
func folderOf(t testing.TB, f files) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range f {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// open opens a pack and closes it when the test ends.
func open(t testing.TB, path string, opts Options) *Pack {
	t.Helper()
	p, err := Open(path, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// packOf opens files as a zip.
func packOf(t testing.TB, name string, f files) *Pack {
	t.Helper()
	return open(t, onDisk(t, "pack.zip", zipOf(t, f, "")), Options{Name: name})
}

// sameFiles fails the test unless the pack has these files and no others.
func sameFiles(t testing.TB, p *Pack, want files) {
	t.Helper()
	if n, _ := p.Files(); n != len(want) {
		t.Errorf("%d files, want %d", n, len(want))
	}
	for name, data := range want {
		got, err := p.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, data) {
			t.Fatalf("%s: %d bytes differ from the %d of the source", name, len(got), len(data))
		}
	}
}

// inflated returns files as a game file has them.
func inflated(t testing.TB, f files) files {
	t.Helper()
	out := files{}
	for name, data := range f {
		if isGzip(data) {
			data = ungz(t, data)
		}
		out[name] = data
	}
	return out
}

func wantError(t testing.TB, err, want error, says ...string) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
		return
	}
	for _, text := range says {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("error %q does not say %q", err, text)
		}
	}
}
