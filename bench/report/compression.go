package report

import (
	"fmt"

	"strata/bench"
)

// WriteCompression writes a report of compression into dir, which it makes if
// need be. Files of the same names are replaced.
func WriteCompression(dir string, r *bench.CompressionReport, o Options) error {
	d, err := compressionDocument(r)
	if err != nil {
		return err
	}
	return d.write(dir, o)
}

func compressionDocument(r *bench.CompressionReport) (*document, error) {
	d := &document{
		title: "Compression of " + r.Source, environment: compressionEnvironment(r), method: compressionMethod,
		warnings: r.Warnings, leftOut: r.LeftOut, result: r,
	}
	if len(r.Advice) > 0 {
		d.points = points{Title: "Which level", Intro: "As measured on " + r.Advice[0].Kind + " chunks:"}
		for _, a := range r.Advice {
			d.points.Items = append(d.points.Items, point{fmt.Sprintf("%s: %s.", a.Use, a.Level), "Why: " + a.Reason})
		}
	}
	for _, k := range r.Kinds {
		if k.Kind == r.MainKind().Kind {
			if rows := shortRows(r, k.Kind); len(rows) > 0 {
				d.sections = append([]section{{Title: "In short", Table: table{shortColumns, rows, 1}}}, d.sections...)
			}
		}
		s := section{Title: k.Kind, Text: kindText(r, k), Table: table{Heads: columns, Left: 1}}
		for _, row := range r.Of(k.Kind) {
			s.Table.Rows = append(s.Table.Rows, cells(row))
		}
		d.sections = append(d.sections, s)
	}
	if len(r.Kinds) == 0 {
		return d, nil
	}
	kind := r.MainKind()
	return d, d.draw(
		func() (*chart, error) { return compressionPareto(r, kind) },
		func() (*chart, error) { return sizeBars(r, kind) },
		func() (*chart, error) { return sizeHistogram(r, kind) },
		func() (*chart, error) { return sectorChart(r.Region, true) },
		func() (*chart, error) { return sectorChart(r.Region, false) },
	)
}
