package main

import (
	"fmt"
	"strings"
)

// encodeTags writes the section of tags: for each registry that has some its
// number among the registries, its tags sorted by name, and the numbers of
// their entries in the order of the files, with tags in tags resolved.
func encodeTags(g *game) ([]byte, error) {
	folders := taggedFolders(g.pack)
	e := newEncoder()
	e.number(len(folders))
	for _, folder := range folders {
		t := &tagResolver{game: g, folder: folder, done: map[string][]int{}}
		for i, r := range g.list {
			if r.name == folder {
				e.number(i)
			}
		}
		tags := g.pack.list("tags/" + folder)
		e.number(len(tags))
		for _, tag := range tags {
			ids, err := t.resolve(tag, 0)
			if err != nil {
				return nil, fmt.Errorf("tag %s of %s: %w", tag, folder, err)
			}
			e.text(tag)
			e.number(len(ids))
			last := 0
			for _, id := range ids {
				e.signed(id - last) // neighbours are often one apart
				last = id
			}
		}
	}
	return e.data, nil
}

type tagResolver struct {
	*game
	folder string
	done   map[string][]int
}

const maxTagDepth = 32

// resolve returns the numbers of a tag's entries, each once.
func (t *tagResolver) resolve(tag string, depth int) ([]int, error) {
	if ids, ok := t.done[tag]; ok {
		return ids, nil
	}
	if depth > maxTagDepth {
		return nil, fmt.Errorf("tag %s refers to itself", tag)
	}
	n, err := t.pack.json("tags/" + t.folder + "/" + tag + ".json")
	if err != nil {
		return nil, err
	}
	var ids []int
	seen := map[int]bool{}
	for _, value := range n.get("values").items {
		if value.kind != kindString {
			return nil, fmt.Errorf("%w: a value that is no name", errJSON)
		}
		part := []int{}
		if inner, ok := strings.CutPrefix(value.text, "#"); ok {
			part, err = t.resolve(bare(inner), depth+1)
		} else {
			var id int
			id, err = t.id(t.folder, value.text)
			part = append(part, id)
		}
		if err != nil {
			return nil, err
		}
		for _, id := range part {
			if !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
	}
	t.done[tag] = ids
	return ids, nil
}
