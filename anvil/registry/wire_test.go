package registry

import (
	"encoding/binary"
	"strings"
	"testing"

	"strata/nbt"
)

// seenSizes are the bytes of registry_data and update_tags packets, without
// length and number, that a game server of 26.2 sent to a client that knows no
// packs: sizes of captures published with the lodestone project.
var seenSizes = map[string]int{
	"worldgen/biome": 20238, "trim_pattern": 2046, "cat_variant": 1354, "painting_variant": 10730,
	"sulfur_cube_archetype": 12822, "damage_type": 5764, "banner_pattern": 4945, "enchantment": 32084,
	"jukebox_song": 3727, "dialog": 835, "timeline": 4126,
}

const seenTagsSize = 35203

func appendName(b []byte, name string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(name))), name...)
}

func TestPacketsHaveTheSizesSeen(t *testing.T) {
	for _, r := range SyncedRegistries(V26_2) {
		packet := binary.AppendUvarint(appendName(nil, r.ID), uint64(len(r.Entries)))
		for _, e := range r.Entries {
			packet = append(append(appendName(packet, e.ID), 1), e.NBT...)
		}
		if want, seen := seenSizes[r.ID[len(namespace):]]; seen && len(packet) != want {
			t.Errorf("%s takes %d bytes, was seen to take %d", r.ID, len(packet), want)
		}
	}
	var body []byte
	sent := 0
	for _, r := range Tags(V26_2) {
		if !r.Sent() {
			continue
		}
		sent++
		body = binary.AppendUvarint(appendName(body, r.Registry().Key()), uint64(r.Len()))
		for i := range r.Len() {
			body = binary.AppendUvarint(appendName(body, r.At(i).Name()), uint64(len(r.At(i).IDs())))
			for _, id := range r.At(i).IDs() {
				body = binary.AppendUvarint(body, uint64(id))
			}
		}
	}
	if packet := append(binary.AppendUvarint(nil, uint64(sent)), body...); len(packet) != seenTagsSize {
		t.Errorf("tags take %d bytes, were seen to take %d", len(packet), seenTagsSize)
	}
}

// TestMembersStandAsSeen compares the order of members, and their types, with
// what that server sent of a registry that is new in 26.2.
func TestMembersStandAsSeen(t *testing.T) {
	archetypes := Of("sulfur_cube_archetype", V26_2)
	entry := func(name string) nbt.Tag {
		id, _ := archetypes.ID(name)
		for _, r := range SyncedRegistries(V26_2) {
			if r.Registry == archetypes {
				var tape nbt.Tape
				if err := tape.ParseNetwork(r.Entries[id].NBT); err != nil {
					t.Fatal(err)
				}
				return tape.Root()
			}
		}
		t.Fatal("no sulfur cube archetypes")
		return nbt.Tag{}
	}
	explosive, hot := entry("explosive"), entry("hot")
	for _, test := range []struct {
		tag  nbt.Tag
		want string
	}{
		{explosive, "attribute_modifiers list, explosion compound, buoyant byte, knockback_modifiers compound, items string, sound_settings compound"},
		{explosive.Get("attribute_modifiers").At(0), "amount double, attribute string, id string, operation string"},
		{explosive.Get("explosion"), "fuse int, power int, causes_fire byte"},
		{explosive.Get("knockback_modifiers"), "vertical_power float, horizontal_power float"},
		{hot.Get("contact_damage"), "damage_type string, amount float, attribute_to_source byte"},
		{hot.Get("sound_settings"), "hit_sound string, push_sound_impulse_threshold float, push_sound_cooldown float, push_sound string"},
	} {
		var got []string
		for name, value := range test.tag.Members() {
			got = append(got, string(name)+" "+value.Type().String())
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("members %v, want %s", got, test.want)
		}
	}
}
