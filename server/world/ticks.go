package world

import (
	"container/heap"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/server/blocks"
)

// maxTicks is how many scheduled ticks are run at a time, as in the game.
const maxTicks = 65_536

// tickKey is what may be scheduled once.
type tickKey struct {
	pos   chunk.BlockPos
	id    uint16 // a block.ID or block.Fluid
	fluid bool
}

type scheduled struct {
	key   tickKey
	at    int64
	order int64
}

// schedule is what blocks and fluids have asked for, in the order of time and then
// of asking.
type schedule struct {
	waiting map[tickKey]bool
	queue   scheduleQueue
	order   int64
}

type scheduleQueue []scheduled

func (q scheduleQueue) Len() int { return len(q) }
func (q scheduleQueue) Less(i, j int) bool {
	return q[i].at < q[j].at || q[i].at == q[j].at && q[i].order < q[j].order
}
func (q scheduleQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *scheduleQueue) Push(x any)   { *q = append(*q, x.(scheduled)) }
func (q *scheduleQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

func (s *schedule) add(k tickKey, at int64) {
	if s.waiting[k] {
		return
	}
	if s.waiting == nil {
		s.waiting = map[tickKey]bool{}
	}
	s.waiting[k] = true
	s.order++
	heap.Push(&s.queue, scheduled{k, at, s.order})
}

// due takes what is to be run now.
func (s *schedule) due(now int64) (keys []tickKey) {
	for len(keys) < maxTicks && len(s.queue) > 0 && s.queue[0].at <= now {
		k := heap.Pop(&s.queue).(scheduled).key
		delete(s.waiting, k)
		keys = append(keys, k)
	}
	return keys
}

// RunTicks is a tick of what blocks and fluids have asked for. Chunks that are not
// there any more have lost theirs.
func (d *Dimension) RunTicks(c *Context) {
	d.now++
	for _, k := range d.ticks.due(d.now) {
		s, loaded := d.Block(k.pos)
		switch {
		case !loaded:
		case k.fluid && s.Fluid() == block.Fluid(k.id):
			blocks.FluidTick(c, k.pos, s)
		case !k.fluid && s.Block() == block.ID(k.id):
			blocks.Tick(c, k.pos, s)
		}
	}
}
