package density

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"strata/pregen/worldgen/noise"
	"strata/pregen/worldgen/settings"
)

// Limits of documents. The game's own have up to 600 nodes in 40 KB, nested 30
// deep.
const (
	MaxDocumentBytes = 8 << 20
	MaxDepth         = 400     // of nested functions and splines, references included
	MaxNodes         = 1 << 16 // of a graph
	MaxSplinePoints  = 1 << 16 // of a graph
)

const (
	functionRegistry = "worldgen/density_function"
	settingsRegistry = "worldgen/noise_settings"
)

// Loader reads density functions into a graph. It must not be used
// concurrently. Its errors about documents are an *Error.
type Loader struct {
	source  settings.Source
	noises  *noise.Set
	graph   *Graph
	named   map[string]Node
	loading map[string]bool
	depth   int
	points  int
}

// NewLoader returns a loader of a dimension. It reads functions by their id
// from source and makes their noises from noises.
func NewLoader(source settings.Source, noises *noise.Set) *Loader {
	return &Loader{
		source: source, noises: noises, graph: newGraph(),
		named: make(map[string]Node), loading: make(map[string]bool),
	}
}

// Graph returns the graph that the loader adds to.
func (l *Loader) Graph() *Graph { return l.graph }

// Function loads an entry of worldgen/density_function.
func (l *Loader) Function(id string) (Node, error) {
	id = settings.ID(id)
	if n, ok := l.named[id]; ok {
		return n, nil
	}
	at := place{functionRegistry, id, ""}
	if l.loading[id] {
		return 0, at.wrap(ErrCycle)
	}
	l.loading[id] = true
	defer delete(l.loading, id)
	text, err := l.source.Document(functionRegistry, id)
	if err != nil {
		return 0, at.wrap(err)
	}
	n, err := l.document(at, text)
	if err != nil {
		return 0, err
	}
	l.named[id] = n
	return n, nil
}

// Inline loads a function that stands in another document: an object, a number
// or an id. The registry, id and path say where, for errors.
func (l *Loader) Inline(registry, id, path string, text []byte) (Node, error) {
	return l.document(place{registry, id, path}, text)
}

func (l *Loader) document(at place, text []byte) (Node, error) {
	value, err := decode(text)
	if err != nil {
		return 0, at.wrap(err)
	}
	return l.function(at, value)
}

// decode reads JSON with numbers as they are written.
func decode(text []byte) (any, error) {
	if len(text) > MaxDocumentBytes {
		return nil, fmt.Errorf("%w: %d bytes, not up to %d", ErrLimit, len(text), MaxDocumentBytes)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrFormat, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: text after the document", ErrFormat)
	}
	return value, nil
}

// place is where in the data something stands.
type place struct{ registry, id, path string }

func (p place) field(name string) place {
	if p.path != "" && name[0] != '[' {
		name = "." + name
	}
	p.path += name
	return p
}

func (p place) wrap(err error) error { return &Error{p.registry, p.id, p.path, err} }

func (p place) malformed(format string, values ...any) error {
	return p.wrap(fmt.Errorf("%w: %s", ErrFormat, fmt.Sprintf(format, values...)))
}

// enter counts a level of nesting, until leave.
func (l *Loader) enter(at place) error {
	if l.depth++; l.depth > MaxDepth {
		return at.wrap(fmt.Errorf("%w: nested more than %d deep", ErrLimit, MaxDepth))
	}
	if len(l.graph.nodes) > MaxNodes {
		return at.wrap(fmt.Errorf("%w: more than %d", ErrLimit, MaxNodes))
	}
	return nil
}

func (l *Loader) leave() { l.depth-- }

// reach bounds the values of a noise.
func (l *Loader) reach(id string, made *noise.Normal) float64 {
	p, err := settings.Noise(l.source, id)
	if err != nil || slices.Min(p.Amplitudes) < 0 {
		return math.Inf(1)
	}
	return made.Max() / 2 * octaveReach // Max takes 2 for each octave
}

// function loads a number, a reference or an object.
func (l *Loader) function(at place, value any) (Node, error) {
	err := l.enter(at)
	defer l.leave()
	if err != nil {
		return 0, err
	}
	switch value := value.(type) {
	case json.Number:
		number, err := parseNumber(at, value, -maxConstant, maxConstant)
		if err != nil {
			return 0, err
		}
		return l.graph.constant(number), nil
	case string:
		return l.Function(value)
	case map[string]any:
		o := &object{loader: l, at: at, fields: value}
		n := o.node()
		return n, o.err
	}
	return 0, at.malformed("not a number, id or object")
}
