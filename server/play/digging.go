package play

import (
	"strata/server/blocks"
	"strata/server/protocol"
)

const (
	// digStages is how many cracks a block shows before it breaks, from 0 on; -1
	// is none.
	digStages = 10
	// digReach is how far from a block clients are told of its cracks.
	digReach = 32
)

// tickDig shows those nearby how far a player is with what it digs at. Its own client
// knows.
func (g *Game) tickDig(p *Player) {
	if !p.dig.under {
		return
	}
	stage := -1
	if s, loaded := p.in.Block(p.dig.pos); loaded && !s.Air() && g.mayTouch(p, p.dig.pos) {
		if need := blocks.DigTicks(s, p.items.InHand().Name(), g.slower(p)); need > 0 {
			stage = int((g.ticks - p.dig.began + 1) * digStages / int64(need))
		}
	}
	if stage >= digStages {
		stage = -1
	}
	g.showDig(p, int8(stage))
}

// endDig has a player dig no longer.
func (g *Game) endDig(p *Player) {
	g.showDig(p, -1)
	p.dig = dig{}
}

// showDig tells those nearby of the cracks in what a player digs at, if they are
// others than before.
func (g *Game) showDig(p *Player, stage int8) {
	if !p.dig.under || p.dig.cracks == stage+1 {
		return
	}
	p.dig.cracks = stage + 1
	reach := float64(digReach)
	if stage < 0 {
		reach = 2 * maxHorizontal // also those who have gone since
	}
	g.near(p.in, p, p.dig.pos, reach, func(other *Player) {
		other.send(&protocol.BlockDestruction{EntityID: p.id, Pos: protocol.BlockPos(p.dig.pos), DestroyStage: stage})
	})
}
