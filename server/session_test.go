package server

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"strata/anvil/block"
	"strata/anvil/registry"
	"strata/bench/clients"
	"strata/server/admin"
	"strata/server/protocol"
)

// judgedVersion is the game version that the judge has a schema of.
const judgedVersion = "26.1"

// sessionTypes is how many types of packets the session below has at least.
const sessionTypes = 60

// recorded are the packets of the play state that a client got, one of each body.
type recorded struct {
	packets [][]byte
	seen    map[string]bool
	types   map[string]int
}

func (r *recorded) tap(state registry.State, packet []byte) {
	if state != registry.Play || r.seen[string(packet)] {
		return
	}
	r.seen[string(packet)] = true
	r.packets = append(r.packets, bytes.Clone(packet))
}

// TestAnotherImplementationReadsASession plays with all that the server can do, and
// has minecraft-protocol read each packet that came: no byte is left over, and what it
// writes of what it read is the same.
func TestAnotherImplementationReadsASession(t *testing.T) {
	judge := clients.StartProtocol(t)
	_, access := withAccess(t, admin.AccessOptions{})
	s, stop := start(t, access)
	c := dial(t, s.Addr(), registry.V26_1, "Walker_1")
	r := &recorded{seen: map[string]bool{}, types: map[string]int{}}
	c.Tap = r.tap
	playSession(t, s, c)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	c.until("the end", func(p protocol.Packet) bool {
		_, ok := p.(*protocol.Disconnect)
		return ok
	})
	var all [][]byte
	for _, packet := range r.packets {
		p, err := protocol.DecodePacket(protocol.NewReader(packet), registry.V26_1, registry.Play, registry.Clientbound)
		if err != nil {
			t.Fatal(err)
		}
		name := p.PacketName()
		if r.types[name]++; r.types[name] <= 40 { // the judge takes its time
			all = append(all, packet)
		}
	}
	names := slices.Sorted(maps.Keys(r.types))
	t.Logf("%d packets of %d types: %s", len(r.packets), len(names), strings.Join(names, " "))
	if len(names) < sessionTypes {
		t.Errorf("%d types, want %d", len(names), sessionTypes)
	}
	got, err := judge.Reencode(judgedVersion, "play", false, all)
	if err != nil {
		t.Fatal(err)
	}
	failed := map[string]bool{}
	for i, g := range got {
		if failed[g.Name] || g.Error == "" && g.Size == len(all[i]) && bytes.Equal(g.Data, all[i]) {
			continue
		}
		failed[g.Name] = true
		t.Errorf("%s: read %d of %d bytes %s\nours   % x\ntheirs % x", g.Name, g.Size, len(all[i]), g.Error, all[i], g.Data)
	}
}

