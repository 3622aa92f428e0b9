package stream

import (
	"bytes"
	"errors"
	"sync"
	"testing"
	"time"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/registry"
	"strata/region"
	"strata/server/protocol"
)

func newCache(t *testing.T, o CacheOptions) *Cache {
	t.Helper()
	c, err := NewCache(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil && !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
	})
	return c
}

func emptyChunk(t *testing.T, tables *chunk.Tables, pos region.ChunkPos) *chunk.Chunk {
	t.Helper()
	c, err := chunk.New(tables, pos, chunk.Options{DataVersion: 4903, MinSection: -4, Sections: 24})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// await asks until there is a frame.
func await(t *testing.T, cache *Cache, k Key, c *chunk.Chunk) []byte {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
		frame, err := cache.Frame(k, c.Revision(), shapeOf(c), func() (*chunk.Chunk, error) { return c.Clone(), nil })
		if err != nil {
			t.Fatal(err)
		}
		if frame != nil {
			return frame
		}
		if time.Now().After(deadline) {
			t.Fatal("no frame came")
		}
	}
}

// unframe reads the packet of a frame.
func unframe(t *testing.T, frame []byte, threshold int) []byte {
	t.Helper()
	r := protocol.NewFrameReader(bytes.NewReader(frame), protocol.MaxFrame)
	r.SetThreshold(threshold)
	data, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestFramesAreMadeOnceForAllViewersOfAVersion(t *testing.T) {
	tables := chunk.NewTables()
	c := emptyChunk(t, tables, region.ChunkPos{X: 4, Z: -7})
	for _, threshold := range []int{256, protocol.NoCompression} {
		cache := newCache(t, CacheOptions{Encoder: EncoderOptions{Tables: tables}, Threshold: threshold})
		for _, v := range registry.Versions() {
			k := Key{0, c.Pos(), v}
			first := await(t, cache, k, c)
			if second := await(t, cache, k, c); &first[0] != &second[0] {
				t.Error("the frame was made twice")
			}
			if cap(first) > len(first)+len(first)/4+64 {
				t.Errorf("a frame of %d bytes keeps %d", len(first), cap(first))
			}
			want, err := newEncoder(t, v, tables).AppendChunk(nil, c, shapeOf(c))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(unframe(t, first, threshold), want) {
				t.Error("the frame holds another packet")
			}
		}
		if m := cache.Metrics(); m.Built != 2 || m.Frames != 2 || m.Bytes <= 0 {
			t.Errorf("%+v", m)
		}
	}
}

func TestAChangedChunkHasANewFrame(t *testing.T) {
	tables := chunk.NewTables()
	c := emptyChunk(t, tables, region.ChunkPos{})
	cache := newCache(t, CacheOptions{Encoder: EncoderOptions{Tables: tables}, Threshold: 256})
	k := Key{0, c.Pos(), registry.V26_1}
	was := await(t, cache, k, c)
	c.SetBlock(1, 1, 1, block.Stone.Default())
	is := await(t, cache, k, c)
	if bytes.Equal(was, is) {
		t.Error("the frame is that of before")
	}
	cache.Forget(0, c.Pos())
	if m := cache.Metrics(); m.Frames != 0 || m.Bytes != 0 {
		t.Errorf("%+v after all was forgotten", m)
	}
}

func TestAChunkThatChangesAllTheTimeHasAFrameAllTheSame(t *testing.T) {
	tables := chunk.NewTables()
	c := emptyChunk(t, tables, region.ChunkPos{})
	cache := newCache(t, CacheOptions{Encoder: EncoderOptions{Tables: tables}, Threshold: 256})
	for n := range 10 {
		c.SetBlock(n, 1, 1, block.Stone.Default())
		frame, err := cache.Frame(Key{0, c.Pos(), registry.V26_2}, c.Revision(), shapeOf(c), func() (*chunk.Chunk, error) { return c.Clone(), nil })
		if err != nil {
			t.Fatal(err)
		}
		if frame != nil {
			want, _ := newEncoder(t, registry.V26_2, tables).AppendChunk(nil, c, shapeOf(c))
			if !bytes.Equal(unframe(t, frame, 256), want) {
				t.Error("the frame is not of the chunk as it is")
			}
			return
		}
	}
	t.Error("no frame in ten ticks")
}

func TestTheCacheKeepsToItsBytes(t *testing.T) {
	tables := chunk.NewTables()
	const limit = 200 << 10
	cache := newCache(t, CacheOptions{Encoder: EncoderOptions{Tables: tables}, Threshold: protocol.NoCompression, MaxBytes: limit})
	chunks := corpusChunks(t, tables, 50)
	for _, c := range chunks {
		await(t, cache, Key{0, c.Pos(), registry.V26_1}, c)
		if m := cache.Metrics(); m.Bytes > limit && m.Frames > 1 {
			t.Fatalf("%+v", m)
		}
	}
	if m := cache.Metrics(); m.Evicted == 0 {
		t.Errorf("%+v: nothing was evicted", m)
	}
}

func TestErrorsOfAChunkAreToldAndClosingEndsAll(t *testing.T) {
	tables := chunk.NewTables()
	c := emptyChunk(t, tables, region.ChunkPos{})
	cache := newCache(t, CacheOptions{Encoder: EncoderOptions{Tables: tables}, Threshold: 256})
	var err error
	for deadline := time.Now().Add(20 * time.Second); err == nil && time.Now().Before(deadline); {
		_, err = cache.Frame(Key{0, c.Pos(), registry.V26_1}, 1, Shape{}, func() (*chunk.Chunk, error) { return c.Clone(), nil })
	}
	if !errors.Is(err, ErrShape) {
		t.Errorf("a shape that cannot be: %v", err)
	}
	lost := errors.New("lost")
	if _, err := cache.Frame(Key{1, c.Pos(), registry.V26_1}, 1, Shape{}, func() (*chunk.Chunk, error) { return nil, lost }); !errors.Is(err, lost) {
		t.Errorf("a snapshot that fails: %v", err)
	}
	if err := cache.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := cache.Frame(Key{}, 0, Shape{}, nil); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	for _, o := range []CacheOptions{{}, {Encoder: EncoderOptions{Tables: tables}, Level: 10}, {Encoder: EncoderOptions{Tables: tables}, Threshold: -2}, {Encoder: EncoderOptions{Tables: tables}, Builders: -1}} {
		if _, err := NewCache(o); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestTheCacheIsForManyGoroutines(t *testing.T) {
	tables := chunk.NewTables()
	cache := newCache(t, CacheOptions{Encoder: EncoderOptions{Tables: tables}, Threshold: 256, MaxBytes: 20 << 10, Builders: 2})
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for n := range 200 {
				c, err := chunk.New(tables, region.ChunkPos{X: int32(n % 7)}, chunk.Options{DataVersion: 4903, MinSection: -4, Sections: 24})
				if err != nil {
					t.Error(err)
					return
				}
				k := Key{0, c.Pos(), registry.Versions()[g%2]}
				if _, err := cache.Frame(k, uint64(n/20), Shape{-4, 20}, func() (*chunk.Chunk, error) { return c, nil }); err != nil {
					t.Error(err)
				}
				if n%31 == 0 {
					cache.Forget(0, c.Pos())
				}
			}
		})
	}
	wg.Wait()
}
