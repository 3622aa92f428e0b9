package flate

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"strings"
	"testing"
	"time"
)

func zlibStream(raw []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write(raw)
	w.Close()
	return b.Bytes()
}

func gzipMember(raw []byte, head gzip.Header) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Header = head
	w.Write(raw)
	w.Close()
	return b.Bytes()
}

var wrapped = bytes.Repeat([]byte("a zlib or gzip stream "), 12)

func TestZlibChecksHeaderAndTrailer(t *testing.T) {
	good := zlibStream(wrapped)
	with := func(change func(b []byte) []byte) []byte { return change(bytes.Clone(good)) }
	for _, k := range []struct {
		name string
		src  []byte
		want error
	}{
		{"good", good, nil},
		{"nothing", nil, ErrTruncated},
		{"one byte", good[:1], ErrTruncated},
		{"header only", good[:2], ErrTruncated},
		{"method", with(func(b []byte) []byte { return append([]byte{0x79, 0x9C - 8}, b[2:]...) }), ErrHeader},
		{"window", with(func(b []byte) []byte { return append([]byte{0x88, 0x1C}, b[2:]...) }), ErrHeader},
		{"check bits", with(func(b []byte) []byte { b[1]++; return b }), ErrHeader},
		{"dictionary", with(func(b []byte) []byte { return append([]byte{0x78, 0xBB, 0, 0, 0, 1}, b[2:]...) }), ErrDictionary},
		{"small window", with(func(b []byte) []byte { return append([]byte{0x08, 0x1D}, b[2:]...) }), nil},
		{"no checksum", good[:len(good)-4], ErrTruncated},
		{"half a checksum", good[:len(good)-1], ErrTruncated},
		{"checksum", with(func(b []byte) []byte { b[len(b)-1]++; return b }), ErrChecksum},
		{"damage inside", with(func(b []byte) []byte { b[2] = 7; return b }), ErrCorrupt},
	} {
		t.Run(k.name, func(t *testing.T) {
			var d Decoder
			dst := []byte("dst")
			got, n, err := d.AppendZlib(dst, k.src, 0)
			if !errors.Is(err, k.want) {
				t.Fatalf("%v, want %v", err, k.want)
			}
			if err != nil {
				var e *Error
				if !errors.As(err, &e) || e.Format != "zlib" || n != 0 || string(got) != "dst" {
					t.Errorf("%#v, %d, %q", err, n, got)
				}
				return
			}
			if n != len(k.src) || string(got) != "dst"+string(wrapped) {
				t.Errorf("%d of %d, %q", n, len(k.src), got)
			}
		})
	}
}

func TestZlibAgreesWithStandardLibraryOnDamage(t *testing.T) {
	var d Decoder
	readStd := func(src []byte) ([]byte, error) {
		r, err := zlib.NewReader(bytes.NewReader(src))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(r)
	}
	damage(zlibStream(wrapped), func(src []byte) {
		got, _, err := d.AppendZlib(nil, src, 0)
		want, wantErr := readStd(src)
		if (err == nil) != (wantErr == nil) || err == nil && !bytes.Equal(got, want) {
			t.Fatalf("%v, the standard library has %v\ninput %x", err, wantErr, src)
		}
		if errors.Is(err, ErrHeader) != (wantErr == zlib.ErrHeader) || errors.Is(err, ErrChecksum) != (wantErr == zlib.ErrChecksum) {
			t.Fatalf("%v, the standard library has %v\ninput %x", err, wantErr, src)
		}
	})
}

// damage calls f with each truncation of src and each flip of a bit.
func damage(src []byte, f func(src []byte)) {
	for cut := range src {
		f(src[:cut])
	}
	for bit := range len(src) * 8 {
		src[bit/8] ^= 1 << (bit % 8)
		f(src)
		src[bit/8] ^= 1 << (bit % 8)
	}
}

func fullHeader() gzip.Header {
	return gzip.Header{Comment: "a comment", Extra: []byte("extra"), ModTime: time.Unix(1e9, 0), Name: "level.dat", OS: 3}
}

// withHeaderCRC adds the header checksum that compress/gzip does not write.
func withHeaderCRC(member []byte, headerLen int) []byte {
	out := bytes.Clone(member[:headerLen])
	out[3] |= gzipHeaderCRC
	out = binary.LittleEndian.AppendUint16(out, uint16(crc32.ChecksumIEEE(out)))
	return append(out, member[headerLen:]...)
}

