package datapack

import (
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"

	"strata/region/vfs"
)

// gameWriter writes a game file front to back. Files come in the order of
// their names.
type gameWriter struct {
	file   vfs.File
	zstd   *zstd.Encoder
	at     int64
	block  []byte // being filled
	frame  []byte // scratch
	blocks []block
	files  catalog
}

// encoders keeps encoders between imports: one has tables of some 40 MB.
var encoders sync.Pool

func newEncoder() (*zstd.Encoder, error) {
	if enc, ok := encoders.Get().(*zstd.Encoder); ok {
		return enc, nil
	}
	enc, err := zstd.NewWriter(nil,
		zstd.WithEncoderLevel(zstd.SpeedBestCompression),
		zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(windowBytes))
	if err != nil {
		return nil, fmt.Errorf("zstd: %v", err)
	}
	return enc, nil
}

// newGameWriter begins a file. Its encoder goes back with release.
func newGameWriter(f vfs.File) (*gameWriter, error) {
	enc, err := newEncoder()
	if err != nil {
		return nil, err
	}
	w := &gameWriter{file: f, zstd: enc}
	var head [headerBytes]byte
	copy(head[:], gameMagic)
	binary.LittleEndian.PutUint32(head[8:], gameForm)
	if err := w.write(head[:]); err != nil {
		w.release()
		return nil, err
	}
	return w, nil
}

func (w *gameWriter) release() { encoders.Put(w.zstd) }

func (w *gameWriter) write(p []byte) error {
	if _, err := w.file.WriteAt(p, w.at); err != nil {
		return err
	}
	w.at += int64(len(p))
	return nil
}

// add writes a file.
func (w *gameWriter) add(name string, data []byte) error {
	if len(w.block) > 0 && len(w.block)+len(data) > blockBytes {
		if err := w.flush(); err != nil {
			return err
		}
	}
	w.block = append(w.block, data...)
	w.files = append(w.files, entry{name: name, size: int64(len(data))})
	return nil
}

// flush writes the block that is being filled.
func (w *gameWriter) flush() error {
	if len(w.block) == 0 {
		return nil
	}
	w.frame = w.zstd.EncodeAll(w.block, w.frame[:0])
	w.blocks = append(w.blocks, block{
		stored: int64(len(w.frame)), size: int64(len(w.block)), sum: xxhash.Sum64(w.frame),
	})
	w.block = w.block[:0]
	return w.write(w.frame)
}

// finish writes what is left, index and footer. It does not sync.
func (w *gameWriter) finish(m Manifest) error {
	if err := w.flush(); err != nil {
		return err
	}
	index, err := appendIndex(nil, m, w.blocks, w.files)
	if err != nil {
		return err
	}
	if len(index) > maxIndexBytes {
		return fmt.Errorf("%w: index of %d bytes", ErrLimit, len(index))
	}
	frame := w.zstd.EncodeAll(index, nil)
	var foot [footerBytes]byte
	binary.LittleEndian.PutUint64(foot[0:], uint64(w.at))
	binary.LittleEndian.PutUint64(foot[8:], uint64(len(frame)))
	binary.LittleEndian.PutUint64(foot[16:], uint64(len(index)))
	binary.LittleEndian.PutUint64(foot[24:], xxhash.Sum64(frame))
	copy(foot[32:], gameMagic)
	if err := w.write(frame); err != nil {
		return err
	}
	return w.write(foot[:])
}
