package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// presets are the hard-coded tables of biome parameters, by the names of the
// reports.
var presets = []string{"overworld", "nether"}

// axes are the climate parameters in the order of the game's class.
var axes = []string{"temperature", "humidity", "continentalness", "erosion", "depth", "weirdness"}

// row is a row of a table: low and high of each axis, then the offset.
type row struct {
	biome  string
	bounds [2*6 + 1]int32
}

// readRows reads the report of one preset.
func readRows(r *release, preset string) ([]row, error) {
	name := "biome_parameters/minecraft/" + preset + ".json"
	var report struct {
		Biomes []struct {
			Biome      string
			Parameters map[string]json.RawMessage
		}
	}
	if err := json.Unmarshal(r.reports[name], &report); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	rows := make([]row, len(report.Biomes))
	for i, b := range report.Biomes {
		rows[i].biome = b.Biome
		if len(b.Parameters) != len(axes)+1 {
			return nil, fmt.Errorf("%s: row %d has %d parameters", name, i, len(b.Parameters))
		}
		for a, axis := range append(slices.Clone(axes), "offset") {
			low, high, err := readRange(b.Parameters[axis])
			if err != nil {
				return nil, fmt.Errorf("%s: row %d: %s: %w", name, i, axis, err)
			}
			rows[i].bounds[2*a] = low
			if a < len(axes) {
				rows[i].bounds[2*a+1] = high
			} else if low != high {
				return nil, fmt.Errorf("%s: row %d: a range of offsets", name, i)
			}
		}
	}
	return rows, nil
}

// readRange reads [low, high], or one number that is both.
func readRange(text json.RawMessage) (low, high int32, err error) {
	var pair [2]json.Number
	if len(text) > 0 && text[0] == '[' {
		var list []json.Number
		if err := json.Unmarshal(text, &list); err != nil || len(list) != 2 {
			return 0, 0, errors.Join(errJSON, err)
		}
		pair = [2]json.Number(list)
	} else {
		if err := json.Unmarshal(text, &pair[0]); err != nil {
			return 0, 0, err
		}
		pair[1] = pair[0]
	}
	for i, to := range []*int32{&low, &high} {
		// As the game does: a float, times ten thousand in floats, cut off.
		v, err := strconv.ParseFloat(pair[i].String(), 32)
		if err != nil {
			return 0, 0, err
		}
		*to = int32(float32(v) * 10000)
	}
	return low, high, nil
}

// versionedRow is a row with the releases that have it.
type versionedRow struct {
	row
	mask byte
}

// mergeRows lays the rows of a release over those of older ones. Rows that are
// in both must come in the same order.
func mergeRows(all []versionedRow, rows []row, mask byte) []versionedRow {
	merged := make([]versionedRow, 0, len(all)+1)
	for _, r := range rows {
		at := slices.IndexFunc(all, func(v versionedRow) bool { return v.row == r })
		if at < 0 {
			merged = append(merged, versionedRow{r, mask})
			continue
		}
		merged = append(merged, all[:at]...)
		merged = append(merged, versionedRow{r, all[at].mask | mask})
		all = all[at+1:]
	}
	return append(merged, all...)
}

// encodeParameters makes the table of biome parameters of all releases.
func encodeParameters(releases []*release) ([]byte, error) {
	b := appendNumber(nil, len(presets))
	for _, preset := range presets {
		var all []versionedRow
		for i, r := range releases {
			rows, err := readRows(r, preset)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", r.name, err)
			}
			if len(rows) == 0 {
				return nil, fmt.Errorf("%s: no rows of %s", r.name, preset)
			}
			all = mergeRows(all, rows, 1<<i)
		}
		b = appendRows(appendText(b, "minecraft:"+preset), all)
	}
	return b, nil
}

// appendRows writes rows column by column: the columns repeat themselves.
func appendRows(b []byte, rows []versionedRow) []byte {
	var names []string
	biomes := make([]int, len(rows))
	for i, r := range rows {
		at := slices.Index(names, r.biome)
		if at < 0 {
			at = len(names)
			names = append(names, r.biome)
		}
		biomes[i] = at
	}
	b = appendNumber(b, len(names))
	for _, name := range names {
		b = appendText(b, name)
	}
	b = appendNumber(b, len(rows))
	for _, r := range rows {
		b = append(b, r.mask)
	}
	for _, n := range biomes {
		b = appendNumber(b, n)
	}
	for column := range rows[0].bounds {
		// The distinct bounds of a column are few.
		var bounds []int32
		for _, r := range rows {
			if !slices.Contains(bounds, r.bounds[column]) {
				bounds = append(bounds, r.bounds[column])
			}
		}
		slices.Sort(bounds)
		b = appendNumber(b, len(bounds))
		for _, n := range bounds {
			b = binary.AppendVarint(b, int64(n))
		}
		for _, r := range rows {
			b = appendNumber(b, slices.Index(bounds, r.bounds[column]))
		}
	}
	return b
}
