package pregen

import (
	"errors"
	"time"

	"strata/region"
)

// count notes what became of a chunk; bytes is what a new one takes.
func (r *runner) count(d *dimension, c region.ChunkPos, s State, bytes int64) {
	r.mu.Lock()
	switch s {
	case New:
		r.report.New++
	case Left:
		r.report.New++
		r.report.LeftToGame++
	case Resumed:
		r.report.Resumed++
	case Existing:
		r.report.Existing++
	case Rim:
		if bytes > 0 {
			r.report.Rim++
		}
	case Failed:
		r.report.Failed++
	case Planned:
	}
	r.report.Bytes += bytes
	r.mu.Unlock()
	if s == New || s == Left {
		r.space.add(bytes)
	}
	r.opts.Seen(d.target.Dimension, c, s)
}

// failed notes a chunk that is given up.
func (r *runner) failed(d *dimension, c region.ChunkPos, err error) {
	r.mu.Lock()
	if errors.Is(err, ErrBlending) {
		r.report.Blended++
	}
	if len(r.report.Failures) < maxListed {
		r.report.Failures = append(r.report.Failures, Failure{d.target.Dimension, c, err})
	}
	r.mu.Unlock()
	r.count(d, c, Failed, 0)
	r.opts.Events(Event{Kind: ChunkFailed, Dimension: d.target.Dimension, Region: c.Region(), Pos: c, Err: err})
}

// leftOut counts structures that could not be placed.
func (r *runner) leftOut(structures int) {
	r.mu.Lock()
	r.report.StructuresLeftOut += int64(structures)
	r.mu.Unlock()
}

// committed notes a region file that is not rewritten.
func (r *runner) committed(j *job, reason error) {
	r.mu.Lock()
	r.report.Committed++
	r.mu.Unlock()
	r.opts.Events(Event{Kind: RegionCommitted, Dimension: j.d.target.Dimension, Region: j.pos, Err: reason})
}

// progress is a snapshot.
func (r *runner) progress() Progress {
	r.mu.Lock()
	p := Progress{Report: r.report, Dimension: r.now, Workers: r.opts.Workers}
	p.Failures = append([]Failure(nil), r.report.Failures...)
	r.mu.Unlock()
	p.Elapsed, p.CPU = time.Since(r.began), cpuTime()-r.cpu
	p.Memory, p.Unsaved = memoryUsed(), r.saver.dirty()
	if free, err := r.space.free(); err == nil {
		p.Free = free
	}
	return p
}

// left is how many chunks there is still work for, as far as is known.
func (r *runner) left() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return max(r.begin-r.report.New, 0)
}
