package chunk

import (
	"fmt"

	"strata/nbt"
	"strata/region"
)

// Header is what identifies a chunk, of any age.
type Header struct {
	// DataVersion, 0 for chunks from before 1.9, which do not have it.
	DataVersion int32
	Pos         region.ChunkPos
	// HasPos says that the chunk gives its position.
	HasPos        bool
	Status        string // as in the chunk; "" before 1.13
	LastUpdate    int64
	InhabitedTime int64
}

// ReadHeader reads the header of an uncompressed chunk without decoding the
// rest, which is checked for being NBT all the same. What a chunk does not
// have, or not as the game writes it, is zero. The error is a
// [*nbt.SyntaxError].
func ReadHeader(data []byte) (Header, error) {
	var h Header
	var x, z bool
	field := func(name []byte, value nbt.Raw) {
		switch string(name) {
		case "DataVersion":
			readInt(value, &h.DataVersion)
		case "xPos":
			x = readInt(value, &h.Pos.X)
		case "zPos":
			z = readInt(value, &h.Pos.Z)
		case "Status":
			if text, ok := value.Text(); ok {
				h.Status = text
			}
		case "LastUpdate":
			h.LastUpdate, _ = value.Int()
		case "InhabitedTime":
			h.InhabitedTime, _ = value.Int()
		}
	}
	err := nbt.ScanRoot(data, nbt.Limits{}, func(name []byte, value nbt.Raw) bool {
		field(name, value)
		if string(name) == "Level" && value.Type == nbt.TypeCompound {
			members := value.Data[:len(value.Data)-1]
			for m := range eachMember(members) {
				field(m.name, m.value)
			}
		}
		return true
	})
	if err != nil {
		return Header{}, fmt.Errorf("read chunk header: %w", err)
	}
	h.HasPos = x && z
	return h, nil
}

func readInt(value nbt.Raw, to *int32) bool {
	v, ok := value.Int()
	if ok = ok && int64(int32(v)) == v; ok {
		*to = int32(v)
	}
	return ok
}
