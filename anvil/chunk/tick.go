package chunk

import (
	"encoding/binary"
	"fmt"

	"strata/nbt"
)

// TickKind tells ticks of blocks from those of fluids.
type TickKind uint8

// The kinds of ticks.
const (
	BlockTicks TickKind = iota
	FluidTicks
)

func (k TickKind) member() member {
	if k == FluidTicks {
		return memberFluidTicks
	}
	return memberBlockTicks
}

// Tick is a tick that a block or fluid is due.
type Tick struct {
	Name string // of the block or fluid
	Pos  BlockPos
	// Delay in ticks from when the chunk was saved; negative if overdue.
	Delay    int32
	Priority int32 // -3 first, 3 last
}

// Ticks returns the scheduled ticks in their order. The errors are ErrType if
// they are not a list of compounds, and ErrElement if one of them is no tick.
func (c *Chunk) Ticks(kind TickKind) ([]Tick, error) {
	list, err := c.elements(kind.member(), nbt.TypeCompound)
	if err != nil {
		return nil, err
	}
	var ticks []Tick
	for i, data := range list {
		pos, ok := positionOf(data)
		delay, okT := intOf(data, "t")
		priority, _ := intOf(data, "p")
		name, okI := findMember(inside(data), "i").Text()
		if !ok || !okT || !okI {
			return nil, c.memberError(kind.member(), fmt.Errorf("tick %d: %w", i, ErrElement))
		}
		ticks = append(ticks, Tick{name, pos, int32(delay), int32(priority)})
	}
	return ticks, nil
}

// tickBytes is how long the NBT of a tick is without its name: that of a string,
// five numbers, and the end.
const tickBytes = 6 + 5*8 + 1

// SetTicks sets the scheduled ticks. The error is ErrRange for a tick outside
// of the chunk, ErrNBT for a name that is too long.
func (c *Chunk) SetTicks(kind TickKind, ticks []Tick) error {
	b, err := c.beginList(kind.member(), nbt.TypeCompound, len(ticks), ticksSize(ticks))
	if err != nil {
		return err
	}
	for i, t := range ticks {
		if t.Pos.Chunk() != c.pos {
			return c.memberError(kind.member(), fmt.Errorf("tick %d at %v: %w", i, t.Pos, ErrRange))
		}
		if nbt.ModifiedSize(t.Name) > maxMemberName {
			return c.memberError(kind.member(), fmt.Errorf("tick %d: %w", i, ErrNBT))
		}
		b = append(appendHead(b, nbt.TypeString, "i"), 0, 0)
		from := len(b)
		b = nbt.AppendModifiedUTF8(b, t.Name)
		binary.BigEndian.PutUint16(b[from-2:], uint16(len(b)-from))
		b = appendInt(b, "p", t.Priority)
		b = appendInt(b, "t", t.Delay)
		b = appendInt(b, "x", t.Pos.X)
		b = appendInt(b, "y", t.Pos.Y)
		b = appendInt(b, "z", t.Pos.Z)
		b = append(b, byte(nbt.TypeEnd))
	}
	c.endList(kind.member(), b)
	return nil
}

// ticksSize is how long the NBT of ticks is.
func ticksSize(ticks []Tick) (n int) {
	for _, t := range ticks {
		n += tickBytes + nbt.ModifiedSize(t.Name)
	}
	return n
}

func appendInt(b []byte, name string, v int32) []byte {
	return binary.BigEndian.AppendUint32(appendHead(b, nbt.TypeInt, name), uint32(v))
}

// Marks are the lists of positions that a chunk keeps by section.
type Marks uint8

// The kinds of marks.
const (
	// PostProcessing: blocks to settle when the chunk first ticks.
	PostProcessing Marks = iota
	// BlocksToTick and FluidsToTick, before 1.18: to tick at once, from world
	// generation (ToBeTicked, LiquidsToBeTicked).
	BlocksToTick
	FluidsToTick
	// Lights: light sources of a chunk whose light is not computed yet; older
	// versions have it.
	Lights

	marksCount
)

var marksMembers = [marksCount]member{memberPostProcessing, memberBlocksToTick, memberFluidsToTick, memberLights}

// Marks returns the positions. The errors are ErrType if they are not a list
// of lists of shorts, and ErrRange for more lists than there can be sections.
func (c *Chunk) Marks(kind Marks) ([]BlockPos, error) {
	m := marksMembers[kind%marksCount]
	lists, err := c.elements(m, nbt.TypeList)
	if err != nil {
		return nil, err
	}
	var marks []BlockPos
	for i, data := range lists {
		elem, n := listHead(data, 0)
		if n == 0 {
			continue
		}
		if elem != nbt.TypeShort {
			return nil, c.memberError(m, fmt.Errorf("list %d: %w", i, ErrType))
		}
		if i >= 256 {
			return nil, c.memberError(m, fmt.Errorf("list %d: %w", i, ErrRange))
		}
		for k := range n {
			// Four bits each of x, y and z, x the lowest.
			v := int32(binary.BigEndian.Uint16(data[5+2*k:]))
			marks = append(marks, BlockPos{
				c.pos.X<<4 | v&15, (int32(c.minY)+int32(i))<<4 + v>>4&15, c.pos.Z<<4 | v>>8&15,
			})
		}
	}
	return marks, nil
}

// SetMarks sets the positions; their order counts within a section. The errors
// are ErrRange for a position outside of Range or of the chunk, and ErrForm
// for marks that chunks of this version do not have.
func (c *Chunk) SetMarks(kind Marks, marks []BlockPos) error {
	m := marksMembers[kind%marksCount]
	lists := make([][]uint16, c.topY-c.minY)
	for _, p := range marks {
		i := int(p.Y>>4) - int(c.minY)
		if p.Chunk() != c.pos || uint(i) >= uint(len(lists)) {
			return c.memberError(m, fmt.Errorf("mark at %v: %w", p, ErrRange))
		}
		lists[i] = append(lists[i], uint16(p.X&15|p.Y&15<<4|p.Z&15<<8))
	}
	payloads := make([][]byte, len(lists))
	for i, list := range lists {
		elem := nbt.TypeShort
		if len(list) == 0 {
			elem = nbt.TypeEnd
		}
		b := binary.BigEndian.AppendUint32([]byte{byte(elem)}, uint32(len(list)))
		for _, v := range list {
			b = binary.BigEndian.AppendUint16(b, v)
		}
		payloads[i] = b
	}
	return c.setList(m, nbt.TypeList, payloads)
}
