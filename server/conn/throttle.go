package conn

import (
	"net/netip"
	"sync"
	"time"
)

// Throttle lets an address connect once in a while. An address is one of IPv4,
// or the 64 bits of IPv6 that one customer has. It may be used from any number
// of goroutines.
type Throttle struct {
	every time.Duration

	mu   sync.Mutex
	last map[netip.Prefix]time.Time // guarded by mu: when each was last let in
	// sweep is how many addresses there may be before old ones are dropped,
	// swept when that was done last: once in a wait is enough, as an address
	// stays for one.
	sweep int
	swept time.Time
}

const (
	// DefaultThrottle is how long an address waits (as other servers have it).
	DefaultThrottle = 4 * time.Second
	// maxThrottled is how many addresses are remembered. With more than that
	// within one wait, the others are let in: memory is worth more.
	maxThrottled = 1 << 16
	sweepStart   = 1 << 10
)

// NewThrottle returns a throttle that makes addresses wait so long.
func NewThrottle(every time.Duration) *Throttle {
	return &Throttle{every: every, last: map[netip.Prefix]time.Time{}, sweep: sweepStart}
}

// Allow reports whether the address may connect now. One that was refused
// does not wait longer for having tried.
func (t *Throttle) Allow(address netip.Addr, now time.Time) bool {
	key := throttleKey(address)
	t.mu.Lock()
	defer t.mu.Unlock()
	if last, ok := t.last[key]; ok && now.Sub(last) < t.every {
		return false
	}
	if len(t.last) >= t.sweep && now.Sub(t.swept) >= t.every/2 {
		t.swept = now
		for k, last := range t.last {
			if now.Sub(last) >= t.every {
				delete(t.last, k)
			}
		}
		t.sweep = min(max(2*len(t.last), sweepStart), maxThrottled)
	}
	if len(t.last) < maxThrottled {
		t.last[key] = now
	}
	return true
}

func throttleKey(address netip.Addr) netip.Prefix {
	address = address.Unmap().WithZone("")
	bits := address.BitLen()
	if address.Is6() {
		bits = 64
	}
	prefix, err := address.Prefix(bits)
	if err != nil {
		return netip.Prefix{} // all addresses that are none share one place
	}
	return prefix
}
