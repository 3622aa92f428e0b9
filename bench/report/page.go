package report

import (
	"bytes"
	_ "embed" // the template
	"fmt"
	"html/template"
)

//go:embed page.html.tmpl
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// pageData is what the template shows.
type pageData struct {
	Title, Environment, Method string
	Warnings, LeftOut          []string
	Points                     points
	Charts                     []pageChart
	Sections                   []section
}

type pageChart struct {
	Name, Caption string
	SVG           template.HTML
}

func (d *document) page() ([]byte, error) {
	data := pageData{
		Title: d.title, Environment: d.environment, Method: d.method,
		Warnings: d.warnings, LeftOut: d.leftOut, Points: d.points, Sections: d.sections,
	}
	for _, c := range d.charts {
		picture, err := c.svg()
		if err != nil {
			return nil, err
		}
		// Texts of a chart are escaped by what draws it.
		data.Charts = append(data.Charts, pageChart{c.name, c.caption, template.HTML(picture)}) //nolint:gosec // drawn by us
	}
	var buf bytes.Buffer
	if err := pageTemplate.Execute(&buf, data); err != nil {
		return nil, fmt.Errorf("write page: %w", err)
	}
	return buf.Bytes(), nil
}
