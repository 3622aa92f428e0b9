package tree

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// decorator places what belongs to a tree beside logs, leaves and roots.
type decorator interface {
	decorate(w *work)
}

// maxDecorators bounds the decorators of a tree.
const maxDecorators = 64

func readDecorators(l *feature.Loader, config provider.Value, name string) ([]decorator, error) {
	member, err := config.Member(name)
	if err != nil {
		return nil, err
	}
	elements, ok := member.List()
	if !ok || len(elements) > maxDecorators {
		return nil, member.Errorf("not a list of at most %d", maxDecorators)
	}
	list := make([]decorator, len(elements))
	for i, v := range elements {
		if list[i], err = readDecorator(l, v); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func readDecorator(l *feature.Loader, v provider.Value) (decorator, error) {
	id, err := kind(v)
	if err != nil {
		return nil, err
	}
	switch id {
	case "minecraft:trunk_vine":
		return trunkVine{}, nil
	case "minecraft:leave_vine":
		p, err := chance(v, "probability")
		return leaveVine{p}, err
	case "minecraft:cocoa":
		p, err := chance(v, "probability")
		return cocoa{p}, err
	case "minecraft:beehive":
		p, err := chance(v, "probability")
		return beehive{p}, err
	case "minecraft:creaking_heart":
		p, err := chance(v, "probability")
		return creakingHeart{p}, err
	case "minecraft:pale_moss":
		return readPaleMoss(l, v)
	case "minecraft:alter_ground":
		p, err := l.MemberProvider(v, "provider")
		return alterGround{p}, err
	case "minecraft:place_on_ground":
		return readOnGround(l, v)
	case "minecraft:attached_to_leaves":
		return readAttached(l, v, true)
	case "minecraft:attached_to_logs":
		return readAttached(l, v, false)
	}
	return nil, v.Errorf("unknown tree decorator %s", id)
}

// lowest are the places at the foot of a tree: roots if it stands on some, logs
// otherwise.
func (w *work) lowest() []pos {
	switch {
	case len(w.rootList) == 0:
		return w.logs
	case len(w.logs) > 0 && w.rootList[0].y == w.logs[0].y:
		w.list = append(append(w.list[:0], w.logs...), w.rootList...)
		return w.list
	}
	return w.rootList
}

// shuffled returns a copy of places in a random order. It is good until the
// next is asked for.
func (w *work) shuffled(list []pos) []pos {
	w.list = append(w.list[:0], list...)
	shuffle(w.Random, w.list)
	return w.list
}

// vines are vines that hang on a block to one side of them.
var vines = func() (states [len(steps)]block.State) {
	for _, side := range horizontal {
		states[side], _ = block.Vine.Default().With(side.String(), "true")
	}
	return states
}()

// vineSides are the sides that vines grow at, in the order in which they are
// tried.
var vineSides = [...]direction{block.West, block.East, block.North, block.South}

type (
	trunkVine struct{}
	leaveVine struct{ chance float32 }
	cocoa     struct{ chance float32 }
)

func (trunkVine) decorate(w *work) {
	for _, p := range w.logs {
		for _, side := range vineSides {
			if w.Random.IntN(3) > 0 {
				if near := p.toward(side, 1); isAir(w.Context, near) {
					w.decorate(near, vines[side.Opposite()])
				}
			}
		}
	}
}

// hanging is how far vines hang down from their first block.
const hanging = 4

func (d leaveVine) decorate(w *work) {
	for _, p := range w.leaves {
		for _, side := range vineSides {
			if w.Random.Float() >= d.chance {
				continue
			}
			near := p.toward(side, 1)
			if !isAir(w.Context, near) {
				continue
			}
			vine := vines[side.Opposite()]
			w.decorate(near, vine)
			for range hanging {
				if near.y--; !isAir(w.Context, near) {
					break
				}
				w.decorate(near, vine)
			}
		}
	}
}

// cocoaPods are cocoa by the side that it hangs at and its age.
var cocoaPods = func() (states [len(steps)][3]block.State) {
	for _, side := range horizontal {
		for age := range states[side] {
			s, _ := block.Cocoa.Default().With("facing", side.String())
			states[side][age], _ = s.With("age", string(rune('0'+age)))
		}
	}
	return states
}()

// decorate hangs cocoa at the lower logs.
func (d cocoa) decorate(w *work) {
	r := w.Random
	if r.Float() >= d.chance || len(w.logs) == 0 {
		return
	}
	for _, p := range w.logs {
		if p.y-w.logs[0].y > 2 {
			continue
		}
		for _, side := range horizontal {
			if r.Float() > 0.25 {
				continue
			}
			if near := p.toward(side.Opposite(), 1); isAir(w.Context, near) {
				w.decorate(near, cocoaPods[side][r.IntN(3)])
			}
		}
	}
}

// creakingHeart puts the heart of a creaking into a log that logs surround.
type creakingHeart struct{ chance float32 }

var heart = block.MustParse("minecraft:creaking_heart[axis=y,creaking_heart_state=dormant,natural=true]")

func (d creakingHeart) decorate(w *work) {
	if len(w.logs) == 0 || w.Random.Float() >= d.chance {
		return
	}
	for _, p := range w.shuffled(w.logs) {
		if w.amongLogs(p) {
			w.decorate(p, heart)
			w.AddBlockEntity(feature.BlockEntity{X: int32(p.x), Y: int32(p.y), Z: int32(p.z), ID: "minecraft:creaking_heart"})
			return
		}
	}
}

func (w *work) amongLogs(p pos) bool {
	for d := range steps {
		if !w.tree.anyLog.Has(at(w.Context, p.toward(direction(d), 1))) {
			return false
		}
	}
	return true
}
