package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// The names of the files of a report.
const (
	PageName     = "report.html"
	MarkdownName = "report.md"
	JSONName     = "report.json"
)

// Options are how a report is written. The zero value works.
type Options struct {
	// PNG writes each chart as a picture of its own too.
	PNG bool
}

// document is what a report says, whichever form it has.
type document struct {
	title       string
	environment string
	warnings    []string
	points      points
	charts      []*chart
	sections    []section
	method      string
	leftOut     []string
	// result is what the JSON has.
	result any
}

// points are a list of conclusions.
type points struct {
	Title, Intro string
	Items        []point
}

// point is a conclusion: what, and why.
type point struct{ Lead, Text string }

// section is a table with a heading.
type section struct {
	Title, Text string
	Table       table
}

// table has its first Left columns to the left and the others, numbers, to the
// right.
type table struct {
	Heads []string
	Rows  [][]string
	Left  int
}

// write writes a document into dir, which it makes if need be. Files of the same
// names are replaced.
func (d *document) write(dir string, o Options) error {
	files, err := d.files(o)
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	for name, data := range files {
		if err == nil {
			err = replaceFile(filepath.Join(dir, name), data)
		}
	}
	if err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// files are the report by the names of its files.
func (d *document) files(o Options) (map[string][]byte, error) {
	page, err := d.page()
	if err != nil {
		return nil, err
	}
	var raw bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(d.result); err != nil {
		return nil, err
	}
	files := map[string][]byte{PageName: page, MarkdownName: d.markdown(), JSONName: raw.Bytes()}
	for _, c := range d.charts {
		if o.PNG {
			if files[c.name+".png"], err = c.png(); err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}

// draw adds the charts that there is something for.
func (d *document) draw(charts ...func() (*chart, error)) error {
	for _, draw := range charts {
		c, err := draw()
		if err != nil {
			return fmt.Errorf("write report: %w", err)
		}
		if c != nil {
			d.charts = append(d.charts, c)
		}
	}
	return nil
}

// replaceFile writes a file beside the old one and renames it, so that a page
// that is open in a browser is never half of one.
func replaceFile(path string, data []byte) error {
	next := path + ".new"
	if err := os.WriteFile(next, data, 0o644); err != nil {
		return err
	}
	return os.Rename(next, path)
}
