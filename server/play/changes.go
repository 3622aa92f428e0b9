package play

import (
	"fmt"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/registry"
	"strata/region"
	"strata/server/protocol"
	"strata/server/stream"
	"strata/server/world"
)

// sendEncoded sends a packet that append makes.
func (g *Game) sendEncoded(p *Player, appendTo func([]byte) ([]byte, error)) {
	frame, err := g.frame(nil, appendTo)
	if err != nil {
		g.options.Log.Error("a packet cannot be sent", "player", p.Name(), "error", err)
		return
	}
	p.sendFrames(frame)
}

// frame appends the frame of a packet that append makes.
func (g *Game) frame(dst []byte, appendTo func([]byte) ([]byte, error)) ([]byte, error) {
	packet, err := appendTo(g.packet[:0])
	if err != nil {
		return dst, err
	}
	g.packet = packet
	if g.framer == nil {
		return protocol.AppendFrame(dst, packet)
	}
	return g.framer.AppendFrame(dst, packet)
}

// sendChanges tells all in a dimension what has changed in the chunks that they have, in frames
// that are made once for each version.
func (g *Game) sendChanges(d *dimension) error {
	changed, err := d.Flush()
	for i := range changed {
		frames := map[registry.Version][]byte{}
		for _, p := range g.players {
			if !p.joined || p.in != d || !p.sent[changed[i].Pos] {
				continue
			}
			frame, made := frames[p.version()]
			if !made {
				var ferr error
				if frame, ferr = g.changeFrames(p.version(), d, &changed[i]); ferr != nil {
					return fmt.Errorf("changes of chunk %d %d: %w", changed[i].Pos.X, changed[i].Pos.Z, ferr)
				}
				frames[p.version()] = frame
			}
			p.sendFrames(frame)
		}
	}
	return err
}

// changeFrames are the packets of what has changed in a chunk.
func (g *Game) changeFrames(v registry.Version, d *dimension, c *world.Changed) (frames []byte, err error) {
	e := g.encoders[v]
	bySection := map[chunk.SectionY][]stream.Change{}
	for _, pos := range c.Blocks {
		s, _ := d.Block(pos)
		y := chunk.SectionY(pos.Y >> 4)
		cell := uint16(pos.Y&15)<<8 | uint16(pos.Z&15)<<4 | uint16(pos.X&15)
		bySection[y] = append(bySection[y], stream.Change{Cell: cell, State: s})
	}
	for y, all := range bySection {
		frames, err = g.frame(frames, func(dst []byte) ([]byte, error) {
			if len(all) == 1 {
				return e.AppendBlock(dst, placeOf(c.Pos, y, all[0]), all[0].State)
			}
			return e.AppendBlocks(dst, c.Pos, y, all)
		})
		if err != nil {
			return nil, err
		}
	}
	for _, pos := range c.Entities {
		if frames, err = g.entityFrame(frames, v, d, pos); err != nil {
			return nil, err
		}
	}
	if c.Sky.Empty() && c.Block.Empty() {
		return frames, nil
	}
	d.Read(c.Pos, func(ch *chunk.Chunk) {
		frames, err = g.frame(frames, func(dst []byte) ([]byte, error) {
			return e.AppendLight(dst, ch, d.Shape(), &c.Sky, &c.Block)
		})
	})
	return frames, err
}

// entityFrame appends the packet of a block entity, if clients draw anything of it.
func (g *Game) entityFrame(frames []byte, v registry.Version, d *dimension, pos chunk.BlockPos) ([]byte, error) {
	e, found := d.BlockEntity(pos)
	kind, known := stream.NumberingOf(v).EntityType(e.ID)
	if !found || !known {
		return frames, nil
	}
	tag, err := stream.UpdateTag(e)
	if err != nil {
		g.options.Log.Warn("a block entity cannot be shown", "error", err)
	}
	if tag == nil {
		return frames, nil // the block is there all the same
	}
	var w protocol.Writer
	packet := &protocol.BlockEntityData{Pos: protocol.BlockPos(pos), Type: kind, NBT: tag}
	if err := protocol.EncodePacket(&w, v, registry.Play, registry.Clientbound, packet); err != nil {
		return frames, err
	}
	return g.frame(frames, func(dst []byte) ([]byte, error) { return append(dst, w.Bytes()...), nil })
}

func placeOf(pos region.ChunkPos, y chunk.SectionY, c stream.Change) chunk.BlockPos {
	return chunk.BlockPos{X: pos.X<<4 | int32(c.Cell&15), Y: int32(y)<<4 | int32(c.Cell>>8), Z: pos.Z<<4 | int32(c.Cell>>4&15)}
}

// Block returns a block where players appear; false if its chunk is not there.
func (g *Game) Block(pos chunk.BlockPos) (block.State, bool) { return g.dimensions[0].Block(pos) }
