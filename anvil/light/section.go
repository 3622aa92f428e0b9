package light

import "strata/anvil/block"

// section is what is known of the blocks of a section.
type section struct {
	kind *page
	// states is there if a cell is shaped or emits and not all are of one
	// state. Elsewhere one is the state of all, or nobody asks.
	states *[cells]block.State
	one    block.State
	any    uint8 // all kinds or-ed
	solid  bool  // not all is air
}

// airSection is a section without blocks.
func airSection() section { return section{kind: evenPage(kindAir), any: kindAir} }

// at returns the state of a cell that is shaped or emits. For others it may
// return air, which is as good where shapes are looked at.
func (s *section) at(cell uint32) block.State {
	if s.states != nil {
		return s.states[cell&(cells-1)]
	}
	return s.one
}

// pool is memory for sections. What it gave out is taken back by reset.
type pool[T any] struct {
	all  []*T
	used int
}

func (p *pool[T]) get() *T {
	if p.used == len(p.all) {
		p.all = append(p.all, new(T))
	}
	p.used++
	return p.all[p.used-1]
}

// undo takes back what the last get returned.
func (p *pool[T]) undo() { p.used-- }

func (p *pool[T]) reset() { p.used = 0 }

// reader turns block states into sections. Its pools own their memory.
type reader struct {
	pages   pool[page]
	states  pool[[cells]block.State]
	foreign *block.States
	mapped  *[cells]block.State // of base
}

// read returns the section of the given states, or if those are nil, of one
// state.
func (r *reader) read(states *[cells]block.State, one block.State) section {
	if states == nil {
		return r.even(one)
	}
	table, kind := kinds(), r.pages.get()
	highest, all, none := block.State(0), uint8(0), ^uint8(0)
	for i, s := range states {
		k := table[s]
		kind[i] = k
		all, none = all|k, none&k
		highest = max(highest, s)
	}
	if !highest.Native() && r.foreign != nil {
		states = r.base(states)
		all, none = 0, ^uint8(0)
		for i, s := range states {
			kind[i] = table[s]
			all, none = all|kind[i], none&kind[i]
		}
	}
	return r.finish(states, kind, all, none)
}

// finish makes a section of its kinds, of which all have the bits none and
// none has a bit that is not in all.
func (r *reader) finish(states *[cells]block.State, kind *page, all, none uint8) section {
	if all == none && all&(kindShape|kindEmits) == 0 {
		r.pages.undo()
		return section{kind: evenPage(all), any: all, solid: all != kindAir || !airOnly(states)}
	}
	s := section{kind: kind, any: all, solid: true}
	if all&(kindShape|kindEmits) != 0 {
		s.states = r.states.get()
		*s.states = *states
	}
	return s
}

// even returns a section of one state.
func (r *reader) even(s block.State) section {
	if !s.Native() && r.foreign != nil {
		s, _ = r.foreign.Base(s)
	}
	k := kinds()[s]
	return section{kind: evenPage(k), any: k, one: s, solid: !s.Air()}
}

// base replaces states that the native table lacks by the ones whose facts
// they have, until the next call.
func (r *reader) base(states *[cells]block.State) *[cells]block.State {
	if r.mapped == nil {
		r.mapped = new([cells]block.State)
	}
	base := r.mapped
	last, is := block.State(0), block.State(0)
	for i, s := range states {
		if s != last {
			last, is = s, s
			if !s.Native() {
				is, _ = r.foreign.Base(s)
			}
		}
		base[i] = is
	}
	return base
}

func airOnly(states *[cells]block.State) bool {
	for _, s := range states {
		if !s.Air() {
			return false
		}
	}
	return true
}

func (r *reader) reset() {
	r.pages.reset()
	r.states.reset()
}
