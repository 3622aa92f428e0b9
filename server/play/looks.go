package play

import (
	"strata/anvil/block"
	"strata/server/inventory"
	"strata/server/item"
	"strata/server/physics"
	"strata/server/protocol"
)

// Indices of a player's metadata, in both versions.
const (
	metadataFlags = 0
	metadataPose  = 6
	metadataArm   = 15
	metadataSkin  = 16
)

// Flags that all entities have.
const (
	flagSneaking  = 0x02
	flagSprinting = 0x08
	flagSwimming  = 0x10
	flagInvisible = 0x20
	flagGliding   = -0x80
)

// Poses, by their numbers in both versions.
const (
	poseStanding = 0
	poseGliding  = 1
	poseSwimming = 3
	poseSneaking = 5
	poseDying    = 7
)

// looks is what others see of how a player is, beside what it has.
type looks struct {
	flags int8
	pose  int32
	arm   protocol.Arm // of the main hand
	skin  uint8        // the outer parts that are shown
}

// gearSlots are where a player has what others see, by the number of the slot in
// packets: both hands, and from the feet up.
func (p *Player) gearSlots() [6]int {
	return [...]int{p.items.Held(), offhandSlot, inventory.Feet, inventory.Legs, inventory.Chest, inventory.Head}
}

// tickLooks takes stock of how all players look. track shows it.
func (g *Game) tickLooks() {
	for _, p := range g.players {
		if !p.joined {
			continue
		}
		was := p.looks
		p.looks = g.looksOf(p)
		if was.arm != p.looks.arm || was.skin != p.looks.skin || !p.looked {
			p.looked = true // clients draw themselves by this as well
			p.send(&protocol.SetEntityData{EntityID: p.id, Metadata: p.looks.metadata()[2:]})
		}
		p.changed = 0
		for i, at := range p.gearSlots() {
			if s := p.items.Get(at); !s.Equal(p.gear[i]) {
				p.gear[i] = s
				p.changed |= 1 << i
			}
		}
	}
}

func (g *Game) looksOf(p *Player) looks {
	l := looks{arm: protocol.ArmRight, skin: p.info.SkinParts}
	if p.info.MainHand == int32(protocol.ArmLeft) {
		l.arm = protocol.ArmLeft
	}
	p.glides = p.glides && !p.onGround && !p.flying && p.items.Get(inventory.Chest).Name() == "minecraft:elytra" && !p.wet(0)
	p.swims = p.sprinting && !p.flying && p.mode != protocol.GameModeSpectator && p.wet(0) && (p.swims || p.wet(eyes))
	for _, f := range []struct {
		is   bool
		flag int8
	}{
		{p.sneaking, flagSneaking}, {p.sprinting, flagSprinting}, {p.swims, flagSwimming},
		{p.mode == protocol.GameModeSpectator, flagInvisible}, {p.glides, flagGliding},
	} {
		if f.is {
			l.flags |= f.flag
		}
	}
	l.pose = g.pose(p)
	return l
}

// pose is how a player holds itself: as it wants, or lower where that does not fit.
func (g *Game) pose(p *Player) int32 {
	fits := func(height float64) bool {
		return g.mover.Free(solid{p.in}, physics.Around(p.x, p.y, p.z, playerWidth, height))
	}
	switch {
	case p.dead():
		return poseDying
	case p.glides:
		return poseGliding
	case p.swims:
		return poseSwimming
	case p.mode == protocol.GameModeSpectator:
		return poseStanding
	case !(p.sneaking && !p.flying) && fits(heightStanding):
		return poseStanding
	case fits(heightSneaking):
		return poseSneaking
	case fits(heightSwimming):
		return poseSwimming
	case p.sneaking && !p.flying:
		return poseSneaking
	}
	return poseStanding // it is in a block
}

// wet reports whether there is water at a height above a player's feet.
func (p *Player) wet(above float64) bool {
	s, ok := blockAt(p.in, blockOf(p.x, p.y+above, p.z))
	return ok && s.Fluid() == block.WaterFluid
}

// metadata is looks in packets: what changes often first, see tickLooks.
func (l looks) metadata() protocol.Metadata {
	flags, pose, arm, skin := protocol.ByteValue{Value: l.flags}, protocol.VarIntValue{Value: l.pose}, l.arm, protocol.ByteValue{Value: int8(l.skin)}
	return protocol.Metadata{
		{Index: metadataFlags, Type: protocol.MetadataTypeByte, Value: &flags},
		{Index: metadataPose, Type: protocol.MetadataTypePose, Value: &pose},
		{Index: metadataArm, Type: protocol.MetadataTypeHumanoidArm, Value: &arm},
		{Index: metadataSkin, Type: protocol.MetadataTypeByte, Value: &skin},
	}
}

// showLooks tells a player how another looks that its client has got.
func (g *Game) showLooks(p, other *Player, has *seen) {
	has.looks = other.looks
	p.send(&protocol.SetEntityData{EntityID: other.id, Metadata: other.looks.metadata()})
	worn := uint8(0)
	for i, s := range other.gear {
		if !s.Empty() {
			worn |= 1 << i
		}
	}
	p.sendGear(other, worn)
}

// followLooks tells a player what has changed of that in this tick.
func (g *Game) followLooks(p, other *Player, has *seen) {
	if has.looks != other.looks {
		has.looks = other.looks
		p.send(&protocol.SetEntityData{EntityID: other.id, Metadata: other.looks.metadata()})
	}
	p.sendGear(other, other.changed)
}

// sendGear tells a player what another has in some slots, by their bits.
func (p *Player) sendGear(other *Player, slots uint8) {
	if slots == 0 {
		return
	}
	packet := &protocol.SetEquipment{EntityID: other.id}
	for i, s := range other.gear {
		if slots&(1<<i) != 0 {
			packet.Slots = append(packet.Slots, protocol.Equipment{Slot: uint8(i), Item: item.Wire(s, p.version())})
		}
	}
	p.send(packet)
}

// playerCommand is something that a client has its player do.
func (p *Player) playerCommand(action protocol.PlayerCommandAction) {
	switch action {
	case protocol.PlayerCommandActionStartSprinting:
		p.sprinting = true
	case protocol.PlayerCommandActionStopSprinting:
		p.sprinting = false
	case protocol.PlayerCommandActionStartFallFlying:
		p.glides = !p.glides
	}
}

// fly is whether a client has its player fly, which only some game modes let it.
func (p *Player) fly(flags int8) {
	may := p.mode == protocol.GameModeCreative || p.mode == protocol.GameModeSpectator
	p.flying = may && flags&abilityFlying != 0
}
