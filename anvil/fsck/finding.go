package fsck

import (
	"fmt"
	"path/filepath"

	"strata/anvil/store"
	"strata/region"
)

// Finding is one defect or oddity. Those of severity info are put together: one
// for each class and file.
type Finding struct {
	Class    Class    `json:"class"`
	Severity Severity `json:"severity"`
	// File is the file, relative to the world's folder, with slashes.
	File string `json:"file"`
	// X and Z are those of the chunk, nil if it is not about one.
	X *int32 `json:"x"`
	Z *int32 `json:"z"`
	// Dimension and Kind (region, entities, poi) of region files.
	Dimension string `json:"dimension,omitempty"`
	Kind      string `json:"kind,omitempty"`
	// Count is how many findings this one stands for.
	Count  int    `json:"count"`
	Detail string `json:"detail"`

	path string
	kind store.Kind
	pos  region.ChunkPos // if X is not nil
}

func (f *Finding) String() string {
	text := fmt.Sprintf("%s: %s %s", f.Severity, f.Class, f.File)
	if f.X != nil {
		text += fmt.Sprintf(" chunk %d,%d", *f.X, *f.Z)
	}
	if f.Detail != "" {
		text += ": " + f.Detail
	}
	return text
}

// setChunk says which chunk it is about.
func (f *Finding) setChunk(pos region.ChunkPos) {
	f.X, f.Z, f.pos = &pos.X, &pos.Z, pos
}

// Report is what a check has found.
type Report struct {
	Findings []Finding `json:"findings"`
	// Chunks are the slots of region files that are not empty, entities and
	// points of interest included. Files are all that were read.
	Chunks int64 `json:"chunks"`
	Files  int   `json:"files"`
	// Ignored is how many findings Options.Ignore has left out.
	Ignored int `json:"ignored"`
	// Live says that somebody else has the world open.
	Live bool `json:"live"`

	leads leads
}

// Worst is the highest severity among the findings.
func (r *Report) Worst() Severity {
	w := region.SeverityNone
	for i := range r.Findings {
		w = max(w, r.Findings[i].Severity)
	}
	return w
}

// Counts is how many findings there are of each class.
func (r *Report) Counts() map[Class]int {
	counts := map[Class]int{}
	for i := range r.Findings {
		counts[r.Findings[i].Class] += r.Findings[i].Count
	}
	return counts
}

// relative is a path as findings have it.
func relative(root, path string) string {
	rel, err := filepath.Rel(root, path)
	if err != nil {
		rel = path
	}
	return filepath.ToSlash(rel)
}
