package feature

import (
	"strings"

	"strata/anvil/block"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/settings"
)

// Blocks is a set of blocks.
type Blocks struct {
	bits [(block.BlockCount + 63) / 64]uint64
}

// Has reports whether a state's block is in the set.
func (b *Blocks) Has(s block.State) bool {
	id := s.Block()
	return b.bits[id>>6]&(1<<(id&63)) != 0
}

func (b *Blocks) add(id block.ID) { b.bits[id>>6] |= 1 << (id & 63) }

// Tag returns the blocks of a tag. Names that are no blocks are an error.
func (l *Loader) Tag(v provider.Value) (*Blocks, error) {
	id, err := v.ID()
	if err != nil {
		return nil, err
	}
	return l.tag(v, id)
}

// NamedTag returns the blocks of a tag that a feature of the type of v needs
// whatever its config says; errors are about v.
func (l *Loader) NamedTag(v provider.Value, id string) (*Blocks, error) { return l.tag(v, id) }

func (l *Loader) tag(v provider.Value, id string) (*Blocks, error) {
	if set := l.tags[id]; set != nil {
		return set, nil
	}
	names, err := l.source.Tag("block", id)
	if err != nil {
		return nil, v.Errorf("block tag: %v", err)
	}
	set, err := blocksOf(v, names)
	if err == nil {
		l.tags[id] = set
	}
	return set, err
}

func blocksOf(v provider.Value, names []string) (*Blocks, error) {
	set := &Blocks{}
	for _, name := range names {
		id, ok := block.Find(settings.ID(name))
		if !ok {
			return nil, v.Errorf("no block %s", name)
		}
		set.add(id)
	}
	return set, nil
}

// Blocks reads a set of blocks: an id, a tag with "#", or a list of ids.
func (l *Loader) Blocks(v provider.Value) (*Blocks, error) {
	names, isTag, err := namesOf(v)
	if err != nil {
		return nil, err
	}
	if isTag {
		return l.tag(v, names[0])
	}
	return blocksOf(v, names)
}

// namesOf reads the ids of a set, or its tag.
func namesOf(v provider.Value) (names []string, isTag bool, err error) {
	elements, isList := v.List()
	if !isList {
		text, err := v.Text()
		if err != nil {
			return nil, false, err
		}
		if tag, ok := strings.CutPrefix(text, "#"); ok {
			return []string{settings.ID(tag)}, true, nil
		}
		return []string{settings.ID(text)}, false, nil
	}
	for _, element := range elements {
		name, err := element.ID()
		if err != nil {
			return nil, false, err
		}
		names = append(names, name)
	}
	return names, false, nil
}

// State reads a block state; properties that are not given have their default.
func (l *Loader) State(v provider.Value) (block.State, error) {
	member, err := v.Member("Name")
	if err != nil {
		return 0, err
	}
	name, err := member.ID()
	if err != nil {
		return 0, err
	}
	id, ok := block.Find(name)
	if !ok {
		return 0, member.Errorf("no block %s", name)
	}
	state := id.Default()
	properties, ok, err := v.Optional("Properties")
	if err != nil || !ok {
		return state, err
	}
	if err := properties.Object(); err != nil {
		return 0, err
	}
	for _, key := range properties.Members() {
		value, _, err := properties.Optional(key)
		if err != nil {
			return 0, err
		}
		text, err := value.Text()
		if err != nil {
			return 0, err
		}
		if state, ok = state.With(key, text); !ok {
			return 0, value.Errorf("%s has no property %s of %q", name, key, text)
		}
	}
	return state, nil
}

// States reads a list of one block state or more.
func (l *Loader) States(v provider.Value) ([]block.State, error) {
	elements, ok := v.List()
	if !ok || len(elements) == 0 {
		return nil, v.Errorf("not a list with entries")
	}
	list := make([]block.State, len(elements))
	for i, element := range elements {
		var err error
		if list[i], err = l.State(element); err != nil {
			return nil, err
		}
	}
	return list, nil
}
