package archtest

import (
	"maps"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"strata/bench/testbed"
)

func TestProjectKeepsTheRules(t *testing.T) {
	root, err := testbed.Root()
	if err != nil {
		t.Fatal(err)
	}
	findings, err := Check(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range findings {
		t.Error(finding)
	}
}

// goFile returns a Go file with the imports.
func goFile(pkg string, imports ...string) string {
	text := "package " + pkg + "\n"
	for _, imported := range imports {
		text += "import _ \"" + imported + "\"\n"
	}
	return text
}

// sound is a tree that keeps every rule, and comes near to breaking many.
func sound() map[string]string {
	return map[string]string{
		"go.mod":                       "module strata\n",
		"README.md":                    "Strata\n",
		".gitignore":                   "/bin/\n",
		"bin/strata":                   "built for /wor" + "k/",
		"cpu.prof":                     "/wor" + "k/",
		".git/config":                  "/wor" + "k/",
		".cache/tool":                  "/wor" + "k/",
		"nbt/tape.go":                  goFile("nbt", "io", "encoding/binary"),
		"nbt/snbt/text.go":             goFile("snbt", "strata/nbt"),
		"region/file.go":               goFile("region", "strata/region/codec", "github.com/klauspost/compress/zlib", "golang.org/x/sys/unix"),
		"region/codec/lz4.go":          goFile("codec", "github.com/pierrec/lz4/v4", "github.com/cespare/xxhash/v2"),
		"region/file_test.go":          goFile("region_test", "testing", "strata/nbt", "strata/bench/testbed", "github.com/google/go-cmp/cmp"),
		"region/testdata/odd.go":       goFile("util", "strata/server"),
		"anvil/store/store.go":         goFile("store", "strata/nbt", "strata/region/vfs", "strata/anvil/chunk", "golang.org/x/sync/errgroup"),
		"pregen/run.go":                goFile("pregen", "strata/nbt", "strata/region", "strata/anvil/store"),
		"anvil/read.go":                "package anvil\nimport \"strata/region\"\nfunc f() { region.Open(\"r\", region.Options{ReadOnly: true}) }\n",
		"anvil/store/open.go":          "package store\nimport \"strata/region\"\nfunc f() { region.Open(\"r\", region.Options{}) }\n",
		"anvil/write_test.go":          "package anvil\nimport \"strata/region\"\nfunc f() { region.Create(\"r\", region.Options{}) }\n",
		"backup/tree.go":               goFile("backup", "strata/nbt", "strata/region", "strata/anvil"),
		"server/server.go":             goFile("server", "strata/nbt", "strata/region", "strata/anvil/store", "strata/pregen/worldgen"),
		"bench/codec.go":               goFile("bench", "strata/region/codec", "strata/backup", "strata/server"),
		"bench/testbed/testbed.go":     goFile("testbed", "testing", "os"),
		"bench/peers/go.mod":           "module strata/bench/peers\n",
		"bench/peers/util/util.go":     goFile("util", "github.com/Tnze/go-mc/save", "strata/cmd/strata"),
		"bench/clients/node_modules/x": "/wor" + "k/",
		"bench/corpus.bin":             "\x00 /wor" + "k/ is no text",
		"cmd/strata/main.go":           goFile("main", "strata/backup", "strata/server", "strata/bench", "github.com/spf13/cobra", "strata/cmd/internal/ui"),
	}
}

func checkTree(t *testing.T, files map[string]string) []Finding {
	t.Helper()
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	findings, err := Check(tree)
	if err != nil {
		t.Fatal(err)
	}
	return findings
}

func TestSoundTreeHasNoFindings(t *testing.T) {
	for _, finding := range checkTree(t, sound()) {
		t.Error(finding)
	}
}

func TestEachBrokenRuleIsFound(t *testing.T) {
	imports := func(pkg, imported string) string { return goFile(pkg, imported) }
	for _, tc := range []struct{ name, file, text, want string }{
		{"folder at the top", "internal/x.go", "package x", "agreed names"},
		{"file at the top", "NOTES.md", "", "agreed names"},
		{"nbt with a module", "nbt/a.go", imports("nbt", "golang.org/x/sync/errgroup"), "nbt may not import this module"},
		{"nbt to region", "nbt/a.go", imports("nbt", "strata/region"), "nbt may not import it"},
		{"region to nbt", "region/a.go", imports("region", "strata/nbt"), "region may not import it"},
		{"codec to nbt", "region/codec/a.go", imports("codec", "strata/nbt/snbt"), "region/codec may not import it"},
		{"region to anvil", "region/a.go", imports("region", "strata/anvil"), "may not"},
		{"region with another module", "region/a.go", imports("region", "golang.org/x/sync/errgroup"), "region may not import this module"},
		{"region with a longer name", "region/a.go", imports("region", "github.com/klauspost/compressor"), "region may not import this module"},
		{"anvil to pregen", "anvil/a.go", imports("anvil", "strata/pregen"), "may not"},
		{"anvil with a terminal", "anvil/a.go", imports("anvil", "golang.org/x/term"), "belong to cmd"},
		{"pregen to backup", "pregen/a.go", imports("pregen", "strata/backup"), "may not"},
		{"pregen to server", "pregen/a.go", imports("pregen", "strata/server/protocol"), "may not"},
		{"backup to pregen", "backup/a.go", imports("backup", "strata/pregen"), "may not"},
		{"server to backup", "server/a.go", imports("server", "strata/backup"), "may not"},
		{"server to codec", "server/a.go", imports("server", "strata/region/codec"), "may not"},
		{"server to bench", "server/a.go", imports("server", "strata/bench"), "may not"},
		{"bench to cmd", "bench/a.go", imports("bench", "strata/cmd/internal/ui"), "may not"},
		{"bench with flags", "bench/a.go", imports("bench", "github.com/spf13/cobra"), "belong to cmd"},
		{"testbed with a module", "bench/testbed/a.go", imports("testbed", "golang.org/x/sys/unix"), "bench/testbed may not import this module"},
		{"testbed to bench", "bench/testbed/a.go", imports("testbed", "strata/bench"), "standard library only"},
		{"testbed outside tests", "cmd/strata/a.go", imports("main", "strata/bench/testbed"), "only tests may"},
		{"testing in the product", "region/a.go", imports("region", "testing"), "only tests may"},
		{"go-cmp in the product", "cmd/strata/a.go", imports("main", "github.com/google/go-cmp/cmp"), "only tests may"},
		{"a region file for writing", "pregen/a.go", "package pregen\nimport \"strata/region\"\nfunc f() { region.Open(\"r\", region.Options{}) }", "line 3: region.Open may write"},
		{"a region folder by a variable", "anvil/a.go", "package anvil\nimport r \"strata/region\"\nvar open = r.OpenFolder", "line 3: r.OpenFolder may write"},
		{"a region file made", "cmd/strata/a.go", "package main\nimport \"strata/region\"\nfunc f() { region.Create(\"r\", region.Options{ReadOnly: false}) }", "line 3: region.Create may write"},
		{"package util", "anvil/util/a.go", "package util", "named util"},
		{"package helpers in a test", "anvil/helpers_test.go", "package helpers", "named helpers"},
		{"folder common", "anvil/common/a.go", "package shared", "named common"},
		{"machine path in Go", "anvil/a.go", "package anvil\n// see /wor" + "k/shared\n", "line 2 names a path"},
		{"machine path in a dot-file", ".ci/run", "cd /roo" + "t/x\n", "line 1 names a path"},
		{"registry in testdata", "nbt/testdata/a.json", "https://registry." + "npmjs.org/x", "package registry"},
		{"machine path in another module", "bench/peers/main.go", "package main // /tm" + "p/x\n", "line 1 names a path"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files := maps.Clone(sound())
			files[tc.file] = tc.text
			findings := checkTree(t, files)
			if len(findings) == 0 {
				t.Fatal("nothing was found")
			}
			for _, finding := range findings {
				if !strings.HasPrefix(tc.file, finding.Path) || !strings.Contains(finding.Text, tc.want) {
					t.Errorf("found %v, want %s: ...%s...", finding, tc.file, tc.want)
				}
			}
		})
	}
}

func TestFolderWithoutARuleMayImportNothing(t *testing.T) {
	if got := forbidden("tools", "os"); got == "" {
		t.Error("a folder without a rule may import os")
	}
}

func TestFileThatDoesNotParseIsAnError(t *testing.T) {
	tree := fstest.MapFS{"nbt/a.go": &fstest.MapFile{Data: []byte("packag nbt")}}
	if _, err := Check(tree); err == nil {
		t.Error("no error")
	}
}

func TestEveryTopLevelFolderHasARule(t *testing.T) {
	for _, name := range topLevel {
		if strings.Contains(name, ".") || name == "LICENSE" {
			continue
		}
		if r, ok := ruleFor(name); !ok || r.folder != name {
			t.Errorf("folder %s has no rule", name)
		}
	}
}
