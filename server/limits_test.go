package server

import (
	"context"
	"log/slog"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/registry"
	"strata/server/protocol"
)

// lineLog keeps what is logged, with its attributes.
type lineLog struct {
	slog.Handler
	mu    sync.Mutex
	lines []string // guarded by mu
}

func (l *lineLog) Enabled(context.Context, slog.Level) bool { return true }

func (l *lineLog) Handle(_ context.Context, r slog.Record) error {
	line := r.Message
	r.Attrs(func(a slog.Attr) bool {
		line += " " + a.String()
		return true
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
	return nil
}

// has waits until a line has all parts.
func (l *lineLog) has(t *testing.T, parts ...string) {
	t.Helper()
	for deadline := time.Now().Add(clientTime); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		l.mu.Lock()
		found := slices.ContainsFunc(l.lines, func(line string) bool {
			return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(line, part) })
		})
		l.mu.Unlock()
		if found {
			return
		}
	}
	t.Errorf("nothing was logged with %q", parts)
}

// TestLimitsOfPlayers breaks each limit of what players do; those of connections are
// tested in package conn. ends is what the log says of the connection, or the client
// is told; "" for a player who stays.
func TestLimitsOfPlayers(t *testing.T) {
	log := &lineLog{}
	s, _ := start(t, creative, func(o *Options) { o.Log = slog.New(log) })
	for _, c := range []struct {
		row  string
		act  func(c *testClient)
		ends string
	}{
		{"chat: 257 characters", func(c *testClient) {
			id, _ := protocol.ID(registry.Play, registry.Serverbound, &protocol.Chat{})
			_ = c.SendBody(append(append(protocol.AppendVarInt(nil, id), 0x81, 0x02), make([]byte, 257+20)...))
		}, "length over the limit"},
		{"chat: characters that nobody types", func(c *testClient) { c.send(&protocol.Chat{Message: "§4red"}) }, "illegal_characters"},
		{"chat: a budget of ten at once", func(c *testClient) {
			for range 11 {
				c.send(&protocol.Chat{Message: "spam"})
			}
		}, "disconnect.spam"},
		{"commands: the same budget", func(c *testClient) {
			for range 11 {
				c.send(&protocol.ChatCommand{Command: "list"})
			}
		}, "disconnect.spam"},
		{"movement: no number", func(c *testClient) { c.send(&protocol.MovePlayerPos{X: math.NaN()}) }, "invalid_player_movement"},
		{"movement: infinite", func(c *testClient) { c.send(&protocol.MovePlayerPos{Y: math.Inf(-1)}) }, "invalid_player_movement"},
		{"movement: no angle", func(c *testClient) { c.send(&protocol.MovePlayerRot{Pitch: float32(math.NaN())}) }, "invalid_player_movement"},
		{"movement: beyond the world", func(c *testClient) { c.putBack(3.1e7) }, ""},
		{"movement: faster than 10 blocks a packet", func(c *testClient) { c.putBack(8.5 + 10.1) }, ""},
		{"reach: 7 blocks", func(c *testClient) {
			far := chunk.BlockPos{X: 15, Y: int32(c.Position.Y) - 1, Z: 8}
			c.send(&protocol.PlayerAction{Pos: protocol.BlockPos(far), Face: 1, Sequence: 1})
			c.sees(far, "minecraft:grass_block", 1)
		}, ""},
		{"reach: a click beside the block", func(c *testClient) {
			at := chunk.BlockPos{X: 10, Y: int32(c.Position.Y) - 1, Z: 8}
			c.give(0, "minecraft:stone")
			c.send(&protocol.UseItemOn{Pos: protocol.BlockPos(at), Direction: int32(block.Up), CursorX: 1.5, CursorY: 1, CursorZ: 0.5, Sequence: 1})
			c.sees(chunk.BlockPos{X: 10, Y: at.Y + 1, Z: 8}, "minecraft:air", 1)
		}, ""},
		{"clicks: 8 within 300 ms", clickMuch, ""},
		{"hotbar: slot 9", func(c *testClient) { c.send(&protocol.SetCarriedItem{SlotID: 9}) }, "invalid_player_movement"},
		{"hotbar: slot -1", func(c *testClient) { c.send(&protocol.SetCarriedItem{SlotID: -1}) }, "invalid_player_movement"},
		{"sequence: below 0", func(c *testClient) {
			at := protocol.BlockPos{X: 8, Y: 200, Z: 8}
			c.send(&protocol.PlayerAction{Pos: at, Sequence: -5})
			c.send(&protocol.PlayerAction{Pos: at, Sequence: 3})
			c.until("the answer", func(protocol.Packet) bool { return c.Acknowledged >= 0 })
			if c.Acknowledged != 3 {
				c.t.Errorf("%d was answered", c.Acknowledged)
			}
		}, ""},
		{"creative: a slot that there is not", func(c *testClient) { c.create(500, 1) }, ""},
		{"creative: more than a stack", func(c *testClient) { c.create(37, 100) }, ""},
		{"completions: one a tick", completeMuch, ""},
		{"keep-alive: an answer to nothing", func(c *testClient) { c.send(&protocol.KeepAlive{ID: 1}) }, "answer to no keep-alive"},
		{"inbox: 1,024 packets within a tick", func(c *testClient) {
			_ = c.SendAll(slices.Repeat([]protocol.Packet{&protocol.MovePlayerStatusOnly{}}, 3000)...)
		}, "too many packets waiting"},
	} {
		t.Run(c.row, func(t *testing.T) {
			p := join(t, s, registry.V26_1, "Walker_1")
			c.act(p)
			defer func() {
				_ = p.Close()
				log.clear()
			}()
			if c.ends == "" {
				return
			}
			told := ""
			for {
				packet, err := p.Read()
				if err != nil {
					break
				}
				if d, ok := packet.(*protocol.Disconnect); ok {
					told = string(d.Reason)
				}
			}
			if !strings.Contains(told, c.ends) {
				log.has(t, "connection ended", c.ends)
			}
		})
	}
}

