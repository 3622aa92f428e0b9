package ui

import (
	"io"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// bar is a bar on a terminal. mpb redraws it by its own clock from the state
// that it is given, fits it to the width of the terminal, and prints what is
// written meanwhile above it.
type bar struct {
	err       *errWriter
	container *mpb.Progress
	bar       *mpb.Bar
}

const barWidth = 30

func newBar(c *Console, state func() snapshot) *bar {
	text := func(of func(s snapshot) string) decor.Decorator {
		return decor.Any(func(decor.Statistics) string { return of(state()) })
	}
	b := &bar{err: c.err, container: mpb.New(mpb.WithOutput(c.streams.Err), mpb.WithAutoRefresh())}
	style := mpb.BarStyle().Lbound("[").Filler("=").Tip(">").Padding(" ").Rbound("]")
	fill := func(inner mpb.BarFiller) mpb.BarFiller { return fromState{inner, state} }
	// mpb counts nothing: a total of 1 that is never reached keeps the bar
	// running until it is stopped, though the true total may change.
	b.bar = b.container.New(1, style,
		mpb.BarWidth(barWidth),
		mpb.BarFillerMiddleware(fill),
		mpb.BarFillerTrim(),
		mpb.PrependDecorators(text(func(s snapshot) string { return s.Label + " " })),
		mpb.AppendDecorators(text(func(s snapshot) string { return " " + s.line() })))
	c.err.through(b.container)
	return b
}

// fromState fills a bar to what the state says.
type fromState struct {
	inner mpb.BarFiller
	state func() snapshot
}

// Fill draws the bar.
func (f fromState) Fill(w io.Writer, stat decor.Statistics) error {
	s := f.state()
	stat.Total, stat.Current = s.Total, min(s.Done, s.Total)
	stat.Completed = s.Total > 0 && s.Done >= s.Total
	return f.inner.Fill(w, stat)
}

func (*bar) interval() time.Duration { return 0 }

func (*bar) update(snapshot) {}

// finish leaves the bar as it stands: full when the work is done, and at what
// was reached when it stopped early.
func (b *bar) finish(snapshot) {
	b.err.direct(func() {
		b.bar.Abort(false)
		b.container.Wait()
	})
}
