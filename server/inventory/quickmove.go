package inventory

import "strata/server/item"

// maxRounds bounds how often one click takes a result: a grid of 99 in each
// place is used up by then.
const maxRounds = 128

// quickMoveAll moves a slot's stack to the other part of the window, results as
// long as the same comes.
func (w *Window) quickMoveAll(at int) {
	s := &w.slots[at]
	if !w.mayTake(s) {
		return
	}
	for range maxRounds {
		before := s.get()
		if before.Empty() || !w.quickMove(at) || s.get().ID != before.ID {
			return
		}
	}
}

// quickMove moves what it can; it reports whether anything was moved.
func (w *Window) quickMove(at int) bool {
	s := &w.slots[at]
	was := s.get()
	left := was
	for _, r := range w.targets(at, was) {
		// The first range that takes anything is the only one.
		if left = w.moveTo(was, r); left.Count != was.Count {
			break
		}
	}
	if left.Count == was.Count && !left.Empty() {
		return false
	}
	if s.role != result {
		w.put(s, left)
		return true
	}
	w.output[0] = item.Stack{}
	w.crafted()
	w.drop(left) // what of a result finds no place
	return true
}

// span is slots from first to last, in that order: backward if last is less.
type span struct{ first, last int }

// targets are where a quick move from a slot goes.
func (w *Window) targets(at int, s item.Stack) []span {
	switch w.kind {
	case Own:
		return w.ownTargets(at, s)
	case Crafting:
		switch {
		case at == 0:
			return []span{{45, 10}}
		case at < 10:
			return []span{{10, 45}}
		case at < 37:
			return []span{{1, 9}, {37, 45}}
		}
		return []span{{1, 9}, {10, 36}}
	}
	n := w.kind.Size()
	if at < n {
		return []span{{len(w.slots) - 1, n}}
	}
	return []span{{0, n - 1}}
}

func (w *Window) ownTargets(at int, s item.Stack) []span {
	const storage, hotbar, offhand = 9, 36, 45
	switch {
	case at == 0:
		return []span{{offhand - 1, storage}}
	case at < storage:
		return []span{{storage, offhand - 1}}
	}
	for i, name := range [...]string{5: "head", 6: "chest", 7: "legs", 8: "feet"} {
		if name != "" && wornIn(s) == name && w.slots[i].get().Empty() {
			return []span{{i, i}}
		}
	}
	switch {
	case at != offhand && wornIn(s) == "offhand" && w.slots[offhand].get().Empty():
		return []span{{offhand, offhand}}
	case at < hotbar:
		return []span{{hotbar, offhand - 1}}
	case at < offhand:
		return []span{{storage, hotbar - 1}}
	}
	return []span{{storage, offhand - 1}}
}

// moveTo puts a stack onto stacks of the same, then into the first free slot. It
// returns the rest.
func (w *Window) moveTo(s item.Stack, r span) item.Stack {
	step, n := 1, r.last-r.first+1
	if r.last < r.first {
		step, n = -1, r.first-r.last+1
	}
	if s.MaxSize() > 1 {
		for k := 0; k < n && !s.Empty(); k++ {
			to := &w.slots[r.first+k*step]
			there := to.get()
			if there.Empty() || !there.Same(s) {
				continue
			}
			if taken, rest := s.Split(to.limit(there) - there.Count); !taken.Empty() {
				w.put(to, there.WithCount(there.Count+taken.Count))
				s = rest
			}
		}
	}
	for k := 0; k < n && !s.Empty(); k++ {
		to := &w.slots[r.first+k*step]
		if to.get().Empty() && to.mayPlace(s) {
			taken, rest := s.Split(to.limit(s))
			w.put(to, taken)
			return rest
		}
	}
	return s
}
