package datapack

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strata/region/vfs"
)

var importTime = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func importOptions() ImportOptions {
	return ImportOptions{Now: func() time.Time { return importTime }}
}

// found opens what was imported and closes it when the test ends.
func found(t testing.TB, h Home, version string) *Pack {
	t.Helper()
	p, err := h.Find(version)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func TestImportKeepsEveryByteOfTheRealData(t *testing.T) {
	want := reference262(t).with(map[string]string{versionName: string(smallGame()[versionName]), languageName: `{"a":"b"}`})
	inner := zipOf(t, want.with(map[string]string{"net/minecraft/Main.class": "x", "assets/minecraft/lang/de_de.json": "{}"}), "")
	server := bundle(t, inner, sha(inner), zip.Deflate)
	path := onDisk(t, "server.jar", server)
	h := Home{Dir: t.TempDir()}
	got, err := h.Import(t.Context(), path, importOptions())
	if err != nil {
		t.Fatal(err)
	}
	m := got.Manifest
	if m.Files != 8527 || m.SkippedFiles != 0 || got.Replaced || m.VersionFrom != FromVersionJSON || m.Version.ID != "26.2" {
		t.Errorf("%+v", m)
	}
	if got.StoredBytes > 2<<20 {
		t.Errorf("%d bytes for the whole of 26.2, want less than 2 MiB", got.StoredBytes)
	}
	wantSource := Source{path, KindJar, int64(len(server)), fmt.Sprintf("%x", sha1.Sum(server)), sha(server)}
	if diff := cmp.Diff(wantSource, m.Source); diff != "" {
		t.Error(diff)
	}
	for registry, n := range map[string]int{
		"structure": 1212, "loot_table": 1355, "recipe": 1585, "tags": 794, "advancement": 1688, "worldgen/biome": 66,
		"worldgen/configured_feature": 226, "worldgen/template_pool": 188, "builtin_packs": 3, "language": 1,
	} {
		if m.Counts[registry] != n {
			t.Errorf("%d of %s, want %d", m.Counts[registry], registry, n)
		}
	}
	p := found(t, h, "26.2")
	sameFiles(t, p, inflated(t, want))
	if diff := cmp.Diff(&m, p.Manifest()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(m.Counts, p.Counts()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"minecart_improvements", "redstone_experiments", "trade_rebalance"}, p.Builtin()); diff != "" {
		t.Error(diff)
	}
}

func TestImportOf2612GoesByItsData(t *testing.T) {
	want := reference(t, archive261, "vanilla-generated-26.1.2/data/", "data/")
	src := onDisk(t, "data.zip", zipOf(t, want, ""))
	h := Home{Dir: t.TempDir()}
	got, err := h.Import(t.Context(), src, importOptions())
	if err != nil {
		t.Fatal(err)
	}
	if m := got.Manifest; m.Version.ID != "26.1" || m.VersionFrom != FromContent || m.Files != 7080 || m.Counts["structure"] != 0 {
		t.Errorf("%+v", m)
	}
	// The three versions have the same data.
	sameFiles(t, found(t, h, "26.1.2"), want)
	_, err = h.Find("26.2")
	wantError(t, err, fs.ErrNotExist, "26.2")

	opts := importOptions()
	opts.Version = "26.1.2"
	if got, err = h.Import(t.Context(), src, opts); err != nil || got.Manifest.VersionFrom != FromCaller || got.Path != h.Path("26.1.2") {
		t.Errorf("%+v, %v", got, err)
	}
	opts.Version = "26.2"
	_, err = h.Import(t.Context(), src, opts)
	wantError(t, err, ErrVersion, "format 101.1", "not of 26.2")
}

func TestImportIsTheSameFromEveryForm(t *testing.T) {
	g := smallGame()
	jar := zipOf(t, g, "")
	var sums []string
	for _, src := range []string{
		folderOf(t, g), onDisk(t, "a.zip", zipOf(t, g, "x/")), onDisk(t, "a.jar", jar), onDisk(t, "server.jar", bundle(t, jar, sha(jar), zip.Store)),
	} {
		h := Home{Dir: t.TempDir()}
		got, err := h.Import(t.Context(), src, importOptions())
		if err != nil {
			t.Fatal(err)
		}
		sums = append(sums, got.Manifest.ContentSHA256)
		sameFiles(t, found(t, h, "26.2"), inflated(t, g))
		// An imported file is a source as well.
		again, err := Home{Dir: t.TempDir()}.Import(t.Context(), got.Path, importOptions())
		if err != nil || again.Manifest.Source.Kind != KindGame {
			t.Fatalf("%+v, %v", again, err)
		}
		sums = append(sums, again.Manifest.ContentSHA256)
	}
	for _, sum := range sums {
		if sum != sums[0] {
			t.Errorf("content differs by form: %v", sums)
		}
	}
}

func TestImportLeavesOutWhatIsDamagedAndSaysSo(t *testing.T) {
	g := smallGame().with(map[string]string{
		"data/minecraft/recipe/cut.json":         `{"type":`,
		"data/minecraft/structure/text.nbt":      "text",
		"data/minecraft/structure/cut.nbt":       string(gz(template(4903))[:20]),
		"data/minecraft/recipe/Upper.json":       "{}",
		"data/other/recipe/not_the_games.json":   "{}",
		"data/minecraft/structure/plain.nbt":     string(template(4903)),
		"data/minecraft/structure/unknown.thing": "\x00",
	})
	h := Home{Dir: t.TempDir()}
	got, err := h.Import(t.Context(), onDisk(t, "a.jar", zipOf(t, g, "")), importOptions())
	if err != nil {
		t.Fatal(err)
	}
	why := map[string]string{}
	for _, s := range got.Manifest.Skipped {
		why[s.Name] = s.Reason
	}
	for name, reason := range map[string]string{
		"data/minecraft/recipe/cut.json": "not JSON", "data/minecraft/structure/text.nbt": "not NBT",
		"data/minecraft/structure/cut.nbt": "gzip", "data/minecraft/recipe/Upper.json": "not a name",
	} {
		if !strings.Contains(why[name], reason) {
			t.Errorf("%s: %q does not say %q", name, why[name], reason)
		}
	}
	if got.Manifest.SkippedFiles != 4 || len(why) != 4 {
		t.Errorf("%d skipped: %v", got.Manifest.SkippedFiles, why)
	}
	sameFiles(t, found(t, h, "26.2"), inflated(t, smallGame().with(map[string]string{
		"data/minecraft/structure/plain.nbt": string(template(4903)), "data/minecraft/structure/unknown.thing": "\x00",
	})))
}

func TestImportRefusals(t *testing.T) {
	g := smallGame()
	newer := strings.NewReplacer("26.2", "26.3", "776", "777", "4903", "5023").Replace(string(g[versionName]))
	inner := zipOf(t, g, "")
	for _, tc := range []struct {
		name string
		src  string
		opts ImportOptions
		want error
		says string
	}{
		{"absent", filepath.Join(t.TempDir(), "absent.jar"), ImportOptions{}, fs.ErrNotExist, "absent.jar"},
		{"a data pack", onDisk(t, "p.zip", zipOf(t, texts(inData(map[string]string{"a/recipe/x.json": "{}"})), "")), ImportOptions{}, ErrNotPack, "of the game's own data: no data/minecraft/"},
		{"a newer version", onDisk(t, "a.jar", zipOf(t, g.with(map[string]string{versionName: newer}), "")), ImportOptions{}, ErrVersion, "26.3"},
		{"not its version", onDisk(t, "a.jar", inner), ImportOptions{Version: "26.1"}, ErrVersion, "of 26.2, not of 26.1"},
		{"no version", onDisk(t, "a.jar", inner), ImportOptions{Version: "26.9"}, ErrVersion, "26.9"},
		{"wrong checksum", onDisk(t, "server.jar", bundle(t, inner, strings.Repeat("00", 32), zip.Store)), ImportOptions{}, ErrDamaged, "SHA-256"},
		{"damaged version.json", onDisk(t, "a.jar", zipOf(t, g.with(map[string]string{versionName: "{"}), "")), ImportOptions{}, ErrDamaged, "version.json"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "home")
			_, err := Home{Dir: dir}.Import(t.Context(), tc.src, tc.opts)
			wantError(t, err, tc.want, tc.says)
			if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("a refusal has made the home: %v", err)
			}
		})
	}
}

