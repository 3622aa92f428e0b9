package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"strata/bench"
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

// WriteCompression writes a report of compression into dir, which it makes if
// need be. Files of the same names are replaced.
func WriteCompression(dir string, r *bench.CompressionReport, o Options) error {
	charts, err := compressionCharts(r)
	if err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	page, err := compressionPage(r, charts)
	if err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	var raw bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(r); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	files := map[string][]byte{PageName: page, MarkdownName: compressionMarkdown(r), JSONName: raw.Bytes()}
	for _, c := range charts {
		if o.PNG {
			if files[c.name+".png"], err = c.png(); err != nil {
				return fmt.Errorf("write report: %w", err)
			}
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	for name, data := range files {
		if err := replaceFile(filepath.Join(dir, name), data); err != nil {
			return fmt.Errorf("write report: %w", err)
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

// compressionCharts draws what there is to draw.
func compressionCharts(r *bench.CompressionReport) (charts []*chart, err error) {
	if len(r.Kinds) == 0 {
		return nil, nil
	}
	kind := r.MainKind()
	for _, draw := range []func() (*chart, error){
		func() (*chart, error) { return paretoChart(r, kind) },
		func() (*chart, error) { return sizeBars(r, kind) },
		func() (*chart, error) { return sizeHistogram(r, kind) },
		func() (*chart, error) { return sectorChart(r.Region, true) },
		func() (*chart, error) { return sectorChart(r.Region, false) },
	} {
		c, err := draw()
		if err != nil {
			return nil, err
		}
		if c != nil {
			charts = append(charts, c)
		}
	}
	return charts, nil
}
