package protocol

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"

	"strata/anvil/registry"
	"strata/bench/testbed"
)

// everyPacket calls f for the packets of all states.
func everyPacket(f func(s registry.State, d registry.Direction, id int32, p Packet)) {
	for s := range packetTypes {
		for d := range packetTypes[s] {
			for id := range packetTypes[s][d] {
				p, _ := New(registry.State(s), registry.Direction(d), int32(id))
				f(registry.State(s), registry.Direction(d), int32(id), p)
			}
		}
	}
}

func TestEveryPacketOfTheGameIsThere(t *testing.T) {
	for _, v := range registry.Versions() {
		names := registry.PacketsOf(v.Protocol())
		count := 0
		everyPacket(func(s registry.State, d registry.Direction, id int32, p Packet) {
			count++
			name, _ := names.Name(s, d, id)
			if name == "spectator_action" {
				name = "spectate_entity" // its name before 776
			}
			if p.PacketName() != name {
				t.Errorf("%v, %v, %v %d: %s, want %s", v, s, d, id, p.PacketName(), name)
			}
			if got, ok := ID(s, d, p); !ok || got != id {
				t.Errorf("%v, %v %s: number %d, want %d", s, d, name, got, id)
			}
		})
		want := 0
		for s := registry.Handshake; s <= registry.Play; s++ {
			want += names.Len(s, registry.Clientbound) + names.Len(s, registry.Serverbound)
		}
		if count != want {
			t.Errorf("%v: %d packets, the game has %d", v, count, want)
		}
	}
}

func TestRandomPacketsAreTheSameAfterARoundTrip(t *testing.T) {
	rounds := testbed.Runs(t, 30)
	random := &source{Rand: rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 1))}
	var w Writer
	for _, v := range registry.Versions() {
		everyPacket(func(s registry.State, d registry.Direction, id int32, _ Packet) {
			for range rounds {
				p, _ := New(s, d, id)
				body, err := randomPacket(random, v, p)
				if err != nil {
					t.Fatalf("%v %s: make: %v", v, p.PacketName(), err)
				}
				w.Reset()
				if err := EncodePacket(&w, v, s, d, p); err != nil {
					t.Fatalf("%v %s: encode: %v\n%+v", v, p.PacketName(), err, p)
				}
				want := append(AppendVarInt(nil, id), body...)
				if !bytes.Equal(w.Bytes(), want) {
					t.Fatalf("%v %s: encoded % x\nwant % x\n%+v", v, p.PacketName(), w.Bytes(), want, p)
				}
				got, err := DecodePacket(NewReader(w.Bytes()), v, s, d)
				if err != nil {
					t.Fatalf("%v %s: decode: %v", v, p.PacketName(), err)
				}
				if !reflect.DeepEqual(p, got) {
					t.Fatalf("%v: decoded %+v, want %+v", v, got, p)
				}
			}
		})
	}
}
