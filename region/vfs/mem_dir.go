package vfs

import (
	"io/fs"
	"slices"
	"syscall"
)

// entryChange is one change of a folder's entries that is not yet durable:
// name in dir went from prev to node. The durable value of a name is prev of
// its oldest change, or the live one if there is none.
type entryChange struct {
	seq        uint64
	dir        *inode
	name       string
	prev, node *inode // nil: no entry
	// implies lists the changes without which this one, or a later one of
	// the same name, cannot be on the disk.
	implies []*entryChange
	durable bool
}

// setEntry changes the live tree and notes the change. A nil node removes.
func (m *Mem) setEntry(dir *inode, name string, node *inode) *entryChange {
	prev := dir.entries[name]
	m.lastSeq++
	c := &entryChange{seq: m.lastSeq, dir: dir, name: name, prev: prev, node: node, durable: m.opts.Windows}
	if node == nil {
		delete(dir.entries, name)
	} else {
		dir.entries[name] = node
		node.links++
		if node.isDir() {
			node.parent, node.placed = dir, c
		}
	}
	if !c.durable {
		m.changes = append(m.changes, c)
	}
	if prev != nil {
		prev.links--
		m.release(prev)
	}
	return c
}

// release gives the blocks of a file back that nobody can reach any more.
func (m *Mem) release(n *inode) {
	if n.links == 0 && n.handles == 0 {
		m.used -= n.live.allocated()
	}
}

// Mkdir implements FS.
func (m *Mem) Mkdir(name string, perm fs.FileMode) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	dir, base, err := m.locate(name)
	if err == nil && dir.entries[base] != nil {
		err = fs.ErrExist
	}
	if clean(name) == "" {
		err = fs.ErrExist
	}
	if err != nil {
		return pathErr("mkdir", name, err)
	}
	n := m.newInode(fs.ModeDir | perm&fs.ModePerm)
	n.entries = map[string]*inode{}
	m.setEntry(dir, base, n)
	m.touch(dir)
	return nil
}

// Remove implements FS.
func (m *Mem) Remove(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return pathErr("remove", name, m.remove(name))
}

func (m *Mem) remove(name string) error {
	dir, base, err := m.locate(name)
	if err != nil {
		return err
	}
	n := dir.entries[base]
	switch {
	case n == nil:
		return fs.ErrNotExist
	case len(n.entries) > 0:
		return tag(fs.ErrExist, syscall.ENOTEMPTY)
	case m.opts.Windows && n.handles > 0:
		return ErrInUse
	}
	c := m.setEntry(dir, base, nil)
	m.afterRemoval(c, n)
	m.touch(dir)
	n.ctime = m.clock
	return nil
}

// afterRemoval makes the removal of a folder imply what emptied it: otherwise
// a crash could lose a file that was moved out of the folder.
func (m *Mem) afterRemoval(c *entryChange, n *inode) {
	if !n.isDir() {
		return
	}
	for _, e := range m.changes {
		if e.dir == n {
			c.implies = append(c.implies, e)
		}
	}
}

// Link implements FS.
func (m *Mem) Link(oldname, newname string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return linkErr("link", oldname, newname, m.link(oldname, newname))
}

func (m *Mem) link(oldname, newname string) error {
	n, err := m.lookup(oldname)
	if err != nil {
		return err
	}
	dir, base, err := m.locate(newname)
	switch {
	case err != nil:
		return err
	case n.isDir():
		return fs.ErrPermission
	case dir.entries[base] != nil:
		return fs.ErrExist
	}
	m.setEntry(dir, base, n)
	m.touch(dir)
	n.ctime = m.clock
	return nil
}

// Rename implements FS. A folder replaces only an empty folder, and on
// Windows none.
func (m *Mem) Rename(oldname, newname string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return linkErr("rename", oldname, newname, m.rename(oldname, newname))
}

