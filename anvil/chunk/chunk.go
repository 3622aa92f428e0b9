package chunk

import (
	"fmt"

	"strata/region"
)

// MinDataVersion is that of the oldest chunks that become a [Chunk]: 17w47a,
// which brought palettes.
const MinDataVersion = 1451

// SectionY is the height of a section: that of its lowest blocks, by 16.
type SectionY int32

// BlockPos is the position of a block in its dimension.
type BlockPos struct{ X, Y, Z int32 }

// Chunk is the position of the chunk that the block is in.
func (p BlockPos) Chunk() region.ChunkPos { return region.ChunkPos{X: p.X >> 4, Z: p.Z >> 4} }

// Limits of the Y that a section may have in its file: a byte.
const (
	MinSectionY SectionY = -128
	MaxSectionY SectionY = 127
)

// Chunk is one chunk. See the package on ownership. Blocks and quarter cells
// are addressed by x and z in the dimension or in the chunk, only the lowest
// four bits count, and by y in the dimension.
type Chunk struct {
	tables *Tables
	pos    region.ChunkPos

	dataVersion int32
	form        form
	has         presence
	status      Status
	lightOn     bool

	statusName    string
	lastUpdate    int64
	inhabitedTime int64
	revision      uint64

	// sections are those of Y firstY and up, gaps filled with absent ones.
	// Blocks may be set from minY up to, not including, topY.
	sections           []section
	firstY, minY, topY SectionY

	heights heightmaps

	// members are payload-carrying members that have methods of their own,
	// each as it stands in the NBT: type, name, payload. Empty is absent.
	members [memberCount][]byte
	// extra are all other members of the compound that holds the chunk, one
	// after the other; outer those beside Level, heightsExtra those in
	// Heightmaps.
	extra, outer, heightsExtra []byte
}

// presence says which members the NBT has.
type presence uint8

const (
	hasStatus presence = 1 << iota
	hasLastUpdate
	hasInhabitedTime
	hasLightOn
	hasYPos
	hasSections
	hasHeightmaps
)

// Options describe a new chunk.
type Options struct {
	// DataVersion of the chunk: MinDataVersion or later.
	DataVersion int32
	// MinSection is the lowest section, -4 in the overworld of today.
	MinSection SectionY
	// Sections is how many sections there are, 1 to 256: 24 in the overworld.
	Sections int
	// Status, by default StatusEmpty.
	Status Status
}

// New returns a chunk of air, and of plains, without light, heightmaps and
// anything else. The error is ErrRange for sections that do not exist.
func New(tables *Tables, pos region.ChunkPos, o Options) (*Chunk, error) {
	top := o.MinSection + SectionY(o.Sections)
	if o.Sections < 1 || o.Sections > 256 || o.MinSection < MinSectionY || top > MaxSectionY+1 {
		return nil, fmt.Errorf("new chunk %v: %d sections from %d: %w", pos, o.Sections, o.MinSection, ErrRange)
	}
	if o.DataVersion < MinDataVersion {
		return nil, fmt.Errorf("new chunk %v: DataVersion %d: %w", pos, o.DataVersion, ErrTooOld)
	}
	c := &Chunk{
		tables: tables, pos: pos, dataVersion: o.DataVersion, form: formOf(o.DataVersion),
		has:      hasStatus | hasLastUpdate | hasInhabitedTime | hasSections,
		sections: make([]section, o.Sections), firstY: o.MinSection, minY: o.MinSection, topY: top,
	}
	if !c.form.level {
		c.has |= hasYPos
	}
	c.SetStatus(max(o.Status, StatusEmpty))
	plains, _ := tables.Biomes.Find("minecraft:plains")
	for i := range c.sections {
		c.sections[i] = newSection(uint16(plains), c.form)
	}
	if !c.form.containers {
		c.members[memberBiomes] = newBiomeNumbers(o)
	}
	return c, nil
}

