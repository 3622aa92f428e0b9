package backup

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"strata/bench/testbed"
)

// TestOursReplayAHistory replays two saves with our targets alone, which compares
// what comes back, and checks what a run may add and a repeat cost.
func TestOursReplayAHistory(t *testing.T) {
	saves := testbed.Runs(t, 2)
	if saves > 2 {
		saves = 6
	}
	rep, err := Run(context.Background(), Options{
		History: testbed.Shared(t, "worlds", "history-6-saves.tar.zst"), Dir: t.TempDir(),
		Contenders: []string{"tree", "repo", "repo-exact"}, Saves: saves,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rep.Rows {
		text, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s", text)
		limit := int64(20_000)
		if row.Name == "tree" {
			limit = 120_000
		}
		if row.RepeatBytes > limit {
			t.Errorf("%s: a repeat adds %d bytes, over %d", row.Name, row.RepeatBytes, limit)
		}
		if row.Name != "repo" {
			continue
		}
		for i, s := range rep.Saves {
			if row.Added[i] > s.Budget {
				t.Errorf("%s adds %d bytes, and %d are allowed for %d records of %d bytes in %d region files",
					s.Name, row.Added[i], s.Budget, s.ChangedRecords, s.PayloadBytes, s.TouchedRegions)
			}
		}
	}
	if !slices.Equal(rep.Missing, []string{}) {
		t.Errorf("missing: %v", rep.Missing)
	}
}

// TestAnInterruptKeepsTheSavesThatAllHave ends a run when the second contender
// begins with the second save.
func TestAnInterruptKeepsTheSavesThatAllHave(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	began, dir := 0, t.TempDir()
	rep, err := Run(ctx, Options{
		History: testbed.Shared(t, "worlds", "history-6-saves.tar.zst"), Dir: dir,
		Contenders: []string{"tree", "repo"}, Saves: 3,
		Progress: func(text string) {
			if strings.HasPrefix(text, "save-2") {
				if began++; began == 2 {
					cancel()
				}
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if !rep.Interrupted || len(rep.Rows) != 2 || len(rep.Saves) != 1 || !strings.Contains(rep.Warnings[0], "interrupted") {
		t.Fatalf("interrupted %t, %d rows, %d saves, warnings %q", rep.Interrupted, len(rep.Rows), len(rep.Saves), rep.Warnings)
	}
	for _, row := range rep.Rows {
		if len(row.Creates) != 1 || row.CreateNS != row.Creates[0] || len(row.Added) != 1 || row.Bytes < row.Added[0] || row.RepeatNS != 0 || row.RestoreNS != 0 {
			t.Errorf("%+v", row)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	cancelled, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Run(cancelled, Options{History: testbed.Shared(t, "worlds", "history-6-saves.tar.zst"), Dir: dir, Contenders: []string{"tree"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of a run in which nothing was finished", err)
	}
}

// TestOutsideProgramsAreMeasured runs the others on one save.
func TestOutsideProgramsAreMeasured(t *testing.T) {
	if testing.Short() {
		t.Skip("runs other programs")
	}
	testbed.Tool(t, "rsync")
	testbed.Tool(t, "restic")
	rep, err := Run(context.Background(), Options{
		History: testbed.Shared(t, "worlds", "history-6-saves.tar.zst"), Dir: t.TempDir(),
		Contenders: []string{"rsync", "restic"}, Saves: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rep.Rows {
		if row.Bytes == 0 || row.CreateNS == 0 || row.RestoreNS == 0 || row.Equal != "bytes" {
			t.Errorf("%+v", row)
		}
	}
	if len(rep.Rows) != 2 {
		t.Errorf("%d rows", len(rep.Rows))
	}
}
