package feature

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/settings"
)

// The registries that features are in.
const (
	configuredRegistry = "worldgen/configured_feature"
	placedRegistry     = "worldgen/placed_feature"
)

// maxNesting bounds features, providers and predicates within others, whether
// inline or by name. The game's deepest has 9.
const maxNesting = 64

// maxModifiers bounds the placement modifiers of a feature.
const maxModifiers = 256

// Loader reads features. It is for one goroutine.
type Loader struct {
	source    settings.Source
	factories map[string]Factory
	missing   func(kind string)

	depth      int
	loading    map[string]bool // documents, to find cycles
	configured map[string]Feature
	placed     map[string]*Placed
	tags       map[string]*Blocks
	survival   *Survival
}

// NewLoader returns a loader. factories make features by the full ids of their
// types; Core has those of this package. missing is called for a type that has
// no factory, whose features then build nothing; if it is nil such a type is an
// error.
func NewLoader(source settings.Source, factories map[string]Factory, missing func(kind string)) *Loader {
	return &Loader{
		source: source, factories: factories, missing: missing,
		loading:    make(map[string]bool),
		configured: make(map[string]Feature),
		placed:     make(map[string]*Placed),
		tags:       make(map[string]*Blocks),
	}
}

// Source returns the documents that the loader reads.
func (l *Loader) Source() settings.Source { return l.source }

// enter counts the nesting of documents; leave is to follow if there is no
// error.
func (l *Loader) enter(v provider.Value) error {
	if l.depth >= maxNesting {
		return v.Errorf("nested deeper than %d", maxNesting)
	}
	l.depth++
	return nil
}

func (l *Loader) leave() { l.depth-- }

// document reads a document by name. what reads it.
func (l *Loader) document(registry, id string, what func(v provider.Value) error) error {
	text, err := l.source.Document(registry, id)
	if err != nil {
		return err
	}
	v, err := provider.Parse(registry, id, text)
	if err != nil {
		return err
	}
	key := registry + " " + id
	if l.loading[key] {
		return v.Errorf("contains itself")
	}
	l.loading[key] = true
	defer delete(l.loading, key)
	return what(v)
}

// Feature reads a configured feature: an id, or an object with a type and a
// config.
func (l *Loader) Feature(v provider.Value) (f Feature, err error) {
	if !v.IsText() {
		return l.inline(v)
	}
	id, err := v.ID()
	if err != nil {
		return nil, err
	}
	if f := l.configured[id]; f != nil {
		return f, nil
	}
	err = l.document(configuredRegistry, id, func(v provider.Value) (err error) {
		f, err = l.inline(v)
		return err
	})
	if err == nil {
		l.configured[id] = f
	}
	return f, err
}

func (l *Loader) inline(v provider.Value) (Feature, error) {
	if err := l.enter(v); err != nil {
		return nil, err
	}
	defer l.leave()
	member, err := v.Member("type")
	if err != nil {
		return nil, err
	}
	kind, err := member.ID()
	if err != nil {
		return nil, err
	}
	config, err := v.Member("config")
	if err != nil {
		return nil, err
	}
	if err := config.Object(); err != nil {
		return nil, err
	}
	if factory := l.factories[kind]; factory != nil {
		return factory(l, config)
	}
	if l.missing == nil {
		return nil, member.Errorf("unknown feature type %s", kind)
	}
	l.missing(kind)
	return nothing{}, nil
}

// nothing is a feature that builds nothing.
type nothing struct{}

func (nothing) Place(*Context, int, int, int) bool { return false }

// Placed reads a placed feature: an id, or an object with a feature and its
// placement.
func (l *Loader) Placed(v provider.Value) (*Placed, error) {
	if !v.IsText() {
		return l.inlinePlaced(v)
	}
	id, err := v.ID()
	if err != nil {
		return nil, err
	}
	return l.PlacedByID(id)
}

