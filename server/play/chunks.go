package play

import (
	"slices"

	"strata/anvil/chunk"
	"strata/region"
	"strata/server/protocol"
	"strata/server/stream"
)

// sendChunks sends what of the player's view is loaded, as many as it takes.
func (g *Game) sendChunks(p *Player) {
	allowed := p.pacer.Tick()
	if allowed == 0 || len(p.pending) == 0 {
		return
	}
	var batch [][]byte
	p.pending = slices.DeleteFunc(p.pending, func(pos region.ChunkPos) bool {
		if len(batch) >= allowed {
			return false
		}
		frame, err := g.chunkFrame(p, pos)
		if err != nil {
			g.options.Log.Error("chunk cannot be sent", "x", pos.X, "z", pos.Z, "error", err)
			return true
		}
		if frame == nil {
			return false
		}
		batch = append(batch, frame)
		p.sent[pos] = true
		return true
	})
	if len(batch) == 0 {
		return
	}
	p.send(&protocol.ChunkBatchStart{})
	for _, frame := range batch {
		p.sendFrames(frame)
	}
	p.send(&protocol.ChunkBatchFinished{BatchSize: int32(len(batch))})
	p.pacer.Sent(len(batch))
}

// chunkFrame is the packet of a chunk for the player, nil if the chunk or the frame
// is not there yet.
func (g *Game) chunkFrame(p *Player, pos region.ChunkPos) (frame []byte, err error) {
	d := p.in
	d.Read(pos, func(c *chunk.Chunk) {
		key := stream.Key{Dim: d.index, Pos: pos, Version: p.version()}
		frame, err = g.options.Chunks.Frame(key, c.Revision(), d.Shape(), func() (*chunk.Chunk, error) { return c.Clone(), nil })
	})
	return frame, err
}

// review gives the player the view of where it is now.
func (g *Game) review(p *Player) {
	view := stream.View{Center: p.chunk(), Distance: g.distance(p)}
	if view == p.view {
		return
	}
	enter, leave := view.Diff(p.view, nil, nil)
	if view.Center != p.view.Center {
		p.send(&protocol.SetChunkCacheCenter{ChunkX: view.Center.X, ChunkZ: view.Center.Z})
	}
	for _, pos := range leave {
		if p.sent[pos] {
			delete(p.sent, pos)
			p.send(&protocol.ForgetLevelChunk{ChunkX: pos.X, ChunkZ: pos.Z})
		}
	}
	p.view = view
	p.pending = slices.DeleteFunc(p.pending, func(pos region.ChunkPos) bool { return !view.Contains(pos) })
	p.pending = append(p.pending, enter...)
	slices.SortStableFunc(p.pending, func(a, b region.ChunkPos) int {
		return distance2(a, view.Center) - distance2(b, view.Center)
	})
}

func distance2(a, b region.ChunkPos) int {
	dx, dz := int(a.X)-int(b.X), int(a.Z)-int(b.Z)
	return dx*dx + dz*dz
}
