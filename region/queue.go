package region

import (
	"context"
	"errors"
	"sync"
)

// queue gathers submitted writes into groups. There is no timer: while one
// group is behind its barriers the next one collects, so a write waits for at
// most the group before it and its own.
type queue struct {
	f       *File
	mu      sync.Mutex
	pending []*Commit
	running bool
	idle    sync.Cond // signalled when running becomes false
	scratch []byte    // the record buffer of Stage; guarded by File.io
}

// Commit is a submitted write.
type Commit struct {
	w    Write
	done chan struct{}
	err  error
}

// Done is closed when the write is durable or has failed.
func (c *Commit) Done() <-chan struct{} { return c.done }

// Wait waits until the write is durable and returns its error. If ctx ends
// first its error is returned; the write goes on.
func (c *Commit) Wait(ctx context.Context) error {
	select {
	case <-c.done:
		return c.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (q *queue) init(f *File) {
	q.f = f
	q.idle.L = &q.mu
}

// Submit queues a write and returns at once. Writes are published in the
// order in which they were submitted, up to MaxGroup at a time behind one
// payload barrier and one header barrier; of one slot, each is published. A
// group also ends when the versions it replaces take a twenty-fourth of the
// file's sectors.
// A write that is refused or whose condition fails does not fail the others
// of its group. One goroutine works while there is something to do.
func (f *File) Submit(w Write) *Commit {
	c := &Commit{w: w, done: make(chan struct{})}
	q := &f.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	if f.closing.Load() {
		c.finish(f.fail("write", -1, -1, "", ErrClosed))
		return c
	}
	q.pending = append(q.pending, c)
	if !q.running {
		q.running = true
		go q.run()
	}
	return c
}

// Write submits a write and waits until it is durable: payload and header
// flushed, and the file's name if it is new.
func (f *File) Write(ctx context.Context, w Write) error { return f.Submit(w).Wait(ctx) }

func (c *Commit) finish(err error) {
	c.err = err
	close(c.done)
}

func (q *queue) run() {
	for {
		group := q.next()
		if group == nil {
			return
		}
		q.commit(group)
	}
}

// next takes the writes of the next group: up to MaxGroup, no slot twice, and
// no more than a small part of the file to be freed by them. Until the header
// is durable old and new versions both take space, so the sectors that a group
// defers are what it makes the file larger.
func (q *queue) next() []*Commit {
	q.mu.Lock()
	defer q.mu.Unlock()
	n, limit := 0, q.f.opts.MaxGroup
	if q.f.opts.Sync == SyncEach {
		limit = 1
	}
	var seen [Slots]bool
	deferred, mostDeferred := 0, q.f.mostDeferred()
	for n < len(q.pending) && n < limit {
		if s := q.pending[n].w.Slot; s < Slots {
			deferred += int(q.f.Entry(s).Location.Count())
			if seen[s] || deferred > mostDeferred && n > 0 {
				break
			}
			seen[s] = true
		}
		n++
	}
	if n == 0 {
		q.running = false
		q.idle.Broadcast()
		return nil
	}
	group := q.pending[:n:n]
	q.pending = q.pending[n:]
	if len(q.pending) == 0 {
		q.pending = nil
	}
	return group
}

// mostDeferred is how many sectors the old versions of a group may take: a
// twenty-fourth of what is in use, but enough for some chunks.
func (f *File) mostDeferred() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.sectors == nil {
		return 0 // open for reading: every write is refused
	}
	return max(minDeferred, f.sectors.live/24)
}

// minDeferred is 128 KiB, some 15 chunks: in a small file flushes cost more
// than the space does.
const minDeferred = 32

func (q *queue) commit(group []*Commit) {
	good := group[:0:0]
	for _, c := range group {
		if q.f.opts.ReadOnly {
			c.finish(q.f.fail("write", -1, -1, "", ErrReadOnly))
		} else if err := q.f.checkWrite(&c.w); err != nil {
			c.finish(err)
		} else if c.w.If != nil && c.w.Slot < Slots && *c.w.If != q.f.Entry(c.w.Slot) {
			c.finish(q.f.fail("write", int(c.w.Slot), -1, "", ErrChanged))
		} else {
			good = append(good, c)
		}
	}
	if len(good) == 0 {
		return
	}
	err := q.publish(good)
	if err != nil && len(good) > 1 && separable(err) {
		// One write spoils the group: each gets its own answer.
		for _, c := range good {
			c.finish(q.publish([]*Commit{c}))
		}
		return
	}
	for _, c := range good {
		c.finish(err)
	}
}

// separable reports whether an error may be one write's alone.
func separable(err error) bool {
	return errors.Is(err, ErrChanged) || errors.Is(err, ErrFull) || errors.Is(err, SchemeMismatch)
}

func (q *queue) publish(group []*Commit) error {
	writes := make([]Write, len(group))
	for i, c := range group {
		writes[i] = c.w
	}
	g, err := q.f.Stage(writes...)
	if err != nil {
		return err
	}
	if err := g.Publish(); err != nil {
		return err
	}
	g.Release()
	return nil
}

// drain waits until no submitted write is left.
func (q *queue) drain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.running {
		q.idle.Wait()
	}
}
