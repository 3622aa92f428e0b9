package source

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/pregen"
	"strata/region"
)

// ErrGenerator is wrapped by errors about a generator that has not done what it
// must.
var ErrGenerator = errors.New("generator failed")

// outcome is what a job has made.
type outcome struct {
	mu   sync.Mutex // guards made while workers run
	made []pregen.Made
	base map[region.ChunkPos]lent
}

// lent is a full chunk whose light may change: held, since revisions count from
// the load.
type lent struct {
	hold     *store.Hold
	revision uint64
}

// release ends the holds.
func (o *outcome) release() {
	for _, l := range o.base {
		l.hold.Release()
	}
}

// run generates the chunks of a job, saves them with their rim, and delivers
// them.
func (s *Source) run(j *job) {
	s.mu.Lock()
	s.metrics.Jobs++
	s.mu.Unlock()
	out := &outcome{base: make(map[region.ChunkPos]lent)}
	defer out.release()
	err := s.make(j, out)
	switch {
	case err == nil:
		err = s.save(out)
	case j.ctx.Err() == nil:
		s.jobFailed(j, err)
		return
	}
	if err != nil { // given up
		s.giveBack(j, false)
		return
	}
	s.finish(j, out)
}

// jobFailed has the chunks of a job tried alone, or gives one up that was.
func (s *Source) jobFailed(j *job, err error) {
	s.releaseWorkers() // their scratch may be in any state
	s.mu.Lock()
	s.metrics.FailedJobs++
	s.mu.Unlock()
	if j.of != nil {
		s.opts.Events(Event{Text: fmt.Sprintf("generating %d chunks at %v failed", len(j.ahead), j.ahead[0]), Err: err})
		s.mu.Lock()
		s.job = nil
		s.tileDone(j, 0, true)
		s.mu.Unlock()
		return
	}
	if len(j.entries) == 0 {
		s.giveBack(j, false)
		return
	}
	s.opts.Events(Event{Text: fmt.Sprintf("generating %d chunks at %v failed", len(j.entries), j.entries[0].pos), Err: err})
	if len(j.entries) > 1 || len(j.ahead) > 0 {
		s.giveBack(j, true)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.job = nil
	s.deliver(Result{Pos: j.entries[0].pos, Err: err})
}

// make generates. All workers share the job's area, and so what the generator
// keeps for it.
func (s *Source) make(j *job, out *outcome) error {
	parts, err := s.parts(j, out)
	if err != nil {
		return err
	}
	for len(s.workers) < len(parts) {
		w, err := s.generator.NewWorker()
		if err != nil {
			return err
		}
		s.workers = append(s.workers, w)
	}
	ctx, cancel := context.WithCancel(j.ctx)
	defer cancel()
	errs := make([]error, len(parts))
	var wg sync.WaitGroup
	for i, chunks := range parts {
		wg.Go(func() {
			if errs[i] = s.part(ctx, j, s.workers[i], chunks, out); errs[i] != nil {
				cancel()
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return s.check(j, out)
}

// part generates some chunks of a job.
func (s *Source) part(ctx context.Context, j *job, w pregen.Worker, chunks []pregen.Wanted, out *outcome) error {
	if l := s.opts.Limit; l != nil {
		select {
		case l.tokens <- struct{}{}:
			defer func() { <-l.tokens }()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	asked := make(map[region.ChunkPos]bool, len(chunks))
	for _, c := range chunks {
		asked[c.Pos] = true
	}
	b := &pregen.Batch{At: chunks[0].Pos, Side: 1, Chunks: chunks, Area: j.area, Memory: s.opts.Memory, Stored: func(p region.ChunkPos) (*chunk.Chunk, error) {
		c, hold, err := s.stored(ctx, p)
		if err == nil {
			hold.Release()
		}
		return c, err
	}}
	err := generate(ctx, w, b, func(m pregen.Made) error {
		if !asked[m.Pos] {
			return fmt.Errorf("chunk %v came, which was not asked for: %w", m.Pos, ErrGenerator)
		}
		delete(asked, m.Pos)
		out.mu.Lock()
		defer out.mu.Unlock()
		out.made = append(out.made, m)
		return nil
	})
	if err == nil && len(asked) > 0 {
		err = fmt.Errorf("%d chunks did not come: %w", len(asked), ErrGenerator)
	}
	return err
}

// generate calls the generator. A panic there is an error.
func generate(ctx context.Context, w pregen.Worker, b *pregen.Batch, done func(pregen.Made) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: panic: %v\n%s", ErrGenerator, p, debug.Stack())
		}
	}()
	return w.Generate(ctx, b, done)
}
