package chunk

import (
	"encoding/binary"
	"fmt"
	"iter"
	"sync"

	"strata/nbt"
)

// Members of a compound are kept as they stand in the NBT, one after the
// other: type, length and bytes of the name, payload. They were checked when
// they came in, so that walking over them cannot fail.

// memberPayload splits one member. An absent one has type End.
func memberPayload(m []byte) (nbt.Type, []byte) {
	if len(m) == 0 {
		return nbt.TypeEnd, nil
	}
	return nbt.Type(m[0]), m[3+int(binary.BigEndian.Uint16(m[1:])):]
}

// eachMember ranges over members: name and payload, and the whole.
func eachMember(members []byte) iter.Seq2[rawMember, []byte] {
	return func(yield func(rawMember, []byte) bool) {
		for pos := 0; pos < len(members); {
			kind, name, at := memberAt(members, pos)
			end := skip(members, at, kind)
			m := rawMember{name, nbt.Raw{Type: kind, Data: members[at:end:end]}}
			if !yield(m, members[pos:end:end]) {
				return
			}
			pos = end
		}
	}
}

type rawMember struct {
	name  []byte
	value nbt.Raw
}

// findMember returns the last member of a name.
func findMember(members []byte, name string) (value nbt.Raw) {
	for m := range eachMember(members) {
		if string(m.name) == name {
			value = m.value
		}
	}
	return value
}

// withoutMember returns members without those of a name: the same slice if
// there are none, else a new one.
func withoutMember(members []byte, name string) []byte {
	if !findMember(members, name).Exists() {
		return members
	}
	var left []byte
	for m, whole := range eachMember(members) {
		if string(m.name) != name {
			left = append(left, whole...)
		}
	}
	return left
}

// withMember returns members with one set. The slice given is not changed.
func withMember(members []byte, name string, value nbt.Raw) []byte {
	members = withoutMember(members, name)
	return append(members[:len(members):len(members)], newMember(name, value)...)
}

func newMember(name string, value nbt.Raw) []byte {
	m := make([]byte, 0, 3+len(name)+len(value.Data))
	m = append(m, byte(value.Type))
	start := len(m)
	m = append(m, 0, 0)
	m = nbt.AppendModifiedUTF8(m, name)
	binary.BigEndian.PutUint16(m[start:], uint16(len(m)-start-2))
	return append(m, value.Data...)
}

// checking is the scratch of whole.
type checking struct {
	tape     nbt.Tape
	document []byte
}

// checkings are kept between calls: generation sets several members of each of
// many chunks.
var checkings = sync.Pool{New: func() any { return new(checking) }}

// maxChecking is how long a document may be for its scratch to be kept.
const maxChecking = 64 << 10

// whole checks that a value from outside is exactly one tag.
func whole(value nbt.Raw) error {
	if value.Type == nbt.TypeEnd {
		return fmt.Errorf("no tag: %w", ErrNBT)
	}
	c := checkings.Get().(*checking)
	c.document = append(append(c.document[:0], byte(value.Type)), value.Data...)
	if len(c.document) <= maxChecking {
		defer checkings.Put(c)
	}
	if err := c.tape.ParseNetwork(c.document); err != nil {
		return fmt.Errorf("%w: %w", ErrNBT, err)
	}
	if size := c.tape.Size(); size != len(c.document) {
		return fmt.Errorf("%d bytes after the tag: %w", len(c.document)-size, ErrNBT)
	}
	return nil
}

const maxMemberName = 65535

// reserved are names that the chunk itself writes.
var reserved = map[string]bool{
	"DataVersion": true, "xPos": true, "yPos": true, "zPos": true, "Status": true, "LastUpdate": true,
	"InhabitedTime": true, "isLightOn": true, "Heightmaps": true, "sections": true, "Sections": true, "Level": true,
}

// Member returns a member of the chunk by its name, of those that are not
// part of the model: block_entities, structures and the like in the form and
// by the name that the chunk has, and all that this package does not know.
func (c *Chunk) Member(name string) (nbt.Raw, bool) {
	if m, ok := c.form.memberIn([]byte(name)); ok {
		kind, payload := memberPayload(c.members[m])
		return nbt.Raw{Type: kind, Data: payload[:len(payload):len(payload)]}, kind != nbt.TypeEnd
	}
	value := findMember(c.extra, name)
	return value, value.Exists()
}

// SetMember sets a member that [Chunk.Member] could return. The value is
// copied. The errors are ErrNBT for a value that is not one whole tag, and
// ErrRange for a name that is part of the model.
func (c *Chunk) SetMember(name string, value nbt.Raw) error {
	if reserved[name] || nbt.ModifiedSize(name) > maxMemberName {
		return fmt.Errorf("chunk %v: member %.40s: %w", c.pos, name, ErrRange)
	}
	if err := whole(value); err != nil {
		return fmt.Errorf("chunk %v: member %.40s: %w", c.pos, name, err)
	}
	if m, ok := c.form.memberIn([]byte(name)); ok {
		c.members[m] = newMember(name, value)
	} else {
		c.extra = withMember(c.extra, name, value)
	}
	c.revision++
	return nil
}

// RemoveMember removes a member that [Chunk.Member] returns.
func (c *Chunk) RemoveMember(name string) {
	if m, ok := c.form.memberIn([]byte(name)); ok {
		c.members[m] = nil
	} else {
		c.extra = withoutMember(c.extra, name)
	}
	c.revision++
}

// SectionMember returns a member of a section that is not part of the model.
func (c *Chunk) SectionMember(y SectionY, name string) (nbt.Raw, bool) {
	s := c.at(y)
	if s == nil {
		return nbt.Raw{}, false
	}
	value := findMember(s.extra, name)
	return value, value.Exists()
}

var sectionReserved = map[string]bool{
	"Y": true, "block_states": true, "biomes": true, "Palette": true, "BlockStates": true, "BlockLight": true, "SkyLight": true,
}

// SetSectionMember sets a member of a section; the section is added if it is
// absent. The errors are those of [Chunk.SetMember].
func (c *Chunk) SetSectionMember(y SectionY, name string, value nbt.Raw) error {
	if sectionReserved[name] || nbt.ModifiedSize(name) > maxMemberName || y < MinSectionY || y > MaxSectionY {
		return fmt.Errorf("chunk %v: section %d: member %.40s: %w", c.pos, y, name, ErrRange)
	}
	if err := whole(value); err != nil {
		return fmt.Errorf("chunk %v: section %d: member %.40s: %w", c.pos, y, name, err)
	}
	s := c.make(y)
	s.extra = withMember(s.extra, name, value)
	c.revision++
	return nil
}

// RemoveSectionMember removes what [Chunk.SectionMember] returns.
func (c *Chunk) RemoveSectionMember(y SectionY, name string) {
	if s := c.at(y); s != nil {
		s.extra = withoutMember(s.extra, name)
		c.revision++
	}
}
