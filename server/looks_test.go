package server

import (
	"fmt"
	"testing"

	"strata/anvil/registry"
	"strata/server/client"
	"strata/server/protocol"
)

// appearance is what a client was told of how another player looks.
type appearance struct {
	metadata map[uint8]int32
	gear     map[uint8]string
}

func newAppearance() *appearance {
	return &appearance{map[uint8]int32{}, map[uint8]string{}}
}

// keep keeps what is about an entity.
func (a *appearance) keep(c *client.Client, id int32, p protocol.Packet) {
	switch p := p.(type) {
	case *protocol.SetEntityData:
		if p.EntityID != id {
			return
		}
		for _, e := range p.Metadata {
			switch v := e.Value.(type) {
			case *protocol.ByteValue:
				a.metadata[e.Index] = int32(v.Value)
			case *protocol.VarIntValue:
				a.metadata[e.Index] = v.Value
			case *protocol.Arm:
				a.metadata[e.Index] = int32(*v)
			}
		}
	case *protocol.SetEquipment:
		if p.EntityID != id {
			return
		}
		for _, s := range p.Slots {
			a.gear[s.Slot] = ""
			if s.Item.Count > 0 {
				a.gear[s.Slot], _ = registry.Of("minecraft:item", c.Version()).Name(s.Item.ID)
			}
		}
	}
}

func TestOthersSeeHowAPlayerLooks(t *testing.T) {
	t.Parallel()
	s, stop := start(t)
	a := join(t, s, registry.V26_1, "Walker_1")
	own := newAppearance()
	a.send(&protocol.ClientInformation{Locale: "en_us", ViewDistance: 2, SkinParts: 0x7f, MainHand: 0})
	a.until("its own skin", func(p protocol.Packet) bool {
		own.keep(a.Client, a.EntityID, p)
		return own.metadata[16] == 0x7f && own.metadata[15] == 0
	})
	if _, told := own.metadata[0]; told {
		t.Error("a client is told of flags that it has first")
	}
	s.Console("item replace entity Walker_1 armor.head with minecraft:diamond_helmet")
	s.Console("item replace entity Walker_1 weapon.mainhand with minecraft:iron_sword")
	a.send(&protocol.PlayerInput{Inputs: protocol.PlayerInputInputsShift})
	a.until("what it has", func(protocol.Packet) bool { return a.carries("minecraft:iron_sword") == 1 })

	b := join(t, s, registry.V26_2, "Walker_2")
	seen := newAppearance()
	sees := func(what string, index uint8, value int32) {
		t.Helper()
		b.until(what, func(p protocol.Packet) bool {
			seen.keep(b.Client, a.EntityID, p)
			got, told := seen.metadata[index]
			return told && got == value
		})
	}
	has := func(slot uint8, name string) {
		t.Helper()
		b.until(fmt.Sprintf("%q in slot %d", name, slot), func(p protocol.Packet) bool {
			seen.keep(b.Client, a.EntityID, p)
			got, told := seen.gear[slot]
			return told && got == name
		})
	}
	s.Console("gamemode spectator Walker_1")
	b.until("nobody", func(protocol.Packet) bool { return b.Entities[a.EntityID] == nil })
	s.Console("gamemode survival Walker_1")
	b.until("Walker_1", func(p protocol.Packet) bool {
		seen.keep(b.Client, a.EntityID, p)
		return b.Entities[a.EntityID] != nil && seen.gear[5] == "minecraft:diamond_helmet"
	})
	if seen.gear[0] != "minecraft:iron_sword" || seen.metadata[16] != 0x7f || seen.metadata[15] != 0 {
		t.Errorf("who is shown is %+v", seen)
	}
	sees("sneaking", 6, 5)
	if seen.metadata[0] != 2 {
		t.Errorf("flags %d", seen.metadata[0])
	}
	a.send(&protocol.PlayerInput{})
	a.send(&protocol.PlayerCommand{Action: protocol.PlayerCommandActionStartSprinting})
	sees("sprinting", 0, 8)
	sees("standing", 6, 0)
	a.send(&protocol.PlayerCommand{Action: protocol.PlayerCommandActionStartFallFlying})
	a.send(&protocol.PlayerCommand{Action: protocol.PlayerCommandActionStopSprinting})
	sees("neither sprinting nor gliding", 0, 0)
	// Only the slot that has changed is told.
	clear(seen.gear)
	a.send(&protocol.SetCarriedItem{SlotID: 4})
	has(0, "")
	if len(seen.gear) != 1 {
		t.Errorf("told of %v", seen.gear)
	}
	a.send(&protocol.SetCarriedItem{SlotID: 0})
	has(0, "minecraft:iron_sword")
	s.Console("kill Walker_1")
	sees("dying", 6, 7)
	has(5, "")
	if err := stop(); err != nil {
		t.Fatal(err)
	}
}
