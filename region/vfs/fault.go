package vfs

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"sync"
)

// ErrCrashed is the error of every operation from a planned crash on.
var ErrCrashed = errors.New("simulated crash")

// Rule plans a fault.
type Rule struct {
	// Ops are the operations the rule is about, OpAny if 0.
	Ops Op
	// Name is a path.Match pattern for the base name, or either of the two
	// base names; "" is any.
	Name string
	// Nth is the matching operation at which the rule fires, counted from 0
	// since the rule was added. Forever lets it fire from there on each time.
	Nth     int
	Forever bool
	// Err is the error the operation fails with, wrapped. The operation is not
	// carried out; a failing Sync over a Mem drops what it would have flushed.
	// With a nil Err and no Crash the operation goes on as usual.
	Err error
	// ShortWrite is how many bytes a failing WriteAt writes first; 0 and -1
	// are none.
	ShortWrite int
	// Landed says what of the unflushed changes reached the disk when a Sync
	// over a Mem fails: nothing unless it says otherwise.
	Landed CrashOptions
	// Hook is called before the operation, with no lock held: it may wait,
	// take a crash clone, or use the file system, which counts again.
	Hook func(OpInfo)
	// Crash makes this operation and all later ones fail with ErrCrashed and
	// change nothing. Handles can still be closed; that reports ErrCrashed too.
	Crash bool
}

// Planned is a rule that was added.
type Planned struct {
	f     *Fault
	rule  Rule
	seen  int // guarded by f.mu, as the rest
	fired int
	waived,
	cleared bool
}

// Fired is how often the rule fired.
func (p *Planned) Fired() int {
	p.f.mu.Lock()
	defer p.f.mu.Unlock()
	return p.fired
}

// Withdraw takes the rule back: it fires no more, and Verify does not ask for it.
func (p *Planned) Withdraw() {
	p.f.mu.Lock()
	defer p.f.mu.Unlock()
	p.cleared, p.waived = true, true
}

// Fault wraps a file system, counts operations and makes planned ones fail.
// Without rules it changes nothing.
type Fault struct {
	inner FS

	mu      sync.Mutex // guards the rest; not held during operations or hooks
	rules   []*Planned
	counts  map[Op]int
	total   int
	crashed bool
	trace   []OpInfo // ring of the last operations
	limit   int
}

var (
	_ FS   = (*Fault)(nil)
	_ File = (*faultFile)(nil)
)

// traceLimit is how many operations a Fault remembers.
const traceLimit = 1000

// NewFault returns a wrapper of inner with no faults planned.
func NewFault(inner FS) *Fault {
	return &Fault{inner: inner, counts: make(map[Op]int), limit: traceLimit}
}

// Unwrap returns the file system below.
func (f *Fault) Unwrap() FS { return f.inner }

// Add plans a fault. It panics if Name is no pattern.
func (f *Fault) Add(r Rule) *Planned {
	if _, err := path.Match(r.Name, ""); err != nil {
		panic(fmt.Sprintf("vfs: rule name %q: %v", r.Name, err))
	}
	if r.Ops == 0 {
		r.Ops = OpAny
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	p := &Planned{f: f, rule: r}
	f.rules = append(f.rules, p)
	return p
}

// Clear lets no rule fire any more. Verify still asks for those that never
// fired. A crash stays.
func (f *Fault) Clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range f.rules {
		p.cleared = true
	}
}

// Crashed reports whether a crash rule has fired.
func (f *Fault) Crashed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.crashed
}

// Count is how many operations of the kinds in ops were begun, those that
// failed as planned included.
func (f *Fault) Count(ops Op) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for op, c := range f.counts {
		if op&ops != 0 {
			n += c
		}
	}
	return n
}

// Ops returns the last operations, oldest first, at most 1,000: print them
// when a run fails.
func (f *Fault) Ops() []OpInfo {
	f.mu.Lock()
	defer f.mu.Unlock()
	at := 0
	if len(f.trace) == f.limit {
		at = f.total % f.limit
	}
	return append(append([]OpInfo(nil), f.trace[at:]...), f.trace[:at]...)
}

// TB is the part of testing.TB that Verify needs.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

// Verify fails the test for each planned fault that never fired.
func (f *Fault) Verify(t TB) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range f.rules {
		if p.fired == 0 && !p.waived {
			t.Errorf("planned fault never fired: operation %d of %v on %q; %d matched", p.rule.Nth, p.rule.Ops, p.rule.Name, p.seen)
		}
	}
}

// verdict is what the rules say about one operation.
type verdict struct {
	err   error // nil: carry it out
	short int
	// syncFailed tells a Mem below what a failing flush left on the disk.
	syncFailed bool
	landed     CrashOptions
}

// begin counts an operation, calls the hooks of the rules that fire, and says
// whether to carry it out.
func (f *Fault) begin(in OpInfo) verdict {
	var v verdict
	var hooks []func(OpInfo)
	f.mu.Lock()
	in.Index = f.total
	f.note(in)
	wasCrashed := f.crashed
	for _, p := range f.rules {
		if wasCrashed || !p.fires(in) {
			continue
		}
		r := &p.rule
		if r.Hook != nil {
			hooks = append(hooks, r.Hook)
		}
		if r.Crash {
			f.crashed = true
		} else if r.Err != nil && v.err == nil {
			v = verdict{err: in.fail(r.Err), short: r.ShortWrite, syncFailed: in.Op == OpSync, landed: r.Landed}
		}
	}
	f.mu.Unlock()
	for _, hook := range hooks {
		hook(in)
	}
	if f.Crashed() { // perhaps while a hook held this operation back
		v = verdict{err: in.fail(ErrCrashed)}
	}
	return v
}

// note needs mu.
func (f *Fault) note(in OpInfo) {
	f.counts[in.Op]++
	if len(f.trace) < f.limit {
		f.trace = append(f.trace, in)
	} else {
		f.trace[f.total%f.limit] = in
	}
	f.total++
}

// fires counts a matching operation. It needs f.mu.
func (p *Planned) fires(in OpInfo) bool {
	if p.cleared || in.Op&p.rule.Ops == 0 || !p.rule.matches(in) {
		return false
	}
	at := p.seen
	p.seen++
	if at != p.rule.Nth && !(p.rule.Forever && at > p.rule.Nth) {
		return false
	}
	p.fired++
	return true
}

func (r *Rule) matches(in OpInfo) bool {
	if r.Name == "" {
		return true
	}
	ok, _ := path.Match(r.Name, filepath.Base(in.Name)) // Add has checked the pattern
	if !ok && in.NewName != "" {
		ok, _ = path.Match(r.Name, filepath.Base(in.NewName))
	}
	return ok
}

// fail wraps a planned error as the operation would.
func (in OpInfo) fail(err error) error {
	if in.NewName != "" {
		return linkErr(in.Op.String(), in.Name, in.NewName, err)
	}
	return &fs.PathError{Op: in.Op.String(), Path: in.Name, Err: err}
}
