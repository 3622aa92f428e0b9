package main

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"

	"github.com/Tnze/go-mc/nbt"
	"github.com/Tnze/go-mc/save"
)

// checkFaithful fails unless what a chunk decodes to has all that is in the
// payload: encoded again it has the same size, and decodes to the same. It
// counts the sections.
func (s *sample) checkFaithful() error {
	s.sections = 0
	for i := range s.chunks {
		tree, err := s.tree(i)
		if err != nil {
			return err
		}
		again, err := nbt.Marshal(tree)
		if err != nil {
			return fmt.Errorf("chunk %d: %w", i, err)
		}
		if len(again) != len(s.chunks[i]) {
			return fmt.Errorf("chunk %d is %d bytes when encoded again, not %d", i, len(again), len(s.chunks[i]))
		}
		var second any
		if err := nbt.Unmarshal(again, &second); err != nil {
			return fmt.Errorf("chunk %d, encoded again: %w", i, err)
		}
		if !reflect.DeepEqual(tree, second) {
			return fmt.Errorf("chunk %d is another when encoded again", i)
		}
		s.sections += len(treeSections(tree))
	}
	if s.sections == 0 {
		return errors.New("no chunk has sections: these are not full chunks of 1.18 or later")
	}
	return nil
}

// verifyTyped compares save.Chunk values, decoded as a pass does it, with
// what an any holds.
func verifyTyped(s *sample) error {
	var chunk save.Chunk
	for i, payload := range s.chunks {
		empty(&chunk)
		if err := nbt.Unmarshal(payload, &chunk); err != nil {
			return fmt.Errorf("chunk %d: %w", i, err)
		}
		if err := s.compare(i, &chunk); err != nil {
			return err
		}
	}
	return nil
}

// compare compares a decoded chunk i with what an any holds.
func (s *sample) compare(i int, chunk *save.Chunk) error {
	tree, err := s.tree(i)
	if err != nil {
		return err
	}
	if err := compareTyped(chunk, tree); err != nil {
		return fmt.Errorf("chunk %d: %w", i, err)
	}
	return nil
}

func compareTyped(chunk *save.Chunk, tree any) error {
	root, _ := tree.(map[string]any)
	for name, got := range map[string]any{
		"DataVersion": chunk.DataVersion, "Status": chunk.Status, "xPos": chunk.XPos, "yPos": chunk.YPos, "zPos": chunk.ZPos,
		"LastUpdate": chunk.LastUpdate, "InhabitedTime": chunk.InhabitedTime,
	} {
		want, ok := root[name]
		if !ok {
			want = reflect.Zero(reflect.TypeOf(got)).Interface()
		}
		if got != want {
			return fmt.Errorf("%s is %v, not %v", name, got, want)
		}
	}
	heightmaps, _ := root["Heightmaps"].(map[string]any)
	if len(chunk.Heightmaps) != len(heightmaps) {
		return fmt.Errorf("%d heightmaps, not %d", len(chunk.Heightmaps), len(heightmaps))
	}
	for name, want := range heightmaps {
		if !equalLongs(chunk.Heightmaps[name], want) {
			return fmt.Errorf("heightmap %s differs", name)
		}
	}
	sections := treeSections(tree)
	if len(chunk.Sections) != len(sections) {
		return fmt.Errorf("%d sections, not %d", len(chunk.Sections), len(sections))
	}
	for i := range sections {
		want, _ := sections[i].(map[string]any)
		if err := compareSection(&chunk.Sections[i], want); err != nil {
			return fmt.Errorf("section %d: %w", i, err)
		}
	}
	return nil
}

