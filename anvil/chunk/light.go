package chunk

import (
	"bytes"
	"fmt"
)

// Light is a kind of light.
type Light uint8

// The kinds of light.
const (
	BlockLight Light = iota
	SkyLight
)

// String returns the name of the member that holds it.
func (l Light) String() string {
	if l == SkyLight {
		return "SkyLight"
	}
	return "BlockLight"
}

// LightBytes is the size of the light of a section: four bits a block,
// numbered y<<8 | z<<4 | x, the lower bits first.
const LightBytes = SectionCells / 2

// LightState says what a chunk knows of the light in a section.
type LightState uint8

// The states. An absent array means darkness, or that nobody has computed it.
const (
	LightAbsent LightState = iota
	LightUniform
	LightArray
)

// light is the light of a section.
type light struct {
	data   []byte // of LightArray
	value  uint8  // of LightUniform
	state  LightState
	shared bool
}

func (l *light) get(cell int) uint8 {
	if l.state == LightArray {
		return l.data[cell>>1] >> (cell & 1 * 4) & 15
	}
	return l.value
}

// set changes one block's light and reports whether it was another.
func (l *light) set(cell int, level uint8) bool {
	if l.state != LightAbsent && l.get(cell) == level {
		return false
	}
	if l.state != LightArray {
		l.data, l.state, l.shared = bytes.Repeat([]byte{l.value * 0x11}, LightBytes), LightArray, false
		l.value = 0
	}
	if l.shared {
		l.data, l.shared = bytes.Clone(l.data), false
	}
	shift := cell & 1 * 4
	l.data[cell>>1] = l.data[cell>>1]&^(15<<shift) | level<<shift
	return true
}

// load takes an array that stays with the caller.
func (l *light) load(src []byte) {
	if v := src[0]; v&15 == v>>4 && uniformBytes(src) {
		*l = light{value: v & 15, state: LightUniform}
		return
	}
	if l.state != LightArray || l.shared {
		*l = light{data: make([]byte, LightBytes), state: LightArray}
	}
	copy(l.data, src)
}

// uniformBytes reports whether all bytes are equal.
func uniformBytes(b []byte) bool { return bytes.Equal(b[1:], b[:len(b)-1]) }

// Light returns the light at a block, 0 to 15. It reports false if the chunk
// does not say.
func (c *Chunk) Light(kind Light, x, y, z int) (level uint8, ok bool) {
	s := c.at(SectionY(y >> 4))
	if s == nil || s.light[kind&1].state == LightAbsent {
		return 0, false
	}
	return s.light[kind&1].get(cellOf(x, y, z)), true
}

// SetLight sets the light at a block; where the section has none it is dark
// elsewhere. The error is ErrRange for a level above 15, or a y of no section.
func (c *Chunk) SetLight(kind Light, x, y, z int, level uint8) error {
	s := c.at(SectionY(y >> 4))
	if s == nil {
		s = c.make(SectionY(y >> 4))
	}
	if s == nil || level > 15 {
		return fmt.Errorf("chunk %v: %v %d at y %d: %w", c.pos, kind, level, y, ErrRange)
	}
	if s.light[kind&1].set(cellOf(x, y, z), level) {
		c.revision++
	}
	return nil
}

// LightState returns what the chunk knows of the light in a section, and the
// level if it is uniform.
func (c *Chunk) LightState(kind Light, y SectionY) (state LightState, level uint8) {
	if s := c.at(y); s != nil {
		return s.light[kind&1].state, s.light[kind&1].value
	}
	return LightAbsent, 0
}

// SectionLight copies the light of a section. It reports whether there is
// any; if not, dst is dark.
func (c *Chunk) SectionLight(kind Light, y SectionY, dst *[LightBytes]byte) bool {
	s := c.at(y)
	if s == nil {
		*dst = [LightBytes]byte{}
		return false
	}
	l := &s.light[kind&1]
	if l.state == LightArray {
		copy(dst[:], l.data)
		return true
	}
	v := l.value * 0x11
	for i := range dst {
		dst[i] = v
	}
	return l.state == LightUniform
}

// SetSectionLight sets the light of a section, which is one of Range or next
// to it. The error is ErrRange for a Y that no section may have.
func (c *Chunk) SetSectionLight(kind Light, y SectionY, src *[LightBytes]byte) error {
	s := c.make(y)
	if s == nil {
		return fmt.Errorf("chunk %v: section %d: %w", c.pos, y, ErrRange)
	}
	s.light[kind&1].load(src[:])
	c.revision++
	return nil
}

// FillLight sets the light of a whole section to one level.
func (c *Chunk) FillLight(kind Light, y SectionY, level uint8) error {
	s := c.make(y)
	if s == nil || level > 15 {
		return fmt.Errorf("chunk %v: %v %d in section %d: %w", c.pos, kind, level, y, ErrRange)
	}
	s.light[kind&1] = light{value: level, state: LightUniform}
	c.revision++
	return nil
}

// DropLight makes the light of a section absent.
func (c *Chunk) DropLight(kind Light, y SectionY) {
	if s := c.at(y); s != nil && s.light[kind&1].state != LightAbsent {
		s.light[kind&1] = light{}
		c.revision++
	}
}

// RemoveLight makes all light absent and says so, so that the game, and
// Paper, compute it when they load the chunk. Sections that held nothing else
// go.
func (c *Chunk) RemoveLight() {
	for i := range c.sections {
		s := &c.sections[i]
		s.light = [2]light{}
		s.extra = withoutMember(withoutMember(s.extra, starlightBlock), starlightSky)
		if s.flags == sectionPresent && len(s.extra) == 0 {
			*s = section{}
		}
	}
	c.extra = withoutMember(c.extra, starlightVersion)
	c.lightOn = false
	c.has |= hasLightOn
	c.revision++
}

// Members that Paper adds, and without which it computes the light anew. Seen
// in worlds of Paper 26.1 and 26.2.
const (
	starlightVersion = "starlight.light_version"
	starlightBlock   = "starlight.blocklight_state"
	starlightSky     = "starlight.skylight_state"
)
