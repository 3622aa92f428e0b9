package edit

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"strata/anvil/chunk"
	"strata/anvil/store"
)

// FieldInfo describes a field.
type FieldInfo struct {
	Name  string `json:"name"`
	Value string `json:"value"` // what it takes, for people
	Doc   string `json:"doc"`
	// Peer is MCA Selector's name for it, "" if it has none.
	Peer string `json:"mca_selector"`
}

// change makes one change of a record; it is called for records of its kinds.
type change func(r *record) error

// fieldType is a kind of field.
type fieldType struct {
	FieldInfo
	kinds []store.Kind
	parse func(value string) (change, error)
}

// field is a field with its value.
type field struct {
	*fieldType
	text string
	do   change
}

// Fields are changes to make to chunks.
type Fields struct {
	list []field
	// tables are for heightmaps; made when the first is needed.
	tables func() *chunk.Tables
}

var (
	onlyChunks  = []store.Kind{store.Chunks}
	withEntites = []store.Kind{store.Chunks, store.Entities}
)

// fieldTypes are all fields, in the order in which they are made whatever the
// order they are given in: blocks before what follows from them.
func fieldTypes() []*fieldType {
	return []*fieldType{
		{FieldInfo{"delete_sections", "RANGES", "remove sections by their y: -4, 0:3, :-1, or all", "DeleteSections"}, onlyChunks, parseSections},
		{FieldInfo{"replace_blocks", "FROM=TO", "replace blocks: names, #tags, patterns with *, [property=value,...]", "ReplaceBlocks"}, onlyChunks, parseBlocks},
		{FieldInfo{"biome", "NAME", "make all of it one biome", "Biome"}, onlyChunks, parseBiome},
		{FieldInfo{"replace_biomes", "FROM=TO", "replace biomes: names, #tags, patterns with *", ""}, onlyChunks, parseBiomes},
		{FieldInfo{"delete_entities", "true or NAMES", "remove entities: all, or those of names, #tags, patterns with *", "DeleteEntities"}, withEntites, parseEntities},
		{FieldInfo{"delete_structure_starts", "true or NAMES", "remove the starts of structures, so that they are not known any more", ""}, onlyChunks, parseStarts},
		{FieldInfo{"delete_structure_references", "true or NAMES", "remove references to structures", "DeleteStructureReference"}, onlyChunks, parseReferences},
		{FieldInfo{"fix_structure_references", "true", "remove references to starts more than 8 chunks away, which no structure reaches", "FixStructureReferences"}, onlyChunks, parseTrue(fixReferences)},
		{FieldInfo{"prevent_retrogen", "true", "keep the game from generating below y = 0 of chunks from before 1.18", "PreventRetrogen"}, onlyChunks, parseTrue(preventRetrogen)},
		{FieldInfo{"force_blend", "true", "have the terrain blended with what is generated beside it, as that of chunks from before 1.18", "ForceBlend"}, onlyChunks, parseTrue(forceBlend)},
		{FieldInfo{"status", "NAME", "how far its generation has come", "Status"}, onlyChunks, parseStatus},
		{FieldInfo{"fix_status", "true", "make a chunk full that has sections and the status empty", "FixStatus"}, onlyChunks, parseTrue(fixStatus)},
		{FieldInfo{"inhabited", "TICKS", "ticks that players were near", "InhabitedTime"}, onlyChunks, parseLong("InhabitedTime")},
		{FieldInfo{"last_update", "TICK", "tick of the last save", "LastUpdate"}, onlyChunks, parseLong("LastUpdate")},
		{FieldInfo{"light", "true or false", "whether its light counts as right: false makes the game do it again", "LightPopulated"}, onlyChunks, parseLight},
		{FieldInfo{"delete_light", "true", "remove stored light, and have the game do it again", ""}, onlyChunks, parseTrue(deleteLight)},
		{FieldInfo{"fix_heightmaps", "true", "compute heightmaps anew; before 26.1 they are removed, and the game does it", "FixHeightmaps"}, onlyChunks, parseTrue(func(r *record) error { r.heights = true; return nil })},
		{FieldInfo{"nbt:PATH", "VALUE", "set what an NBT path selects to an SNBT value", "Custom"}, onlyChunks, nil},
		{FieldInfo{"delete_nbt", "PATH", "remove what an NBT path selects", "Custom"}, onlyChunks, parseDeleteNBT},
		{FieldInfo{"compression", "NAME", "zlib, gzip, none or lz4 (since 24w04a), of entities and poi as well", "Compression"}, kinds, parseCompression},
		{FieldInfo{"timestamp", "TIME", "of the slots: now, seconds since 1970 or RFC 3339, of entities and poi as well", "Timestamp"}, kinds, parseTimestamp},
	}
}

