package server

import (
	"testing"
	"time"

	"strata/anvil"
	"strata/anvil/registry"
)

func TestMetricsSayWhatTheServerIsAt(t *testing.T) {
	s, _ := start(t)
	before := s.Metrics()
	if before.Players != 0 || before.BytesIn != 0 || len(before.Dimensions) != len(dimensionIDs) {
		t.Errorf("before anybody came: %+v", before)
	}
	c := join(t, s, registry.V26_1, "Walker_1")
	m := s.Metrics()
	d := m.Dimensions[0]
	if m.Players != 1 || m.MaxPlayers != 20 || m.Connections != 1 || m.OpenConnections != 1 || m.BytesIn == 0 || m.BytesOut < 10000 {
		t.Errorf("players and connections: %+v", m)
	}
	if d.ID != anvil.Overworld || d.Loaded < c.Chunks() || d.Source.Generated == 0 || m.Frames.Built == 0 || m.Store.Objects == 0 {
		t.Errorf("chunks: %+v, %+v, %+v", d, m.Frames, m.Store)
	}
	if m.Ticks == 0 || m.Ticking <= 0 || m.Tick.Max <= 0 || m.TickTimes[len(m.TickTimes)-1].Ticks > m.Ticks {
		t.Errorf("ticks: %+v", m)
	}
	_ = c.Close()
	for deadline := time.Now().Add(clientTime); s.Metrics().OpenConnections != 0 || s.Metrics().Players != 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the connection has ended: %+v", s.Metrics())
		}
	}
}

// A scrape may come while the world is being closed.
func TestMetricsCanBeHadUntilTheEnd(t *testing.T) {
	s, stop := start(t)
	join(t, s, registry.V26_2, "Walker_1")
	ended, scraped := make(chan struct{}), make(chan int)
	go func() {
		for n := 1; ; n++ {
			s.Metrics()
			select {
			case <-ended:
				scraped <- n
				return
			default:
			}
		}
	}()
	if err := stop(); err != nil {
		t.Error(err)
	}
	close(ended)
	if n := <-scraped; n < 10 {
		t.Errorf("only %d scrapes", n)
	}
}
