package nbt

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"runtime"
	"testing"
)

func packed(tb testing.TB, document []byte, how Compression) []byte {
	tb.Helper()
	data, err := Pack([]byte("before"), document, how)
	if err != nil {
		tb.Fatal(err)
	}
	if !bytes.HasPrefix(data, []byte("before")) {
		tb.Fatal("Pack does not append")
	}
	return data[len("before"):]
}

func TestUnpackTellsHowADocumentIsCompressed(t *testing.T) {
	want := document(t)
	for _, how := range []Compression{Uncompressed, Gzip, Zlib} {
		t.Run(how.String(), func(t *testing.T) {
			got, found, err := Unpack(packed(t, want, how), Limits{})
			if err != nil || found != how || !bytes.Equal(got, want) {
				t.Errorf("%d bytes, %v, %v", len(got), found, err)
			}
			if !bytes.Equal(packed(t, want, how), packed(t, want, how)) {
				t.Error("other bytes the second time")
			}
		})
	}
	if _, err := Pack(nil, want, 3); err == nil {
		t.Error("packed with a compression that is none")
	}
}

func TestUnpackReadsEveryZlibLevel(t *testing.T) {
	want := document(t)
	for level := zlib.HuffmanOnly; level <= zlib.BestCompression; level++ {
		var to bytes.Buffer
		w, _ := zlib.NewWriterLevel(&to, level)
		w.Write(want)
		w.Close()
		got, how, err := Unpack(append(to.Bytes(), "trailing"...), Limits{})
		if err != nil || how != Zlib || !bytes.Equal(got, want) {
			t.Errorf("level %d: %v, %v", level, how, err)
		}
	}
}

// smallWindow makes a zlib stream claim a window of 256 bytes: its first byte
// is then the type of a string.
func smallWindow(tb testing.TB, document []byte) []byte {
	tb.Helper()
	data := packed(tb, document, Zlib)
	data[0], data[1] = 0x08, 0x1D
	return data
}

func TestUnpackTellsStringsFromZlib(t *testing.T) {
	short := []byte{byte(TypeByte), 0, 0, 7}
	if got, how, err := Unpack(smallWindow(t, short), Limits{}); err != nil || how != Zlib || !bytes.Equal(got, short) {
		t.Errorf("zlib: % x, %v, %v", got, how, err)
	}
	// A string as root whose name has 0x1D00 bytes, and one of no bytes.
	long := append([]byte{byte(TypeString), 0x1D, 0}, make([]byte, 0x1D00+2)...)
	if got, how, err := Unpack(long, Limits{}); err != nil || how != Uncompressed || len(got) != len(long) {
		t.Errorf("long name: %v, %v", how, err)
	}
	if _, how, err := Unpack([]byte{byte(TypeString), 0, 0, 0, 0}, Limits{}); err != nil || how != Uncompressed {
		t.Errorf("string: %v, %v", how, err)
	}
}

func TestUnpackReadsMembersAsJavaDoes(t *testing.T) {
	want := document(t)
	half := len(want) / 2
	first, second := packed(t, want[:half], Gzip), packed(t, want[half:], Gzip)
	both := append(bytes.Clone(first), second...)
	for name, data := range map[string][]byte{
		"two members":        both,
		"garbage after them": append(bytes.Clone(both), bytes.Repeat([]byte{0xEE}, 100)...),
		"zeros after them":   append(bytes.Clone(both), make([]byte, 5)...),
		"a header too short": append(bytes.Clone(both), second[:nextMember]...),
	} {
		got, _, err := Unpack(data, Limits{})
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
	if _, _, err := Unpack(both[:len(both)-9], Limits{}); !errors.Is(err, ErrTruncated) {
		t.Errorf("second member cut off: %v", err)
	}
}

func TestUnpackErrors(t *testing.T) {
	want := document(t)
	zipped, zlibbed := packed(t, want, Gzip), packed(t, want, Zlib)
	flip := func(data []byte, at int) []byte {
		data = bytes.Clone(data)
		data[at] ^= 0x10
		return data
	}
	block := append(bytes.Clone(zipped[:10]), 0xFF, 0xFF, 0xFF)
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"nothing":         {nil, ErrNoDocument},
		"text":            {[]byte("{}"), ErrNoDocument},
		"gzip header":     {zipped[:5], ErrTruncated},
		"gzip cut off":    {zipped[:len(zipped)-12], ErrTruncated},
		"gzip checksum":   {flip(zipped, len(zipped)-6), ErrChecksum},
		"gzip size":       {flip(zipped, len(zipped)-2), ErrChecksum},
		"gzip block":      {block, ErrDeflate},
		"zlib cut off":    {zlibbed[:len(zlibbed)-5], ErrTruncated},
		"zlib checksum":   {flip(zlibbed, len(zlibbed)-2), ErrChecksum},
		"zlib dictionary": {[]byte{0x78, 0xBB, 0, 0}, ErrNoDocument},
	} {
		got, _, err := Unpack(c.data, Limits{})
		var typed *PackError
		if !errors.Is(err, c.want) || !errors.As(err, &typed) || got != nil {
			t.Errorf("%s: %d bytes, %v, want %v", name, len(got), err, c.want)
		}
	}
	if _, _, err := Unpack(want, Limits{Bytes: -1}); err == nil {
		t.Error("a limit below 1 is taken")
	}
}

func TestUnpackKeepsToTheSizeLimit(t *testing.T) {
	const size = 16 << 20
	bomb := packed(t, make([]byte, size), Gzip)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _, err := Unpack(bomb, Limits{Bytes: 1 << 16})
	runtime.ReadMemStats(&after)
	if !errors.Is(err, ErrSize) {
		t.Fatalf("a document of 16 MiB: %v", err)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 1<<19 {
		t.Errorf("%d bytes were allocated", grown)
	}
	if got, _, err := Unpack(bomb, Limits{Bytes: size}); err != nil || len(got) != size {
		t.Errorf("exactly the limit: %d bytes, %v", len(got), err)
	}
	if _, _, err := Unpack(bomb, Limits{Bytes: size - 1}); !errors.Is(err, ErrSize) {
		t.Errorf("one more than the limit: %v", err)
	}
}

func FuzzUnpack(f *testing.F) {
	for _, how := range []Compression{Uncompressed, Gzip, Zlib} {
		f.Add(packed(f, document(f), how))
	}
	f.Add(smallWindow(f, []byte{1, 0, 0, 7}))
	f.Add(append(packed(f, []byte{1, 0}, Gzip), packed(f, []byte{0, 7}, Gzip)...))
	const limit = 1 << 16
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<12 {
			return
		}
		got, how, err := Unpack(data, Limits{Bytes: limit})
		if err != nil {
			var typed *PackError
			if !errors.As(err, &typed) || got != nil {
				t.Fatalf("%d bytes, %v", len(got), err)
			}
			return
		}
		// The standard library's own readers agree, as far as they go.
		var r io.Reader
		switch how {
		case Uncompressed:
			if !bytes.Equal(got, data) {
				t.Fatal("changed a document that was not compressed")
			}
			return
		case Gzip:
			r, err = gzip.NewReader(bytes.NewReader(data))
		case Zlib:
			r, err = zlib.NewReader(bytes.NewReader(data))
		}
		if err != nil || len(got) > limit {
			t.Fatalf("%d bytes of what has no header: %v", len(got), err)
		}
		want, err := io.ReadAll(io.LimitReader(r, limit+1))
		if err == nil && !bytes.Equal(got, want) || !bytes.HasPrefix(want, got) {
			t.Fatalf("%d bytes, the standard library has %d: %v", len(got), len(want), err)
		}
	})
}
