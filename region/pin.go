package region

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"strata/region/vfs"
)

// pinLimit is the most a pin holds back by default.
const pinLimit = 1 << 30

// Pin keeps a file as it was when the pin began: the sectors its header named
// then are not reused, and external bodies that are replaced or removed stay
// readable. Writers go on; what they free while the pin holds it grows the
// file, up to a limit at which the pin is revoked. Pins live in this process.
// Safe for concurrent use.
type Pin struct {
	f      *File
	header Header
	budget *pinBudget

	held   []extent // sectors this pin counts in; guarded by File.mu
	mu     sync.Mutex
	bodies map[Slot]vfs.File // external bodies opened before they went
	temps  []string          // copies of bodies that could not be kept open
	done   bool
}

// pinBudget bounds what pins that belong together hold back. Revoking is for
// all of them: a snapshot with a hole is none.
type pinBudget struct {
	limit   int64
	held    atomic.Int64
	revoked atomic.Bool
	mu      sync.Mutex
	pins    []*Pin
}

func newPinBudget(fsys vfs.FS, dir string, limit int64) *pinBudget {
	if limit == 0 {
		limit = pinLimit
		if free, err := fsys.FreeBytes(dir); err == nil {
			limit = min(limit, free/10)
		}
	}
	return &pinBudget{limit: limit}
}

// revoke gives all pins of the budget up. Called without locks.
func (b *pinBudget) revoke() {
	if b.revoked.Swap(true) {
		return
	}
	b.mu.Lock()
	pins := b.pins
	b.pins = nil
	b.mu.Unlock()
	for _, p := range pins {
		p.f.note(PinRevoked, fmt.Errorf("%d bytes held back, limit %d", b.held.Load(), b.limit))
		p.drop() //nolint:errcheck // handles of bodies nobody needs any more
	}
}

// Pin begins a pin of this file. It waits for a group that is being
// published; the caller has published what belongs in the cut.
func (f *File) Pin() (*Pin, error) {
	b := newPinBudget(f.fs, f.path, f.opts.PinLimit)
	return f.pinIn(b)
}

func (f *File) pinIn(b *pinBudget) (*Pin, error) {
	if f.opts.ReadOnly {
		return nil, f.fail("pin", -1, -1, "", ErrReadOnly)
	}
	f.gate.Lock()
	defer f.gate.Unlock()
	return f.pinGated(b)
}

// pinGated is pinIn for a caller that holds the gate.
func (f *File) pinGated(b *pinBudget) (*Pin, error) {
	if f.isClosed() {
		return nil, f.fail("pin", -1, -1, "", ErrClosed)
	}
	p := &Pin{f: f, header: *f.Header(), budget: b, bodies: map[Slot]vfs.File{}}
	f.mu.Lock()
	for s := range Slot(Slots) {
		if l := p.header.Location(s); l != 0 {
			x, isOdd := f.odd[s]
			if !isOdd {
				x = extent{l.Sector(), l.Count()}
			}
			f.sectors.retain(x)
			p.held = append(p.held, x)
		}
	}
	f.pins[p] = struct{}{}
	f.mu.Unlock()
	b.mu.Lock()
	b.pins = append(b.pins, p)
	b.mu.Unlock()
	return p, nil
}

// Header is the pinned header. The caller must not change it.
func (p *Pin) Header() *Header { return &p.header }

// Pos is the pinned region's position.
func (p *Pin) Pos() Pos { return p.f.pos }

// Path is the pinned file's path, where its present version is.
func (p *Pin) Path() string { return p.f.path }

// Revoked reports whether the pin was given up.
func (p *Pin) Revoked() bool { return p.budget.revoked.Load() }

// Read returns the slot's record as it was when the pin began, with Read's
// errors, or ErrPinRevoked.
func (p *Pin) Read(s Slot, buf []byte) (Record, error) {
	for {
		gen := p.f.gen.Load()
		rec, err := p.read(s, buf)
		if p.Revoked() {
			return Record{}, p.f.fail("read pinned", int(s), -1, "", ErrPinRevoked)
		}
		if err == nil || p.f.gen.Load() == gen && gen&1 == 0 {
			return rec, err
		}
		p.f.swap.RLock()   // the handle was away for an exchange; the layout is the same
		p.f.swap.RUnlock() //nolint:staticcheck // the empty section is the wait
	}
}

