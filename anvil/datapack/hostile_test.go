package datapack

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/region/vfs"
)

// rawZip makes a zip of entries in this order, whatever their names.
func rawZip(t testing.TB, entries ...[2]string) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for _, e := range append([][2]string{{metaName, plainMeta}}, entries...) {
		out, err := w.CreateHeader(&zip.FileHeader{Name: e[0], Method: zip.Deflate})
		if err != nil {
			t.Fatal(err)
		}
		out.Write([]byte(e[1]))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestHostileNamesArePassedOver(t *testing.T) {
	for name, reason := range map[string]string{
		"/etc/passwd":                         "absolute path",
		"/data/a/recipe/x.json":               "absolute path",
		`C:\data\a\recipe\x.json`:             "backslash",
		"C:/data/a/recipe/x.json":             "absolute path",
		`data\a\recipe\x.json`:                "backslash",
		"../data/a/recipe/x.json":             ". or ..",
		"data/a/../../../etc/passwd":          ". or ..",
		"data/a/./x.json":                     ". or ..",
		"data//a/x.json":                      "empty",
		"data/a/recipe/x.json\x00.png":        "NUL",
		"data/a/recipe/\xff.json":             "UTF-8",
		"data/a/recipe/X.json":                "not a name that the game accepts",
		"DATA/a/recipe/x.json":                "",
		"data/A/recipe/x.json":                "not a name that the game accepts",
		"data/a/recipe/a b.json":              "not a name that the game accepts",
		"data/a/" + strings.Repeat("x/", 300): "",
		"data/a/" + strings.Repeat("x", 600):  "more than 512 bytes",
		"data/readme.txt":                     "",
		"__MACOSX/data/a/recipe/x.json":       "",
		"net/minecraft/data/Main.class":       "",
	} {
		p := open(t, onDisk(t, "a.zip", rawZip(t, [2]string{name, "evil"}, [2]string{"data/a/recipe/x.json", "good"})), Options{})
		n, list := p.Skipped()
		switch {
		case reason == "" && n != 0:
			t.Errorf("%q: skipped: %v", name, list)
		case reason != "" && (n != 1 || !strings.Contains(list[0].Reason, reason)):
			t.Errorf("%q: %d skipped: %v; want %q", name, n, list, reason)
		}
		sameFiles(t, p, texts(map[string]string{metaName: plainMeta, "data/a/recipe/x.json": "good"}))
	}
}

func TestAmbiguousNamesAreDamage(t *testing.T) {
	x := [2]string{"data/a/recipe/x.json", "1"}
	_, err := Open(onDisk(t, "a.zip", rawZip(t, x, x)), Options{})
	wantError(t, err, ErrDamaged, "two entries of this name", "data/a/recipe/x.json")
	_, err = Open(onDisk(t, "a.zip", rawZip(t, x, [2]string{"data/a/recipe-x", ""}, [2]string{"data/a/recipe", ""})), Options{})
	wantError(t, err, ErrDamaged, "both a file and a folder")
	_, err = Open(onDisk(t, "a.zip", rawZip(t, [2]string{versionsList, ""}, [2]string{versionsList, ""})), Options{})
	wantError(t, err, ErrDamaged, "two entries of this name")
	// What is no part of the pack may be there as often as it likes.
	open(t, onDisk(t, "a.zip", rawZip(t, [2]string{"readme", "1"}, [2]string{"readme", "2"})), Options{})
}

func TestNamesDifferingByCaseAreNotMixedUp(t *testing.T) {
	p := open(t, onDisk(t, "a.zip", rawZip(t,
		[2]string{"data/a/recipe/x.json", "lower"}, [2]string{"data/a/recipe/X.json", "upper"}, [2]string{"PACK.MCMETA", "x"})), Options{})
	sameFiles(t, p, texts(map[string]string{metaName: plainMeta, "data/a/recipe/x.json": "lower"}))
}

// declare sets the inflated size that the directory of a zip declares for the
// entry of a name.
func declare(t testing.TB, data []byte, name string, size uint32) []byte {
	t.Helper()
	// The name comes first in the local header, last in the directory, whose
	// records have it at byte 46 and the size at byte 24.
	at := bytes.LastIndex(data, []byte(name)) - 46
	if at < 0 || string(data[at:at+4]) != "PK\x01\x02" {
		t.Fatalf("no directory record of %q", name)
	}
	out := bytes.Clone(data)
	binary.LittleEndian.PutUint32(out[at+24:], size)
	return out
}

func TestSizesAreCheckedAsDeclaredAndAsTheyCome(t *testing.T) {
	const name = "data/a/recipe/x.json"
	bomb := rawZip(t, [2]string{name, strings.Repeat("\x00", 1<<20)})
	small := Limits{FileBytes: 1 << 16, TotalBytes: 1 << 17, Files: 3}
	_, err := Open(onDisk(t, "a.zip", bomb), Options{Limits: small})
	wantError(t, err, ErrLimit, name, "1048576 bytes, at most 65536")

	// Says 100 bytes and inflates to a million.
	p := open(t, onDisk(t, "a.zip", declare(t, bomb, name, 100)), Options{Limits: small})
	_, err = p.ReadFile(name)
	wantError(t, err, ErrDamaged, name)
	// Says more than there is.
	p = open(t, onDisk(t, "a.zip", declare(t, bomb, name, 1<<21)), Options{})
	_, err = p.ReadFile(name)
	wantError(t, err, ErrDamaged, name)
	// Says four gigabytes, nearly.
	_, err = Open(onDisk(t, "a.zip", declare(t, bomb, name, 0xfffffffe)), Options{})
	wantError(t, err, ErrLimit, name)

	half := strings.Repeat("x", 50_000)
	_, err = Open(onDisk(t, "a.zip", rawZip(t, [2]string{"data/a/a", half}, [2]string{"data/a/b", half}, [2]string{"data/a/c", half})),
		Options{Limits: Limits{TotalBytes: 1 << 17}})
	wantError(t, err, ErrLimit, "131072 bytes together")
	_, err = Open(onDisk(t, "a.zip", rawZip(t, [2]string{"data/a/a"}, [2]string{"data/a/b"}, [2]string{"data/a/c"})), Options{Limits: small})
	wantError(t, err, ErrLimit, "more than 3 files")
	_, err = Open(onDisk(t, "a.zip", rawZip(t, [2]string{"data/a/a"})), Options{Limits: Limits{DirectoryBytes: 64}})
	wantError(t, err, ErrLimit, "directory")

	dir := folderOf(t, texts(map[string]string{metaName: plainMeta, name: strings.Repeat("x", 1<<17)}))
	_, err = Open(dir, Options{Limits: small})
	wantError(t, err, ErrLimit, name)
}

func TestGzipBombInATemplateIsStopped(t *testing.T) {
	bomb := gz(make([]byte, 1<<20))
	p := open(t, onDisk(t, "a.zip", zipOf(t, files{metaName: []byte(plainMeta), "data/a/structure/x.nbt": bomb}, "")),
		Options{Limits: Limits{FileBytes: 1 << 16}})
	_, err := NewStack(Format{}, p).ReadTemplate(ID{"a", "x"})
	wantError(t, err, ErrLimit, "data/a/structure/x.nbt", "more than 65536 bytes")
	p = packOf(t, "a", files{metaName: []byte(plainMeta), "data/a/structure/x.nbt": bomb[:len(bomb)-5]})
	_, err = NewStack(Format{}, p).ReadTemplate(ID{"a", "x"})
	wantError(t, err, ErrDamaged, "gzip")
}

func TestEntriesThatAreNoFilesArePassedOver(t *testing.T) {
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for name, mode := range map[string]fs.FileMode{metaName: 0o644, "data/a/link": fs.ModeSymlink | 0o777, "data/a/pipe": fs.ModeNamedPipe} {
		h := &zip.FileHeader{Name: name}
		h.SetMode(mode)
		e, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		e.Write([]byte(plainMeta))
	}
	w.Close()
	p := open(t, onDisk(t, "a.zip", buf.Bytes()), Options{})
	if n, list := p.Skipped(); n != 2 || list[0].Reason != "neither file nor folder" {
		t.Errorf("%d skipped: %v", n, list)
	}
}

func TestManySkippedEntriesAreCountedAndNotAllListed(t *testing.T) {
	entries := make([][2]string, 150)
	for i := range entries {
		entries[i] = [2]string{"data/a/X" + strings.Repeat("y", i)}
	}
	n, list := open(t, onDisk(t, "a.zip", rawZip(t, entries...)), Options{}).Skipped()
	if n != 150 || len(list) != maxSkipped {
		t.Errorf("%d skipped, %d listed", n, len(list))
	}
}

// fuzzFiles opens bytes as a file and reads what is in it.
func fuzzFiles(t *testing.T, data []byte) {
	mem := vfs.NewMem(vfs.MemOptions{})
	f, err := mem.OpenFile("a", os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt(data, 0); err != nil {
		t.Fatal(err)
	}
	limits := Limits{FileBytes: 1 << 16, TotalBytes: 1 << 18, Files: 100, DirectoryBytes: 1 << 16, NestedBytes: 1 << 16}
	p := &Pack{name: "fuzz", path: "fuzz", limits: limits}
	if err := p.openFile(f); err != nil {
		return
	}
	n, total := p.Files()
	if n > limits.Files || total > limits.TotalBytes {
		t.Fatalf("%d files of %d bytes", n, total)
	}
	s := NewStack(Format{107, 1}, p)
	for _, e := range p.files {
		got, err := p.ReadFile(e.name)
		if err == nil && int64(len(got)) != e.size {
			t.Fatalf("%s: %d bytes of %d", e.name, len(got), e.size)
		}
	}
	for _, f := range s.List(templateRegistry) {
		_, _ = f.Read()
	}
	s.Tags("block", nil)
	_, _ = p.Version()
}

func FuzzOpenFile(f *testing.F) {
	small := files{metaName: []byte(plainMeta), "data/a/tags/block/x.json": []byte(`{"values":["#a:x"]}`), "data/a/structure/x.nbt": gz(template(1))}
	jar := zipOf(f, small, "")
	f.Add(jar)
	f.Add(bundle(f, jar, sha(jar), zip.Store))
	f.Add(bundle(f, jar, sha(jar), zip.Deflate))
	f.Add(gameFileOf(f, small))
	f.Fuzz(fuzzFiles)
}

func TestHostileReasonsAreNamed(t *testing.T) {
	got := map[string]string{}
	for _, name := range []string{"", "a/", "/", "a//b", "..", "a/..", "a..b/c", "a:b", "ab:c"} {
		got[name] = hostile(name)
	}
	want := map[string]string{
		"": "no name", "a/": "", "/": "absolute path", "a//b": "empty, . or .. in the path", "..": "empty, . or .. in the path",
		"a/..": "empty, . or .. in the path", "a..b/c": "", "a:b": "absolute path", "ab:c": "",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestTagsOfTagsAreBounded is about small files that come to much: many tags
// that each take the same large one.
func TestTagsOfTagsAreBounded(t *testing.T) {
	id := func(n int) ID { return ID{"a", fmt.Sprint(n)} }
	large := make([]TagEntry, 10)
	for i := range large {
		large[i] = TagEntry{ID: id(i), Required: true}
	}
	r := newTagResolver(nil, 35)
	if !r.add(ID{"a", "large"}, large) {
		t.Fatal("no room for ten entries")
	}
	for i := range 25 {
		if !r.add(id(i), []TagEntry{{ID: ID{"a", "large"}, IsTag: true, Required: true}}) {
			t.Fatalf("no room for tag %d", i)
		}
	}
	if r.add(id(25), large[:1]) || len(r.problems) != 1 || !errors.Is(r.problems[0].Err, ErrLimit) {
		t.Errorf("one entry more: %v", r.problems)
	}
	good := 0
	for i := range 25 {
		if r.resolve(id(i)) {
			good++
		}
	}
	// The large one itself and two that take it.
	if good != 2 || len(r.done) != 3 || len(r.problems) != 24 || !errors.Is(r.problems[23].Err, ErrLimit) {
		t.Errorf("%d tags resolved, %v", good, r.problems)
	}
}
