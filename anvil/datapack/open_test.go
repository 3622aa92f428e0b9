package datapack

import (
	"archive/zip"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"strata/bench/corpus"
	"strata/bench/testbed"
)

func TestEveryFormOfTheRealDataHasTheSameFiles(t *testing.T) {
	want := reference262(t)
	if len(want) != 8525 {
		t.Fatalf("%d files in the reference, want 8525", len(want))
	}
	dir := t.TempDir()
	if err := corpus.Unpack(testbed.Shared(t, "reference", archive262), dir); err != nil {
		t.Fatal(err)
	}
	// Its only folder holds nothing but another one: too deep.
	_, err := Open(dir, Options{})
	wantError(t, err, ErrNotPack)
	jar := want.with(map[string]string{
		versionName: string(smallGame()[versionName]), "net/minecraft/Main.class": "x", "data/.mcassetsroot": "", "assets/.mcassetsroot": "",
	})
	inner := zipOf(t, jar, "")
	inJar := want.with(map[string]string{versionName: string(smallGame()[versionName])})
	for _, tc := range []struct {
		name string
		path string
		kind Kind
		want files
	}{
		{"folder around it", filepath.Join(dir, "vanilla-datapack-26.2"), KindFolder, want},
		{"content of data/minecraft", filepath.Join(dir, "vanilla-datapack-26.2", "minecraft"), KindFolder, want},
		{"zip", onDisk(t, "a.zip", zipOf(t, want, "")), KindZip, want},
		{"plain jar", onDisk(t, "inner.jar", inner), KindJar, inJar},
		{"bundler with a deflated jar", onDisk(t, "server.jar", bundle(t, inner, sha(inner), zip.Deflate)), KindJar, inJar},
		{"bundler with a stored jar", onDisk(t, "server.jar", bundle(t, inner, sha(inner), zip.Store)), KindJar, inJar},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p, err := Open(tc.path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			sameFiles(t, p, tc.want)
			if p.Kind() != tc.kind || !p.IsGame() || p.Meta() != nil {
				t.Errorf("kind %s, game %v, meta %v", p.Kind(), p.IsGame(), p.Meta())
			}
			if n, list := p.Skipped(); n != 0 {
				t.Errorf("%d skipped: %v", n, list)
			}
			v, err := p.Version()
			if diff := cmp.Diff(Version{"26.2", 4903, 776, Format{107, 1}, 25, true}, v); err != nil || diff != "" {
				t.Errorf("version: %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestVersionIsWorkedOutFromTheContent(t *testing.T) {
	p := packOf(t, "26.1.2", reference(t, archive261, "vanilla-generated-26.1.2/", ""))
	v, err := p.Version()
	if err != nil || v.ID != "26.1" || v.Format != (Format{101, 1}) {
		t.Errorf("26.1.2, whose data are those of 26.1: %v, %v", v, err)
	}
	// As 26.3-snapshot-9 has it.
	p = packOf(t, "snapshot", smallGame().with(map[string]string{versionName: "-", "data/minecraft/structure/igloo/top.nbt": "-",
		"data/minecraft/datapacks/extra/pack.mcmeta": `{"pack":{"description":"","min_format":117,"max_format":117}}`}))
	_, err = p.Version()
	wantError(t, err, ErrVersion, "pack snapshot: ", "format 117.0")
}

func TestVersionEvidenceMustAgree(t *testing.T) {
	g := smallGame().with(map[string]string{versionName: "-"})
	if v, err := packOf(t, "a", g).Version(); err != nil || v.ID != "26.2" {
		t.Errorf("%v, %v", v, err)
	}
	mixed := g.with(map[string]string{"data/minecraft/structure/igloo/top.nbt": string(gz(template(4790)))})
	_, err := packOf(t, "b", mixed).Version()
	wantError(t, err, ErrVersion, "4790", "107.1")
	bare := g.with(map[string]string{"data/minecraft/structure/igloo/top.nbt": "-", "data/minecraft/datapacks/extra/pack.mcmeta": "-"})
	_, err = packOf(t, "c", bare).Version()
	wantError(t, err, ErrNoVersion, "no version.json")
	_, err = packOf(t, "d", texts(map[string]string{metaName: plainMeta})).Version()
	wantError(t, err, fs.ErrNotExist)
}

const plainMeta = `{"pack":{"description":"","min_format":107,"max_format":107}}`

func TestBundlerIsCheckedAgainstItsList(t *testing.T) {
	inner := zipOf(t, smallGame(), "")
	good := sha(inner)
	wrong := strings.Repeat("ab", 32)
	for _, method := range []uint16{zip.Store, zip.Deflate} {
		if _, err := Open(onDisk(t, "server.jar", bundle(t, inner, wrong, method)), Options{}); true {
			wantError(t, err, ErrDamaged, "pack server.jar: ", "META-INF/versions/26.2/server-26.2.jar", wrong, good)
		}
		_, err := Open(onDisk(t, "server.jar", bundle(t, inner, good, method)), Options{Limits: Limits{NestedBytes: 100}})
		wantError(t, err, ErrLimit, "at most 100")
	}
	_, err := Open(onDisk(t, "server.jar", bundle(t, inner, "xyz", zip.Store)), Options{})
	wantError(t, err, ErrDamaged, versionsList, "xyz")
	notJar := []byte("this is no jar")
	_, err = Open(onDisk(t, "server.jar", bundle(t, notJar, sha(notJar), zip.Store)), Options{})
	wantError(t, err, ErrNotPack)
	_, err = Open(onDisk(t, "server.jar", zipOf(t, texts(map[string]string{versionsList: good + "\t1\t1/a.jar"}), "")), Options{})
	wantError(t, err, ErrDamaged, "listed and not there")
	two := good + "\t1\t1/a.jar\n" + good + "\t2\t2/a.jar\n"
	_, err = Open(onDisk(t, "server.jar", zipOf(t, texts(map[string]string{versionsList: two}), "")), Options{})
	wantError(t, err, ErrDamaged, "2 versions")
}

func TestWhatIsNoPackIsRefused(t *testing.T) {
	_, err := Open(filepath.Join(t.TempDir(), "absent"), Options{})
	wantError(t, err, fs.ErrNotExist, "pack absent: ")
	_, err = Open(t.TempDir(), Options{})
	wantError(t, err, ErrNotPack)
	_, err = Open(onDisk(t, "text.zip", []byte("hello")), Options{})
	wantError(t, err, ErrNotPack)
	_, err = Open(onDisk(t, "empty.zip", nil), Options{})
	wantError(t, err, ErrNotPack)
	_, err = Open(onDisk(t, "other.zip", zipOf(t, texts(map[string]string{"a/b": "x", "c/d": "y"}), "")), Options{})
	wantError(t, err, ErrNotPack)
	whole := zipOf(t, smallGame(), "")
	_, err = Open(onDisk(t, "cut.zip", whole[:len(whole)/2]), Options{})
	wantError(t, err, ErrDamaged, "cut off")
	_, err = Open(onDisk(t, "meta.zip", zipOf(t, texts(map[string]string{metaName: "{"}), "")), Options{})
	wantError(t, err, ErrDamaged, "pack meta.zip: pack.mcmeta: ")
}

func TestDamagedEntryIsAnErrorWhenItIsRead(t *testing.T) {
	const name = "data/a/recipe/x.json"
	data := zipOf(t, texts(map[string]string{metaName: plainMeta, name: strings.Repeat("abc", 200)}), "")
	at := strings.Index(string(data), name) + len(name) + 2
	data[at] ^= 0xff
	p := open(t, onDisk(t, "a.zip", data), Options{})
	_, err := p.ReadFile(name)
	wantError(t, err, ErrDamaged, "pack a.zip: "+name+": ")
}

func TestPackIsAFileSystem(t *testing.T) {
	g := smallGame()
	for _, path := range []string{folderOf(t, g), onDisk(t, "a.zip", zipOf(t, g, "")), onDisk(t, "b.zip", zipOf(t, g, "one folder/"))} {
		p := open(t, path, Options{})
		if err := fstest.TestFS(p, g.names()...); err != nil {
			t.Error(err)
		}
	}
	_, err := packOf(t, "a", g).ReadFile("data/minecraft/absent.json")
	wantError(t, err, fs.ErrNotExist)
	_, err = packOf(t, "a", g).ReadFile("../data")
	wantError(t, err, fs.ErrInvalid)
}

func TestFolderPackStaysInItsFolder(t *testing.T) {
	outside := onDisk(t, "secret.json", []byte(`{"secret":true}`))
	dir := folderOf(t, smallGame())
	for link, target := range map[string]string{
		"data/minecraft/recipe/out.json":    outside,
		"data/minecraft/recipe/inside.json": "bread.json",
		"data/minecraft/linked":             filepath.Dir(outside),
	} {
		if err := os.Symlink(target, filepath.Join(dir, filepath.FromSlash(link))); err != nil {
			testbed.SkipOrFail(t, "symbolic links: %v", err)
		}
	}
	p := open(t, dir, Options{})
	sameFiles(t, p, smallGame())
	if n, list := p.Skipped(); n != 3 || list[0].Reason != "symbolic link" {
		t.Errorf("%d skipped: %v", n, list)
	}
}

func TestFolderFileThatChangesIsAnError(t *testing.T) {
	dir := folderOf(t, smallGame())
	p := open(t, dir, Options{})
	name := "data/minecraft/recipe/bread.json"
	if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := p.ReadFile(name)
	wantError(t, err, ErrDamaged, "changed")
	if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
		t.Fatal(err)
	}
	_, err = p.ReadFile(name)
	wantError(t, err, fs.ErrNotExist)
}

func TestBuiltinPackWhoseMetaIsGoneIsAnError(t *testing.T) {
	g := smallGame()
	delete(g, versionName)
	dir := folderOf(t, g)
	p := open(t, dir, Options{})
	if err := os.Remove(filepath.Join(dir, filepath.FromSlash("data/minecraft/datapacks/extra/pack.mcmeta"))); err != nil {
		t.Fatal(err)
	}
	if extra, err := p.OpenBuiltin("extra"); err == nil {
		t.Errorf("opened, with the meta %+v", extra.Meta())
	}
	if v, err := p.Version(); err == nil {
		t.Errorf("version %v", v)
	}
}

func TestBuiltinPackIsAPackOfItsOwn(t *testing.T) {
	p := packOf(t, "game", smallGame())
	if diff := cmp.Diff([]string{"extra"}, p.Builtin()); diff != "" {
		t.Error(diff)
	}
	extra, err := p.OpenBuiltin("extra")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"minecraft:extra"}, extra.Meta().Features); diff != "" {
		t.Error(diff)
	}
	s := NewStack(Format{107, 1}, p, extra)
	if data, err := s.Read("recipe", ID{"minecraft", "bread"}); err != nil || string(data) != `{"extra":true}` {
		t.Errorf("%s, %v", data, err)
	}
	_, err = p.OpenBuiltin("../extra")
	wantError(t, err, fs.ErrNotExist)
}
