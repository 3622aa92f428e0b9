package store

import (
	"errors"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"strata/anvil/chunk"
	"strata/nbt"
	"strata/region/codec"
)

// pool keeps things that are made once and used by one goroutine at a time.
type pool[T any] struct {
	make func() *T
	mu   sync.Mutex
	free []*T
}

func (p *pool[T]) get() *T {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n > 0 {
		x := p.free[n-1]
		p.free = p.free[:n-1]
		return x
	}
	return p.make()
}

func (p *pool[T]) put(x *T) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, x)
}

// encoder makes payloads of contents.
type encoder struct {
	chunks  chunk.Encoder
	streams *codec.Encoder
	data    []byte
	stream  []byte
}

func (s *Store) newLoadWorker() *loadWorker {
	w := &loadWorker{chunks: chunk.NewDecoder(s.tables)}
	w.chunks.Limits = nbt.Limits{Bytes: maxDocument}
	return w
}

func (s *Store) newEncoder() *encoder {
	e, err := codec.NewEncoder(codec.Zlib, s.opts.Level)
	if err != nil {
		panic(err) // Open has made one with the same level
	}
	return &encoder{streams: e}
}

// save is the part of one object in an epoch.
type save struct {
	o       *object
	value   content // nil: the object is deleted
	bytes   int64   // counted as flying
	before  digest  // of what is on the disk
	sum     digest  // of value
	payload []byte
	size    int64 // estimate of what value takes in memory
	elided  bool
	rescued bool
	err     error // of encoding or staging it
}

// encodeAll makes the payloads of an epoch. What has the content that is on
// the disk already is elided: saves of one object never overlap, so that is
// the last acknowledged version.
func (s *Store) encodeAll(saves []*save) {
	var g errgroup.Group
	g.SetLimit(s.opts.Encoders)
	for _, sv := range saves {
		if sv.value == nil || sv.payload != nil || sv.elided || sv.rescued {
			continue
		}
		g.Go(func() error {
			e := s.encoders.get()
			defer s.encoders.put(e)
			s.encode(e, sv)
			return nil
		})
	}
	g.Wait() //nolint:errcheck // each save has its own error
}

func (s *Store) encode(e *encoder, sv *save) {
	start := time.Now()
	data, skip, err := sv.value.encode(e, e.data[:0])
	e.data = kept(data, e.data)
	if err != nil {
		sv.err = s.fail("encode", sv.o.ref, err)
		return
	}
	sv.size = max(int64(len(data)), minObject)
	if sv.o.ref.Kind == Chunks {
		sv.size += overhead
	}
	sv.sum = digestOf(data, skip)
	if sv.before.known && sv.before == sv.sum {
		sv.elided = true
		s.m.elided.Add(1)
		return
	}
	stream, err := e.streams.Append(e.stream[:0], data)
	e.stream = kept(stream, e.stream)
	if err != nil {
		sv.err = s.fail("compress", sv.o.ref, err)
		return
	}
	if len(stream) > s.streamLimit {
		sv.err = s.fail("compress", sv.o.ref, errors.New("stream is longer than the limit"))
		return
	}
	sv.payload = append(make([]byte, 0, len(stream)), stream...)
	s.m.bytesEncoded.Add(int64(len(data)))
	s.m.encodeTime.add(time.Since(start))
}
