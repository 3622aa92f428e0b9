package clients

import (
	"crypto/sha1" // tells arrays apart, guards nothing
	"encoding/base64"
	"encoding/binary"
	"fmt"
)

const (
	sectionBlocks = 4096
	sectionLight  = 2048
)

// wireChunk is a chunk as the judge says it: chunk_cells.mjs.
type wireChunk struct {
	X        int           `json:"x"`
	Z        int           `json:"z"`
	Biomes   []byte        `json:"biomes"`
	Sections []wireSection `json:"sections"`
}

type wireSection struct {
	Y          int    `json:"y"`
	Blocks     []byte `json:"blocks"`
	BlockLight []byte `json:"blockLight,omitempty"`
	SkyLight   []byte `json:"skyLight,omitempty"`
}

func (c Chunk) wire() wireChunk {
	wire := wireChunk{X: c.X, Z: c.Z, Biomes: numberBytes(c.Biomes), Sections: []wireSection{}}
	for _, s := range c.Sections {
		wire.Sections = append(wire.Sections, wireSection{s.Y, numberBytes(s.Blocks), s.BlockLight, s.SkyLight})
	}
	return wire
}

func (w wireChunk) chunk() (Chunk, error) {
	c := Chunk{X: w.X, Z: w.Z, Biomes: bytesNumbers(w.Biomes)}
	for _, s := range w.Sections {
		if len(s.Blocks) != 2*sectionBlocks || !lightFits(s.BlockLight) || !lightFits(s.SkyLight) {
			return c, fmt.Errorf("chunk %d,%d: section %d: %d bytes of blocks, %d and %d of light",
				c.X, c.Z, s.Y, len(s.Blocks), len(s.BlockLight), len(s.SkyLight))
		}
		c.Sections = append(c.Sections, ChunkSection{s.Y, bytesNumbers(s.Blocks), s.BlockLight, s.SkyLight})
	}
	return c, nil
}

func lightFits(b []byte) bool { return len(b) == 0 || len(b) == sectionLight }

func numberBytes(numbers []uint16) []byte {
	b := make([]byte, 0, 2*len(numbers))
	for _, n := range numbers {
		b = binary.LittleEndian.AppendUint16(b, n)
	}
	return b
}

func bytesNumbers(b []byte) []uint16 {
	numbers := make([]uint16, len(b)/2)
	for i := range numbers {
		numbers[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return numbers
}

// Digest returns the chunk's digests.
func (c Chunk) Digest() ChunkDigest {
	d := ChunkDigest{X: c.X, Z: c.Z, Biomes: digest(numberBytes(c.Biomes))}
	for _, s := range c.Sections {
		if s.nothing() {
			continue
		}
		section := SectionDigest{Y: s.Y, Blocks: digest(numberBytes(s.Blocks))}
		if s.BlockLight != nil {
			section.BlockLight = digest(s.BlockLight)
		}
		if s.SkyLight != nil {
			section.SkyLight = digest(s.SkyLight)
		}
		d.Sections = append(d.Sections, section)
	}
	return d
}

func digest(b []byte) string {
	sum := sha1.Sum(b)
	return base64.StdEncoding.EncodeToString(sum[:])
}

// nothing reports whether a section is the same as none.
func (s ChunkSection) nothing() bool {
	return s.BlockLight == nil && s.SkyLight == nil && s.air()
}

func (s ChunkSection) air() bool {
	for _, state := range s.Blocks {
		if state != 0 {
			return false
		}
	}
	return true
}
