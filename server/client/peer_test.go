package client

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"strata/anvil/registry"
	"strata/server/conn"
	"strata/server/protocol"
)

// patience is how long anything in these tests may take.
const patience = 10 * time.Second

// peer is a server that does what a test says once the client is in the play state.
type peer struct {
	*conn.Conn
	t *testing.T
}

func (p *peer) send(packets ...protocol.Packet) {
	for _, packet := range packets {
		if err := p.Send(packet); err != nil {
			p.t.Errorf("the peer sends %s: %v", packet.PacketName(), err)
		}
	}
}

func (p *peer) read() protocol.Packet {
	packet, err := p.Read()
	if err != nil {
		p.t.Errorf("the peer reads: %v", err)
		return &protocol.ClientTickEnd{} // what no test waits for
	}
	return packet
}

// login lets the client in.
func (p *peer) login() {
	dimensions := registry.SyncedRegistries(p.Version())
	number := int32(-1)
	for _, r := range dimensions {
		for i, e := range r.Entries {
			if r.ID == "minecraft:dimension_type" && e.ID == "minecraft:overworld" {
				number = int32(i)
			}
		}
	}
	p.send(&protocol.Login{EntityID: 7, Dimensions: []string{"minecraft:overworld"}, Spawn: protocol.SpawnInfo{
		Dimension: number, Name: "minecraft:overworld", PreviousGameMode: -1, GameMode: protocol.GameModeCreative,
	}})
}

