package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"strata/anvil/registry"
)

// tagsPrefix leads from a registry to the one of its tags' files.
const tagsPrefix = "tags/"

const (
	// maxTagBytes bounds the file of a tag. The game's longest has 20 kB.
	maxTagBytes = 4 << 20
	// maxTagEntries bounds the entries of one tag over all packs.
	maxTagEntries = 1 << 17
	// maxTagIDs bounds the ids that a tag and those in it come to. The game's
	// largest has some hundreds.
	maxTagIDs = 1 << 20
)

// tagSource is a Source that knows its tags before they are resolved.
type tagSource interface {
	// tagEntries returns a tag merged over packs. It wraps fs.ErrNotExist if
	// there is none.
	tagEntries(registry, id string) ([]tagEntry, error)
	version() registry.Version
}

// tagFile is the file of a tag.
type tagFile struct {
	Replace bool       `json:"replace"`
	Values  []tagEntry `json:"values"`
}

// tagEntry is a line of a tag: an id, or another tag whose content it takes.
type tagEntry struct {
	id       string // complete
	isTag    bool
	optional bool // passed over if it is not there
}

// UnmarshalJSON implements json.Unmarshaler: an id, a tag with "#", or
// {id, required} of either.
func (e *tagEntry) UnmarshalJSON(text []byte) error {
	long := struct {
		ID       *string `json:"id"`
		Required *bool   `json:"required"`
	}{}
	var id string
	if len(text) > 0 && text[0] == '{' {
		if err := json.Unmarshal(text, &long); err != nil {
			return err
		}
		if long.ID == nil {
			return errors.New("an entry without id")
		}
		id = *long.ID
		e.optional = long.Required != nil && !*long.Required
	} else if err := json.Unmarshal(text, &id); err != nil {
		return err
	}
	id, e.isTag = strings.CutPrefix(id, "#")
	e.id = ID(id)
	return nil
}

func (e tagEntry) String() string {
	if e.isTag {
		return "#" + e.id
	}
	return e.id
}

func parseTag(text []byte) (tagFile, error) {
	var f tagFile
	if len(text) > maxTagBytes {
		return f, fmt.Errorf("%w: a tag of %d bytes, at most %d", ErrDocument, len(text), maxTagBytes)
	}
	if err := json.Unmarshal(text, &f); err != nil {
		return f, fmt.Errorf("%w: %w", ErrDocument, err)
	}
	if f.Values == nil {
		return f, fmt.Errorf("%w: values is missing", ErrDocument)
	}
	return f, nil
}

// entriesOf returns the entries of a tag of any source.
func entriesOf(s Source, registry, id string) ([]tagEntry, error) {
	if t, ok := s.(tagSource); ok {
		return t.tagEntries(registry, id)
	}
	ids, err := s.Tag(registry, id)
	entries := make([]tagEntry, len(ids))
	for i, one := range ids {
		entries[i] = tagEntry{id: ID(one)}
	}
	return entries, err
}

// versionIn returns the version that a source's fixed registries are of.
func versionIn(s Source) registry.Version {
	if t, ok := s.(tagSource); ok {
		return t.version()
	}
	return registry.Native
}

// resolveTag returns the ids that a tag comes to, each once in the order in
// which it first appears. As in the game, a tag that requires an id or a tag
// which is not there, itself included, does not exist.
func resolveTag(s Source, registryName, id string) ([]string, error) {
	r := &tagResolver{source: s, registry: registryName, done: map[string][]string{}, failed: map[string]error{}, most: maxTagIDs}
	if list := registry.Of(registryName, versionIn(s)); list != nil && list.Kind() == registry.Fixed {
		r.exists = func(id string) bool { _, ok := list.ID(id); return ok }
	} else {
		ids, err := s.IDs(registryName)
		if err != nil {
			return nil, err
		}
		known := make(map[string]bool, len(ids))
		for _, one := range ids {
			known[one] = true
		}
		r.exists = func(id string) bool { return known[id] }
	}
	return r.resolve(ID(id))
}

type tagResolver struct {
	source   Source
	registry string
	exists   func(id string) bool
	done     map[string][]string
	failed   map[string]error // also of tags that are being resolved
	ids      int
	most     int // of ids
}

// resolve returns the ids of a tag. Its depth is that of tags in tags, at most
// the number of tags.
func (r *tagResolver) resolve(id string) ([]string, error) {
	if ids, ok := r.done[id]; ok {
		return ids, nil
	}
	if err := r.failed[id]; err != nil {
		return nil, err
	}
	r.failed[id] = fmt.Errorf("tag %s of %s contains itself: %w", id, r.registry, fs.ErrNotExist)
	ids, err := r.expand(id)
	if err != nil {
		r.failed[id] = err
		return nil, err
	}
	delete(r.failed, id)
	r.done[id] = ids
	return ids, nil
}

func (r *tagResolver) expand(id string) ([]string, error) {
	entries, err := entriesOf(r.source, r.registry, id)
	if err != nil {
		return nil, fmt.Errorf("tag %s of %s: %w", id, r.registry, err)
	}
	ids := []string{}
	seen := map[string]bool{}
	for _, e := range entries {
		found := []string{e.id}
		if e.isTag {
			if found, err = r.resolve(e.id); err != nil {
				if !e.optional {
					return nil, fmt.Errorf("tag %s of %s: %w", id, r.registry, err)
				}
				found = nil // what it may have found before the error
			}
		} else if !r.exists(e.id) {
			if !e.optional {
				return nil, fmt.Errorf("tag %s of %s requires %v: %w", id, r.registry, e, fs.ErrNotExist)
			}
			found = nil
		}
		for _, one := range found {
			if seen[one] {
				continue
			}
			if r.ids++; r.ids > r.most {
				return nil, fmt.Errorf("tag %s of %s: %w: more than %d ids", id, r.registry, ErrDocument, r.most)
			}
			seen[one] = true
			ids = append(ids, one)
		}
	}
	return ids, nil
}
