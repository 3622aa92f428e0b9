package building

import (
	"strconv"

	"strata/nbt"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/structure/template"
)

// oceanRuinLayout is the layout of ocean ruins.
type oceanRuinLayout struct {
	warm           bool
	large, cluster float32 // probabilities
}

func newOceanRuin(_ *structure.Loader, v provider.Value) (structure.Layout, error) {
	var o oceanRuinLayout
	member, err := v.Member("biome_temp")
	if err != nil {
		return nil, err
	}
	switch text, err := member.Text(); {
	case err != nil:
		return nil, err
	case text == "warm":
		o.warm = true
	case text != "cold":
		return nil, member.Errorf("%.50q is neither warm nor cold", text)
	}
	if o.large, err = probability(v, "large_probability"); err != nil {
		return nil, err
	}
	o.cluster, err = probability(v, "cluster_probability")
	return o, err
}

// probability reads a number of 0 to 1.
func probability(v provider.Value, name string) (float32, error) {
	member, err := v.Member(name)
	if err != nil {
		return 0, err
	}
	return member.Float32(0, 1)
}

// Find implements structure.Layout.
func (o oceanRuinLayout) Find(l *structure.Layouter) (structure.Point, bool) {
	return onTop(l, proto.OceanFloor, func(l *structure.Layouter) []structure.Piece {
		x, z := l.MinBlock()
		r := &ruins{l: l, random: l.Random, layout: o}
		r.layOut(spot{x, startHeight, z})
		if r.missing {
			return nil
		}
		return r.pieces
	})
}

// ruins lays out an ocean ruin and those around it.
type ruins struct {
	l       *structure.Layouter
	random  rng.Source
	layout  oceanRuinLayout
	pieces  []structure.Piece
	missing bool // a template was
}

func (r *ruins) layOut(at spot) {
	rotation := randomRotation(r.random)
	large := r.random.Float() <= r.layout.large
	integrity := float32(0.8)
	if large {
		integrity = 0.9
	}
	r.add(at, posture{rotation: rotation}, large, integrity)
	if large && r.random.Float() <= r.layout.cluster {
		r.surround(at, posture{rotation: rotation})
	}
}

// around are where small ruins may stand around a large one: the ranges that x
// and z are drawn from, both ends included.
var around = [8]struct{ fromX, toX, fromZ, toZ int32 }{
	{-15, -8, 17, 23}, {-15, -8, 1, 7}, {-15, -8, -12, -8}, {1, 7, 17, 23},
	{1, 7, -12, -10}, {17, 23, 19, 24}, {17, 23, 1, 7}, {17, 23, -12, -8},
}

// surround adds small ruins around a large one.
func (r *ruins) surround(at spot, t posture) {
	far := t.apply(spot{15, 0, 15}).plus(at)
	main := template.Corners(at.x, at.y, at.z, far.x, far.y, far.z)
	corner := spot{main.MinX, at.y, main.MinZ}
	places := make([]spot, len(around))
	for i, a := range around {
		x := rng.Between(r.random, a.fromX, a.toX)
		z := rng.Between(r.random, a.fromZ, a.toZ)
		places[i] = corner.plus(spot{x, 0, z})
	}
	for range rng.Between(r.random, 4, 8) {
		if len(places) == 0 {
			break
		}
		i := r.random.IntN(int32(len(places)))
		place := places[i]
		places = append(places[:i], places[i+1:]...)
		own := posture{rotation: randomRotation(r.random)}
		end := own.apply(spot{5, 0, 6}).plus(place)
		if !template.Corners(place.x, place.y, place.z, end.x, end.y, end.z).Meets(main) {
			r.add(place, own, false, 0.8)
		}
	}
}

// The numbers of the templates.
var (
	smallRuins     = []int{1, 2, 3, 4, 5, 6, 7, 8}
	bigColdRuins   = []int{1, 2, 3, 8}
	bigWarmRuins   = []int{4, 5, 6, 7}
	coldRuinLayers = [...]struct {
		name      string
		integrity float32 // 0 for that of the ruin
	}{{"brick_", 0}, {"cracked_", 0.7}, {"mossy_", 0.5}}
)

// add adds a ruin. Cold ones are three templates in the same place, each of
// which has some of the blocks.
func (r *ruins) add(at spot, t posture, large bool, integrity float32) {
	numbers, size := smallRuins, ""
	switch {
	case large && r.layout.warm:
		numbers, size = bigWarmRuins, "big_"
	case large:
		numbers, size = bigColdRuins, "big_"
	}
	number := strconv.Itoa(numbers[r.random.IntN(int32(len(numbers)))])
	if r.layout.warm {
		r.put(size+"warm_"+number, at, t, large, integrity)
		return
	}
	for _, layer := range coldRuinLayers {
		part := layer.integrity
		if part == 0 {
			part = integrity
		}
		r.put(size+layer.name+number, at, t, large, part)
	}
}

func (r *ruins) put(name string, at spot, t posture, large bool, integrity float32) {
	piece, ok := newTurned(r.l, "minecraft:orp", "minecraft:underwater_ruin/"+name, at, t)
	r.missing = r.missing || !ok
	r.pieces = append(r.pieces, &oceanRuinPiece{turned: piece, warm: r.layout.warm, large: large, integrity: integrity})
}

// oceanRuinPiece is a ruin, or one of the three layers of a cold one.
type oceanRuinPiece struct {
	turned
	warm, large bool
	integrity   float32
}

// Save implements structure.Piece.
func (o *oceanRuinPiece) Save() nbt.Compound {
	c := o.save(o.name)
	temperature := "COLD"
	if o.warm {
		temperature = "WARM"
	}
	c.Set("Rot", o.rotation.String())
	c.Set("Integrity", o.integrity)
	c.Set("BiomeType", temperature)
	c.Set("IsLarge", o.large)
	return c
}