// pair is both ends of a connection. It is one of the system, since both sides of
// the protocol send at times without waiting for the other.
func pair(t *testing.T) (near, far net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	if near, err = net.Dial("tcp", l.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if far, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	return near, far
}

// play joins a client to a peer that runs a script, which has ended when the test
// ends.
func play(t *testing.T, o Options, script func(*peer)) *Client {
	t.Helper()
	near, far := pair(t)
	s, err := conn.NewServer(conn.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	t.Cleanup(func() { <-ended })
	go func() {
		defer close(ended)
		c, err := s.Handle(context.Background(), far)
		if err != nil {
			t.Errorf("the peer: %v", err)
			return
		}
		defer func() { _ = c.Close() }()
		if _, err := c.Configure(context.Background()); err != nil {
			t.Errorf("the peer: %v", err)
			return
		}
		p := &peer{c, t}
		p.login()
		script(p)
	}()
	o.Conn, o.Name = near, "Walker_1"
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c, err := Join(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// toEnd reads until the peer has closed the connection.
func toEnd(t *testing.T, c *Client) {
	t.Helper()
	err := c.Until(patience, "the end", func(protocol.Packet) bool { return false })
	if !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
}

func TestJoinsInEachVersionWithAndWithoutPacks(t *testing.T) {
	for _, v := range registry.Versions() {
		for _, without := range []bool{false, true} {
			c := play(t, Options{Version: v, NoPacks: without}, func(*peer) {})
			if c.State() != registry.Play || c.EntityID != 7 || c.Dimension != "minecraft:overworld" || c.GameMode != protocol.GameModeCreative {
				t.Errorf("%v: state %v, entity %d, in %q, mode %v", v, c.State(), c.EntityID, c.Dimension, c.GameMode)
			}
			if c.Profile.Username != "Walker_1" || c.Profile.UUID != conn.OfflineUUID("Walker_1") {
				t.Errorf("%v: profile %+v", v, c.Profile)
			}
			if c.lowest != -4 || len(c.Registries) != len(registry.SyncedRegistries(v)) {
				t.Errorf("%v: lowest section %d, %d registries", v, c.lowest, len(c.Registries))
			}
			toEnd(t, c)
		}
	}
}

func TestAnswersWhatTheGamesClientAnswers(t *testing.T) {
	c := play(t, Options{ChunksPerTick: 5}, func(p *peer) {
		for _, step := range []struct {
			sent protocol.Packet
			want []protocol.Packet
		}{
			{&protocol.KeepAlive{ID: 1 << 40}, []protocol.Packet{&protocol.KeepAlive{ID: 1 << 40}}},
			{&protocol.Ping{ID: 77}, []protocol.Packet{&protocol.Pong{ID: 77}}},
			{&protocol.CookieRequest{Cookie: "a:b"}, []protocol.Packet{&protocol.CookieResponse{Key: "a:b"}}},
			{&protocol.ResourcePackPush{URL: "http://127.0.0.1"}, []protocol.Packet{&protocol.ResourcePack{Result: declined}}},
			{&protocol.PlayerPosition{TeleportID: 3, X: 8.5, Y: 70, Z: -8.5, Yaw: 90}, []protocol.Packet{
				&protocol.AcceptTeleportation{TeleportID: 3},
				&protocol.MovePlayerPosRot{X: 8.5, Y: 70, Z: -8.5, Yaw: 90},
			}},
			{&protocol.PlayerPosition{TeleportID: 4, X: 1, Y: 60, Z: 2, Yaw: 5, Flags: protocol.RelativesX | protocol.RelativesZ | protocol.RelativesYaw}, []protocol.Packet{
				&protocol.AcceptTeleportation{TeleportID: 4},
				&protocol.MovePlayerPosRot{X: 9.5, Y: 60, Z: -6.5, Yaw: 95},
			}},
			{&protocol.ChunkBatchFinished{BatchSize: 0}, []protocol.Packet{&protocol.ChunkBatchReceived{ChunksPerTick: 5}}},
			{&protocol.StartConfiguration{}, []protocol.Packet{&protocol.ConfigurationAcknowledged{}}},
		} {
			p.send(step.sent)
			for _, want := range step.want {
				if got := p.read(); !same(t, got, want) {
					t.Errorf("to %s: %+v, want %+v", step.sent.PacketName(), got, want)
				}
			}
		}
	})
	toEnd(t, c)
	if c.Position != (Position{9.5, 60, -6.5, 95, 0}) || c.Teleports != 2 || c.TeleportID != 4 {
		t.Errorf("position %+v, %d teleports, the last %d", c.Position, c.Teleports, c.TeleportID)
	}
	if c.State() != registry.Configuration {
		t.Errorf("state %v", c.State())
	}
}

// same reports whether two packets of a client are the same on the wire.
func same(t *testing.T, a, b protocol.Packet) bool {
	t.Helper()
	var wire [2]protocol.Writer
	for i, p := range []protocol.Packet{a, b} {
		if err := protocol.EncodePacket(&wire[i], registry.V26_1, registry.Play, registry.Serverbound, p); err != nil {
			t.Errorf("%+v: %v", p, err)
		}
	}
	return string(wire[0].Bytes()) == string(wire[1].Bytes())
}

func TestAPlayerLoadsOnceItHasItsChunk(t *testing.T) {
	c := play(t, Options{}, func(p *peer) {
		p.send(&protocol.PlayerPosition{TeleportID: 1, X: 8.5, Y: 70, Z: 8.5})
		p.read()
		p.read()
		for _, x := range []int32{1, 0, 2} {
			p.send(&protocol.ChunkBatchStart{}, &protocol.LevelChunkWithLight{X: x, ChunkData: column(t, nil)}, &protocol.ChunkBatchFinished{BatchSize: 1})
			p.read()
			if x != 0 {
				continue
			}
			if got, ok := p.read().(*protocol.PlayerLoaded); !ok {
				t.Errorf("with chunk %d came %+v", x, got)
			}
		}
	})
	toEnd(t, c)
	if c.Chunks() != 3 {
		t.Errorf("%d chunks", c.Chunks())
	}
}

// column is the sections of a chunk: air, but for the lowest if it is given.
func column(t *testing.T, lowest *protocol.Section) []byte {
	t.Helper()
	air := protocol.Section{States: protocol.Container{Palette: []int32{0}}, Biomes: protocol.Container{Palette: []int32{1}}}
	var data []byte
	var err error
	for i := range 24 {
		s := &air
		if i == 0 && lowest != nil {
			s = lowest
		}
		if data, err = protocol.AppendSection(data, s); err != nil {
			t.Error(err)
		}
	}
	return data
}

func TestServersThatEndTheConnectionSayWhy(t *testing.T) {
	near, far := pair(t)
	s, err := conn.NewServer(conn.Options{Admit: func(context.Context, conn.Profile, net.Addr) error { return errors.New("no room") }})
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = s.Handle(context.Background(), far) }()
	_, err = Dial(t.Context(), Options{Conn: near, Name: "Walker_1"})
	var gone *Disconnected
	if !errors.As(err, &gone) || !strings.Contains(gone.Reason, "no room") {
		t.Errorf("at the login: %v", err)
	}
	c := play(t, Options{}, func(p *peer) { _ = p.Disconnect(append(protocol.NBT{8, 0, 3}, "bye"...)) })
	err = c.Until(patience, "nothing", func(protocol.Packet) bool { return false })
	if !errors.As(err, &gone) || gone.Reason != "bye" || !strings.Contains(err.Error(), "the last disconnect") {
		t.Errorf("in play: %v", err)
	}
}

func TestWaitingEndsAndGoesOn(t *testing.T) {
	more := make(chan struct{})
	c := play(t, Options{}, func(p *peer) {
		<-more
		p.read() // the deadline that was met is none any more
		p.send(&protocol.SetTime{GameTime: 12})
	})
	if err := c.Until(20*time.Millisecond, "the time", func(protocol.Packet) bool { return true }); !strings.Contains(err.Error(), "wait for the time, after") {
		t.Errorf("got %v", err)
	}
	close(more)
	if err := c.Send(&protocol.Pong{}); err != nil {
		t.Error(err)
	}
	if err := c.Until(patience, "the time", func(protocol.Packet) bool { return c.Time == 12 }); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Run(ctx); err != nil && !errors.Is(err, io.EOF) {
		t.Errorf("run: %v", err)
	}
}
