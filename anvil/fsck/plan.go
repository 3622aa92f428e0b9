package fsck

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"

	"strata/anvil"
	"strata/anvil/store"
	"strata/region"
)

// RepairOptions say what a repair may do. The zero value mends what a world
// gives away by itself.
type RepairOptions struct {
	// Donors are asked, in their order, for chunks that cannot be read.
	Donors []Donor
	// MoveRegions moves all chunks of region files whose chunks say that they
	// belong to one other region.
	MoveRegions bool
	// DropMissing empties slots whose record is nowhere, if nobody has another
	// copy of it.
	DropMissing bool
}

// StepKind says what a step does: those of region.ActionKind, or one of these.
// The names are part of the command line's JSON and do not change.
type StepKind string

const (
	// Move puts a chunk into the region that it says it belongs to.
	Move StepKind = "move"
	// Remove empties a slot whose chunk is in its own place, too.
	Remove StepKind = "remove-duplicate"
	// TakeBack puts a rescued object into its place.
	TakeBack StepKind = "take-back"
	// Take puts a chunk of a donor into the place of one that cannot be read.
	Take StepKind = "take"
	// SetAside moves a file that belongs to nothing to strata/rescue.
	SetAside StepKind = "set-aside"
	// RestoreOld puts a data file's "_old" into its place.
	RestoreOld StepKind = "restore-old"
)

// Step is one thing that a repair does.
type Step struct {
	Kind      StepKind `json:"kind"`
	File      string   `json:"file"` // relative to the world's folder
	X         *int32   `json:"x"`    // of the chunk, nil if it is not about one
	Z         *int32   `json:"z"`
	Dimension string   `json:"dimension,omitempty"`
	Folder    string   `json:"folder,omitempty"` // region, entities or poi
	Reason    string   `json:"reason"`
	Error     string   `json:"error,omitempty"` // why it could not be done

	ref    objectRef
	to     region.ChunkPos // Move
	wave   int             // Move: those of the ones before have to be done
	donor  Donor
	rescue store.Rescued
	path   string // of a data file, "" for everything else
	name   string
}

func (s *Step) String() string {
	text := string(s.Kind) + " " + s.File
	if s.X != nil {
		text += fmt.Sprintf(" chunk %d,%d", *s.X, *s.Z)
	}
	return text + ": " + s.Reason
}

// Plan is what a repair does, in this order. Steps of a region file's structure
// are done together.
type Plan struct {
	Steps []Step `json:"steps"`
	// Left is what cannot be repaired, or not without another option.
	Left []Step `json:"left"`

	o       RepairOptions
	regions []regionPlan
}

// regionPlan is what region.Repair does to a file; its actions are the steps
// from First to End.
type regionPlan struct {
	ref        regionRef
	first, end int
	options    region.RepairOptions
}

// Objects are the chunks, entities and points of interest that the plan
// touches, some of them twice.
func (p *Plan) Objects(s *store.Store) iter.Seq[store.Ref] {
	dims := dimsOf(s)
	return func(yield func(store.Ref) bool) {
		for i := range p.Steps {
			step := &p.Steps[i]
			if step.X == nil {
				continue
			}
			ref := store.Ref{Dim: dims[step.ref.dim], Kind: step.ref.kind, Pos: step.ref.pos}
			if !yield(ref) {
				return
			}
			if step.Kind == Move {
				if ref.Pos = step.to; !yield(ref) {
					return
				}
			}
		}
	}
}

// Files are the data files that the plan replaces or removes.
func (p *Plan) Files() (paths []string) {
	for i := range p.Steps {
		if p.Steps[i].path != "" {
			paths = append(paths, p.Steps[i].path)
		}
	}
	return paths
}

// Empty reports whether there is nothing to do.
func (p *Plan) Empty() bool { return len(p.Steps) == 0 }

// planner makes a plan.
type planner struct {
	s      *store.Store
	w      *anvil.World
	report *Report
	o      RepairOptions
	plan   *Plan
	rules  map[folderRef]rules
	dims   map[string]store.Dim
	lost   []objectRef
	seen   map[objectRef]bool // that something is planned for
	mended map[objectRef]bool // the same, by region.Repair
	// stubbed are slots that get a stub for their external file.
	stubbed map[objectRef]bool
	asided  map[string]bool // paths of files that are set aside
	// claimed are places that chunks are moved to.
	claimed map[objectRef]bool
	// doubtful are regions in which somebody has to choose between records.
	doubtful map[regionRef]bool
}

// MakePlan makes the plan of a repair. The store may be open for reading, and
// is the world's that was checked; nothing is changed. The plan holds for the
// world as it is: whoever carries it out has the store open for writing since
// before the check. The errors are those of ctx and of reading.
func MakePlan(ctx context.Context, s *store.Store, w *anvil.World, report *Report, o RepairOptions) (*Plan, error) {
	c := &check{w: w, fs: w.FS()}
	c.setRules()
	p := &planner{
		s: s, w: w, report: report, o: o, plan: &Plan{Steps: []Step{}, Left: []Step{}, o: o},
		rules: c.rules, dims: dimsOf(s), seen: map[objectRef]bool{}, mended: map[objectRef]bool{}, claimed: map[objectRef]bool{}, asided: map[string]bool{},
		stubbed: map[objectRef]bool{}, doubtful: map[regionRef]bool{},
	}
	for _, step := range []func(context.Context) error{
		p.structure, p.files, p.rescue, p.moves, p.notRegions, p.takeLost, p.asides,
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
	s := p.step(StepKind(a.Kind), objectRef{ref.dim, ref.kind, a.Chunk}, "%s", a.Reason)
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
		p.leave(p.step("repair", o, "%s: %s", f.Class, f.Detail))
	case f.Slot >= 0 && loses(f.Class):
		p.lost = append(p.lost, o)
	case f.Class == region.WrongPosition, f.Class == region.MovedRegion: // moves deals with those
	case f.Slot < 0:
		s := p.step("repair", objectRef{ref.dim, ref.kind, ref.pos.Chunk(0)}, "%s: %s", f.Class, f.Detail)
		s.X, s.Z = nil, nil
		p.leave(s)
	default:
		p.leave(p.step("repair", o, "%s: %s", f.Class, f.Detail))
	}
}
