package region

// trimSectors is how long a free tail gets before it is cut off while the file
// is open, less in a small file: shorter ones are about to be used again.
const trimSectors = 32

// takePlace is the extent of slot s's entry at l, which is being replaced. It
// is looked up when the entry goes and not when the sectors do: by then the
// slot may have been written again.
func (f *File) takePlace(s Slot, l Location) extent {
	f.mu.Lock()
	defer f.mu.Unlock()
	x, isOdd := f.odd[s]
	if !isOdd {
		x = extent{l.Sector(), l.Count()}
	}
	delete(f.odd, s)
	return x
}

// free gives back a record's sectors. The caller has made the header that no
// longer names them durable.
func (f *File) free(x extent) {
	if f.opts.PunchHoles {
		f.punch(x)
	}
	f.mu.Lock()
	held := f.sectors.release(x)
	over := f.holdForPins(int64(held) * SectorBytes)
	f.mu.Unlock()
	for _, b := range over {
		b.revoke()
	}
}

// punch gives the blocks of x, which is still ours, back to the file system,
// unless another entry names a part of it or the file is pinned or linked.
func (f *File) punch(x extent) {
	f.io.Lock()
	defer f.io.Unlock()
	f.mu.Lock()
	shared := f.sectors.shared(x) || len(f.pins) > 0
	f.mu.Unlock()
	if shared || x.n == 0 {
		return
	}
	h, err := f.acquire()
	if err != nil {
		return
	}
	defer h.release() //nolint:errcheck // losing the hole loses nothing
	if !f.solelyOurs(h) {
		return
	}
	if err := h.file.PunchHole(int64(x.start)*SectorBytes, int64(x.n)*SectorBytes); err != nil {
		f.note(CleanupFailed, err)
	}
}

// solelyOurs reports whether the open file has no further hard links.
func (f *File) solelyOurs(h *handle) bool {
	info, err := h.file.Stat()
	return err == nil && (info.Links == 1 || info.Links == 0 && !f.linkUnknown)
}

// trim cuts off the free tail if it has at least n sectors. A file that had
// bytes beyond its last entry when it was opened keeps them: in a damaged
// file they may be all that is left of a chunk.
func (f *File) trim(n uint32) {
	if !f.trimmable(n) {
		return
	}
	f.io.Lock()
	defer f.io.Unlock()
	if !f.trimmable(n) { // a group may have taken the tail meanwhile
		return
	}
	h, err := f.acquire()
	if err != nil {
		return
	}
	defer h.release() //nolint:errcheck // losing the cut loses nothing
	if !f.solelyOurs(h) {
		return
	}
	f.mu.Lock()
	size := int64(f.sectors.end) * SectorBytes
	f.mu.Unlock()
	if err := h.file.Truncate(size); err != nil {
		f.note(CleanupFailed, err)
		return
	}
	f.mu.Lock()
	f.size = size
	f.mu.Unlock()
	f.m.truncations.Add(1)
}

func (f *File) trimmable(n uint32) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.pins) > 0 || f.tailUnknown || f.stranded.Load() {
		return false
	}
	n = max(1, min(n, uint32(f.sectors.live/64)))
	return sectorsFor(f.size) >= f.sectors.end+n && f.size > HeaderBytes
}
