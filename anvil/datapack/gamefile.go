package datapack

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"

	"strata/region/vfs"
)

// The form of a game file, all fixed numbers little-endian:
//
//	header  gameMagic, uint32 gameForm, uint32 0
//	blocks  zstd frames, one after the other
//	index   a zstd frame, see parseIndex
//	footer  uint64 offset of the index, uint64 its length, uint64 its length
//	        when inflated, uint64 xxHash64 of it as stored, gameMagic
//
// A block holds whole files in the order of their names, as many as fit in
// blockBytes, or a single longer one. So a lookup inflates one block, and
// neighbours by name, which are alike, are compressed together.
const (
	gameMagic   = "STRATAGD"
	gameForm    = 1
	headerBytes = 16
	footerBytes = 40

	// blockBytes is a compromise. All of 26.2 (46.4 MB) in blocks of 64 KiB,
	// 256 KiB, 512 KiB, 1 MiB and 4 MiB takes 2.07, 1.86, 1.79, 1.73 and
	// 1.64 MB beside the index; a lookup inflates one block.
	// (2026-11-30, klauspost/compress 1.20.4, SpeedBestCompression)
	blockBytes = 256 << 10
	// cachedBlocks is how many inflated blocks an open file keeps.
	cachedBlocks = 16
	// maxIndexBytes is the longest index, inflated: 200,000 files with names
	// of 300 bytes.
	maxIndexBytes = 64 << 20
)

// isGameFile reports whether r begins as a game file does.
func isGameFile(r io.ReaderAt) (bool, error) {
	var magic [len(gameMagic)]byte
	n, err := r.ReadAt(magic[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return string(magic[:n]) == gameMagic, nil
}

// block is a zstd frame of the file.
type block struct {
	at, stored int64  // where it is, and its length there
	size       int64  // inflated
	sum        uint64 // xxHash64 as stored
}

// span is where a file is: a block, and the offset in it when inflated.
type span struct {
	block int
	at    int64
}

// gameFile is an open game file.
type gameFile struct {
	file     vfs.File
	files    catalog
	spans    []span // by entry.ref
	blocks   []block
	manifest Manifest
	zstd     *zstd.Decoder

	mu    sync.Mutex
	cache []cachedBlock // guarded by mu; the last used comes last
}

type cachedBlock struct {
	number int
	data   []byte // never written to
}

func openGameFile(f vfs.File, size int64, limits Limits) (*gameFile, error) {
	var head [headerBytes]byte
	var foot [footerBytes]byte
	if size < headerBytes+footerBytes {
		return nil, fmt.Errorf("%w: %d bytes are no game file", ErrDamaged, size)
	}
	if _, err := f.ReadAt(head[:], 0); err != nil {
		return nil, readError(err)
	}
	if form := binary.LittleEndian.Uint32(head[8:]); form != gameForm {
		return nil, fmt.Errorf("%w: game file of form %d, want %d; import it again", ErrVersion, form, gameForm)
	}
	if _, err := f.ReadAt(foot[:], size-footerBytes); err != nil {
		return nil, readError(err)
	}
	if string(foot[32:]) != gameMagic {
		return nil, fmt.Errorf("%w: no footer, perhaps cut off", ErrDamaged)
	}
	index, err := readIndex(f, foot, size)
	if err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	g := &gameFile{file: f}
	if err := g.parseIndex(index, int64(binary.LittleEndian.Uint64(foot[0:])), limits); err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	var most int64
	for _, b := range g.blocks {
		most = max(most, b.size)
	}
	g.zstd, err = newDecoder(most)
	return g, err
}

// windowBytes is the window of our frames, and so the least that a decoder
// must be allowed.
const windowBytes = 4 << 20

// newDecoder returns a decoder of whole frames that gives out at most limit
// bytes or windowBytes. It has no goroutines and needs no Close.
func newDecoder(limit int64) (*zstd.Decoder, error) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(max(limit, windowBytes))))
	if err != nil {
		return nil, fmt.Errorf("zstd: %v", err)
	}
	return d, nil
}

func readIndex(f io.ReaderAt, foot [footerBytes]byte, size int64) ([]byte, error) {
	at := binary.LittleEndian.Uint64(foot[0:])
	stored := binary.LittleEndian.Uint64(foot[8:])
	inflated := binary.LittleEndian.Uint64(foot[16:])
	if at < headerBytes || at > uint64(size) || stored > maxIndexBytes || at+stored+footerBytes != uint64(size) {
		return nil, fmt.Errorf("%w: %d bytes at %d in a file of %d", ErrDamaged, stored, at, size)
	}
	if inflated > maxIndexBytes {
		return nil, fmt.Errorf("%w: %d bytes inflated, at most %d", ErrLimit, inflated, maxIndexBytes)
	}
	frame := make([]byte, stored)
	if _, err := f.ReadAt(frame, int64(at)); err != nil {
		return nil, readError(err)
	}
	if xxhash.Sum64(frame) != binary.LittleEndian.Uint64(foot[24:]) {
		return nil, fmt.Errorf("%w: checksum", ErrDamaged)
	}
	d, err := newDecoder(int64(inflated))
	if err != nil {
		return nil, err
	}
	index, err := d.DecodeAll(frame, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: zstd: %v", ErrDamaged, err)
	}
	if uint64(len(index)) != inflated {
		return nil, fmt.Errorf("%w: %d bytes of %d", ErrDamaged, len(index), inflated)
	}
	return index, nil
}

// readError makes damage of a file that ends too early.
func readError(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: the file ends too early", ErrDamaged)
	}
	return err
}

// read returns a file out of its block.
func (g *gameFile) read(e entry) ([]byte, error) {
	if e.size == 0 {
		return nil, nil // may lie behind the last block
	}
	s := g.spans[e.ref]
	data, err := g.block(s.block)
	if err != nil {
		return nil, err
	}
	return slices.Clone(data[s.at : s.at+e.size]), nil // within the block, says parseIndex
}

// block returns an inflated block, from the cache if it is there. Two readers
// of one block may both inflate it.
func (g *gameFile) block(number int) ([]byte, error) {
	g.mu.Lock()
	for i, c := range g.cache {
		if c.number == number {
			g.cache = append(slices.Delete(g.cache, i, i+1), c)
			g.mu.Unlock()
			return c.data, nil
		}
	}
	g.mu.Unlock()
	data, err := g.inflate(g.blocks[number])
	if err != nil {
		return nil, fmt.Errorf("block %d: %w", number, err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.cache) >= cachedBlocks {
		g.cache = slices.Delete(g.cache, 0, 1)
	}
	g.cache = append(g.cache, cachedBlock{number, data})
	return data, nil
}

func (g *gameFile) inflate(b block) ([]byte, error) {
	frame := make([]byte, b.stored)
	if _, err := g.file.ReadAt(frame, b.at); err != nil {
		return nil, readError(err)
	}
	if xxhash.Sum64(frame) != b.sum {
		return nil, fmt.Errorf("%w: checksum", ErrDamaged)
	}
	data, err := g.zstd.DecodeAll(frame, make([]byte, 0, b.size))
	if err != nil {
		return nil, fmt.Errorf("%w: zstd: %v", ErrDamaged, err)
	}
	if int64(len(data)) != b.size {
		return nil, fmt.Errorf("%w: %d bytes of %d", ErrDamaged, len(data), b.size)
	}
	return data, nil
}

// Close closes the file.
func (g *gameFile) Close() error { return g.file.Close() }

var _ reader = (*gameFile)(nil)