func compareSection(got *save.Section, want map[string]any) error {
	if y, ok := want["Y"]; ok && y != got.Y {
		return fmt.Errorf("y is %d, not %v", got.Y, y)
	}
	for name, light := range map[string][]byte{"SkyLight": got.SkyLight, "BlockLight": got.BlockLight} {
		if b, _ := want[name].([]byte); !bytes.Equal(light, b) {
			return fmt.Errorf("%s differs", name)
		}
	}
	blocks, _ := want["block_states"].(map[string]any)
	palette, _ := blocks["palette"].([]any)
	if len(palette) != len(got.BlockStates.Palette) || !equalLongs(got.BlockStates.Data, blocks["data"]) {
		return errors.New("block states differ")
	}
	for k, state := range palette {
		state, _ := state.(map[string]any)
		if err := compareState(&got.BlockStates.Palette[k], state); err != nil {
			return fmt.Errorf("block state %d: %w", k, err)
		}
	}
	biomes, _ := want["biomes"].(map[string]any)
	palette, _ = biomes["palette"].([]any)
	if len(palette) != len(got.Biomes.Palette) || !equalLongs(got.Biomes.Data, biomes["data"]) {
		return errors.New("biomes differ")
	}
	for k, name := range palette {
		if name != string(got.Biomes.Palette[k]) {
			return fmt.Errorf("biome %d is %s, not %v", k, got.Biomes.Palette[k], name)
		}
	}
	return nil
}

func compareState(got *save.BlockState, want map[string]any) error {
	if want["Name"] != got.Name {
		return fmt.Errorf("name is %s, not %v", got.Name, want["Name"])
	}
	var properties any
	if got.Properties.Type != nbt.TagEnd {
		if err := got.Properties.Unmarshal(&properties); err != nil {
			return err
		}
	}
	if !reflect.DeepEqual(properties, want["Properties"]) {
		return fmt.Errorf("properties are %v, not %v", properties, want["Properties"])
	}
	return nil
}

// equalLongs compares an array with the same in an any, where absent is empty.
func equalLongs(got []uint64, want any) bool {
	longs, _ := want.([]int64)
	if len(got) != len(longs) {
		return false
	}
	for i, n := range longs {
		if got[i] != uint64(n) {
			return false
		}
	}
	return true
}

// verifyFiles compares what the region files hold with the sample, byte for
// byte, and what load makes of it with what an any holds.
func verifyFiles(s *sample, load loader) error {
	next := 0
	inflater := newKeptLoader()
	for k, r := range s.open {
		if err := readAll(r, func(data []byte) error {
			payload, err := inflater.inflate(data)
			if err != nil {
				return err
			}
			if next == len(s.chunks) || !bytes.Equal(payload, s.chunks[next]) {
				return fmt.Errorf("not chunk %d of the sample", next)
			}
			chunk, err := load(data)
			if err == nil {
				err = s.compare(next, chunk)
			}
			next++
			return err
		}); err != nil {
			return fmt.Errorf("%s: %w", s.regions[k], err)
		}
	}
	if next != len(s.chunks) {
		return fmt.Errorf("%d chunks in the region files, the sample has %d", next, len(s.chunks))
	}
	return nil
}

// verifySaved reads back what storage/save has written.
func verifySaved(s *sample) error {
	next := 0
	inflater := newKeptLoader()
	for first := 0; first < len(s.chunks); first += slots {
		r, err := openRegion(s.fileName(savedFolder, first/slots))
		if err != nil {
			return err
		}
		err = readAll(r, func(data []byte) error {
			payload, err := inflater.inflate(data)
			if err != nil {
				return err
			}
			var tree any
			if err := nbt.Unmarshal(payload, &tree); err != nil {
				return err
			}
			if next == len(s.trees) || !reflect.DeepEqual(tree, s.trees[next]) {
				return fmt.Errorf("not chunk %d of the sample", next)
			}
			next++
			return nil
		})
		if err := errors.Join(err, r.Close()); err != nil {
			return err
		}
	}
	if next != len(s.chunks) {
		return fmt.Errorf("%d chunks were saved, the sample has %d", next, len(s.chunks))
	}
	return nil
}
