package edit

import (
	"errors"
	"fmt"

	"strata/anvil/store"
	"strata/region"
)

var (
	// ErrField: no such field, or one that is refused.
	ErrField = errors.New("not a field")
	// ErrValue: a value that the field does not take.
	ErrValue = errors.New("not a value of the field")
	// ErrPosition: a chunk would say that it is elsewhere.
	ErrPosition = errors.New("the position of a chunk cannot be changed")
	// ErrVersion: the chunk's version does not have what the field is about.
	ErrVersion = errors.New("chunks of that version do not have it")
	// ErrShape: a document that is not formed as its version's are.
	ErrShape = errors.New("the document is not formed as it should be")
	// ErrExternal: the compression of a record in a file of its own is kept.
	ErrExternal = errors.New("a record in a file of its own (.mcc) keeps its compression")
	// ErrAbsent: there is no such record.
	ErrAbsent = errors.New("absent")
)

// Failure is a record that was not changed, and why.
type Failure struct {
	Dimension string          `json:"dimension"`
	Kind      string          `json:"kind"` // region, entities, poi
	Pos       region.ChunkPos `json:"pos"`
	Err       error           `json:"-"`
	Text      string          `json:"error"`
}

func (f Failure) String() string {
	return fmt.Sprintf("%v of %s: %s", f.Pos, f.Dimension, f.Text)
}

// MaxListed is how many failures a result lists.
const MaxListed = 100

// failures counts what went wrong and keeps the first of it.
type failures struct {
	Failed int64     `json:"failed"`
	List   []Failure `json:"failed_list"`
}

func (f *failures) add(s *store.Store, ref store.Ref, err error) {
	f.Failed++
	if len(f.List) < MaxListed {
		name := s.World().Dimensions[ref.Dim].Name
		f.List = append(f.List, Failure{name, ref.Kind.String(), ref.Pos, err, err.Error()})
	}
}
