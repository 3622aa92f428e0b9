package cave

import (
	"math"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
)

// sculk is the feature sculk_patch: charges that wander from a place and turn
// what they meet to sculk.
type sculk struct {
	charges, amount       int
	attempts              int
	spreads, grows        int // rounds
	catalyst              float32
	shriekers             provider.Int
	veins                 film
	replaced, replaceable *feature.Blocks // by patches; by sculk in general
}

// Limits of the game's spreader while chunks are made.
const (
	maxCharge     = 1000
	maxCursors    = 32
	growthCost    = 50
	decayRate     = 5  // one in so many charges decays
	calmDecayRate = 10 // of those without growth
	noGrowth      = 1  // block from the origin
	farthest      = 24 // blocks from it at which charges decay most
	maxWay        = 15 // blocks from it, in the plane, that charges go
)

func newSculk(l *feature.Loader, config provider.Value) (feature.Feature, error) {
	f := &sculk{}
	for name, n := range map[string]struct {
		to        *int
		low, high int32
	}{
		"charge_count":      {&f.charges, 1, 32},
		"amount_per_charge": {&f.amount, 1, 500},
		"spread_attempts":   {&f.attempts, 1, 64},
		"growth_rounds":     {&f.grows, 0, 8},
		"spread_rounds":     {&f.spreads, 0, 8},
	} {
		member, err := config.Member(name)
		if err != nil {
			return nil, err
		}
		value, err := member.Int(n.low, n.high)
		if err != nil {
			return nil, err
		}
		*n.to = int(value)
	}
	var err error
	if f.shriekers, err = l.Int(config, "extra_rare_growths", 0, 4096); err != nil {
		return nil, err
	}
	if f.catalyst, err = feature.Float(config, "catalyst_chance", 0, 1); err != nil {
		return nil, err
	}
	if f.veins, err = newFilm(l, block.SculkVein); err != nil {
		return nil, err
	}
	if f.replaced, err = l.OptionalTag("minecraft:sculk_replaceable_world_gen"); err != nil {
		return nil, err
	}
	f.replaceable, err = l.OptionalTag("minecraft:sculk_replaceable")
	return f, err
}

func (f *sculk) Place(c *feature.Context, x, y, z int) bool {
	origin := place{x, y, z}
	if !startsSculk(c, origin) {
		return false
	}
	s := spreader{f, origin, nil}
	for round := range f.spreads + f.grows {
		s.charge()
		for range f.attempts {
			s.move(c, round < f.spreads)
		}
	}
	if c.Random.Float() <= f.catalyst && at(c, origin.below()).FullCollision() {
		setOrgan(c, origin, block.SculkCatalyst.Default())
	}
	for range f.shriekers.Sample(c.Random) {
		px := x + int(c.Random.IntN(5)) - 2
		p := place{px, y, z + int(c.Random.IntN(5)) - 2}
		if at(c, p).Air() && feature.Sturdy(at(c, p.below()), block.Up) {
			setOrgan(c, p, shrieker)
		}
	}
	return true
}

// shrieker is one that calls wardens.
var shrieker = block.MustParse("minecraft:sculk_shrieker[can_summon=true]")

// setOrgan sets a block of sculk that has a block entity.
func setOrgan(c *feature.Context, p place, s block.State) {
	if set(c, p, s) {
		c.AddBlockEntity(feature.BlockEntity{X: int32(p.x), Y: int32(p.y), Z: int32(p.z), ID: s.Block().Name()})
	}
}

// isSculk reports whether charges move on a block and use it.
func isSculk(s block.State) bool {
	return s.Block() == block.Sculk || s.Block() == block.SculkVein
}

// startsSculk reports whether charges can start from a place.
func startsSculk(c *feature.Context, p place) bool {
	switch s := at(c, p); {
	case isSculk(s):
		return true
	case !s.Air() && (s.Block() != block.Water || !s.FluidSource()):
		return false
	}
	for _, d := range all {
		if at(c, p.to(d)).FullCollision() {
			return true
		}
	}
	return false
}

// spreader is the charges of a patch.
type spreader struct {
	*sculk
	origin  place
	cursors []cursor
}

// cursor is a charge.
type cursor struct {
	place
	charge       int
	delay, decay int
	faces        uint8 // of the vein that it was on last, as bits of directions
	known        bool  // whether faces are of a block
}

