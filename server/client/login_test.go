package client

import (
	"errors"
	"testing"

	"strata/anvil/registry"
	"strata/server/protocol"
)

// script is a server's end of a connection that a test speaks for.
type script struct {
	t     *testing.T
	in    *protocol.FrameReader
	raw   *Raw
	state registry.State
}

// read expects a packet of the client, and returns it.
func (s *script) read() protocol.Packet {
	frame, err := s.in.Next()
	if err != nil {
		s.t.Errorf("the script reads: %v", err)
		return &protocol.ClientTickEnd{}
	}
	p, err := protocol.DecodePacket(protocol.NewReader(frame), registry.V26_1, s.state, registry.Serverbound)
	if err != nil {
		s.t.Errorf("the script reads: %v", err)
		return &protocol.ClientTickEnd{}
	}
	return p
}

// send sends a packet to the client.
func (s *script) send(p protocol.Packet) {
	var w protocol.Writer
	if err := protocol.EncodePacket(&w, registry.V26_1, s.state, registry.Clientbound, p); err != nil {
		s.t.Error(err)
	}
	if err := s.raw.SendBody(w.Bytes()); err != nil {
		s.t.Error(err)
	}
}

func TestQuestionsOfTheLoginAreAnswered(t *testing.T) {
	near, far := pair(t)
	defer func() { _ = near.Close() }()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer func() { _ = far.Close() }()
		s := &script{t: t, in: protocol.NewFrameReader(far, protocol.MaxFrame), raw: NewRaw(far, registry.V26_1)}
		if hello, ok := s.read().(*protocol.Intention); !ok || hello.Protocol != 775 || hello.Intent != IntentLogin {
			t.Errorf("the first packet is %+v", hello)
		}
		s.state = registry.Login
		if name, ok := s.read().(*protocol.HelloServerbound); !ok || name.Username != "Walker_1" {
			t.Errorf("the second packet is %+v", name)
		}
		s.send(&protocol.CustomQuery{MessageID: 5, Channel: "a:b", Data: []byte{1}})
		if answer, ok := s.read().(*protocol.CustomQueryAnswer); !ok || answer.MessageID != 5 || answer.Data.Present {
			t.Errorf("the answer to a query is %+v", answer)
		}
		s.send(&protocol.CookieRequest{Cookie: "a:b"})
		if answer, ok := s.read().(*protocol.CookieResponse); !ok || answer.Key != "a:b" || answer.Value.Present {
			t.Errorf("the answer about a cookie is %+v", answer)
		}
		s.send(&protocol.LoginFinished{Username: "Walker_2"})
		if _, ok := s.read().(*protocol.LoginAcknowledged); !ok {
			t.Error("the end of the login was not acknowledged")
		}
	}()
	r := NewRaw(near, registry.V26_1)
	finished, err := r.Login(t.Context(), "Walker_1", nil)
	if err != nil || finished.Username != "Walker_2" || r.State() != registry.Configuration {
		t.Errorf("%+v, state %v, error %v", finished, r.State(), err)
	}
	<-ended
}

func TestAServerThatBreaksTheRulesIsAnError(t *testing.T) {
	near, far := pair(t)
	defer func() { _ = near.Close() }()
	s := &script{t: t, raw: NewRaw(far, registry.V26_1), state: registry.Status}
	s.send(&protocol.PongResponse{})
	if _, err := NewRaw(near, registry.V26_1).Status(7); !errors.Is(err, ErrUnexpected) {
		t.Errorf("a pong for a status: %v", err)
	}
	near, far = pair(t)
	defer func() { _ = near.Close() }()
	s = &script{t: t, raw: NewRaw(far, registry.V26_1), state: registry.Login}
	s.send(&protocol.HelloClientbound{PublicKey: []byte{1}, VerifyToken: []byte{1, 2, 3, 4}})
	if _, err := NewRaw(near, registry.V26_1).Login(t.Context(), "Walker_1", nil); err == nil {
		t.Error("a key that is none was taken")
	}
}
