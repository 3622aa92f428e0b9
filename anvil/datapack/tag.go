package datapack

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
)

// TagEntry is one line of a tag: an id, or another tag whose content it takes.
type TagEntry struct {
	ID       ID
	IsTag    bool // "#minecraft:logs"
	Required bool // the tag is of no use without it
	Pack     *Pack
}

const (
	// maxTagBytes is the longest file of a tag. The game's longest has 20 kB.
	maxTagBytes = 4 << 20
	// maxTagEntries is how many entries all tags of a registry may have, and
	// how many ids they may come to: a few thousand in the game, and for each
	// some 50 bytes.
	maxTagEntries = 1 << 22
)

// Tag returns a tag of a registry, such as "block" or "worldgen/biome", merged
// over the packs: the entries of each pack after those of the lower ones, or
// in their place if its file says "replace". Entries may repeat. The error
// wraps fs.ErrNotExist if no pack has the tag. A damaged file is an error
// though others may be whole.
func (s *Stack) Tag(registry string, id ID) ([]TagEntry, error) {
	entries, problems := s.tag(registry, id)
	if len(problems) > 0 {
		return nil, problems[0]
	}
	if entries == nil {
		return nil, fmt.Errorf("tag %s of %s: %w", clip(id.String()), clip(registry), fs.ErrNotExist)
	}
	return entries, nil
}

// tag merges the files of a tag and passes over damaged ones, as the game
// does. Entries are not nil if there is a file that could be read.
func (s *Stack) tag(registry string, id ID) (entries []TagEntry, problems []error) {
	if !validPath(registry) || !validNamespace(id.Namespace) || !validPath(id.Path) {
		return nil, nil
	}
	for _, f := range s.all("tags/"+registry, id) {
		data, err := f.Read()
		if err != nil {
			problems = append(problems, err)
			continue
		}
		replace, own, err := parseTag(data)
		if err != nil {
			problems = append(problems, inPack(f.Pack.name, f.Name, err))
			continue
		}
		if replace || entries == nil {
			entries = make([]TagEntry, 0, len(own))
		}
		if len(entries)+len(own) > maxTagEntries {
			problems = append(problems, inPack(f.Pack.name, f.Name, tooManyEntries(maxTagEntries)))
			continue
		}
		for _, e := range own {
			e.Pack = f.Pack
			entries = append(entries, e)
		}
	}
	return entries, problems
}

// parseTag reads the file of a tag: {replace, values}, a value being an id, a
// tag with "#", or {id, required} of either.
func parseTag(data []byte) (replace bool, entries []TagEntry, err error) {
	if len(data) > maxTagBytes {
		return false, nil, fmt.Errorf("%w: %d bytes", ErrLimit, len(data))
	}
	o, err := parseObject(data)
	if err != nil {
		return false, nil, err
	}
	if _, err := o.field("replace", &replace); err != nil {
		return false, nil, err
	}
	var values []json.RawMessage
	if err := o.need("values", &values); err != nil {
		return false, nil, err
	}
	for _, raw := range values {
		e, err := parseTagEntry(raw)
		if err != nil {
			return false, nil, err
		}
		entries = append(entries, e)
	}
	return replace, entries, nil
}

func parseTagEntry(raw json.RawMessage) (TagEntry, error) {
	e := TagEntry{Required: true}
	var text string
	if len(raw) > 0 && raw[0] == '{' {
		o, err := parseObject(raw)
		if err != nil {
			return e, err
		}
		if err := o.need("id", &text); err != nil {
			return e, err
		}
		if _, err := o.field("required", &e.Required); err != nil {
			return e, err
		}
	} else if err := json.Unmarshal(raw, &text); err != nil {
		return e, fmt.Errorf("%w: values: %v", ErrDamaged, err)
	}
	text, e.IsTag = strings.CutPrefix(text, "#")
	var err error
	e.ID, err = ParseID(text)
	return e, err
}

// TagProblem is why a tag, or a file of it, is of no use.
type TagProblem struct {
	Tag ID
	Err error // wraps ErrDamaged, ErrLimit, or fs.ErrNotExist for an entry that is required and absent
}

