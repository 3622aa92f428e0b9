package protocol

import "time"

// Budget bounds what a peer may make us do over time: so much a second, and
// more at once if there was less before. It is a bucket of tokens that fills
// at a constant rate. It is for one goroutine.
type Budget struct {
	perSecond float64
	capacity  float64
	tokens    float64
	last      time.Time
}

// The budget of what a client may make us inflate, in bytes.
const (
	InflatedPerSecond = 5 << 20
	InflatedOver      = 7 * time.Second
)

// NewBudget returns a full budget of so many units a second over so long a
// time, from now on.
func NewBudget(perSecond int, over time.Duration, now time.Time) *Budget {
	capacity := float64(perSecond) * over.Seconds()
	return &Budget{perSecond: float64(perSecond), capacity: capacity, tokens: capacity, last: now}
}

// Take takes n units, or nothing and returns false if there are not as many.
// A time before that of an earlier call is that time.
func (b *Budget) Take(n int, now time.Time) bool {
	if d := now.Sub(b.last); d > 0 {
		b.tokens = min(b.capacity, b.tokens+b.perSecond*d.Seconds())
		b.last = now
	}
	if n < 0 || float64(n) > b.tokens {
		return false
	}
	b.tokens -= float64(n)
	return true
}
