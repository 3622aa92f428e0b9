package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/bench/testbed"
	"strata/cmd/internal/gamedata"
	"strata/nbt"
	"strata/nbt/snbt"
)

const tables = "../../../nbt/snbt"

var cached = sync.OnceValues(func() (*source, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	return readSource(cache)
})

func readCached(t *testing.T) *source {
	t.Helper()
	src, err := cached()
	if errors.Is(err, gamedata.ErrAbsent) {
		testbed.SkipOrFail(t, "%v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func TestCommittedFilesAreFresh(t *testing.T) {
	named, families, err := javaNames(readCached(t))
	if err != nil {
		t.Fatal(err)
	}
	out, err := emit(named, families)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(tables, goName))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, out.source) {
		t.Errorf("%s is stale: run go generate ./nbt/snbt", goName)
	}
	packed, err := os.ReadFile(filepath.Join(tables, packedName))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(unpack(packed), out.payload) {
		t.Errorf("%s is stale: run go generate ./nbt/snbt", packedName)
	}
}

// What the database calls a character, the product must read.
func TestEveryNameOfTheDatabaseIsRead(t *testing.T) {
	count := 0
	for _, r := range readCached(t).runs {
		if _, labeled := blocks[r.text]; labeled {
			continue
		}
		count++
		raw, err := snbt.Parse(`"\N{`+r.text+`}"`, nbt.Limits{})
		if err != nil {
			t.Fatalf("%s: %v", r.text, err)
		}
		// A string's payload begins with its length.
		if got := nbt.AppendUTF8(nil, raw.Data[2:]); string(got) != string(r.first) {
			t.Fatalf("%s is %q, want %q", r.text, got, r.first)
		}
	}
	if count < 40_000 {
		t.Errorf("only %d names", count)
	}
}