// playSession is a session of a client with another one beside it.
func playSession(t *testing.T, s *Server, c *testClient) {
	t.Helper()
	c.until("the ground", func(protocol.Packet) bool { return c.Teleports > 0 && c.Chunk(c.Position.Chunk()) != nil })
	run := func(lines ...string) {
		for _, line := range lines {
			s.Console(line)
		}
	}
	await := func(what string, is func() bool) {
		t.Helper()
		c.until(what, func(protocol.Packet) bool { return is() })
	}
	saw := func(name string) {
		t.Helper()
		c.until(name, func(p protocol.Packet) bool { return p.PacketName() == name })
	}
	run("op Walker_1")
	saw("commands")
	c.send(&protocol.CommandSuggestion{TransactionID: 1, Text: "/gamem"})
	saw("command_suggestions")

	other := join(t, s, registry.V26_2, "Walker_2")
	await("the other", func() bool { return len(c.Entities) == 1 })
	for i := range 4 {
		other.walk(other.Position.X + 0.3)
		other.send(&protocol.MovePlayerRot{Yaw: float32(40 * i), Pitch: 10, Flags: protocol.MoveFlagsOnGround})
		other.send(&protocol.Swing{Hand: protocol.Hand(i & 1)})
		time.Sleep(2 * tickTime)
	}
	saw("animate")
	other.send(&protocol.PlayerInput{Inputs: protocol.PlayerInputInputsShift})
	other.send(&protocol.Chat{Message: "hello"})
	run("tp Walker_2 ~40 ~ ~", "msg Walker_1 psst", "say all", "me waves", `tellraw Walker_1 {"text":"raw","color":"red"}`)
	run("tp Walker_2 Walker_1")
	run("title Walker_1 title \"big\"", "title Walker_1 subtitle \"small\"", "title Walker_1 actionbar \"bar\"", "title Walker_1 times 1 2 3", "title Walker_1 clear")
	saw("clear_titles")
	run("gamemode creative Walker_2")
	other.until("its mode", func(protocol.Packet) bool { return other.GameMode == protocol.GameModeCreative })
	other.send(&protocol.PlayerAction{Action: 0, Pos: protocol.BlockPos{X: int32(c.Position.X) + 1, Y: int32(c.Position.Y) - 1, Z: int32(c.Position.Z)}, Face: 1})
	saw("level_event")
	run("gamemode survival Walker_2", "time set noon", "weather thunder", "weather clear", "difficulty hard", "gamerule minecraft:keep_inventory true",
		"setworldspawn 8 -58 8", "xp add Walker_1 30 points")
	saw("set_experience")

	at := protocol.BlockPos{X: int32(c.Position.X) + 2, Y: int32(c.Position.Y), Z: int32(c.Position.Z)}
	run("give Walker_1 minecraft:diamond_sword[minecraft:custom_name='\"Edge\"',minecraft:enchantments={\"minecraft:sharpness\":5}]",
		"give Walker_1 minecraft:crafting_table 3", "give Walker_2 minecraft:iron_chestplate",
		fmt.Sprintf("setblock %s minecraft:glowstone", place(at)),
		fmt.Sprintf("fill %d %d %d %d %d %d minecraft:stone", at.X+1, at.Y, at.Z, at.X+2, at.Y+1, at.Z+1))
	saw("section_blocks_update")
	await("a crafting table", func() bool { return c.carries("minecraft:crafting_table") == 3 })
	c.send(&protocol.SetCarriedItem{SlotID: 1})
	table := protocol.BlockPos{X: at.X, Y: at.Y, Z: at.Z - 2}
	c.send(&protocol.UseItemOn{Pos: protocol.BlockPos{X: table.X, Y: table.Y - 1, Z: table.Z}, Direction: int32(block.Up), CursorX: 0.5, CursorY: 1, CursorZ: 0.5, Sequence: 1})
	await("the table in the world", func() bool { return c.Acknowledged >= 1 })
	c.send(&protocol.UseItemOn{Pos: table, Direction: int32(block.Up), CursorX: 0.5, CursorY: 1, CursorZ: 0.5, Sequence: 2})
	saw("open_screen")
	c.send(&protocol.ContainerClose{ContainerID: 1})
	c.send(&protocol.PlayerAction{Action: 4}) // drop one
	saw("set_entity_data")
	run("tp @e[type=minecraft:item] Walker_1", fmt.Sprintf("setblock %d %d %d minecraft:sand", at.X, at.Y+9, at.Z+2))
	saw("take_item_entity")
	run(fmt.Sprintf("setblock %s minecraft:air destroy", place(at)))

	chest := protocol.BlockPos{X: table.X + 1, Y: table.Y, Z: table.Z}
	run(fmt.Sprintf("setblock %s minecraft:trapped_chest{CustomName:{text:'Mine',bold:1b}}", place(chest)), "tick rate 20")
	await("the chest", func() bool {
		at, _ := c.Block(blockPos(chest))
		return at.Block() == block.TrappedChest
	})
	c.clickOn(chest, 3)
	window := c.opened("minecraft:generic_9x3")
	c.send(&protocol.ContainerClick{ContainerID: window, StateID: c.Windows[window].State, Slot: 54, Mode: 0})
	saw("set_cursor_item")
	c.send(&protocol.PingRequest{Time: 7})
	saw("pong_response")
	run("tp Walker_1 ~200 ~ ~")
	left := map[string]bool{}
	c.until("the end of what it had there", func(p protocol.Packet) bool {
		left[p.PacketName()] = true
		return left["container_close"] && left["forget_level_chunk"]
	})
	run("tp Walker_1 Walker_2", "give Walker_1 minecraft:oak_sign")
	await("the other once more", func() bool {
		_, ok := c.Block(blockPos(at))
		return ok && c.things("minecraft:player") > 0
	})
	run(fmt.Sprintf("setblock %s minecraft:oak_sign{front_text:{messages:['a','b','c','d'],color:'black',has_glowing_text:0b}}", place(at)))
	saw("block_entity_data")
	c.send(&protocol.UseItemOn{Pos: at, Direction: int32(block.Up), CursorX: 0.5, CursorY: 1, CursorZ: 0.5, Sequence: 4})
	saw("open_sign_editor")
	run("gamemode creative Walker_1", "transfer example.org 25565 Walker_1")
	saw("transfer")
	helmet, _ := registry.Of("minecraft:item", registry.V26_1).ID("minecraft:iron_helmet")
	c.send(&protocol.SetCreativeModeSlot{Slot: 5, Item: protocol.UntrustedItem{Count: 1, ID: helmet}})
	c.send(&protocol.ChatCommand{Command: "execute in the_nether run tp 3.5 100 3.5"})
	c.entered("minecraft:the_nether", 3.5, 3.5)
	c.send(&protocol.ChatCommand{Command: "execute in overworld run tp Walker_2"})
	await("the other again", func() bool { return c.Dimension == "minecraft:overworld" && len(c.Entities) > 0 })
	run("gamemode survival Walker_1", "kill Walker_1")
	saw("player_combat_kill")
	c.send(&protocol.ClientCommand{Action: protocol.ClientCommandActionPerformRespawn})
	await("life", func() bool { return c.Health == 20 })
	run("execute as Walker_1 run tp ~ -200 ~")
	saw("damage_event")
	run("kill Walker_2")
	_ = other.Close()
	saw("player_info_remove")
	await("nobody", func() bool { return c.things("minecraft:player") == 0 })
}
