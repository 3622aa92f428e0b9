package gen

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"runtime/debug"
	"slices"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/proto"
	"strata/region"
)

// buffers are the arrays of a chunk.
type buffers struct {
	blocks []block.State
	biomes []proto.Biome
	carved []uint64
}

func (b *buffers) bytes() int64 {
	return int64(2*len(b.blocks) + 2*len(b.biomes) + 8*len(b.carved))
}

// minSpare is how many buffers wait for use even while those in use take all that
// they may: packing gives some back as fast as others are taken.
const minSpare = 64

// maxSpareNodes is how many nodes wait for use: as many as a tile with its border
// gives back at once.
const maxSpareNodes = 128

// takeBuffers gives a chunk its arrays, with anything in them. Called under mu.
func (y *yard) takeBuffers(c *proto.Chunk) {
	var b buffers
	if n := len(y.spare); n > 0 {
		b, y.spare = y.spare[n-1], y.spare[:n-1]
	} else {
		_, height := y.generator.dimension.Range()
		b = buffers{make([]block.State, 256*height), make([]proto.Biome, 4*height), make([]uint64, 4*height)}
	}
	c.Blocks, c.Biomes, c.Carved = b.blocks, b.biomes, b.carved
	y.loose += b.bytes()
}

// putBuffers takes them back. Called under mu.
func (y *yard) putBuffers(c *proto.Chunk) {
	b := buffers{c.Blocks, c.Biomes, c.Carved}
	c.Blocks, c.Biomes, c.Carved = nil, nil, nil
	y.loose -= b.bytes()
	if n := int64(len(y.spare)); n < minSpare || y.loose+(n+1)*b.bytes() <= y.limit {
		y.spare = append(y.spare, b)
	}
}

// newNode returns an empty node, with the memory of a forgotten one if there is
// one. Called under mu.
func (y *yard) newNode(p region.ChunkPos) *node {
	last := len(y.spareNodes) - 1
	if last < 0 {
		return &node{pos: p}
	}
	n := y.spareNodes[last]
	y.spareNodes = y.spareNodes[:last]
	n.pos = p
	return n
}

// dropNode keeps the memory of a node that was forgotten: its lists, and what
// it knows of ticks. Called under mu.
func (y *yard) dropNode(n *node) {
	if len(y.spareNodes) < maxSpareNodes {
		*n = node{chunk: n.chunk, proto: n.proto}
		n.chunk.Reset()
		y.spareNodes = append(y.spareNodes, n)
	}
}

// prepare makes a borrowed node ready: at carvers, or as far as its decoration
// has come. What is wrong is in the node's err.
func (w *worker) prepare(y *yard, n *node) {
	y.mu.Lock()
	for n.state == nodeBusy {
		y.changed.Wait()
	}
	was := n.state
	if was == nodeReady {
		y.mu.Unlock()
		return
	}
	n.state = nodeBusy
	y.takeBuffers(&n.proto)
	y.mu.Unlock()
	switch was {
	case nodePacked:
		unpack(&n.proto, n.packed)
	case nodeAside:
		var err error
		if w.packing, err = y.aside.Take(n.aside, w.packing[:0]); err != nil {
			n.err = err // what comes of it is not saved, and made again by a later run
			break
		}
		unpack(&n.proto, w.packing)
	default:
		n.err = w.begin(y, n)
	}
	y.mu.Lock()
	y.packed -= int64(len(n.packed))
	n.packed = nil
	n.state = nodeReady
	y.changed.Broadcast()
	y.mu.Unlock()
	w.shrink(y)
}

// begin makes a chunk as it is before decoration, or reads it from the world. A
// panic is an error.
func (w *worker) begin(y *yard, n *node) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			w.renew() // its scratch may be in any state
			w.structures.use(y)
		}
	}()
	n.proto.MinY, n.proto.Height = w.generator.dimension.Range()
	n.chunk.Chunk = &n.proto
	n.chunk.Reset()
	n.proto.Reset(n.pos.X, n.pos.Z)
	w.meter.lap(StageOther)
	stored, err := y.stored(n.pos)
	if isNotStored(err) {
		return w.maker.Advance(&n.proto, chunk.StatusEmpty, chunk.StatusCarvers)
	}
	if err != nil {
		return err
	}
	return w.resume(n, stored)
}

