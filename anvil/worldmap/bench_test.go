package worldmap

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"strata/anvil"
	"strata/bench/corpus"
	"strata/bench/testbed"
)

// BenchmarkDraw draws a real world into one picture, with one worker.
// STRATA_MAP_WORLD names another world than the sample of 1.21.3.
func BenchmarkDraw(b *testing.B) {
	path := os.Getenv("STRATA_MAP_WORLD")
	if path == "" {
		dir := b.TempDir()
		if err := corpus.Unpack(testbed.Shared(b, "worlds", "sample-worlds.tar.zst"), dir); err != nil {
			b.Fatal(err)
		}
		path = filepath.Join(dir, "sample", "layout-1.21.3")
	}
	w, err := anvil.Open(path, anvil.Options{})
	if err != nil {
		b.Fatal(err)
	}
	p, err := NewPlan(w, Options{Workers: 1})
	if err != nil {
		b.Fatal(err)
	}
	for name, run := range map[string]func() error{
		"regions": func() error {
			_, err := p.Draw(b.Context(), func(*Region) error { return nil })
			return err
		},
		"picture": func() error {
			var out bytes.Buffer
			_, err := p.WritePNG(b.Context(), &out, 1)
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			b.ReportAllocs()
			for b.Loop() {
				if err := run(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(p.Chunks), "ns/chunk")
		})
	}
}
