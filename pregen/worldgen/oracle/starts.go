package oracle

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/gzip"

	"strata/anvil/chunk"
	"strata/pregen/worldgen/settings"
	"strata/region"
)

// start is a structure's start.
type start struct {
	id     string
	chunk  region.ChunkPos
	pieces []box // nil if it is only known that the structure is near
}

// box is the box of a piece: x, y, z of its lowest and of its highest block.
type box [6]int32

// finder finds the structure starts that may be near a chunk.
type finder interface {
	near(c *chunk.Chunk, adapts func(id string) bool) ([]start, error)
}

// Near returns the structures that adapts tells of and that have a piece within
// 12 blocks of the sample, sorted. Where a chunk refers to a start that is not
// there to be looked at, the structure counts as near: the game makes references
// within 12 blocks of the box around all of its pieces. There are none for
// dumps.
func (s *Sample) Near(adapts func(id string) bool) ([]string, error) {
	if s.starts == nil {
		return nil, nil
	}
	starts, err := s.starts.near(s.Chunk, adapts)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, start := range starts {
		if start.pieces == nil || slices.ContainsFunc(start.pieces, func(b box) bool { return b.reaches(s.Pos()) }) {
			ids = append(ids, start.id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// around is how far from a piece terrain is adapted, in blocks.
const around = 12

// reaches reports whether a chunk is near the box.
func (b box) reaches(pos region.ChunkPos) bool {
	minX, minZ := int64(pos.X)*16, int64(pos.Z)*16
	return int64(b[3]) >= minX-around && int64(b[0]) <= minX+15+around &&
		int64(b[5]) >= minZ-around && int64(b[2]) <= minZ+15+around
}

// listed are the starts of a collection's dimension.
type listed []start

func (l listed) near(c *chunk.Chunk, adapts func(string) bool) ([]start, error) {
	var found []start
	for _, s := range l {
		if adapts(s.id) {
			found = append(found, s)
		}
	}
	return referred(c, adapts, func(id string, pos region.ChunkPos) ([]start, error) {
		if slices.ContainsFunc(l, func(s start) bool { return s.id == id && s.chunk == pos }) {
			return nil, nil // it is among those found
		}
		return []start{{id: id, chunk: pos}}, nil
	}, found)
}

// referred appends the starts that a chunk refers to, as look finds them.
func referred(c *chunk.Chunk, adapts func(string) bool, look func(id string, pos region.ChunkPos) ([]start, error), to []start) ([]start, error) {
	references, err := c.StructureReferences()
	if err != nil {
		return nil, err
	}
	for _, reference := range references {
		if !adapts(reference.Name) {
			continue
		}
		for _, pos := range reference.Chunks {
			starts, err := look(reference.Name, pos)
			if err != nil {
				return nil, fmt.Errorf("structure start in chunk %v: %w", pos, err)
			}
			to = append(to, starts...)
		}
	}
	return to, nil
}

// readStarts reads starts.json.gz; none if it is missing.
func readStarts(name string) (listed, error) {
	text, err := readFile(name, func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) })
	if isAbsent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var document struct {
		Starts []struct {
			X, Z   int32
			ID     string
			Pieces []struct{ BB []int32 }
		} `json:"starts"`
	}
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", name, ErrFormat, err)
	}
	list := make(listed, 0, len(document.Starts))
	for _, entry := range document.Starts {
		s := start{id: entry.ID, chunk: region.ChunkPos{X: entry.X, Z: entry.Z}, pieces: []box{}}
		for _, piece := range entry.Pieces {
			if len(piece.BB) != len(box{}) {
				return nil, fmt.Errorf("%s: a piece of %s has %d coordinates: %w", name, entry.ID, len(piece.BB), ErrFormat)
			}
			s.pieces = append(s.pieces, box(piece.BB))
		}
		list = append(list, s)
	}
	return list, nil
}

// startsOf reads the starts of a chunk. What has no pieces is left out.
func startsOf(c *chunk.Chunk) ([]start, error) {
	stored, err := c.StructureStarts()
	if err != nil {
		return nil, err
	}
	var list []start
	for _, entry := range stored {
		var content struct {
			Children []struct {
				BB []int32 `nbt:"BB"`
			} `nbt:"Children"`
		}
		if err := entry.NBT.Decode(&content); err != nil {
			return nil, fmt.Errorf("structure start %s: %w", entry.Name, err)
		}
		s := start{id: entry.Name, chunk: c.Pos()}
		for _, piece := range content.Children {
			if len(piece.BB) != len(box{}) {
				return nil, fmt.Errorf("structure start %s: a piece has %d coordinates: %w", entry.Name, len(piece.BB), ErrFormat)
			}
			s.pieces = append(s.pieces, box(piece.BB))
		}
		if len(s.pieces) > 0 {
			list = append(list, s)
		}
	}
	return list, nil
}

// Adapting reads from the structure documents of a source which structures
// adapt the terrain around them.
func Adapting(source settings.Source) (func(id string) bool, error) {
	const registry = "worldgen/structure"
	ids, err := source.IDs(registry)
	if err != nil {
		return nil, err
	}
	adapts := make(map[string]bool)
	for _, id := range ids {
		text, err := source.Document(registry, id)
		if err != nil {
			return nil, err
		}
		var document struct {
			Adaptation string `json:"terrain_adaptation"`
		}
		if err := json.Unmarshal(text, &document); err != nil {
			return nil, fmt.Errorf("%s %s: %w: %w", registry, id, ErrFormat, err)
		}
		if document.Adaptation != "" && document.Adaptation != "none" {
			adapts[id] = true
		}
	}
	return func(id string) bool { return adapts[settings.ID(id)] }, nil
}
