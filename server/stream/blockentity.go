package stream

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"strata/anvil/chunk"
	"strata/nbt"
	"strata/server/protocol"
)

// everything stands for all members of a block entity but those that only say
// what and where it is.
const everything = "*"

// sentMembers are the members that clients get of block entities by type: what
// they draw. Types that are not here are sent without any: containers, whose
// items are nobody's business before they are opened, command blocks and so on.
var sentMembers = map[string][]string{
	"minecraft:sign":                {"front_text", "back_text", "is_waxed"},
	"minecraft:hanging_sign":        {"front_text", "back_text", "is_waxed"},
	"minecraft:banner":              {"patterns", "CustomName"},
	"minecraft:skull":               {"profile", "note_block_sound", "custom_name"},
	"minecraft:beacon":              {"primary_effect", "secondary_effect", "Levels", "CustomName"},
	"minecraft:brushable_block":     {"item", "hit_direction"},
	"minecraft:campfire":            {"Items"},
	"minecraft:conduit":             {"Target"},
	"minecraft:creaking_heart":      {"creaking"},
	"minecraft:decorated_pot":       {"sherds", "item"},
	"minecraft:end_gateway":         {"Age", "exit_portal", "ExactTeleport"},
	"minecraft:jigsaw":              {everything},
	"minecraft:mob_spawner":         {"Delay", "MinSpawnDelay", "MaxSpawnDelay", "SpawnCount", "SpawnRange", "MaxNearbyEntities", "RequiredPlayerRange", "SpawnData"},
	"minecraft:piston":              {"blockState", "facing", "progress", "extending", "source"},
	"minecraft:shelf":               {"Items", "align_items_to_bottom"},
	"minecraft:structure_block":     {everything},
	"minecraft:test_block":          {everything},
	"minecraft:test_instance_block": {everything},
	"minecraft:trial_spawner":       {"spawn_data", "next_mob_spawns_at"},
	"minecraft:vault":               {"shared_data"},
}

// inner are members that a client never gets.
var inner = []string{"id", "x", "y", "z", "keepPacked", "components"}

// UpdateTag returns what clients get of a block entity, as a document in the
// network form, nil for nothing: for block_entity_data when one has changed.
func UpdateTag(e chunk.BlockEntity) (protocol.NBT, error) {
	names := sentMembers[e.ID]
	if names == nil {
		return nil, nil
	}
	// As the root of a file's document, which has a name.
	document := append([]byte{byte(nbt.TypeCompound), 0, 0}, e.NBT.Data...)
	tag := protocol.NBT{byte(nbt.TypeCompound)}
	err := nbt.ScanRoot(document, nbt.Limits{}, func(name []byte, value nbt.Raw) bool {
		if slices.Contains(names, string(name)) || names[0] == everything && !slices.Contains(inner, string(name)) {
			tag = append(tag, byte(value.Type))
			tag = binary.BigEndian.AppendUint16(tag, uint16(len(name)))
			tag = append(append(tag, name...), value.Data...)
		}
		return true
	})
	if err != nil {
		return nil, fmt.Errorf("block entity %s at %v: %w", e.ID, e.Pos, err)
	}
	if len(tag) == 1 {
		return nil, nil
	}
	return append(tag, byte(nbt.TypeEnd)), nil
}

// EntityType returns the number of a type of block entity, false if the version
// does not have it.
func (n *Numbering) EntityType(name string) (int32, bool) {
	id, ok := n.entities[name]
	return id, ok
}

// appendBlockEntities appends the list of block entities. What cannot be read
// of them is left out: the blocks are there all the same.
func (e *Encoder) appendBlockEntities(dst []byte, c *chunk.Chunk, shape Shape) []byte {
	list, err := c.BlockEntities()
	if err != nil {
		list = nil
	}
	beds := e.bedsOf(c)
	// The count comes first, and is of those that are sent.
	n := 0
	for i := range list {
		if !e.sends(&list[i], c, shape) {
			list[i].ID = ""
			continue
		}
		n++
	}
	dst = protocol.AppendVarInt(dst, int32(n+len(beds)))
	for i := range list {
		b := &list[i]
		if b.ID == "" {
			continue
		}
		dst = e.appendEntityHead(dst, b.Pos, e.numbers.entities[b.ID])
		tag, err := UpdateTag(*b)
		if err != nil || tag == nil {
			tag = protocol.NBT{byte(nbt.TypeEnd)}
		}
		dst = append(dst, tag...)
	}
	for _, pos := range beds {
		dst = append(e.appendEntityHead(dst, pos, e.numbers.bed), byte(nbt.TypeEnd))
	}
	return dst
}

func (e *Encoder) appendEntityHead(dst []byte, pos chunk.BlockPos, kind int32) []byte {
	dst = append(dst, byte(pos.X&15<<4|pos.Z&15))
	dst = binary.BigEndian.AppendUint16(dst, uint16(pos.Y))
	return protocol.AppendVarInt(dst, kind)
}

// sends reports whether a block entity is sent: one of the chunk, of a type
// that the version has. Those of beds are made from the blocks.
func (e *Encoder) sends(b *chunk.BlockEntity, c *chunk.Chunk, shape Shape) bool {
	kind, ok := e.numbers.entities[b.ID]
	return ok && kind != e.numbers.bed && b.HasPos && b.Pos.Chunk() == c.Pos() &&
		b.Pos.Y >= int32(shape.Low)<<4 && b.Pos.Y < int32(shape.High)<<4 && b.Pos.Y <= math.MaxInt16
}

// bedsOf lists the beds of the sections that were found to have some, for a
// version whose clients need block entities to draw them.
func (e *Encoder) bedsOf(c *chunk.Chunk) (beds []chunk.BlockPos) {
	if e.numbers.bed < 0 {
		return nil
	}
	for i, y := range e.beds {
		if i > 0 && e.beds[i-1] == y {
			continue
		}
		c.SectionBlocks(y, &e.cells)
		for cell, s := range e.cells {
			if e.flags[native(s, e.tables)]&flagBed != 0 {
				beds = append(beds, chunk.BlockPos{
					X: c.Pos().X<<4 | int32(cell&15), Y: int32(y)<<4 | int32(cell>>8), Z: c.Pos().Z<<4 | int32(cell>>4&15),
				})
			}
		}
	}
	return beds
}
