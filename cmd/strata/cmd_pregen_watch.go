package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"strata/cmd/internal/ui"
	"strata/pregen"
	"strata/pregen/plan"
	"strata/region"
)

// pregenWatch shows how far a run is, and paints maps.
type pregenWatch struct {
	a        *app
	file     string // of the map, "" for none
	progress *ui.Progress
	json     bool
	every    time.Duration // between two lines of numbers, 0 for none

	end     chan struct{}
	painter sync.WaitGroup

	mu     sync.Mutex // guards what follows
	maps   map[string]*pregen.Map
	order  []string // of the dimensions
	new    int64    // that the progress knows
	noted  time.Time
	failed error // of painting
}

// How often maps are painted, and numbers shown that the bar has not: often
// beside plain lines, rarely above a bar, which they push down.
const (
	mapInterval = 5 * time.Second
	plainNotes  = 10 * time.Second
	barNotes    = time.Minute
	jsonNotes   = time.Second
)

// watchPregen connects the run to the console.
func (a *app) watchPregen(ctx context.Context, mode string, f *pregenFlags, job *pregenJob) *pregenWatch {
	w := &pregenWatch{a: a, file: f.mapFile, end: make(chan struct{}), maps: make(map[string]*pregen.Map), noted: time.Now()}
	switch {
	case mode == "json":
		w.json, w.every = true, jsonNotes
	case mode == "bar", mode == "auto" && a.streams.ErrTerminal:
		w.every = barNotes
	case mode != "none":
		w.every = plainNotes
	}
	w.progress = a.console.StartProgress(ui.Work{Label: "generate", Unit: "chunks"})
	o := &job.options
	o.Begin, o.Seen, o.Progress, o.Events = w.begin, w.seen, w.show, w.event
	if a.streams.InTerminal && a.streams.ErrTerminal {
		o.Confirm = func(e pregen.Estimate) error { return a.confirmSpace(ctx, e) }
	}
	if w.file != "" {
		w.painter.Go(w.paintNowAndThen)
	}
	return w
}

// checkMap refuses a map that cannot be written: now, and not after hours, is
// when to say so.
func (f *pregenFlags) checkMap() error {
	if f.mapFile == "" {
		return nil
	}
	probe, err := os.OpenFile(f.mapFile, os.O_RDWR|os.O_CREATE, 0o644)
	if err == nil {
		err = probe.Close()
	}
	if err != nil {
		return ui.Errorf(ui.Usage, "--map: %w", err)
	}
	return nil
}

// confirmSpace asks whether to begin on a disk that is likely to be too small.
func (a *app) confirmSpace(ctx context.Context, e pregen.Estimate) error {
	a.console.Notef("About %s are needed, %s are free. The run stops before the disk is full.", ui.FormatBytes(e.Needed), ui.FormatBytes(e.Free))
	ask := ui.ChangeFlags{}
	_, err := ask.Proceed(ctx, a.console, nil, func(io.Writer) error { return nil }, "Begin all the same?")
	return err
}