func TestDamagedEntryEndsTheImport(t *testing.T) {
	data := zipOf(t, smallGame(), "")
	const name = "data/minecraft/recipe/bread.json"
	at := bytes.Index(data, []byte(name)) + len(name) + 3
	data[at] ^= 0x10
	h := Home{Dir: t.TempDir()}
	_, err := h.Import(t.Context(), onDisk(t, "a.jar", data), importOptions())
	wantError(t, err, ErrDamaged, name)
	if list, err := h.List(); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
	onlyThese(t, vfs.OS(), filepath.Dir(h.Path("26.2")))
}

// onlyThese fails the test if a folder holds anything else.
func onlyThese(t testing.TB, fsys vfs.FS, dir string, names ...string) {
	t.Helper()
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if diff := cmp.Diff(strings.Join(names, " "), strings.Join(got, " ")); diff != "" {
		t.Errorf("%s: %s", dir, diff)
	}
}

func TestDryRunWritesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home")
	src := onDisk(t, "a.jar", zipOf(t, smallGame(), ""))
	opts := importOptions()
	opts.DryRun = true
	dry, err := Home{Dir: dir}.Import(t.Context(), src, opts)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	done, err := Home{Dir: dir}.Import(t.Context(), src, importOptions())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(done.Manifest, dry.Manifest); diff != "" || dry.Path != done.Path || dry.Replaced || dry.StoredBytes != 0 {
		t.Errorf("%+v: %s", dry, diff)
	}
	if dry, err = (Home{Dir: dir}).Import(t.Context(), src, opts); err != nil || !dry.Replaced {
		t.Errorf("%+v, %v", dry, err)
	}
}

