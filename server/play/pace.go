package play

import "strata/server/protocol"

// normalRate is how many ticks there are in a second.
const normalRate = 20

// pace is how fast the game goes. What players do goes on while it is frozen.
type pace struct {
	rate   float32
	frozen bool
	steps  int32 // ticks that a frozen game still runs
}

// SetPace says how many ticks a second there are from now on, and whether the
// world stands still. Clients go on by themselves at that rate.
func (g *Game) SetPace(rate float32, frozen bool) {
	g.pace = pace{rate: rate, frozen: frozen}
	g.broadcast(&protocol.TickingState{TickRate: rate, IsFrozen: frozen})
	g.broadcast(&protocol.TickingStep{})
}

// Step has a frozen world run that many ticks; 0 ends what is left of them.
func (g *Game) Step(ticks int32) {
	g.pace.steps = ticks
	g.broadcast(&protocol.TickingStep{TickSteps: ticks})
}

// Steps is how many ticks a frozen world still runs.
func (g *Game) Steps() int32 { return g.pace.steps }

// runs reports whether the world goes on in this tick. It is called once in each.
func (g *Game) runs() bool {
	if g.Paused() || g.pace.frozen && g.pace.steps == 0 {
		return false
	}
	if !g.pace.frozen {
		return true
	}
	g.pace.steps--
	return true
}

// sendPace tells a client of the pace, if it is not the normal one.
func (g *Game) sendPace(p *Player) {
	if g.pace.rate != normalRate || g.pace.frozen {
		p.send(&protocol.TickingState{TickRate: g.pace.rate, IsFrozen: g.pace.frozen})
		p.send(&protocol.TickingStep{TickSteps: g.pace.steps})
	}
}
