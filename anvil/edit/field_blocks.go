package edit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"strata/anvil/block"
	"strata/nbt"
)

// sectionCells is the number of blocks of a section.
const sectionCells = 16 * 16 * 16

// sections lists the sections of a chunk, by their index.
func sections(r *record) []nbt.Tag {
	list := sectionList(r)
	all := make([]nbt.Tag, 0, list.Len())
	for _, s := range list.Elements() {
		all = append(all, s)
	}
	return all
}

func sectionList(r *record) nbt.Tag {
	if r.rootForm() {
		return r.level().Get("sections")
	}
	return r.level().Get("Sections")
}

// blockPalette is where a section keeps its blocks: the compound with palette
// and longs, the palette, and the name of the longs.
func blockPalette(r *record, section nbt.Tag) (holder, palette nbt.Tag, longs string) {
	if r.rootForm() {
		holder = section.Get("block_states")
		return holder, holder.Get("palette"), "data"
	}
	return section, section.Get("Palette"), "BlockStates"
}

// replacement is FROM=TO of replace_blocks.
type replacement struct {
	from       *matcher
	properties map[string]string // that it must have
	to         target
}

// target is the state that a block becomes.
type target struct {
	name       string
	id         block.ID // block.Unknown for one that we do not know
	properties map[string]string
}

func parseBlocks(value string) (change, error) {
	at := splitAt(value)
	if at < 0 {
		return nil, fmt.Errorf("%w: want FROM=TO", ErrValue)
	}
	from, properties, err := parseState(value[:at])
	if err != nil {
		return nil, err
	}
	x := &replacement{properties: properties}
	if x.from, err = newMatcher("minecraft:block", []string{from}); err != nil {
		return nil, err
	}
	if x.to.name, x.to.properties, err = parseState(value[at+1:]); err != nil {
		return nil, err
	}
	if err := x.to.check(); err != nil {
		return nil, err
	}
	return x.change, nil
}

// parseState reads NAME or NAME[PROPERTY=VALUE,...].
func parseState(text string) (name string, properties map[string]string, err error) {
	name, rest, has := strings.Cut(strings.TrimSpace(text), "[")
	properties = map[string]string{}
	if has {
		list, ok := strings.CutSuffix(rest, "]")
		if !ok {
			return "", nil, fmt.Errorf("%w: %s has no ]", ErrValue, text)
		}
		for pair := range strings.SplitSeq(list, ",") {
			k, v, ok := strings.Cut(strings.TrimSpace(pair), "=")
			if !ok || k == "" || v == "" {
				return "", nil, fmt.Errorf("%w: %s: want [PROPERTY=VALUE,...]", ErrValue, text)
			}
			properties[k] = v
		}
	}
	if name == "" {
		return "", nil, fmt.Errorf("%w: a block without a name", ErrValue)
	}
	return name, properties, nil
}

// check finds the block and looks whether it can have the properties. Blocks of
// other namespaces than the game's are taken as they are.
func (t *target) check() error {
	if strings.ContainsAny(t.name, "#*? ") {
		return fmt.Errorf("%w: blocks become one block, not %s", ErrValue, t.name)
	}
	t.name = completeID(t.name)
	id, ok := block.Find(t.name)
	t.id = id
	if !ok {
		t.id = block.Unknown
		if strings.HasPrefix(t.name, "minecraft:") {
			return fmt.Errorf("%w: there is no block %s", ErrValue, t.name)
		}
		return nil
	}
	for name, value := range t.properties {
		if _, ok := id.Default().With(name, value); !ok {
			return fmt.Errorf("%w: %s has no %s=%s", ErrValue, t.name, name, value)
		}
	}
	return nil
}

// matches reports whether an entry of a palette is to be replaced.
func (x *replacement) matches(entry nbt.Tag) bool {
	name, ok := entry.Get("Name").Text()
	if !ok || !x.from.has(name) {
		return false
	}
	properties := entry.Get("Properties")
	for k, v := range x.properties {
		if !properties.Get(k).Is(v) {
			return false
		}
	}
	return true
}

// become is the entry that takes the place of another: properties that are given,
// else those of the block before that the new one has as well, else its own.
func (t *target) become(entry nbt.Tag) (nbt.Raw, error) {
	pairs := nbt.Compound{}
	if t.id != block.Unknown {
		old := entry.Get("Properties")
		for k, v := range t.id.Default().Values() {
			if had, ok := old.Get(k).Text(); ok {
				if _, takes := t.id.Default().With(k, had); takes {
					v = had
				}
			}
			if given, ok := t.properties[k]; ok {
				v = given
			}
			pairs = append(pairs, nbt.Member{Name: k, Value: v})
		}
	} else {
		for _, k := range slices.Sorted(maps.Keys(t.properties)) {
			pairs = append(pairs, nbt.Member{Name: k, Value: t.properties[k]})
		}
	}
	state := nbt.Compound{{Name: "Name", Value: t.name}}
	if len(pairs) > 0 {
		state = append(state, nbt.Member{Name: "Properties", Value: pairs})
	}
	return nbt.MarshalRaw(state)
}

// change replaces blocks in all sections.
func (x *replacement) change(r *record) error {
	if r.version < flatVersion {
		return fmt.Errorf("%w: blocks have numbers before 1.13", ErrVersion)
	}
	gone := map[[3]int]bool{} // blocks that are another block now
	for _, section := range sections(r) {
		if err := x.section(r, section, gone); err != nil {
			return err
		}
	}
	removeBlockEntities(r, func(bx, by, bz int) bool { return gone[[3]int{bx, by, bz}] })
	return nil
}

func (x *replacement) section(r *record, section nbt.Tag, gone map[[3]int]bool) error {
	holder, palette, longs := blockPalette(r, section)
	if palette.Len() == 0 {
		return nil
	}
	p := mapping{packing: packing{sectionCells, 4, r.version >= alignedVersion}}
	other := make([]bool, palette.Len()) // another block, not only another state
	for i, entry := range palette.Elements() {
		value := entry.Raw()
		if x.matches(entry) {
			became, err := x.to.become(entry)
			if err != nil {
				return err
			}
			other[i] = !entry.Get("Name").Is(x.to.name)
			p.hit(i, string(became.Data) != string(value.Data))
			value = became
		}
		p.add(value)
	}
	changed, err := p.apply(r, holder, palette, longs)
	if err != nil || !changed {
		return err
	}
	r.blocks = true
	y, _ := section.Get("Y").Int()
	for i, c := range p.before {
		if other[c] {
			gone[[3]int{i & 15, int(y)*16 + i>>8, i >> 4 & 15}] = true
		}
	}
	return nil
}

// removeBlockEntities removes those in places that is says, by their position in
// the chunk and their height.
func removeBlockEntities(r *record, is func(x, y, z int) bool) {
	list := r.level().Get("block_entities")
	if !r.rootForm() {
		list = r.level().Get("TileEntities")
	}
	for i, b := range list.Elements() {
		x, xOK := b.Get("x").Int()
		y, yOK := b.Get("y").Int()
		z, zOK := b.Get("z").Int()
		if xOK && yOK && zOK && is(int(x)&15, int(y), int(z)&15) {
			r.e().RemoveElement(list, i)
		}
	}
}
