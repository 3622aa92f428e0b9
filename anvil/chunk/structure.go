package chunk

import (
	"encoding/binary"
	"fmt"

	"strata/nbt"
	"strata/region"
)

// StructureStart is a structure that begins in the chunk.
type StructureStart struct {
	Name string  // the key of the start, such as minecraft:village_plains
	NBT  nbt.Raw // the compound; its id is INVALID where there turned out to be none
}

// StructureReference says where structures begin that reach into the chunk.
type StructureReference struct {
	Name   string
	Chunks []region.ChunkPos
}

// names of the two members of structures.
func (f form) structureNames() (starts, references string) {
	if f.level {
		return "Starts", "References"
	}
	return "starts", "References"
}

// structures returns the members of one of the two compounds.
func (c *Chunk) structures(name string) ([]byte, error) {
	kind, payload := memberPayload(c.members[memberStructures])
	if kind == nbt.TypeEnd {
		return nil, nil
	}
	if kind != nbt.TypeCompound {
		return nil, c.memberError(memberStructures, ErrType)
	}
	value := findMember(inside(payload), name)
	switch value.Type {
	case nbt.TypeEnd:
		return nil, nil
	case nbt.TypeCompound:
		return inside(value.Data), nil
	}
	return nil, c.memberError(memberStructures, fmt.Errorf("%s: %w", name, ErrType))
}

// StructureStarts returns the structures that begin in the chunk. The error is
// ErrType if they are not what they should be.
func (c *Chunk) StructureStarts() ([]StructureStart, error) {
	name, _ := c.form.structureNames()
	members, err := c.structures(name)
	var starts []StructureStart
	for m := range eachMember(members) {
		if m.value.Type != nbt.TypeCompound {
			return nil, c.memberError(memberStructures, fmt.Errorf("%s.%s: %w", name, m.name, ErrType))
		}
		starts = append(starts, StructureStart{string(nbt.AppendUTF8(nil, m.name)), m.value})
	}
	return starts, err
}

// StructureReferences returns where structures begin that reach into the
// chunk. The error is ErrType if they are not what they should be.
func (c *Chunk) StructureReferences() ([]StructureReference, error) {
	_, name := c.form.structureNames()
	members, err := c.structures(name)
	var references []StructureReference
	for m := range eachMember(members) {
		if m.value.Type != nbt.TypeLongArray {
			return nil, c.memberError(memberStructures, fmt.Errorf("%s.%s: %w", name, m.name, ErrType))
		}
		r := StructureReference{Name: string(nbt.AppendUTF8(nil, m.name))}
		for longs := m.value.Data[4:]; len(longs) > 0; longs = longs[8:] {
			v := binary.BigEndian.Uint64(longs)
			r.Chunks = append(r.Chunks, region.ChunkPos{X: int32(v), Z: int32(v >> 32)})
		}
		references = append(references, r)
	}
	return references, err
}

// SetStructures sets both. The values are copied. The error is ErrNBT for a
// start that is not a compound, or a name that is too long.
func (c *Chunk) SetStructures(starts []StructureStart, references []StructureReference) error {
	startsName, referencesName := c.form.structureNames()
	var s, r []byte
	for _, start := range starts {
		err := whole(start.NBT)
		if start.NBT.Type != nbt.TypeCompound || nbt.ModifiedSize(start.Name) > maxMemberName {
			err = ErrNBT
		}
		if err != nil {
			return c.memberError(memberStructures, fmt.Errorf("%.40s: %w", start.Name, err))
		}
		s = append(s, newMember(start.Name, start.NBT)...)
	}
	for _, ref := range references {
		if nbt.ModifiedSize(ref.Name) > maxMemberName {
			return c.memberError(memberStructures, fmt.Errorf("%.40s: %w", ref.Name, ErrNBT))
		}
		longs := binary.BigEndian.AppendUint32(nil, uint32(len(ref.Chunks)))
		for _, p := range ref.Chunks {
			longs = binary.BigEndian.AppendUint64(longs, uint64(uint32(p.Z))<<32|uint64(uint32(p.X)))
		}
		r = append(r, newMember(ref.Name, nbt.Raw{Type: nbt.TypeLongArray, Data: longs})...)
	}
	var rest []byte
	if kind, payload := memberPayload(c.members[memberStructures]); kind == nbt.TypeCompound {
		rest = inside(payload)
	}
	rest = withMember(rest, startsName, compoundOf(s))
	rest = withMember(rest, referencesName, compoundOf(r))
	c.members[memberStructures] = newMember(c.form.name(memberStructures), compoundOf(rest))
	c.revision++
	return nil
}

// compoundOf makes a compound of members.
func compoundOf(members []byte) nbt.Raw {
	return nbt.Raw{Type: nbt.TypeCompound, Data: append(members[:len(members):len(members)], byte(nbt.TypeEnd))}
}
