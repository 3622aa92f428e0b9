package oracle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"strata/anvil/chunk"
	"strata/anvil/level"
	"strata/region"
)

// World is what a generator is made for.
type World struct {
	Seed        int64
	DataVersion int32
	Path        string // of a world folder, for its settings; else empty
}

// Sample is a chunk that the game made.
type Sample struct {
	Folder    string // name of the folder it is in
	Dimension string // id
	Stage     Stage
	Tier      string // of full chunks
	World     World
	Chunk     *chunk.Chunk
	HasBiomes bool // dumps have none

	starts finder
}

// Pos returns the position of the chunk.
func (s *Sample) Pos() region.ChunkPos { return s.Chunk.Pos() }

// Stage is how far the generation of a sample had come.
type Stage string

// The stages, in their order.
const (
	Biomes          Stage = "biomes"
	Noise           Stage = "noise"
	Surface         Stage = "surface"
	Carvers         Stage = "carvers"
	InitializeLight Stage = "initialize_light"
	Full            Stage = "full"
)

// Stages are all stages, in their order.
var Stages = []Stage{Biomes, Noise, Surface, Carvers, InitializeLight, Full}

// Status returns the status of chunks at the stage.
func (s Stage) Status() chunk.Status { return chunk.ParseStatus("minecraft:" + string(s)) }

// stageOf returns the stage of a status; false if it has none.
func stageOf(status chunk.Status) (Stage, bool) {
	if status >= chunk.StatusFeatures && status < chunk.StatusFull {
		return InitializeLight, true
	}
	i := slices.IndexFunc(Stages, func(s Stage) bool { return s.Status() == status })
	if i < 0 {
		return "", false
	}
	return Stages[i], true
}

// Filter chooses samples. Empty lists choose all.
type Filter struct {
	Dimensions []string // ids
	Stages     []Stage
}

func (f *Filter) dimension(id string) bool {
	return len(f.Dimensions) == 0 || slices.Contains(f.Dimensions, id)
}

func (f *Filter) stage(s Stage) bool { return len(f.Stages) == 0 || slices.Contains(f.Stages, s) }

// part is one of the folders of an oracle.
type part interface {
	// samples calls yield with the samples, or errors, until it returns false,
	// and reports whether it never did.
	samples(ctx context.Context, f *Filter, yield func(*Sample, error) bool) bool
	close() error
}

// Oracle is a folder of chunks that the game made.
type Oracle struct{ parts []part }

// Open finds out what a folder holds. The error is ErrNoOracle if that is
// nothing known. tables is that of the chunks. A world is not locked, and not
// changed.
func Open(dir string, tables *chunk.Tables) (*Oracle, error) {
	if _, err := os.Stat(filepath.Join(dir, level.FileName)); err == nil {
		p, err := openWorld(dir, tables)
		if err != nil {
			return nil, err
		}
		return &Oracle{parts: []part{p}}, nil
	}
	o := new(Oracle)
	if err := o.add(dir, tables); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		inner := filepath.Join(dir, entry.Name())
		if info, err := os.Stat(inner); err != nil || !info.IsDir() {
			continue
		}
		if err := o.add(inner, tables); err != nil {
			return nil, err
		}
	}
	if len(o.parts) == 0 {
		return nil, fmt.Errorf("%s: %w", dir, ErrNoOracle)
	}
	return o, nil
}

// add adds a folder if it is a collection or has dumps.
func (o *Oracle) add(dir string, tables *chunk.Tables) error {
	collection, err := openCollection(dir, tables)
	if err != nil {
		return err
	}
	if collection != nil {
		o.parts = append(o.parts, collection)
	}
	dumps, err := openDumps(dir, tables)
	if err != nil {
		return err
	}
	if dumps != nil {
		o.parts = append(o.parts, dumps)
	}
	return nil
}

// Close closes what Open opened. Samples stay as they are.
func (o *Oracle) Close() error {
	var err error
	for _, p := range o.parts {
		err = errors.Join(err, p.close())
	}
	return err
}

// Samples returns the samples that a filter chooses, in an order that does not
// change. An error is that of one chunk (*ChunkError) or file; the rest follows.
func (o *Oracle) Samples(ctx context.Context, f Filter) iter.Seq2[*Sample, error] {
	return func(yield func(*Sample, error) bool) {
		for _, p := range o.parts {
			if !p.samples(ctx, &f, yield) {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// maxFile bounds the files that are read whole.
const maxFile = 256 << 20

// readFile reads a file, or what reader makes of it, up to maxFile bytes.
func readFile(name string, reader func(io.Reader) (io.Reader, error)) (data []byte, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var r io.Reader = f
	if reader != nil {
		if r, err = reader(f); err != nil {
			return nil, fmt.Errorf("%s: %w: %w", name, ErrFormat, err)
		}
	}
	if data, err = io.ReadAll(io.LimitReader(r, maxFile+1)); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("%s: longer than %d bytes: %w", name, maxFile, ErrFormat)
	}
	return data, nil
}

func isAbsent(err error) bool { return errors.Is(err, fs.ErrNotExist) }
