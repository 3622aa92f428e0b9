package noise_test

import (
	"archive/tar"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path"
	"testing"

	"github.com/klauspost/compress/zstd"

	"strata/bench/testbed"
)

// readReference reads one file of an archive of the reference folder into
// value, which JSON unmarshals to. The name is the file's, without folders.
func readReference(t *testing.T, archive, name string, value any) {
	t.Helper()
	f, err := os.Open(testbed.Shared(t, "reference", archive))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unpacked, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	defer unpacked.Close()
	files := tar.NewReader(unpacked)
	for {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			t.Fatalf("%s has no file %s", archive, name)
		}
		if err != nil {
			t.Fatal(err)
		}
		if path.Base(header.Name) != name {
			continue
		}
		if err := json.NewDecoder(files).Decode(value); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return
	}
}