// Clone returns a copy that shares all arrays with c until one of the two is
// edited. It must be called by the owner of c; its cost grows with the number
// of sections, not with what is in them.
func (c *Chunk) Clone() *Chunk {
	for i := range c.sections {
		c.sections[i].share()
	}
	c.heights.shared = true
	clone := *c
	clone.sections = append([]section(nil), c.sections...)
	return &clone
}

// Tables returns what gives meaning to the chunk's states and biomes.
func (c *Chunk) Tables() *Tables { return c.tables }

// Pos returns the chunk's position.
func (c *Chunk) Pos() region.ChunkPos { return c.pos }

// SetPos moves the chunk. Positions in its NBT, such as those of block
// entities, stay as they are.
func (c *Chunk) SetPos(pos region.ChunkPos) {
	if c.pos != pos {
		c.pos = pos
		c.revision++
	}
}

// DataVersion returns the version of the game that the chunk is written in. It
// stays as it is whatever is edited, until [Chunk.Raise].
func (c *Chunk) DataVersion() int32 { return c.dataVersion }

// Revision is a number that grows with every change of the chunk, those of
// LastUpdate and InhabitedTime aside.
func (c *Chunk) Revision() uint64 { return c.revision }

// LastUpdate returns the game time of the last save, 0 if there is none.
func (c *Chunk) LastUpdate() int64 { return c.lastUpdate }

// SetLastUpdate sets the game time of the last save.
func (c *Chunk) SetLastUpdate(ticks int64) {
	c.lastUpdate = ticks
	c.has |= hasLastUpdate
}

// InhabitedTime returns how many ticks players were near, counted once for
// each, 0 if the chunk does not say.
func (c *Chunk) InhabitedTime() int64 { return c.inhabitedTime }

// SetInhabitedTime sets InhabitedTime.
func (c *Chunk) SetInhabitedTime(ticks int64) {
	c.inhabitedTime = ticks
	c.has |= hasInhabitedTime
}

// LightOn reports whether the chunk says that its light is right (isLightOn).
func (c *Chunk) LightOn() bool { return c.lightOn }

// SetLightOn sets isLightOn.
func (c *Chunk) SetLightOn(on bool) {
	if c.lightOn != on || c.has&hasLightOn == 0 {
		c.lightOn = on
		c.has |= hasLightOn
		c.revision++
	}
}

// Range returns the sections in which blocks can be set: from low up to, not
// including, high. A chunk from a file has the range of the sections with
// blocks; before 1.18, where the game leaves out empty ones, at least 0 to 16.
func (c *Chunk) Range() (low, high SectionY) { return c.minY, c.topY }

// MinY returns the lowest y in Range.
func (c *Chunk) MinY() int { return int(c.minY) * 16 }

// Height returns the number of blocks in Range.
func (c *Chunk) Height() int { return int(c.topY-c.minY) * 16 }

// SetRange sets Range, for instance to that of the dimension. Sections
// outside stay as they are. The error is ErrRange if sections outside have
// blocks other than air, or heightmaps do not fit: remove them first.
func (c *Chunk) SetRange(low, high SectionY) error {
	if low >= high || low < MinSectionY || high > MaxSectionY+1 {
		return fmt.Errorf("chunk %v: sections %d to %d: %w", c.pos, low, high, ErrRange)
	}
	if low == c.minY && high == c.topY {
		return nil
	}
	for i := range c.sections {
		y := c.firstY + SectionY(i)
		if s := &c.sections[i]; (y < low || y >= high) && s.flags&sectionBlocks != 0 && !s.empty() {
			return fmt.Errorf("chunk %v: section %d has blocks: %w", c.pos, y, ErrRange)
		}
	}
	if c.heights.kinds != 0 && (low != c.minY || widthOfHeight(int(high-low)*16) != c.heights.width) {
		return fmt.Errorf("chunk %v: heightmaps of another range: %w", c.pos, ErrRange)
	}
	c.minY, c.topY = low, high
	if !c.form.level {
		c.has |= hasYPos
	}
	c.revision++
	return nil
}
