package datapack

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/region/vfs"
)

// gameFileOf writes files into a game file and returns its bytes.
func gameFileOf(t testing.TB, content files) []byte {
	t.Helper()
	mem := vfs.NewMem(vfs.MemOptions{})
	f, err := mem.OpenFile("a", os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	w, err := newGameWriter(f)
	if err != nil {
		t.Fatal(err)
	}
	defer w.release()
	for _, name := range content.names() {
		if err := w.add(name, content[name]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.finish(Manifest{Version: Version{ID: "26.2"}, Files: len(content)}); err != nil {
		t.Fatal(err)
	}
	data, err := vfs.ReadFile(mem, "a", 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestGameFileGivesBackWhatWasWritten(t *testing.T) {
	noise := make([]byte, blockBytes+1000)
	rand.Read(noise)
	exact := bytes.Repeat([]byte("e"), blockBytes)
	many := files{}
	for i := range 3000 {
		many[fmt.Sprintf("data/a/recipe/n%d/%d.json", i%7, i)] = bytes.Repeat([]byte{byte(i)}, i%700)
	}
	for name, content := range map[string]files{
		"nothing":         {},
		"an empty file":   {"data/a/x": nil},
		"empty at ends":   {"data/a/a": nil, "data/a/b": []byte("b"), "data/a/c": nil},
		"after a block":   {"data/a/a": exact, "data/a/b": nil, "data/a/c": []byte("c")},
		"full, then none": {"data/a/a": exact, "data/a/b": nil},
		"longer than one": {"data/a/a": []byte("a"), "data/a/b": noise, "data/a/c": []byte("c")},
		"many":            many,
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, onDisk(t, gameName, gameFileOf(t, content)), Options{})
			sameFiles(t, p, content)
			if p.Kind() != KindGame || p.Manifest().Files != len(content) {
				t.Errorf("kind %s, manifest %+v", p.Kind(), p.Manifest())
			}
		})
	}
}

func TestGameFileIsReadByManyAtOnce(t *testing.T) {
	content := files{}
	for i := range 40 {
		content[fmt.Sprintf("data/a/recipe/%02d.json", i)] = bytes.Repeat([]byte{byte(i)}, blockBytes/3)
	}
	p := open(t, onDisk(t, gameName, gameFileOf(t, content)), Options{})
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			for i := range 40 {
				name := fmt.Sprintf("data/a/recipe/%02d.json", (i*7+worker*11)%40)
				if got, err := p.ReadFile(name); err != nil || !bytes.Equal(got, content[name]) {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
	wg.Wait()
	if n := len(p.reader.(*gameFile).cache); n > cachedBlocks {
		t.Errorf("%d blocks kept", n)
	}
}

func TestEveryDamagedByteOfAGameFileIsNoticed(t *testing.T) {
	content := smallGame()
	data := gameFileOf(t, content)
	for at := range data {
		if at >= 12 && at < headerBytes {
			continue // reserved
		}
		bad := bytes.Clone(data)
		bad[at] ^= 0x41
		if noticed := readsOtherwise(t, bad, content); !noticed {
			t.Errorf("byte %d of %d: not noticed", at, len(data))
		}
	}
	for n := range data {
		if n >= len(gameMagic) && !readsOtherwise(t, data[:n], content) {
			t.Errorf("cut to %d of %d bytes: not noticed", n, len(data))
		}
	}
	if readsOtherwise(t, data, content) {
		t.Error("the whole file is not read")
	}
}

// readsOtherwise reports whether opening or reading fails; other content than
// was written fails the test.
func readsOtherwise(t *testing.T, data []byte, content files) bool {
	t.Helper()
	p, err := openBytes(t, data)
	if err != nil {
		return true
	}
	failed := false
	for name, want := range content {
		got, err := p.ReadFile(name)
		if err != nil {
			failed = true
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s: other content than was written", name)
		}
	}
	return failed
}

func openBytes(t *testing.T, data []byte) (*Pack, error) {
	t.Helper()
	mem := vfs.NewMem(vfs.MemOptions{})
	f, err := mem.OpenFile("a", os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt(data, 0); err != nil {
		t.Fatal(err)
	}
	p := &Pack{name: "a", limits: Limits{}.withDefaults()}
	return p, p.openFile(f)
}

func TestGameFileOfAnotherFormSaysSo(t *testing.T) {
	data := gameFileOf(t, files{})
	data[8] = 2
	_, err := openBytes(t, data)
	wantError(t, err, ErrVersion, "form 2", "import it again")
}

func TestNeighboursShareABlock(t *testing.T) {
	content := files{}
	for i := range 100 {
		content[fmt.Sprintf("data/a/recipe/%d.json", i)] = []byte(strings.Repeat("x", 1000))
	}
	p, err := openBytes(t, gameFileOf(t, content))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(p.reader.(*gameFile).blocks); n != 1 {
		t.Errorf("%d blocks for 100 kB", n)
	}
}

// FuzzIndex decodes an index whose checksums are right.
func FuzzIndex(f *testing.F) {
	blocks := []block{{stored: 10, size: 5, sum: 1}, {stored: 20, size: 9, sum: 2}}
	list := catalog{{name: "data/a/a", size: 5}, {name: "data/a/ab", size: 0}, {name: "data/b/c", size: 9}}
	seed, err := appendIndex(nil, Manifest{Version: Version{ID: "26.2"}}, blocks, list)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed, int64(headerBytes+30))
	f.Fuzz(func(t *testing.T, index []byte, end int64) {
		if end < headerBytes {
			return
		}
		var g gameFile
		if err := g.parseIndex(index, end, Limits{}.withDefaults()); err != nil {
			return
		}
		for i, e := range g.files {
			s := g.spans[i]
			if e.size > 0 && s.at+e.size > g.blocks[s.block].size {
				t.Fatalf("%s leaves its block", e.name)
			}
		}
		again, err := appendIndex(nil, g.manifest, g.blocks, g.files)
		if err != nil {
			t.Fatal(err)
		}
		var h gameFile
		if err := h.parseIndex(again, end, Limits{}.withDefaults()); err != nil {
			t.Fatalf("what was written is not read: %v", err)
		}
		if diff := cmp.Diff(g.spans, h.spans, cmp.AllowUnexported(span{})); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestHomeDirFollowsTheSystem(t *testing.T) {
	abs := t.TempDir()
	for _, tc := range []struct {
		goos string
		env  map[string]string
		want string
	}{
		{"linux", map[string]string{"STRATA_DATA": "here", "XDG_DATA_HOME": abs, "HOME": abs}, "here"},
		{"linux", map[string]string{"XDG_DATA_HOME": abs, "HOME": "/h"}, filepath.Join(abs, "strata")},
		{"linux", map[string]string{"XDG_DATA_HOME": "relative", "HOME": abs}, filepath.Join(abs, ".local", "share", "strata")},
		{"darwin", map[string]string{"HOME": abs}, filepath.Join(abs, "Library", "Application Support", "strata")},
		{"windows", map[string]string{"LOCALAPPDATA": abs, "HOME": "/h"}, filepath.Join(abs, "strata")},
		{"windows", map[string]string{"HOME": abs}, ""},
		{"linux", nil, ""},
	} {
		got, err := HomeDir(func(name string) string { return tc.env[name] }, tc.goos)
		if got != tc.want || (err == nil) != (tc.want != "") {
			t.Errorf("%s %v: %q, %v; want %q", tc.goos, tc.env, got, err, tc.want)
		}
	}
}
