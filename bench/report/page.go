package report

import (
	"bytes"
	_ "embed" // the template
	"fmt"
	"html/template"

	"strata/bench"
)

//go:embed page.html.tmpl
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// pageData is what the template shows.
type pageData struct {
	Title, Environment, Method string
	Warnings, LeftOut          []string
	Advice                     []bench.Advice
	Charts                     []pageChart
	Short                      pageTable
	Kinds                      []pageKind
}

type pageChart struct {
	Name, Caption string
	SVG           template.HTML
}

type pageKind struct {
	Name, Text string
	Table      pageTable
}

type pageTable struct {
	Heads []string
	Rows  [][]string
}

func compressionPage(r *bench.CompressionReport, charts []*chart) ([]byte, error) {
	data := pageData{
		Title: "Compression of " + r.Source, Environment: environmentText(r), Method: methodText,
		Warnings: r.Warnings, LeftOut: r.LeftOut, Advice: r.Advice,
	}
	for _, c := range charts {
		picture, err := c.svg()
		if err != nil {
			return nil, err
		}
		// No text of a chart comes from outside, but for the name of a region
		// file, which is numbers.
		data.Charts = append(data.Charts, pageChart{c.name, c.caption, template.HTML(picture)}) //nolint:gosec // drawn by us
	}
	for _, k := range r.Kinds {
		table := pageTable{Heads: columns}
		for _, row := range r.Of(k.Kind) {
			table.Rows = append(table.Rows, cells(row))
		}
		data.Kinds = append(data.Kinds, pageKind{k.Kind, kindText(r, k), table})
		if k.Kind == r.MainKind().Kind {
			data.Short = pageTable{shortColumns, shortRows(r, k.Kind)}
		}
	}
	var buf bytes.Buffer
	if err := pageTemplate.Execute(&buf, data); err != nil {
		return nil, fmt.Errorf("write page: %w", err)
	}
	return buf.Bytes(), nil
}
