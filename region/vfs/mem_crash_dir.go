package vfs

// overlay is what a power cut leaves under the names whose last change is not
// durable; nil: no entry.
type overlay map[*inode]map[string]*inode

func (o overlay) set(dir *inode, name string, n *inode) {
	if o[dir] == nil {
		o[dir] = make(map[string]*inode)
	}
	o[dir][name] = n
}

// crashEntries draws which entry changes survive. A name has one of the
// values it had since it was last durable.
func (m *Mem) crashEntries(o CrashOptions) overlay {
	if o.Keep == KeepAll || len(m.changes) == 0 {
		return nil
	}
	out := overlay{}
	for i := len(m.changes) - 1; i >= 0; i-- { // the oldest prev comes last
		c := m.changes[i]
		out.set(c.dir, c.name, c.prev)
	}
	if o.Keep == KeepNone {
		return out
	}
	for _, c := range m.survivors(newDice(o.Seed, 0, len(m.changes))) {
		out.set(c.dir, c.name, c.node)
	}
	return out
}

// entryName is a name in a folder.
type entryName struct {
	dir  *inode
	name string
}

// survivors draws the last change of each name that is on the disk and then
// goes forward in the history of names until nothing is there without what it
// implies: a file whose old name is gone has its new one.
func (m *Mem) survivors(d *dice) map[entryName]*entryChange {
	last := make(map[entryName]*entryChange)
	for i, c := range m.changes {
		if d.keeps(i) {
			last[entryName{c.dir, c.name}] = c
		}
	}
	for again := true; again; {
		again = false
		for _, c := range m.changes {
			if at := last[entryName{c.dir, c.name}]; at == nil || at.seq < c.seq {
				continue // not on the disk
			}
			for _, need := range c.implies {
				key := entryName{need.dir, need.name}
				if at := last[key]; !need.durable && (at == nil || at.seq < need.seq) {
					last[key] = need
					again = true
				}
			}
		}
	}
	return last
}
