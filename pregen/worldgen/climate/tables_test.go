package climate_test

import (
	"archive/tar"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"strata/bench/testbed"
	"strata/pregen/worldgen/climate"
)

// reports are the tables of the game's reports, as multi_noise documents, by
// version and preset.
var reports struct {
	sync.Mutex
	documents map[string][]byte
	rows      map[string][]climate.Row
}

// archives hold the reports of a version.
var archives = map[string]string{
	"26.1": "vanilla-generated-26.1.2.tar.zst",
	"26.2": "vanilla-reports-26.2.tar.zst",
}

// report returns the game's table of a version and a preset ("overworld",
// "nether") as a list of biomes of a document.
func report(t testing.TB, version, preset string) []byte {
	t.Helper()
	reports.Lock()
	defer reports.Unlock()
	if text := reports.documents[version+preset]; text != nil {
		return text
	}
	file, err := os.Open(testbed.Shared(t, "reference", archives[version]))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := zstd.NewReader(file, zstd.WithDecoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	defer unpacked.Close()
	files := tar.NewReader(unpacked)
	for {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			t.Fatalf("%s has no table of the %s", archives[version], preset)
		}
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(header.Name, "reports/biome_parameters/minecraft/"+preset+".json") {
			continue
		}
		text, err := io.ReadAll(files)
		if err != nil {
			t.Fatal(err)
		}
		if reports.documents == nil {
			reports.documents = make(map[string][]byte)
		}
		reports.documents[version+preset] = text
		return text
	}
}

// rowsOf reads the game's table of a version and a preset.
func rowsOf(t testing.TB, version, preset string) []climate.Row {
	t.Helper()
	text := report(t, version, preset)
	reports.Lock()
	defer reports.Unlock()
	if rows := reports.rows[version+preset]; rows != nil {
		return rows
	}
	var list struct{ Biomes json.RawMessage }
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	rows, err := climate.ParseRows(list.Biomes)
	if err != nil {
		t.Fatal(err)
	}
	if reports.rows == nil {
		reports.rows = make(map[string][]climate.Row)
	}
	reports.rows[version+preset] = rows
	return rows
}

// tableOf makes the game's table of a version and a preset.
func tableOf(t testing.TB, version, preset string) *climate.Table {
	t.Helper()
	table, err := climate.NewTable(rowsOf(t, version, preset))
	if err != nil {
		t.Fatal(err)
	}
	return table
}
