package tree

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// fallen is the feature fallen_tree: a stump, and a log on the ground beside it.
type fallen struct {
	trees           *tree // the tags that logs go by
	logs            feature.Provider
	length          provider.Int // of stump and log
	onStump, onLogs []decorator
}

func newFallen(l *feature.Loader, config provider.Value) (feature.Feature, error) {
	f := &fallen{trees: &tree{}}
	err := f.trees.tags(l, config)
	if err != nil {
		return nil, err
	}
	if f.logs, err = l.MemberProvider(config, "trunk_provider"); err != nil {
		return nil, err
	}
	if f.length, err = l.Int(config, "log_length", 0, 16); err != nil {
		return nil, err
	}
	if f.onStump, err = readDecorators(l, config, "stump_decorators"); err != nil {
		return nil, err
	}
	f.onLogs, err = readDecorators(l, config, "log_decorators")
	return f, err
}

// stumpLength is how much of the tree's length the stump and what broke take.
const stumpLength = 2

// Place builds a fallen tree. Its stump is always there.
func (f *fallen) Place(c *feature.Context, x, y, z int) bool {
	w := newWork(c, f.trees)
	defer w.release()
	stump := pos{x, y, z}
	f.lay(w, stump, "")
	w.adorn(f.onStump)

	side := drawSide(c.Random)
	length := int(f.length.Sample(c.Random)) - stumpLength
	start := w.groundNear(stump.toward(side, 2+draw(c.Random, 2)))
	if !w.fits(start, side, length) {
		return true
	}
	w.trunks.reset()
	for i := range max(length, 0) {
		f.lay(w, start.toward(side, i), axes[side])
	}
	w.adorn(f.onLogs)
	return true
}

// lay places a log and marks what is above it.
func (f *fallen) lay(w *work, p pos, axis string) {
	s := stateFor(w.Context, f.logs, p)
	if axis != "" {
		s = along(s, axis)
	}
	w.trunks.add(p)
	w.Set(p.x, p.y, p.z, s)
	w.MarkAbove(p.x, p.y, p.z)
}

// adorn lets decorators see the logs that were laid.
func (w *work) adorn(decorators []decorator) {
	if len(decorators) == 0 {
		return
	}
	w.logs, w.leaves, w.rootList = byHeight(&w.trunks, w.logs), w.leaves[:0], w.rootList[:0]
	for _, d := range decorators {
		d.decorate(w)
	}
}

// groundNear looks from one block above a place down for one where a log may
// lie; it is the lowest looked at if there is none.
func (w *work) groundNear(p pos) pos {
	p.y++
	for range 6 {
		if w.tree.open(at(w.Context, p)) && w.solidBelow(p) {
			return p
		}
		p.y--
	}
	return p
}

func (w *work) solidBelow(p pos) bool { return feature.Sturdy(at(w.Context, p.up(-1)), block.Up) }

// fits reports whether a log may lie from a place on. Gaps of up to two blocks
// may be below it.
func (w *work) fits(p pos, side direction, length int) bool {
	gap := 0
	for i := range length {
		q := p.toward(side, i)
		if !w.tree.open(at(w.Context, q)) {
			return false
		}
		if w.solidBelow(q) {
			gap = 0
		} else if gap++; gap > 2 {
			return false
		}
	}
	return true
}
