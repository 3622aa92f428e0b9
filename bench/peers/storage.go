package main

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/Tnze/go-mc/nbt"
	"github.com/Tnze/go-mc/save"
	"github.com/Tnze/go-mc/save/region"
)

const (
	width       = 32 // chunks on a region's side
	slots       = width * width
	schemeZlib  = 2
	vanillaZlib = 6
)

// loadChunk is the library's own way.
func loadChunk(data []byte) (*save.Chunk, error) {
	var chunk save.Chunk
	err := chunk.Load(data)
	return &chunk, err
}

// keptLoader does the same and keeps what it can from chunk to chunk.
type keptLoader struct {
	in    bytes.Reader
	z     io.ReadCloser // nil before the first chunk
	out   bytes.Buffer
	chunk save.Chunk
}

func newKeptLoader() *keptLoader { return &keptLoader{} }

func (l *keptLoader) load(data []byte) (*save.Chunk, error) {
	payload, err := l.inflate(data)
	if err != nil {
		return nil, err
	}
	empty(&l.chunk)
	return &l.chunk, nbt.Unmarshal(payload, &l.chunk)
}

// inflate returns the payload, valid until the next call.
func (l *keptLoader) inflate(data []byte) ([]byte, error) {
	if len(data) == 0 || data[0] != schemeZlib {
		return nil, errors.New("not a zlib stream")
	}
	l.in.Reset(data[1:])
	var err error
	if l.z == nil {
		l.z, err = zlib.NewReader(&l.in)
	} else if resetter, ok := l.z.(zlib.Resetter); ok {
		err = resetter.Reset(&l.in, nil)
	}
	if err != nil {
		return nil, err
	}
	l.out.Reset()
	if _, err := l.out.ReadFrom(l.z); err != nil {
		return nil, err
	}
	return l.out.Bytes(), nil
}

// loadPass reads all chunks from the open files.
func loadPass(s *sample, load loader) error {
	sections := 0
	for k, r := range s.open {
		if err := countSections(r, load, &sections); err != nil {
			return fmt.Errorf("%s: %w", s.regions[k], err)
		}
	}
	return s.wantSections(sections)
}

// openPass opens and closes the first file, as often as there are chunks.
func openPass(s *sample) error {
	for range s.chunks {
		r, err := openRegion(s.regions[0])
		if err == nil {
			err = r.Close()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// scanPass reads all chunks and opens and closes the files.
func scanPass(s *sample, load loader) error {
	sections := 0
	for _, name := range s.regions {
		r, err := openRegion(name)
		if err != nil {
			return err
		}
		err = countSections(r, load, &sections)
		if err := errors.Join(err, r.Close()); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return s.wantSections(sections)
}

func countSections(r *region.Region, load loader, sum *int) error {
	return readAll(r, func(data []byte) error {
		chunk, err := load(data)
		if err == nil {
			*sum += len(chunk.Sections)
		}
		return err
	})
}

// readAll calls visit with each chunk there is, in the order of slots.
func readAll(r *region.Region, visit func(data []byte) error) error {
	for slot := range slots {
		x, z := slot%width, slot/width
		if !r.ExistSector(x, z) {
			continue
		}
		data, err := r.ReadSector(x, z)
		if err == nil {
			err = visit(data)
		}
		if err != nil {
			return fmt.Errorf("slot %d,%d: %w", x, z, err)
		}
	}
	return nil
}

// openRegion opens a file that is only read. region.Open would open it for
// writing, and it may be the other side's.
func openRegion(name string) (*region.Region, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	r, err := region.Load(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, errors.Join(err, f.Close()))
	}
	return r, nil
}

const savedFolder, sampleFolder = "saved", "sample"

func (s *sample) fileName(folder string, i int) string {
	return filepath.Join(s.dir, folder, fmt.Sprintf("r.%d.0.mca", i))
}

// setUpSave removes the files of the last pass.
func setUpSave(s *sample) error { return s.emptyFolder(savedFolder) }

func (s *sample) emptyFolder(folder string) error {
	path := filepath.Join(s.dir, folder)
	if err := os.RemoveAll(path); err != nil {
		return err
	}
	return os.MkdirAll(path, 0o755)
}

// savePass writes all chunks to new files.
func savePass(s *sample) error {
	_, err := s.writeFiles(savedFolder, func(w io.Writer, i int) error {
		return nbt.NewEncoder(w).Encode(s.trees[i], "")
	})
	return err
}

// writeRegions makes the files that are read, of the payloads as they are.
func (s *sample) writeRegions() ([]string, error) {
	if err := s.emptyFolder(sampleFolder); err != nil {
		return nil, err
	}
	return s.writeFiles(sampleFolder, func(w io.Writer, i int) error {
		_, err := w.Write(s.chunks[i])
		return err
	})
}

// writeFiles writes the chunks, encoded by encode, to as many new region files
// as they need. Chunk i is in slot i mod 1024.
func (s *sample) writeFiles(folder string, encode func(w io.Writer, i int) error) (names []string, err error) {
	w := regionWriter{encode: encode}
	if w.deflate, err = zlib.NewWriterLevel(&w.stream, vanillaZlib); err != nil {
		return nil, err
	}
	for first := 0; first < len(s.chunks); first += slots {
		name := s.fileName(folder, first/slots)
		r, err := region.Create(name)
		if err != nil {
			return nil, err
		}
		err = w.write(r, first, min(first+slots, len(s.chunks)))
		if err := errors.Join(err, r.Close()); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		names = append(names, name)
	}
	return names, nil
}

// regionWriter keeps what it can from chunk to chunk. Encoding to a buffer
// first is faster than the encoder's many small writes to the compressor.
type regionWriter struct {
	encode          func(w io.Writer, i int) error
	payload, stream bytes.Buffer
	deflate         *zlib.Writer
}

// write puts the chunks from first to end into r.
func (w *regionWriter) write(r *region.Region, first, end int) error {
	for i := first; i < end; i++ {
		slot := i - first
		err := w.compress(i)
		if err == nil {
			err = r.WriteSector(slot%width, slot/width, w.stream.Bytes())
		}
		if err != nil {
			return fmt.Errorf("chunk %d: %w", i, err)
		}
	}
	return r.PadToFullSector()
}

// compress makes the stream of chunk i with its leading scheme.
func (w *regionWriter) compress(i int) error {
	w.payload.Reset()
	if err := w.encode(&w.payload, i); err != nil {
		return err
	}
	w.stream.Reset()
	w.stream.WriteByte(schemeZlib)
	w.deflate.Reset(&w.stream)
	if _, err := w.deflate.Write(w.payload.Bytes()); err != nil {
		return err
	}
	return w.deflate.Close()
}
