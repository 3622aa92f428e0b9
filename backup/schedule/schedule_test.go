package schedule

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"strata/bench/testbed"
)

// fakeClock goes on as it is slept on, and jumps.
type fakeClock struct {
	now  time.Time
	end  time.Time
	jump func(before, after time.Time) time.Duration // of a sleep
	stop context.CancelFunc
}

func (c *fakeClock) Now() time.Time { return c.now }

func (c *fakeClock) Sleep(ctx context.Context, d time.Duration) error {
	before := c.now
	c.now = c.now.Add(d)
	if c.jump != nil {
		c.now = c.now.Add(c.jump(before, c.now))
	}
	if !c.now.Before(c.end) {
		c.stop()
	}
	return ctx.Err()
}

type ran struct {
	Due
	at time.Time
}

// year runs a schedule for a year of a fake clock.
func year(t *testing.T, expression string, zone *time.Location, jump func(before, after time.Time) time.Duration, work func(*fakeClock)) []ran {
	t.Helper()
	s, err := Parse(expression, zone)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	start := time.Date(2026, 1, 1, 0, 0, 30, 0, zone)
	c := &fakeClock{now: start, end: start.AddDate(1, 0, 0), jump: jump, stop: stop}
	var all []ran
	err = s.Run(ctx, c, nil, func(_ context.Context, due Due) {
		all = append(all, ran{due, c.now})
		if work != nil {
			work(c)
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	return all
}

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		testbed.SkipOrFail(t, "no time zones here: %v", err)
	}
	return z
}

func TestAYearWithoutJumps(t *testing.T) {
	berlin := zone(t, "Europe/Berlin")
	for expression, want := range map[string]int{
		"@hourly": 365*24 - 1, "*/15 * * * *": 365*96 - 1, "30 2 * * *": 365, "0 4 * * 1": 52, "0 0 1 * *": 11, "@every 6h": 365*4 - 1, "0 3 31 * *": 7,
	} {
		all := year(t, expression, berlin, nil, nil)
		// The end of the year may fall on a run.
		if d := len(all) - want; d < -1 || d > 1 {
			t.Errorf("%s: %d runs, want %d", expression, len(all), want)
		}
		for i, r := range all {
			if r.Passed != 0 || r.at.Before(r.At) || r.at.Sub(r.At) > piece {
				t.Errorf("%s: run %d for %v at %v, %d passed", expression, i, r.At, r.at, r.Passed)
			}
			if i > 0 && !r.At.After(all[i-1].At) {
				t.Errorf("%s: run %d for %v after %v", expression, i, r.At, all[i-1].At)
			}
		}
	}
}

// TestAYearWithJumps has a clock that sleeps for hours, is set on and back by up to
// an hour, and a job that takes its time. Every time is run once or told of as
// passed, in order, and none before it has come.
func TestAYearWithJumps(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 1))
	s, err := Parse("*/20 * * * *", time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	forward, back := 0, 0
	jump := func(time.Time, time.Time) time.Duration {
		switch r.IntN(20_000) {
		case 0:
			forward++
			return time.Duration(r.Int64N(int64(12 * time.Hour)))
		case 1, 2:
			back++
			return -time.Duration(r.Int64N(int64(time.Hour)))
		}
		return 0
	}
	work := func(c *fakeClock) {
		if r.IntN(50) == 0 {
			c.now = c.now.Add(time.Duration(r.Int64N(int64(2 * time.Hour))))
		}
	}
	all := year(t, "*/20 * * * *", time.UTC, jump, work)
	passed := 0
	for i, run := range all {
		passed += run.Passed
		if run.at.Before(run.At) {
			t.Fatalf("run %d for %v came at %v", i, run.At, run.at)
		}
		if i == 0 {
			continue
		}
		at := all[i-1].At
		for range run.Passed + 1 {
			at = s.Next(at)
		}
		if !at.Equal(run.At) {
			t.Fatalf("run %d for %v with %d passed after %v", i, run.At, run.Passed, all[i-1].At)
		}
	}
	t.Logf("%d runs, %d times passed, %d jumps forward, %d back", len(all), passed, forward, back)
	if forward == 0 || back == 0 || passed == 0 {
		t.Error("nothing has jumped")
	}
}

func TestClockThatWasYearsAhead(t *testing.T) {
	jumped := 0
	all := year(t, "@daily", time.UTC, func(before, _ time.Time) time.Duration {
		switch {
		case jumped == 0 && before.Month() == time.March:
			jumped++
			return 200 * 24 * time.Hour
		case jumped == 1 && before.Month() == time.October:
			jumped++
			return -200 * 24 * time.Hour
		}
		return 0
	}, nil)
	months := map[time.Month]int{}
	for _, r := range all {
		months[r.At.Month()]++
	}
	if months[time.June] != 30 || months[time.July] != 31 || jumped != 2 {
		t.Errorf("runs by month: %v", months)
	}
}

func TestHoursThatComeTwiceRunOnce(t *testing.T) {
	berlin := zone(t, "Europe/Berlin")
	s, err := Parse("30 2 * * *", berlin)
	if err != nil {
		t.Fatal(err)
	}
	at, days := time.Date(2026, 10, 23, 0, 0, 0, 0, berlin), map[string]int{}
	for range 5 {
		at = s.Next(at)
		days[at.Format("01-02 15:04")]++
	}
	if days["10-25 02:30"] != 1 || len(days) != 5 {
		t.Errorf("October: %v", days)
	}
	at, days = time.Date(2026, 3, 27, 0, 0, 0, 0, berlin), map[string]int{}
	for range 5 {
		at = s.Next(at)
		days[at.Format("01-02")]++
	}
	if len(days) != 5 {
		t.Errorf("March: %v", days)
	}
}

func TestBadExpressions(t *testing.T) {
	for _, text := range []string{"", "x", "* * * *", "61 * * * *", "0 0 31 2 *", "@every x", "0 0 0 0 0 0 0"} {
		if _, err := Parse(text, time.UTC); !errors.Is(err, ErrExpression) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if s, err := Parse("@daily", time.UTC); err != nil || s.String() != "@daily" {
		t.Errorf("%v, %v", s, err)
	}
}

func TestSystemClockEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := (System{}).Sleep(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := (System{}).Sleep(t.Context(), time.Millisecond); err != nil {
		t.Error(err)
	}
}