func (p *Pin) read(s Slot, buf []byte) (Record, error) {
	h, err := p.f.acquire()
	if err != nil {
		return Record{}, p.f.fail("read pinned", int(s), -1, "", err)
	}
	defer h.release() //nolint:errcheck // read only here
	e := p.header.Entry(s)
	if e.Empty() {
		return Record{Entry: e}, p.f.fail("read pinned", int(s), -1, "", ErrAbsent)
	}
	rec, external, class, err := readRecord(h.file, e.Location, p.f.opts.MaxStream, buf)
	rec.Entry = e
	if class != "" || err != nil {
		return rec, p.f.fail("read pinned", int(s), int64(e.Location.Sector())*SectorBytes, class, err)
	}
	if !external {
		return rec, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done {
		return rec, p.f.fail("read pinned", int(s), -1, "", ErrPinRevoked)
	}
	if err := p.keep(s); err != nil {
		class := IOError
		if errors.Is(err, fs.ErrNotExist) {
			class = ExternalMissing
		}
		return rec, p.f.fail("read pinned external", int(s), -1, class, err)
	}
	rec.Data, class, err = readBody(p.bodies[s], p.f.opts.MaxStream, buf)
	if class != "" {
		return rec, p.f.fail("read pinned external", int(s), -1, class, err)
	}
	rec.buf = rec.Data
	return rec, nil
}

// keep opens the slot's external body if that was not done before. Called
// under p.mu, so that a writer that replaces the body and a reader of the pin
// agree on who opens it: whoever is first has the pinned one.
func (p *Pin) keep(s Slot) error {
	if p.bodies[s] != nil {
		return nil
	}
	file, err := p.f.fs.OpenFile(externalPath(p.f.path, p.f.pos.Chunk(s)), os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	p.bodies[s] = file
	return nil
}

// keepForPins opens the external body of s, which is about to be replaced or
// removed, for every pin whose header names the slot. Called under gate.
func (f *File) keepForPins(s Slot) error {
	f.mu.Lock()
	var pins []*Pin
	for p := range f.pins {
		if p.header.Location(s) != 0 {
			pins = append(pins, p)
		}
	}
	f.mu.Unlock()
	for _, p := range pins {
		p.mu.Lock()
		err := p.keep(s)
		p.mu.Unlock()
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// setAside makes room for a rename or removal of the slot's external body
// where open files cannot be replaced: pins that have it open go on with a
// copy. Called under gate.
func (f *File) setAside(s Slot) error {
	f.mu.Lock()
	var pins []*Pin
	for p := range f.pins {
		pins = append(pins, p)
	}
	f.mu.Unlock()
	for _, p := range pins {
		p.mu.Lock()
		err := p.setAside(s)
		p.mu.Unlock()
		if err != nil {
			return err
		}
	}
	return nil
}

// setAside copies the open body to a file of our own. Called under p.mu.
func (p *Pin) setAside(s Slot) error {
	body := p.bodies[s]
	name := externalPath(p.f.path, p.f.pos.Chunk(s))
	if body == nil || body.Name() != name {
		return nil
	}
	aside := p.f.temporary(p.f.pos.Chunk(s).ExternalName() + ".pin")
	if _, err := vfs.CopyFile(p.f.fs, aside, name); err != nil {
		return err
	}
	file, err := p.f.fs.OpenFile(aside, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	p.temps = append(p.temps, aside)
	p.bodies[s] = file
	return body.Close()
}

// changeBody renames or removes an external body. Where an open file is in
// the way, pins step aside and readers, which hold it for one read only, are
// waited for.
func (f *File) changeBody(s Slot, change func() error) error {
	err := f.keepForPins(s)
	if err != nil {
		return err
	}
	for range bodyTries {
		if err = change(); !errors.Is(err, vfs.ErrInUse) {
			return err
		}
		if err := f.setAside(s); err != nil {
			return err
		}
		time.Sleep(time.Millisecond)
	}
	return err
}

// bodyTries bounds the wait for readers of an external body to about 1 s.
const bodyTries = 1000

// holdForPins notes bytes of freed sectors that pins alone still name, and
// returns the budgets that are used up. Called under mu.
func (f *File) holdForPins(n int64) (over []*pinBudget) {
	if n == 0 {
		return nil
	}
	for p := range f.pins {
		if p.budget.held.Add(n) > p.budget.limit {
			over = append(over, p.budget)
		}
	}
	return over
}

// revokePins gives up the pins of a file that is closing.
func (f *File) revokePins() {
	f.mu.Lock()
	pins := make([]*Pin, 0, len(f.pins))
	for p := range f.pins {
		pins = append(pins, p)
	}
	f.mu.Unlock()
	for _, p := range pins {
		p.budget.revoke()
	}
}

// Release ends the pin; its sectors may be used again.
func (p *Pin) Release() error {
	b := p.budget
	b.mu.Lock()
	for i, q := range b.pins {
		if q == p {
			b.pins = append(b.pins[:i:i], b.pins[i+1:]...)
			break
		}
	}
	b.mu.Unlock()
	return p.drop()
}

func (p *Pin) drop() error {
	p.f.mu.Lock()
	for _, x := range p.held {
		p.f.sectors.release(x)
	}
	p.held = nil
	delete(p.f.pins, p)
	p.f.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = true
	var errs []error
	for s, body := range p.bodies {
		errs = append(errs, body.Close())
		delete(p.bodies, s)
	}
	for _, t := range p.temps {
		errs = append(errs, p.f.fs.Remove(t))
	}
	p.temps = nil
	return errors.Join(errs...)
}
