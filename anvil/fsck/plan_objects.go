package fsck

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"strata/anvil"
	"strata/anvil/store"
	"strata/region"
)

// rescue plans what becomes of rescued objects: one goes back unless a newer
// one is in its place.
func (p *planner) rescue(ctx context.Context) error {
	newest := map[objectRef]store.Rescued{}
	age := map[objectRef]int64{}
	var order []objectRef
	for _, r := range p.report.leads.rescued {
		if err := ctx.Err(); err != nil {
			return err
		}
		ref := objectRef{r.Dimension, r.Kind, r.Pos}
		s := p.step(TakeBack, ref, "")
		s.File, s.rescue = relative(p.w.Path(), r.Path), r
		if r.File != "" {
			s.X, s.Z, s.Dimension, s.Folder = nil, nil, "", ""
			s.Reason = "a data file: put it where it belongs by hand"
			p.leave(s)
			continue
		}
		updated, err := p.judgeRescued(r)
		if err != nil {
			s.Reason = err.Error()
			p.leave(s)
			continue
		}
		if at, again := age[ref]; again && at >= updated {
			s.Reason = "another rescued one is newer"
			p.leave(s)
			continue
		} else if !again {
			order = append(order, ref)
		}
		newest[ref], age[ref] = r, updated
	}
	for _, ref := range order {
		r := newest[ref]
		s := p.step(TakeBack, ref, "could not be saved where it belongs")
		s.File, s.rescue = relative(p.w.Path(), r.Path), r
		there, err := p.present(ref)
		switch {
		case errors.Is(err, store.ErrAbsent), err == nil && there.LastUpdate <= age[ref]:
			p.do(s)
		case err != nil && ctx.Err() == nil:
			p.do(s)
			p.asideBody(ref)
		case err == nil:
			s.Reason = "the chunk in the world is newer"
			p.leave(s)
		default:
			return err
		}
	}
	return nil
}

// judgeRescued returns when a rescued object was last updated, or why it may not
// be put back.
func (p *planner) judgeRescued(r store.Rescued) (int64, error) {
	folder := folderRef{r.Dimension, r.Kind}
	if _, ok := p.rules[folder]; !ok {
		return 0, fmt.Errorf("%w: %s", anvil.ErrNoDimension, r.Dimension)
	}
	data, err := store.ReadRescued(p.w.FS(), r)
	if err != nil {
		return 0, err
	}
	in, err := p.judge(folder).document(data, 0, r.Pos)
	return in.LastUpdate, err
}

// present looks at the chunk that is in a place. The error wraps
// store.ErrAbsent if there is none.
func (p *planner) present(ref objectRef) (in region.Inspection, err error) {
	raw, err := p.raw(ref.folder())
	if err != nil {
		return in, err
	}
	rec, err := raw.Read(ref.pos, nil)
	if err != nil {
		return in, err
	}
	return p.judge(ref.folder()).sound(&rec, ref.pos)
}

// moves plans where chunks go that belong to another region.
func (p *planner) moves(ctx context.Context) error {
	moved := map[regionRef]bool{}
	for _, m := range p.report.leads.moved {
		moved[m.regionRef] = true
		if !p.o.MoveRegions {
			s := p.step(Move, objectRef{m.dim, m.kind, m.pos.Chunk(0)},
				"all chunks of it belong to %s: move them with --move-regions", m.home.Name())
			s.X, s.Z = nil, nil
			p.leave(s)
		}
	}
	var open []misplaced
	for _, m := range p.report.leads.misplaced {
		if p.o.MoveRegions || !moved[regionRef{dim: m.dim, kind: m.kind, pos: m.pos.Region()}] {
			open = append(open, m)
		}
	}
	// A place that a chunk leaves is free for the next wave.
	freed := map[objectRef]bool{}
	for wave := 0; ; wave++ {
		left := open[:0]
		var leaving []objectRef
		for _, m := range open {
			done, err := p.move(ctx, m, wave, freed)
			if err != nil {
				return err
			}
			if done {
				leaving = append(leaving, m.objectRef)
			} else {
				left = append(left, m)
			}
		}
		for _, ref := range leaving {
			freed[ref] = true
		}
		if open = left; len(leaving) == 0 {
			break
		}
	}
	for _, m := range open {
		if err := p.stays(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// move plans the way of one chunk to its place, if it may go and the place is
// free.
func (p *planner) move(ctx context.Context, m misplaced, wave int, freed map[objectRef]bool) (done bool, err error) {
	home := objectRef{m.dim, m.kind, m.says}
	if p.seen[m.objectRef] || p.claimed[home] || p.seen[home] && !freed[home] {
		return false, ctx.Err()
	}
	raw, err := p.raw(m.folder())
	if err != nil {
		return false, err
	}
	_, err = raw.Read(m.says, nil)
	// Of a place that is mended first it shows only then what is in it.
	over := p.isLost(home)
	if isFree := errors.Is(err, store.ErrAbsent) || freed[home] || p.mended[home] || over; !isFree {
		return false, ctx.Err()
	}
	rec, err := raw.Read(m.pos, nil)
	if err == nil {
		_, err = p.judge(m.folder()).sound(&rec, m.says)
	}
	if err != nil {
		return false, ctx.Err()
	}
	s := p.step(Move, m.objectRef, "it says that it is chunk %v", m.says)
	s.to, s.wave, s.over = m.says, wave, over
	if over {
		s.Reason += ", which cannot be read"
	}
	p.do(s)
	if over {
		p.asideBody(home)
	}
	p.claimed[home] = true
	return true, nil
}

// isLost reports whether what is in a place cannot be read, and no repair of its
// file changes that.
func (p *planner) isLost(ref objectRef) bool {
	if p.isIn == nil {
		p.isIn = map[objectRef]bool{}
		for _, one := range slices.Concat(p.lost, p.report.leads.lost) {
			p.isIn[one] = true
		}
	}
	return p.isIn[ref]
}

// judge is the one for a folder.
func (p *planner) judge(f folderRef) *judge {
	j := p.judges[f]
	if j == nil {
		j = newJudge(p.rules[f])
		p.judges[f] = j
	}
	return j
}

// stays says why a chunk stays in the wrong place, or removes it if it is in its
// own one, too.
func (p *planner) stays(ctx context.Context, m misplaced) error {
	raw, err := p.raw(m.folder())
	if err != nil {
		return err
	}
	s := p.step(Move, m.objectRef, "")
	rec, err := raw.Read(m.pos, nil)
	if errors.Is(err, store.ErrAbsent) {
		return nil
	}
	if err == nil {
		_, err = p.judge(m.folder()).sound(&rec, m.says)
	}
	if err != nil {
		s.Reason = fmt.Sprintf("it belongs to %v, but %v", m.says, err)
		p.leave(s)
		return ctx.Err()
	}
	there, err := raw.Read(m.says, nil)
	if err == nil && there.Scheme == rec.Scheme && bytes.Equal(there.Data, rec.Data) {
		s.Kind, s.Reason = Remove, fmt.Sprintf("the same is in its own place, %v", m.says)
		p.do(s)
		return nil
	}
	s.Reason = fmt.Sprintf("it says that it is chunk %v, whose place is taken", m.says)
	p.leave(s)
	return ctx.Err()
}
