package world

import (
	"cmp"
	"container/heap"
	"slices"

	"strata/anvil/chunk"
	"strata/region"
)

// tickKey is what may be scheduled once.
type tickKey struct {
	pos   chunk.BlockPos
	id    uint16 // a block.ID or block.Fluid
	fluid bool
}

// due is when something scheduled is to run: what is due at one time runs by
// priority, and then in the order of asking.
type due struct {
	at, order int64
	priority  int32
}

func (d due) compare(e due) int {
	return cmp.Or(cmp.Compare(d.at, e.at), cmp.Compare(d.priority, e.priority), cmp.Compare(d.order, e.order))
}

type scheduled struct {
	key tickKey
	due due
}

// chunkTicks is what is scheduled in a chunk.
type chunkTicks struct {
	waiting map[tickKey]due
	// Of what the file has, by kind: ticks of blocks and fluids that nobody here
	// knows, and that the list cannot be read, which is then not written either.
	foreign [2][]chunk.Tick
	damaged [2]bool
	since   int64 // when the chunk was loaded
	// changed says that the chunk does not have this as it is, marked that it is
	// to be written again at the next cut.
	changed, marked bool
}

// schedule is what blocks and fluids of the loaded chunks have asked for.
type schedule struct {
	chunks map[region.ChunkPos]*chunkTicks
	queue  scheduleQueue // has what is in chunks, and what was there
	order  int64
	// changed are the chunks with the flag of that name.
	changed map[region.ChunkPos]*chunkTicks
}

type scheduleQueue []scheduled

func (q scheduleQueue) Len() int           { return len(q) }
func (q scheduleQueue) Less(i, j int) bool { return q[i].due.compare(q[j].due) < 0 }
func (q scheduleQueue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *scheduleQueue) Push(x any)        { *q = append(*q, x.(scheduled)) }
func (q *scheduleQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// add schedules something in a chunk that is there, unless it is scheduled.
func (s *schedule) add(k tickKey, at int64, priority int32) {
	pos := k.pos.Chunk()
	c := s.chunks[pos]
	if c == nil {
		return
	}
	if s.put(c, k, at, priority) {
		s.change(pos, c)
	}
}

func (s *schedule) put(c *chunkTicks, k tickKey, at int64, priority int32) bool {
	if _, waits := c.waiting[k]; waits {
		return false
	}
	s.order++
	d := due{at, s.order, priority}
	c.waiting[k] = d
	heap.Push(&s.queue, scheduled{k, d})
	return true
}

func (s *schedule) change(pos region.ChunkPos, c *chunkTicks) {
	c.changed = true
	s.changed[pos] = c
}

// due takes what is to be run now, first of blocks and then of fluids, as the
// game does, at most maxTicks of each.
func (s *schedule) due(now int64) (keys []tickKey) {
	var later []scheduled
	var fluids []tickKey
	for len(s.queue) > 0 && s.queue[0].due.at <= now && (len(keys) < maxTicks || len(fluids) < maxTicks) {
		e := heap.Pop(&s.queue).(scheduled)
		pos := e.key.pos.Chunk()
		c := s.chunks[pos]
		if c == nil || c.waiting[e.key] != e.due {
			continue // of a chunk that was let go of
		}
		list := &keys
		if e.key.fluid {
			list = &fluids
		}
		if len(*list) == maxTicks {
			later = append(later, e)
			continue
		}
		delete(c.waiting, e.key)
		s.change(pos, c)
		*list = append(*list, e.key)
	}
	for _, e := range later {
		heap.Push(&s.queue, e)
	}
	return append(keys, fluids...)
}

// list is what is scheduled in a chunk of a kind, in the order in which it runs.
func (c *chunkTicks) list(kind chunk.TickKind) []scheduled {
	var all []scheduled
	for k, d := range c.waiting {
		if k.fluid == (kind == chunk.FluidTicks) {
			all = append(all, scheduled{k, d})
		}
	}
	slices.SortFunc(all, func(a, b scheduled) int { return a.due.compare(b.due) })
	return all
}
