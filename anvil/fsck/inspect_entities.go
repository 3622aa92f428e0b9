package fsck

import (
	"encoding/binary"
	"math"

	"strata/nbt"
	"strata/region"
)

// entityID is an entity with its UUID.
type entityID struct {
	id  [16]byte
	pos region.ChunkPos
}

// entities looks at an entity chunk.
func (i *inspector) entities(pos region.ChunkPos, data []byte) (in region.Inspection, err error) {
	if err := i.tape.Parse(data); err != nil {
		return in, err
	}
	root := i.tape.Root()
	version, _ := root.Get("DataVersion").Int()
	i.version(pos, int32(version))
	if at, ok := root.Get("Position").IntArray(); ok && at.Len() == 2 {
		in.Position, in.HasPosition = region.ChunkPos{X: at.At(0), Z: at.At(1)}, true
	} else {
		i.note(pos, MissingMember, "Position")
	}
	list := root.Get("Entities")
	if list.Type() != nbt.TypeList || list.Len() > 0 && list.Elem() != nbt.TypeCompound {
		if list.Exists() {
			i.note(pos, BadEntities, "Entities is no list of compounds")
		} else {
			i.note(pos, MissingMember, "Entities")
		}
		return in, nil
	}
	home := pos
	if in.HasPosition {
		home = in.Position // that the chunk is in the wrong slot is said once
	}
	outside := 0
	for _, e := range list.Elements() {
		if at, ok := chunkOf(e); ok && at != home {
			if outside++; outside == 1 {
				id, _ := e.Get("id").Text()
				i.note(pos, MisplacedEntity, "%s is in chunk %v", id, at)
			}
		}
		i.collect(pos, e, 0)
	}
	if outside > 1 {
		last := &i.notes[len(i.notes)-1]
		last.detail += more(outside - 1)
	}
	return in, nil
}

// chunkOf is the chunk that an entity stands in; false if it does not say.
func chunkOf(e nbt.Tag) (c region.ChunkPos, ok bool) {
	at := e.Get("Pos")
	if at.Len() != 3 || at.Elem() != nbt.TypeDouble {
		return c, false
	}
	x, _ := at.At(0).Float()
	z, _ := at.At(2).Float()
	const far = 1 << 31
	if !(math.Abs(x) < far && math.Abs(z) < far) { // NaN too
		return c, false
	}
	return region.ChunkPos{X: int32(math.Floor(x)) >> 4, Z: int32(math.Floor(z)) >> 4}, true
}

// maxRiders is how deep passengers are followed.
const maxRiders = 64

// collect takes the UUIDs of an entity and its passengers.
func (i *inspector) collect(pos region.ChunkPos, e nbt.Tag, depth int) {
	if id, ok := e.Get("UUID").IntArray(); ok && id.Len() == 4 {
		one := entityID{pos: pos}
		for n := range 4 {
			binary.BigEndian.PutUint32(one.id[4*n:], uint32(id.At(n)))
		}
		i.ids = append(i.ids, one)
	}
	riders := e.Get("Passengers")
	if depth == maxRiders || riders.Type() != nbt.TypeList {
		return
	}
	for _, rider := range riders.Elements() {
		i.collect(pos, rider, depth+1)
	}
}