func (w *pregenWatch) begin(dimension string, area *plan.Area) {
	if w.file == "" {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.maps[dimension] = pregen.NewMap(area.Bounds())
	w.order = append(w.order, dimension)
}

func (w *pregenWatch) seen(dimension string, c region.ChunkPos, s pregen.State) {
	w.mu.Lock()
	m := w.maps[dimension]
	w.mu.Unlock()
	if m != nil {
		m.Set(c, s)
	}
}

// show is told how far the run is.
func (w *pregenWatch) show(p pregen.Progress) {
	// Chunks that are there cost next to nothing: counted as work they would
	// make a rate that cannot last.
	w.progress.SetTotal(p.Planned - p.Existing - p.Resumed - p.Failed)
	w.mu.Lock()
	more := p.New - w.new
	w.new = p.New
	now := time.Now()
	note := w.every > 0 && now.Sub(w.noted) >= w.every
	if note {
		w.noted = now
	}
	w.mu.Unlock()
	w.progress.Add(more)
	if !note {
		return
	}
	if w.json {
		w.line(&p, now)
		return
	}
	w.a.console.Notef("%s new, %s from before, %s existing, %s failed; %s in files, %s of memory, %s free",
		ui.FormatCount(p.New), ui.FormatCount(p.Resumed), ui.FormatCount(p.Existing), ui.FormatCount(p.Failed),
		ui.FormatBytes(p.Bytes), ui.FormatBytes(p.Memory), ui.FormatBytes(p.Free))
}

// line writes a line of JSON beside those of the progress.
func (w *pregenWatch) line(p *pregen.Progress, now time.Time) {
	data, err := json.Marshal(struct {
		Time      time.Time `json:"time"`
		Label     string    `json:"label"`
		Dimension string    `json:"dimension"`
		New       int64     `json:"new"`
		Resumed   int64     `json:"resumed"`
		Existing  int64     `json:"existing"`
		Failed    int64     `json:"failed"`
		Rim       int64     `json:"rim"`
		Planned   int64     `json:"planned"`
		Bytes     int64     `json:"bytes"`
		Unsaved   int64     `json:"unsaved_bytes"`
		Memory    int64     `json:"memory_bytes"`
		Free      int64     `json:"free_bytes"`
	}{now.UTC(), "pregen", p.Dimension, p.New, p.Resumed, p.Existing, p.Failed, p.Rim, p.Planned, p.Bytes, p.Unsaved, p.Memory, p.Free})
	if err == nil {
		w.a.console.Notef("%s", data)
	}
}

// event logs what a person should know.
func (w *pregenWatch) event(e pregen.Event) {
	log := w.a.console.Log().With("event", string(e.Kind))
	if e.Dimension != "" {
		log = log.With("dimension", e.Dimension)
	}
	switch e.Kind {
	case pregen.RunResumed:
		w.a.console.Notef("going on with the interrupted run")
	case pregen.RunBegun:
	case pregen.SpaceEstimated:
		log.Debug("pregen", "needed", ui.FormatBytes(e.Estimate.Needed), "free", ui.FormatBytes(e.Estimate.Free), "a_chunk", e.Estimate.PerChunk)
	case pregen.ChunkFailed, pregen.ChunkRetried:
		log.Debug("pregen", "chunk", e.Pos.String(), "error", e.Err) // failures are in the result
	case pregen.RegionInstalled:
		log.Debug("pregen", "region", e.Region.String())
	case pregen.SpoolDropped:
		log.Warn("pregen", "chunk", e.Pos.String())
	case pregen.RegionCommitted:
		log.Warn("pregen", "region", e.Region.String(), "error", e.Err)
	case pregen.FlushFailed:
		log.Warn("pregen", "error", e.Err)
	}
}

func (w *pregenWatch) paintNowAndThen() {
	tick := time.NewTicker(mapInterval)
	defer tick.Stop()
	for {
		select {
		case <-w.end:
			return
		case <-tick.C:
			w.paint()
		}
	}
}

// paint writes the maps: that of the first dimension to the file, those of
// others beside it with the dimension in their names.
func (w *pregenWatch) paint() {
	w.mu.Lock()
	order := append([]string(nil), w.order...)
	w.mu.Unlock()
	for i, dimension := range order {
		name := w.file
		if i > 0 {
			ext := filepath.Ext(name)
			name = strings.TrimSuffix(name, ext) + "." + strings.NewReplacer("minecraft:", "", ":", ".", "/", ".").Replace(dimension) + ext
		}
		w.mu.Lock()
		m := w.maps[dimension]
		w.mu.Unlock()
		if err := writeMap(name, m); err != nil {
			w.mu.Lock()
			w.failed = err
			w.mu.Unlock()
		}
	}
}

// writeMap puts a picture in the place of the one there.
func writeMap(name string, m *pregen.Map) error {
	temporary := name + ".new"
	f, err := os.Create(temporary)
	if err != nil {
		return err
	}
	err = m.WritePNG(f)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(temporary, name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	return nil
}

// stop shows the last state.
func (w *pregenWatch) stop() error {
	close(w.end)
	w.painter.Wait()
	w.progress.Stop()
	if w.file == "" {
		return nil
	}
	w.failed = nil // an earlier failure may have passed
	w.paint()
	return w.failed
}
