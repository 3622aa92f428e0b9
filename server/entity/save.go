package entity

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"strata/anvil/block"
	"strata/nbt"
	"strata/region"
	"strata/server/item"
)

// ErrShape is a document that is not of a chunk's entities.
var ErrShape = errors.New("not the shape of a chunk's entities")

// document is what a chunk's file says of its entities.
type document struct {
	data   []byte    // nil for none
	others []nbt.Raw // the entities of kinds that are not here, views of data
}

// Load takes in the entities of a chunk, from the uncompressed NBT of its file; nil
// for none. Nothing of data is copied: it must not change. If the error is not nil
// the chunk is taken in without those entities, and its document must not be
// written.
func (s *Set) Load(pos region.ChunkPos, data []byte) error {
	c := &column{}
	s.chunks[pos] = c
	if data == nil {
		return nil
	}
	var tape nbt.Tape
	if err := tape.Parse(data); err != nil {
		return fmt.Errorf("entities of chunk %d %d: %w", pos.X, pos.Z, err)
	}
	list := tape.Root().Get("Entities")
	if tape.Root().Type() != nbt.TypeCompound || list.Exists() && list.Type() != nbt.TypeList {
		return fmt.Errorf("entities of chunk %d %d: %w", pos.X, pos.Z, ErrShape)
	}
	c.kept.data = data
	for _, tag := range list.Items() {
		if e, ok := parse(tag); ok && e.Block().Chunk() == pos {
			s.add(e)
			continue
		}
		c.kept.others = append(c.kept.others, tag.Raw())
	}
	c.change = Same
	return nil
}

// parse reads an entity; false for one of another kind, or of a shape that we would
// not keep.
func parse(tag nbt.Tag) (*Entity, bool) {
	if tag.Type() != nbt.TypeCompound {
		return nil, false
	}
	var e Entity
	switch id := tag.Get("id"); {
	case id.Is(kindNames[Item]):
		e.Kind = Item
	case id.Is(kindNames[FallingBlock]):
		e.Kind = FallingBlock
	default:
		return nil, false
	}
	if tag.Raw().Decode(&e.members) != nil || tag.Get("Passengers").Len() > 0 {
		return nil, false
	}
	if !numbers(tag.Get("Pos"), &e.X, &e.Y, &e.Z) {
		return nil, false
	}
	numbers(tag.Get("Motion"), &e.VX, &e.VY, &e.VZ)
	ground, _ := tag.Get("OnGround").Int()
	e.OnGround = ground != 0
	e.UUID, _ = uuid(tag.Get("UUID"))
	if e.Kind == Item {
		return &e, parseItem(tag, &e)
	}
	return &e, parseFalling(tag, &e)
}

// numbers reads three numbers of a list; false unless there are three, finite ones.
func numbers(list nbt.Tag, to ...*float64) bool {
	if list.Len() != len(to) {
		return false
	}
	for i, v := range to {
		f, ok := list.Item(i).Float()
		if !ok || math.IsNaN(f) || math.Abs(f) > 3.2e7 {
			return false
		}
		*v = f
	}
	return true
}

func uuid(tag nbt.Tag) (id [16]byte, ok bool) {
	v, ok := tag.IntArray()
	if !ok || v.Len() != 4 {
		return id, false
	}
	for i := range 4 {
		binary.BigEndian.PutUint32(id[4*i:], uint32(v.At(i)))
	}
	return id, true
}

func parseItem(tag nbt.Tag, e *Entity) bool {
	age, _ := tag.Get("Age").Int()
	delay, _ := tag.Get("PickupDelay").Int()
	e.Age, e.Delay, e.health = int32(age), int32(delay), itemHealth
	if health, ok := tag.Get("Health").Int(); ok {
		e.health = int32(health)
	}
	e.Owner, _ = uuid(tag.Get("Owner"))
	if !tag.Get("Item").Exists() {
		return false
	}
	var err error
	e.Stack, err = item.Parse(tag.Get("Item").Raw())
	return err == nil && !e.Stack.Empty()
}

func parseFalling(tag nbt.Tag, e *Entity) bool {
	if tag.Get("TileEntityData").Exists() {
		return false // what it holds would be lost
	}
	time, _ := tag.Get("Time").Int()
	e.Age, e.Start = int32(time), e.Block()
	name, ok := tag.Get("BlockState").Get("Name").Text()
	if !ok {
		return false
	}
	id, ok := block.Find(name)
	if !ok {
		return false
	}
	e.State = id.Default()
	for key, value := range tag.Get("BlockState").Get("Properties").Members() {
		text, _ := value.Text()
		if e.State, ok = e.State.With(string(key), text); !ok {
			return false
		}
	}
	return true
}

// Summon puts an entity of a kind somewhere, with the members of a compound that may
// be absent. It reports false for a kind that is not here, for a shape that is none,
// and if the chunk is not there.
func (s *Set) Summon(kind string, x, y, z float64, data nbt.Raw) (*Entity, bool) {
	var members nbt.Compound
	if data.Exists() && data.Decode(&members) != nil {
		return nil, false
	}
	for _, name := range []string{"id", "Pos", "UUID"} {
		members.Delete(name)
	}
	members = append(members, nbt.Member{Name: "id", Value: kind}, nbt.Member{Name: "Pos", Value: doubles(x, y, z)})
	bytes, err := nbt.Marshal(members)
	if err != nil {
		return nil, false
	}
	var tape nbt.Tape
	if tape.Parse(bytes) != nil {
		return nil, false
	}
	e, ok := parse(tape.Root())
	return e, ok && s.add(e)
}

