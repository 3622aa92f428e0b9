package fsck

import (
	"context"
	"errors"
	"fmt"

	"strata/region"
)

// takeLost plans what is put in the place of chunks that cannot be read.
func (p *planner) takeLost(ctx context.Context) error {
	var buf []byte
	for _, ref := range append(p.lost, p.report.leads.lost...) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if p.seen[ref] || p.claimed[ref] {
			continue
		}
		p.seen[ref] = true
		s := p.step(Take, ref, "nobody has another copy of it")
		for _, d := range p.o.Donors {
			rec, err := d.Record(ctx, ref.dim, ref.kind, ref.pos, buf)
			if err == nil {
				buf = rec.Buffer()
				_, err = p.judge(ref.folder()).sound(&rec, ref.pos)
			}
			if err == nil {
				s.Reason, s.donor = "from "+d.Name(), d
				break
			}
			s.Reason = fmt.Sprintf("%s: %v", d.Name(), err)
		}
		switch {
		case s.donor != nil:
			p.do(s)
			p.asideBody(ref)
		case p.o.DropMissing && p.isNowhere(ref):
			s.Kind, s.Reason = StepKind(region.Drop), "its record is nowhere"
			p.do(s)
			p.asideBody(ref)
		default:
			p.leave(s)
		}
	}
	return nil
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
