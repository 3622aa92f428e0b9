// Genstructure writes the embedded table of pregen/worldgen/structure/template:
// size and connectors of every structure template of the 26.2 data, and nothing
// else of them.
//
// Run it with go generate ./pregen/worldgen/structure/template. Where the
// archive is absent it leaves the file as it is and says so.
package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"strata/cmd/internal/gamedata"
	"strata/nbt"
	"strata/pregen/worldgen/structure/template"
)

func main() { gamedata.Exit("genstructure", run()) }

const (
	archive = "vanilla-datapack-26.2.tar.zst"
	folder  = "minecraft/structure/"
	output  = "shapes.bin"
)

// run writes the table into the working directory, that of the package.
func run() error {
	table, err := generate()
	if err != nil {
		return err
	}
	// Another release of the compressor alone changes nothing.
	if old, err := os.ReadFile(output); err == nil {
		if content, err := unpack(old); err == nil && bytes.Equal(content, table) {
			return nil
		}
	}
	packed, err := pack(table)
	if err != nil {
		return err
	}
	return gamedata.Write(output, packed)
}

func generate() ([]byte, error) {
	src, err := gamedata.Open(".")
	if err != nil {
		return nil, err
	}
	files, err := src.Archive(archive, func(name string) bool {
		return strings.HasPrefix(name, folder) && path.Ext(name) == ".nbt"
	})
	if err != nil {
		return nil, err
	}
	shapes := make(map[string]*template.Shape, len(files))
	for name, file := range files {
		id := "minecraft:" + strings.TrimSuffix(strings.TrimPrefix(name, folder), ".nbt")
		document, _, err := nbt.Unpack(file, nbt.Limits{Bytes: template.MaxBytes})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if shapes[id], err = template.ReadShape(document); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return encode(shapes), nil
}

// encode writes the table that template.DecodeTable reads, unpacked.
func encode(shapes map[string]*template.Shape) []byte {
	var list []byte
	numbers := map[string]int{}
	var texts []string
	text := func(s string) {
		n, ok := numbers[s]
		if !ok {
			n = len(texts)
			numbers[s] = n
			texts = append(texts, s)
		}
		list = binary.AppendUvarint(list, uint64(n))
	}
	number := func(values ...int32) {
		for _, v := range values {
			list = binary.AppendUvarint(list, uint64(v))
		}
	}
	number(int32(len(shapes)))
	for _, id := range slices.Sorted(maps.Keys(shapes)) {
		s := shapes[id]
		text(id)
		number(s.SizeX, s.SizeY, s.SizeZ, int32(len(s.Connectors)))
		for _, c := range s.Connectors {
			number(c.X, c.Y, c.Z, int32(c.Front)<<3|int32(c.Top))
			text(c.Name)
			text(c.Target)
			text(c.Pool)
			text(c.FinalState)
			joint := int32(0)
			if c.Rollable {
				joint = 1
			}
			number(joint)
			list = binary.AppendVarint(list, int64(c.SelectionPriority))
			list = binary.AppendVarint(list, int64(c.PlacementPriority))
		}
	}
	table := binary.AppendUvarint(nil, uint64(len(texts)))
	for _, s := range texts {
		table = binary.AppendUvarint(table, uint64(len(s)))
		table = append(table, s...)
	}
	return append(table, list...)
}

func pack(data []byte) ([]byte, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression),
		zstd.WithEncoderConcurrency(1), zstd.WithSingleSegment(true))
	if err != nil {
		return nil, err
	}
	head := binary.AppendUvarint([]byte(template.Magic), uint64(len(data)))
	return z.EncodeAll(data, head), z.Close()
}

var errPacked = errors.New("not a table")

// unpack is the inverse of pack.
func unpack(file []byte) ([]byte, error) {
	rest, ok := bytes.CutPrefix(file, []byte(template.Magic))
	if !ok {
		return nil, errPacked
	}
	_, n := binary.Uvarint(rest)
	if n <= 0 {
		return nil, errPacked
	}
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<26))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return z.DecodeAll(rest[n:], nil)
}