// refused are MCA Selector's fields that there are none of here, and why.
var refused = map[string]string{
	"data_version": "a chunk of another version has another form: the game converts it",
	"script":       "programs are not run",
}

// FieldList lists the fields.
func FieldList() []FieldInfo {
	var all []FieldInfo
	for _, t := range fieldTypes() {
		all = append(all, t.FieldInfo)
	}
	return all
}

// ParseFields reads texts FIELD=VALUE. The errors wrap ErrField or ErrValue.
func ParseFields(texts []string) (*Fields, error) {
	f := &Fields{tables: sync.OnceValue(chunk.NewTables)}
	types := fieldTypes()
	for _, text := range texts {
		one, err := parseField(types, text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
		f.list = append(f.list, one)
	}
	if len(f.list) == 0 {
		return nil, fmt.Errorf("%w: none is given", ErrField)
	}
	at := func(f field) int { return slices.Index(types, f.fieldType) }
	slices.SortStableFunc(f.list, func(a, b field) int { return at(a) - at(b) })
	return f, nil
}

func parseField(types []*fieldType, text string) (field, error) {
	if rest, ok := strings.CutPrefix(text, "nbt:"); ok {
		do, err := parseSetNBT(rest)
		i := slices.IndexFunc(types, func(t *fieldType) bool { return t.Name == "nbt:PATH" })
		return field{types[i], text, do}, err
	}
	name, value, ok := strings.Cut(text, "=")
	name = strings.TrimSpace(name)
	if !ok || name == "" {
		return field{}, fmt.Errorf("%w: want FIELD=VALUE", ErrField)
	}
	for _, t := range types {
		if t.Name != name || t.parse == nil {
			continue
		}
		do, err := t.parse(value)
		return field{t, text, do}, err
	}
	if why, ok := refused[name]; ok {
		return field{}, fmt.Errorf("%w that can be set: %s", ErrField, why)
	}
	return field{}, fmt.Errorf("%w: there is no %s", ErrField, name)
}

// has reports whether a field is about a kind.
func (f *Fields) has(k store.Kind) bool {
	return slices.ContainsFunc(f.list, func(x field) bool { return slices.Contains(x.kinds, k) })
}

// Kinds are the kinds of records that the changes may write.
func (f *Fields) Kinds() []store.Kind {
	var all []store.Kind
	for _, k := range kinds {
		if k == store.Chunks || f.has(k) || k == store.POI && f.blocks() {
			all = append(all, k)
		}
	}
	return all
}

// blocks reports whether blocks can become other ones, which makes points of
// interest wrong.
func (f *Fields) blocks() bool {
	return slices.ContainsFunc(f.list, func(x field) bool { return x.Name == "replace_blocks" || x.Name == "delete_sections" })
}

// apply makes the changes to a record.
func (f *Fields) apply(r *record) error {
	for _, x := range f.list {
		if !slices.Contains(x.kinds, r.ref.Kind) {
			continue
		}
		if err := x.do(r); err != nil {
			return fmt.Errorf("%s: %w", x.Name, err)
		}
		if err := r.apply(); err != nil {
			return fmt.Errorf("%s: %w", x.Name, err)
		}
	}
	if r.ref.Kind != store.Chunks {
		return nil
	}
	if err := f.follow(r); err != nil {
		return err
	}
	return r.apply()
}

// follow puts right what changes of blocks leave wrong.
func (f *Fields) follow(r *record) error {
	if r.blocks {
		setLight(r, false)
		if err := r.apply(); err != nil {
			return err
		}
	}
	if r.blocks || r.heights {
		return fixHeightmaps(r, f.tables())
	}
	return nil
}
