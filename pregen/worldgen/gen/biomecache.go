package gen

import (
	"strata/pregen/worldgen/climate"
	"strata/pregen/worldgen/proto"
)

// cachedChunks is how many chunks a Maker remembers the biomes of: a row of a
// region and its neighbours, and more. In the overworld it takes 3.1 KiB each.
const cachedChunks = 512

// biomeCache remembers biomes of chunks, and of corners of chunks.
type biomeCache struct {
	reader       *climate.Reader
	minY, height int
	chunks       map[place]*proto.Chunk
	order        []place // of chunks, the oldest at next
	next         int
	corners      map[place]proto.Biome
}

type place struct{ x, z int32 }

// cachedCorners bounds the remembered corners; all are forgotten when there are
// as many.
const cachedCorners = 1 << 14

func newBiomeCache(reader *climate.Reader, minY, height int) *biomeCache {
	return &biomeCache{
		reader: reader, minY: minY, height: height,
		chunks:  make(map[place]*proto.Chunk, cachedChunks),
		corners: make(map[place]proto.Biome),
	}
}

// at returns a chunk that has biomes and nothing else. It is the cache's, and
// good until cachedChunks others were asked for.
func (b *biomeCache) at(x, z int32) *proto.Chunk {
	key := place{x, z}
	if c := b.chunks[key]; c != nil {
		return c
	}
	var c *proto.Chunk
	if len(b.order) < cachedChunks {
		c = &proto.Chunk{MinY: b.minY, Height: b.height, Biomes: make([]proto.Biome, 4*b.height)}
		b.order = append(b.order, key)
	} else {
		oldest := b.order[b.next]
		c = b.chunks[oldest]
		delete(b.chunks, oldest)
		b.order[b.next] = key
		b.next = (b.next + 1) % cachedChunks
	}
	c.X, c.Z = x, z
	b.reader.Fill(c)
	b.chunks[key] = c
	return c
}

// corner returns the biome at the lowest corner of a chunk, at height 0.
func (b *biomeCache) corner(x, z int32) proto.Biome {
	key := place{x, z}
	if biome, ok := b.corners[key]; ok {
		return biome
	}
	if len(b.corners) >= cachedCorners {
		clear(b.corners)
	}
	biome := b.reader.At(int(x)<<2, 0, int(z)<<2)
	b.corners[key] = biome
	return biome
}
