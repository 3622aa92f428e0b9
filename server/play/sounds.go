package play

import (
	"math/rand/v2"
	"strings"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/registry"
	"strata/server/blocks"
	"strata/server/protocol"
	"strata/server/stream"
)

// Level events, which clients turn into sounds and particles: minecraft.wiki, "Java
// Edition protocol/Packets".
const (
	levelEventBreak      = 2001 // data: the state
	levelEventFizz       = 1501
	levelEventExtinguish = 1009
	levelEventWaxOn      = 3003
	levelEventWaxOff     = 3004 // particles only
	levelEventScrape     = 3005 // particles only
)

// levelEventReach is how far from a level event clients are told of it, and soundReach
// how far sounds of a volume up to 1 are heard; louder ones are further. In blocks.
const (
	levelEventReach = 64
	soundReach      = 16
)

// noise is a sound, and how it is played.
type noise struct {
	name          string // in the registry, without namespace
	volume, pitch float32
	spread        float32 // of the pitch, at random above pitch
	all           bool    // the client of who caused it does not play it by itself
}

// sounds is a sound as it is.
func sounds(name string) noise { return noise{name: name, volume: 1, pitch: 1} }

// happened tells those nearby of what a player's client shows by itself.
func (g *Game) happened(d *dimension, by *Player, at chunk.BlockPos, e blocks.Event, data int32) {
	s := block.State(data)
	switch e {
	case blocks.EventBreak:
		g.levelEvent(d, by, at, levelEventBreak, s)
		return
	case blocks.EventFizz:
		g.levelEvent(d, nil, at, levelEventFizz, block.Air.Default())
		return
	case blocks.EventExtinguish:
		if blocks.EntityOf(s) == "minecraft:campfire" {
			g.levelEvent(d, nil, at, levelEventExtinguish, block.Air.Default())
			return
		}
	case blocks.EventWaxOn:
		g.levelEvent(d, by, at, levelEventWaxOn, block.Air.Default())
		return
	case blocks.EventWaxOff:
		g.levelEvent(d, by, at, levelEventWaxOff, block.Air.Default())
	case blocks.EventScrape:
		g.levelEvent(d, by, at, levelEventScrape, block.Air.Default())
	}
	if n := noiseOf(e, s); n.name != "" {
		if n.all {
			by = nil
		}
		g.play(d, by, at, n)
	}
}

// noiseOf is the sound of an event about a state, without a name if there is none.
func noiseOf(e blocks.Event, s block.State) noise {
	switch e {
	case blocks.EventPlace:
		name, pitch := placeSound(s)
		return noise{name: name, volume: 1, pitch: pitch * 0.8}
	case blocks.EventOpen, blocks.EventClose:
		return openNoise(s, e == blocks.EventOpen)
	case blocks.EventClickOn, blocks.EventClickOff:
		return clickNoise(s, e == blocks.EventClickOn)
	case blocks.EventIgnite:
		return noise{name: "item.flintandsteel.use", volume: 1, pitch: 0.8, spread: 0.4}
	case blocks.EventExtinguish:
		return noise{name: "block.candle.extinguish", volume: 1, pitch: 1, all: true}
	case blocks.EventFill:
		return sounds("item.bucket.fill" + bucketed(s))
	case blocks.EventEmpty:
		return sounds("item.bucket.empty" + bucketed(s))
	case blocks.EventStrip:
		return sounds("item.axe.strip")
	case blocks.EventScrape:
		return sounds("item.axe.scrape")
	case blocks.EventWaxOff:
		return sounds("item.axe.wax_off")
	case blocks.EventFlatten:
		return sounds("item.shovel.flatten")
	case blocks.EventTill:
		return sounds("item.hoe.till")
	}
	return noise{}
}

// bucketed is how sounds of buckets end that hold a state.
func bucketed(s block.State) string {
	switch s.Block() {
	case block.Lava:
		return "_lava"
	case block.PowderSnow:
		return "_powder_snow"
	}
	return ""
}

