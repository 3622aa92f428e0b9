package codec

import (
	"bytes"
	"errors"
	"testing"
)

const fuzzLimit = 1 << 20

// FuzzDecode feeds any bytes to any scheme: no panic, never more output than
// the limit, memory in proportion, and always a documented error.
func FuzzDecode(f *testing.F) {
	small := []byte("hello, hello, hello, chunk")
	for _, kind := range []encoderKind{{Gzip, 6}, {Zlib, 1}, {Zlib, 6}, {None, 0}, {LZ4, 0}} {
		f.Add(byte(kind.Scheme), encode(f, kind.new(f), small))
		f.Add(byte(kind.Scheme), encode(f, kind.new(f), nil))
	}
	f.Add(byte(Custom), []byte("\x00\x03a:b"))
	f.Add(byte(0x82), []byte{})
	var d Decoder
	f.Fuzz(func(t *testing.T, scheme byte, stream []byte) {
		s := Scheme(scheme)
		out, n, err := d.AppendN([]byte("kept"), s, stream, fuzzLimit)
		if err != nil {
			if string(out) != "kept" || n < 0 || n > len(stream) {
				t.Fatalf("on error: %d bytes, %d taken", len(out), n)
			}
			if !typed(err, s) && !(errors.Is(err, ErrUnknownScheme) && !s.Known()) {
				t.Fatalf("undocumented error: %v", err)
			}
		} else {
			if !s.Known() || len(out)-4 > fuzzLimit || n > len(stream) || !bytes.HasPrefix(out, []byte("kept")) {
				t.Fatalf("%v: %d bytes from %d of %d", s, len(out)-4, n, len(stream))
			}
			// The stream ends where it says it does.
			again, m, err := d.AppendN(nil, s, stream[:n], fuzzLimit)
			if err != nil || m != n || !bytes.Equal(again, out[4:]) {
				t.Fatalf("%v: without its trailing bytes: %d bytes, took %d of %d, %v", s, len(again), m, n, err)
			}
		}
		// No stream of any scheme holds more than 1032 times its own size;
		// growing in steps may double that.
		if most := 2*1032*len(stream) + 4096; cap(out) > most || cap(out) > 3*fuzzLimit {
			t.Fatalf("%v: %d bytes of memory for a stream of %d", s, cap(out), len(stream))
		}
		if s == Custom {
			if name, err := CustomName(stream); err == nil && len(name) > 3*len(stream) {
				t.Fatalf("name of %d bytes from %d", len(name), len(stream))
			}
		}
	})
}

// FuzzLZ4Frame builds a stream whose first header is the fuzzer's and whose
// checksum is right, so that the fuzzer gets past it.
func FuzzLZ4Frame(f *testing.F) {
	f.Add(byte(0x16), uint32(5), []byte("hello"), []byte{})
	f.Add(byte(0x26), uint32(20), []byte("\x1fa\x01\x00\x50aaaaa"), []byte("hello, hello"))
	f.Add(byte(0x2f), uint32(1<<25), []byte{0xff}, []byte{})
	var d Decoder
	f.Fuzz(func(t *testing.T, token byte, original uint32, body, tail []byte) {
		plain := make([]byte, min(original, 1<<16))
		copy(plain, tail)
		stream := []byte(lz4Stream{}.block(token&0xF0, 10+int(token&0x0F), body, int(original), xxh32(plain, lz4Seed)&lz4ChecksumMask))
		stream = append(lz4Stream(append(stream, tail...)), lz4Stream{}.end()...)
		out, n, err := d.AppendN(nil, LZ4, stream, fuzzLimit)
		if err != nil && !typed(err, LZ4) || len(out) > fuzzLimit || n > len(stream) {
			t.Fatalf("%d bytes from %d of %d, %v", len(out), n, len(stream), err)
		}
		if err == nil && n < len(stream) && len(tail) == 0 {
			t.Fatalf("took %d of %d bytes", n, len(stream))
		}
		// tail as payload, after whatever the first stream did to d.
		e := encoderKind{LZ4, 0}.new(t)
		if got, err := d.Append(nil, LZ4, encode(t, e, tail), 0); err != nil || !bytes.Equal(got, tail) {
			t.Fatalf("round trip after damage: %v", err)
		}
	})
}

// FuzzRoundTrip encodes any bytes with any encoder, reused between inputs.
func FuzzRoundTrip(f *testing.F) {
	for _, src := range payloads()[:4] {
		f.Add(byte(0), src)
	}
	f.Add(byte(14), []byte("hello, hello, hello"))
	kinds := encoders()
	reused := make([]*Encoder, len(kinds))
	var d Decoder
	f.Fuzz(func(t *testing.T, which byte, src []byte) {
		i := int(which) % len(kinds)
		if reused[i] == nil {
			reused[i] = kinds[i].new(t)
		}
		checkRoundTrip(t, reused[i], &d, src, kinds[i].String())
	})
}
