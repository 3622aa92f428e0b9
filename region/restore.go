package region

import "errors"

// Restore writes a whole header, flushes it, and takes it over: what a
// journal does with the image it has recorded. The caller has made sure that
// every record the image names is in place. Records that it no longer names
// become free.
func (f *File) Restore(h *Header) error {
	if f.opts.ReadOnly {
		return f.fail("restore", -1, -1, "", ErrReadOnly)
	}
	f.gate.Lock()
	defer f.gate.Unlock()
	f.io.Lock()
	defer f.io.Unlock()
	defer f.deliver()
	f.mu.Lock()
	busy, pinned := f.staged > 0, len(f.pins) > 0
	f.mu.Unlock()
	if f.stranded.Load() {
		return f.fail("restore", -1, -1, "", ErrStranded)
	}
	if busy {
		return f.fail("restore", -1, -1, "", ErrBusy)
	}
	if pinned {
		return f.fail("restore", -1, -1, "", ErrPinned)
	}
	if err := f.breakLinks(); err != nil {
		return err
	}
	sectors, odd, err := f.count(h)
	if err != nil {
		return err
	}
	if err := f.syncName(); err != nil {
		return err
	}
	if err := f.writeHeader(h); err != nil {
		if errors.Is(err, ErrFlush) {
			f.headerToLimbo(h, odd)
		}
		return err
	}
	f.takeOver(h, sectors, odd)
	return nil
}

// count counts who names each sector if h is the header.
func (f *File) count(h *Header) (*sectorMap, map[Slot]extent, error) {
	handle, err := f.acquire()
	if err != nil {
		return nil, nil, f.fail("restore", -1, -1, "", err)
	}
	defer handle.release() //nolint:errcheck // read only here
	info, err := handle.file.Stat()
	if err != nil {
		return nil, nil, f.fail("restore", -1, -1, "", err)
	}
	return f.countSectors(handle.file, h, info.Size)
}

// headerToLimbo keeps the sectors that h names, which may be on the disk.
func (f *File) headerToLimbo(h *Header, odd map[Slot]extent) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for s := range Slot(Slots) {
		x, isOdd := odd[s]
		if !isOdd {
			l := h.Location(s)
			x = extent{l.Sector(), l.Count()}
		}
		f.sectors.retain(x)
		f.limbo = append(f.limbo, x)
	}
}

// takeOver makes h, which is durable, the header that readers and the
// allocator go by.
func (f *File) takeOver(h *Header, sectors *sectorMap, odd map[Slot]extent) {
	f.mu.Lock()
	f.sectors, f.odd, f.limbo, f.suspect = sectors, odd, nil, nil
	f.tailUnknown = f.size > int64(sectors.end)*SectorBytes
	f.mu.Unlock()
	f.setEntries(h)
	for s := range Slot(Slots) {
		f.version[s].Add(1)
	}
}
