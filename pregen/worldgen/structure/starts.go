package structure

import (
	"slices"
	"sync"

	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/terrain"
)

// Reach is how many chunks away from its own a structure can be.
const Reach = 8

// Known are the structures that were found in a dimension, for all workers:
// what a piece settles when it is placed must be known to all of them. It may
// be used concurrently.
type Known struct {
	system *System
	stored func(x, z int32) ([]*Start, bool)
	recall func(Recaller, Box) // nil for nothing

	mu    sync.Mutex
	found map[chunkPos][]*Start // guarded by mu, as are order and next
	order []chunkPos            // of found, the oldest at next
	next  int
}

type chunkPos struct{ x, z int32 }

// cachedStarts is how many chunks are remembered: many rows of regions. What
// pieces have settled is forgotten with them.
const cachedStarts = 1 << 17

// NewKnown returns a Known without structures. stored returns the starts of
// chunks that exist, which win over what would be found, and false of others;
// it may be nil, and is called by any worker.
func (s *System) NewKnown(stored func(x, z int32) ([]*Start, bool)) *Known {
	return &Known{system: s, stored: stored, found: make(map[chunkPos][]*Start)}
}

// Recall has f called once for each Recaller of a start, before it is used, with
// the piece's box. It is called before the Known is used; f is called by any
// worker.
func (k *Known) Recall(f func(Recaller, Box)) { k.recall = f }

func (k *Known) get(key chunkPos) ([]*Start, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	found, ok := k.found[key]
	return found, ok
}

// put remembers what was found in a chunk, unless another worker was faster,
// and returns what is remembered.
func (k *Known) put(key chunkPos, found []*Start) []*Start {
	k.mu.Lock()
	defer k.mu.Unlock()
	if first, ok := k.found[key]; ok {
		return first
	}
	if len(k.order) < cachedStarts {
		k.order = append(k.order, key)
	} else {
		delete(k.found, k.order[k.next])
		k.order[k.next] = key
		k.next = (k.next + 1) % cachedStarts
	}
	k.found[key] = found
	return found
}

// Starts finds the structures around the chunks that a worker makes. One
// goroutine at a time may use it.
type Starts struct {
	system   *System
	known    *Known
	layouter *Layouter
	placing  *placing
	random   rng.Worldgen // of layouts

	placer  Placer
	referTo []*Start
	referAt chunkPos
	refers  bool
}

// Use makes the worker go on with what others have found and settled.
func (s *Starts) Use(k *Known) {
	if s.known != k {
		s.known, s.refers = k, false
	}
}

// NewStarts returns the scratch of a worker. The layouter is its own from then
// on.
func (k *Known) NewStarts(l *Layouter) *Starts {
	s := &Starts{
		system: k.system, known: k, layouter: l, placing: newPlacing(k.system.seed, l.Ground),
		random: rng.NewWorldgenLegacy(0),
	}
	l.Random = &s.random
	return s
}

// At returns the structures that start in a chunk, in the order of their sets.
func (s *Starts) At(x, z int32) []*Start {
	key := chunkPos{x, z}
	if found, ok := s.known.get(key); ok {
		return found
	}
	var found []*Start
	ok := false
	if s.known.stored != nil {
		found, ok = s.known.stored(x, z)
	}
	if !ok {
		found = s.find(x, z)
	}
	if s.known.recall != nil {
		for _, start := range found {
			start.recall(s.known.recall)
		}
	}
	return s.known.put(key, found)
}

// find looks for structures of all sets.
func (s *Starts) find(x, z int32) []*Start {
	var found []*Start
	for _, set := range s.system.sets {
		if !set.placement.allows(s.placing, x, z) {
			continue
		}
		if start := s.choose(set, x, z); start != nil {
			found = append(found, start)
		}
	}
	return found
}

// choose chooses among the structures of a set by weight, until one can start.
func (s *Starts) choose(set *set, x, z int32) *Start {
	if len(set.entries) == 1 {
		return s.start(set.entries[0].structure, x, z)
	}
	random := &s.placing.random
	random.SetLargeFeatureSeed(s.system.seed, x, z)
	entries, total := slices.Clone(set.entries), set.total
	for len(entries) > 0 {
		draw := random.IntN(total)
		i := 0
		for draw -= entries[0].weight; draw >= 0; draw -= entries[i].weight {
			i++
		}
		if start := s.start(entries[i].structure, x, z); start != nil {
			return start
		}
		total -= entries[i].weight
		entries = slices.Delete(entries, i, i+1)
	}
	return nil
}

