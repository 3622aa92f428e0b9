package tree

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// bending is a trunk that leans over at the top.
type bending struct {
	heights
	bare   int // logs without leaves
	length provider.Int
}

func readBending(l *feature.Loader, v provider.Value, h heights) (t bending, err error) {
	t.heights = h
	if t.bare, err = numberOr(v, "min_height_for_leaves", 1, 1<<16, 1); err != nil {
		return t, err
	}
	t.length, err = l.Int(v, "bend_length", 1, 64)
	return t, err
}

func (t bending) place(w *work, height int, foot pos) {
	r := w.Random
	side := drawSide(r)
	last := height - 1
	p := foot
	w.ground(p.up(-1))
	for i := range last + 1 {
		if i+1 >= last+draw(r, 2) {
			p = p.toward(side, 1)
		}
		w.log(p)
		if i >= t.bare {
			w.attach(p, 0, false)
		}
		p.y++
	}
	for range t.length.Sample(r) + 1 {
		w.log(p)
		w.attach(p, 0, false)
		p = p.toward(side, 1)
	}
}

// branching is a trunk with branches that rise from it.
type branching struct {
	heights
	branchSteps, branchLength provider.Int
	chance                    float32 // of a branch at a log
}

func readBranching(l *feature.Loader, v provider.Value, h heights) (trunkPlacer, *feature.Blocks, error) {
	t := branching{heights: h}
	var err error
	if t.branchSteps, err = l.Int(v, "extra_branch_steps", 1, 256); err != nil {
		return nil, nil, err
	}
	if t.branchLength, err = l.Int(v, "extra_branch_length", 0, 256); err != nil {
		return nil, nil, err
	}
	if t.chance, err = chance(v, "place_branch_per_log_probability"); err != nil {
		return nil, nil, err
	}
	through, err := blocksOf(l, v, "can_grow_through")
	return t, through, err
}

func (t branching) place(w *work, height int, foot pos) {
	r := w.Random
	for i := range height {
		p := foot.up(i)
		if w.log(p) && i < height-1 && r.Float() < t.chance {
			side := drawSide(r)
			length := int(t.branchLength.Sample(r))
			start := max(0, length-int(t.branchLength.Sample(r))-1)
			t.branch(w, height, p, side, start, int(t.branchSteps.Sample(r)))
		}
		if i == height-1 {
			w.attach(p.up(1), 0, false)
		}
	}
}

// branch places a branch that starts at a log and rises with each step.
func (branching) branch(w *work, height int, from pos, side direction, start, count int) {
	top := from.y + start
	p := from
	for i := start; i < height && count > 0; i, count = i+1, count-1 {
		if i < 1 {
			continue
		}
		p = p.toward(side, 1)
		p.y = from.y + i
		top = p.y
		if w.log(p) {
			top++
		}
		w.attach(p, 0, false)
	}
	if top-from.y > 1 {
		end := pos{p.x, top, p.z}
		w.attach(end, 0, false)
		w.attach(end.up(-2), 0, false)
	}
}

// cherry is a trunk with one to three branches that rise beside it.
type cherry struct {
	heights
	count, length         provider.Int
	start, second, finish provider.Int // from the top
}

func readCherry(l *feature.Loader, v provider.Value, h heights) (t cherry, err error) {
	t.heights = h
	for _, m := range [...]struct {
		name      string
		low, high int32
		to        *provider.Int
	}{
		{"branch_count", 1, 3, &t.count},
		{"branch_horizontal_length", 2, 16, &t.length},
		{"branch_end_offset_from_top", -16, 16, &t.finish},
	} {
		if *m.to, err = l.Int(v, m.name, m.low, m.high); err != nil {
			return t, err
		}
	}
	member, err := v.Member("branch_start_offset_from_top")
	if err != nil {
		return t, err
	}
	low, err := number(member, "min_inclusive", -16, 0)
	if err != nil {
		return t, err
	}
	// The second branch starts at another height than the first: it draws from
	// one height fewer, and those from the first's on are one higher.
	high, err := number(member, "max_inclusive", int32(low)+1, 0)
	t.start = provider.UniformInt(int32(low), int32(max(low, high)))
	t.second = provider.UniformInt(int32(low), int32(max(low, high-1)))
	return t, err
}

func (t cherry) place(w *work, height int, foot pos) {
	r := w.Random
	w.ground(foot.up(-1))
	first := max(0, height-1+int(t.start.Sample(r)))
	second := max(0, height-1+int(t.second.Sample(r)))
	if second >= first {
		second++
	}
	count := t.count.Sample(r)
	trunk := first + 1
	switch count {
	case 3:
		trunk = height
	case 2:
		trunk = max(first, second) + 1
	}
	for i := range trunk {
		w.log(foot.up(i))
	}
	if count == 3 {
		w.attach(foot.up(trunk), 0, false)
	}
	side := drawSide(r)
	t.branch(w, height, foot, side, first, first < trunk-1)
	if count >= 2 {
		t.branch(w, height, foot, side.Opposite(), second, second < trunk-1)
	}
}

// branch places a branch that starts at a height. middle says that the trunk
// goes on above it.
func (t cherry) branch(w *work, height int, foot pos, side direction, start int, middle bool) {
	r := w.Random
	p := foot.up(start)
	finish := height - 1 + int(t.finish.Sample(r))
	middle = middle || finish < start
	length, flat := int(t.length.Sample(r)), 1
	if middle {
		length, flat = length+1, 2
	}
	end := foot.toward(side, length).up(finish)
	for range flat {
		p = p.toward(side, 1)
		w.logAlong(p, axes[side])
	}
	rise := block.Down
	if end.y > p.y {
		rise = block.Up
	}
	for {
		left := p.apart(end)
		if left == 0 {
			break
		}
		share := float32(abs(end.y-p.y)) / float32(left)
		if r.Float() < share {
			p = p.toward(rise, 1)
			w.log(p)
		} else {
			p = p.toward(side, 1)
			w.logAlong(p, axes[side])
		}
	}
	w.attach(end.up(1), 0, false)
}