// openNoise is the sound of something that opens or closes. What has contents is
// played by the server alone.
func openNoise(s block.State, opens bool) noise {
	verb := ".close"
	if opens {
		verb = ".open"
	}
	name := shortName(s)
	box := func(of string) noise {
		return noise{name: "block." + of + verb, volume: 0.5, pitch: 0.9, spread: 0.1, all: true}
	}
	switch {
	case strings.HasSuffix(name, "copper_chest"):
		return box(copperChest(name))
	case name == "ender_chest" || name == "barrel":
		return box(name)
	case strings.HasSuffix(name, "chest"):
		return box("chest")
	case strings.HasSuffix(name, "shulker_box"):
		return box("shulker_box")
	}
	for _, kind := range []string{"trapdoor", "door", "fence_gate"} {
		if strings.HasSuffix(name, "_"+kind) {
			return noise{name: "block." + family(name, kind, "wooden_") + kind + verb, volume: 1, pitch: 0.9, spread: 0.1}
		}
	}
	return noise{}
}

// copperChest is what sounds of copper chests are named by: new and exposed ones
// sound alike.
func copperChest(name string) string {
	for _, age := range []string{"weathered", "oxidized"} {
		if strings.Contains(name, age) {
			return "copper_chest_" + age
		}
	}
	return "copper_chest"
}

// family is how the sounds of doors, buttons and the like begin: with their wood, if
// that has its own, or their metal; the other woods share those that begin with wood.
// Gates of these have no such beginning.
func family(name, kind, wood string) string {
	switch {
	case strings.HasPrefix(name, "cherry_"):
		return "cherry_wood_"
	case strings.HasPrefix(name, "bamboo_"):
		return "bamboo_wood_"
	case strings.HasPrefix(name, "crimson_"), strings.HasPrefix(name, "warped_"):
		return "nether_wood_"
	case strings.HasPrefix(name, "iron_"):
		return "iron_"
	case strings.Contains(name, "copper_"):
		return "copper_"
	case kind == "fence_gate":
		return ""
	}
	return wood
}

// clickNoise is the sound of something that is switched.
func clickNoise(s block.State, on bool) noise {
	name := shortName(s)
	low := noise{volume: 0.3, pitch: 0.5}
	if on {
		low.pitch = 0.6
	}
	switch {
	case name == "lever":
		low.name, low.all = "block.lever.click", true
		return low
	case name == "comparator":
		low.name = "block.comparator.click"
		if on {
			low.pitch = 0.55
		}
		return low
	case strings.HasSuffix(name, "_button"):
		verb := ".click_off"
		if on {
			verb = ".click_on"
		}
		if name == "stone_button" || name == "polished_blackstone_button" {
			return sounds("block.stone_button" + verb)
		}
		return sounds("block." + family(name, "button", "wooden_") + "button" + verb)
	}
	return noise{}
}

func shortName(s block.State) string { return strings.TrimPrefix(s.Block().Name(), "minecraft:") }

// play plays a sound at a block for those who hear it, but one of them.
func (g *Game) play(d *dimension, but *Player, at chunk.BlockPos, n noise) {
	seed, pitch := rand.Int64(), n.pitch+rand.Float32()*n.spread
	g.near(d, but, at, soundReach*max(float64(n.volume), 1), func(p *Player) {
		id, ok := registry.Of("minecraft:sound_event", p.version()).ID("minecraft:" + n.name)
		if !ok {
			return
		}
		p.send(&protocol.Sound{
			Sound: protocol.Holder[protocol.SoundEvent]{ID: id}, Source: protocol.SoundSourceBlock,
			X: at.X*8 + 4, Y: at.Y*8 + 4, Z: at.Z*8 + 4, // in eighths of a block, its middle
			Volume: n.volume, Pitch: pitch, Seed: seed,
		})
	})
}

// levelEvent tells those nearby, but one of them, of a level event about a state.
func (g *Game) levelEvent(d *dimension, but *Player, at chunk.BlockPos, event int32, s block.State) {
	g.near(d, but, at, levelEventReach, func(p *Player) {
		state := stream.NumberingOf(p.version()).State(s, g.options.Tables)
		p.send(&protocol.LevelEvent{Event: event, Pos: protocol.BlockPos(at), Data: state})
	})
}

// near calls f with the players who have a block's chunk and are within a distance of
// the block, but for one.
func (g *Game) near(d *dimension, but *Player, at chunk.BlockPos, distance float64, f func(*Player)) {
	for _, p := range g.players {
		if p == but || !p.joined || p.in != d || !p.sent[at.Chunk()] {
			continue
		}
		dx, dy, dz := float64(at.X)+0.5-p.x, float64(at.Y)+0.5-p.y, float64(at.Z)+0.5-p.z
		if dx*dx+dy*dy+dz*dz < distance*distance {
			f(p)
		}
	}
}
