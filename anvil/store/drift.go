package store

import (
	"slices"
	"time"
)

// drift is what has changed by drift alone: a list for each region file, since
// an epoch may take some of them and leave others. Guarded by Store.mu.
type drift struct {
	lists map[regionAt]*list
	order []*list // by since
}

// of is the list of a region file.
func (d *drift) of(r regionAt) *list {
	l := d.lists[r]
	if l == nil {
		l = newList(atAutosave)
		l.region = r
		d.lists[r] = l
		d.order = append(d.order, l)
	}
	return l
}

func (d *drift) remove(l *list) {
	delete(d.lists, l.region)
	if i := slices.Index(d.order, l); i >= 0 {
		d.order = slices.Delete(d.order, i, i+1)
	}
}

// since is when the oldest drift was.
func (d *drift) since() (t time.Time, ok bool) {
	if len(d.order) == 0 {
		return t, false
	}
	return d.order[0].since, true
}

// driftShare is the part of DirtyLimit that the drift of one epoch takes, and
// so the part by which saving it holds other changes back.
const driftShare = 4

// takeDrift takes the lists of drift that an epoch saves, oldest first and one
// at least: all of them, or those that are due as long as they take no more than
// a share of DirtyLimit, and in either case no more than there may be region
// files in an epoch. The next epoch follows at once if there are more. Called
// under gate and mu.
func (s *Store) takeDrift(all bool, now time.Time, regions map[regionAt]struct{}) []*list {
	files, bytes, n := len(regions), int64(0), 0
	for _, l := range s.drift.order {
		if !all && (s.noSpace != nil || l.since.Add(s.opts.Autosave).After(now)) {
			break
		}
		if _, ok := regions[l.region]; !ok {
			files++
		}
		bytes += l.bytes
		if n > 0 && (files > maxRegions || !all && bytes > s.opts.DirtyLimit/driftShare) {
			break
		}
		l.taken = true
		delete(s.drift.lists, l.region)
		n++
	}
	taken := s.drift.order[:n:n]
	s.drift.order = s.drift.order[n:]
	return taken
}
