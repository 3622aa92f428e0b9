package fsck

import (
	"errors"
	"strings"

	"strata/anvil"
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/nbt"
	"strata/region"
)

// chunk looks at a terrain chunk.
func (i *inspector) chunk(pos region.ChunkPos, data []byte) (in region.Inspection, err error) {
	c, err := i.decode(data)
	if err != nil {
		return i.undecoded(pos, data, err)
	}
	in = region.Inspection{Position: c.Pos(), HasPosition: true, LastUpdate: c.LastUpdate()}
	i.version(pos, c.DataVersion())
	i.sections(pos, c)
	i.heightmaps(pos, c)
	return in, nil
}

// decode makes a chunk, with new tables if the ones that there are are full.
func (i *inspector) decode(data []byte) (*chunk.Chunk, error) {
	if now := i.tables.get(); now != i.has {
		i.has, i.decoder = now, chunk.NewDecoder(now)
	}
	c, err := i.decoder.Decode(data)
	if isFull(err) {
		i.has = i.tables.renew(i.has)
		i.decoder = chunk.NewDecoder(i.has)
		c, err = i.decoder.Decode(data)
	}
	return c, err
}

func isFull(err error) bool {
	return errors.Is(err, block.ErrFull) || errors.Is(err, chunk.ErrBiomesFull)
}

// undecoded says why a chunk is none.
func (i *inspector) undecoded(pos region.ChunkPos, data []byte, why error) (in region.Inspection, err error) {
	h, err := chunk.ReadHeader(data)
	if err != nil {
		return in, err
	}
	in = region.Inspection{Position: h.Pos, HasPosition: h.HasPos, LastUpdate: h.LastUpdate}
	i.version(pos, h.DataVersion)
	damage, _ := errors.AsType[*chunk.DamageError](why)
	var syntax *nbt.SyntaxError
	switch {
	case errors.Is(why, chunk.ErrTooOld):
		i.note(pos, TooOld, "%s", anvil.Describe(h.DataVersion))
	case isFull(why):
		i.note(pos, NotModelled, "more names of blocks or biomes than are taken")
	case h.DataVersion > anvil.NativeVersion:
		i.note(pos, NotModelled, "%s", anvil.Describe(h.DataVersion))
	case damage == nil && errors.As(why, &syntax):
		return in, why
	case damage == nil:
		i.note(pos, BadChunk, "%v", why)
	case errors.Is(damage.Err, chunk.ErrMissing):
		i.note(pos, MissingMember, "%s", damage.Path)
	case errors.Is(damage.Err, chunk.ErrPalette), errors.Is(damage.Err, chunk.ErrIndex), errors.Is(damage.Err, chunk.ErrDataLength) && inContainer(damage.Path):
		i.note(pos, BadPalette, "%s: %v", damage.Path, damage.Err)
	default:
		i.note(pos, BadChunk, "%s: %v", damage.Path, damage.Err)
	}
	return in, nil
}

// inContainer reports whether a path is that of blocks or biomes of a section.
func inContainer(path string) bool {
	for _, name := range []string{"block_states", "biomes", "BlockStates", "Palette", "Biomes"} {
		if strings.Contains(path, name) {
			return true
		}
	}
	return false
}

// sections looks for blocks outside the dimension. Light alone is kept for one
// section more on both sides.
func (i *inspector) sections(pos region.ChunkPos, c *chunk.Chunk) {
	if !i.bounded {
		return
	}
	low, top := chunk.SectionY(i.height.MinY>>4), chunk.SectionY((i.height.MinY+i.height.Blocks)>>4)
	first, end := c.SectionRange()
	for y := first; y < end; y++ {
		if (y < low || y >= top) && c.HasBlocks(y) && !isAir(c, y) {
			i.note(pos, SectionRange, "section %d of a dimension of %d to %d", y, low, top-1)
			return
		}
	}
}

func isAir(c *chunk.Chunk, y chunk.SectionY) bool {
	state, ok := c.UniformSection(y)
	return ok && state == block.Air.Default()
}

// finalHeightmaps are those that a full chunk has.
var finalHeightmaps = [...]chunk.Heightmap{chunk.MotionBlocking, chunk.MotionBlockingNoLeaves, chunk.OceanFloor, chunk.WorldSurface}

// heightmaps looks for heights that cannot be.
func (i *inspector) heightmaps(pos region.ChunkPos, c *chunk.Chunk) {
	full, top := c.Full(), c.MinY()+c.Height()
	if _, has := c.Member("Heightmaps"); !has && !full {
		return
	}
	for _, k := range finalHeightmaps {
		if !c.HasHeightmap(k) {
			if full && c.DataVersion() >= chunk.MinDataVersion {
				i.note(pos, BadHeightmap, "%v: missing or of another length", k)
				return
			}
			continue
		}
		for column := range 256 {
			if y, ok := c.HeightAt(k, column&15, column>>4); !ok || y > top {
				i.note(pos, BadHeightmap, "%v: %d at %d,%d, above %d", k, y, column&15, column>>4, top)
				return
			}
		}
	}
}