// charge sets new charges at the origin.
func (s *spreader) charge() {
	s.cursors = s.cursors[:0]
	for range s.charges {
		for left := s.amount; left > 0; left -= maxCharge {
			if len(s.cursors) < maxCursors {
				s.cursors = append(s.cursors, cursor{place: s.origin, charge: min(left, maxCharge), decay: 1})
			}
		}
	}
}

// move updates each charge, and drops those that are used up.
func (s *spreader) move(c *feature.Context, veins bool) {
	kept := s.cursors[:0]
	for _, cur := range s.cursors {
		s.update(c, &cur, veins)
		if cur.charge > 0 {
			kept = append(kept, cur)
		}
	}
	s.cursors = kept
}

func (s *spreader) update(c *feature.Context, cur *cursor, veins bool) {
	if cur.delay > 0 {
		cur.delay--
		return
	}
	state := at(c, cur.place)
	if veins && s.spreadVeins(c, cur, state) && state.Block() != block.Sculk {
		state = at(c, cur.place)
	}
	user := state
	if cur.charge = s.use(c, cur, user.Block(), veins); cur.charge <= 0 {
		s.discharge(c, user, cur.place)
		return
	}
	if next, ok := s.way(c, cur.place); ok {
		s.discharge(c, user, cur.place)
		cur.place = next
		dx, dz := next.x-s.origin.x, next.z-s.origin.z
		if dx*dx+dz*dz >= maxWay*maxWay {
			cur.charge = 0
			return
		}
		state = at(c, next)
	}
	if isSculk(state) {
		cur.known, cur.faces = true, s.facesOf(state)
	}
	if isSculk(user) {
		cur.decay = 1
	} else {
		cur.decay = max(cur.decay-1, 0)
	}
	cur.delay = 1
}

// facesOf are the sides that a vein covers, as bits; none of other blocks.
func (s *spreader) facesOf(state block.State) (faces uint8) {
	for _, d := range all {
		if s.veins.has(state, d) {
			faces |= 1 << d
		}
	}
	return faces
}

// spreadVeins spreads veins from where a charge is.
func (s *spreader) spreadVeins(c *feature.Context, cur *cursor, state block.State) bool {
	switch {
	case isSculk(state) || cur.known && cur.faces == 0:
		return s.veins.spreadAll(c, state, cur.place, anyPlace)
	case !cur.known:
		return s.veins.spreadAll(c, state, cur.place, samePlace)
	case !state.Air() && !source(state):
		return false
	}
	return s.regrow(c, cur, state)
}

// regrow sets a vein like the last one.
func (s *spreader) regrow(c *feature.Context, cur *cursor, before block.State) bool {
	vein := block.SculkVein.Default()
	for _, d := range all {
		if cur.faces&(1<<d) != 0 && holds(c, cur.place, d) {
			vein = vein.WithValue(s.veins.properties[d], s.veins.yes)
		}
	}
	if vein == block.SculkVein.Default() {
		return false
	}
	if before.Fluid() != block.NoFluid {
		vein, _ = vein.With("waterlogged", "true")
	}
	set(c, cur.place, vein)
	return true
}

// use uses a charge where it is, and returns what is left of it.
func (s *spreader) use(c *feature.Context, cur *cursor, on block.ID, veins bool) int {
	switch on {
	case block.Sculk:
		return s.useSculk(c, cur)
	case block.SculkVein:
		if veins && s.convert(c, cur.place) {
			return cur.charge - 1
		}
		if c.Random.IntN(decayRate) == 0 {
			return cur.charge / 2
		}
		return cur.charge
	}
	if cur.decay > 0 {
		return cur.charge
	}
	return 0
}

// useSculk lets something grow on sculk, or lets the charge decay.
func (s *spreader) useSculk(c *feature.Context, cur *cursor) int {
	if c.Random.IntN(decayRate) != 0 {
		return cur.charge
	}
	squared := s.squared(cur.place)
	near := squared < noGrowth*noGrowth
	if !near && growable(c, cur.place) {
		if int(c.Random.IntN(growthCost)) < cur.charge {
			s.grow(c, cur.above())
		}
		return max(0, cur.charge-growthCost)
	}
	switch {
	case c.Random.IntN(calmDecayRate) != 0:
		return cur.charge
	case near:
		return cur.charge - 1
	}
	away := float32(math.Sqrt(float64(squared))) - noGrowth
	share := min(1, float32(away*away)/((farthest-noGrowth)*(farthest-noGrowth)))
	return cur.charge - max(1, int(float32(float32(float32(cur.charge)*share)*0.5)))
}

