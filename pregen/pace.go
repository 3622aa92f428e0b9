package pregen

import (
	"context"
	"sync"
	"time"
)

// pace holds work back so that no more than so many chunks a second are made,
// and no more than so many processors are busy. What was not used is given
// back for the time of burst only.
type pace struct {
	rate float64 // chunks a second, 0 for no limit
	load float64 // processors, 0 for no limit
	cpu  func() time.Duration

	mu      sync.Mutex
	next    time.Time // when the next chunk is due
	at      time.Time // of the last look at the CPU time
	used    time.Duration
	balance time.Duration // of CPU time, negative for debts
}

const burst = 250 * time.Millisecond

// maxPause is the longest that is slept in one piece: the load of others in
// the process changes.
const maxPause = time.Second

// newPace begins now.
func newPace(rate, load float64, cpu func() time.Duration) *pace {
	now := time.Now()
	return &pace{rate: rate, load: load, cpu: cpu, next: now, at: now, used: cpu()}
}

// made counts chunks, and returns how long to wait before the next.
func (p *pace) made(chunks int) time.Duration {
	if p.rate == 0 && p.load == 0 {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	pause := time.Duration(0)
	if p.rate > 0 {
		if early := now.Add(-burst); p.next.Before(early) {
			p.next = early
		}
		p.next = p.next.Add(time.Duration(float64(chunks) / p.rate * float64(time.Second)))
		pause = p.next.Sub(now)
	}
	if p.load > 0 {
		used := p.cpu()
		earned := time.Duration(p.load * float64(now.Sub(p.at)))
		p.balance = min(p.balance+earned-(used-p.used), time.Duration(p.load*float64(burst)))
		p.at, p.used = now, used
		pause = max(pause, time.Duration(float64(-p.balance)/p.load))
	}
	return pause
}

// wait is made, and waits.
func (p *pace) wait(ctx context.Context, chunks int) error {
	pause := p.made(chunks)
	for pause > 0 {
		if err := sleep(ctx, min(pause, maxPause)); err != nil {
			return err
		}
		if pause -= maxPause; p.load > 0 {
			pause = p.made(0)
		}
	}
	return ctx.Err()
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
