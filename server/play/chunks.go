package play

import (
	"fmt"
	"slices"

	"strata/anvil/chunk"
	"strata/anvil/registry"
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
	var batch []protocol.Packet
	p.pending = slices.DeleteFunc(p.pending, func(pos region.ChunkPos) bool {
		if len(batch) >= allowed {
			return false
		}
		packet, err := g.chunkPacket(p, pos)
		if err != nil {
			g.options.Log.Error("chunk cannot be sent", "x", pos.X, "z", pos.Z, "error", err)
			return true
		}
		if packet == nil {
			return false
		}
		batch = append(batch, packet)
		p.sent[pos] = true
		return true
	})
	if len(batch) == 0 {
		return
	}
	p.send(&protocol.ChunkBatchStart{})
	for _, packet := range batch {
		p.send(packet)
	}
	p.send(&protocol.ChunkBatchFinished{BatchSize: int32(len(batch))})
	p.pacer.Sent(len(batch))
}

// chunkPacket is a chunk for the player, nil if it is not there.
func (g *Game) chunkPacket(p *Player, pos region.ChunkPos) (packet protocol.Packet, err error) {
	var encoded []byte
	d := g.options.Dimension
	if !d.Read(pos, func(c *chunk.Chunk) {
		encoded, err = g.encoders[p.version()].AppendChunk(nil, c, d.Shape())
	}) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var r protocol.Reader
	r.Reset(encoded)
	packet, err = protocol.DecodePacket(&r, p.version(), registry.Play, registry.Clientbound)
	if err != nil {
		return nil, fmt.Errorf("chunk %d %d: %w", pos.X, pos.Z, err)
	}
	return packet, nil
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
