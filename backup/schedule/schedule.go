package schedule

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/robfig/cron/v3"
)

// ErrExpression is a cron expression that cannot be read, or names no time.
var ErrExpression = errors.New("no cron expression")

// Schedule says when to run.
type Schedule struct {
	text string
	cron cron.Schedule
	zone *time.Location
}

// Parse reads a cron expression; its times are those of the zone.
func Parse(expression string, zone *time.Location) (*Schedule, error) {
	c, err := cron.ParseStandard(expression)
	if err != nil {
		return nil, fmt.Errorf("%q: %w: %w", expression, ErrExpression, err)
	}
	s := &Schedule{text: expression, cron: c, zone: zone}
	if s.Next(time.Now()).IsZero() {
		return nil, fmt.Errorf("%q: %w: there is no such day", expression, ErrExpression)
	}
	return s, nil
}

// String is the expression.
func (s *Schedule) String() string { return s.text }

// Next is the first time after another one; zero if there is none in the next
// five years.
func (s *Schedule) Next(after time.Time) time.Time {
	next := s.cron.Next(after.In(s.zone))
	// Of an hour that comes twice: the second one has the same digits.
	for !next.IsZero() && sameDigits(next, after.In(s.zone)) {
		next = s.cron.Next(next)
	}
	return next
}

func sameDigits(a, b time.Time) bool {
	const digits = "2006-01-02 15:04:05"
	return !a.Equal(b) && a.Format(digits) == b.Format(digits)
}

// Clock is a source of time.
type Clock interface {
	Now() time.Time
	// Sleep waits, or returns the error of ctx when that ends first.
	Sleep(ctx context.Context, d time.Duration) error
}

// System is the machine's clock.
type System struct{}

// Now is the time without the monotonic clock, which does not jump.
func (System) Now() time.Time { return time.Now().Round(0) }

// Sleep waits.
func (System) Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Due is a run of a schedule.
type Due struct {
	// At is the time that has come, the last one of several.
	At time.Time
	// Passed is how many came before it since the last run and were not run.
	Passed int
}

const (
	// piece is the longest wait.
	piece = 30 * time.Second
	// correction is how far a clock goes back that had been wrong before.
	correction = 24 * time.Hour
	// maxPassed bounds the counting of times that passed.
	maxPassed = 1000
)

// Run calls job at each time that the schedule names, one after the other, until
// ctx ends; then it returns its error. waiting, if not nil, is told of the time
// that is waited for.
func (s *Schedule) Run(ctx context.Context, clock Clock, waiting func(next time.Time), job func(context.Context, Due)) error {
	last := clock.Now() // up to which all times are over
	next := s.Next(last)
	var told time.Time
	for {
		now := clock.Now()
		if now.Before(last.Add(-correction)) {
			last = now
			next = s.Next(last)
		}
		if next.IsZero() {
			return fmt.Errorf("%q: %w: no time is left", s.text, ErrExpression)
		}
		if now.Before(next) {
			if waiting != nil && !next.Equal(told) {
				waiting(next)
				told = next
			}
			if err := clock.Sleep(ctx, min(next.Sub(now), piece)); err != nil {
				return err
			}
			continue
		}
		due := Due{At: next}
		for due.Passed < maxPassed {
			later := s.Next(due.At)
			if later.IsZero() || later.After(now) {
				break
			}
			due.At = later
			due.Passed++
		}
		last = due.At
		if due.Passed == maxPassed {
			last = now
		}
		next = s.Next(last)
		job(ctx, due)
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
	}
}
