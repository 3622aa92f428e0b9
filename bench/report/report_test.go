package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/bench"
	"strata/bench/corpus"
	"strata/region/codec"
)

// measured is a small report of real measurements.
func measured(t *testing.T) *bench.CompressionReport {
	t.Helper()
	var chunks []corpus.Chunk
	for i := range 30 {
		text := strings.Repeat(fmt.Sprintf("minecraft:stone_%d ", i), 100+i*40)
		chunks = append(chunks, corpus.Chunk{NBT: []byte(text), StoredBytes: 500 + i*300})
	}
	s, err := bench.SampleCorpus(chunks, bench.SampleOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	r, err := bench.Compression(t.Context(), s, bench.CompressionOptions{Levels: []codec.Level{1, 6, codec.Sector}, Samples: 2, WarmUps: 1, OursAlone: true})
	if err != nil {
		t.Fatal(err)
	}
	r.Source = `<script src="https://example.com/x.js">|*world*`
	r.Region = &bench.RegionMap{
		Name:   "r.0.-1.mca",
		Before: bench.SectorMap{Sectors: 200, Free: 158, Chunks: []bench.SectorRun{{First: 2, Count: 10}, {First: 60, Count: 30}}},
		After:  bench.SectorMap{Sectors: 42, Chunks: []bench.SectorRun{{First: 2, Count: 10}, {First: 12, Count: 30}}},
	}
	return r
}

func TestReportIsWholeAndNeedsNothingElse(t *testing.T) {
	r := measured(t)
	dir := filepath.Join(t.TempDir(), "new", "out")
	for range 2 { // the second time it replaces the first
		if err := WriteCompression(dir, r, Options{PNG: true}); err != nil {
			t.Fatal(err)
		}
	}
	page := readFile(t, dir, PageName)
	wantWholePage(t, page, 5)
	if !strings.Contains(page, "&lt;script src=") {
		t.Error("the name of the world is missing")
	}
	for _, label := range []string{"µs of CPU (logarithmic)", "KiB (mean)", "payload of a chunk, KiB", "offset of the row, MiB", "r.0.-1.mca compacted: 42 sectors, 0 free"} {
		if !strings.Contains(page, label) {
			t.Errorf("no chart says %q", label)
		}
	}
	for _, name := range []string{"size-time", "sizes", "histogram", "sectors-before", "sectors-after"} {
		if _, err := png.Decode(strings.NewReader(readFile(t, dir, name+".png"))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	var back bench.CompressionReport
	if err := json.Unmarshal([]byte(readFile(t, dir, JSONName)), &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r.Rows, back.Rows); diff != "" {
		t.Errorf("the JSON differs (-want +got):\n%s", diff)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 8 {
		t.Errorf("%d files, %v", len(entries), err)
	}
}

// wantWholePage checks that a page loads nothing, and that its charts are XML.
func wantWholePage(t *testing.T, page string, charts int) {
	t.Helper()
	if strings.Contains(page, "<script") || regexp.MustCompile(`(src|href)="?\w+:`).MatchString(strings.ReplaceAll(page, "xmlns:xlink=", "")) || strings.Contains(page, "url(") {
		t.Error("the page loads something")
	}
	svgs := regexp.MustCompile(`(?s)<svg.*?</svg>`).FindAllString(page, -1)
	if len(svgs) != charts {
		t.Errorf("%d charts, want %d", len(svgs), charts)
	}
	for _, svg := range svgs {
		in := xml.NewDecoder(strings.NewReader(svg))
		for {
			if _, err := in.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("a chart is no XML: %v", err)
			}
		}
	}
}

func TestMarkdownHasARowForEachRow(t *testing.T) {
	r := measured(t)
	d, err := compressionDocument(r)
	if err != nil {
		t.Fatal(err)
	}
	text := string(d.markdown())
	heads := 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "| strata") || strings.HasPrefix(line, "| stdlib") || strings.HasPrefix(line, "| klauspost") {
			if n := strings.Count(line, "|"); n != len(columns)+1 && n != len(shortColumns)+1 {
				t.Errorf("a row of %d cells: %s", n-1, line)
			}
			heads++
		}
	}
	if want := len(r.Rows) + len(shortRows(r, bench.KindFull)); heads != want {
		t.Errorf("%d rows, want %d", heads, want)
	}
	if !strings.Contains(text, `# Compression of &lt;script`) || !strings.Contains(text, `\*world\*`) || !strings.Contains(text, "**Warning:** only 30 full chunks") {
		t.Errorf("got\n%s", text)
	}
}

// A run may be interrupted before anything of interest is there.
func TestReportOfNothingHasNoCharts(t *testing.T) {
	r := &bench.CompressionReport{Interrupted: true, Warnings: []string{"interrupted"}}
	r.Kinds = []bench.CompressionKind{{Kind: bench.KindFull, Chunks: 1}}
	d, err := compressionDocument(r)
	if err != nil || len(d.charts) != 0 {
		t.Fatalf("%v, %v", d, err)
	}
	page, err := d.page()
	if err != nil || !bytes.Contains(page, []byte("interrupted")) {
		t.Errorf("%v in\n%s", err, page)
	}
}

func readFile(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
