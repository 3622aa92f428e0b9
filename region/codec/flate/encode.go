package flate

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// MinLevel and MaxLevel bound the levels NewEncoder takes. The faster levels
// below MinLevel are the business of other encoders.
const (
	MinLevel = 5
	MaxLevel = 12

	firstOptimal = 10 // the first level of the offline kind
)

// An Encoder turns whole byte slices into DEFLATE streams at one level. It is
// reusable and keeps all its working memory between calls (about 1 MiB at
// levels 5 to 9, 7 MiB above), so a worker that compresses many payloads
// should own one. It must not be used by two goroutines at a time. What it
// writes depends on the source and the level only.
type Encoder struct {
	level  int
	parser parser
	seqs   []sequence
	split  *splitter
	block  blockWriter
}

// A parser turns a source into sequences, one segment after the other.
type parser interface {
	// reset forgets the previous source and prepares for one of srcBytes.
	reset(srcBytes int)
	// segment appends to seqs the sequences of src from start to the end that
	// it returns and that it chooses: past start unless src ends there. It
	// leaves the blocks in split.
	segment(src []byte, start int, seqs []sequence, split *splitter) (out []sequence, end int)
}

// NewEncoder returns an encoder for one level, MinLevel to MaxLevel. Levels 5
// to 9 parse lazily and suit live saving; 10 to 12 search for the cheapest
// parse and take several times as long.
func NewEncoder(level int) (*Encoder, error) {
	if level < MinLevel || level > MaxLevel {
		return nil, fmt.Errorf("flate: encoder level %d is outside %d to %d", level, MinLevel, MaxLevel)
	}
	e := &Encoder{level: level, split: newSplitter()}
	if level < firstOptimal {
		tuning := lazyLevels[level-MinLevel]
		e.parser = newLazyParser(tuning)
		e.seqs = make([]sequence, 0, tuning.segmentSeqs())
	} else {
		e.parser = newOptimalParser(optimalLevels[level-firstOptimal])
		e.seqs = make([]sequence, 0, optimalSeqs)
	}
	return e, nil
}

// Append appends src to dst as one raw DEFLATE stream (RFC 1951) and returns
// the extended slice. It allocates only when dst lacks room for the result
// and sixteen bytes more. src and the free part of dst must not overlap.
func (e *Encoder) Append(dst, src []byte) []byte {
	dst, _ = e.deflate(dst, src, unlimited)
	return dst
}

// AppendZlib appends src to dst as one zlib stream (RFC 1950), otherwise like
// Append.
func (e *Encoder) AppendZlib(dst, src []byte) []byte {
	dst, _ = e.AppendZlibLimit(dst, src, unlimited)
	return dst
}

// AppendZlibLimit is AppendZlib for a caller to whom a stream of more than
// limit bytes is of no use. It reports false, and returns dst as it was, once
// it knows that the stream would be longer, which is mostly before any of it
// is written.
func (e *Encoder) AppendZlibLimit(dst, src []byte, limit int) ([]byte, bool) {
	const wrapper = 2 + 4
	if limit < wrapper {
		return dst, false
	}
	out := append(dst, zlibMethod, e.zlibFlags())
	out, ok := e.deflate(out, src, limit-wrapper)
	if !ok {
		return dst, false
	}
	return binary.BigEndian.AppendUint32(out, Adler32(src)), true
}

// AppendGzip appends src to dst as one gzip member (RFC 1952) without name or
// modification time and with operating system "unknown", otherwise like
// Append.
func (e *Encoder) AppendGzip(dst, src []byte) []byte {
	extra := byte(0)
	if e.level >= 9 {
		extra = 2 // "maximum compression, slowest algorithm"
	}
	dst = append(dst, 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, extra, 255)
	dst = e.Append(dst, src)
	dst = binary.LittleEndian.AppendUint32(dst, crc32.ChecksumIEEE(src))
	return binary.LittleEndian.AppendUint32(dst, uint32(len(src)))
}

// zlibMethod is the first byte of a zlib stream: DEFLATE, 32 KiB window.
const zlibMethod = 0x78

// zlibFlags is the second byte: the level in two bits, as zlib classes its
// own levels, and the check that makes the two bytes a multiple of 31.
func (e *Encoder) zlibFlags() byte {
	class := 3 // 7 and up: maximum compression
	switch {
	case e.level < 6:
		class = 1
	case e.level == 6:
		class = 2 // the default
	}
	head := zlibMethod<<8 | class<<6
	return byte(head + 31 - head%31)
}

// unlimited is a limit that no slice reaches.
const unlimited = int(^uint(0) >> 1)

// deflate appends a raw stream to dst, or gives up as soon as it would be
// longer than limit bytes.
func (e *Encoder) deflate(dst, src []byte, limit int) ([]byte, bool) {
	e.parser.reset(len(src))
	e.block.reset(dst, src, limit)
	for pos := 0; ; {
		seqs, end := e.parser.segment(src, pos, e.seqs[:0], e.split)
		e.seqs = seqs[:0]
		for i, c := range e.split.blocks {
			final := end == len(src) && i == len(e.split.blocks)-1
			if !e.block.write(c, seqs[c.firstSeq:c.endSeq], final) {
				e.block.finish()
				return dst, false
			}
		}
		pos = end
		if pos == len(src) {
			return e.block.finish(), true
		}
	}
}