// Tags returns all tags of a registry with the ids that they come to, tags in
// tags resolved: each id once, in the order in which it first appears. exists
// says which ids the registry has; nil takes all. As in the game, a tag that
// requires an id or a tag which is not there, itself included, is left out,
// an entry that is not required is passed over, and the file of a pack that
// can not be read is taken for absent; problems tell of the first and the
// last. Tags of more than 4,194,304 entries or ids together are left out as far
// as they go beyond that, with ErrLimit.
func (s *Stack) Tags(registry string, exists func(ID) bool) (tags map[ID][]ID, problems []TagProblem) {
	r := newTagResolver(exists, maxTagEntries)
	var ids []ID
	for _, f := range s.List("tags/" + registry) {
		entries, bad := s.tag(registry, f.ID)
		for _, err := range bad {
			r.problems = append(r.problems, TagProblem{f.ID, err})
		}
		if entries != nil && r.add(f.ID, entries) {
			ids = append(ids, f.ID)
		}
	}
	for _, id := range ids {
		r.resolve(id)
	}
	return r.done, r.problems
}

type tagState int8

const (
	tagUnseen tagState = iota
	tagOpen            // being resolved: who meets it has found a cycle
	tagGood
	tagBad
)

type tagResolver struct {
	exists   func(ID) bool
	raw      map[ID][]TagEntry
	done     map[ID][]ID
	state    map[ID]tagState
	problems []TagProblem
	most     int // of entries, and of ids
	entries  int // in raw
	ids      int // in done, and in what is being resolved
}

func newTagResolver(exists func(ID) bool, most int) *tagResolver {
	return &tagResolver{exists: exists, most: most, raw: map[ID][]TagEntry{}, done: map[ID][]ID{}, state: map[ID]tagState{}}
}

func tooManyEntries(most int) error {
	return fmt.Errorf("%w: tags of more than %d entries", ErrLimit, most)
}

// add takes a tag in, if there is room.
func (r *tagResolver) add(id ID, entries []TagEntry) bool {
	if len(entries) > r.most-r.entries {
		r.problems = append(r.problems, TagProblem{id, tooManyEntries(r.most)})
		return false
	}
	r.entries += len(entries)
	r.raw[id] = entries
	return true
}

// resolve fills in done[id] and reports whether the tag is of use. Its depth
// is that of tags in tags, at most the number of tags.
func (r *tagResolver) resolve(id ID) bool {
	if state := r.state[id]; state != tagUnseen {
		return state == tagGood
	}
	r.state[id] = tagOpen
	ids := []ID{}
	seen := map[ID]bool{}
	var missing []string
	for _, e := range r.raw[id] {
		found, ok := r.expand(e)
		if !ok && e.Required {
			missing = append(missing, e.text())
		}
		for _, one := range found {
			if seen[one] {
				continue
			}
			if r.ids++; r.ids > r.most {
				r.state[id] = tagBad
				r.problems = append(r.problems, TagProblem{id, tooManyEntries(r.most)})
				return false
			}
			seen[one] = true
			ids = append(ids, one)
		}
	}
	if len(missing) > 0 {
		r.state[id] = tagBad
		r.problems = append(r.problems, TagProblem{id, fmt.Errorf("requires %s: %w", listed(missing), fs.ErrNotExist)})
		return false
	}
	r.state[id], r.done[id] = tagGood, ids
	return true
}

func (r *tagResolver) expand(e TagEntry) (ids []ID, ok bool) {
	if !e.IsTag {
		if r.exists != nil && !r.exists(e.ID) {
			return nil, false
		}
		return []ID{e.ID}, true
	}
	if _, known := r.raw[e.ID]; !known || !r.resolve(e.ID) {
		return nil, false
	}
	return r.done[e.ID], true
}

func (e TagEntry) text() string {
	if e.IsTag {
		return "#" + e.ID.String()
	}
	return e.ID.String()
}

// listed joins the first few of a list that may be long.
func listed(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
