package server

import (
	"net"
	"testing"
	"time"

	"strata/anvil/registry"
	"strata/server/client"
	"strata/server/protocol"
)

// testClient is a client of the tests: what goes wrong ends the test.
type testClient struct {
	*client.Client
	t *testing.T
}

// clientTime is how long a client of the tests waits for anything.
const clientTime = 30 * time.Second

func dial(t *testing.T, address net.Addr, v registry.Version, name string) *testClient {
	t.Helper()
	c, err := client.Dial(t.Context(), client.Options{Address: address.String(), Version: v, Name: name})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return &testClient{c, t}
}

func (p *testClient) send(packet protocol.Packet) {
	p.t.Helper()
	if err := p.Send(packet); err != nil {
		p.t.Log(err) // such as after a disconnection, which the test waits for
	}
}

// until reads until done says so.
func (p *testClient) until(what string, done func(protocol.Packet) bool) {
	p.t.Helper()
	if err := p.Until(clientTime, what, done); err != nil {
		p.t.Fatal(err)
	}
}

// walk moves to x, as high and as far south as the client is.
func (p *testClient) walk(x float64) {
	p.t.Helper()
	if err := p.MoveTo(x, p.Position.Y, p.Position.Z); err != nil {
		p.t.Log(err)
	}
}
