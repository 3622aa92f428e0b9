package fsck

import (
	"fmt"
	"iter"

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
	over   bool            // Move: over what cannot be read
	donor  Donor
	newer  bool // Take: only if it is newer than what is there by then
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
