package protocol

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"strata/anvil/registry"
	"strata/bench/clients"
	"strata/bench/testbed"
)

// judgedVersion is the game version that minecraft-data has a schema of.
const judgedVersion = "26.1"

// outdated are the components whose layout is wrong in the judge's schema,
// which cmd/internal/genprotocol corrects, by their names.
var outdated = []string{
	"damage_type", "chicken/variant", "chicken/sound_variant", "zombie_nautilus/variant", "damage_resistant",
	"provides_banner_patterns", "blocks_attacks", "instrument", "provides_trim_material", "jukebox_playable", "bees",
	"painting/variant", "can_place_on", "can_break",
}

// The judge has faults of its own, which source.plain keeps away from:
//
//   - it writes no zero before a value in place of an entry of a registry, so
//     that there is whatever the buffer held (here: compared without);
//   - it writes numbers of up to ten bytes as 32 bits;
//   - it cannot write flags of 32 bits whose highest one is set, and forgets
//     those without a name;
//   - it writes a value without fields as absent (village sections);
//   - its schema has two of the flags of the player list the wrong way round,
//     names 35 attributes, and has other numbers in inline paintings.
func TestAnotherImplementationReadsAndWritesOurPackets(t *testing.T) {
	judge := clients.StartProtocol(t)
	rounds := testbed.Runs(t, 25)
	random := &source{Rand: rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 2)), plain: true, avoid: map[int32]bool{}}
	names := registry.Of(components.key, registry.V26_1)
	for _, name := range outdated {
		id, ok := names.ID("minecraft:" + name)
		if !ok {
			t.Fatalf("no component %s", name)
		}
		random.avoid[id] = true
	}
	states := [...]string{"handshaking", "status", "login", "configuration", "play"}
	for s, state := range states {
		if testing.Short() && registry.State(s) != registry.Play {
			continue // the judge takes half a second to prepare each state
		}
		for d := range packetTypes[s] {
			var sent [][]byte
			var names []string
			var inline [][]int
			for id := range packetTypes[s][d] {
				for range rounds {
					p, _ := New(registry.State(s), registry.Direction(d), int32(id))
					body, err := randomPacket(random, registry.V26_1, p)
					if err != nil {
						t.Fatal(err)
					}
					sent = append(sent, append(AppendVarInt(nil, int32(id)), body...))
					names = append(names, p.PacketName())
					inline = append(inline, slices.Clone(random.inline))
				}
			}
			if len(sent) == 0 {
				continue
			}
			got, err := judge.Reencode(judgedVersion, state, registry.Direction(d) == registry.Serverbound, sent)
			if err != nil {
				t.Fatal(err)
			}
			failed := map[string]bool{}
			for i, g := range got {
				for _, at := range inline[i] {
					if at += 1 + int(sent[i][0]>>7); at < len(g.Data) {
						g.Data[at] = 0
					}
				}
				if failed[names[i]] || g.Error == "" && g.Size == len(sent[i]) && bytes.Equal(g.Data, sent[i]) {
					continue
				}
				failed[names[i]] = true
				t.Errorf("%s %s (%s): read %d of %d bytes %s\nours   % x\ntheirs % x", state, names[i], g.Name, g.Size, len(sent[i]), g.Error, sent[i], g.Data)
			}
		}
	}
}
