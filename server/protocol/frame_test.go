package protocol

import (
	"bytes"
	"compress/zlib"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"strata/bench/testbed"
)

func TestFramesAreReadAsTheyWereWritten(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 3))
	for _, threshold := range []int{NoCompression, 0, 64, 256} {
		var stream []byte
		var want [][]byte
		for range 40 {
			packet := bytes.Repeat([]byte{byte(random.IntN(256))}, 1+random.IntN(1<<random.IntN(17)))
			want = append(want, packet)
			stream = mustFrame(t, stream, packet, threshold)
		}
		f := NewFrameReader(iotest.HalfReader(bytes.NewReader(stream)), MaxFrame)
		f.SetThreshold(threshold)
		for i, packet := range want {
			got, err := f.Next()
			if err != nil || !bytes.Equal(got, packet) {
				t.Fatalf("threshold %d, frame %d: %d bytes, error %v, want %d", threshold, i, len(got), err, len(packet))
			}
		}
		if _, err := f.Next(); err != io.EOF {
			t.Errorf("at the end: %v", err)
		}
	}
}

func mustFrame(t *testing.T, dst, packet []byte, threshold int) []byte {
	t.Helper()
	if threshold == NoCompression {
		out, err := AppendFrame(dst, packet)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	f, err := NewFramer(threshold, 1)
	if err != nil {
		t.Fatal(err)
	}
	out, err := f.AppendFrame(dst, packet)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// deflated returns a frame that declares a size, with a body that inflates to
// packet.
func deflated(declared int, packet []byte, after string) []byte {
	var body bytes.Buffer
	body.Write(AppendVarInt(nil, int32(declared)))
	z := zlib.NewWriter(&body)
	_, _ = z.Write(packet)
	_ = z.Close()
	body.WriteString(after)
	frame, _ := AppendFrame(nil, body.Bytes())
	return frame
}

func TestBadFramesAreErrors(t *testing.T) {
	thousand := make([]byte, 1000)
	checksum := deflated(1000, thousand, "")
	checksum[len(checksum)-1]++
	for _, c := range []struct {
		name      string
		stream    []byte
		threshold int
		want      error
	}{
		{"nothing", nil, NoCompression, io.EOF},
		{"length 0", []byte{0}, NoCompression, ErrFrameLength},
		{"length of four bytes", []byte{0x80, 0x80, 0x80, 0x01}, NoCompression, ErrFrameLength},
		{"negative length", []byte{0xff, 0xff, 0xff, 0xff, 0x0f}, NoCompression, ErrFrameLength},
		{"over the limit", []byte{0x81, 0x40}, NoCompression, ErrFrameLength},
		{"ends in the length", []byte{0x80}, NoCompression, io.ErrUnexpectedEOF},
		{"ends after the length", []byte{5}, NoCompression, io.ErrUnexpectedEOF},
		{"ends in the body", []byte{5, 1, 2}, NoCompression, io.ErrUnexpectedEOF},
		{"no size", []byte{1, 0x80}, 256, ErrCompression},
		{"no packet", []byte{1, 0}, 256, ErrCompression},
		{"as it is, over the threshold", append([]byte{0x81, 0x02}, make([]byte, 257)...), 256, ErrCompression},
		{"compressed below the threshold", deflated(100, thousand[:100], ""), 256, ErrCompression},
		{"negative size", []byte{6, 0xff, 0xff, 0xff, 0xff, 0x0f, 0}, 256, ErrCompression},
		{"size over the limit", deflated(MaxInflated+1, thousand, ""), 256, ErrCompression},
		{"more than declared", deflated(999, thousand, ""), 256, ErrCompression},
		{"less than declared", deflated(1001, thousand, ""), 256, ErrCompression},
		{"bytes after the body", deflated(1000, thousand, "x"), 256, ErrCompression},
		{"checksum", checksum, 256, ErrCompression},
		{"no zlib", []byte{5, 0xe8, 0x07, 1, 2, 3}, 256, ErrCompression},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := NewFrameReader(bytes.NewReader(c.stream), MaxUnauthenticated)
			f.SetThreshold(c.threshold)
			if got, err := f.Next(); !errors.Is(err, c.want) {
				t.Errorf("got %d bytes, error %v, want %v", len(got), err, c.want)
			}
		})
	}
}

