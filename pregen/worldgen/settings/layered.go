package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"

	"strata/anvil/datapack"
	"strata/anvil/registry"
)

// layered is the packs of a user over another source.
type layered struct {
	base  Source
	stack *datapack.Stack
	// packs are those of the stack, the lowest first, each on its own.
	packs []layer
}

// layer is one pack as the stack's format shows it.
type layer struct {
	*datapack.Stack
	pack *datapack.Pack
}

var (
	_ Source    = (*layered)(nil)
	_ tagSource = (*layered)(nil)
)

// Layered lays data packs over a source, as the game lays them over its own: a
// document of a pack replaces that of the same id below it, the tags of all
// are merged unless one says "replace", and the filters of a pack hide what is
// below. It also has the registries that base does not know, such as
// "dimension". The packs must stay open and are read at each call; what is
// returned is the caller's.
//
// Documents that are no JSON, and tags that are no tags, are ErrDocument, what
// cannot be read is an error of package datapack.
func Layered(base Source, stack *datapack.Stack) Source {
	s := &layered{base: base, stack: stack}
	for _, p := range stack.Packs() {
		s.packs = append(s.packs, layer{datapack.NewStack(stack.Format(), p), p})
	}
	return s
}

// hides reports whether the filters of a pack hide a file of what is below it.
// As datapack.Meta has it, one filter may match the namespace and another one
// the path.
func hides(pack *datapack.Pack, namespace, path string) bool {
	meta := pack.Meta()
	if meta == nil {
		return false
	}
	matches := func(re *regexp.Regexp, text string) bool { return re == nil || re.MatchString(text) }
	return slices.ContainsFunc(meta.Filters, func(f datapack.Filter) bool { return matches(f.Namespace, namespace) }) &&
		slices.ContainsFunc(meta.Filters, func(f datapack.Filter) bool { return matches(f.Path, path) })
}

// hidden reports whether a pack hides a document of the base.
func (s *layered) hidden(registry string, id datapack.ID) bool {
	return slices.ContainsFunc(s.packs, func(l layer) bool {
		return hides(l.pack, id.Namespace, registry+"/"+id.Path+".json")
	})
}

// Document implements Source.
func (s *layered) Document(registry, id string) ([]byte, error) {
	parsed, err := datapack.ParseID(id)
	if err != nil {
		return nil, absent(registry, id)
	}
	file, err := s.stack.Find(registry, parsed)
	if err == nil {
		return readDocument(registry, file)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if s.hidden(registry, parsed) {
		return nil, absent(registry, id)
	}
	return s.base.Document(registry, parsed.String())
}

func readDocument(registry string, file datapack.File) ([]byte, error) {
	text, err := file.Read()
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s %s: %w", registry, file.ID, err)
	case len(text) > maxText:
		return nil, fmt.Errorf("%s %s in pack %s: %w: %d bytes, at most %d", registry, file.ID, file.Pack.Name(), ErrDocument, len(text), maxText)
	case !json.Valid(text):
		return nil, fmt.Errorf("%s %s in pack %s: %w: no JSON", registry, file.ID, file.Pack.Name(), ErrDocument)
	}
	return text, nil
}

// IDs implements Source.
func (s *layered) IDs(registry string) ([]string, error) {
	below, err := s.base.IDs(registry)
	if err != nil {
		return nil, err
	}
	ids := make(map[string]bool, len(below))
	for _, id := range below {
		if parsed, err := datapack.ParseID(id); err == nil && !s.hidden(registry, parsed) {
			ids[parsed.String()] = true
		}
	}
	for _, file := range s.stack.List(registry) {
		ids[file.ID.String()] = true
	}
	return slices.Sorted(maps.Keys(ids)), nil
}

// Tag implements Source.
func (s *layered) Tag(registry, id string) ([]string, error) { return resolveTag(s, registry, id) }

// tagEntries implements tagSource.
func (s *layered) tagEntries(registry, id string) ([]tagEntry, error) {
	parsed, err := datapack.ParseID(id)
	if err != nil {
		return nil, absent(tagsPrefix+registry, id)
	}
	entries, err := entriesOf(s.base, registry, parsed.String())
	found := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, l := range s.packs {
		if hides(l.pack, parsed.Namespace, tagsPrefix+registry+"/"+parsed.Path+".json") {
			entries, found = nil, false
		}
		file, err := l.Find(tagsPrefix+registry, parsed)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var text []byte
		if err == nil {
			text, err = readDocument(tagsPrefix+registry, file)
		}
		if err != nil {
			return nil, err
		}
		own, err := parseTag(text)
		if err != nil {
			return nil, fmt.Errorf("in pack %s: %w", l.pack.Name(), err)
		}
		if own.Replace {
			entries = nil
		}
		// The slice of the layer below may be its own.
		entries, found = slices.Concat(entries, own.Values), true
		if len(entries) > maxTagEntries {
			return nil, fmt.Errorf("in pack %s: %w: more than %d entries", l.pack.Name(), ErrDocument, maxTagEntries)
		}
	}
	if !found {
		return nil, absent(tagsPrefix+registry, id)
	}
	return entries, nil
}

func (s *layered) version() registry.Version { return versionIn(s.base) }
