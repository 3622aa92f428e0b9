package ui

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestPlainProgressIsALineEveryTenSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, setting{})
		p := d.StartProgress(Work{Label: "generate", Unit: "chunks", Total: 2400})
		for range 24 {
			time.Sleep(500 * time.Millisecond)
			p.Add(100)
			time.Sleep(500 * time.Millisecond)
		}
		p.Stop()
		p.Stop() // as a deferred call does
		want := `generate: 1,000 of 2,400 chunks (41 %), 100 chunks/s, 14s left
generate: 2,000 of 2,400 chunks (83 %), 100 chunks/s, 4s left
generate: 2,400 of 2,400 chunks (100 %) in 24.0 s, 100 chunks/s
`
		if diff := cmp.Diff(want, d.err.String()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if d.out.String() != "" {
			t.Errorf("standard output has %q", d.out.String())
		}
	})
}

func TestShortWorkLeavesNoLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, setting{})
		p := d.StartProgress(Work{Label: "scan", Unit: "files", Total: 3})
		time.Sleep(9 * time.Second)
		p.Add(3)
		p.Stop()
		if got := d.err.String(); got != "" {
			t.Errorf("lines %q", got)
		}
	})
}

func TestJSONProgressIsALineEverySecondAndALastOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, setting{args: []string{"--progress=json"}, terminal: true})
		p := d.StartProgress(Work{Label: "copy", Unit: UnitBytes, Done: 1 << 20})
		time.Sleep(1500 * time.Millisecond)
		p.SetTotal(4 << 20)
		p.Add(1 << 20)
		time.Sleep(time.Second)
		p.Stop()

		start := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
		want := []snapshot{
			{Time: start.Add(time.Second), Label: "copy", Unit: "bytes", Done: 1 << 20, Elapsed: time.Second},
			{Time: start.Add(2 * time.Second), Label: "copy", Unit: "bytes", Done: 2 << 20, Total: 4 << 20,
				Elapsed: 2 * time.Second, Rate: 1 << 19, Left: 4 * time.Second},
			{Time: start.Add(2500 * time.Millisecond), Label: "copy", Unit: "bytes", Done: 2 << 20, Total: 4 << 20,
				Elapsed: 2500 * time.Millisecond, Rate: 1 << 20 / 2.5, Last: true},
		}
		var got []snapshot
		for line := range strings.Lines(d.err.String()) {
			var s snapshot
			if err := json.Unmarshal([]byte(line), &s); err != nil {
				t.Fatalf("line %q: %v", line, err)
			}
			got = append(got, s)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if !strings.Contains(d.err.String(), `"elapsed_ns":2000000000,"rate_per_s":524288,"left_ns":4000000000`) {
			t.Errorf("names or units changed: %s", d.err.String())
		}
	})
}

func TestNoProgressWritesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, setting{args: []string{"--progress=none"}, terminal: true})
		p := d.StartProgress(Work{Label: "scan", Unit: "files"})
		p.Add(1)
		time.Sleep(time.Minute)
		p.Stop()
		if got := d.err.String(); got != "" {
			t.Errorf("lines %q", got)
		}
	})
}

func TestProgressFitsTheStream(t *testing.T) {
	for _, tc := range []struct {
		args     []string
		terminal bool
		term     string
		want     progressMode
	}{
		{nil, true, "xterm", progressBar},
		{nil, true, "dumb", progressPlain},
		{nil, false, "xterm", progressPlain},
		{[]string{"--progress=plain"}, true, "xterm", progressPlain},
		{[]string{"--progress=bar"}, false, "", progressBar},
	} {
		d := newDesk(t, setting{args: tc.args, terminal: tc.terminal, env: map[string]string{"TERM": tc.term}})
		if d.progress != tc.want {
			t.Errorf("%+v: %s", tc, d.progress)
		}
	}
}

func TestBarShowsTheStateAndLinesAboveIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, setting{args: []string{"--progress=bar"}})
		p := d.StartProgress(Work{Label: "generate", Unit: "chunks", Total: 2400})
		time.Sleep(2 * time.Second)
		p.Add(1200)
		time.Sleep(time.Second)
		d.Notef("region r.0.0.mca done")
		time.Sleep(time.Second)
		p.Add(1200)
		p.Stop()
		d.Notef("after the bar")

		text := d.err.String()
		for _, part := range []string{
			"generate [", "==>", "0 of 2,400 chunks (0 %), 0.00 chunks/s",
			"1,200 of 2,400 chunks (50 %), ", " left",
			"region r.0.0.mca done\n",
			"2,400 of 2,400 chunks (100 %), 600 chunks/s\n",
		} {
			if !strings.Contains(text, part) {
				t.Errorf("the bar never showed %q", part)
			}
		}
		if !strings.HasSuffix(text, "after the bar\n") {
			t.Errorf("the last line is not the last: %q", text[max(0, len(text)-200):])
		}
		if t.Failed() {
			t.Logf("%q", text)
		}
	})
}

func TestPercentIsFullOnlyWhenAllIsDone(t *testing.T) {
	for _, tc := range []struct {
		done, total int64
		want        int
	}{{0, 3, 0}, {1, 3, 33}, {9999, 10000, 99}, {1<<62 - 1, 1 << 62, 99}, {3, 3, 100}, {4, 3, 100}} {
		if got := percent(tc.done, tc.total); got != tc.want {
			t.Errorf("%d of %d: %d", tc.done, tc.total, got)
		}
	}
}

func TestTimeLeftHasNoFractions(t *testing.T) {
	for left, want := range map[time.Duration]string{
		300 * time.Millisecond:  ", 1s left",
		3600 * time.Millisecond: ", 4s left",
		90 * time.Second:        ", 1m30s left",
		0:                       "",
	} {
		line := snapshot{Unit: "chunks", Left: left}.line()
		if got := strings.TrimPrefix(line, "0 chunks, 0.00 chunks/s"); got != want {
			t.Errorf("%v: %q", left, line)
		}
	}
}
