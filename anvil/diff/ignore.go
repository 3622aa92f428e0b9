package diff

import (
	"fmt"

	"strata/nbt"
	"strata/nbt/path"
)

// Ignore are places of documents that do not count: they are neither compared nor
// listed, whatever they hold and whether they are there. A nil Ignore ignores
// nothing. It may be used by any number of goroutines.
type Ignore struct {
	paths []path.Path
}

// ParseIgnore reads NBT paths, such as LastUpdate, Entities[].Pos or
// sections[].SkyLight. They begin at the root; in chunks from before 1.18 also at
// its member Level. The error names the path.
func ParseIgnore(texts ...string) (*Ignore, error) {
	var i Ignore
	for _, text := range texts {
		p, err := path.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("path %q: %w", text, err)
		}
		i.paths = append(i.paths, p)
	}
	return &i, nil
}

func (i *Ignore) empty() bool { return i == nil || len(i.paths) == 0 }

// ignored are tags of one document, by where their payloads begin: no two tags
// begin at the same place.
type ignored map[int]struct{}

func (set ignored) has(t nbt.Tag) bool {
	_, is := set[t.Offset()]
	return is
}

// in returns the tags of a document that do not count.
func (i *Ignore) in(root nbt.Tag) ignored {
	if i.empty() {
		return nil
	}
	set := ignored{}
	for _, from := range []nbt.Tag{root, root.Get("Level")} {
		if !from.Exists() {
			continue
		}
		for _, p := range i.paths {
			for t := range p.Select(from) {
				set[t.Offset()] = struct{}{}
			}
		}
	}
	return set
}
