package worldmap

import (
	"context"
	"fmt"
	"image"
	"io"
	"math/bits"
	"slices"
)

// Frame is where a picture lies in the world, and how large it is.
type Frame struct {
	Scale         int // blocks a pixel is wide
	X, Z          int // its north-western block
	Width, Height int // in pixels
}

// Frame is the frame of all of the plan at a scale. The error wraps ErrScale or
// ErrTooLarge.
func (p *Plan) Frame(scale int) (Frame, error) {
	if err := checkScale(scale); err != nil {
		return Frame{}, err
	}
	span := func(low, high int32) (first, pixels int) {
		first = floorTo(int(low)*chunkSide, scale)
		return first, (int(high+1)*chunkSide - first + scale - 1) / scale
	}
	f := Frame{Scale: scale}
	f.X, f.Width = span(p.Bounds.Min.X, p.Bounds.Max.X)
	f.Z, f.Height = span(p.Bounds.Min.Z, p.Bounds.Max.Z)
	if f.Width > MaxSide || f.Height > MaxSide {
		return Frame{}, fmt.Errorf("%d by %d pixels at 1:%d: %w", f.Width, f.Height, scale, ErrTooLarge)
	}
	return f, nil
}

// FitScale is the finest scale at which no side of a picture has more pixels
// than that, MaxScale if none has.
func (p *Plan) FitScale(side int) int {
	for scale := 1; scale < MaxScale; scale *= 2 {
		if f, err := p.Frame(scale); err == nil && f.Width <= side && f.Height <= side {
			return scale
		}
	}
	return MaxScale
}

func checkScale(scale int) error {
	if scale < 1 || scale > MaxScale || bits.OnesCount(uint(scale)) != 1 {
		return fmt.Errorf("1:%d: %w", scale, ErrScale)
	}
	return nil
}

// floorTo is the greatest multiple of a power of two that is not over n.
func floorTo(n, step int) int { return n &^ (step - 1) }

// WritePNG draws the plan into one picture.
func (p *Plan) WritePNG(ctx context.Context, w io.Writer, scale int) (*Result, error) {
	frame, err := p.Frame(scale)
	if err != nil {
		return nil, err
	}
	strip := newStrip(w, frame)
	result, err := p.Draw(ctx, func(r *Region) error {
		if err := strip.advance(int(r.Pos.Z) * regionSide); err != nil {
			return err
		}
		strip.put(r)
		return nil
	})
	if err != nil {
		return result, err
	}
	if err := strip.advance(frame.Z + frame.Height*frame.Scale); err != nil {
		return result, err
	}
	return result, strip.out.close()
}

// strip is one row of regions of a picture, which is written when the next one
// begins.
type strip struct {
	frame Frame
	out   *pngWriter
	small *image.NRGBA
	pix   []byte // the rows of the region row that z is in
	z     int    // the next block row to be written
}

func newStrip(w io.Writer, f Frame) *strip {
	rows := min(regionSide/f.Scale, f.Height)
	return &strip{
		frame: f, out: newPNGWriter(w, f.Width, f.Height), z: f.Z,
		small: image.NewNRGBA(image.Rect(0, 0, regionSide/f.Scale, regionSide/f.Scale)),
		pix:   make([]byte, (rows+1)*f.Width*pixelBytes),
	}
}

// advance writes what is north of a block row.
func (s *strip) advance(z int) error {
	end := s.frame.Z + s.frame.Height*s.frame.Scale
	for z = min(z, end); s.z < z; {
		next := min(floorTo(s.z, regionSide)+regionSide, end)
		rows := (next - s.z) / s.frame.Scale
		stride := s.frame.Width * pixelBytes
		for row := range slices.Chunk(s.pix[:rows*stride], stride) {
			if err := s.out.row(row); err != nil {
				return err
			}
		}
		clear(s.pix)
		s.z = next
	}
	return nil
}

// put copies a region to its place in the row, but for what is out of frame.
func (s *strip) put(r *Region) {
	from := r.Image
	if s.frame.Scale > 1 {
		shrink(s.small, image.Point{}, from, s.frame.Scale)
		from = s.small
	}
	side := regionSide / s.frame.Scale
	left := int(r.Pos.X)*side - s.frame.X/s.frame.Scale
	top := (int(r.Pos.Z)*regionSide - s.z) / s.frame.Scale
	rows := len(s.pix) / (s.frame.Width * pixelBytes)
	for y := range side {
		if top+y < 0 || top+y >= rows {
			continue
		}
		first, last := max(0, -left), min(side, s.frame.Width-left)
		if first >= last {
			continue
		}
		to := s.pix[((top+y)*s.frame.Width+left+first)*pixelBytes:]
		copy(to, from.Pix[from.PixOffset(first, y):from.PixOffset(last-1, y)+pixelBytes])
	}
}

// shrink puts a picture, by a power of two smaller, into another one at a
// place. A pixel is the mean of what it covers; what is transparent there does
// not lend it a color.
func shrink(dst *image.NRGBA, at image.Point, src *image.NRGBA, by int) {
	width, height := src.Rect.Dx()/by, src.Rect.Dy()/by
	for y := range height {
		for x := range width {
			var r, g, b, a, n int
			for dy := range by {
				row := src.Pix[src.PixOffset(x*by, y*by+dy):][:by*pixelBytes]
				for i := 0; i < len(row); i += pixelBytes {
					alpha := int(row[i+3])
					r += int(row[i]) * alpha
					g += int(row[i+1]) * alpha
					b += int(row[i+2]) * alpha
					a += alpha
					n++
				}
			}
			pix := dst.Pix[dst.PixOffset(at.X+x, at.Y+y):][:pixelBytes]
			if a == 0 {
				clear(pix)
				continue
			}
			pix[0], pix[1], pix[2] = uint8((r+a/2)/a), uint8((g+a/2)/a), uint8((b+a/2)/a)
			pix[3] = uint8((a + n/2) / n)
		}
	}
}
