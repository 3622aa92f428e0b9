package carve

// Sizes of the cache. The starts around a tile of 8 by 8 chunks and its rim are
// those of 26 by 26; each has 55 ellipsoids on the mean. A slot is that of
// every chunk whose x and z end in the same 5 bits.
const (
	slotBits      = 5
	slotMask      = 1<<slotBits - 1
	ringTunnels   = 1 << 11
	ringEllipsoid = 1 << 16
)

// slot says where the start of a chunk is kept.
type slot struct {
	used                 bool
	chunkX, chunkZ       int32
	tunnels, ellipsoids  uint64 // where in the rings they begin
	nTunnels, nEllipsoid int
}

// cache keeps the starts that were drawn last.
type cache struct {
	slots      [1 << (2 * slotBits)]slot
	tunnels    ring[tunnel]
	ellipsoids ring[ellipsoid]
}

func newCache() *cache {
	return &cache{
		tunnels:    ring[tunnel]{items: make([]tunnel, ringTunnels)},
		ellipsoids: ring[ellipsoid]{items: make([]ellipsoid, ringEllipsoid)},
	}
}

func (c *cache) slot(chunkX, chunkZ int32) *slot {
	return &c.slots[chunkX&slotMask<<slotBits|chunkZ&slotMask]
}

// get returns a start; it holds until the next put.
func (c *cache) get(chunkX, chunkZ int32) (s start, ok bool) {
	at := c.slot(chunkX, chunkZ)
	if !at.used || at.chunkX != chunkX || at.chunkZ != chunkZ {
		return s, false
	}
	var haveTunnels, haveEllipsoids bool
	s.tunnels, haveTunnels = c.tunnels.get(at.tunnels, at.nTunnels)
	s.ellipsoids, haveEllipsoids = c.ellipsoids.get(at.ellipsoids, at.nEllipsoid)
	return s, haveTunnels && haveEllipsoids
}

// put keeps a copy of a start. One that is too large is not kept.
func (c *cache) put(chunkX, chunkZ int32, s start) {
	at := c.slot(chunkX, chunkZ)
	at.used = len(s.tunnels) <= len(c.tunnels.items) && len(s.ellipsoids) <= len(c.ellipsoids.items)
	if !at.used {
		return
	}
	at.chunkX, at.chunkZ = chunkX, chunkZ
	at.tunnels, at.nTunnels = c.tunnels.put(s.tunnels), len(s.tunnels)
	at.ellipsoids, at.nEllipsoid = c.ellipsoids.put(s.ellipsoids), len(s.ellipsoids)
}

// ring keeps lists in an array that is written round and round. Positions
// count on for ever.
type ring[T any] struct {
	items []T
	next  uint64
}

// put copies a list, which is not longer than the array, to one place.
func (r *ring[T]) put(list []T) (at uint64) {
	size := uint64(len(r.items))
	if room := size - r.next%size; room < uint64(len(list)) {
		r.next += room
	}
	at = r.next
	copy(r.items[at%size:], list)
	r.next += uint64(len(list))
	return at
}

// get returns a list that was put, unless it was written over.
func (r *ring[T]) get(at uint64, n int) ([]T, bool) {
	if n == 0 {
		return nil, true
	}
	size := uint64(len(r.items))
	if at+size < r.next {
		return nil, false
	}
	return r.items[at%size:][:n], true
}