// start lays a structure out, nil if it cannot start in a chunk.
func (s *Starts) start(structure *Structure, x, z int32) *Start {
	if structure.Layout == nil {
		return nil
	}
	l := s.layouter
	l.ChunkX, l.ChunkZ = x, z
	s.random.SetLargeFeatureSeed(s.system.seed, x, z)
	point, ok := structure.Layout.Find(l)
	if !ok || !structure.allowed(l, point) {
		return nil
	}
	pieces := point.Pieces(l)
	if len(pieces) == 0 {
		return nil
	}
	return NewStart(structure, x, z, 0, pieces)
}

// Referring calls f for the starts that a chunk refers to: those within Reach
// whose box meets it, in the order in which the game finds them.
func (s *Starts) Referring(x, z int32, f func(*Start)) {
	for fromX := x - Reach; fromX <= x+Reach; fromX++ {
		for fromZ := z - Reach; fromZ <= z+Reach; fromZ++ {
			for _, start := range s.At(fromX, fromZ) {
				if start.box.MeetsColumns(x<<4, z<<4, x<<4+15, z<<4+15) {
					f(start)
				}
			}
		}
	}
}

// refer returns the starts that a chunk refers to, those of one structure in
// the order in which the game keeps them. It lasts until the next call.
func (s *Starts) refer(x, z int32) []*Start {
	if s.refers && s.referAt == (chunkPos{x, z}) {
		return s.referTo
	}
	s.referTo = s.referTo[:0]
	s.Referring(x, z, func(start *Start) { s.referTo = append(s.referTo, start) })
	s.referAt, s.refers = chunkPos{x, z}, true
	orderReferences(s.referTo, s.system.byID)
	return s.referTo
}

// Beard gives the beard of a chunk the pieces near it.
func (s *Starts) Beard(b *terrain.Beard, x, z int32) {
	b.Begin(x, z)
	for _, start := range s.refer(x, z) {
		if start.Adaptation != terrain.NoAdaptation {
			start.beard(b)
		}
	}
}

func (s *Start) beard(b *terrain.Beard) {
	for _, p := range s.Pieces {
		piece := terrain.Piece{Box: terrain.Box(p.Common().Box), Adaptation: s.Adaptation}
		var junctions []terrain.Junction
		if adapted, ok := p.(Adapted); ok {
			var rigid bool
			if piece.GroundDelta, rigid, junctions = adapted.Ground(); !rigid {
				piece.Adaptation = terrain.NoAdaptation
			}
		}
		if b.Add(piece) {
			for _, j := range junctions {
				b.Join(j)
			}
		}
	}
}

// Place implements feature.Structures: it builds what the structures of a step
// have in the chunk that is decorated.
func (s *Starts) Place(c *feature.Context, seed int64, step int32) {
	center := c.Center()
	for _, structure := range s.system.structures {
		if structure.Step != step {
			continue
		}
		seeded := false
		for _, start := range s.refer(center.X, center.Z) {
			if start.ID != structure.ID {
				continue
			}
			if !seeded {
				c.Random.SetFeatureSeed(seed, structure.Index, step)
				seeded = true
			}
			s.place(c, start)
		}
	}
}

// Lacking returns how many structures build in a chunk with templates whose
// blocks are not at hand.
func (s *Starts) Lacking(x, z int32) int {
	lacking := 0
	for _, start := range s.refer(x, z) {
		if slices.ContainsFunc(start.Pieces, func(p Piece) bool { return s.lacks(p, x, z) }) {
			lacking++
		}
	}
	return lacking
}

func (s *Starts) lacks(p Piece, x, z int32) bool {
	of, ok := p.(Templated)
	return ok && p.Common().Box.MeetsColumns(x<<4, z<<4, x<<4+15, z<<4+15) &&
		slices.ContainsFunc(of.TemplateIDs(), s.layouter.Templates.Lacks)
}

// place builds what a start has in the chunk that is decorated.
func (s *Starts) place(c *feature.Context, start *Start) {
	p := &s.placer
	center := c.Center()
	x, z := center.X<<4, center.Z<<4
	first := start.Pieces[0].Common().Box
	*p = Placer{
		Context: c, ChunkX: center.X, ChunkZ: center.Z, Start: start, Templates: s.layouter.Templates,
		Box: NewBox(x, int32(c.MinY())+1, z, x+15, int32(c.Top())-1, z+15),
	}
	p.PivotX, _, p.PivotZ = first.Center()
	p.PivotY = first.MinY
	for _, piece := range start.Pieces {
		if piece.Common().Box.Meets(p.Box) {
			start.placePiece(p, piece)
		}
	}
	if f, ok := start.Layout.(Finisher); ok {
		f.Finish(p)
	}
}

// NewStarts returns the scratch of a single worker: see NewKnown.
func (s *System) NewStarts(l *Layouter, stored func(x, z int32) ([]*Start, bool)) *Starts {
	return s.NewKnown(stored).NewStarts(l)
}
