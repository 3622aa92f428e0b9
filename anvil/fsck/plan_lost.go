package fsck

import (
	"context"
	"errors"
	"fmt"

	"strata/region"
)

// takeLost plans what is put in the place of chunks that cannot be read; of those
// that an old copy was found of, if a donor has a newer one; of those that nobody
// can choose a copy of; and of those in whose place another chunk stood.
func (p *planner) takeLost(ctx context.Context) error {
	for _, ref := range append(p.lost, p.report.leads.lost...) {
		s, err := p.take(ctx, ref)
		switch {
		case err != nil:
			return err
		case s == nil:
		case s.donor != nil:
			p.do(*s)
			p.asideBody(ref)
		case p.o.DropMissing && p.isNowhere(ref):
			s.Kind, s.Reason = StepKind(region.Drop), "its record is nowhere"
			p.do(*s)
			p.asideBody(ref)
		default:
			p.leave(*s)
		}
	}
	for _, one := range p.ambiguous {
		s, err := p.take(ctx, one.objectRef)
		switch {
		case err != nil:
			return err
		case s == nil:
		case s.donor != nil:
			p.do(*s)
			p.asideBody(one.objectRef)
		default:
			s.Kind, s.Reason = "repair", fmt.Sprintf("%s: %s", region.Ambiguous, one.detail)
			p.leave(*s)
		}
	}
	for _, ref := range p.displaced {
		s, err := p.take(ctx, ref)
		if err != nil {
			return err
		}
		if s != nil && s.donor != nil {
			p.do(*s)
		}
	}
	for _, ref := range append(p.recovered, p.cleared...) {
		s, err := p.take(ctx, ref)
		if err != nil {
			return err
		}
		if s != nil && s.donor != nil {
			s.newer = true
			s.Reason += ", if it is newer than what the repair has found"
			p.do(*s)
		}
	}
	return nil
}

// take asks the donors for a chunk. Nil if something else is planned for it.
func (p *planner) take(ctx context.Context, ref objectRef) (*Step, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if p.seen[ref] || p.claimed[ref] {
		return nil, nil
	}
	p.seen[ref] = true
	s := p.step(Take, ref, "nobody has another copy of it")
	for _, d := range p.o.Donors {
		rec, err := d.Record(ctx, ref.dim, ref.kind, ref.pos, p.buf)
		if err == nil {
			p.buf = rec.Buffer()
			_, err = p.judge(ref.folder()).sound(&rec, ref.pos)
		}
		if err == nil {
			s.Reason, s.donor = "from "+d.Name(), d
			break
		}
		s.Reason = fmt.Sprintf("%s: %v", d.Name(), err)
	}
	return &s, nil
}

// isNowhere reports whether a slot names a record that is not there at all.
func (p *planner) isNowhere(ref objectRef) bool {
	raw, err := p.raw(ref.folder())
	if err != nil {
		return false
	}
	_, err = raw.Read(ref.pos, nil)
	damage, ok := errors.AsType[*region.Error](err)
	return ok && (damage.Class == region.InHeader || damage.Class == region.OutOfRange || damage.Class == region.ExternalMissing)
}