func (l *lineLog) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = nil
}

// putBack moves where the client cannot be, and demands that it is put back.
func (p *testClient) putBack(x float64) {
	p.t.Helper()
	was, before := p.Position.X, p.Teleports
	p.walk(x)
	p.until("the correction", func(protocol.Packet) bool { return p.Teleports > before })
	if p.Position.X != was {
		p.t.Errorf("it is at %v", p.Position.X)
	}
}

// create makes stone up that cannot be, and demands to be told what is so.
func (p *testClient) create(slot int16, count int32) {
	p.t.Helper()
	id, _ := registry.Of("minecraft:item", p.Version()).ID("minecraft:stone")
	p.send(&protocol.SetCreativeModeSlot{Slot: slot, Item: protocol.UntrustedItem{Count: count, ID: id}})
	p.until("the truth", func(packet protocol.Packet) bool {
		set, ok := packet.(*protocol.ContainerSetContent)
		return ok && set.Items[37].Count == 0
	})
}

// clickMuch clicks on 20 blocks at once.
func clickMuch(c *testClient) {
	const clicks = 20
	c.give(0, "minecraft:glass")
	var all []protocol.Packet
	var places []chunk.BlockPos
	for i := range int32(clicks) {
		at := protocol.BlockPos{X: 6 + i%5, Y: int32(c.Position.Y) - 1, Z: 10 + i/5}
		places = append(places, chunk.BlockPos{X: at.X, Y: at.Y + 1, Z: at.Z})
		all = append(all, &protocol.UseItemOn{Pos: at, Direction: int32(block.Up), CursorX: 0.5, CursorY: 1, CursorZ: 0.5, Sequence: i})
	}
	if err := c.SendAll(all...); err != nil {
		c.t.Fatal(err)
	}
	c.until("all answers", func(protocol.Packet) bool { return c.Acknowledged == clicks-1 })
	placed := 0
	for _, pos := range places {
		if s, ok := c.Block(pos); ok && !s.Air() {
			placed++
		}
	}
	if placed != 8 {
		c.t.Errorf("%d of %d were done", placed, clicks)
	}
}

// completeMuch asks for 20 completions at once.
func completeMuch(c *testClient) {
	var all []protocol.Packet
	for i := range int32(20) {
		all = append(all, &protocol.CommandSuggestion{TransactionID: i, Text: "/"})
	}
	if err := c.SendAll(append(all, &protocol.PlayerAction{Pos: protocol.BlockPos{Y: 300}, Sequence: 1})...); err != nil {
		c.t.Fatal(err)
	}
	answers := 0
	c.until("all answers", func(p protocol.Packet) bool {
		if _, ok := p.(*protocol.CommandSuggestions); ok {
			answers++
		}
		return c.Acknowledged == 1
	})
	if answers == 0 || answers > 3 { // the packets may come in two ticks or three
		c.t.Errorf("%d answers", answers)
	}
}
