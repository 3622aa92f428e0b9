package server

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"strata/anvil/registry"
	"strata/server/client"
	"strata/server/protocol"
)

// TestATickLetsFewPlayersIn has the test tick, so that it sees each.
func TestATickLetsFewPlayersIn(t *testing.T) {
	s, stop := start(t)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	o := s.options
	o.Address = "127.0.0.1:0"
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	connections, cancel := context.WithCancel(t.Context())
	accepted := make(chan struct{})
	go func() {
		defer close(accepted)
		s.accept(connections)
	}()
	const crowd = 12
	var clients, arrived sync.WaitGroup
	arrived.Add(crowd)
	for i := range crowd {
		clients.Go(func() {
			ctx, stop := context.WithTimeout(t.Context(), clientTime)
			defer stop()
			c, err := client.Join(ctx, client.Options{Address: s.Addr().String(), Name: fmt.Sprintf("Walker_%d", i)})
			arrived.Done()
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = c.Close() }()
			<-connections.Done() // it stays
		})
	}
	most, in, begun := 0, 0, false
	for deadline := time.Now().Add(clientTime); in < crowd && time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if begun = begun || s.game.Waiting() == crowd; !begun {
			continue // so that all are there when the first is let in
		}
		if err := s.game.Tick(); err != nil {
			t.Fatal(err)
		}
		s.store.Tick()
		now := len(s.game.Online())
		most, in = max(most, now-in), max(in, now)
	}
	if in != crowd || most > 5 {
		t.Errorf("%d of %d are in, %d at most in a tick", in, crowd, most)
	}
	arrived.Wait()
	cancel()
	clients.Wait()
	if err := s.listener.Close(); err != nil {
		t.Error(err)
	}
	<-accepted
	s.handlers.Wait()
	if err := s.closeWorld(); err != nil {
		t.Error(err)
	}
}

func TestAFullServerIsFull(t *testing.T) {
	const most, crowd = 2, 8
	s, _ := start(t, func(o *Options) { o.MaxPlayers = most })
	var clients sync.WaitGroup
	var mu sync.Mutex
	in, told := 0, 0
	all := make(chan struct{})
	for i := range crowd {
		clients.Go(func() {
			c, err := client.Dial(t.Context(), client.Options{Address: s.Addr().String(), Name: fmt.Sprintf("Walker_%d", i)})
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = c.Close() }()
			full := false
			err = c.Until(clientTime, "the world or a refusal", func(p protocol.Packet) bool {
				d, ok := p.(*protocol.Disconnect)
				full = ok && strings.Contains(string(d.Reason), "server_full")
				return full || c.Dimension != ""
			})
			mu.Lock()
			if full {
				told++
			} else if err == nil {
				in++
			}
			if in+told == crowd {
				close(all)
			}
			mu.Unlock()
			select { // those who are in stay until all know
			case <-all:
			case <-time.After(clientTime):
			}
		})
	}
	clients.Wait()
	if in != most || told != crowd-most {
		t.Errorf("%d are in, %d were told that it is full", in, told)
	}
}

// panicking is a connection whose bytes cannot even be asked for.
type panicking struct{ net.Conn }

func (panicking) Read([]byte) (int, error) { panic("as bad as it gets") }

func TestAConnectionThatPanicsEndsNoOther(t *testing.T) {
	log := &lineLog{}
	s, _ := start(t, func(o *Options) { o.Log = slog.New(log) })
	c := join(t, s, registry.V26_1, "Walker_1")
	near, far := net.Pipe()
	defer func() { _, _ = near.Close(), far.Close() }()
	s.serve(t.Context(), panicking{far})
	log.has(t, "connection panicked", "as bad as it gets", "Read")
	c.until("the time", func(p protocol.Packet) bool { _, ok := p.(*protocol.SetTime); return ok })
}
