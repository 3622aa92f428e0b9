package edit

// Result counts what was, or would be, changed.
type Result struct {
	// Changed and Unchanged are chunks. A chunk is changed if its record is, or
	// that of its entities or points of interest.
	Changed   int64 `json:"changed"`
	Unchanged int64 `json:"unchanged"`
	// Chunks, Entities and POI are records that were written, Removed those of
	// them that were removed.
	Chunks   int64 `json:"chunks"`
	Entities int64 `json:"entity_chunks"`
	POI      int64 `json:"poi"`
	Removed  int64 `json:"removed"`
	// Before and After are the sizes of these records, compressed.
	Before int64 `json:"bytes_before"`
	After  int64 `json:"bytes_after"`
	// Skipped counts chunks that were left as they are, by reason.
	Skipped map[string]int64 `json:"skipped"`
	// Dimensions are those of which chunks are changed.
	Dimensions []ChangedDimension `json:"dimensions"`
	failures
}

// ChangedDimension is the part of a dimension.
type ChangedDimension struct {
	Name    string `json:"name"`
	Changed int64  `json:"changed"`
	Before  int64  `json:"bytes_before"`
	After   int64  `json:"bytes_after"`
}

// NewResult is that of nothing.
func NewResult() *Result {
	return &Result{Skipped: map[string]int64{}, Dimensions: []ChangedDimension{}, failures: failures{List: []Failure{}}}
}

// dimension is the part of a dimension, which is added if it is not there.
func (r *Result) dimension(name string) *ChangedDimension {
	for i := range r.Dimensions {
		if r.Dimensions[i].Name == name {
			return &r.Dimensions[i]
		}
	}
	r.Dimensions = append(r.Dimensions, ChangedDimension{Name: name})
	return &r.Dimensions[len(r.Dimensions)-1]
}