func TestImportEndsWithItsContext(t *testing.T) {
	src := onDisk(t, "a.jar", zipOf(t, smallGame(), ""))
	ctx, cancel := context.WithCancel(t.Context())
	h := Home{Dir: t.TempDir()}
	opts := importOptions()
	opts.Progress = func(done, total int) {
		if done == 3 && total > 3 {
			cancel()
		}
	}
	_, err := h.Import(ctx, src, opts)
	wantError(t, err, context.Canceled)
	onlyThese(t, vfs.OS(), filepath.Dir(h.Path("26.2")))
}

func TestSecondImportAtOnceIsLockedOut(t *testing.T) {
	src := onDisk(t, "a.jar", zipOf(t, smallGame(), ""))
	h := Home{Dir: "home", FS: vfs.NewMem(vfs.MemOptions{})}
	opts := importOptions()
	var second error
	opts.Progress = func(done, _ int) {
		if done == 1 {
			_, second = h.Import(t.Context(), src, importOptions())
		}
	}
	if _, err := h.Import(t.Context(), src, opts); err != nil {
		t.Fatal(err)
	}
	wantError(t, second, vfs.ErrLocked, "another import")
}

// oldAndNew are two contents of one version.
func oldAndNew(t testing.TB) (oldSrc, newSrc string, oldFiles, newFiles files) {
	oldFiles = smallGame()
	newFiles = smallGame().with(map[string]string{"data/minecraft/recipe/cake.json": `"` + strings.Repeat("cake", 3000) + `"`})
	return onDisk(t, "old.jar", zipOf(t, oldFiles, "")), onDisk(t, "new.jar", zipOf(t, newFiles, "")), inflated(t, oldFiles), inflated(t, newFiles)
}