// PlacedByID reads a placed feature by its id. It is the same each time.
func (l *Loader) PlacedByID(id string) (p *Placed, err error) {
	if p := l.placed[id]; p != nil {
		return p, nil
	}
	err = l.document(placedRegistry, id, func(v provider.Value) (err error) {
		p, err = l.inlinePlaced(v)
		return err
	})
	if err == nil {
		p.ID = id
		l.placed[id] = p
	}
	return p, err
}

func (l *Loader) inlinePlaced(v provider.Value) (*Placed, error) {
	if err := l.enter(v); err != nil {
		return nil, err
	}
	defer l.leave()
	member, err := v.Member("feature")
	if err != nil {
		return nil, err
	}
	p := &Placed{}
	if p.Feature, err = l.Feature(member); err != nil {
		return nil, err
	}
	if member, err = v.Member("placement"); err != nil {
		return nil, err
	}
	list, ok := member.List()
	if !ok || len(list) > maxModifiers {
		return nil, member.Errorf("not a list of at most %d", maxModifiers)
	}
	for _, element := range list {
		m, err := l.modifier(element)
		if err != nil {
			return nil, err
		}
		p.modifiers = append(p.modifiers, m)
	}
	return p, nil
}

// PlacedList reads a list of one placed feature or more.
func (l *Loader) PlacedList(v provider.Value) ([]*Placed, error) {
	list, ok := v.List()
	if !ok || len(list) == 0 {
		return nil, v.Errorf("not a list with entries")
	}
	made := make([]*Placed, len(list))
	for i, element := range list {
		var err error
		if made[i], err = l.Placed(element); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// memberID reads a member that is an id.
func memberID(v provider.Value, name string) (string, error) {
	member, err := v.Member(name)
	if err != nil {
		return "", err
	}
	return member.ID()
}

// Int reads a member that is an integer provider.
func (l *Loader) Int(v provider.Value, name string, low, high int32) (provider.Int, error) {
	member, err := v.Member(name)
	if err != nil {
		return provider.Int{}, err
	}
	return provider.ParseInt(member, low, high)
}

// Number reads a member that is an integer; standard is what it is if it is not
// there.
func Number(v provider.Value, name string, low, high, standard int32) (int32, error) {
	member, ok, err := v.Optional(name)
	if err != nil || !ok {
		return standard, err
	}
	return member.Int(low, high)
}

// Float reads a member that is a number.
func Float(v provider.Value, name string, low, high float32) (float32, error) {
	member, err := v.Member(name)
	if err != nil {
		return 0, err
	}
	return member.Float32(low, high)
}

// OptionalFloat reads a member that is a number; standard is what it is if it is
// not there.
func OptionalFloat(v provider.Value, name string, low, high, standard float32) (float32, error) {
	member, ok, err := v.Optional(name)
	if err != nil || !ok {
		return standard, err
	}
	return member.Float32(low, high)
}

// FloatProvider reads a member that is a float provider.
func FloatProvider(v provider.Value, name string, low, high float32) (provider.Float, error) {
	member, err := v.Member(name)
	if err != nil {
		return provider.Float{}, err
	}
	return provider.ParseFloat(member, low, high)
}

// OptionalBool reads a member that is true or false; without it, false.
func OptionalBool(v provider.Value, name string) (bool, error) {
	member, ok, err := v.Optional(name)
	if err != nil || !ok {
		return false, err
	}
	return member.Bool()
}

// MemberState reads a member that is a block state.
func (l *Loader) MemberState(v provider.Value, name string) (block.State, error) {
	member, err := v.Member(name)
	if err != nil {
		return 0, err
	}
	return l.State(member)
}

// MemberBlocks reads a member that is a set of blocks.
func (l *Loader) MemberBlocks(v provider.Value, name string) (*Blocks, error) {
	member, err := v.Member(name)
	if err != nil {
		return nil, err
	}
	return l.Blocks(member)
}

// double reads a member that is a number in double precision.
func double(v provider.Value, name string) (float64, error) {
	member, err := v.Member(name)
	if err != nil {
		return 0, err
	}
	return member.Float64()
}
