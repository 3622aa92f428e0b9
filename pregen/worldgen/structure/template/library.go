package template

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"

	"strata/anvil/datapack"
	"strata/nbt"
)

// Source reads structure templates: a *datapack.Stack. The error wraps
// fs.ErrNotExist if there is none of that id.
type Source interface {
	ReadTemplate(id datapack.ID) ([]byte, error)
}

var _ Source = (*datapack.Stack)(nil)

// Library has the templates that structures are built of: of each its size and
// connectors, and its blocks where the user's game files are at hand. It may be
// used concurrently.
type Library struct {
	shapes map[string]*Shape
	source Source // nil without game files
	// leaveOut says that features leave out what is lacking.
	leaveOut atomic.Bool
	packs    sync.Map // by *datapack.Pack whether its templates have the known shapes

	mu   sync.Mutex
	read map[string]*reading // guarded by mu
}

// reading is a template that is read once.
type reading struct {
	once     sync.Once
	template *Template
	err      error
}

// Builtin returns the game's own templates without their blocks.
func Builtin() *Library { return New(nil) }

// New returns the templates that a source has, and beside them the shapes of
// the game's own; a nil source has none.
func New(source Source) *Library {
	return &Library{shapes: builtinShapes(), source: source, read: make(map[string]*reading)}
}

// Shape returns the shape of a template, such as minecraft:igloo/top, and false
// if there is none. That of the source wins over the game's own.
func (l *Library) Shape(id string) (*Shape, bool) {
	s, ok := l.shapes[id]
	if l.source == nil || ok && l.isGames(id) {
		return s, ok
	}
	if t, err := l.Template(id); err == nil {
		return &t.Shape, true
	}
	return s, ok
}

// tableVersion is the version of the game that the shapes are of.
const tableVersion = "26.2"

// isGames reports whether the source's template is the one whose shape is known:
// that of the game itself. To read all templates for their shapes takes seconds.
func (l *Library) isGames(id string) bool {
	finder, ok := l.source.(interface {
		Find(registry string, id datapack.ID) (datapack.File, error)
	})
	if !ok {
		return false
	}
	name, err := datapack.ParseID(id)
	if err != nil {
		return false
	}
	file, err := finder.Find("structure", name)
	if err != nil {
		return false
	}
	known, ok := l.packs.Load(file.Pack)
	if !ok {
		version, err := file.Pack.Version()
		known = file.Pack.IsGame() && err == nil && version.ID == tableVersion
		l.packs.Store(file.Pack, known)
	}
	return known.(bool)
}

// Template returns a template. It must not be changed. The error wraps
// fs.ErrNotExist if the source has none, or there is no source.
func (l *Library) Template(id string) (*Template, error) {
	if l.source == nil {
		return nil, fmt.Errorf("structure template %s: %w", id, fs.ErrNotExist)
	}
	l.mu.Lock()
	r := l.read[id]
	if r == nil {
		r = &reading{}
		l.read[id] = r
	}
	l.mu.Unlock()
	r.once.Do(func() { r.template, r.err = l.load(id) })
	return r.template, r.err
}

func (l *Library) load(id string) (*Template, error) {
	name, err := datapack.ParseID(id)
	if err != nil {
		return nil, err
	}
	file, err := l.source.ReadTemplate(name)
	if err != nil {
		return nil, err
	}
	document, _, err := nbt.Unpack(file, nbt.Limits{Bytes: MaxBytes})
	if err != nil {
		return nil, fmt.Errorf("structure template %s: %w", id, err)
	}
	t, err := Read(document)
	if err != nil {
		return nil, fmt.Errorf("structure template %s: %w", id, err)
	}
	return t, nil
}

// Lacks reports whether the blocks of a template are not at hand: it is known,
// but not in the source. One that is nowhere is nothing to build, as in the
// game.
func (l *Library) Lacks(id string) bool {
	if l.source == nil {
		return l.shapes[id] != nil
	}
	_, err := l.Template(id)
	if err == nil {
		return false
	}
	return l.shapes[id] != nil || !errors.Is(err, fs.ErrNotExist)
}

// Complete reports whether the source has the game's own templates.
func (l *Library) Complete() bool { return !l.Lacks("minecraft:empty") }

// LeaveOut says whether features leave out templates whose blocks are not at
// hand, rather than panic.
func (l *Library) LeaveOut(leave bool) { l.leaveOut.Store(leave) }
