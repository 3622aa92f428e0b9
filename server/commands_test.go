package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"strata/anvil/chunk"
	"strata/anvil/registry"
	"strata/region/vfs"
	"strata/server/admin"
	"strata/server/client"
	"strata/server/command"
	"strata/server/conn"
	"strata/server/protocol"
)

// withAccess gives a server lists, and the function that names players offline.
func withAccess(t *testing.T, o admin.AccessOptions) (*admin.Access, func(*Options)) {
	t.Helper()
	mem := vfs.NewMem(vfs.MemOptions{})
	if err := mem.Mkdir("srv", 0o755); err != nil {
		t.Fatal(err)
	}
	o.FS, o.Folder, o.Offline, o.OpLevel = mem, "srv", conn.OfflineUUID, 4
	a, err := admin.OpenAccess(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return a, func(o *Options) { o.Access = a }
}

func says(key string) func(protocol.Packet) bool {
	return func(p protocol.Packet) bool {
		chat, ok := p.(*protocol.SystemChat)
		return ok && bytes.Contains(chat.Content, []byte(key))
	}
}

func TestOperatorsMayMore(t *testing.T) {
	t.Parallel()
	_, access := withAccess(t, admin.AccessOptions{})
	s, _ := start(t, access)
	c := join(t, s, registry.V26_1, "Walker_1")
	c.send(&protocol.ChatCommand{Command: "gamemode creative"})
	c.until("a refusal", says("command.unknown.command"))
	s.Console("op Walker_1")
	level := int8(0)
	c.until("the level and the tree of an operator", func(p protocol.Packet) bool {
		if e, ok := p.(*protocol.EntityEvent); ok && e.EntityID == c.EntityID {
			level = e.Event - 24
		}
		_, tree := p.(*protocol.Commands)
		return tree && level == 4
	})
	c.send(&protocol.CommandSuggestion{TransactionID: 7, Text: "/gamemode cr"})
	c.until("a completion", func(p protocol.Packet) bool {
		s, ok := p.(*protocol.CommandSuggestions)
		return ok && s.TransactionID == 7 && len(s.Matches) == 1 && s.Matches[0].Match == "creative"
	})
	c.send(&protocol.ChatCommand{Command: "gamemode creative"})
	c.until("the mode", func(p protocol.Packet) bool {
		e, ok := p.(*protocol.GameEvent)
		return ok && e.Event == protocol.GameEventKindChangeGameMode && e.Value == 1
	})
	before := c.TeleportID
	c.send(&protocol.ChatCommand{Command: "tp 20 90 -3"})
	c.until("the new place", func(protocol.Packet) bool { return c.TeleportID > before })
	if p := c.Position; p.X != 20.5 || p.Y != 90 || p.Z != -2.5 {
		t.Errorf("teleported to %+v", p)
	}
	s.Console("say hello")
	c.until("the console", func(p protocol.Packet) bool {
		chat, ok := p.(*protocol.DisguisedChat)
		return ok && bytes.Contains(chat.Message, []byte("hello")) && bytes.Contains(chat.Name, []byte("Server"))
	})
	said, err := s.Remote(context.Background(), "list", false)
	if err != nil || !strings.Contains(said, "There are 1 of a max of 20 players online: Walker_1") {
		t.Errorf("the remote console: %v, %q", err, said)
	}
	s.Console("ban Walker_1 lava")
	c.until("the reason", func(p protocol.Packet) bool {
		d, ok := p.(*protocol.Disconnect)
		return ok && bytes.Contains(d.Reason, []byte("banned"))
	})
	_, err = client.Dial(t.Context(), client.Options{Address: s.Addr().String(), Name: "Walker_1"})
	var gone *client.Disconnected
	if !errors.As(err, &gone) || !strings.Contains(gone.Reason, "multiplayer.disconnect.banned.reason") || !strings.Contains(gone.Reason, "lava") {
		t.Errorf("again: %v", err)
	}
}

func TestAnEnforcedWhitelistRemovesWhoIsNotOnIt(t *testing.T) {
	t.Parallel()
	a, access := withAccess(t, admin.AccessOptions{Enforce: true})
	s, _ := start(t, access)
	a.WhitelistAdd(command.Profile{UUID: conn.OfflineUUID("Walker_2"), Name: "Walker_2"})
	out, in := join(t, s, registry.V26_1, "Walker_1"), join(t, s, registry.V26_1, "Walker_2")
	s.Console("whitelist on")
	out.until("its going", func(p protocol.Packet) bool {
		d, ok := p.(*protocol.Disconnect)
		return ok && bytes.Contains(d.Reason, []byte("not_whitelisted"))
	})
	in.until("the other's leaving", says("multiplayer.player.left"))
}

func TestStopSavesAndEnds(t *testing.T) {
	t.Parallel()
	s, _ := start(t)
	c := join(t, s, registry.V26_1, "Walker_1")
	said, err := s.Remote(context.Background(), "save-all flush", false)
	if err != nil || !strings.Contains(said, "Saving the game") {
		t.Errorf("saving: %v, %q", err, said)
	}
	s.Console("stop")
	c.until("the end", func(p protocol.Packet) bool {
		d, ok := p.(*protocol.Disconnect)
		return ok && bytes.Contains(d.Reason, []byte("server_shutdown"))
	})
	select {
	case <-s.stopped:
	case <-time.After(10 * time.Second):
		t.Fatal("it goes on")
	}
	if _, err := s.Remote(context.Background(), "list", false); err == nil {
		t.Error("a command after the end")
	}
}

func TestCommandsChangeBlocksAndInventories(t *testing.T) {
	t.Parallel()
	_, access := withAccess(t, admin.AccessOptions{})
	s, _ := start(t, access)
	c := join(t, s, registry.V26_1, "Walker_1")
	run := func(line, want string) {
		t.Helper()
		said, err := s.Remote(context.Background(), line, false)
		if err != nil || !strings.Contains(said, want) {
			t.Errorf("%s: %v, %q", line, err, said)
		}
	}
	y := int32(c.Position.Y)
	run(fmt.Sprintf("fill 0 %d 0 3 %d 3 minecraft:stone", y, y+1), "Successfully filled 32 block(s)")
	c.sees(chunk.BlockPos{X: 3, Y: y + 1, Z: 3}, "minecraft:stone", -1)
	run(fmt.Sprintf("setblock 1 %d 1 minecraft:oak_stairs[facing=north]", y+2), "Changed the block at 1")
	c.sees(chunk.BlockPos{X: 1, Y: y + 2, Z: 1}, "minecraft:oak_stairs[facing=north]", -1)
	run(fmt.Sprintf("setblock 1000 %d 1 minecraft:stone", y), "not loaded")
	run(fmt.Sprintf("execute if block 1 %d 1 minecraft:oak_stairs run say yes", y+2), "")
	run("give Walker_1 minecraft:diamond 70", "Gave 70 [Diamond] to Walker_1")
	id, _ := registry.Of("minecraft:item", registry.V26_1).ID("minecraft:diamond")
	have := map[int16]int32{}
	c.until("the diamonds", func(p protocol.Packet) bool {
		if set, ok := p.(*protocol.ContainerSetSlot); ok && set.Item.ID == id {
			have[set.Slot] = set.Item.Count
		}
		return have[36] == 64 && have[37] == 6
	})
	run("clear Walker_1 minecraft:diamond 10", "Removed 10 item(s) from player Walker_1")
	run("clear Walker_1 minecraft:diamond 0", "Found 60 matching item(s) on player Walker_1")
}
