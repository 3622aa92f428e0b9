package client

import (
	"context"
	"errors"
	"fmt"

	"strata/anvil/registry"
	"strata/server/protocol"
)

// The intents of the first packet.
const (
	IntentStatus = 1
	IntentLogin  = 2
)

// ErrUnexpected says that the server sent what it may not send there.
var ErrUnexpected = errors.New("unexpected packet")

// Disconnected is the error of a connection that the server has ended with a
// reason.
type Disconnected struct {
	// Reason is what the server said: JSON in the login state, else the text in
	// English.
	Reason string
}

// Error returns the reason.
func (e *Disconnected) Error() string { return "disconnected: " + e.Reason }

// Hello sends the first packet, with any number of a protocol and any intent, and
// is then in the state of the intent.
func (r *Raw) Hello(protocolNumber, intent int32) error {
	err := r.Send(&protocol.Intention{Protocol: protocolNumber, Host: "localhost", Port: 25565, Intent: intent})
	if intent == IntentStatus {
		r.SetState(registry.Status)
	} else {
		r.SetState(registry.Login)
	}
	return err
}

// Status asks a server on a new connection for its status, JSON, and pings it.
func (r *Raw) Status(ping int64) (string, error) {
	if err := r.Hello(int32(r.version.Protocol()), IntentStatus); err != nil {
		return "", err
	}
	if err := r.SendAll(&protocol.StatusRequest{}, &protocol.PingRequest{Time: ping}); err != nil {
		return "", err
	}
	p, err := r.Read()
	if err != nil {
		return "", err
	}
	status, ok := p.(*protocol.StatusResponse)
	if !ok {
		return "", fmt.Errorf("%s for a status: %w", p.PacketName(), ErrUnexpected)
	}
	if p, err = r.Read(); err != nil {
		return "", err
	}
	if pong, ok := p.(*protocol.PongResponse); !ok || pong.Time != ping {
		return "", fmt.Errorf("%s for a ping: %w", p.PacketName(), ErrUnexpected)
	}
	return status.Response, nil
}

// Login logs in on a new connection, which is then in the configuration state.
// session is nil offline; a server in online mode then refuses the client. The error
// is a [*Disconnected] if the server said why.
func (r *Raw) Login(ctx context.Context, name string, session *Session) (*protocol.LoginFinished, error) {
	if err := r.Hello(int32(r.version.Protocol()), IntentLogin); err != nil {
		return nil, err
	}
	if err := r.Send(&protocol.HelloServerbound{Username: name}); err != nil {
		return nil, err
	}
	for {
		p, err := r.Read()
		if err != nil {
			return nil, fmt.Errorf("log in: %w", err)
		}
		if finished, ok := p.(*protocol.LoginFinished); ok {
			if err := r.Send(&protocol.LoginAcknowledged{}); err != nil {
				return nil, err
			}
			r.SetState(registry.Configuration)
			return finished, nil
		}
		if err := r.answerLogin(ctx, p, session); err != nil {
			return nil, err
		}
	}
}

// answerLogin does what a packet of the login state, but its last, demands.
func (r *Raw) answerLogin(ctx context.Context, p protocol.Packet, session *Session) error {
	switch p := p.(type) {
	case *protocol.LoginCompression:
		return r.Compress(int(p.Threshold))
	case *protocol.HelloClientbound:
		return r.exchangeKey(ctx, p, session)
	case *protocol.CustomQuery:
		return r.Send(&protocol.CustomQueryAnswer{MessageID: p.MessageID})
	case *protocol.CookieRequest:
		return r.Send(&protocol.CookieResponse{Key: p.Cookie})
	case *protocol.LoginDisconnect:
		return &Disconnected{p.Reason}
	}
	return fmt.Errorf("%s in the login state: %w", p.PacketName(), ErrUnexpected)
}

// Configure answers what the server demands in the configuration state, up to its
// end, and is then in the play state. visit is called with each packet before, and
// may be nil. With known false the client knows no packs of the server, which then
// sends the values of all registries.
func (r *Raw) Configure(known bool, visit func(protocol.Packet)) error {
	for r.State() == registry.Configuration {
		p, err := r.Read()
		if err != nil {
			return fmt.Errorf("configure: %w", err)
		}
		if visit != nil {
			visit(p)
		}
		if err := r.answerConfiguration(p, known); err != nil {
			return err
		}
	}
	return nil
}

func (r *Raw) answerConfiguration(p protocol.Packet, known bool) error {
	switch p := p.(type) {
	case *protocol.SelectKnownPacks:
		answer := &protocol.SelectKnownPacks{}
		for _, pack := range p.Packs {
			if known && pack == r.core() {
				answer.Packs = append(answer.Packs, pack)
			}
		}
		return r.Send(answer)
	case *protocol.FinishConfiguration:
		if err := r.Send(&protocol.FinishConfiguration{}); err != nil {
			return err
		}
		r.SetState(registry.Play)
		return nil
	}
	return r.answerCommon(p)
}

// core is the pack of the game itself, which clients know.
func (r *Raw) core() protocol.KnownPack {
	return protocol.KnownPack{Namespace: "minecraft", ID: "core", Version: r.version.String()}
}

// declined is the answer to the offer of a resource pack.
const declined = 1

// answerCommon answers packets that the configuration and play states share.
func (r *Raw) answerCommon(p protocol.Packet) error {
	switch p := p.(type) {
	case *protocol.KeepAlive:
		return r.Send(&protocol.KeepAlive{ID: p.ID})
	case *protocol.Ping:
		return r.Send(&protocol.Pong{ID: p.ID})
	case *protocol.CookieRequest:
		return r.Send(&protocol.CookieResponse{Key: p.Cookie})
	case *protocol.ResourcePackPush:
		return r.Send(&protocol.ResourcePack{UUID: p.UUID, Result: declined})
	case *protocol.Disconnect:
		return &Disconnected{textOf(p.Reason)}
	}
	return nil
}
