package conn

import (
	"context"
	"net"
	"testing"

	"strata/anvil/registry"
	"strata/server/protocol"
)

// FuzzHandle plays a client that sends any bytes and goes.
func FuzzHandle(f *testing.F) {
	s, err := NewServer(Options{})
	if err != nil {
		f.Fatal(err)
	}
	stream := func(state registry.State, dst []byte, p protocol.Packet) []byte {
		var w protocol.Writer
		if err := protocol.EncodePacket(&w, registry.V26_1, state, registry.Serverbound, p); err != nil {
			f.Fatal(err)
		}
		out, err := protocol.AppendFrame(dst, w.Bytes())
		if err != nil {
			f.Fatal(err)
		}
		return out
	}
	status := stream(registry.Handshake, nil, &protocol.Intention{Protocol: 775, Intent: intentStatus})
	f.Add(stream(registry.Status, stream(registry.Status, status, &protocol.StatusRequest{}), &protocol.PingRequest{Time: 1}))
	login := stream(registry.Handshake, nil, &protocol.Intention{Protocol: 776, Intent: intentLogin})
	f.Add(append(stream(registry.Login, login, &protocol.HelloServerbound{Username: "Walker"}), 2, 0, 3))
	f.Add([]byte{0xfe, 1, 0xfa})
	f.Fuzz(func(_ *testing.T, data []byte) {
		client, server := net.Pipe()
		done := make(chan struct{})
		go func() {
			defer close(done)
			buf := make([]byte, 4096)
			for {
				if _, err := client.Read(buf); err != nil {
					return
				}
			}
		}()
		go func() {
			_, _ = client.Write(data)
			_ = client.Close()
		}()
		c, err := s.Handle(context.Background(), server)
		if err == nil {
			_ = c.Close()
		}
		<-done
	})
}
