package settings_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"testing"

	"strata/pregen/worldgen/settings"
)

func rows(t testing.TB, preset string, dataVersion int32) []settings.ParameterRow {
	t.Helper()
	rows, err := settings.BiomeParameters(preset, dataVersion)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestBiomeParametersAreCutOffTenThousandths(t *testing.T) {
	want := settings.ParameterRow{
		Biome: "minecraft:mushroom_fields",
		Low:   [settings.Axes]int32{-10000, -10000, -12000, -10000, 0, -10000},
		High:  [settings.Axes]int32{10000, 10000, -10500, 10000, 0, 10000},
	}
	overworld := rows(t, "minecraft:overworld", 4903)
	if len(overworld) != 7594 || overworld[0] != want {
		t.Errorf("%d rows, the first is %+v", len(overworld), overworld[0])
	}
	nether := rows(t, "nether", 4903)
	if len(nether) != 5 || nether[2].Biome != "minecraft:crimson_forest" || nether[2].Low[settings.Temperature] != 4000 || nether[3].Offset != 3750 {
		t.Errorf("the Nether is %+v", nether)
	}
}

func TestOnlySulfurCavesCameToTheOverworld(t *testing.T) {
	older := rows(t, "overworld", 4790)
	if len(older) != 7593 {
		t.Fatalf("26.1 has %d rows", len(older))
	}
	i, added := 0, 0
	for _, row := range rows(t, "overworld", 4903) {
		if i < len(older) && row == older[i] {
			i++
			continue
		}
		if added++; row.Biome != "minecraft:sulfur_caves" {
			t.Errorf("26.2 adds %+v", row)
		}
	}
	if i != len(older) || added != 1 {
		t.Errorf("26.2 has %d rows of 26.1 and %d of its own", i, added)
	}
}

// digest is a checksum of all rows.
func digest(rows []settings.ParameterRow) string {
	h := sha256.New()
	for _, row := range rows {
		var b []byte
		for axis := range settings.Axes {
			b = binary.BigEndian.AppendUint32(b, uint32(row.Low[axis]))
			b = binary.BigEndian.AppendUint32(b, uint32(row.High[axis]))
		}
		b = binary.BigEndian.AppendUint32(b, uint32(row.Offset))
		h.Write(append(b, row.Biome...))
	}
	return hex.EncodeToString(h.Sum(nil))
}

func TestRowsBelongToTheCaller(t *testing.T) {
	first := rows(t, "overworld", 4903)
	before := digest(first)
	clear(first)
	if digest(rows(t, "overworld", 4903)) != before {
		t.Error("the caller's rows are those of the table")
	}
}