// squared is the square of the distance from the origin.
func (s *spreader) squared(p place) int {
	dx, dy, dz := p.x-s.origin.x, p.y-s.origin.y, p.z-s.origin.z
	return dx*dx + dy*dy + dz*dz
}

// growable reports whether there is room above a place, and few growths around.
func growable(c *feature.Context, p place) bool {
	if s := at(c, p.above()); !s.Air() && (s.Block() != block.Water || !s.FluidSource()) {
		return false
	}
	growths := 0
	for z := p.z - 4; z <= p.z+4; z++ {
		for y := p.y; y <= p.y+2; y++ {
			for x := p.x - 4; x <= p.x+4; x++ {
				if id := c.Block(x, y, z).Block(); id == block.SculkSensor || id == block.SculkShrieker {
					growths++
				}
			}
		}
	}
	return growths <= 2
}

// grow sets a sensor or, rarely, a shrieker.
func (s *spreader) grow(c *feature.Context, p place) {
	state := block.SculkSensor.Default()
	if c.Random.IntN(11) == 0 {
		state = shrieker
	}
	if at(c, p).Fluid() != block.NoFluid {
		state, _ = state.With("waterlogged", "true")
	}
	setOrgan(c, p, state)
}

// convert turns a block that a vein covers to sculk.
func (s *spreader) convert(c *feature.Context, p place) bool {
	vein := at(c, p)
	order := all
	rng.Shuffle(c.Random, order[:])
	for _, d := range order {
		on := p.to(d)
		if !s.veins.has(vein, d) || !s.replaced.Has(at(c, on)) {
			continue
		}
		set(c, on, block.Sculk.Default())
		s.veins.spreadAll(c, block.Sculk.Default(), on, anyPlace)
		for _, beside := range all {
			if beside != d.Opposite() {
				s.discharge(c, at(c, on.to(beside)), on.to(beside))
			}
		}
		return true
	}
	return false
}

// discharge takes the sides from a vein that are sculk now.
func (s *spreader) discharge(c *feature.Context, state block.State, p place) {
	if state.Block() != block.SculkVein {
		return
	}
	for _, d := range all {
		if s.veins.has(state, d) && at(c, p.to(d)).Block() == block.Sculk {
			state, _ = state.With(d.String(), "false")
		}
	}
	if s.facesOf(state) == 0 {
		wet := at(c, p).Fluid() != block.NoFluid
		if state = block.Air.Default(); wet {
			state = block.Water.Default()
		}
	}
	set(c, p, state)
}

// neighbors are the 18 places around one that share a side or an edge with it.
var neighbors = func() (list [18]place) {
	n := 0
	for z := -1; z <= 1; z++ {
		for y := -1; y <= 1; y++ {
			for x := -1; x <= 1; x++ {
				if ways := abs(x) + abs(y) + abs(z); ways == 1 || ways == 2 {
					list[n] = place{x, y, z}
					n++
				}
			}
		}
	}
	return list
}()

// way chooses where a charge goes: to the first place with something to turn,
// or the last that is sculk at all.
func (s *spreader) way(c *feature.Context, p place) (next place, ok bool) {
	order := neighbors
	rng.Shuffle(c.Random, order[:])
	for _, o := range order {
		to := place{p.x + o.x, p.y + o.y, p.z + o.z}
		state := at(c, to)
		if !isSculk(state) || !passes(c, p, o) {
			continue
		}
		next, ok = to, true
		if s.feeds(c, state, to) {
			break
		}
	}
	return next, ok
}

// feeds reports whether a vein covers something that can turn to sculk.
func (s *spreader) feeds(c *feature.Context, state block.State, p place) bool {
	for _, d := range all {
		if s.veins.has(state, d) && s.replaceable.Has(at(c, p.to(d))) {
			return true
		}
	}
	return false
}

// passes reports whether a charge gets around the corner to a neighbor.
func passes(c *feature.Context, p, o place) bool {
	if abs(o.x)+abs(o.y)+abs(o.z) == 1 {
		return true
	}
	open := func(low block.Direction, n int) bool {
		d := low
		if n >= 0 {
			d++
		}
		return !feature.Sturdy(at(c, p.to(d)), d.Opposite())
	}
	switch {
	case o.x == 0:
		return open(block.Down, o.y) || open(block.North, o.z)
	case o.y == 0:
		return open(block.West, o.x) || open(block.North, o.z)
	}
	return open(block.West, o.x) || open(block.Down, o.y)
}
