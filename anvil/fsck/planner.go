package fsck

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"strata/anvil"
	"strata/anvil/store"
	"strata/region"
)

// planner makes a plan.
type planner struct {
	s      *store.Store
	w      *anvil.World
	report *Report
	o      RepairOptions
	plan   *Plan
	rules  map[folderRef]rules
	dims   map[string]store.Dim
	judges map[folderRef]*judge

	// lost are chunks that cannot be read after region.Repair; isIn has them
	// and those of the report, nil before moves.
	lost []objectRef
	isIn map[objectRef]bool
	// recovered are chunks of which region.Repair has found a copy that no entry
	// named, which may be an old one; cleared are slots in which another chunk
	// stood.
	recovered, cleared []objectRef
	// ambiguous are slots with several copies of which region.Repair chooses
	// none, displaced those in which these copies stand.
	ambiguous []ambiguous
	displaced []objectRef
	overlaps  []overlap
	buf       []byte // for records of donors
	// seen are the objects that something is planned for, mended those of
	// region.Repair, stubbed the slots to which that gives a stub for their
	// external file, claimed the places that chunks are moved to.
	seen, mended, stubbed, claimed map[objectRef]bool
	// doubtful are regions in which somebody has to choose between records.
	doubtful map[regionRef]bool
	asided   map[string]bool // paths of files that are set aside
}

// ambiguous is a slot for which several records are equally good.
type ambiguous struct {
	objectRef
	detail string
}

// overlap is a slot that shares sectors with another one.
type overlap struct {
	objectRef
	other  region.ChunkPos
	detail string
}

// otherSlot is the chunk that a finding of class overlap names; one outside of
// the region if it names none.
func otherSlot(p region.Pos, detail string) (c region.ChunkPos) {
	var sector int
	if _, err := fmt.Sscanf(detail, "shares sector %d with chunk %d,%d", &sector, &c.X, &c.Z); err != nil {
		return region.Pos{X: p.X + 1, Z: p.Z}.Chunk(0)
	}
	return c
}

// leaveOverlaps leaves the overlaps of which neither slot gets another record.
func (p *planner) leaveOverlaps(context.Context) error {
	planned := map[objectRef]bool{}
	for i := range p.plan.Steps {
		if s := &p.plan.Steps[i]; s.X != nil {
			planned[s.ref] = true
		}
	}
	for _, o := range p.overlaps {
		if !planned[o.objectRef] && !planned[objectRef{o.dim, o.kind, o.other}] {
			p.leave(p.step("repair", o.objectRef, "%s: %s", region.Overlap, o.detail))
		}
	}
	return nil
}

// MakePlan makes the plan of a repair. The store may be open for reading, and
// is the world's that was checked; nothing is changed. The plan holds for the
// world as it is: whoever carries it out has the store open for writing since
// before the check. The errors are those of ctx and of reading.
func MakePlan(ctx context.Context, s *store.Store, w *anvil.World, report *Report, o RepairOptions) (*Plan, error) {
	c := &check{w: w, fs: w.FS()}
	c.setRules()
	p := &planner{
		s: s, w: w, report: report, o: o, plan: &Plan{Steps: []Step{}, Left: []Step{}},
		rules: c.rules, dims: dimsOf(s), judges: map[folderRef]*judge{},
		seen: map[objectRef]bool{}, mended: map[objectRef]bool{}, stubbed: map[objectRef]bool{}, claimed: map[objectRef]bool{},
		doubtful: map[regionRef]bool{}, asided: map[string]bool{},
	}
	for _, step := range []func(context.Context) error{
		p.structure, p.files, p.rescue, p.moves, p.notRegions, p.takeLost, p.asides, p.leaveOverlaps,
	} {
		if err := step(ctx); err != nil {
			return nil, fmt.Errorf("plan the repair of %s: %w", w.Path(), err)
		}
	}
	return p.plan, nil
}

func dimsOf(s *store.Store) map[string]store.Dim {
	dims := map[string]store.Dim{}
	for i, d := range s.World().Dimensions {
		dims[d.Name] = store.Dim(i)
	}
	return dims
}

func (p *planner) raw(f folderRef) (*store.Raw, error) { return rawOf(p.s, p.dims, f) }

func rawOf(s *store.Store, dims map[string]store.Dim, f folderRef) (*store.Raw, error) {
	d, ok := dims[f.dim]
	if !ok {
		return nil, fmt.Errorf("%w: %s", anvil.ErrNoDimension, f.dim)
	}
	return s.Raw(d, f.kind)
}

func (r regionRef) folder() folderRef { return folderRef{r.dim, r.kind} }
func (r objectRef) folder() folderRef { return folderRef{r.dim, r.kind} }