func TestPackageIsCheckedBeforeItIsRead(t *testing.T) {
	cache := t.TempDir()
	if _, err := generate(cache); !errors.Is(err, gamedata.ErrAbsent) {
		t.Fatalf("got %v, want ErrAbsent", err)
	}
	if err := os.Mkdir(filepath.Join(cache, cacheFolder), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(cache, cacheFolder, packageFile), []byte("another file"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := generate(cache); err == nil || errors.Is(err, gamedata.ErrAbsent) || !strings.Contains(err.Error(), "checksum") {
		t.Fatalf("got %v, want a checksum error", err)
	}
}

// module packs a value as the package does.
func module(t *testing.T, json string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(json)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return []byte("export default JSON.parse(gunzipSync(Buffer.from('" + base64.StdEncoding.EncodeToString(b.Bytes()) + "', 'base64')));")
}

func TestRunsOfAModule(t *testing.T) {
	got, err := parseRuns(module(t, `[0,2,"a",3,1,"b",0,1,"c"]`))
	want := []run{{0, 1, "a"}, {5, 5, "b"}, {6, 6, "c"}}
	if err != nil || !cmp.Equal(got, want, cmp.AllowUnexported(run{})) {
		t.Errorf("got %v (%v), want %v", got, err, want)
	}
	for _, json := range []string{
		`[0,1]`, `[-1,1,"a"]`, `[0,0,"a"]`, `["a",1,"a"]`, `[0,1,1]`, `[1114111,2,"a"]`, `[1114112,1,"a"]`, `{}`, `[`,
	} {
		if got, err := parseRuns(module(t, json)); err == nil {
			t.Errorf("%s was read as %v", json, got)
		}
	}
	if _, err := parseRuns([]byte("export default 1")); err == nil {
		t.Error("a module without a value was read")
	}
}

func TestUntarNamesAFileThatIsMissing(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	if err := w.WriteHeader(&tar.Header{Name: "a", Mode: 0o644, Size: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	if files, err := untar(b.Bytes(), "a"); err != nil || string(files["a"]) != "x" {
		t.Errorf("got %v, %v", files, err)
	}
	if _, err := untar(b.Bytes(), "a", "b"); err == nil || !strings.Contains(err.Error(), "no file b") {
		t.Errorf("a missing file: %v", err)
	}
}

// small is a source with a range for every rule.
func small() *source {
	src := &source{controls: map[rune][]string{1: {"START OF HEADING", "SOH"}}, figments: map[rune][]string{2: {"ODD"}}}
	src.runs = []run{{1, 2, "<control>"}, {7, 7, "<control>"}, {0x20, 0x20, "SPACE"}, {0x2D, 0x2D, "HYPHEN-MINUS"}}
	next := rune(0x1000)
	for label := range blocks {
		if label != "<control>" {
			src.runs = append(src.runs, run{next, next + 1, label})
			next += 2
		}
	}
	return src
}

func TestNamesAreNumberedWhereTheyEndInTheirCodePoint(t *testing.T) {
	src := small()
	src.runs = append(src.runs, run{0xF900, 0xF900, "X-F900"}, run{0xF901, 0xF901, "X-F901"}, run{0xF903, 0xF903, "X-F903"},
		run{0xF904, 0xF904, "XF904"}, run{0xF905, 0xF905, "X-F906"}, run{0xF906, 0xF906, "Y F906"})
	named, families, err := javaNames(src)
	if err != nil {
		t.Fatal(err)
	}
	want := []character{{"START OF HEADING", 1}, {"ODD", 2}, {"BEL", 7}, {"SPACE", 0x20}, {"HYPHEN-MINUS", 0x2D}, {"XF904", 0xF904}, {"X-F906", 0xF905}}
	if diff := cmp.Diff(want, named, cmp.AllowUnexported(character{})); diff != "" {
		t.Errorf("single names (-want +got):\n%s", diff)
	}
	numbered := []family{{"X-", 0xF900, 0xF901}, {"X-", 0xF903, 0xF903}, {"Y ", 0xF906, 0xF906}}
	if diff := cmp.Diff(numbered, families[len(blocks)-1:], cmp.AllowUnexported(family{})); diff != "" {
		t.Errorf("numbered names (-want +got):\n%s", diff)
	}
}

func TestRulesAreCheckedForGapsAndDeadLines(t *testing.T) {
	for what, change := range map[string]func(*source){
		"a control character without a name": func(s *source) { s.figments = nil },
		"a label without a rule":             func(s *source) { s.runs[2].text = "Some Ideograph" },
		"a range of one name":                func(s *source) { s.runs[2].last++ },
		"a rule without characters":          func(s *source) { s.runs = s.runs[:len(s.runs)-1] },
	} {
		src := small()
		change(src)
		if _, _, err := javaNames(src); err == nil {
			t.Errorf("%s was taken", what)
		}
	}
}

func TestTableLayout(t *testing.T) {
	got := encode([]character{{"B C", 0x1F600}, {"B A", 5}, {"A", 0x300}}, []family{{"X-", 0x90, 0x91}})
	want := "\x01\x02X-\x90\x01\x02" + "\x00\x00\x02" + "\x01\x03\x01" + "\x00\x05\x00" + "\x03\x00\xf6" + "\x00\x00\x01" + "AB AC"
	if string(got) != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	all := make([]character, blockNames+1)
	for i := range all {
		all[i] = character{"N" + string(rune('A'+i)), rune(i)}
	}
	if got := encode(all, nil); got[1+blockNames-1] != 1 || got[1+blockNames] != 0 {
		t.Error("the first name of a block is not whole")
	}
}

func TestWriteKeepsATableThatIsPackedOtherwise(t *testing.T) {
	dir := t.TempDir()
	o := &output{payload: bytes.Repeat([]byte("NAME "), 1000), source: []byte("a")}
	if err := o.write(dir); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, packedName)
	// A stored block: final, 5000 bytes, and its complement.
	other := append([]byte{1, 0x88, 0x13, 0x77, 0xEC}, o.payload...)
	if err := os.WriteFile(path, other, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := o.write(dir); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(path); !bytes.Equal(got, other) {
		t.Error("the packed table was written again")
	}
	o.payload[0] = 'n'
	if err := o.write(dir); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(path); !bytes.Equal(unpack(got), o.payload) {
		t.Error("another table was not written")
	}
}
