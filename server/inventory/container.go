package inventory

import "strata/server/item"

// Container stores stacks by number, from 0 on. Set is told of each change.
// A Container of the world may be open in windows of many players at once.
type Container interface {
	Len() int
	Get(i int) item.Stack
	Set(i int, s item.Stack)
}

// Items is a container in memory.
type Items []item.Stack

// Len returns how many slots there are.
func (c Items) Len() int { return len(c) }

// Get returns the stack in a slot.
func (c Items) Get(i int) item.Stack { return c[i] }

// Set puts a stack into a slot.
func (c Items) Set(i int, s item.Stack) { c[i] = s }

// Pair is two containers as one, as the halves of a double chest are.
type Pair struct{ First, Second Container }

// Len returns how many slots there are in both.
func (c Pair) Len() int { return c.First.Len() + c.Second.Len() }

// Get returns the stack in a slot.
func (c Pair) Get(i int) item.Stack {
	if n := c.First.Len(); i >= n {
		return c.Second.Get(i - n)
	}
	return c.First.Get(i)
}

// Set puts a stack into a slot.
func (c Pair) Set(i int, s item.Stack) {
	if n := c.First.Len(); i >= n {
		c.Second.Set(i-n, s)
		return
	}
	c.First.Set(i, s)
}

var (
	_ Container = Items(nil)
	_ Container = Pair{}
	_ Container = (*Player)(nil)
)
