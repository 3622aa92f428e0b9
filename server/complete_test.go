package server

import (
	"context"
	"errors"
	"slices"
	"testing"
)

func TestTheConsoleCompletesItsCommands(t *testing.T) {
	t.Parallel()
	s, stop := start(t)
	for line, want := range map[string]struct {
		start   int
		matches []string
	}{
		"gamemode cr":  {9, []string{"creative"}},
		"/save-a":      {1, []string{"save-all"}},
		"time set mid": {9, []string{"minecraft:midnight"}},
		"nothing ":     {8, nil},
	} {
		start, matches, err := s.Complete(t.Context(), line)
		if err != nil || start != want.start && matches != nil || !slices.Equal(matches, want.matches) {
			t.Errorf("%q: %d, %q, %v, want %+v", line, start, matches, err, want)
		}
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	until := make(chan struct{})
	s.later(func() { <-until })
	if _, _, err := s.Complete(done, "ga"); !errors.Is(err, context.Canceled) {
		t.Errorf("nobody waits any more: %v", err)
	}
	close(until)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Complete(t.Context(), "ga"); !errors.Is(err, ErrStopped) {
		t.Errorf("it has stopped: %v", err)
	}
}