func TestGzipReadsHeadersAndMembers(t *testing.T) {
	plain := gzipMember(wrapped, gzip.Header{OS: 255})
	full := gzipMember([]byte("second"), fullHeader())
	fullLen := 10 + 2 + 5 + len("level.dat") + 1 + len("a comment") + 1
	empty := gzipMember(nil, gzip.Header{})
	longName := gzipMember(wrapped, gzip.Header{Name: strings.Repeat("n", 5000)})
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	for _, k := range []struct {
		name string
		src  []byte
		out  string
		rest int // bytes at the end that are not part of the file
	}{
		{"plain", plain, string(wrapped), 0},
		{"all fields", full, "second", 0},
		{"header checksum", withHeaderCRC(full, fullLen), "second", 0},
		{"header checksum alone", withHeaderCRC(plain, 10), string(wrapped), 0},
		{"empty member", empty, "", 0},
		{"members", join(plain, empty, full, plain), string(wrapped) + "second" + string(wrapped), 0},
		{"zeros behind it", join(plain, make([]byte, 20)), string(wrapped), 20},
		{"other data behind it", join(full, []byte{0x1F, 0x8B, 9}), "second", 3},
		{"half a magic number behind it", join(full, []byte{0x1F, 0x8B}), "second", 2},
		{"long name", longName, string(wrapped), 0},
	} {
		t.Run(k.name, func(t *testing.T) {
			var d Decoder
			for _, spare := range []int{0, 5000} {
				got, n, err := d.AppendGzip(make([]byte, 1, 1+spare), k.src, 0)
				if err != nil || string(got[1:]) != k.out || n != len(k.src)-k.rest {
					t.Fatalf("%q, %d of %d, %v", got, n, len(k.src), err)
				}
			}
		})
	}
}

func TestGzipRefusesDamage(t *testing.T) {
	good := gzipMember(wrapped, gzip.Header{})
	change := func(i int) []byte {
		b := bytes.Clone(good)
		b[(i+len(b))%len(b)] ^= 0x40
		return b
	}
	crc := withHeaderCRC(good, 10)
	crc[10]++
	// A member whose match reaches one byte back, into the member before it.
	var c crafter
	fixedLit, fixedDist := fixedLens()
	c.start(true, 1)
	c.put(canonical(fixedLit)[257])
	c.put(canonical(fixedDist)[0])
	c.put(canonical(fixedLit)[endOfBlock])
	reaching := append(bytes.Clone(good), good[:10]...)
	reaching = append(append(reaching, c.out...), make([]byte, 32)...)
	for _, k := range []struct {
		name string
		src  []byte
		want error
	}{
		{"nothing", nil, ErrTruncated},
		{"header cut off", good[:9], ErrTruncated},
		{"magic", change(0), ErrHeader},
		{"method", change(2), ErrHeader},
		{"header checksum", crc, ErrHeader},
		{"CRC-32", change(-8), ErrChecksum},
		{"length", change(-1), ErrChecksum},
		{"trailer cut off", good[:len(good)-1], ErrTruncated},
		{"second member cut off", append(bytes.Clone(good), good[:5]...), ErrTruncated},
		{"match into the member before", reaching, ErrCorrupt},
	} {
		t.Run(k.name, func(t *testing.T) {
			var d Decoder
			got, n, err := d.AppendGzip([]byte("dst"), k.src, 0)
			var e *Error
			if !errors.Is(err, k.want) || !errors.As(err, &e) || e.Format != "gzip" || n != 0 || string(got) != "dst" {
				t.Fatalf("%v, want %v; %d, %q", err, k.want, n, got)
			}
		})
	}
}

func TestGzipLimitHoldsForAllMembers(t *testing.T) {
	member := gzipMember(wrapped, gzip.Header{})
	src := bytes.Repeat(member, 3)
	var d Decoder
	for _, spare := range []int{0, 4 * len(wrapped)} {
		dst := make([]byte, 0, spare)
		if got, _, err := d.AppendGzip(dst, src, 3*len(wrapped)); err != nil || len(got) != 3*len(wrapped) {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
		if _, _, err := d.AppendGzip(dst, src, 3*len(wrapped)-1); !errors.Is(err, ErrLimit) {
			t.Fatalf("error %v", err)
		}
		// A limit used up by the first member must not become "no limit".
		if _, _, err := d.AppendGzip(dst, src, len(wrapped)); !errors.Is(err, ErrLimit) {
			t.Fatalf("error %v", err)
		}
	}
}

func TestGzipAgreesWithStandardLibraryOnDamage(t *testing.T) {
	var d Decoder
	readStd := func(src []byte) ([]byte, error) {
		r, err := gzip.NewReader(bytes.NewReader(src))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(r)
	}
	full := gzipMember([]byte("second"), fullHeader())
	src := withHeaderCRC(full, 10+2+5+len("level.dat")+1+len("a comment")+1)
	src = append(gzipMember(wrapped, gzip.Header{}), src...)
	first := len(gzipMember(wrapped, gzip.Header{}))
	damage(src, func(src []byte) {
		got, n, err := d.AppendGzip(nil, src, 0)
		want, wantErr := readStd(src)
		if err == nil && n == first {
			// What follows is no member any more; there the standard library
			// sees a damaged one, and we the end.
			if !bytes.Equal(got, wrapped) || len(src) > n && wantErr == nil {
				t.Fatalf("%q, the standard library has %q, %v\ninput %x", got, want, wantErr, src)
			}
			return
		}
		if (err == nil) != (wantErr == nil) || err == nil && !bytes.Equal(got, want) {
			t.Fatalf("%v, the standard library has %v\ninput %x", err, wantErr, src)
		}
	})
}
