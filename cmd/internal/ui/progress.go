package ui

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// progressMode is a value of --progress.
type progressMode string

const (
	progressAuto  progressMode = "auto"
	progressBar   progressMode = "bar"
	progressPlain progressMode = "plain"
	progressJSON  progressMode = "json"
	progressNone  progressMode = "none"
)

var progressModes = []progressMode{progressAuto, progressBar, progressPlain, progressJSON, progressNone}

// resolve turns auto into what fits the streams.
func (m progressMode) resolve(s Streams) progressMode {
	switch {
	case m != progressAuto:
		return m
	case s.ErrTerminal && !s.dumb():
		return progressBar
	default:
		return progressPlain
	}
}

const (
	plainInterval = 10 * time.Second
	jsonInterval  = time.Second
)

// UnitBytes as the unit of a Work makes its amounts sizes.
const UnitBytes = "bytes"

// Work is a piece of long work as its progress shows it.
type Work struct {
	Label string // what is done, such as "generate"
	Unit  string // what is counted, such as "chunks", or UnitBytes
	Total int64  // 0 if not known
	Done  int64  // what an earlier run had done: counted, but not in the rate
}

// Progress counts a piece of work and shows it. All methods may be called by
// many goroutines.
type Progress struct {
	work  Work
	total atomic.Int64
	done  atomic.Int64
	start time.Time

	show    display
	stop    chan struct{}
	stopped sync.WaitGroup
	once    sync.Once
}

// display is one way to show progress.
type display interface {
	// interval is the time between two updates, 0 for a display that keeps
	// its own time.
	interval() time.Duration
	update(s snapshot)
	// finish shows the last state and gives the line back.
	finish(s snapshot)
}

// StartProgress shows the progress of w until Stop.
func (c *Console) StartProgress(w Work) *Progress {
	p := &Progress{work: w, start: time.Now(), stop: make(chan struct{})}
	p.total.Store(w.Total)
	p.done.Store(w.Done)
	switch c.progress {
	case progressBar:
		p.show = newBar(c, p.snapshot)
	case progressJSON:
		p.show = &jsonLines{w: c.err}
	case progressNone:
		return p
	default:
		p.show = &plainLines{w: c.err}
	}
	if every := p.show.interval(); every > 0 {
		p.stopped.Go(func() { p.run(every) })
	}
	return p
}

// Add counts n more as done. It takes no lock.
func (p *Progress) Add(n int64) { p.done.Add(n) }

// SetTotal sets how much there is to do once that is known.
func (p *Progress) SetTotal(n int64) { p.total.Store(n) }

// Stop shows the last state, and returns when nothing more will be written.
// A second call does nothing.
func (p *Progress) Stop() {
	p.once.Do(func() {
		close(p.stop)
		p.stopped.Wait()
		if p.show != nil {
			p.show.finish(p.snapshot())
		}
	})
}

func (p *Progress) run(every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-ticker.C:
			p.show.update(p.snapshot())
		}
	}
}

// snapshot is the state of a piece of work at one time.
type snapshot struct {
	Time    time.Time     `json:"time"`
	Label   string        `json:"label"`
	Unit    string        `json:"unit"`
	Done    int64         `json:"done"`
	Total   int64         `json:"total,omitempty"` // 0: not known
	Elapsed time.Duration `json:"elapsed_ns"`
	Rate    float64       `json:"rate_per_s"`
	Left    time.Duration `json:"left_ns,omitempty"` // 0: not known, or nothing left
	Last    bool          `json:"last,omitempty"`
}

func (p *Progress) snapshot() snapshot {
	now := time.Now()
	s := snapshot{
		Time:    now.UTC(),
		Label:   p.work.Label,
		Unit:    p.work.Unit,
		Done:    p.done.Load(),
		Total:   p.total.Load(),
		Elapsed: now.Sub(p.start),
	}
	if s.Elapsed > 0 {
		s.Rate = float64(s.Done-p.work.Done) / s.Elapsed.Seconds()
	}
	if s.Total > s.Done && s.Rate > 0 {
		s.Left = time.Duration(float64(s.Total-s.Done) / s.Rate * float64(time.Second))
	}
	return s
}

func (s snapshot) amount(n int64) string {
	if s.Unit == UnitBytes {
		return FormatBytes(n)
	}
	return FormatCount(n)
}

// counts is "1,200 of 2,401 chunks (50 %)".
func (s snapshot) counts() string {
	text := s.amount(s.Done)
	if s.Total > 0 {
		text += " of " + s.amount(s.Total)
	}
	if s.Unit != UnitBytes {
		text += " " + s.Unit
	}
	if s.Total > 0 {
		text += fmt.Sprintf(" (%d %%)", percent(s.Done, s.Total))
	}
	return text
}

// speed is "312 chunks/s".
func (s snapshot) speed() string {
	if s.Unit == UnitBytes {
		return FormatBytes(int64(s.Rate)) + "/s"
	}
	if s.Rate >= 1000 {
		return FormatCount(int64(s.Rate+0.5)) + " " + s.Unit + "/s"
	}
	return threeDigits(s.Rate) + " " + s.Unit + "/s"
}

// line is counts, speed and, where known, the time left.
func (s snapshot) line() string {
	text := s.counts() + ", " + s.speed()
	switch left := s.Left.Round(time.Second); {
	case s.Left <= 0:
	case left < time.Minute:
		text += fmt.Sprintf(", %ds left", int(max(left, time.Second).Seconds()))
	default:
		text += ", " + FormatDuration(left) + " left"
	}
	return text
}

// percent is 100 only when all is done.
func percent(done, total int64) int {
	if done >= total {
		return 100
	}
	return min(99, int(float64(done)/float64(total)*100))
}

// plainLines writes a line for people now and then. Work that ends before
// the first one leaves no line at all.
type plainLines struct {
	w       io.Writer
	written bool
}

func (*plainLines) interval() time.Duration { return plainInterval }

func (l *plainLines) update(s snapshot) {
	l.written = true
	fmt.Fprintln(l.w, s.Label+": "+s.line())
}

func (l *plainLines) finish(s snapshot) {
	if l.written {
		fmt.Fprintf(l.w, "%s: %s in %s, %s\n", s.Label, s.counts(), FormatDuration(s.Elapsed), s.speed())
	}
}

// jsonLines writes a JSON object a line for scripts, and always a last one.
type jsonLines struct{ w io.Writer }

func (*jsonLines) interval() time.Duration { return jsonInterval }

func (l *jsonLines) update(s snapshot) {
	// Nobody is left to tell when standard error can not be written.
	_ = json.NewEncoder(l.w).Encode(s)
}

func (l *jsonLines) finish(s snapshot) {
	s.Last, s.Left = true, 0
	l.update(s)
}
