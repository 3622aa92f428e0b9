package flate

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"

	kflate "github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"

	"strata/bench/testbed"
)

// reference decodes raw streams with another implementation, one reader reused
// for all of them.
type reference struct {
	name string
	// staleCodes: where a block has no distance codes it goes on with those of
	// the block before, of an earlier stream even (klauspost/compress 1.20.4),
	// so it accepts more than the format has.
	staleCodes bool

	in  bytes.Reader
	r   io.ReadCloser
	out []byte
}

func newStdReference() *reference {
	f := &reference{name: "compress/flate"}
	f.r = flate.NewReader(&f.in)
	return f
}

func newKlauspostReference() *reference {
	f := &reference{name: "klauspost", staleCodes: true}
	f.r = kflate.NewReader(&f.in)
	return f
}

// decode returns what the reference makes of src: all bytes up to the error if
// there is one, the input taken, the error. It stops beyond most bytes, with
// errTooMuch. The bytes hold until the next call.
func (f *reference) decode(src []byte, most int) (out []byte, n int, err error) {
	f.in.Reset(src)
	if err := f.r.(flate.Resetter).Reset(&f.in, nil); err != nil {
		return nil, 0, err
	}
	f.out = f.out[:0]
	for {
		if len(f.out) == cap(f.out) {
			f.out = append(f.out, make([]byte, 64<<10)...)[:len(f.out)]
		}
		n, err := f.r.Read(f.out[len(f.out):cap(f.out)])
		f.out = f.out[:len(f.out)+n]
		switch {
		case len(f.out) > most:
			return f.out, 0, errTooMuch
		case err == io.EOF:
			return f.out, len(src) - f.in.Len(), nil
		case err != nil:
			return f.out, 0, err
		}
	}
}

var errTooMuch = errors.New("more output than the test wants")

// agree fails the test unless d and the reference accept the same, with the
// same bytes and the same input taken. It reports whether src was accepted.
func agree(t testing.TB, d *Decoder, f *reference, src []byte) bool {
	t.Helper()
	got, n, err := d.Append(nil, src, agreeLimit)
	compare(t, f, src, got, n, err)
	return err == nil
}

// agreeLimit is the limit of what compare decodes again.
const agreeLimit = 1 << 20

// compare fails the test unless the reference makes of src what we made of it
// with agreeLimit.
func compare(t testing.TB, f *reference, src, got []byte, n int, err error) {
	t.Helper()
	want, wantN, wantErr := f.decode(src, agreeLimit)
	switch {
	case err == nil && wantErr == nil:
		if !bytes.Equal(got, want) || n != wantN {
			t.Fatalf("%d bytes from %d of input, %s has %d from %d\ninput %x", len(got), n, f.name, len(want), wantN, src)
		}
	case err == nil || wantErr == nil:
		if err != nil && f.staleCodes && strings.Contains(err.Error(), "unused") {
			return
		}
		t.Fatalf("result %v, %s has %v\ninput %x", err, f.name, wantErr, src)
	case errors.Is(err, ErrLimit) && wantErr != errTooMuch:
		// It met damage before it had as much output as we.
		t.Fatalf("result %v, %s has %d bytes and %v\ninput %x", err, f.name, len(want), wantErr, src)
	}
}

// chunks returns the NBT of real chunks.
func chunks(t testing.TB) [][]byte {
	t.Helper()
	path := testbed.Shared(t, "worlds", "chunks-998.bin.zst")
	all, err := loadChunks(path)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var (
	chunksOnce sync.Once
	chunksAll  [][]byte
	chunksErr  error
)

func loadChunks(path string) ([][]byte, error) {
	chunksOnce.Do(func() {
		var packed, raw []byte
		if packed, chunksErr = os.ReadFile(path); chunksErr != nil {
			return
		}
		var z *zstd.Decoder
		if z, chunksErr = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1)); chunksErr != nil {
			return
		}
		defer z.Close()
		if raw, chunksErr = z.DecodeAll(packed, nil); chunksErr != nil {
			return
		}
		// Records: u32 length of the NBT, u32 length as the game stored it, NBT.
		for len(raw) > 0 {
			n := int(binary.LittleEndian.Uint32(raw))
			chunksAll = append(chunksAll, raw[8:8+n])
			raw = raw[8+n:]
		}
	})
	return chunksAll, chunksErr
}
