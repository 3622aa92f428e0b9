package report

import (
	"fmt"
	"strconv"
	"time"

	"strata/bench"
)

func micros(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	return strconv.FormatFloat(float64(d)/1e3, 'f', 1, 64)
}

func megabytes(e bench.Estimate) string {
	if e.Bytes == 0 {
		return "-"
	}
	text := strconv.FormatFloat(float64(e.Bytes)/1e6, 'f', 1, 64)
	switch {
	case e.ErrorBytes < 0:
		return text + " ± ?"
	case e.ErrorBytes > 0:
		return text + " ± " + strconv.FormatFloat(float64(e.ErrorBytes)/1e6, 'f', 1, 64)
	}
	return text
}

func factor(r float64) string {
	if r == 0 {
		return "-"
	}
	return strconv.FormatFloat(r, 'f', 3, 64)
}

func whole(v float64) string { return plainNumber(float64(int64(v + 0.5))) }

func perSecond(v int64) string {
	if v == 0 {
		return "-"
	}
	return whole(float64(v) / 1e6)
}

func memory(v int64) string {
	if v < 0 {
		return "-"
	}
	return whole(float64(v) / 1024)
}

func rowName(row *bench.CompressionRow) string {
	if row.Scheme == "zlib" {
		return row.Name
	}
	return row.Name + " " + row.Scheme
}

// columns and cells are the large table of rows, in Markdown and on the page.
var columns = []string{
	"codec", "level", "payload, B", "sectors, B", "sectors to now", "sectors to level 6", "world in sectors, MB",
	"compress, µs", "p50", "p95", "to level 6", "MB/s", "wall, µs", "decompress, µs", "p95", "MB/s", "memory, KiB", "samples",
}

func cells(row *bench.CompressionRow) []string {
	return []string{
		rowName(row), string(row.Level), whole(row.PayloadBytes), whole(row.SectorBytes),
		factor(row.SectorsToStored), factor(row.SectorsToYardstick), megabytes(row.WorldSectors),
		micros(row.CompressNS), micros(row.CompressP50NS), micros(row.CompressP95NS), factor(row.CompressToYardstick),
		perSecond(row.CompressPerS), micros(row.CompressWallNS),
		micros(row.DecompressNS), micros(row.DecompressP95NS), perSecond(row.DecompressPerS),
		memory(row.MemoryBytes), strconv.Itoa(row.Samples),
	}
}

// shortColumns and shortRows are the table that other projects publish: four
// levels, two sizes, two times.
var shortColumns = []string{"codec", "level", "data, MB", "in sectors, MB", "compress, µs", "decompress, µs"}

func shortRows(r *bench.CompressionReport, kind string) (rows [][]string) {
	for _, row := range r.Of(kind) {
		switch row.Level {
		case "1", "3", "6", "9", "sector":
			rows = append(rows, []string{
				rowName(row), string(row.Level), megabytes(row.WorldPayload), megabytes(row.WorldSectors),
				micros(row.CompressNS), micros(row.DecompressNS),
			})
		}
	}
	return rows
}

// kindText says what is known of a kind as it is.
func kindText(r *bench.CompressionReport, k bench.CompressionKind) string {
	about := ""
	if !k.Exact {
		about = "about "
	}
	text := fmt.Sprintf("%s of %s%s chunks measured, %s B of NBT each.", whole(float64(k.Chunks)), about, whole(float64(k.WorldChunks)), whole(k.NBTBytes))
	if k.StoredSectorBytes > 0 {
		text += fmt.Sprintf(" Stored now: %s B of payload in %s B of sectors each; %s MB of payload in %s MB of sectors in the whole world.",
			whole(k.StoredPayloadBytes), whole(k.StoredSectorBytes), megabytes(k.StoredWorldPayload), megabytes(k.StoredWorld))
	}
	if y := r.Yardstick(k.Kind); y != nil {
		text += " “Level 6” is " + k.Yardstick
		if y.Identical > 0 {
			text += fmt.Sprintf("; %s of its %s streams are byte for byte what is stored", whole(float64(y.Identical)), whole(float64(y.Chunks)))
		}
		text += "."
	}
	return text
}

// environmentText says where and with what a report was made.
func environmentText(e bench.Environment, load bench.Load, more string) string {
	commit := e.Commit
	if commit == "" {
		commit = "not recorded"
	} else if e.Modified {
		commit += " with changes"
	}
	text := fmt.Sprintf("%s, %d cores, %s/%s, %s, commit %s, %s%s.", e.CPU, e.Cores, e.OS, e.Arch, e.Go, commit, e.Time.Format(time.RFC3339), more)
	if len(load.Before) > 0 && len(load.After) > 0 {
		text += fmt.Sprintf(" Load average %.2f before and %.2f after; the run took %s.", load.Before[0], load.After[0], load.WallNS.Round(time.Second))
	}
	return text
}

// compressionEnvironment has the seed of the draw and the outside programs too.
func compressionEnvironment(r *bench.CompressionReport) string {
	text := environmentText(r.Environment, r.Load, fmt.Sprintf(", seed %d", r.Seed))
	versions := make(map[string]bool)
	for _, row := range r.Rows {
		if row.Version != "" && !versions[row.Version] {
			versions[row.Version] = true
			text += " " + row.Name + ": " + row.Version + "."
		}
	}
	return text
}

const compressionMethod = "Sizes are means a chunk; payloads have their five-byte record header, sectors are those of region files. " +
	"Times are CPU time of the measuring thread for a chunk, checksums included: the median over samples, " +
	"a sample being a pass over all chunks; p50 and p95 are ranks over single chunks. All rows take turns pass by pass. " +
	"Every stream was decoded and compared. World figures are extrapolated from the draw with the sectors that headers reserve; " +
	"± is the error of the draw at 95 %. C zlib makes a new compressor for each chunk, as Python's zlib.compress does; the others keep theirs. " +
	"Memory is what a compressor and decompressor keep between chunks."