// shrink packs what was not used for longest while too much is loose.
func (w *worker) shrink(y *yard) {
	for {
		n := y.packable()
		if n == nil {
			return
		}
		packed := pack(w.packing[:0], &n.proto)
		w.packing = packed
		y.mu.Lock()
		n.packed = append([]byte(nil), packed...)
		y.packed += int64(len(packed))
		y.putBuffers(&n.proto)
		n.state = nodePacked
		var away []*node
		if y.packed > y.limit && (y.aside != nil || !y.private) {
			away = y.oldestPacked()
		}
		y.changed.Broadcast()
		y.mu.Unlock()
		for _, n := range away {
			y.putAside(n)
		}
	}
}

// putAside moves a packed node, which the worker has taken, out of memory, or
// forgets it.
func (y *yard) putAside(n *node) {
	name, err := int64(0), errGone
	if y.aside != nil {
		name, err = y.aside.Put(n.packed)
	}
	y.mu.Lock()
	defer y.mu.Unlock()
	switch {
	case err == nil:
		y.packed -= int64(len(n.packed))
		n.packed, n.aside, n.state = nil, name, nodeAside
	case n.users > 0 || y.private:
		n.state = nodePacked // it is needed
	default:
		n.state = nodePacked
		y.forget(n)
	}
	y.changed.Broadcast()
}

// packable takes the node that was not used for longest, nil if there is room.
func (y *yard) packable() *node {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.loose <= y.limit {
		return nil
	}
	var oldest *node
	for _, n := range y.nodes {
		if n.state == nodeReady && n.users == 0 && (oldest == nil || olderThan(n, oldest)) {
			oldest = n
		}
	}
	if oldest != nil {
		oldest.state = nodeBusy
	}
	return oldest
}

// olderThan orders nodes by their last use, so that the choice does not depend
// on the order of a map.
func olderThan(a, b *node) bool {
	return cmp.Or(cmp.Compare(a.turn, b.turn), cmp.Compare(a.pos.Z, b.pos.Z), cmp.Compare(a.pos.X, b.pos.X)) < 0
}

// discard ends a private yard.
func (y *yard) discard() {
	y.mu.Lock()
	defer y.mu.Unlock()
	for _, n := range y.nodes {
		if n.state == nodeAside {
			y.aside.Drop(n.aside)
		}
	}
}

// oldestPacked takes a quarter of what is packed. Called under mu.
func (y *yard) oldestPacked() []*node {
	var packed []*node
	for _, n := range y.nodes {
		if n.state == nodePacked && n.users == 0 {
			packed = append(packed, n)
		}
	}
	slices.SortFunc(packed, func(a, b *node) int {
		if olderThan(a, b) {
			return -1
		}
		return 1
	})
	packed = packed[:len(packed)/4]
	for _, n := range packed {
		n.state = nodeBusy
	}
	return packed
}

// pack appends the arrays of a chunk: runs of equal values, each its length and
// the value.
func pack(to []byte, c *proto.Chunk) []byte {
	to = packRuns(to, c.Blocks)
	to = packRuns(to, c.Biomes)
	return packRuns(to, c.Carved)
}

func packRuns[T ~uint16 | ~uint64](to []byte, list []T) []byte {
	for i := 0; i < len(list); {
		value, from := list[i], i
		for i++; i < len(list) && list[i] == value; i++ {
		}
		to = binary.AppendUvarint(to, uint64(i-from))
		to = binary.AppendUvarint(to, uint64(value))
	}
	return to
}

// unpack is the reverse of pack.
func unpack(c *proto.Chunk, from []byte) {
	from = unpackRuns(c.Blocks, from)
	from = unpackRuns(c.Biomes, from)
	unpackRuns(c.Carved, from)
}

func unpackRuns[T ~uint16 | ~uint64](list []T, from []byte) []byte {
	for i := 0; i < len(list); {
		run, n := binary.Uvarint(from)
		value, m := binary.Uvarint(from[n:])
		from = from[n+m:]
		part := list[i : i+int(run)]
		for k := range part {
			part[k] = T(value)
		}
		i += int(run)
	}
	return from
}
