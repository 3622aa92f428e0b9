package server

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"time"

	"strata/anvil/registry"
	"strata/server/client"
	"strata/server/protocol"
)

// attacker sends inputs over one connection after another.
type attacker struct {
	inputs
	address string
	name    string
	counts  *counts
}

// counts are the inputs sent to each state, over how many connections.
type counts [registry.Play + 1]struct{ inputs, connections atomic.Int64 }

func (c *counts) String() string {
	var all []string
	for s := range c {
		all = append(all, fmt.Sprintf("%v %d by %d", registry.State(s), c[s].inputs.Load(), c[s].connections.Load()))
	}
	return strings.Join(all, ", ")
}

const (
	// patience is how long an attacker waits for the server to close.
	patience = 10 * time.Second
	// politely is how many inputs at a time are sent to the play state, between two
	// signs that the server has done them, and rounds how often.
	politely, rounds = 300, 4
	// configured is how many inputs the configuration state gets that do not end it.
	configured = 150
)

// attack attacks a state, chosen so that about as many inputs as are worth while go to
// each: those of the play state need few connections for many. It returns how many it
// has sent.
func (a *attacker) attack(ctx context.Context) int {
	a.version = registry.Versions()[a.IntN(2)]
	state, attack := registry.Play, a.play
	switch n := a.IntN(10000); {
	case n < 5800:
		state, attack = registry.Handshake, a.handshake
	case n < 7300:
		state, attack = registry.Status, a.status
	case n < 9700:
		state, attack = registry.Login, a.login
	case n < 9870:
		state, attack = registry.Configuration, a.configuration
	}
	n := attack(ctx)
	a.counts[state].inputs.Add(int64(n))
	a.counts[state].connections.Add(1)
	return n
}

func (a *attacker) dial(ctx context.Context) *client.Raw {
	for ctx.Err() == nil {
		r, err := client.DialRaw(ctx, a.address, a.version)
		if err == nil {
			_ = r.SetDeadline(time.Now().Add(patience))
			return r
		}
		time.Sleep(time.Millisecond) // such as no free port
	}
	return nil
}

// hangUp ends what is sent, and waits for the server to close.
func hangUp(r *client.Raw) {
	if half, ok := r.NetConn().(*net.TCPConn); ok {
		_ = half.CloseWrite()
	}
	_, _ = io.Copy(io.Discard, r.NetConn())
	_ = r.Close()
}

// wrong sends something that is wrong in the state.
func (a *attacker) wrong(r *client.Raw, compressed bool) {
	a.polite = false
	s := r.State()
	var body []byte
	switch a.IntN(6) {
	case 0:
		body = a.mutated(s)
	case 1:
		body = a.noise([]byte{byte(a.integer())}, 400)
	case 2:
		body = a.claims(s)
	case 3:
		body = a.packet([]registry.State{registry.Handshake, registry.Status, registry.Login, registry.Configuration, registry.Play}[a.IntN(5)], registry.Direction(a.IntN(2)))
	case 4:
		body = a.packet(s, registry.Serverbound)
	default:
		_, _ = r.Write(a.frame(compressed))
		return
	}
	_ = r.SendBody(body) // the server may have closed
}

func (a *attacker) handshake(ctx context.Context) int {
	r := a.dial(ctx)
	if r == nil {
		return 0
	}
	a.wrong(r, false)
	hangUp(r)
	return 1
}

func (a *attacker) status(ctx context.Context) int {
	r := a.dial(ctx)
	if r == nil {
		return 0
	}
	_ = r.Hello(int32(a.integer()), client.IntentStatus)
	if a.IntN(2) == 0 {
		_ = r.Send(&protocol.StatusRequest{})
	}
	a.wrong(r, false)
	hangUp(r)
	return 2 // the version is one too
}

func (a *attacker) login(ctx context.Context) int {
	r := a.dial(ctx)
	if r == nil {
		return 0
	}
	sent := 1
	_ = r.Hello(int32(a.version.Protocol()), client.IntentLogin)
	switch a.IntN(3) {
	case 0:
		_ = r.Send(&protocol.HelloServerbound{Username: a.text()})
		sent++
	case 1:
		_ = r.Send(&protocol.HelloServerbound{Username: a.name})
		_ = r.Compress(256)
	}
	a.wrong(r, true)
	hangUp(r)
	return sent
}

func (a *attacker) configuration(ctx context.Context) int {
	r := a.dial(ctx)
	if r == nil {
		return 0
	}
	if _, err := r.Login(ctx, a.name, nil); err != nil {
		_ = r.Close()
		return 0
	}
	a.polite = true
	n := 0
	for range configured {
		var p protocol.Packet = &protocol.CustomPayload{Channel: "a:b", Data: a.noise(nil, 300)}
		switch a.IntN(4) {
		case 0:
			p = &protocol.ClientInformation{Locale: "x", ViewDistance: int8(a.integer()), SkinParts: uint8(a.integer())}
		case 1:
			p = &protocol.Pong{ID: int32(a.integer())}
		case 2:
			p = &protocol.KeepAlive{ID: a.integer()}
		}
		if r.Send(p) != nil {
			break
		}
		n++
	}
	a.wrong(r, true)
	hangUp(r)
	return n + 1
}

// play plays for a while in a way that hurts, and then does something that ends it.
func (a *attacker) play(ctx context.Context) (sent int) {
	c, err := client.Join(ctx, client.Options{Address: a.address, Version: a.version, Name: a.name, ViewDistance: 2, Lean: true})
	if err != nil {
		return 0
	}
	defer func() { _ = c.Close() }()
	a.polite = true
	for round := range int32(rounds) {
		for range politely {
			if c.SendBody(a.packet(registry.Play, registry.Serverbound)) != nil {
				return sent
			}
			sent++
		}
		if a.done(c, round) != nil {
			return sent
		}
	}
	a.wrong(c.Raw, true)
	hangUp(c.Raw)
	return sent + 1
}

// done waits until the server has done all that was sent. Completions that come more
// often than one a tick get no answer, so that it asks again until one has.
func (a *attacker) done(c *client.Client, round int32) error {
	for try := range int32(100) {
		id := 1_000_000 + round*100 + try
		if err := c.Send(&protocol.CommandSuggestion{TransactionID: id, Text: "/me"}); err != nil {
			return err
		}
		err := c.Until(patience/100, "the answer", func(p protocol.Packet) bool {
			s, ok := p.(*protocol.CommandSuggestions)
			return ok && s.TransactionID >= 1_000_000
		})
		if err == nil || !isTimeout(err) {
			return err
		}
	}
	return fmt.Errorf("no answer in %v", patience)
}
