package backup

import (
	"time"

	"strata/region"
)

// comparer tells what has changed since an earlier snapshot.
type comparer struct {
	parent *record // nil if there is none
	before map[string]*entry
	// reread: the clock is behind the parent's, or everything is to be read.
	reread bool
	recent int64 // slots stamped then or later may have changed unnoticed, in s
	// pinned: a store of ours writes, whose slots' timestamps always rise, so that
	// headers alone tell.
	pinned bool
}

// hasty is how old a slot has to be at the start of a snapshot for its timestamp
// to tell another version from the one that the snapshot saw.
const hasty = time.Second

// begin prepares the comparison of a snapshot.
func (c *comparer) begin(s *Snapshot, paranoid, pinned bool) {
	c.reread, c.pinned = paranoid, pinned
	if c.parent == nil {
		return
	}
	s.Parent = c.parent.ID
	c.recent = c.parent.Time.Add(-hasty).Unix()
	c.reread = c.reread || s.Time.Before(c.parent.Time)
}

// unchanged reports whether a file is what it was in the parent, as far as that can
// be told without reading it.
func (c *comparer) unchanged(e, prev *entry) bool {
	return prev != nil && !c.reread && prev.kind == e.kind && prev.stat == e.stat && !c.tooRecent(e.stat)
}

// coarse is how coarse the clock of file times may be. A file that was written as
// shortly before it was looked at may have been written again.
const coarse = 20 * time.Millisecond

// tooRecent reports whether a file was written so shortly before the parent began
// that its times do not tell.
func (c *comparer) tooRecent(s stat) bool {
	limit := c.parent.Time.Add(-coarse).UnixNano()
	if s.change%1e9 == 0 && s.mod%1e9 == 0 || s.change == 0 {
		limit = c.parent.Time.Add(-3 * time.Second).UnixNano() // a file system that has whole seconds, or every other one
	}
	return max(s.mod, s.change) >= limit
}

// racy reports whether a slot was stamped so late that the parent may have seen
// another version with the same stamp.
func (c *comparer) racy(e region.Entry) bool {
	return e.Timestamp != 0 && int64(e.Timestamp) >= c.recent
}

// sameRegion reports whether a region file with that header is what it was.
func (c *comparer) sameRegion(e, prev *entry, h *region.Header) bool {
	if prev == nil || prev.region == nil || c.reread || prev.region.sum != e.region.sum {
		return false
	}
	same := prev.stat == e.stat && !c.tooRecent(e.stat)
	if c.pinned {
		same = prev.stat.inode == e.stat.inode && prev.stat.device == e.stat.device
	}
	for s := range region.Slot(region.Slots) {
		if !same || c.racy(h.Entry(s)) {
			return false
		}
	}
	return true
}