// oneOf fails the test unless the home has exactly one of the contents, and
// returns which.
func oneOf(t *testing.T, h Home, what string, contents ...files) int {
	t.Helper()
	p, err := h.Find("26.2")
	if errors.Is(err, fs.ErrNotExist) {
		return -1
	}
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	defer p.Close()
	n, _ := p.Files()
	for i, content := range contents {
		if n == len(content) {
			sameFiles(t, p, content)
			return i
		}
	}
	t.Fatalf("%s: %d files", what, n)
	return -1
}

func TestImportThatFailsAnywhereKeepsTheOldData(t *testing.T) {
	oldSrc, newSrc, oldFiles, newFiles := oldAndNew(t)
	for _, windows := range []bool{false, true} {
		for n := 0; ; n++ {
			mem := vfs.NewMem(vfs.MemOptions{Windows: windows})
			if _, err := (Home{Dir: "home", FS: mem}).Import(t.Context(), oldSrc, importOptions()); err != nil {
				t.Fatal(err)
			}
			fault := vfs.NewFault(mem)
			rule := fault.Add(vfs.Rule{Nth: n, Err: vfs.ErrNoSpace})
			_, err := Home{Dir: "home", FS: fault}.Import(t.Context(), newSrc, importOptions())
			if rule.Fired() == 0 {
				if err != nil || n < 20 {
					t.Fatalf("without a fault, after %d operations: %v", n, err)
				}
				break
			}
			if err == nil {
				// A rename that is not flushed or a lock that is not released
				// would be one; none of what may fail is without effect but
				// looking whether a file is there.
				if last := fault.Ops()[n]; last.Op != vfs.OpStat {
					t.Errorf("operation %d, %v: failed and not noticed", n, last)
				}
			} else {
				wantError(t, err, vfs.ErrNoSpace)
			}
			what := fmt.Sprintf("windows %v, operation %d, %v", windows, n, fault.Ops()[n])
			oneOf(t, Home{Dir: "home", FS: mem}, what, oldFiles, newFiles)
			h := Home{Dir: "home", FS: mem}
			if _, err := h.Import(t.Context(), newSrc, importOptions()); err != nil {
				t.Fatalf("%s: again: %v", what, err)
			}
			if oneOf(t, h, what, oldFiles, newFiles) != 1 {
				t.Errorf("%s: the next import did not land", what)
			}
			onlyThese(t, mem, filepath.Dir(h.Path("26.2")), gameName)
			fault.Verify(t)
		}
	}
}

func TestPowerCutDuringImportLeavesOldOrNew(t *testing.T) {
	oldSrc, newSrc, oldFiles, newFiles := oldAndNew(t)
	for _, first := range []bool{false, true} {
		mem := vfs.NewMem(vfs.MemOptions{})
		if !first {
			if _, err := (Home{Dir: "home", FS: mem}).Import(t.Context(), oldSrc, importOptions()); err != nil {
				t.Fatal(err)
			}
		}
		fault := vfs.NewFault(mem)
		seen := map[int]int{}
		check := func(what string, keep vfs.CrashOptions) int {
			c := Home{Dir: "home", FS: mem.CrashClone(keep)}
			got := oneOf(t, c, what, oldFiles, newFiles)
			if got < 0 && !first {
				t.Errorf("%s: the old data are gone", what)
			}
			seen[got]++
			// What is left must not keep the next import from working.
			if _, err := c.Import(t.Context(), newSrc, importOptions()); err != nil {
				t.Fatalf("%s: import again: %v", what, err)
			}
			onlyThese(t, c.FS, filepath.Dir(c.Path("26.2")), gameName)
			return got
		}
		fault.Add(vfs.Rule{Ops: vfs.OpMutating, Forever: true, Hook: func(op vfs.OpInfo) {
			what := fmt.Sprintf("first %v, power cut before %v", first, op)
			check(what, vfs.CrashOptions{Keep: vfs.KeepNone})
			check(what, vfs.CrashOptions{Keep: vfs.KeepAll})
			for seed := range uint64(2) {
				check(what, vfs.CrashOptions{Keep: vfs.KeepRandom, Seed: seed})
			}
		}})
		if _, err := (Home{Dir: "home", FS: fault}).Import(t.Context(), newSrc, importOptions()); err != nil {
			t.Fatal(err)
		}
		fault.Verify(t)
		for seed := range uint64(10) {
			if check("after the import", vfs.CrashOptions{Keep: vfs.KeepRandom, Seed: seed}) != 1 {
				t.Error("an import that was reported done is lost")
			}
		}
		if before := map[bool]int{true: -1, false: 0}[first]; seen[before] == 0 || seen[1] == 0 {
			t.Errorf("first %v: outcomes %v", first, seen)
		}
	}
}

