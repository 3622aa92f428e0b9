package bench

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"time"

	"strata/region/codec"
)

// enter makes the contenders for the kind at hand: ours first, then the Go
// libraries, then outside programs.
func (r *compressionRun) enter(ctx context.Context) error {
	r.rows = nil
	for _, scheme := range r.opts.Schemes {
		for _, l := range r.opts.Levels {
			name := LevelName(l.String())
			if scheme == codec.None || scheme == codec.LZ4 {
				name = "-"
			}
			err := r.enterGo("strata", scheme.String(), name, func() (zlibCodec, error) { return newSchemeCodec(scheme, l) })
			if err != nil {
				return err
			}
			if name == "-" {
				break // all levels are the same
			}
		}
	}
	for _, l := range r.opts.referenceLevels() {
		level := LevelName(strconv.Itoa(l))
		if err := r.enterGo("stdlib", "zlib", level, func() (zlibCodec, error) { return newStdlibCodec(l) }); err != nil {
			return err
		}
		if err := r.enterGo("klauspost", "zlib", level, func() (zlibCodec, error) { return newKlauspostCodec(l) }); err != nil {
			return err
		}
	}
	for _, p := range r.programs {
		if err := p.load(ctx, r.docs); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			r.drop(p.name, err)
			continue
		}
		for _, l := range r.opts.referenceLevels() {
			s := &compressionSeries{compressionContender: &outsideCodec{p, l}}
			s.row = CompressionRow{Name: p.name, Scheme: "zlib", Level: LevelName(strconv.Itoa(l)), Kind: r.kind.Kind,
				Version: p.version, MemoryBytes: -1, AllocBytes: -1}
			r.rows = append(r.rows, s)
		}
	}
	return ctx.Err()
}

// enterGo adds a codec that is a Go package, and measures what it keeps.
func (r *compressionRun) enterGo(name, scheme string, level LevelName, open func() (zlibCodec, error)) error {
	c := &goCodec{judged: name == "strata" && scheme == "zlib"}
	s := &compressionSeries{compressionContender: c}
	s.row = CompressionRow{Name: name, Scheme: scheme, Level: level, Kind: r.kind.Kind}
	var before, opened, used, again runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var err error
	if c.codec, err = open(); err != nil {
		return fmt.Errorf("%s %s %s: %w", name, scheme, level, err)
	}
	few := r.docs[:min(len(r.docs), 8)]
	if err := r.useCodec(c.codec, few); err != nil {
		return fmt.Errorf("%s %s %s: %w", name, scheme, level, err)
	}
	runtime.ReadMemStats(&opened)
	if err := r.useCodec(c.codec, few); err != nil {
		return fmt.Errorf("%s %s %s: %w", name, scheme, level, err)
	}
	runtime.ReadMemStats(&used)
	runtime.GC()
	runtime.ReadMemStats(&again)
	runtime.KeepAlive(c)
	s.row.MemoryBytes = max(0, int64(again.HeapAlloc)-int64(before.HeapAlloc))
	s.row.AllocBytes = int64(used.TotalAlloc-opened.TotalAlloc) / int64(len(few))
	r.rows = append(r.rows, s)
	return nil
}

// useCodec sends documents there and back through a codec, in memory that is
// there already.
func (r *compressionRun) useCodec(c zlibCodec, docs []Document) (err error) {
	for _, d := range docs {
		if r.scratch.streams.buf, err = c.compress(r.scratch.streams.buf[:0], d.Data); err != nil {
			return err
		}
		if r.payload, err = c.decompress(r.payload[:0], r.scratch.streams.buf); err != nil {
			return err
		}
	}
	return nil
}

// goCodec is a codec that runs in this process.
type goCodec struct {
	codec zlibCodec
	// judged says that the standard library must be able to read the streams.
	judged bool
}

var _ compressionContender = (*goCodec)(nil)

func (c *goCodec) pass(ctx context.Context, r *compressionRun, into *codecPass, check bool) (err error) {
	into.streams.reset()
	start := time.Now()
	for i, d := range r.docs {
		begun := r.clock.elapsed()
		into.streams.buf, err = c.codec.compress(into.streams.buf, d.Data)
		into.compress[i] = r.clock.elapsed() - begun
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("compress chunk %d: %w", i, err)
		}
		into.streams.ends = append(into.streams.ends, len(into.streams.buf))
	}
	middle := time.Now()
	for i := range r.docs {
		begun := r.clock.elapsed()
		r.payload, err = c.codec.decompress(r.payload[:0], into.streams.stream(i))
		into.decompress[i] = r.clock.elapsed() - begun
		if err == nil {
			err = ctx.Err()
		}
		if err == nil && check && !bytes.Equal(r.payload, r.docs[i].Data) {
			err = fmt.Errorf("decodes to other bytes")
		}
		if err != nil {
			return fmt.Errorf("decompress chunk %d: %w", i, err)
		}
	}
	into.compressWall, into.decompressWall = middle.Sub(start), time.Since(middle)
	if check && c.judged {
		return r.judge(&into.streams)
	}
	return nil
}

// judge reads streams of ours with the standard library.
func (r *compressionRun) judge(a *streamArena) error {
	for i, d := range r.docs {
		in, err := zlib.NewReader(bytes.NewReader(a.stream(i)))
		if err != nil {
			return fmt.Errorf("chunk %d: the standard library: %w", i, err)
		}
		// One byte more than there should be, so that more is seen.
		back, err := io.ReadAll(io.LimitReader(in, int64(len(d.Data))+1))
		if err != nil {
			return fmt.Errorf("chunk %d: the standard library: %w", i, err)
		}
		if !bytes.Equal(back, d.Data) {
			return fmt.Errorf("chunk %d: the standard library decodes other bytes", i)
		}
	}
	return nil
}

// schemeCodec is what region writers and readers call, with any scheme.
type schemeCodec struct {
	encoder *codec.Encoder
	decoder codec.Decoder
}

func newSchemeCodec(s codec.Scheme, l codec.Level) (*schemeCodec, error) {
	e, err := codec.NewEncoder(s, l)
	if err != nil {
		return nil, err
	}
	return &schemeCodec{encoder: e}, nil
}

func (c *schemeCodec) compress(dst, src []byte) ([]byte, error) { return c.encoder.Append(dst, src) }

func (c *schemeCodec) decompress(dst, stream []byte) ([]byte, error) {
	return c.decoder.Append(dst, c.encoder.Scheme(), stream, 0)
}
