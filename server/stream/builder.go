package stream

import (
	"bytes"
	"fmt"
	"runtime/debug"

	"strata/anvil/chunk"
	"strata/anvil/registry"
	"strata/server/protocol"
)

// builder makes frames, with scratch of its own.
type builder struct {
	opts     *CacheOptions
	encoders map[registry.Version]*Encoder
	framer   *protocol.Framer
	packet   []byte
	frame    []byte
}

func newBuilder(o *CacheOptions) *builder {
	return &builder{opts: o, encoders: make(map[registry.Version]*Encoder)}
}

// build makes the frame of a chunk, in memory of its own size. A panic is an
// error: it is about one chunk.
func (b *builder) build(v registry.Version, c *chunk.Chunk, shape Shape) (frame []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			frame, err = nil, fmt.Errorf("packet of chunk %v: panic: %v\n%s", c.Pos(), p, debug.Stack())
			*b = *newBuilder(b.opts)
		}
	}()
	e := b.encoders[v]
	if e == nil {
		if e, err = NewEncoder(v, b.opts.Encoder); err != nil {
			return nil, err
		}
		b.encoders[v] = e
	}
	if b.packet, err = e.AppendChunk(b.packet[:0], c, shape); err != nil {
		return nil, err
	}
	if b.frame, err = b.wrap(b.frame[:0], b.packet); err != nil {
		return nil, fmt.Errorf("chunk %v: %w", c.Pos(), err)
	}
	return bytes.Clone(b.frame), nil
}

func (b *builder) wrap(dst, packet []byte) (_ []byte, err error) {
	if b.opts.Threshold == protocol.NoCompression {
		return protocol.AppendFrame(dst, packet)
	}
	if b.framer == nil {
		if b.framer, err = protocol.NewFramer(b.opts.Threshold, b.opts.Level); err != nil {
			return dst, err
		}
	}
	return b.framer.AppendFrame(dst, packet)
}
