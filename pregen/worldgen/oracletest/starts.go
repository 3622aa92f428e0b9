package oracletest

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"strata/bench/testbed"
)

// Starts are the structures of a world's dimension.
type Starts struct {
	Starts []Start
	// Known are the chunks of which it is known what starts in them.
	Known [][2]int32
}

// Start is a structure that starts in a chunk.
type Start struct {
	X, Z   int32
	ID     string
	Pieces []Piece
}

// Piece is a piece of a structure: its box as it is stored, and what else is
// kept of it.
type Piece struct {
	BB       [6]int32
	ID       string `json:"id"`
	GD, O    int32
	Template string
	Location string `json:"location"`
	Rotation string `json:"rotation"`
}

// ReadStarts reads the structures of a folder of Worlds and a dimension; none
// where the world has no such folder.
func ReadStarts(t testing.TB, folder, dimension string) *Starts {
	t.Helper()
	f, err := os.Open(filepath.Join(testbed.Shared(t, "oracle", folder), dimension, "starts.json.gz"))
	if errors.Is(err, os.ErrNotExist) {
		return &Starts{}
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Starts []Start
		Known  map[string]string `json:"known_chunks_by_region_bitmap"`
	}
	if err := json.NewDecoder(unpacked).Decode(&document); err != nil {
		t.Fatal(err)
	}
	starts := &Starts{Starts: document.Starts}
	for name, text := range document.Known {
		if starts.Known, err = appendKnown(starts.Known, name, text); err != nil {
			t.Fatal(err)
		}
	}
	return starts
}

// appendKnown appends the chunks of a region's bitmap: bit x + 32 z, the lowest
// bit of each byte first.
func appendKnown(known [][2]int32, region, bitmap string) ([][2]int32, error) {
	var x, z int32
	if _, err := fmt.Sscanf(region, "%d.%d", &x, &z); err != nil {
		return nil, err
	}
	bits, err := base64.StdEncoding.DecodeString(bitmap)
	if err != nil || len(bits) != 128 {
		return nil, fmt.Errorf("bitmap of region %s has %d bytes: %w", region, len(bits), err)
	}
	for i := range int32(1024) {
		if bits[i/8]>>(i%8)&1 != 0 {
			known = append(known, [2]int32{x*32 + i%32, z*32 + i/32})
		}
	}
	return known, nil
}