func TestListShowsNewestFirstAndDamagedLast(t *testing.T) {
	h := Home{Dir: t.TempDir()}
	if list, err := h.List(); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
	older := strings.NewReplacer(`"26.2"`, `"26.1.1"`, "776", "775", "4903", "4788", "107", "101").Replace(string(smallGame()[versionName]))
	for _, g := range []files{smallGame().with(map[string]string{versionName: older}), smallGame()} {
		if _, err := h.Import(t.Context(), onDisk(t, "a.jar", zipOf(t, g, "")), importOptions()); err != nil {
			t.Fatal(err)
		}
	}
	bad := h.Path("26.9")
	if err := os.MkdirAll(filepath.Dir(bad), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(bad, []byte(gameMagic+"garbage"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(h.Path("27.1")), 0o755); err != nil {
		t.Fatal(err)
	}
	list, err := h.List()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, in := range list {
		text := filepath.Base(filepath.Dir(in.Path))
		if in.Err != nil {
			wantError(t, in.Err, ErrDamaged, bad)
			text += " damaged"
		}
		got = append(got, text)
	}
	if diff := cmp.Diff([]string{"26.2", "26.1.1", "26.9 damaged"}, got); diff != "" {
		t.Error(diff)
	}
	_, err = h.Find("26.9")
	wantError(t, err, ErrDamaged)
	_, err = h.Find("../26.2")
	wantError(t, err, fs.ErrNotExist)
	// Another version with the same data stands in.
	if v, err := found(t, h, "26.1").Version(); err != nil || v.ID != "26.1.1" {
		t.Errorf("%v, %v", v, err)
	}
}

func TestLocateTakesAPathOrWhatWasImported(t *testing.T) {
	v262, _ := KnownVersion("26.2")
	v261, _ := KnownVersion("26.1")
	jar := onDisk(t, "a.jar", zipOf(t, smallGame(), ""))
	h, other := Home{Dir: t.TempDir()}, Home{Dir: t.TempDir()}
	_, err := h.Locate("", v262)
	wantError(t, err, fs.ErrNotExist)
	if _, err := h.Import(t.Context(), jar, importOptions()); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		home Home
		path string
		kind Kind
	}{{h, "", KindGame}, {other, h.Dir, KindGame}, {other, h.Path("26.2"), KindGame}, {other, jar, KindJar}, {other, folderOf(t, smallGame()), KindFolder}} {
		p, err := tc.home.Locate(tc.path, v262)
		if err != nil {
			t.Fatal(err)
		}
		if p.Kind() != tc.kind || !p.IsGame() {
			t.Errorf("%q: %s", tc.path, p.Kind())
		}
		p.Close()
	}
	_, err = other.Locate(jar, v261)
	wantError(t, err, ErrVersion, "of 26.2", "of 26.1")
	_, err = other.Locate(h.Dir, v261)
	wantError(t, err, fs.ErrNotExist)
	_, err = other.Locate(other.Dir, v262)
	wantError(t, err, ErrNotPack)
	_, err = other.Locate(onDisk(t, "p.zip", zipOf(t, texts(inData(map[string]string{"a/recipe/x.json": "{}"})), "")), v262)
	wantError(t, err, ErrNotPack, "of the game's own data")
}
