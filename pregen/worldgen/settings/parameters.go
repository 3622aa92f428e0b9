package settings

import (
	_ "embed" // the table
	"fmt"
	"io/fs"
	"sync"
)

// The content of parameters.bin is the number of presets, then for each
//
//	its id
//	biomes   their number, then the id of each
//	rows     their number, then for all rows a byte that is a mask of
//	         versions, for all the number of the biome, and for all each bound
//
// Bounds are those of temperature, humidity, continentalness, erosion, depth
// and weirdness, low and high, and the offset: for each of the thirteen the
// number of distinct ones, these as signed numbers, and then for all rows which
// of them.

//go:embed parameters.bin
var fileParameters []byte

// The axes of a row of biome parameters.
const (
	Temperature = iota
	Humidity
	Continentalness
	Erosion
	Depth
	Weirdness
	Axes
)

// ParameterRow is one row of a table of biome parameters: a biome and the
// climate that it is made for. Values are in ten-thousandths.
type ParameterRow struct {
	Low, High [Axes]int32
	Offset    int32
	Biome     string // full id
}

// bounds is how many numbers a row has.
const bounds = 2*Axes + 1

// parameters decodes the tables of all versions once.
var parameters = sync.OnceValue(func() map[string]*parameterTable {
	data, err := unpack(fileParameters)
	if err == nil {
		var t map[string]*parameterTable
		if t, err = decodeParameters(data); err == nil {
			return t
		}
	}
	panic(fmt.Sprintf("settings: embedded table of biome parameters: %v", err))
})

// BiomeParameters returns a table of biome parameters that is part of the
// game's code: "minecraft:overworld" or "minecraft:nether", as the lists of
// worldgen/multi_noise_biome_source_parameter_list name them. Rows are in the
// order of the game's report, which decides between equally near ones. The
// caller owns them. The error wraps ErrVersion, or fs.ErrNotExist if there is
// no such table.
func BiomeParameters(preset string, dataVersion int32) ([]ParameterRow, error) {
	v, err := versionOf(dataVersion)
	if err != nil {
		return nil, err
	}
	t := parameters()[ID(preset)]
	if t == nil {
		return nil, fmt.Errorf("biome parameters %s: %w", ID(preset), fs.ErrNotExist)
	}
	rows := make([]ParameterRow, 0, len(t.rows))
	for i := range t.rows {
		if t.masks[i]&maskOf(v) != 0 {
			rows = append(rows, t.rows[i])
		}
	}
	return rows, nil
}

// parameterTable is the rows of all versions.
type parameterTable struct {
	masks []byte
	rows  []ParameterRow
}

func decodeParameters(data []byte) (map[string]*parameterTable, error) {
	d := decoder{data: data}
	tables := map[string]*parameterTable{}
	for range d.count() {
		id := string(d.bytes())
		tables[id] = d.parameterTable()
	}
	return tables, d.end()
}

func (d *decoder) parameterTable() *parameterTable {
	biomes := make([]string, d.count())
	for i := range biomes {
		biomes[i] = string(d.bytes())
	}
	n := d.count()
	t := &parameterTable{masks: d.take(n), rows: make([]ParameterRow, n)}
	for i := range t.rows {
		if b := d.index(len(biomes)); d.err == nil {
			t.rows[i].Biome = biomes[b]
		}
	}
	for column := range bounds {
		distinct := make([]int32, d.count())
		for i := range distinct {
			distinct[i] = d.signed()
		}
		for i := range t.rows {
			at := d.index(len(distinct))
			if d.err != nil {
				return t
			}
			*t.rows[i].bound(column) = distinct[at]
		}
	}
	return t
}

// bound is a number of a row, by its place in the table.
func (r *ParameterRow) bound(column int) *int32 {
	switch axis := column / 2; {
	case axis == Axes:
		return &r.Offset
	case column%2 == 0:
		return &r.Low[axis]
	default:
		return &r.High[axis]
	}
}

// HasBiomeParameters reports whether BiomeParameters has a table of that name,
// in all versions.
func HasBiomeParameters(preset string) bool { return parameters()[ID(preset)] != nil }
