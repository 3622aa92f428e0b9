package oracletest

import (
	"archive/tar"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"strata/anvil/block"
	"strata/bench/testbed"
)

// dumps is the archive of chunk dumps and samples.
const dumps = "reference-chunks-26.2.tar.zst"

// eachFile calls f with the name and content of every file of an archive of
// the reference folder, until it returns false. Names are without the
// archive's own folder.
func eachFile(t testing.TB, archive string, f func(name string, content io.Reader) bool) {
	t.Helper()
	file, err := os.Open(testbed.Shared(t, "reference", archive))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := zstd.NewReader(file, zstd.WithDecoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	defer unpacked.Close()
	files := tar.NewReader(unpacked)
	for {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%s: %v", archive, err)
		}
		if header.Typeflag != tar.TypeReg {
			continue
		}
		_, name, _ := strings.Cut(path.Clean(header.Name), "/")
		if !f(name, files) {
			return
		}
	}
}

// JSON reads one of the samples of the reference folder, such as
// biome_mixer.json, into value.
func JSON(t testing.TB, name string, value any) {
	t.Helper()
	found := false
	eachFile(t, dumps, func(have string, content io.Reader) bool {
		if have != name {
			return true
		}
		found = true
		if err := json.NewDecoder(content).Decode(value); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return false
	})
	if !found {
		t.Fatalf("%s has no file %s", dumps, name)
	}
}

// Dump is a chunk as the game had it after the noise stage or the surface
// stage, without structures, carvers and blending.
type Dump struct {
	Name      string // of the file
	Dimension string // "overworld", "the_nether" or "the_end"
	Stage     string // "noise" or "surface"
	Seed      int64
	X, Z      int32 // in chunks
	MinY      int
	Height    int // above it all is air
	blocks    []block.State
}

// Block returns a block of the dump. x and z are within the chunk.
func (d *Dump) Block(x, y, z int) block.State {
	if uint(y-d.MinY) >= uint(d.Height) {
		return 0
	}
	return d.blocks[(x*d.Height+y-d.MinY)*16+z]
}

// Dumps returns all dumps of a stage: 7 of the overworld, 2 of the Nether and
// 2 of the End.
func Dumps(t testing.TB, stage string) []*Dump {
	t.Helper()
	var list []*Dump
	eachFile(t, dumps, func(name string, content io.Reader) bool {
		if !strings.HasSuffix(name, ".chunk") || strings.Contains(name, "only_cell_cache") {
			return true
		}
		d := describe(t, name)
		if d.Stage != stage {
			return true
		}
		if err := json.NewDecoder(content).Decode(&d.blocks); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(d.blocks) != 256*d.Height {
			t.Fatalf("%s has %d blocks", name, len(d.blocks))
		}
		list = append(list, d)
		return true
	})
	if len(list) != 11 {
		t.Fatalf("%d dumps of stage %s, want 11", len(list), stage)
	}
	return list
}

// describe reads what a dump's file name says.
func describe(t testing.TB, name string) *Dump {
	t.Helper()
	d := &Dump{Name: name, Dimension: "overworld", Stage: "noise", MinY: -64, Height: 384}
	if strings.Contains(name, "surface") {
		d.Stage = "surface"
	}
	words := strings.Split(strings.TrimSuffix(name, ".chunk"), "_")
	for _, word := range words {
		switch word {
		case "nether", "end":
			d.Dimension, d.MinY, d.Height = "the_"+word, 0, 128
		case "13579":
			d.Seed = 13579
		}
	}
	x, errX := strconv.ParseInt(words[len(words)-2], 10, 32)
	z, errZ := strconv.ParseInt(words[len(words)-1], 10, 32)
	if err := errors.Join(errX, errZ); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	d.X, d.Z = int32(x), int32(z)
	return d
}
