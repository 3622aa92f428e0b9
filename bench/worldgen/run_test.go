package worldgen

import (
	"context"
	"errors"
	"strings"
	"testing"

	"strata/anvil"
	"strata/anvil/chunk"
)

func TestRowsHaveEveryStage(t *testing.T) {
	parts := 0
	r, err := Run(t.Context(), Options{
		Seeds: []int64{7}, Dimensions: []string{anvil.Overworld, anvil.End}, Workers: []int{1, 2}, Radius: 1,
		Progress: func(done, total int) {
			if parts++; done != parts || total != 4 {
				t.Errorf("%d of %d, call %d", done, total, parts)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	type key struct {
		stage, dimension string
		workers          int
	}
	rows := make(map[key]Row)
	for _, row := range r.Rows {
		rows[key{row.Stage, row.Dimension, row.Workers}] = row
	}
	for _, dimension := range []string{anvil.Overworld, anvil.End} {
		for _, workers := range []int{1, 2} {
			for _, stage := range append([]string{Total}, order...) {
				row, ok := rows[key{stage, dimension, workers}]
				if !ok && stage != "other" && stage != "surface" && stage != "carvers" || ok && row.CPU <= 0 {
					t.Errorf("%s of %s, %d workers: %+v", stage, dimension, workers, row)
				}
			}
			total := rows[key{Total, dimension, workers}]
			carved := rows[key{"noise", dimension, workers}].Chunks
			if total.Chunks != 9 || carved < 49 || total.ChunksPerS <= 0 || total.Allocs <= 0 || total.Bytes <= 0 {
				t.Errorf("%s, %d workers: %d chunks with terrain, %+v", dimension, workers, carved, total)
			}
		}
	}
}

// TestAnInterruptKeepsFinishedPasses ends a run in the second pass of the first
// dimension.
func TestAnInterruptKeepsFinishedPasses(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := Run(ctx, Options{
		Seeds: []int64{7, 8}, Dimensions: []string{anvil.End}, Workers: []int{1}, Radius: 1, Passes: 3, Until: chunk.StatusBiomes,
		Progress: func(done, total int) {
			if total != 6 {
				t.Errorf("%d parts", total)
			}
			if done == 3 {
				cancel()
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Interrupted || len(r.Rows) == 0 || !strings.Contains(r.Warnings[0], "interrupted") {
		t.Fatalf("interrupted %t, %d rows, warnings %q", r.Interrupted, len(r.Rows), r.Warnings)
	}
	for _, row := range r.Rows {
		if len(row.Samples) != 1 || row.Samples[0] != row.CPU || row.CPU <= 0 {
			t.Errorf("%+v", row)
		}
	}
	if row := r.Rows[len(r.Rows)-1]; row.Stage != Total || row.Chunks != 2*9 {
		t.Errorf("last row %+v", row)
	}
	if _, err := Run(ctx, Options{Seeds: []int64{7}, Dimensions: []string{anvil.End}, Radius: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of a run without a finished pass", err)
	}
}

func TestADimensionThatIsNotThereIsAnError(t *testing.T) {
	if _, err := Run(t.Context(), Options{Seeds: []int64{7}, Dimensions: []string{"mine:moon"}, Radius: 1}); err == nil {
		t.Error("it was measured")
	}
}