// A deadline in the midst of a frame loses none of it.
func TestAFrameGoesOnAfterADeadline(t *testing.T) {
	stream := []byte{0x82, 0x01, 7}
	stream = append(stream, make([]byte, 129)...)
	for cut := range stream {
		f := NewFrameReader(io.MultiReader(bytes.NewReader(stream[:cut]), iotest.ErrReader(os.ErrDeadlineExceeded)), MaxFrame)
		if _, err := f.Next(); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("after %d bytes: error %v", cut, err)
		}
		f.source = bytes.NewReader(stream[cut:])
		if got, err := f.Next(); err != nil || len(got) != 130 || got[0] != 7 {
			t.Fatalf("after %d bytes: %d bytes, error %v", cut, len(got), err)
		}
	}
}

func TestABombIsStoppedByTheBudgetNotByMemory(t *testing.T) {
	now := time.Unix(1000, 0)
	bomb := deflated(MaxInflated, make([]byte, MaxInflated), "")
	f := NewFrameReader(bytes.NewReader(bytes.Repeat(bomb, 8)), MaxFrame)
	f.SetThreshold(256)
	f.SetBudget(NewBudget(InflatedPerSecond, InflatedOver, now), func() time.Time { return now })
	for i := range 4 { // 32 of 35 MiB
		if got, err := f.Next(); err != nil || len(got) != MaxInflated {
			t.Fatalf("frame %d: %d bytes, error %v", i, len(got), err)
		}
	}
	if _, err := f.Next(); !errors.Is(err, ErrCompression) || !strings.Contains(err.Error(), "budget") {
		t.Errorf("the fifth: %v", err)
	}
}

func TestAFalseSizeReservesNoMemory(t *testing.T) {
	stream := deflated(MaxInflated, make([]byte, 1000), "")
	got := testing.AllocsPerRun(1, func() {
		f := NewFrameReader(bytes.NewReader(stream), MaxFrame)
		f.SetThreshold(256)
		if _, err := f.Next(); !errors.Is(err, ErrCompression) {
			t.Errorf("got %v", err)
		}
		if cap(f.inflater.out) > inflateStart {
			t.Errorf("%d bytes reserved", cap(f.inflater.out))
		}
	})
	_ = got
	f := NewFrameReader(io.MultiReader(bytes.NewReader([]byte{0xff, 0xff, 0x7f}), iotest.ErrReader(io.ErrClosedPipe)), MaxFrame)
	if _, err := f.Next(); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got %v", err)
	}
	if len(f.buf) > 2*readSize {
		t.Errorf("a frame of which nothing came has %d bytes", len(f.buf))
	}
}

func TestPacketsThatDoNotFitAreNotFramed(t *testing.T) {
	if _, err := AppendFrame(nil, make([]byte, MaxFrame+1)); !errors.Is(err, ErrFrameLength) {
		t.Errorf("uncompressed: %v", err)
	}
	f, err := NewFramer(256, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.AppendFrame(nil, make([]byte, MaxInflated+1)); !errors.Is(err, ErrCompression) {
		t.Errorf("inflated: %v", err)
	}
	noise := make([]byte, MaxFrame+1000)
	r := rand.NewChaCha8([32]byte{1})
	_, _ = r.Read(noise)
	if _, err := f.AppendFrame(nil, noise); !errors.Is(err, ErrFrameLength) {
		t.Errorf("noise: %v", err)
	}
	if _, err := NewFramer(-1, 1); err == nil {
		t.Error("a negative threshold was taken")
	}
}

func TestBudgetFillsWithTime(t *testing.T) {
	now := time.Unix(0, 0)
	b := NewBudget(10, 2*time.Second, now)
	for _, step := range []struct {
		after time.Duration
		take  int
		want  bool
	}{
		{0, 20, true}, {0, 1, false}, {100 * time.Millisecond, 1, true}, {0, 1, false}, {time.Hour, 21, false},
		{0, 20, true}, {-time.Hour, 1, false}, {time.Hour, -1, false},
	} {
		now = now.Add(step.after)
		if got := b.Take(step.take, now); got != step.want {
			t.Errorf("take %d at %v: %v", step.take, now, got)
		}
	}
}
