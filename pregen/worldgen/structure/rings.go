package structure

import (
	"context"
	"math"

	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
)

// rings are rings of places around the middle of the world, each moved to a
// biome that is preferred.
type rings struct {
	distance, spread, count int32
	preferred               []string
	biomes                  []bool // preferred, by number
}

func (l *Loader) readRings(v provider.Value) (*rings, error) {
	r := &rings{}
	var err error
	if r.distance, err = number(v, "distance", 0, maxSpread); err != nil {
		return nil, err
	}
	if r.spread, err = number(v, "spread", 0, maxSpread); err != nil {
		return nil, err
	}
	if r.count, err = number(v, "count", 1, maxRings); err != nil {
		return nil, err
	}
	member, err := v.Member("preferred_biomes")
	if err != nil {
		return nil, err
	}
	r.preferred, err = idsOf(l.source, "worldgen/biome", member)
	return r, err
}

// resolve makes the mask of the preferred biomes of a dimension.
func (r *rings) resolve(biomes []string) { r.biomes = maskOf(biomes, r.preferred) }

// ringPlace is a place in the rings: the chunk that is drawn, and the one with
// the preferred biome once it is known.
type ringPlace struct {
	x, z   int32
	random rng.Legacy // for the search
	found  bool
	atX    int32
	atZ    int32
}

// ringPlaces are the places of rings with a seed, and those found.
type ringPlaces struct{ places []ringPlace }

// searchRadius is how far biomes are searched around a place, in blocks, and
// searchChunks how far away it can end up, in chunks.
const (
	searchRadius = 112
	searchChunks = searchRadius/16 + 1
)

// draw draws the places.
func (r *rings) draw(seed int64) *ringPlaces {
	random := rng.NewLegacy(seed)
	drawn := &ringPlaces{}
	angle := float64(random.Double()*math.Pi) * 2
	spread, inRing, ring := r.spread, int32(0), int32(0)
	for i := range r.count {
		away := float64(4*r.distance+r.distance*ring*6) + float64((float64(random.Double())-0.5)*(float64(r.distance)*2.5))
		sin, cos := feature.SinCos(angle)
		drawn.places = append(drawn.places, ringPlace{
			x: round(float64(cos * away)), z: round(float64(sin * away)),
			random: rng.NewLegacy(random.Long()),
		})
		angle += 2 * math.Pi / float64(spread)
		if inRing++; inRing == spread {
			ring++
			inRing = 0
			spread += 2 * spread / (ring + 1)
			spread = min(spread, r.count-i)
			angle += float64(random.Double()*math.Pi) * 2
		}
	}
	return drawn
}

// round is Java's Math.round.
func round(v float64) int32 { return int32(math.Floor(v + 0.5)) }

// inRings reports whether a chunk is in rings. Biomes are searched only around
// the places that can end up there.
func (w *placing) inRings(r *rings, x, z int32) bool {
	drawn := w.drawn(r)
	for i := range drawn.places {
		p := &drawn.places[i]
		if abs(p.x-x) > searchChunks || abs(p.z-z) > searchChunks {
			continue
		}
		if !p.found {
			p.search(w.ground, r.biomes)
		}
		if p.atX == x && p.atZ == z {
			return true
		}
	}
	return false
}

// drawn returns the places of rings, drawn once.
func (w *placing) drawn(r *rings) *ringPlaces {
	drawn := w.found[r]
	if drawn == nil {
		drawn = r.draw(w.seed)
		w.found[r] = drawn
	}
	return drawn
}

// all returns the chunks of all places of rings.
func (w *placing) all(ctx context.Context, r *rings) ([]chunkPos, error) {
	drawn := w.drawn(r)
	list := make([]chunkPos, 0, len(drawn.places))
	for i := range drawn.places {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p := &drawn.places[i]
		if !p.found {
			p.search(w.ground, r.biomes)
		}
		list = append(list, chunkPos{p.atX, p.atZ})
	}
	return list, nil
}

func abs(v int32) int32 { return max(v, -v) }

// search moves the place to one of the quarter cells around that have a wanted
// biome, each as likely.
func (p *ringPlace) search(ground Ground, wanted []bool) {
	const reach = searchRadius >> 2
	p.found, p.atX, p.atZ = true, p.x, p.z
	middleX, middleZ := (p.x<<4+8)>>2, (p.z<<4+8)>>2
	seen := int32(0)
	for dz := int32(-reach); dz <= reach; dz++ {
		for dx := int32(-reach); dx <= reach; dx++ {
			if !wanted[ground.Biome(middleX+dx, 0, middleZ+dz)] {
				continue
			}
			if seen == 0 || p.random.IntN(seen+1) == 0 {
				p.atX, p.atZ = (middleX+dx)>>2, (middleZ+dz)>>2
			}
			seen++
		}
	}
}

// maskOf says of the biomes of a dimension whether they are among some ids.
func maskOf(biomes, ids []string) []bool {
	among := make(map[string]bool, len(ids))
	for _, id := range ids {
		among[id] = true
	}
	mask := make([]bool, len(biomes))
	for i, id := range biomes {
		mask[i] = among[id]
	}
	return mask
}
