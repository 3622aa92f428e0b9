package fsck

import (
	"fmt"

	"strata/nbt"
	"strata/region"
)

// poi looks at a chunk of points of interest. It does not say where it is, but
// its records do: if all are in one chunk, it is that one.
func (i *inspector) poi(pos region.ChunkPos, data []byte) (in region.Inspection, err error) {
	if err := i.tape.Parse(data); err != nil {
		return in, err
	}
	root := i.tape.Root()
	version, _ := root.Get("DataVersion").Int()
	i.version(pos, int32(version))
	sections := root.Get("Sections")
	if sections.Type() != nbt.TypeCompound {
		if sections.Exists() {
			i.note(pos, BadPOI, "Sections is no compound")
		}
		return in, nil
	}
	mixed := 0
	for y, section := range sections.Members() {
		records := section.Get("Records")
		if section.Type() != nbt.TypeCompound || records.Exists() && records.Type() != nbt.TypeList {
			i.note(pos, BadPOI, "section %s is none", y)
			return region.Inspection{}, nil
		}
		for _, record := range records.Elements() {
			at, ok := record.Get("pos").IntArray()
			if !ok || at.Len() != 3 {
				i.note(pos, BadPOI, "section %s: a record without a position", y)
				return region.Inspection{}, nil
			}
			c := region.ChunkPos{X: at.At(0) >> 4, Z: at.At(2) >> 4}
			if in.HasPosition && c != in.Position {
				mixed++
			}
			if !in.HasPosition {
				in.Position, in.HasPosition = c, true
			}
		}
	}
	if mixed > 0 {
		i.note(pos, MisplacedPOI, "records of chunk %v and of another one%s", in.Position, more(mixed-1))
		return region.Inspection{}, nil
	}
	return in, nil
}

// more says that there are n others.
func more(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", and %d more", n)
}
