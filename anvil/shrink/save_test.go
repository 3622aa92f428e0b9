package shrink

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"strata/anvil"
	"strata/anvil/diff"
	"strata/anvil/store"
	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/region/codec"
)

// TestASaveIsSmallerAndReadsEqual recompresses a save of 45 MB and prints what
// that saves; at level 12, which takes ten seconds, in long runs alone.
func TestASaveIsSmallerAndReadsEqual(t *testing.T) {
	if testing.Short() || raceDetector {
		t.Skip("recompresses saves of 45 MB; what runs at the same time is that of smaller tests")
	}
	dir := t.TempDir()
	if err := corpus.Unpack(testbed.Shared(t, "worlds", "history-6-saves.tar.zst"), dir); err != nil {
		t.Fatal(err)
	}
	original := filepath.Join(dir, "history", "save-6")
	levels := []codec.Level{9, codec.Sector}
	if os.Getenv("STRATA_LONG_RUNS") != "" {
		levels = append(levels, codec.MaxLevel)
	}
	for _, level := range levels {
		path := filepath.Join(dir, fmt.Sprint("level-", level))
		if err := os.CopyFS(path, os.DirFS(original)); err != nil {
			t.Fatal(err)
		}
		s := openSave(t, path)
		got, err := recompressed(s, RecompressOptions{Level: level})
		if err != nil || len(got.Failed) > 0 || got.Damaged > 0 {
			t.Fatalf("level %v: %v, %+v", level, err, got)
		}
		closeStore(t, s)
		t.Logf("level %v: %d of %d records replaced, payloads %d to %d bytes, sectors %d to %d, region files %d to %d", level,
			got.Replaced, got.Records, got.PayloadBefore, got.PayloadAfter, got.SectorsBefore, got.SectorsAfter, got.BytesBefore, got.BytesAfter)
		if got.PayloadAfter >= got.PayloadBefore || got.SectorsAfter >= got.SectorsBefore || got.BytesAfter >= got.BytesBefore {
			t.Errorf("level %v saves nothing", level)
		}
		result, err := diff.Compare(ctx, diff.OpenWorld(openRead(t, original)), diff.OpenWorld(openRead(t, path)), diff.Options{}, nil)
		if err != nil || result.Differ() || result.Reencoded != got.Replaced {
			t.Errorf("level %v: %v, %+v", level, err, result.Counts)
		}
	}
}

func openRead(t *testing.T, path string) *anvil.World {
	t.Helper()
	w, err := anvil.Open(path, anvil.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func openSave(t *testing.T, path string) *store.Store {
	t.Helper()
	where, err := store.WorldOf(openRead(t, path))
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(where, store.Options{NoControl: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
