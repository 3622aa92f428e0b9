package oracle

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"strata/anvil/chunk"
	"strata/anvil/scan"
	"strata/anvil/store"
	"strata/region"
	"strata/region/vfs"
)

// folders are the dimensions of a collection and their folders.
var folders = []struct{ id, name string }{
	{"minecraft:overworld", "overworld"},
	{"minecraft:the_nether", "the_nether"},
	{"minecraft:the_end", "the_end"},
}

// collection is a folder of chunks that were chosen from one world.
type collection struct {
	dir    string
	seed   int64
	tables *chunk.Tables
}

// openCollection returns nil if the folder is no collection.
func openCollection(dir string, tables *chunk.Tables) (*collection, error) {
	if !slices.ContainsFunc(folders, func(f struct{ id, name string }) bool {
		_, err := os.Stat(filepath.Join(dir, f.name, "manifest.json"))
		return err == nil
	}) {
		return nil, nil
	}
	readme := filepath.Join(dir, "README.md")
	text, err := readFile(readme, nil)
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(text) {
		value, ok := strings.CutPrefix(strings.TrimSpace(string(line)), "- seed: ")
		if !ok {
			continue
		}
		seed, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%s: seed %q: %w", readme, value, ErrFormat)
		}
		return &collection{dir: dir, seed: seed, tables: tables}, nil
	}
	return nil, fmt.Errorf("%s: no line with the seed: %w", readme, ErrFormat)
}

// tierKey is the place of a chunk in a manifest.
type tierKey struct {
	set string
	pos region.ChunkPos
}

// readTiers reads the tiers of a manifest.
func readTiers(name string) (map[tierKey]string, error) {
	text, err := readFile(name, nil)
	if isAbsent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var entries []struct {
		X, Z      int32
		Set, Tier string
	}
	if err := json.Unmarshal(text, &entries); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", name, ErrFormat, err)
	}
	tiers := make(map[tierKey]string)
	for _, e := range entries {
		tiers[tierKey{e.Set, region.ChunkPos{X: e.X, Z: e.Z}}] = e.Tier
	}
	return tiers, nil
}

func (c *collection) samples(ctx context.Context, f *Filter, yield func(*Sample, error) bool) bool {
	for _, d := range folders {
		if f.dimension(d.id) && !c.dimension(ctx, d.id, filepath.Join(c.dir, d.name), f, yield) {
			return false
		}
	}
	return true
}

func (c *collection) dimension(ctx context.Context, id, dir string, f *Filter, yield func(*Sample, error) bool) bool {
	if _, err := os.Stat(dir); isAbsent(err) {
		return true
	}
	tiers, err := readTiers(filepath.Join(dir, "manifest.json"))
	if err != nil && !yield(nil, err) {
		return false
	}
	starts, err := readStarts(filepath.Join(dir, "starts.json.gz"))
	if err != nil && !yield(nil, err) {
		return false
	}
	for _, stage := range Stages {
		set := "stage-" + string(stage)
		if stage == Full {
			set = string(stage)
		}
		if !f.stage(stage) {
			continue
		}
		sample := Sample{Folder: filepath.Base(c.dir), Dimension: id, Stage: stage, World: World{Seed: c.seed}, HasBiomes: true, starts: starts}
		if !c.set(ctx, filepath.Join(dir, set), sample, func(s *Sample, err error) bool {
			if s != nil {
				s.Tier = tiers[tierKey{set, s.Pos()}]
			}
			return yield(s, err)
		}) {
			return false
		}
	}
	return true
}

// set reads the region files of a stage; each sample is like the given one.
func (c *collection) set(ctx context.Context, dir string, like Sample, yield func(*Sample, error) bool) bool {
	names, err := filepath.Glob(filepath.Join(dir, "r.*.mca"))
	if err != nil {
		return yield(nil, err)
	}
	r := newChunks(c.tables)
	for _, name := range names {
		pos, ok := region.ParseName(filepath.Base(name))
		if !ok {
			continue
		}
		file := scan.File{Dimension: like.Dimension, Kind: store.Chunks, Path: name, Pos: pos}
		if !r.each(ctx, vfs.OS(), file, like.Folder, func(decoded *chunk.Chunk, err error) bool {
			if err != nil {
				return yield(nil, err)
			}
			s := like
			s.Chunk = decoded
			s.World.DataVersion = decoded.DataVersion()
			return yield(&s, nil)
		}) {
			return false
		}
	}
	return true
}

// chunks reads chunks of region files.
type chunks struct {
	reader  scan.Reader
	decoder *chunk.Decoder
}

func newChunks(tables *chunk.Tables) *chunks { return &chunks{decoder: chunk.NewDecoder(tables)} }

// each calls yield with the chunks of a file, or errors, until it returns
// false, and reports whether it never did.
func (r *chunks) each(ctx context.Context, fsys vfs.FS, f scan.File, folder string, yield func(*chunk.Chunk, error) bool) bool {
	goOn := true
	_, err := r.reader.Chunks(ctx, fsys, f, true, func(record *scan.Chunk) bool {
		err := record.Err
		var decoded *chunk.Chunk
		if err == nil {
			decoded, err = r.decoder.Decode(record.Data)
		}
		if err != nil {
			goOn = yield(nil, &ChunkError{Folder: folder, Dimension: f.Dimension, Pos: record.Pos, Err: err})
		} else {
			goOn = yield(decoded, nil)
		}
		return goOn
	})
	if err != nil && goOn && ctx.Err() == nil {
		goOn = yield(nil, fmt.Errorf("%s: %w", f.Path, err))
	}
	return goOn && ctx.Err() == nil
}

func (c *collection) close() error { return nil }
