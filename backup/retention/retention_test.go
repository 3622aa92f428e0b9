package retention

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"strata/bench/testbed"
)

// TestPolicyIsThatOfRestic has restic and us judge random lists of snapshots
// by random policies.
func TestPolicyIsThatOfRestic(t *testing.T) {
	lists := testbed.Runs(t, 150)
	r := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 1))
	kept, forgotten := 0, 0
	for number := range lists {
		repo := newResticRepo(t)
		items := randomItems(r, repo)
		p, args := randomPolicy(r)
		keep, remove := repo.forget(args...)
		got, gone := p.Apply(items, time.Now())
		if len(got) != len(keep) || len(gone) != len(remove) {
			t.Errorf("list %d %q: %d kept and %d forgotten, by restic %d and %d", number, args, len(got), len(gone), len(keep), len(remove))
		}
		for _, k := range got {
			if !keep[k.ID] {
				t.Errorf("list %d %q: %v is kept by %q, not by restic", number, args, k.Time, k.Reasons)
			}
		}
		for _, f := range gone {
			if !remove[f.ID] {
				t.Errorf("list %d %q: %v is forgotten, not by restic", number, args, f.Time)
			}
		}
		if t.Failed() {
			for _, item := range items {
				t.Logf("%v %q", item.Time, item.Tags)
			}
			t.FailNow()
		}
		kept, forgotten = kept+len(got), forgotten+len(gone)
	}
	t.Logf("%d lists: %d kept, %d forgotten", lists, kept, forgotten)
	if kept == 0 || forgotten == 0 {
		t.Error("the policies decide nothing")
	}
}

// randomItems makes snapshots that are close together in some lists, years
// apart in others, in several zones, some in the future.
func randomItems(r *rand.Rand, repo *resticRepo) (items []Item) {
	zones := []*time.Location{time.UTC, time.FixedZone("east", 5*3600+1800), time.FixedZone("west", -9*3600)}
	step := time.Duration(1+r.IntN(60)) * []time.Duration{time.Second, time.Minute, time.Hour, 24 * time.Hour}[r.IntN(4)]
	at := time.Now().Add(-time.Duration(r.IntN(3*365*24)) * time.Hour)
	for range 1 + r.IntN(50) {
		at = at.Add(-time.Duration(r.Int64N(int64(2*step)) + 1))
		zone := zones[0]
		if r.IntN(4) == 0 {
			zone = zones[r.IntN(len(zones))]
		}
		when := at
		if r.IntN(40) == 0 {
			when = time.Now().Add(time.Duration(1+r.IntN(1000)) * time.Hour)
		}
		var tags []string
		for _, tag := range []string{"a", "b", "c"} {
			if r.IntN(3) == 0 {
				tags = append(tags, tag)
			}
		}
		item := Item{Time: when.In(zone), Tags: tags}
		item.ID = repo.add(item.Time, tags)
		items = append(items, item)
	}
	return items
}

// randomPolicy makes a policy of at least one rule and restic's arguments for
// it.
func randomPolicy(r *rand.Rand) (p Policy, args []string) {
	for _, rule := range []struct {
		name string
		n    *int
		span *Span
	}{
		{"", nil, &p.Within}, {"-last", &p.Last, nil},
		{"-hourly", &p.Hourly, &p.WithinHourly}, {"-daily", &p.Daily, &p.WithinDaily}, {"-weekly", &p.Weekly, &p.WithinWeekly},
		{"-monthly", &p.Monthly, &p.WithinMonthly}, {"-yearly", &p.Yearly, &p.WithinYearly},
	} {
		if rule.n != nil && r.IntN(3) == 0 {
			*rule.n = 1 + r.IntN(9)
			args = append(args, "--keep"+rule.name, strconv.Itoa(*rule.n))
		}
		if rule.span != nil && r.IntN(6) == 0 {
			*rule.span = Span{r.IntN(2), r.IntN(4), r.IntN(20), r.IntN(30) + 1}
			args = append(args, "--keep-within"+rule.name, rule.span.String())
		}
	}
	if r.IntN(5) == 0 || len(args) == 0 {
		p.Tags = [][]string{{"a", "b"}, {"c"}}[r.IntN(2):]
		for _, tags := range p.Tags {
			args = append(args, "--keep-tag", strings.Join(tags, ","))
		}
	}
	return p, args
}

func TestProtectedAndUntaggedSnapshots(t *testing.T) {
	at := func(day int) time.Time { return time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC) }
	items := []Item{{ID: "1", Time: at(1), Protected: true}, {ID: "2", Time: at(2)}, {ID: "3", Time: at(3), Tags: []string{"x"}}, {ID: "4", Time: at(4), Tags: []string{"x"}}}
	ids := func(keep []Kept) (ids []string) {
		for _, k := range keep {
			ids = append(ids, k.ID)
		}
		return ids
	}
	for _, c := range []struct {
		policy Policy
		want   []string
	}{
		{Policy{}, []string{"4", "3", "2", "1"}},
		{Policy{Last: 1}, []string{"4", "1"}},
		{Policy{Last: All}, []string{"4", "3", "2", "1"}},
		{Policy{Tags: [][]string{{""}}}, []string{"2", "1"}},
	} {
		if keep, forget := c.policy.Apply(items, at(9)); !slices.Equal(ids(keep), c.want) || len(keep)+len(forget) != len(items) {
			t.Errorf("%+v keeps %q, want %q", c.policy, ids(keep), c.want)
		}
	}
	keep, _ := (&Policy{}).Apply(items, at(9))
	size := func(k []Kept) (int64, error) { return int64(10 * len(k)), nil }
	for limit, want := range map[int64][]string{100: {"4", "3", "2", "1"}, 39: {"4", "3", "1"}, 20: {"4", "1"}, 5: {"4", "1"}} {
		left, forget, fits, err := Fit(keep, limit, size)
		if err != nil || !slices.Equal(ids(left), want) || fits != (limit >= 20) || len(left)+len(forget) != len(items) {
			t.Errorf("%d bytes: %q are left, fits %v, %v, want %q", limit, ids(left), fits, err, want)
		}
	}
	if _, _, fits, err := Fit(keep, 1, func([]Kept) (int64, error) { return 0, errors.ErrUnsupported }); fits || !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("an error of size: %v, %v", fits, err)
	}
}

func TestSpans(t *testing.T) {
	for text, want := range map[string]Span{"": {}, "1y5m7d2h": {1, 5, 7, 2}, "3h2d": {0, 0, 2, 3}, "10d": {0, 0, 10, 0}} {
		if got, err := ParseSpan(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"y", "5", "1x", "-1d", "1d ", "99999999999999999999d", "1000001h"} {
		if got, err := ParseSpan(text); !errors.Is(err, ErrSpan) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}
