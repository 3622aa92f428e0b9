package clients

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"strata/bench/testbed"
)

// Chunk is what a chunk holds, in a form that neither our packages nor the
// libraries use. Numbers are those of a [Numbering].
type Chunk struct {
	X, Z int
	// Biomes, one a column in the order z<<4 | x, or one a quarter cell in the
	// order y<<4 | z<<2 | x from the lowest section up.
	Biomes []uint16
	// Sections from the lowest up. One without light that has air alone (state
	// 0) is the same as none.
	Sections []ChunkSection
}

// ChunkSection is 16 by 16 by 16 blocks.
type ChunkSection struct {
	Y int
	// Blocks are 4,096 states in the order y<<8 | z<<4 | x.
	Blocks []uint16
	// BlockLight and SkyLight are 2,048 bytes, two blocks in each, the first
	// in the lower bits; nil for none.
	BlockLight, SkyLight []byte
}

// ChunkDigest is a chunk with the SHA-1, in base64, of each array in place of
// the array: of numbers as 16 bits in little-endian order.
type ChunkDigest struct {
	X        int             `json:"x"`
	Z        int             `json:"z"`
	Biomes   string          `json:"biomes"`
	Sections []SectionDigest `json:"sections"`
}

// SectionDigest is a section in a ChunkDigest. Light that is not there has no
// digest.
type SectionDigest struct {
	Y          int    `json:"y"`
	Blocks     string `json:"blocks"`
	BlockLight string `json:"blockLight"`
	SkyLight   string `json:"skyLight"`
}

// Chunks is the judge of chunks: prismarine-chunk, with
// prismarine-provider-anvil for the NBT and the region files. The deviations
// in chunk_deviation.go say where it is not right.
//
// The errors of all methods are those of NBT's.
type Chunks struct{ judge *judge }

// StartChunks prepares the judge of chunks for the length of a test, which is
// skipped, or fails when testbed.MustRun, if it cannot run here.
func StartChunks(t testing.TB) *Chunks {
	t.Helper()
	return &Chunks{startJudge(t, "chunk.mjs")}
}

// Fixture returns a folder, the test's own, with the region file of a game
// version on which the provider tests itself. The game wrote it. The test is
// skipped, or fails when testbed.MustRun, if there is none.
func (c *Chunks) Fixture(t testing.TB, version string) string {
	t.Helper()
	from := filepath.Join(c.judge.folder, "node_modules", "prismarine-provider-anvil", "test", "fixtures", version)
	files, err := os.ReadDir(from)
	if err != nil {
		testbed.SkipOrFail(t, "the provider has no region file of %s: %v", version, errors.Unwrap(err))
	}
	to := t.TempDir()
	for _, file := range files {
		// The provider opens files for writing, even to read.
		data, err := os.ReadFile(filepath.Join(from, file.Name()))
		if err == nil {
			err = os.WriteFile(filepath.Join(to, file.Name()), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// ChunkWorld is a game version that the judge reads chunks of.
type ChunkWorld struct {
	judge *judge
	name  string
}

// Open prepares a game version by its name in minecraft-data, such as
// "1.16.5", and returns how the library numbers its states and biomes.
func (c *Chunks) Open(version string) (*ChunkWorld, *Numbering, error) {
	var answer struct {
		Numbering wireNumbering `json:"numbering"`
	}
	fields := map[string]any{"world": version, "version": version}
	if err := c.judge.call("open", fields, &answer); err != nil {
		return nil, nil, err
	}
	numbering, err := answer.Numbering.numbering(version)
	return &ChunkWorld{c.judge, version}, numbering, err
}

// Define prepares a version that minecraft-data lacks, of the form that chunks
// have had since 1.18, under a name. blocks is the report of the game's data
// generator, whose numbers states get; biomes are names, numbered by their
// places. It returns how many states there are; the library has numbered each
// of them as the report does. The world can only be read.
func (c *Chunks) Define(name string, blocks json.RawMessage, biomes []string) (*ChunkWorld, int, error) {
	var answer struct {
		States int `json:"states"`
	}
	fields := map[string]any{"world": name, "blocks": blocks, "biomes": biomes}
	err := c.judge.call("define", fields, &answer)
	return &ChunkWorld{c.judge, name}, answer.States, err
}

// Write has the library put chunks into region files in a folder. Biomes must
// be as many as chunks of the version have.
func (w *ChunkWorld) Write(folder string, chunks []Chunk) error {
	wire := make([]wireChunk, len(chunks))
	for i, chunk := range chunks {
		wire[i] = chunk.wire()
	}
	fields := map[string]any{"world": w.name, "folder": folder, "chunks": wire}
	return w.judge.call("write", fields, &struct{}{})
}

// Read returns what the library reads from the region files of a folder, in
// the chunks at the positions, each x and z. An answer has room for some 100.
func (w *ChunkWorld) Read(folder string, at [][2]int) ([]Chunk, error) {
	var answer struct {
		Chunks []wireChunk `json:"chunks"`
	}
	if err := w.read(folder, at, "cells", &answer); err != nil {
		return nil, err
	}
	chunks := make([]Chunk, len(answer.Chunks))
	for i, wire := range answer.Chunks {
		var err error
		if chunks[i], err = wire.chunk(); err != nil {
			return nil, fmt.Errorf("read: %w: %w", ErrNoAnswer, err)
		}
	}
	return chunks, nil
}

// Digests is Read with digests, whose answers are short.
func (w *ChunkWorld) Digests(folder string, at [][2]int) ([]ChunkDigest, error) {
	var answer struct {
		Chunks []ChunkDigest `json:"chunks"`
	}
	err := w.read(folder, at, "digests", &answer)
	return answer.Chunks, err
}

func (w *ChunkWorld) read(folder string, at [][2]int, how string, answer any) error {
	return w.judge.call("read", map[string]any{"world": w.name, "folder": folder, "at": at, "how": how}, answer)
}