func (m *Mem) rename(oldname, newname string) error {
	from, oldbase, err := m.locate(oldname)
	if err != nil {
		return err
	}
	n := from.entries[oldbase]
	if n == nil {
		return fs.ErrNotExist
	}
	to, newbase, err := m.locate(newname)
	if err != nil {
		return err
	}
	old := to.entries[newbase]
	if err := m.mayReplace(n, old, to); err != nil {
		return err
	}
	if n == old {
		return nil // two names of one file, or the same name: POSIX does nothing
	}
	put := m.setEntry(to, newbase, n)
	if old != nil {
		m.afterRemoval(put, old)
	}
	take := m.setEntry(from, oldbase, nil)
	// The old name may be gone only once the new one is there, and there it
	// must be reachable.
	take.implies = append(take.implies, put)
	for d := to; d != nil; d = d.parent {
		if d.placed != nil && !d.placed.durable {
			take.implies = append(take.implies, d.placed)
		}
	}
	if n.isDir() {
		// A folder never has two names. With the folders above it implied, no
		// choice of landed moves leaves two folders inside each other.
		put.implies = append(put.implies, take)
	}
	m.touch(from)
	m.touch(to)
	n.ctime = m.clock
	return nil
}

// mayReplace checks whether n may take the place of old, nil if the name is
// free, in folder to.
func (m *Mem) mayReplace(n, old, to *inode) error {
	if n.isDir() {
		for d := to; d != nil; d = d.parent {
			if d == n && old != n {
				return fs.ErrInvalid // into itself
			}
		}
	}
	if m.opts.Windows {
		if n.busy() || old != nil && old.handles > 0 {
			return ErrInUse
		}
		if old != nil && old != n && old.isDir() {
			return fs.ErrPermission
		}
	}
	switch {
	case old == nil || old == n:
		return nil
	case old.isDir() && !n.isDir():
		return tag(fs.ErrExist, syscall.EISDIR)
	case !old.isDir() && n.isDir():
		return syscall.ENOTDIR
	case len(old.entries) > 0:
		return tag(fs.ErrExist, syscall.ENOTEMPTY)
	}
	return nil
}

// busy reports whether n or something below it is open.
func (n *inode) busy() bool {
	if n.handles > 0 {
		return true
	}
	for _, e := range n.entries {
		if e.busy() {
			return true
		}
	}
	return false
}

// SyncDir implements FS.
func (m *Mem) SyncDir(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.lookup(name)
	if err == nil && !n.isDir() {
		err = syscall.ENOTDIR
	}
	if err != nil {
		return pathErr("syncdir", name, err)
	}
	for _, c := range m.changes {
		if c.dir == n {
			m.settle(c)
		}
	}
	m.changes = slices.DeleteFunc(m.changes, func(c *entryChange) bool { return c.durable })
	return nil
}

// settle makes c durable with what came before it under its name and what it
// implies.
func (m *Mem) settle(c *entryChange) {
	if c.durable {
		return
	}
	c.durable = true
	for _, e := range m.changes {
		if e.seq < c.seq && e.dir == c.dir && e.name == c.name {
			m.settle(e)
		}
	}
	for _, e := range c.implies {
		m.settle(e)
	}
	c.implies, c.prev, c.node = nil, nil, nil // keeps no removed file in memory
}

// Clone implements FS. The copy takes space of its own.
func (m *Mem) Clone(src, dst string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return linkErr("clone", src, dst, m.clone(src, dst))
}

func (m *Mem) clone(src, dst string) error {
	if m.opts.Windows {
		return ErrUnsupported
	}
	s, err := m.lookup(src)
	if err != nil {
		return err
	}
	dir, base, err := m.locate(dst)
	switch {
	case err != nil:
		return err
	case s.isDir():
		return syscall.EISDIR
	case dir.entries[base] != nil:
		return fs.ErrExist
	}
	if b := m.budget(); b >= 0 && s.live.allocated() > b {
		return ErrNoSpace
	}
	n := m.newInode(s.mode)
	m.setEntry(dir, base, n)
	m.touch(dir)
	m.change(n, fileChange{kind: changeClone, n: s.live.size, src: s.live.share()})
	return nil
}