// step begins a step about an object.
func (p *planner) step(kind StepKind, ref objectRef, format string, args ...any) Step {
	s := Step{Kind: kind, Dimension: ref.dim, Folder: ref.kind.String(), Reason: fmt.Sprintf(format, args...), ref: ref}
	s.X, s.Z = &s.ref.pos.X, &s.ref.pos.Z
	s.File = relative(p.w.Path(), filepath.Join(p.dir(ref.folder()), ref.pos.Region().Name()))
	return s
}

func (p *planner) dir(f folderRef) string {
	d, err := p.w.Dimension(f.dim)
	if err != nil {
		return ""
	}
	return dirOf(&d, f.kind)
}

func (p *planner) do(s Step) {
	p.plan.Steps = append(p.plan.Steps, s)
	if s.X != nil {
		p.seen[s.ref] = true
	}
}

func (p *planner) leave(s Step) { p.plan.Left = append(p.plan.Left, s) }

// structure plans what region.Repair does.
func (p *planner) structure(ctx context.Context) error {
	for _, ref := range p.report.leads.regions {
		raw, err := p.raw(ref.folder())
		if err != nil {
			return err
		}
		i := newInspector(p.rules[ref.folder()])
		options := region.RepairOptions{Inspect: i.inspect, ScanEmpty: ref.lostHeader}
		dry := options
		dry.DryRun = true
		r, err := raw.Repair(ctx, ref.pos, dry)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			s := p.step("repair", objectRef{ref.dim, ref.kind, ref.pos.Chunk(0)}, "%v", err)
			s.X, s.Z = nil, nil
			p.leave(s)
			continue
		}
		var emptied []objectRef
		rp := regionPlan{ref: ref, first: len(p.plan.Steps), options: options}
		for _, a := range r.Actions {
			s := p.action(ref, a)
			p.plan.Steps = append(p.plan.Steps, s)
			if s.X != nil {
				p.mended[s.ref] = true
				p.stubbed[s.ref] = a.Kind == region.RecoverExternal
			}
			switch a.Kind {
			case region.Recover:
				p.recovered = append(p.recovered, s.ref)
			case region.Clear:
				p.cleared = append(p.cleared, s.ref)
			}
			if endsExternal(a.Kind) {
				emptied = append(emptied, s.ref)
			}
		}
		if rp.end = len(p.plan.Steps); rp.end > rp.first {
			p.plan.regions = append(p.plan.regions, rp)
		}
		for _, one := range emptied {
			p.asideBody(one)
		}
		for _, f := range r.Unrepairable {
			p.unrepairable(ref, &f)
		}
	}
	return nil
}

// endsExternal reports whether a slot is no stub after an action.
func endsExternal(k region.ActionKind) bool {
	switch k {
	case region.Clear, region.Drop, region.Recover, region.Relocate, region.RecoverInline, region.FixLength:
		return true
	}
	return false
}

func (p *planner) action(ref regionRef, a region.Action) Step {
	pos := a.Chunk
	if a.Slot < 0 { // about the file
		pos = ref.pos.Chunk(0)
	}
	s := p.step(StepKind(a.Kind), objectRef{ref.dim, ref.kind, pos}, "%s", a.Reason)
	if a.Slot < 0 {
		s.X, s.Z = nil, nil
	}
	return s
}

// unrepairable notes what is left of a region file.
func (p *planner) unrepairable(ref regionRef, f *region.Finding) {
	o := objectRef{ref.dim, ref.kind, f.Chunk}
	switch {
	case f.Class == region.Ambiguous:
		p.doubtful[regionRef{dim: ref.dim, kind: ref.kind, pos: ref.pos}] = true
		p.ambiguous = append(p.ambiguous, ambiguous{o, f.Detail})
	case f.Class == region.Overlap:
		p.overlaps = append(p.overlaps, overlap{o, otherSlot(ref.pos, f.Detail), f.Detail})
	case f.Slot >= 0 && loses(f.Class):
		p.lost = append(p.lost, o)
	case f.Class == region.WrongPosition && p.doubtful[regionRef{dim: ref.dim, kind: ref.kind, pos: ref.pos}]:
		p.displaced = append(p.displaced, o)
	case f.Class == region.WrongPosition, f.Class == region.MovedRegion: // moves deals with those
	case f.Slot < 0:
		s := p.step("repair", objectRef{ref.dim, ref.kind, ref.pos.Chunk(0)}, "%s: %s", f.Class, f.Detail)
		s.X, s.Z = nil, nil
		p.leave(s)
	default:
		p.leave(p.step("repair", o, "%s: %s", f.Class, f.Detail))
	}
}
