package inventory

import "strata/server/item"

// role is what is special about a slot.
type role uint8

const (
	plain    role = iota
	result        // of crafting: nothing goes in
	grid          // of crafting: a change makes another result
	worn          // armor: only what is worn there, one at most
	unnested      // of a shulker box: no shulker boxes
)

// slot is a place in a window.
type slot struct {
	in   Container
	at   int
	role role
	worn string // for worn: head, chest, legs or feet
}

func (s *slot) get() item.Stack { return s.in.Get(s.at) }

// put replaces the stack in a slot.
func (w *Window) put(s *slot, stack item.Stack) {
	if stack.Empty() {
		stack = item.Stack{}
	}
	s.in.Set(s.at, stack)
	if s.role == grid {
		w.refreshResult()
	}
}

// mayPlace reports whether a stack may go into a slot.
func (s *slot) mayPlace(stack item.Stack) bool {
	switch s.role {
	case result:
		return false
	case worn:
		return wornIn(stack) == s.worn
	case unnested:
		return !isShulkerBox(stack)
	}
	return true
}

// mayTake reports whether the stack in a slot may be taken.
func (w *Window) mayTake(s *slot) bool { return s.role != worn || w.creative || !stuck(s.get()) }

// limit returns how many of a stack may lie in a slot.
func (s *slot) limit(stack item.Stack) int32 {
	if s.role == worn {
		return 1
	}
	return stack.MaxSize()
}

// insert puts up to n of a stack into a slot and returns the rest.
func (w *Window) insert(s *slot, stack item.Stack, n int32) item.Stack {
	there := s.get()
	if stack.Empty() || !s.mayPlace(stack) || !there.Empty() && !there.Same(stack) {
		return stack
	}
	have := there.Count
	if there.Empty() {
		have = 0
	}
	taken, rest := stack.Split(min(n, s.limit(stack)-have))
	if taken.Empty() {
		return stack
	}
	w.put(s, taken.WithCount(have+taken.Count))
	return rest
}

// take takes up to n, and no more than most, out of a slot. A result is taken
// whole or not at all.
func (w *Window) take(s *slot, n, most int32) item.Stack {
	there := s.get()
	if there.Empty() || !w.mayTake(s) {
		return item.Stack{}
	}
	if most < there.Count && !s.mayPlace(there) {
		return item.Stack{}
	}
	if s.role == result {
		n = there.Count
	}
	taken, rest := there.Split(min(n, most))
	if taken.Empty() {
		return item.Stack{}
	}
	w.put(s, rest)
	if s.role == result {
		w.crafted()
	}
	return taken
}
