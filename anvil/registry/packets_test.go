package registry

import (
	"testing"
)

func TestPackets(t *testing.T) {
	for _, protocol := range []int{775, 776, 777} {
		p := PacketsOf(protocol)
		if p.Protocol() != protocol {
			t.Fatalf("protocol %d", p.Protocol())
		}
		for s := range stateCount {
			for d := range directionCount {
				for id := range int32(p.Len(s, d)) {
					name, ok := p.Name(s, d, id)
					if back, known := p.ID(s, d, name); !ok || !known || back != id {
						t.Errorf("%v %v %d is %q", s, d, id, name)
					}
				}
			}
		}
		if _, ok := p.ID(stateCount, Clientbound, "login"); ok || p.Len(Play, directionCount) != 0 {
			t.Error("packets of no state")
		}
		if _, ok := p.Name(Play, Clientbound, -1); ok {
			t.Error("packet -1")
		}
	}
	if id, ok := PacketsOf(775).ID(Configuration, Clientbound, "registry_data"); id != 7 || !ok {
		t.Errorf("registry_data is %d", id)
	}
	for protocol, want := range map[int]int{775: 141, 776: 141, 777: 144} {
		if got := PacketsOf(protocol).Len(Play, Clientbound); got != want {
			t.Errorf("%d has %d play packets, want %d", protocol, got, want)
		}
	}
	if Handshake.String() != "handshake" || Serverbound.String() != "serverbound" || State(9).String() != "unknown state" ||
		Direction(9).String() != "unknown direction" || Synced.String() != "synced" {
		t.Error("names of states, directions and kinds")
	}
}
