package oracle

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/level"
	"strata/region"
)

// dumps is a folder of dumps.
type dumps struct {
	dir    string
	names  []string
	tables *chunk.Tables
}

// partial marks dumps that the game made with some of its caches off.
const partial = "only_cell_cache"

// openDumps returns nil if the folder has no dumps.
func openDumps(dir string, tables *chunk.Tables) (*dumps, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.chunk"))
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return strings.Contains(filepath.Base(name), partial) })
	if len(names) == 0 {
		return nil, nil
	}
	return &dumps{dir: dir, names: names, tables: tables}, nil
}

// described is what a dump's name says.
type described struct {
	dimension string
	stage     Stage
	seed      int64
	pos       region.ChunkPos
	sections  int // of the dimension
	min       chunk.SectionY
	height    int // of the dump, from the bottom
}

// describe reads the name of a dump.
func describe(name string) (described, error) {
	d := described{dimension: "minecraft:overworld", stage: Noise, sections: 24, min: -4, height: 384}
	words := strings.Split(strings.TrimSuffix(name, ".chunk"), "_")
	for _, word := range words {
		switch word {
		case "surface":
			d.stage = Surface
		case "nether", "end":
			d.dimension = "minecraft:the_" + word
			d.sections, d.min, d.height = 16, 0, 128
		}
	}
	var numbers [3]int64 // seed, x, z
	n := len(numbers)
	for n > 0 && len(words) > 0 {
		value, err := strconv.ParseInt(words[len(words)-1], 10, 64)
		if err != nil {
			break
		}
		n--
		numbers[n] = value
		words = words[:len(words)-1]
	}
	d.seed = numbers[0]
	d.pos = region.ChunkPos{X: int32(numbers[1]), Z: int32(numbers[2])}
	if n > 1 || int64(d.pos.X) != numbers[1] || int64(d.pos.Z) != numbers[2] {
		return d, fmt.Errorf("%s: the name does not end in a chunk's position: %w", name, ErrFormat)
	}
	return d, nil
}

func (p *dumps) samples(ctx context.Context, f *Filter, yield func(*Sample, error) bool) bool {
	for _, name := range p.names {
		if ctx.Err() != nil {
			return false
		}
		d, err := describe(filepath.Base(name))
		if err == nil && !(f.dimension(d.dimension) && f.stage(d.stage)) {
			continue
		}
		var decoded *chunk.Chunk
		if err == nil {
			decoded, err = p.read(name, d)
		}
		if err != nil {
			if !yield(nil, err) {
				return false
			}
			continue
		}
		if !yield(&Sample{
			Folder: filepath.Base(p.dir), Dimension: d.dimension, Stage: d.stage,
			World: World{Seed: d.seed, DataVersion: level.NativeVersion}, Chunk: decoded,
		}, nil) {
			return false
		}
	}
	return true
}

// read makes a chunk of a dump. Above the dump there is air.
func (p *dumps) read(name string, d described) (*chunk.Chunk, error) {
	text, err := readFile(name, nil)
	if err != nil {
		return nil, err
	}
	var states []block.State
	if err := json.Unmarshal(text, &states); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", name, ErrFormat, err)
	}
	if len(states) != 256*d.height {
		return nil, fmt.Errorf("%s: %d blocks, want %d: %w", name, len(states), 256*d.height, ErrFormat)
	}
	if i := slices.IndexFunc(states, func(s block.State) bool { return !s.Native() }); i >= 0 {
		return nil, fmt.Errorf("%s: no block state %d: %w", name, states[i], ErrFormat)
	}
	made, err := chunk.New(p.tables, d.pos, chunk.Options{
		DataVersion: level.NativeVersion, MinSection: d.min, Sections: d.sections, Status: d.stage.Status(),
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var section [chunk.SectionCells]block.State
	for low := 0; low < d.height; low += 16 {
		for i := range section {
			x, y, z := i&15, low+i>>8, i>>4&15
			section[i] = states[(x*d.height+y)*16+z]
		}
		if err := made.SetSectionBlocks(d.min+chunk.SectionY(low>>4), &section); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return made, nil
}

func (p *dumps) close() error { return nil }
