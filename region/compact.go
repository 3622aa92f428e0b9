package region

import (
	"errors"
	"os"
	"path/filepath"
	"slices"

	"strata/region/vfs"
)

// Compact rewrites the file densely, in the present order of its records, and
// puts the new one in its place in one step: after a crash either is there,
// whole. Payloads, timestamps and external files stay as they are, byte for
// byte, and so does what cannot be read: its sectors are copied as they are,
// and an entry that points nowhere keeps its value. Readers go on meanwhile;
// writers wait. It needs room for a second copy.
//
// ErrPinned and ErrBusy while pins or staged groups hold sectors;
// ErrNeedsRepair if entries overlap, since a copy would make two of them.
func (f *File) Compact() error {
	if f.opts.ReadOnly {
		return f.fail("compact", -1, -1, "", ErrReadOnly)
	}
	defer f.deliver()
	f.gate.Lock()
	defer f.gate.Unlock()
	f.io.Lock()
	defer f.io.Unlock()
	f.mu.Lock()
	busy, pinned := f.staged > 0, len(f.pins) > 0
	f.mu.Unlock()
	switch {
	case f.stranded.Load():
		return f.fail("compact", -1, -1, "", ErrStranded)
	case busy:
		return f.fail("compact", -1, -1, "", ErrBusy)
	case pinned:
		return f.fail("compact", -1, -1, "", ErrPinned)
	}
	plan, err := f.planCompact()
	if err != nil {
		return err
	}
	temporary := f.temporary(filepath.Base(f.path))
	file, err := f.writeCompact(temporary, plan)
	if err == nil {
		err = f.exchange(temporary, file, plan)
	}
	if err != nil {
		f.fs.Remove(temporary) //nolint:errcheck // a leftover .strata- file is harmless and Check reports it
		return f.fail("compact", -1, -1, "", err)
	}
	f.m.compactions.Add(1)
	return nil
}

// move is one record's way from the old file to the new one.
type move struct {
	slot     Slot
	from, to extent
}

type compactPlan struct {
	header  *Header
	sectors *sectorMap
	odd     map[Slot]extent
	moves   []move
}

func (f *File) planCompact() (*compactPlan, error) {
	p := &compactPlan{header: f.Header(), sectors: newSectorMap(), odd: map[Slot]extent{}}
	f.mu.Lock()
	defer f.mu.Unlock()
	inFile := sectorsFor(f.size)
	for s := range Slot(Slots) {
		l := p.header.Location(s)
		if l == 0 {
			continue
		}
		x, isOdd := f.odd[s]
		if !isOdd {
			x = extent{l.Sector(), l.Count()}
		}
		if l.Sector() < HeaderSectors || x.start >= inFile || l.Count() == 0 {
			p.sectors.retain(x) // points nowhere, or at what we cannot tell: stays
			if isOdd {
				p.odd[s] = x
			}
			continue
		}
		if f.sectors.shared(x) {
			return nil, f.fail("compact", int(s), int64(x.start)*SectorBytes, Overlap, ErrNeedsRepair)
		}
		p.moves = append(p.moves, move{slot: s, from: x})
	}
	slices.SortFunc(p.moves, func(a, b move) int { return int(a.from.start) - int(b.from.start) })
	for i := range p.moves {
		m := &p.moves[i]
		to, ok := p.sectors.alloc(m.from.n)
		if !ok {
			return nil, f.fail("compact", int(m.slot), -1, "", ErrFull)
		}
		m.to = to
		e := p.header.Entry(m.slot)
		p.header.Set(m.slot, Entry{MakeLocation(to.start, e.Location.Count()), e.Timestamp})
		if to.n != e.Location.Count() {
			p.odd[m.slot] = to
		}
	}
	return p, nil
}

func (f *File) writeCompact(temporary string, p *compactPlan) (vfs.File, error) {
	if err := f.samePath(); err != nil {
		return nil, err
	}
	h, err := f.acquire()
	if err != nil {
		return nil, err
	}
	defer h.release() //nolint:errcheck // read only here
	file, err := f.fs.OpenFile(temporary, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return nil, err
	}
	err = copyMoves(file, h.file, p.moves)
	if err == nil {
		_, err = file.WriteAt(p.header[:], 0)
	}
	if err == nil {
		err = file.Sync()
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// copyMoves copies the records, as many at a time as lie together in both
// files and fit the buffer. What the old file does not have reads as zeros.
func copyMoves(dst, src vfs.File, moves []move) error {
	buf := make([]byte, 0, maxScratch)
	for len(moves) > 0 {
		first, run, n := moves[0], 1, moves[0].from.n
		for run < len(moves) && moves[run].from.start == first.from.start+n &&
			moves[run].to.start == first.to.start+n && int(n+moves[run].from.n)*SectorBytes <= maxScratch {
			n += moves[run].from.n
			run++
		}
		buf = grow(buf, int(n)*SectorBytes)
		got, err := readFull(src, buf, int64(first.from.start)*SectorBytes)
		if err != nil {
			return err
		}
		clear(buf[got:])
		if _, err := dst.WriteAt(buf, int64(first.to.start)*SectorBytes); err != nil {
			return err
		}
		moves = moves[run:]
	}
	return nil
}

// exchange puts the compacted file in place. Readers take handle and entries
// together: what they read across the exchange is void and read again.
func (f *File) exchange(temporary string, file vfs.File, p *compactPlan) error {
	f.beginSwap()
	defer f.endSwap()
	err := f.fs.Rename(temporary, f.path)
	if isInUse(err) {
		file.Close() //nolint:errcheck // flushed
		return f.exchangeClosed(temporary, p)
	}
	if err != nil {
		file.Close() //nolint:errcheck // about to be removed
		return err
	}
	f.swapHandle(file)
	f.adopt(file, p)
	return f.syncDir()
}

// exchangeClosed is exchange for systems that refuse to replace open files.
func (f *File) exchangeClosed(temporary string, p *compactPlan) error {
	f.handle.Swap(nil).drain()
	renamed := f.fs.Rename(temporary, f.path)
	file, err := f.fs.OpenFile(f.path, os.O_RDWR, 0)
	if err != nil {
		f.lose()
	} else {
		f.handle.Store(newHandle(file)) // the old file again if it was not renamed
	}
	if renamed != nil {
		return errors.Join(renamed, err)
	}
	f.adopt(file, p) // whether it is open or not: it is at our path
	return errors.Join(err, f.syncDir())
}

// adopt goes by the compacted file's layout. file is nil if it could not be
// opened.
func (f *File) adopt(file vfs.File, p *compactPlan) {
	// Without an identity the checks against replacement are off.
	info := vfs.FileInfo{Size: int64(p.sectors.end) * SectorBytes}
	if file != nil {
		if known, err := file.Stat(); err == nil {
			info = known
		}
	}
	f.mu.Lock()
	f.ident, f.size = info, info.Size
	// The header whose flush failed is not in the new file.
	f.sectors, f.odd, f.limbo, f.suspect = p.sectors, p.odd, nil, nil
	f.tailUnknown = false
	f.linkUnknown = false
	f.mu.Unlock()
	f.setEntries(p.header)
	for s := range Slot(Slots) {
		f.learn(s, f.version[s].Load()+1, f.knownKind(s))
		f.version[s].Add(1)
	}
}
