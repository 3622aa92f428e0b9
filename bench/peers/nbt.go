package main

import (
	"bytes"
	"fmt"

	"github.com/Tnze/go-mc/nbt"
	"github.com/Tnze/go-mc/save"
)

func unmarshalPass(s *sample) error {
	var chunk save.Chunk
	sections := 0
	for i, payload := range s.chunks {
		empty(&chunk)
		if err := nbt.Unmarshal(payload, &chunk); err != nil {
			return fmt.Errorf("chunk %d: %w", i, err)
		}
		sections += len(chunk.Sections)
	}
	return s.wantSections(sections)
}

// wantSections fails unless a pass has decoded as many sections as there are.
func (s *sample) wantSections(got int) error {
	if got != s.sections {
		return fmt.Errorf("%d sections were decoded, the sample has %d", got, s.sections)
	}
	return nil
}

// empty clears c and keeps the memory that the library can use again: that of
// maps, and of messages it leaves raw.
func empty(c *save.Chunk) {
	clear(c.Heightmaps)
	clear(c.CarvingMasks)
	*c = save.Chunk{
		Heightmaps:     c.Heightmaps,
		CarvingMasks:   c.CarvingMasks,
		BlockTicks:     nbt.RawMessage{Data: c.BlockTicks.Data[:0]},
		FluidTicks:     nbt.RawMessage{Data: c.FluidTicks.Data[:0]},
		PostProcessing: nbt.RawMessage{Data: c.PostProcessing.Data[:0]},
		Structures:     nbt.RawMessage{Data: c.Structures.Data[:0]},
	}
}

func unmarshalAnyPass(s *sample) error {
	sections := 0
	for i := range s.chunks {
		tree, err := s.tree(i)
		if err != nil {
			return err
		}
		sections += len(treeSections(tree))
	}
	return s.wantSections(sections)
}

// tree decodes chunk i to any.
func (s *sample) tree(i int) (any, error) {
	var tree any
	if err := nbt.Unmarshal(s.chunks[i], &tree); err != nil {
		return nil, fmt.Errorf("chunk %d: %w", i, err)
	}
	return tree, nil
}

// treeSections are the sections of a decoded chunk, none if it has none.
func treeSections(tree any) []any {
	root, _ := tree.(map[string]any)
	sections, _ := root["sections"].([]any)
	return sections
}

// marshalPass uses that an any keeps all there is in the payload, though not
// its order: the sizes are equal.
func marshalPass(s *sample) error {
	var buf bytes.Buffer
	var written int64
	for i, tree := range s.trees {
		buf.Reset()
		if err := nbt.NewEncoder(&buf).Encode(tree, ""); err != nil {
			return fmt.Errorf("chunk %d: %w", i, err)
		}
		written += int64(buf.Len())
	}
	if written != s.bytes {
		return fmt.Errorf("%d bytes were encoded, the sample has %d", written, s.bytes)
	}
	return nil
}
