package fsck

import (
	"strata/anvil/store"
	"strata/region"
)

// leads are what a repair begins with. They grow with the damage.
type leads struct {
	regions   []regionRef // region files that a repair may mend
	notRegion []regionRef // files in the place of region files that are none
	moved     []movedRegion
	misplaced []misplaced // chunks that belong to another region
	lost      []objectRef // chunks that cannot be read though their records can
	aside     []asideFile
	data      []string // damaged data files with a sound old one
	leftovers []string // temporary files among data files
	rescued   []store.Rescued
}

type regionRef struct {
	dim  string
	kind store.Kind
	pos  region.Pos
	// lostHeader: nothing that an entry names counts.
	lostHeader bool
}

type objectRef struct {
	dim  string
	kind store.Kind
	pos  region.ChunkPos
}

type misplaced struct {
	objectRef                 // where it is
	says      region.ChunkPos // where it belongs
}

type movedRegion struct {
	regionRef
	home region.Pos
}

type asideFile struct {
	regionRef
	name string
	why  Class
}

// mendable are the classes, beside all of severity error, for which
// region.Repair does something.
var mendable = map[Class]bool{region.OversizedCount: true, region.SchemeMismatch: true, region.LostHeader: true}

// leads notes what a repair begins with; only of classes that count.
func (c *check) leads(ref regionRef, r *fileResult, kept map[Class]bool) {
	l, mend := &c.report.leads, false
	var moved bool
	for i := range r.report.Findings {
		class := r.report.Findings[i].Class
		if !kept[class] {
			continue
		}
		switch {
		case isNoRegion(r.report):
			l.notRegion = append(l.notRegion, ref)
			return
		case class == region.IOError:
			return
		case class == region.MovedRegion:
			moved = true
		case r.report.Findings[i].Severity >= region.SeverityError || mendable[class]:
			mend = true
		}
	}
	if moved && len(r.elsewhere) > 0 {
		l.moved = append(l.moved, movedRegion{ref, r.elsewhere[0].says.Region()})
	}
	if mend {
		l.regions = append(l.regions, ref)
	}
	for _, p := range r.elsewhere {
		if moved || kept[region.WrongPosition] && p.says.Region() != ref.pos {
			l.misplaced = append(l.misplaced, misplaced{objectRef{ref.dim, ref.kind, p.slot}, p.says})
		}
	}
	for _, n := range r.notes {
		if kept[n.class] && loses(n.class) {
			l.lost = append(l.lost, objectRef{ref.dim, ref.kind, n.pos})
		}
	}
}
