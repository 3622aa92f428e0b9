package corpus

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
)

// Chunk is one record of a chunk corpus.
type Chunk struct {
	NBT         []byte // the uncompressed payload
	StoredBytes int    // the stream the game had stored for it; 0 = unknown
}

// Load reads the whole chunk corpus at path. The chunks are the caller's and
// share no memory with each other's spare capacity.
func Load(path string) ([]Chunk, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("load corpus: %w", err)
	}
	defer f.Close() // read only: nothing to lose
	chunks, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("load corpus %s: %w", path, err)
	}
	return chunks, nil
}

// Read is [Load] from an open stream.
func Read(r io.Reader) ([]Chunk, error) {
	z, err := newZstdReader(r)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	var (
		in     = bufio.NewReaderSize(z, 1<<16)
		chunks []Chunk
		total  int64
	)
	for {
		var header [8]byte
		if _, err := io.ReadFull(in, header[:]); err == io.EOF {
			return chunks, nil
		} else if err != nil {
			return nil, formatError(len(chunks), err)
		}
		size := int64(binary.LittleEndian.Uint32(header[:]))
		stored := int64(binary.LittleEndian.Uint32(header[4:]))
		total += size
		if size > MaxChunk || stored > MaxChunk || total > MaxCorpus {
			return nil, fmt.Errorf("record %d: %w", len(chunks), ErrLimit)
		}
		nbt, err := readExactly(in, size)
		if err != nil {
			return nil, formatError(len(chunks), err)
		}
		chunks = append(chunks, Chunk{NBT: nbt, StoredBytes: int(stored)})
	}
}

// readExactly allocates a large record piece by piece, so that a header alone
// cannot make it allocate MaxChunk bytes.
func readExactly(in io.Reader, size int64) ([]byte, error) {
	const step = 1 << 20
	b := make([]byte, 0, min(size, step))
	for int64(len(b)) < size {
		n := int(min(size-int64(len(b)), step))
		start := len(b)
		b = append(b, make([]byte, n)...)
		if _, err := io.ReadFull(in, b[start:]); err != nil {
			return nil, err
		}
	}
	return b[:len(b):len(b)], nil
}

func formatError(record int, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("record %d: %w: cut short", record, ErrFormat)
	}
	return fmt.Errorf("record %d: %w", record, zstdError(err))
}

// newZstdReader decodes on the caller's goroutine: corpora are read once, and
// a test that ends early leaves no goroutine behind.
func newZstdReader(r io.Reader) (*zstd.Decoder, error) {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, fmt.Errorf("open zstd stream: %w", err)
	}
	return z, nil
}

// zstdError keeps the decoder's errors out of our contract: those of the
// format become ErrFormat, those of the size ErrLimit, those of the file stay.
func zstdError(err error) error {
	switch {
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return fmt.Errorf("%w: zstd window over %d bytes", ErrLimit, maxWindow)
	case errors.As(err, new(*os.PathError)):
		return err
	}
	return fmt.Errorf("%w: zstd: %v", ErrFormat, err)
}
