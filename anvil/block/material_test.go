package block

import (
	"archive/tar"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"strata/bench/testbed"
)

// readArchive decodes a JSON file of a reference archive into v. path is
// without the archive's top folder.
func readArchive(t *testing.T, archive, path string, v any) {
	t.Helper()
	f, err := os.Open(testbed.Shared(t, "reference", archive))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for in := tar.NewReader(z); ; {
		h, err := in.Next()
		if err != nil {
			t.Fatalf("%s in %s: %v", path, archive, err)
		}
		if _, name, _ := strings.Cut(strings.TrimPrefix(h.Name, "./"), "/"); name != path {
			continue
		}
		data, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, v); err != nil {
			t.Fatal(err)
		}
		return
	}
}

// readReference decodes a JSON file of the reference folder.
func readReference(t *testing.T, name string, v any) {
	t.Helper()
	data, err := os.ReadFile(testbed.Shared(t, "reference", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatal(err)
	}
}

type reportBlock struct {
	Definition struct{ Type string }
	Properties map[string][]string
	States     []struct {
		ID         int
		Default    bool
		Properties map[string]string
	}
}

var reportArchives = map[string]string{
	"26.2":   "vanilla-reports-26.2.tar.zst",
	"26.1.2": "vanilla-generated-26.1.2.tar.zst",
}

func readReport(t *testing.T, version string) map[string]reportBlock {
	t.Helper()
	report := map[string]reportBlock{}
	readArchive(t, reportArchives[version], "reports/blocks.min.json", &report)
	return report
}

// pairs gives properties in no order: that of a map.
func pairs(properties map[string]string) []Pair {
	var list []Pair
	for k, v := range properties {
		list = append(list, Pair{[]byte(k), []byte(v)})
	}
	return list
}
