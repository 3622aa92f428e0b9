package worldmap

import (
	"bytes"
	"image"
	"image/png"
	"io"
	"math/rand/v2"
	"testing"

	"strata/bench/testbed"
)

// The standard library's decoder checks every sum, filter and size.
func TestPicturesDecodeToWhatWasWritten(t *testing.T) {
	seed := testbed.Seed(t)
	rng := rand.New(rand.NewPCG(uint64(seed), 1))
	for range 40 {
		m := image.NewNRGBA(image.Rect(0, 0, 1+rng.IntN(300), 1+rng.IntN(120)))
		colors := 1 + rng.IntN(256)
		for i := range m.Pix {
			switch {
			case i >= 4 && rng.IntN(3) > 0:
				m.Pix[i] = m.Pix[i-4]
			case i >= m.Stride && rng.IntN(3) > 0:
				m.Pix[i] = m.Pix[i-m.Stride]
			default:
				m.Pix[i] = byte(rng.IntN(colors))
			}
		}
		var out bytes.Buffer
		p := newPNGWriter(&out, m.Rect.Dx(), m.Rect.Dy())
		for y := range m.Rect.Dy() {
			if err := p.row(m.Pix[y*m.Stride:][:m.Stride]); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.close(); err != nil {
			t.Fatal(err)
		}
		got, err := png.Decode(&out)
		if err != nil {
			t.Fatal(err)
		}
		if n, ok := got.(*image.NRGBA); !ok || n.Rect != m.Rect || !bytes.Equal(n.Pix, m.Pix) {
			t.Fatalf("a picture of %v decodes to another one", m.Rect)
		}
	}
}

func TestPicturesNeedAllTheirRows(t *testing.T) {
	for _, rows := range []int{1, 3} {
		p := newPNGWriter(&bytes.Buffer{}, 4, 2)
		var err error
		for range rows {
			err = p.row(make([]byte, 16))
		}
		if err == nil {
			err = p.close()
		}
		if err == nil {
			t.Errorf("a picture of two rows takes %d", rows)
		}
	}
}

type full struct{ room int }

func (f *full) Write(b []byte) (int, error) {
	if f.room -= len(b); f.room < 0 {
		return 0, errRows
	}
	return len(b), nil
}

func TestPicturesReportWhatCannotBeWritten(t *testing.T) {
	write := func(to io.Writer) error {
		p := newPNGWriter(to, 4, 2)
		for range 2 {
			_ = p.row(make([]byte, 16)) // close reports it again
		}
		return p.close()
	}
	var whole bytes.Buffer
	if err := write(&whole); err != nil {
		t.Fatal(err)
	}
	for room := range whole.Len() {
		if write(&full{room}) == nil {
			t.Fatalf("a picture of %d bytes was written in %d", whole.Len(), room)
		}
	}
}

func TestShrunkPixelsAreTheMeanOfWhatTheyCover(t *testing.T) {
	src := image.NewNRGBA(image.Rect(0, 0, 4, 2))
	copy(src.Pix, []byte{
		200, 0, 0, 255, 100, 0, 0, 255, 50, 60, 70, 255, 9, 9, 9, 0,
		0, 0, 40, 255, 0, 0, 40, 255, 9, 9, 9, 0, 9, 9, 9, 0,
	})
	dst := image.NewNRGBA(image.Rect(0, 0, 3, 2))
	shrink(dst, image.Pt(1, 1), src, 2)
	want := make([]byte, 24)
	copy(want[16:], []byte{75, 0, 20, 255, 50, 60, 70, 64})
	if !bytes.Equal(dst.Pix, want) {
		t.Errorf("got %v, want %v", dst.Pix, want)
	}
}