// Document returns the document of a chunk's entities with what has changed, nil if
// there are none and there was no document. Afterwards they are the Same.
func (s *Set) Document(pos region.ChunkPos, version int32) ([]byte, error) {
	c := s.chunks[pos]
	if c == nil {
		return nil, fmt.Errorf("entities of chunk %d %d: %w", pos.X, pos.Z, ErrShape)
	}
	c.change = Same
	list := make([]nbt.Raw, 0, len(c.kept.others)+len(c.entities))
	list = append(list, c.kept.others...)
	for _, e := range c.entities {
		if !e.gone {
			raw, err := nbt.MarshalRaw(e.compound())
			if err != nil {
				return nil, err
			}
			list = append(list, raw)
		}
	}
	if c.kept.data == nil && len(list) == 0 {
		return nil, nil
	}
	return c.kept.with(list, pos, version)
}

// with returns the document with other entities.
func (d *document) with(list []nbt.Raw, pos region.ChunkPos, version int32) ([]byte, error) {
	raw := nbt.Raw{Type: nbt.TypeList, Data: compounds(list)}
	if d.data == nil {
		return nbt.Marshal(struct {
			DataVersion int32   `nbt:"DataVersion"`
			Position    []int32 `nbt:"Position"`
			Entities    nbt.Raw `nbt:"Entities"`
		}{version, []int32{pos.X, pos.Z}, raw})
	}
	var tape nbt.Tape
	if err := tape.Parse(d.data); err != nil {
		return nil, err
	}
	edit := tape.Edit()
	edit.Set(tape.Root(), "Entities", raw)
	return edit.AppendTo(nil)
}

// compounds is the payload of a list of compounds.
func compounds(list []nbt.Raw) []byte {
	kind := nbt.TypeCompound
	if len(list) == 0 {
		kind = nbt.TypeEnd
	}
	data := binary.BigEndian.AppendUint32([]byte{byte(kind)}, uint32(len(list)))
	for _, raw := range list {
		data = append(data, raw.Data...)
	}
	return data
}

// compound is an entity as files have it: what it was read from, with what it is
// now.
func (e *Entity) compound() nbt.Compound {
	c := append(nbt.Compound(nil), e.members...)
	set := func(name string, value any) {
		for i := range c {
			if c[i].Name == name {
				c[i].Value = value
				return
			}
		}
		c = append(c, nbt.Member{Name: name, Value: value})
	}
	set("id", e.Kind.String())
	set("Pos", doubles(e.X, e.Y, e.Z))
	set("Motion", doubles(e.VX, e.VY, e.VZ))
	set("OnGround", flag(e.OnGround))
	set("UUID", ints(e.UUID))
	if e.members == nil {
		set("Rotation", nbt.List{Elem: nbt.TypeFloat, Items: []any{e.Yaw, e.Pitch}})
		set("Air", int16(300))
		set("Fire", int16(0))
		set("fall_distance", float64(0))
		set("Invulnerable", int8(0))
		set("PortalCooldown", int32(0))
	}
	if e.Kind == FallingBlock {
		e.setFalling(set)
		return c
	}
	set("Age", int16(e.Age))
	set("PickupDelay", int16(e.Delay))
	set("Health", int16(e.health))
	set("Item", e.Stack.NBT())
	if e.Owner != ([16]byte{}) {
		set("Owner", ints(e.Owner))
	}
	return c
}

func (e *Entity) setFalling(set func(string, any)) {
	set("Time", e.Age)
	state := nbt.Compound{{Name: "Name", Value: e.State.Block().Name()}}
	var properties nbt.Compound
	for name, value := range e.State.Values() {
		properties = append(properties, nbt.Member{Name: name, Value: value})
	}
	if len(properties) > 0 {
		state = append(state, nbt.Member{Name: "Properties", Value: properties})
	}
	set("BlockState", state)
	if e.members == nil {
		set("DropItem", int8(1))
		set("HurtEntities", int8(0))
		set("FallHurtMax", int32(40))
		set("FallHurtAmount", float32(0))
		set("CancelDrop", int8(0))
	}
}

func doubles(v ...float64) nbt.List {
	list := nbt.List{Elem: nbt.TypeDouble}
	for _, f := range v {
		list.Items = append(list.Items, f)
	}
	return list
}

func ints(id [16]byte) []int32 {
	v := make([]int32, 4)
	for i := range v {
		v[i] = int32(binary.BigEndian.Uint32(id[4*i:]))
	}
	return v
}

func flag(b bool) int8 {
	if b {
		return 1
	}
	return 0
}

// Changed calls f with each chunk whose entities are others than its document says.
func (s *Set) Changed(f func(pos region.ChunkPos, c Change)) {
	for pos, c := range s.chunks {
		if c.change != Same {
			f(pos, c.change)
		}
	}
}

// Change is how much a chunk's entities differ from what its document says.
func (s *Set) Change(pos region.ChunkPos) Change {
	if c := s.chunks[pos]; c != nil {
		return c.change
	}
	return Same
}

// Unload takes a chunk's entities out of the set.
func (s *Set) Unload(pos region.ChunkPos) {
	c := s.chunks[pos]
	if c == nil {
		return
	}
	for _, e := range c.entities {
		e.gone = true
	}
	delete(s.chunks, pos)
}
