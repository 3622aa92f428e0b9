package server

import (
	"bytes"
	"net"
	"testing"
	"time"

	"strata/anvil/registry"
	"strata/server/protocol"
)

// client is a client of the tests: it acknowledges what has to be.
type client struct {
	t       *testing.T
	net     net.Conn
	in      *protocol.FrameReader
	framer  *protocol.Framer
	version registry.Version
	state   registry.State
	// position is the last that the server said.
	position *protocol.PlayerPosition
	chunks   map[[2]int32]int
	entityID int32
}

func dial(t *testing.T, address net.Addr, v registry.Version, name string) *client {
	t.Helper()
	nc, err := net.Dial("tcp", address.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = nc.Close() })
	_ = nc.SetDeadline(time.Now().Add(30 * time.Second))
	c := &client{
		t: t, net: nc, in: protocol.NewFrameReader(nc, protocol.MaxFrame), version: v, chunks: map[[2]int32]int{},
	}
	c.send(&protocol.Intention{Protocol: int32(v.Protocol()), Host: "localhost", Port: 25565, Intent: 2})
	c.state = registry.Login
	c.send(&protocol.HelloServerbound{Username: name})
	return c
}

func (c *client) send(p protocol.Packet) {
	c.t.Helper()
	var w protocol.Writer
	if err := protocol.EncodePacket(&w, c.version, c.state, registry.Serverbound, p); err != nil {
		c.t.Fatal(err)
	}
	appendFrame := protocol.AppendFrame
	if c.framer != nil {
		appendFrame = c.framer.AppendFrame
	}
	frame, err := appendFrame(nil, w.Bytes())
	if err != nil {
		c.t.Fatal(err)
	}
	_, _ = c.net.Write(frame)
}

// read returns the next packet, nil when the server has closed the connection.
func (c *client) read() protocol.Packet {
	c.t.Helper()
	frame, err := c.in.Next()
	if err != nil {
		return nil
	}
	p, err := protocol.DecodePacket(protocol.NewReader(bytes.Clone(frame)), c.version, c.state, registry.Clientbound)
	if err != nil {
		c.t.Fatal(err)
	}
	c.answer(p)
	return p
}

func (c *client) answer(p protocol.Packet) {
	switch p := p.(type) {
	case *protocol.LoginCompression:
		c.framer, _ = protocol.NewFramer(int(p.Threshold), 1)
		c.in.SetThreshold(int(p.Threshold))
	case *protocol.LoginFinished:
		c.send(&protocol.LoginAcknowledged{})
		c.state = registry.Configuration
		c.send(&protocol.ClientInformation{Locale: "en_us", ViewDistance: 10})
	case *protocol.SelectKnownPacks:
		c.send(&protocol.SelectKnownPacks{})
	case *protocol.FinishConfiguration:
		c.send(&protocol.FinishConfiguration{})
		c.state = registry.Play
	case *protocol.Login:
		c.entityID = p.EntityID
	case *protocol.PlayerPosition:
		c.position = p
		c.send(&protocol.AcceptTeleportation{TeleportID: p.TeleportID})
	case *protocol.LevelChunkWithLight:
		c.chunks[[2]int32{p.X, p.Z}]++
	case *protocol.ForgetLevelChunk:
		delete(c.chunks, [2]int32{p.ChunkX, p.ChunkZ})
	case *protocol.ChunkBatchFinished:
		c.send(&protocol.ChunkBatchReceived{ChunksPerTick: 64})
	case *protocol.KeepAlive:
		c.send(&protocol.KeepAlive{ID: p.ID})
	}
}

// until reads until done says so.
func (c *client) until(what string, done func(protocol.Packet) bool) {
	c.t.Helper()
	for {
		p := c.read()
		if p == nil {
			c.t.Fatalf("the connection ended before: %s", what)
		}
		if done(p) {
			return
		}
	}
}

// walk moves to x, as high and as far south as the server had the client last.
func (c *client) walk(x float64) {
	c.send(&protocol.MovePlayerPos{X: x, Y: c.position.Y, Z: c.position.Z, Flags: protocol.MoveFlagsOnGround})
}
