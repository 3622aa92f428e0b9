package conn

import (
	"encoding/binary"
	"net/netip"
	"testing"
	"time"
)

func TestAnAddressConnectsOnceInAWhile(t *testing.T) {
	now := time.Unix(100, 0)
	throttle := NewThrottle(DefaultThrottle)
	for _, step := range []struct {
		after   time.Duration
		address string
		want    bool
	}{
		{0, "192.0.2.1", true},
		{0, "192.0.2.1", false},
		{0, "::ffff:192.0.2.1", false},
		{0, "192.0.2.2", true},
		{3999 * time.Millisecond, "192.0.2.1", false},
		{time.Millisecond, "192.0.2.1", true},
		{0, "2001:db8::1", true},
		{0, "2001:db8::ffff", false},
		{0, "2001:db8:0:1::1", true},
	} {
		now = now.Add(step.after)
		if got := throttle.Allow(netip.MustParseAddr(step.address), now); got != step.want {
			t.Errorf("%s at %v: %v", step.address, now, got)
		}
	}
	if !throttle.Allow(netip.Addr{}, now) || throttle.Allow(netip.Addr{}, now) {
		t.Error("no address is not one place")
	}
}

func TestAThrottleForgets(t *testing.T) {
	now := time.Unix(100, 0)
	throttle := NewThrottle(time.Second)
	address := func(i int) netip.Addr {
		return netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(nil, uint32(i))))
	}
	for i := range 3 * maxThrottled {
		now = now.Add(time.Millisecond)
		if !throttle.Allow(address(i), now) {
			t.Fatalf("address %d was refused", i)
		}
		if len(throttle.last) > 4*sweepStart {
			t.Fatalf("%d addresses are remembered for a thousand that wait", len(throttle.last))
		}
	}
	for i := range 2 * maxThrottled {
		throttle.Allow(address(i), now)
	}
	if len(throttle.last) > maxThrottled {
		t.Errorf("%d addresses are remembered", len(throttle.last))
	}
}
