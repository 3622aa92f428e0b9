package region

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"strata/region/codec"
)

// gather finds the records that could stand for chunks whose own entry is no
// good: those in other chunks' slots, those in sectors that nobody names, and
// external files without a stub.
func (p *planner) gather() error {
	var taken []extent
	searching := p.opts.ScanEmpty || slices.ContainsFunc(p.slots[:], func(sp slotPlan) bool { return sp.searched() })
	var bodies [Slots]bool
	if searching {
		var err error
		if bodies, err = p.bodies(); err != nil {
			return err
		}
		p.shedSlack()
	}
	for s := range Slot(Slots) {
		sp := &p.slots[s]
		if sp.standing == misplaced {
			t := sp.own.seen.Position.Slot()
			p.slots[t].candidates = append(p.slots[t].candidates, sp.own)
		}
		if bodies[s] && (sp.searched() || sp.standing == vacant && p.opts.ScanEmpty) {
			if r := p.body(s); r != nil {
				sp.candidates = append(sp.candidates, r)
			}
		}
		if sp.own != nil {
			taken = append(taken, sp.own.needs())
		}
	}
	slices.SortFunc(taken, func(a, b extent) int { return cmp.Compare(a.start, b.start) })
	p.dropGuesses(taken)
	// A record that no entry names can be told only by its content.
	if p.opts.Inspect == nil || !searching {
		return nil
	}
	return p.x.scan(taken, func(at uint32, v verdict) bool {
		if c := v.seen.Position; v.seen.HasPosition && c.Region() == p.c.home {
			sp := &p.slots[c.Slot()]
			if sp.searched() || sp.standing == vacant && p.opts.ScanEmpty {
				r := &record{verdict: v, from: -1}
				r.dropSlack()
				r.location = MakeLocation(at, min(r.sectors(), countByLength))
				sp.candidates = append(sp.candidates, r)
			}
		}
		return true
	})
}

// shedSlack has records that claim sectors behind their stream, or behind their
// stub, written anew: what those sectors hold may be the record that is
// missing.
func (p *planner) shedSlack() {
	for s := range p.slots {
		sp := &p.slots[s]
		if sp.standing != sound || !p.canAdd(sp.own.sectors()) {
			continue
		}
		sp.own.dropSlack()
		if sp.own.external && sp.own.sectors() > 1 {
			sp.own.size, sp.own.resized = RecordHeaderBytes, true
		}
		sp.own.location = MakeLocation(sp.own.location.Sector(), min(sp.own.sectors(), countByLength))
	}
}

// dropGuesses drops the candidates that were guessed and lie on records that
// need no guess.
func (p *planner) dropGuesses(taken []extent) {
	for s := range p.slots {
		sp := &p.slots[s]
		sp.candidates = slices.DeleteFunc(sp.candidates, func(r *record) bool {
			return r.guessed && slices.ContainsFunc(taken, func(x extent) bool {
				return x.start < r.needs().end() && r.needs().start < x.end()
			})
		})
	}
}

func (sp *slotPlan) searched() bool { return sp.standing == damaged || sp.standing == misplaced }

// bodies are the slots whose chunks have an external file.
func (p *planner) bodies() (have [Slots]bool, err error) {
	entries, err := p.x.fs.ReadDir(filepath.Dir(p.c.report.Path))
	if err != nil || !p.c.report.Named {
		return have, err
	}
	for _, e := range entries {
		if c, ok := ParseExternalName(e.Name()); ok && c.Region() == p.c.report.Pos {
			have[c.Slot()] = true
		}
	}
	return have, nil
}

// body is the chunk's external file if there is one that can be read. Its
// name says whose it is.
func (p *planner) body(s Slot) *record {
	data, class, _ := p.x.readExternal(s)
	if class != "" || len(data) == 0 {
		return nil
	}
	// Any bytes decode as none, so that comes last; judge tries it only if
	// the callback can tell.
	r := &record{verdict: verdict{scheme: codec.Zlib, external: true, size: RecordHeaderBytes, stream: int64(len(data))}, from: -1, body: true}
	p.x.judge(&r.verdict, data, s)
	if !r.usable() || !p.inPlace(s, r) {
		return nil
	}
	if r.actual != 0 {
		r.scheme, r.actual = r.actual, 0
	}
	return r
}

// rank orders candidates, the best first: the newest, and of equally new ones
// that which an entry names.
func rank(a, b *record) int {
	named := func(r *record) int {
		if r.from >= 0 {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(b.seen.LastUpdate, a.seen.LastUpdate), named(a)-named(b))
}

// choice is the best candidate of a slot. equal has more than one element if
// several are equally good and differ; then there is no choice.
func (sp *slotPlan) choice() (best *record, equal []*record) {
	if len(sp.candidates) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(sp.candidates, rank)
	best = sp.candidates[0]
	differ := false
	for _, r := range sp.candidates {
		if rank(best, r) != 0 {
			break
		}
		equal = append(equal, r)
		differ = differ || r.content != best.content
	}
	if differ {
		return nil, equal
	}
	return best, equal[:1]
}

// block marks the slots that stay as they are: those that are not ours to
// judge, those without a clear choice, and those whose record belongs to such
// a slot, for it would be named by nobody.
func (p *planner) block() {
	for s := range Slot(Slots) {
		sp := &p.slots[s]
		if sp.standing == kept {
			sp.blocked = true
		}
		if sp.standing == sound || sp.standing == kept {
			continue
		}
		if _, equal := sp.choice(); len(equal) > 1 {
			sp.blocked = true
			p.ambiguous = append(p.ambiguous, p.ambiguity(s, equal))
		}
	}
	for again := true; again; {
		again = false
		for s := range p.slots {
			sp := &p.slots[s]
			if sp.standing == misplaced && !sp.blocked && p.slots[sp.own.seen.Position.Slot()].blocked {
				sp.blocked, again = true, true
			}
		}
	}
}

func (p *planner) ambiguity(s Slot, equal []*record) Finding {
	var places []string
	for _, r := range equal {
		if r.body {
			places = append(places, "external file")
		} else {
			places = append(places, fmt.Sprintf("sector %d", r.location.Sector()))
		}
	}
	return Finding{
		Class: Ambiguous, Severity: Ambiguous.Severity(), Path: p.c.report.Path,
		Slot: int(s), Chunk: p.c.report.Pos.Chunk(s), Sector: -1, Offset: -1,
		Detail: "equally new: " + strings.Join(places, ", "),
	}
}
