package report

import (
	"fmt"
	"strconv"

	"gonum.org/v1/plot/plotter"

	"strata/bench"
)

// WriteCodec writes a report of codecs into dir, as [WriteCompression] does. The
// source says which chunks those were.
func WriteCodec(dir, source string, r *bench.CodecReport, o Options) error {
	d, err := codecDocument(source, r)
	if err != nil {
		return err
	}
	return d.write(dir, o)
}

const codecMethod = "Sizes are means a chunk; payloads have their five-byte record header, sectors are those of region files. " +
	"Times are CPU time of the measuring thread for a chunk, checksums included: the median over passes over all chunks; p95 is a rank over single chunks. " +
	"All rows take turns pass by pass, slow ones make fewer passes. Every stream was decoded and compared before its time counted."

func codecDocument(source string, r *bench.CodecReport) (*document, error) {
	d := &document{
		title: "Codecs on " + source, environment: environmentText(r.Environment, r.Load, ""),
		method: codecMethod, warnings: r.Warnings, result: r,
	}
	sizes := section{
		Title: "Levels", Text: fmt.Sprintf("%s chunks of %s B of NBT each. Ratios are to the standard library’s level 6.", whole(float64(r.Chunks)), whole(r.NBTBytes)),
		Table: table{Left: 1, Heads: []string{"codec", "level", "payload, B", "sectors, B", "compress, µs", "spread", "ratio", "p95, µs", "decompress, µs", "spread", "ratio", "p95, µs", "passes"}},
	}
	reference := r.Reference()
	if reference == nil { // interrupted early
		reference = &bench.CodecRow{}
	}
	var points []levelPoint
	for _, row := range r.Rows {
		sizes.Table.Rows = append(sizes.Table.Rows, []string{
			row.Name, string(row.Level), whole(row.PayloadBytes), whole(row.SectorBytes),
			micros(row.CompressNS), percent(row.CompressNS, row.CompressMinNS, row.CompressMaxNS), factor(ratio(row.CompressNS, reference.CompressNS)), micros(row.CompressP95NS),
			micros(row.DecompressNS), percent(row.DecompressNS, row.DecompressMinNS, row.DecompressMaxNS), factor(ratio(row.DecompressNS, reference.DecompressNS)), micros(row.DecompressP95NS),
			strconv.Itoa(row.Passes),
		})
		points = append(points, levelPoint{row.Name, string(row.Level), plotter.XY{X: float64(row.CompressNS) / 1e3, Y: row.SectorBytes / 1024}})
	}
	d.sections = append(d.sections, sizes)
	kind := "full"
	if len(r.Rows) > 0 {
		kind = r.Rows[0].Kind
	}
	inflate := section{
		Title: "Decompressing the same streams",
		Table: table{Left: 2, Heads: []string{"codec", "streams", "decompress, µs", "spread", "ratio", "p95, µs", "passes"}},
	}
	var decode []timing
	var slowest bench.InflateRow
	for _, row := range r.Inflate {
		if row.Name == "stdlib" {
			slowest = row
		}
	}
	for _, row := range r.Inflate {
		t := timing{label: row.Name, name: row.Name, ns: row.NS, least: row.MinNS, most: row.MaxNS}
		if row.Name != slowest.Name {
			t.ratio, t.reference = ratio(row.NS, slowest.NS), slowest.Name
		}
		decode = append(decode, t)
		inflate.Table.Rows = append(inflate.Table.Rows, []string{
			row.Name, row.Streams, micros(row.NS), percent(row.NS, row.MinNS, row.MaxNS), factor(ratio(row.NS, slowest.NS)), micros(row.P95NS), strconv.Itoa(row.Passes),
		})
	}
	if len(r.Inflate) > 0 {
		d.sections = append(d.sections, inflate)
	}
	return d, d.draw(
		func() (*chart, error) { return paretoChart(points, kind) },
		func() (*chart, error) { return compressBars(r, reference) },
		func() (*chart, error) {
			return timeChart("inflate", "Decompressing the standard library’s level 6", "a chunk, CPU", decode)
		},
	)
}

// compressBars are the levels that people use.
func compressBars(r *bench.CodecReport, reference *bench.CodecRow) (*chart, error) {
	var all []timing
	for _, row := range r.Rows {
		switch row.Level {
		case "1", "3", "6", "sector":
			t := timing{label: row.Name + " " + string(row.Level), name: row.Name, ns: row.CompressNS, least: row.CompressMinNS, most: row.CompressMaxNS}
			if row.Name != reference.Name || row.Level != reference.Level {
				t.ratio, t.reference = ratio(row.CompressNS, reference.CompressNS), "stdlib 6"
			}
			all = append(all, t)
		}
	}
	return timeChart("compress", "Compressing a chunk", "a chunk, CPU", all)
}
