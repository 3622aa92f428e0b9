package tree

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// tree is the feature tree.
type tree struct {
	logs, leaves feature.Provider
	below        feature.Provider // nil for nothing
	trunk        trunkPlacer
	foliage      foliage
	roots        *rootPlacer // nil for none
	size         minimumSize
	decorators   []decorator
	ignoreVines  bool

	replaceable *feature.Blocks
	anyLog      *feature.Blocks
	noDecay     *feature.Blocks // blocks that leaves live by
	survival    *feature.Survival
	snow        *feature.Blocks
	// through are blocks that the trunk grows through beside others; nil for
	// none.
	through *feature.Blocks
}

// Tags that trees go by.
const (
	replaceableTag = "minecraft:replaceable_by_trees"
	logsTag        = "minecraft:logs"
	noDecayTag     = "minecraft:prevents_nearby_leaf_decay"
	snowTag        = "minecraft:snow"
)

func newTree(l *feature.Loader, config provider.Value) (feature.Feature, error) {
	t := &tree{}
	if err := t.tags(l, config); err != nil {
		return nil, err
	}
	for name, to := range map[string]*feature.Provider{"trunk_provider": &t.logs, "foliage_provider": &t.leaves} {
		var err error
		if *to, err = l.MemberProvider(config, name); err != nil {
			return nil, err
		}
	}
	member, ok, err := config.Optional("below_trunk_provider")
	if err != nil {
		return nil, err
	}
	if ok {
		if t.below, err = l.Provider(member); err != nil {
			return nil, err
		}
	}
	if err := t.placers(l, config); err != nil {
		return nil, err
	}
	if t.ignoreVines, err = flag(config, "ignore_vines"); err != nil {
		return nil, err
	}
	t.decorators, err = readDecorators(l, config, "decorators")
	return t, err
}

func (t *tree) tags(l *feature.Loader, config provider.Value) (err error) {
	for id, to := range map[string]**feature.Blocks{
		replaceableTag: &t.replaceable, logsTag: &t.anyLog, noDecayTag: &t.noDecay, snowTag: &t.snow,
	} {
		if *to, err = l.NamedTag(config, id); err != nil {
			return err
		}
	}
	t.survival, err = l.Survival()
	return err
}

func (t *tree) placers(l *feature.Loader, config provider.Value) error {
	member, err := config.Member("trunk_placer")
	if err != nil {
		return err
	}
	if t.trunk, t.through, err = readTrunk(l, member); err != nil {
		return err
	}
	if member, err = config.Member("foliage_placer"); err != nil {
		return err
	}
	if t.foliage, err = readFoliage(member); err != nil {
		return err
	}
	if member, err = config.Member("minimum_size"); err != nil {
		return err
	}
	if t.size, err = readSize(member); err != nil {
		return err
	}
	member, ok, err := config.Optional("root_placer")
	if err != nil || !ok {
		return err
	}
	t.roots, err = readRoots(l, member)
	return err
}

// open reports whether trees may replace a block.
func (t *tree) open(s block.State) bool { return s.Air() || t.replaceable.Has(s) }

// openToTrunk reports whether the trunk may replace a block.
func (t *tree) openToTrunk(s block.State) bool {
	return t.open(s) || t.through != nil && t.through.Has(s)
}

// free reports whether a block leaves room for a trunk.
func (t *tree) free(s block.State) bool { return t.openToTrunk(s) || t.anyLog.Has(s) }

// Place builds a tree.
func (t *tree) Place(c *feature.Context, x, y, z int) bool {
	w := newWork(c, t)
	defer w.release()
	if !w.build(pos{x, y, z}) || w.trunks.count == 0 && w.foliage.count == 0 {
		return false
	}
	if len(t.decorators) > 0 {
		w.logs, w.leaves, w.rootList = byHeight(&w.trunks, w.logs), byHeight(&w.foliage, w.leaves), byHeight(&w.roots, w.rootList)
		for _, d := range t.decorators {
			d.decorate(w)
		}
	}
	w.measure()
	w.updateLeaves()
	w.updateEdges()
	return true
}

// build places roots, trunk and crowns if there is room.
func (w *work) build(at pos) bool {
	t, r := w.tree, w.Random
	height := t.trunk.height(r)
	crown := t.foliage.crownHeight(r, height)
	radius := t.foliage.crownRadius(r, height-crown)
	foot := at
	if t.roots != nil {
		foot.y += int(t.roots.offset.Sample(r))
	}
	if min(at.y, foot.y) < w.MinY()+1 || max(at.y, foot.y)+height+1 > w.Top() {
		return false
	}
	room := w.room(foot, height)
	if room < height && (!t.size.clips || room < t.size.clipped) {
		return false
	}
	if t.roots != nil && !t.roots.place(w, at, foot) {
		return false
	}
	w.crowns = w.crowns[:0]
	t.trunk.place(w, room, foot)
	for _, a := range w.crowns {
		t.foliage.place(w, a, crown, radius)
	}
	return true
}

// room is the height, of at most the one wanted, that a tree has room for.
func (w *work) room(foot pos, height int) int {
	t := w.tree
	for y := 0; y <= height+1; y++ {
		reach := t.size.at(height, y)
		for x := -reach; x <= reach; x++ {
			for z := -reach; z <= reach; z++ {
				s := w.Block(foot.x+x, foot.y+y, foot.z+z)
				if !t.free(s) || !t.ignoreVines && s.Block() == block.Vine {
					return y - 2
				}
			}
		}
	}
	return height
}
