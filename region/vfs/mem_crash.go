package vfs

// Keep says how much of what is not yet durable a power cut leaves behind.
type Keep uint8

// What is left.
const (
	KeepNone   Keep = iota // nothing: the worst that a missing flush can do
	KeepAll                // everything, as if all had been flushed in time
	KeepRandom             // some of it, by the seed
)

// CrashOptions describe one power cut. The zero value keeps nothing.
type CrashOptions struct {
	Keep Keep
	// Seed selects one outcome of KeepRandom. The same operations and the same
	// seed give the same outcome.
	Seed uint64
}

// CrashClone returns a file system of its own that holds what a power cut at
// this moment could leave of m, which goes on unchanged. Handles and locks do
// not exist there, and all that is there is durable. It costs little: pages
// are shared until one side writes to them.
func (m *Mem) CrashClone(o CrashOptions) *Mem {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := &Mem{opts: m.opts, lastID: m.lastID, clock: m.clock}
	k := cloner{m: c, o: o, entries: m.crashEntries(o), done: make(map[*inode]*inode)}
	c.root = k.clone(m.root)
	c.root.links = 1
	return c
}

// DropUnsynced makes name's unflushed changes what they are after a flush
// that failed: they can still be read but never become durable, even if a
// later Sync succeeds, unless they are made again. A part of them, landed, may
// have reached the disk before the failure. Fault does this on a planned
// failure of Sync.
func (m *Mem) DropUnsynced(name string, landed CrashOptions) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.lookup(name)
	if err != nil {
		return pathErr("dropunsynced", name, err)
	}
	n.dropUnsynced(landed)
	return nil
}

// syncFailed is the hook through which Fault reports a planned failure.
func (f *memFile) syncFailed(landed CrashOptions) {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	if !f.closed {
		f.n.dropUnsynced(landed)
	}
}

func (n *inode) dropUnsynced(landed CrashOptions) {
	if len(n.pending) == 0 {
		return
	}
	n.durable = n.crashContent(landed)
	n.base, n.diverged = n.live.share(), true
	n.pending = nil
}

// cloner copies the tree that a power cut leaves.
type cloner struct {
	m       *Mem
	o       CrashOptions
	entries overlay
	done    map[*inode]*inode // several names of one file, one copy
}

func (k *cloner) clone(n *inode) *inode {
	if c := k.done[n]; c != nil {
		return c
	}
	c := &inode{id: n.id, mode: n.mode, mtime: n.mtime, ctime: n.ctime}
	k.done[n] = c
	if !n.isDir() {
		c.live = n.crashContent(k.o)
		c.durable = c.live.share()
		k.m.used += c.live.allocated()
		return c
	}
	c.entries = make(map[string]*inode, len(n.entries))
	changed := k.entries[n]
	for name, e := range n.entries {
		if _, ok := changed[name]; !ok {
			k.put(c, name, e)
		}
	}
	for name, e := range changed {
		if e != nil {
			k.put(c, name, e)
		}
	}
	return c
}

func (k *cloner) put(dir *inode, name string, n *inode) {
	c := k.clone(n)
	c.links++
	dir.entries[name] = c
	if c.isDir() {
		c.parent = dir
	}
}

// crashContent is what a power cut leaves in file n.
func (n *inode) crashContent(o CrashOptions) content {
	switch {
	case len(n.pending) == 0 || o.Keep == KeepNone:
		return n.durable.share()
	case o.Keep == KeepAll && !n.diverged:
		return n.live.share()
	case o.Keep == KeepAll:
		return n.replay(landAll)
	}
	d := newDice(o.Seed, n.id, len(n.pending))
	return n.replay(d.land)
}

// landing says what of one change is on the disk.
type landing struct {
	// sector says which of the sectors a write touches have landed, counted
	// from the first; nil is none. The other changes land if it is not nil.
	sector func(i int64) bool
	// reach is how far the size change of a write has landed: the size on the
	// disk is at least this.
	reach int64
}

func everySector(int64) bool { return true }

// landAll is the landing of a change that is durable.
func landAll(_ int, fc *fileChange) landing {
	return landing{sector: everySector, reach: fc.off + fc.n}
}

// replay puts together what is on the disk if each pending change has landed
// as land says. A sector then has one of the values it had in the cache since
// the last flush, never a mixture of two: landing a later write to it brings
// the earlier ones along.
func (n *inode) replay(land func(i int, fc *fileChange) landing) content {
	disk := n.durable.share()
	cache := disk.share()
	if n.diverged {
		cache = n.base.share()
	}
	for i := range n.pending {
		fc := &n.pending[i]
		fc.apply(&cache)
		fc.land(&disk, &cache, land(i, fc))
	}
	disk.cut(disk.size) // what landed beyond the size is not in the file
	return disk
}

// land brings the part l of fc to disk; cache is the file after fc.
func (fc *fileChange) land(disk, cache *content, l landing) {
	switch {
	case fc.kind == changeWrite || fc.kind == changeClone:
		if l.sector != nil && fc.n > 0 {
			landSectors(disk, cache, fc.off, fc.n, l.sector)
		}
		disk.size = max(disk.size, l.reach)
	case l.sector == nil:
	case fc.kind == changeTruncate:
		disk.cut(fc.off)
		disk.size = fc.off
	case fc.kind == changePunch:
		disk.zero(fc.off, fc.n)
	case fc.kind == changeReserve:
		disk.reserve(fc.off, fc.n)
	}
}

// landSectors copies the sectors of [off, off+n) that have landed.
func landSectors(disk, cache *content, off, n int64, landed func(i int64) bool) {
	first := off / sectorSize
	count := (off+n-1)/sectorSize - first + 1
	for i := int64(0); i < count; i++ {
		from := i
		for i < count && landed(i) {
			i++
		}
		disk.copyRange(cache, (first+from)*sectorSize, (i-from)*sectorSize)
	}
}
