package server

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"strata/server/tick"
)

// watch has the watchdog watch until ctx ends, and returns what waits for that.
func (s *Server) watch(ctx context.Context) (wait func()) {
	var watching sync.WaitGroup
	if s.options.MaxTickTime > 0 {
		watching.Go(func() { s.watchdog.Run(ctx) })
	}
	return watching.Wait
}

// logWait is how long the log may take to tell of a tick that does not end: what
// such a tick waits for may be the log.
const logWait = time.Second

// stalled tells of a tick that does not end. It belongs to the watchdog.
func (s *Server) stalled(t tick.Stall) {
	var path string
	err := errNoFolder
	if t.Stacks != nil && s.options.Reports != "" {
		path, err = s.writeReport(t, time.Now())
	}
	told := make(chan struct{})
	select {
	case s.telling <- struct{}{}:
		go func() {
			defer func() { <-s.telling }()
			s.tell(t, path, err)
			close(told)
		}()
		select {
		case <-told:
		case <-time.After(logWait):
		}
	default: // the log still has not taken the last report
	}
	s.options.Stalled()
}

// tell logs a report.
func (s *Server) tell(t tick.Stall, path string, err error) {
	log := s.options.Log.With("tick", t.Tick, "took_ms", t.Took.Milliseconds())
	switch {
	case t.Stacks == nil:
		log.Error("The tick still has not ended")
	case err == nil:
		log.Error("A tick does not end; where the server stands is in the file", "file", path)
	default:
		log.Error("A tick does not end; this is where the server stands", "error", err)
		for line := range bytes.Lines(t.Stacks) {
			s.options.Log.Error(string(bytes.TrimRight(line, "\n")))
		}
	}
}

var errNoFolder = errors.New("no folder for reports")

// writeReport writes the stacks into a file of its own. Names of such files are
// like those that the game gives them.
func (s *Server) writeReport(t tick.Stall, now time.Time) (path string, err error) {
	if err := os.MkdirAll(s.options.Reports, 0o755); err != nil {
		return "", err
	}
	path = filepath.Join(s.options.Reports, "stall-"+now.Format("2006-01-02_15.04.05.000")+"-server.txt")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return "", err
	}
	_, err = f.Write(t.Stacks)
	return path, errors.Join(err, f.Close())
}
