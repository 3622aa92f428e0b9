package bench

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"strata/region"
	"strata/region/codec"
)

// reader gets one chunk in one way. It returns what it got, valid until the
// next call.
type reader struct {
	name, op string
	get      func(slot int) ([]byte, error)
}

// read measures read and inflate on the sample's file.
func (r *storageRun) read(ctx context.Context) error {
	file, err := region.Open(r.sample.path, region.Options{FS: r.fs, ReadOnly: true})
	if err != nil {
		return err
	}
	defer file.Close()
	bare, err := os.Open(r.sample.path)
	if err != nil {
		return err
	}
	defer bare.Close()
	// Two of a kind, so that taking turns is swapping them.
	kinds := [][]reader{
		{strataRead(file), bareRead(bare, file)},
		{strataInflate(file), stdlibInflate(file)},
	}
	sizes := []int64{r.sample.streamBytes, r.sample.rawBytes}
	all := make([][]*series, len(kinds))
	for k, readers := range kinds {
		for _, rd := range readers {
			if err := r.checkReader(ctx, rd); err != nil {
				return err
			}
			all[k] = append(all[k], newSeries(rd.name, rd.op, threadClockKind, len(r.sample.raw), sizes[k]))
		}
	}
	r.begin("pread", all[0]...)
	r.begin("stdlib", all[1]...)
	for pass := range r.Passes {
		for k, readers := range kinds {
			for turn := range readers {
				i := (pass + turn) % len(readers)
				if err := r.readPass(ctx, all[k][i], readers[i]); err != nil {
					return fmt.Errorf("%s, %s: %w", readers[i].op, readers[i].name, err)
				}
			}
		}
		r.step()
	}
	r.addUnfinished()
	return nil
}

// checkReader compares what the reader gets with the sample, once. That also
// warms what it keeps from call to call, and the page cache.
func (r *storageRun) checkReader(ctx context.Context, rd reader) error {
	for i := range r.sample.raw {
		if err := ctx.Err(); err != nil {
			return err
		}
		got, err := rd.get(i)
		if err != nil {
			return err
		}
		want := r.sample.records[i].Data
		if rd.op == "inflate" {
			want = r.sample.raw[i]
		}
		if !bytes.Equal(got, want) {
			return fmt.Errorf("%s, %s: chunk %d is not what was written", rd.op, rd.name, i)
		}
	}
	return nil
}

// readPass reads all chunks, once for the time of the pass and once for the
// times of the single chunks, so that reading the clock does not count there.
func (r *storageRun) readPass(ctx context.Context, s *series, rd reader) error {
	n := len(r.sample.raw)
	single := make([]time.Duration, n)
	clock := startThreadClock()
	defer clock.stop()
	for i := range n {
		if _, err := rd.get(i); err != nil {
			return err
		}
	}
	took := clock.elapsed()
	for i := range n {
		before := clock.elapsed()
		if _, err := rd.get(i); err != nil {
			return err
		}
		single[i] = clock.elapsed() - before
	}
	s.pass(took, single)
	return ctx.Err()
}

func strataRead(file *region.File) reader {
	var buf []byte
	return reader{"strata", "read", func(slot int) ([]byte, error) {
		rec, err := file.Read(region.Slot(slot), buf)
		buf = rec.Buffer()
		return rec.Data, err
	}}
}

// bareRead reads the sectors of a record that are known to hold its stream,
// and checks nothing.
func bareRead(bare *os.File, file *region.File) reader {
	header := file.Header()
	var buf []byte
	return reader{"pread", "read", func(slot int) ([]byte, error) {
		l := header.Location(region.Slot(slot))
		n := int(l.Count()) * region.SectorBytes
		if cap(buf) < n {
			buf = make([]byte, n)
		}
		b := buf[:n]
		if _, err := bare.ReadAt(b, int64(l.Sector())*region.SectorBytes); err != nil {
			return nil, err
		}
		length := int(b[0])<<24 | int(b[1])<<16 | int(b[2])<<8 | int(b[3])
		return b[region.RecordHeaderBytes : 4+length], nil
	}}
}

func strataInflate(file *region.File) reader {
	var dec codec.Decoder
	var buf, out []byte
	return reader{"strata", "inflate", func(slot int) ([]byte, error) {
		got, rec, err := file.Decode(region.Slot(slot), &dec, buf, out[:0])
		buf, out = rec.Buffer(), got
		return out, err
	}}
}

// stdlibInflate reads as strataInflate does and inflates with compress/zlib, kept
// from call to call.
func stdlibInflate(file *region.File) reader {
	var z io.ReadCloser
	var buf []byte
	var in bytes.Reader
	var out bytes.Buffer
	return reader{"stdlib", "inflate", func(slot int) ([]byte, error) {
		rec, err := file.Read(region.Slot(slot), buf)
		if err != nil {
			return nil, err
		}
		buf = rec.Buffer()
		in.Reset(rec.Data)
		if z == nil {
			z, err = zlib.NewReader(&in)
		} else if resetter, ok := z.(zlib.Resetter); ok {
			err = resetter.Reset(&in, nil)
		} else {
			err = errors.New("zlib reader cannot be reused")
		}
		if err != nil {
			return nil, err
		}
		out.Reset()
		_, err = out.ReadFrom(z)
		return out.Bytes(), err
	}}
}
