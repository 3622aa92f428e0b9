package server

import (
	"fmt"
	"testing"

	"strata/anvil/registry"
	"strata/server/protocol"
)

func TestOthersSeeTheCracksOfWhatIsDug(t *testing.T) {
	t.Parallel()
	s, stop := start(t)
	a := join(t, s, registry.V26_1, "Walker_1")
	b := join(t, s, registry.V26_2, "Walker_2")
	at := protocol.BlockPos{X: int32(a.Position.X) + 1, Y: int32(a.Position.Y) - 1, Z: int32(a.Position.Z)}
	s.Console(fmt.Sprintf("setblock %s minecraft:dirt", place(at)))
	a.send(&protocol.MovePlayerStatusOnly{Flags: protocol.MoveFlagsOnGround})
	cracks := func(want int8) {
		t.Helper()
		last := int8(-1)
		b.until(fmt.Sprint("cracks of ", want), func(p protocol.Packet) bool {
			d, ok := p.(*protocol.BlockDestruction)
			if !ok {
				return false
			}
			if d.EntityID != a.EntityID || d.Pos != at {
				t.Fatalf("cracks of %d at %v", d.EntityID, d.Pos)
			}
			if d.DestroyStage >= 0 && d.DestroyStage <= last || d.DestroyStage > 9 {
				t.Fatalf("stage %d after %d", d.DestroyStage, last)
			}
			last = d.DestroyStage
			return last == want
		})
	}
	dig := func(action, sequence int32) {
		t.Helper()
		a.send(&protocol.PlayerAction{Action: action, Pos: at, Face: 1, Sequence: sequence})
	}
	for i, end := range []func(){
		func() { dig(1, 10) }, // it lets go
		func() { s.Console(fmt.Sprintf("setblock %s air", place(at))) }, // it goes
		func() { s.Console("kill Walker_1") },                           // it dies
	} {
		s.Console(fmt.Sprintf("setblock %s minecraft:dirt", place(at)))
		dig(0, int32(20+i))
		cracks(2)
		end()
		cracks(-1)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
}
