package tree

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// attached hangs blocks at logs or leaves.
type attached struct {
	state  feature.Provider
	sides  []direction
	chance float32
	leaves bool // at leaves, where the rest counts

	wide, tall int // around a block, where there is no other
	empty      int // blocks of air that it needs
}

func readAttached(l *feature.Loader, v provider.Value, leaves bool) (d attached, err error) {
	d.leaves = leaves
	if d.state, err = l.MemberProvider(v, "block_provider"); err != nil {
		return d, err
	}
	if d.chance, err = chance(v, "probability"); err != nil {
		return d, err
	}
	member, err := v.Member("directions")
	if err != nil {
		return d, err
	}
	list, ok := member.List()
	if !ok || len(list) == 0 || len(list) > 64 {
		return d, member.Errorf("not a list of 1 to 64")
	}
	for _, element := range list {
		text, err := element.Text()
		if err != nil {
			return d, err
		}
		side, ok := directionOf(text)
		if !ok {
			return d, element.Errorf("no direction %q", text)
		}
		d.sides = append(d.sides, side)
	}
	if !leaves {
		return d, nil
	}
	if d.wide, err = number(v, "exclusion_radius_xz", 0, 16); err != nil {
		return d, err
	}
	if d.tall, err = number(v, "exclusion_radius_y", 0, 16); err != nil {
		return d, err
	}
	d.empty, err = number(v, "required_empty_blocks", 1, 16)
	return d, err
}

func directionOf(name string) (direction, bool) {
	for d := range steps {
		if direction(d).String() == name {
			return direction(d), true
		}
	}
	return 0, false
}

func (d attached) decorate(w *work) {
	r := w.Random
	if !d.leaves {
		for _, p := range w.shuffled(w.logs) {
			near := p.toward(d.sides[draw(r, len(d.sides))], 1)
			if r.Float() <= d.chance && isAir(w.Context, near) {
				w.decorate(near, stateFor(w.Context, d.state, near))
			}
		}
		return
	}
	w.taken = w.taken[:0]
	for _, p := range w.shuffled(w.leaves) {
		side := d.sides[draw(r, len(d.sides))]
		near := p.toward(side, 1)
		if d.near(w.taken, near) || r.Float() >= d.chance || !d.room(w, p, side) {
			continue
		}
		w.taken = append(w.taken, near)
		w.decorate(near, stateFor(w.Context, d.state, near))
	}
}

// near reports whether a place is too near to those that are taken.
func (d attached) near(taken []pos, p pos) bool {
	for _, q := range taken {
		if abs(p.x-q.x) <= d.wide && abs(p.y-q.y) <= d.tall && abs(p.z-q.z) <= d.wide {
			return true
		}
	}
	return false
}

func (d attached) room(w *work, p pos, side direction) bool {
	for range d.empty {
		if p = p.toward(side, 1); !isAir(w.Context, p) {
			return false
		}
	}
	return true
}

// paleMoss grows moss on the ground below a tree, and lets it hang from logs
// and leaves.
type paleMoss struct {
	patch                 feature.Feature
	ground, trunk, leaves float32
}

const mossPatch = "minecraft:pale_moss_patch"

var mossStrand, mossTip = func() (strand, tip block.State) {
	strand, _ = block.PaleHangingMoss.Default().With("tip", "false")
	tip, _ = strand.With("tip", "true")
	return strand, tip
}()

func readPaleMoss(l *feature.Loader, v provider.Value) (d paleMoss, err error) {
	err = chances(v, map[string]*float32{
		"ground_probability": &d.ground, "trunk_probability": &d.trunk, "leaves_probability": &d.leaves,
	})
	if err != nil {
		return d, err
	}
	id, err := provider.Parse("worldgen/configured_feature", mossPatch, []byte(`"`+mossPatch+`"`))
	if err != nil {
		return d, err
	}
	d.patch, err = l.Feature(id)
	return d, err
}

func (d paleMoss) decorate(w *work) {
	list := w.shuffled(w.logs)
	if len(list) == 0 {
		return
	}
	lowest := list[0]
	for _, p := range list {
		if p.y < lowest.y {
			lowest = p
		}
	}
	if w.Random.Float() < d.ground {
		d.patch.Place(w.Context, lowest.x, lowest.y+1, lowest.z)
	}
	d.hang(w, w.logs, d.trunk)
	d.hang(w, w.leaves, d.leaves)
}

func (d paleMoss) hang(w *work, from []pos, chance float32) {
	for _, p := range from {
		if w.Random.Float() >= chance {
			continue
		}
		p.y--
		if !isAir(w.Context, p) {
			continue
		}
		for isAir(w.Context, p.up(-1)) && w.Random.Float() >= 0.5 {
			w.decorate(p, mossStrand)
			p.y--
		}
		w.decorate(p, mossTip)
	}
}
