package server

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"strata/anvil/registry"
	"strata/server/protocol"
)

// lockedBuffer is a log that two goroutines use.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer // guarded by mu
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// neverEnds is to be seen in stacks.
//
//go:noinline
func neverEnds(until chan struct{}) { <-until }

func TestATickThatDoesNotEndIsReportedAndTheServerGoesOn(t *testing.T) {
	for _, folder := range []string{"crash-reports", ""} {
		stalled := make(chan struct{}, 100)
		var log lockedBuffer
		reports := folder
		if folder != "" {
			reports = filepath.Join(t.TempDir(), folder)
		}
		s, stop := start(t, func(o *Options) {
			o.MaxTickTime, o.Reports = 300*time.Millisecond, reports
			o.Stalled = func() { stalled <- struct{}{} }
			o.Log = slog.New(slog.NewTextHandler(&log, nil))
		})
		until := make(chan struct{})
		release := sync.OnceFunc(func() { close(until) })
		defer release()
		s.later(func() { neverEnds(until) })
		for range 2 {
			select {
			case <-stalled:
			case <-time.After(clientTime):
				t.Fatal("nobody was told")
			}
		}
		release()
		answers(t, s, "tps", "TPS from last 1m, 5m, 15m: ")
		if err := stop(); err != nil {
			t.Error(err)
		}
		text := log.String()
		if folder != "" {
			files, err := filepath.Glob(filepath.Join(reports, "stall-*-server.txt"))
			if err != nil || len(files) == 0 || !strings.Contains(text, filepath.Base(files[0])) {
				t.Fatalf("files %v, %v; log\n%s", files, err, text)
			}
			stacks, err := os.ReadFile(files[0])
			if err != nil {
				t.Fatal(err)
			}
			text += string(stacks)
		}
		if !strings.Contains(text, "server.neverEnds") || !strings.Contains(text, "still has not ended") {
			t.Errorf("the log:\n%s", text)
		}
	}
}

// stuckLog is a log that takes nothing after a line, until it is let go.
type stuckLog struct {
	at    string
	until chan struct{}
}

func (l stuckLog) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(l.at)) {
		<-l.until
	}
	return len(p), nil
}

func TestALogThatTakesNothingIsReportedAsWell(t *testing.T) {
	reports, until, stalled := t.TempDir(), make(chan struct{}), make(chan struct{}, 100)
	s, stop := start(t, func(o *Options) {
		o.MaxTickTime, o.Reports = 300*time.Millisecond, reports
		o.Stalled = func() { stalled <- struct{}{} }
		o.Log = slog.New(slog.NewTextHandler(stuckLog{"stuck here", until}, nil))
	})
	release := sync.OnceFunc(func() { close(until) })
	defer release()
	s.Console("say stuck here")
	for range 3 {
		select {
		case <-stalled:
		case <-time.After(clientTime):
			t.Fatal("nobody was told")
		}
	}
	files, err := filepath.Glob(filepath.Join(reports, "stall-*-server.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("files %v, %v", files, err)
	}
	if stacks, err := os.ReadFile(files[len(files)-1]); err != nil || !bytes.Contains(stacks, []byte("stuckLog.Write")) {
		t.Errorf("%v, stacks\n%s", err, stacks)
	}
	release()
	if err := stop(); err != nil {
		t.Error(err)
	}
}

func TestTheGameCanGoFasterStandStillAndSprint(t *testing.T) {
	s, _ := start(t)
	c := join(t, s, registry.V26_2, "Walker_1")
	state := func(rate float32, frozen bool) {
		t.Helper()
		c.until("the pace", func(p protocol.Packet) bool {
			v, ok := p.(*protocol.TickingState)
			return ok && v.TickRate == rate && v.IsFrozen == frozen
		})
	}
	gameTime := func() string {
		said, err := s.Remote(context.Background(), "time query gametime", false)
		if err != nil {
			t.Fatal(err)
		}
		return said
	}
	answers(t, s, "tick query", "running normally")
	answers(t, s, "tick step", "Unable to step")
	answers(t, s, "tick rate 100", "100.0")
	state(100, false)
	answers(t, s, "tick freeze", "frozen")
	state(100, true)
	began, before := s.ticksSoFar(t), gameTime()
	// At 100 ticks a second these take a second, at 20 five.
	for s.ticksSoFar(t) < began+100 {
		time.Sleep(10 * time.Millisecond)
	}
	if after := gameTime(); after != before {
		t.Errorf("frozen, %q became %q", before, after)
	}
	late := join(t, s, registry.V26_1, "Walker_2")
	if late.Position.X == 0 {
		t.Error("nobody can join a frozen game")
	}
	answers(t, s, "tick step 3", "")
	c.until("the steps", func(p protocol.Packet) bool {
		v, ok := p.(*protocol.TickingStep)
		return ok && v.TickSteps == 3
	})
	answers(t, s, "tick sprint 200", "")
	state(100, false)
	state(100, true) // it has ended
	answers(t, s, "tick unfreeze", "")
	state(100, false)
	answers(t, s, "tick rate 20", "20.0")
	if after := gameTime(); after == before {
		t.Errorf("stepped and sprinted, it is still %q", after)
	}
}

// ticksSoFar asks the tick goroutine.
func (s *Server) ticksSoFar(t *testing.T) int64 {
	t.Helper()
	n := make(chan int64, 1)
	s.later(func() { n <- s.ticks })
	select {
	case ticks := <-n:
		return ticks
	case <-time.After(clientTime):
		t.Fatal("no tick")
		return 0
	}
}
