package climate_test

import (
	"archive/tar"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"strata/bench/testbed"
	"strata/pregen/worldgen/climate"
	"strata/pregen/worldgen/settings"
)

// Data versions of the game's tables.
const (
	version261 = 4790
	version262 = 4903
)

// rowsOf returns the game's table of a version and a preset ("overworld",
// "nether").
func rowsOf(t testing.TB, dataVersion int32, preset string) []climate.Row {
	t.Helper()
	table, err := settings.BiomeParameters("minecraft:"+preset, dataVersion)
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]climate.Row, len(table))
	for i := range table {
		rows[i] = climate.Row(table[i])
	}
	return rows
}

// made are the tables that tests share.
var made struct {
	sync.Mutex
	tables map[string]*climate.Table
}

// tableOf returns the game's table of a version and a preset.
func tableOf(t testing.TB, dataVersion int32, preset string) *climate.Table {
	t.Helper()
	made.Lock()
	defer made.Unlock()
	key := fmt.Sprint(preset, dataVersion)
	if made.tables[key] == nil {
		table, err := climate.NewTable(rowsOf(t, dataVersion, preset))
		if err != nil {
			t.Fatal(err)
		}
		if made.tables == nil {
			made.tables = make(map[string]*climate.Table)
		}
		made.tables[key] = table
	}
	return made.tables[key]
}

// report returns a table from the game's reports, which have the form of a
// multi_noise source.
func report(t testing.TB, archive, preset string) json.RawMessage {
	t.Helper()
	file, err := os.Open(testbed.Shared(t, "reference", archive))
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
			t.Fatalf("%s has no table of the %s", archive, preset)
		}
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(header.Name, "reports/biome_parameters/minecraft/"+preset+".json") {
			continue
		}
		var document struct{ Biomes json.RawMessage }
		if err := json.NewDecoder(files).Decode(&document); err != nil {
			t.Fatal(err)
		}
		return document.Biomes
	}
}

func TestRowsOfTheGamesReportsAreThoseOfTheTables(t *testing.T) {
	for archive, dataVersion := range map[string]int32{
		"vanilla-reports-26.2.tar.zst":     version262,
		"vanilla-generated-26.1.2.tar.zst": version261,
	} {
		for _, preset := range []string{"overworld", "nether"} {
			rows, err := climate.ParseRows(report(t, archive, preset))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(rowsOf(t, dataVersion, preset), rows); diff != "" {
				t.Errorf("%s %s: %.2000s", archive, preset, diff)
			}
		}
	}
}
