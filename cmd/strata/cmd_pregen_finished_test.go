package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"strata/anvil/chunk"
	"strata/anvil/light"
	"strata/bench/testbed"
	"strata/cmd/internal/ui"
	"strata/region"
	"strata/region/codec"
)

// gameJar puts the game's data into a file as its own jar has it.
func gameJar(t *testing.T) string {
	t.Helper()
	archive, err := os.Open(testbed.Shared(t, "reference", "vanilla-datapack-26.2.tar.zst"))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	unpacked, err := zstd.NewReader(archive, zstd.WithDecoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	defer unpacked.Close()
	path := filepath.Join(t.TempDir(), "server.jar")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	jar := zip.NewWriter(file)
	for files := tar.NewReader(unpacked); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		_, name, inside := strings.Cut(header.Name, "/minecraft/")
		if !inside || header.Typeflag != tar.TypeReg {
			continue
		}
		w, err := jar.CreateHeader(&zip.FileHeader{Name: "data/minecraft/" + name, Method: zip.Store})
		if err == nil {
			_, err = io.Copy(w, files)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := jar.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// finishedArea is a place with something to see.
type finishedArea struct {
	dimension, folder string
	x, z              int // of a block in its middle
}

// finishedSeed is the seed of the worlds that are finished here.
const finishedSeed = "2026"

// finishedAreas lie beside a village, fossils and a city of the End, so that
// without the game's files a part of each is left.
var finishedAreas = []finishedArea{
	{"minecraft:overworld", "overworld", 320, -112},
	{"minecraft:the_nether", "the_nether", 0, 220},
	{"minecraft:the_end", "the_end", 1024, -448},
}

// finishedRadius is how many chunks around their middle are made.
func finishedRadius() int {
	if os.Getenv("STRATA_LONG_RUNS") != "" {
		return 32
	}
	return 3
}

// finish runs strata pregen over an area, with game files or without.
func (a finishedArea) finish(t *testing.T, world, jar string, radius int) pregenReport {
	t.Helper()
	args := []string{
		world, "--seed", finishedSeed, "--dimension", a.dimension,
		"--center", fmt.Sprintf("%d,%d", a.x, a.z), "--radius", strconv.Itoa(radius),
	}
	if jar != "" {
		args = append(args, "--data", jar)
	}
	report := pregenJSON(t, ui.OK, openWorldGenerators, args...)
	if report.Failed != 0 {
		t.Fatalf("%d chunks failed: %+v", report.Failed, report.Failures)
	}
	return report
}

// storedChunk is a chunk of a world on disk, and its entities.
type storedChunk struct {
	document []byte
	entities []byte
}

// chunksOnDisk reads the chunks of an area's dimension.
func (a finishedArea) chunksOnDisk(t *testing.T, world string) map[region.ChunkPos]storedChunk {
	t.Helper()
	all := map[region.ChunkPos]storedChunk{}
	for _, kind := range []string{"region", "entities"} {
		names, err := filepath.Glob(filepath.Join(world, "dimensions", "minecraft", a.folder, kind, "*.mca"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			f, err := region.Open(name, region.Options{ReadOnly: true})
			if err != nil {
				t.Fatal(err)
			}
			in, _ := region.ParseName(filepath.Base(name))
			var inflate codec.Decoder
			for slot := range region.Slot(region.Slots) {
				data, _, err := f.Decode(slot, &inflate, nil, nil)
				if errors.Is(err, region.ErrAbsent) {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				c := all[in.Chunk(slot)]
				if kind == "region" {
					c.document = bytes.Clone(data)
				} else {
					c.entities = bytes.Clone(data)
				}
				all[in.Chunk(slot)] = c
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	return all
}

// sound has strata world fsck look at a world.
func sound(t *testing.T, world string) {
	t.Helper()
	code, out, errText := runPlain(t, "world", "fsck", world, "--json")
	var report struct{ Findings []json.RawMessage }
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != ui.OK || len(report.Findings) != 0 {
		t.Errorf("fsck: exit %d, %v: %s%.2000s", code, err, errText, out)
	}
}

// A world that was made without the game's files has the chunks of one that was
// made with them, or leaves them to the game; when it gets the files it becomes
// the other.
func TestFinishedWorldsDoNotDependOnWhenGameFilesCame(t *testing.T) {
	jar := gameJar(t)
	radius := finishedRadius()
	for _, area := range finishedAreas {
		t.Run(area.folder, func(t *testing.T) {
			dir := t.TempDir()
			with, without := filepath.Join(dir, "with"), filepath.Join(dir, "without")
			if report := area.finish(t, with, jar, radius); report.LeftToGame != 0 {
				t.Errorf("with game files %d chunks are left to the game", report.LeftToGame)
			}
			first := area.finish(t, without, "", radius)
			sound(t, with)
			sound(t, without)
			want := area.chunksOnDisk(t, with)
			left := area.compareLeft(t, want, area.chunksOnDisk(t, without), radius)
			if left != int(first.LeftToGame) {
				t.Errorf("%d chunks are not full, %d are counted", left, first.LeftToGame)
			}
			second := area.finish(t, without, jar, radius)
			if left == 0 || left == int(first.New) {
				t.Errorf("%d of %d chunks are left to the game: nothing is compared", left, first.New)
			}
			if second.New != first.LeftToGame || second.LeftToGame != 0 {
				t.Errorf("of %d chunks that were left %d are made, %d left", first.LeftToGame, second.New, second.LeftToGame)
			}
			sound(t, without)
			sameWorlds(t, want, area.chunksOnDisk(t, without))
			area.lit(t, want)
			t.Logf("of %d chunks %d are left to the game without its files", first.New, left)
		})
	}
}

// contains reports whether a chunk lies within a radius.
func (a finishedArea) contains(p region.ChunkPos, radius int) bool {
	x, z := int(p.X)-a.x>>4, int(p.Z)-a.z>>4
	return max(x, -x, z, -z) <= radius
}

// compareLeft compares what was made without game files, and counts the chunks
// of the area that are left.
func (a finishedArea) compareLeft(t *testing.T, want, got map[region.ChunkPos]storedChunk, radius int) (left int) {
	t.Helper()
	decoder := chunk.NewDecoder(chunk.NewTables())
	for pos, c := range got {
		made, err := decoder.Decode(c.document)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case made.Full():
			if !bytes.Equal(c.document, want[pos].document) || !bytes.Equal(c.entities, want[pos].entities) {
				t.Errorf("chunk %v is another without game files", pos)
			}
		case made.Status() != chunk.StatusCarvers && made.Status() != chunk.StatusInitializeLight:
			t.Errorf("chunk %v is left at %s", pos, made.StatusName())
		case a.contains(pos, radius):
			left++
		}
	}
	return left
}

// sameWorlds compares all chunks of two worlds.
func sameWorlds(t *testing.T, want, got map[region.ChunkPos]storedChunk) {
	t.Helper()
	for pos, c := range want {
		if !bytes.Equal(c.document, got[pos].document) {
			t.Errorf("chunk %v is another than in the world that had the game's files at once", pos)
		}
		if !bytes.Equal(c.entities, got[pos].entities) {
			t.Errorf("chunk %v has other entities than in the world that had the game's files at once", pos)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d chunks, want %d", len(got), len(want))
	}
}

// lit computes the light of all finished chunks anew, from the blocks around.
func (a finishedArea) lit(t *testing.T, stored map[region.ChunkPos]storedChunk) {
	t.Helper()
	decoder := chunk.NewDecoder(chunk.NewTables())
	chunks := make(map[region.ChunkPos]*chunk.Chunk, len(stored))
	columns := make(map[region.ChunkPos]*light.Column, len(stored))
	for pos, s := range stored {
		c, err := decoder.Decode(s.document)
		if err != nil {
			t.Fatal(err)
		}
		chunks[pos], columns[pos] = c, new(light.Column)
		low, high := c.Range()
		if err := columns[pos].Set(low, high, light.ChunkBlocks{Chunk: c}, nil); err != nil {
			t.Fatal(err)
		}
	}
	var engine light.Engine
	var result light.Chunk
	var encode chunk.Encoder
	around := light.Area{Width: 3, Depth: 3, Columns: make([]*light.Column, 9), Sky: a.folder != "the_nether"}
	for pos, c := range chunks {
		if !c.Full() {
			continue
		}
		for i := range around.Columns {
			around.Columns[i] = columns[region.ChunkPos{X: pos.X + int32(i%3) - 1, Z: pos.Z + int32(i/3) - 1}]
		}
		if err := errors.Join(engine.Light(around), engine.Result(1, 1, &result), result.Store(c)); err != nil {
			t.Fatal(err)
		}
		if again, err := encode.Encode(nil, c); err != nil || !c.LightOn() || !bytes.Equal(again, stored[pos].document) {
			t.Errorf("chunk %v has other light than its blocks and those around give (%v)", pos, err)
		}
	}
}
