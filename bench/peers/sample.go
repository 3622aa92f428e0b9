package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/Tnze/go-mc/save/region"
)

// Limits of a sample, far above those in use (45 MB).
const (
	maxChunk  = 64 << 20
	maxSample = 2 << 30
	maxChunks = 1 << 20
)

// sample is the chunks that ops work on, and what is made of them.
type sample struct {
	chunks   [][]byte
	bytes    int64 // sum of chunks
	sections int   // sum over chunks, counted by checkFaithful

	dir     string
	regions []string // files that hold the chunks, none before needRegions
	open    []*region.Region

	// trees are the chunks as any. They are dropped before an op that does
	// not need them: hundreds of megabytes would change how often the garbage
	// collector runs.
	trees []any

	faithful bool            // checkFaithful has passed
	verified map[string]bool // ops whose results have been checked
}

func loadSample(req request) (*sample, error) {
	if !filepath.IsAbs(req.Dir) {
		return nil, fmt.Errorf("folder %q is not an absolute path", req.Dir)
	}
	f, err := os.Open(req.Sample)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only: nothing to lose
	s := &sample{dir: req.Dir, regions: req.Regions, verified: map[string]bool{}}
	if err := s.read(bufio.NewReaderSize(f, 1<<16)); err != nil {
		return nil, fmt.Errorf("read sample %s: record %d: %w", req.Sample, len(s.chunks), err)
	}
	if len(s.chunks) == 0 {
		return nil, errors.New("the sample has no chunks")
	}
	return s, nil
}

func (s *sample) read(in io.Reader) error {
	for {
		var header [4]byte
		if _, err := io.ReadFull(in, header[:]); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		n := int64(binary.LittleEndian.Uint32(header[:]))
		s.bytes += n
		if n > maxChunk || s.bytes > maxSample || len(s.chunks) == maxChunks {
			return errors.New("the sample is larger than the limit")
		}
		chunk, err := readExactly(in, n)
		if err != nil {
			return err
		}
		s.chunks = append(s.chunks, chunk)
	}
}

// readExactly allocates no more than the file turns out to have, whatever its
// header says, but for one step.
func readExactly(in io.Reader, n int64) ([]byte, error) {
	const step = 1 << 20
	b := make([]byte, 0, min(n, step))
	for int64(len(b)) < n {
		have := len(b)
		b = append(b, make([]byte, min(n-int64(have), step))...)
		if _, err := io.ReadFull(in, b[have:]); err == io.EOF {
			return nil, io.ErrUnexpectedEOF
		} else if err != nil {
			return nil, err
		}
	}
	return b, nil
}

// needTrees decodes the chunks to any unless that is done.
func (s *sample) needTrees() error {
	if s.trees != nil {
		return nil
	}
	trees := make([]any, len(s.chunks))
	for i := range s.chunks {
		var err error
		if trees[i], err = s.tree(i); err != nil {
			return err
		}
	}
	s.trees = trees
	return nil
}

// needFiles makes region files of the chunks if the sample came without, and
// opens them.
func (s *sample) needFiles() error {
	if len(s.open) > 0 {
		return nil
	}
	if len(s.regions) == 0 {
		var err error
		if s.regions, err = s.writeRegions(); err != nil {
			return err
		}
	}
	for _, name := range s.regions {
		r, err := openRegion(name)
		if err != nil {
			s.closeFiles()
			return err
		}
		s.open = append(s.open, r)
	}
	return nil
}

// closeFiles closes what needFiles has opened. Nothing was written to it.
func (s *sample) closeFiles() {
	for _, r := range s.open {
		_ = r.Close()
	}
	s.open = nil
}
