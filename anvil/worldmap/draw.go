package worldmap

import (
	"context"
	"errors"
	"image"
	"maps"
	"sync"
	"time"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/anvil/scan"
	"strata/region"
)

// Region is the picture of a region file: 512 by 512 pixels, one a block. It
// belongs to Draw, which uses it again.
type Region struct {
	Pos   region.Pos
	Image *image.NRGBA
}

// Result counts what was drawn.
type Result struct {
	Chunks     int64 // that were drawn, all kinds
	Half       int64 // of them those that are not yet full
	TooOld     int64 // of them those from before 1.13, hatched only
	Unreadable int64 // of them
	First      error // why the first of those cannot be read
	Failed     []anvil.Failed
	Legend     []LegendEntry // of the overlay
	Duration   time.Duration
}

// merge adds the counts of a region.
func (r *Result) merge(d *drawn) {
	r.Chunks += d.counts.Chunks
	r.Half += d.counts.Half
	r.TooOld += d.counts.TooOld
	r.Unreadable += d.counts.Unreadable
	if r.First == nil {
		r.First = d.counts.First
	}
}

// Draw draws the regions of the plan and calls each with them, one at a time,
// by rows from north to south and from west to east. The error is each's or
// ctx's; files that cannot be read are in Result.Failed.
func (p *Plan) Draw(ctx context.Context, each func(*Region) error) (*Result, error) {
	start := time.Now()
	result := &Result{Failed: append([]anvil.Failed{}, p.Failed...)}
	legend := make(map[Mark]int64)
	tables := chunk.NewTables()
	canvas := newCanvas()
	pool := sync.Pool{New: func() any { return new(drawn) }}
	surveyors := sync.Pool{New: func() any {
		return &worker{surveyor: newSurveyor(tables, p.maxY), decoder: chunk.NewDecoder(tables)}
	}}
	read := func(ctx context.Context, r *scan.Reader, f scan.File) (*drawn, error) {
		w, _ := surveyors.Get().(*worker)
		defer surveyors.Put(w)
		d, _ := pool.Get().(*drawn)
		return d, p.read(ctx, w, r, f, d)
	}
	err := scan.Run(ctx, p.files, p.options.Workers, read, func(f scan.File, d *drawn, err error) error {
		if err != nil {
			result.Failed = append(result.Failed, anvil.Failed{Path: f.Path, Err: err})
		}
		result.merge(d)
		for i := range d.chunks {
			if c := &d.chunks[i]; c.marked {
				legend[c.mark]++
			}
		}
		picture := canvas.paint(f.Pos, d)
		pool.Put(d)
		if err := each(&Region{f.Pos, picture}); err != nil {
			return err
		}
		if p.options.Progress != nil {
			p.options.Progress(f.Bytes)
		}
		return nil
	})
	result.Legend = legendOf(maps.Clone(legend))
	result.Duration = time.Since(start)
	return result, err
}

// drawn is what was found in a region file.
type drawn struct {
	columns [regionSide * regionSide]column
	chunks  [region.Slots]chunkLook
	counts  Result
}

// chunkLook is how a chunk is drawn beside its columns.
type chunkLook struct {
	present bool
	hatch   rgb // 0: none
	ground  bool
	marked  bool
	mark    Mark
}

const (
	tooOldColor     rgb = 0x9a9a9a
	unreadableColor rgb = 0xd62828
)

// worker is the memory of one reader.
type worker struct {
	surveyor *surveyor
	decoder  *chunk.Decoder
}

// read fills d with the chunks of a file.
func (p *Plan) read(ctx context.Context, w *worker, r *scan.Reader, f scan.File, d *drawn) error {
	d.chunks = [region.Slots]chunkLook{}
	d.counts = Result{}
	_, err := r.Chunks(ctx, p.world.FS(), f, true, func(c *scan.Chunk) bool {
		if p.picks(c.Pos) {
			p.readChunk(w, c, d)
		}
		return true
	})
	return err
}

func (p *Plan) readChunk(w *worker, c *scan.Chunk, d *drawn) {
	d.counts.Chunks++
	look := &d.chunks[c.Pos.Slot()]
	look.present = true
	sample := Sample{Pos: c.Pos, Entry: c.Entry, Err: c.Err}
	if c.Record.Data != nil {
		sample.Scheme, sample.External, sample.PayloadBytes = c.Record.Scheme, c.Record.External, c.PayloadBytes()
	}
	if c.Err == nil {
		sample.Header, sample.Err = p.survey(w, c, look, d)
	}
	var old *chunk.TooOldError
	switch {
	case errors.As(sample.Err, &old):
		sample.Header, sample.Err = old.Header, nil
		look.hatch = tooOldColor
		d.counts.TooOld++
	case sample.Err != nil:
		look.hatch = unreadableColor
		d.counts.Unreadable++
		if d.counts.First == nil {
			d.counts.First = sample.Err
		}
	}
	if p.options.Overlay != nil {
		look.mark, look.marked = p.options.Overlay.Of(&sample)
	}
}

// survey decodes a chunk and finds its columns.
func (p *Plan) survey(w *worker, c *scan.Chunk, look *chunkLook, d *drawn) (chunk.Header, error) {
	decoded, err := w.decoder.Decode(c.Data)
	if err != nil {
		return chunk.Header{}, err
	}
	look.ground = true
	if status := decoded.Status(); status < chunk.StatusFull {
		mark := statusMark(status, "").Color
		look.hatch = toRGB(int(mark.R), int(mark.G), int(mark.B))
		d.counts.Half++
		// Before there is noise, there are no blocks: not a void, nothing yet.
		look.ground = status >= chunk.StatusNoise
	}
	columns := w.surveyor.survey(decoded)
	first := firstPixel(c.Pos.Slot())
	for z := range chunkSide {
		copy(d.columns[first+z*regionSide:][:chunkSide], columns[z*chunkSide:])
	}
	return chunk.Header{
		DataVersion: decoded.DataVersion(), Pos: decoded.Pos(), HasPos: true, Status: decoded.StatusName(),
		LastUpdate: decoded.LastUpdate(), InhabitedTime: decoded.InhabitedTime(),
	}, nil
}

// firstPixel is the place of a chunk's north-western column in a region.
func firstPixel(slot region.Slot) int {
	return int(slot>>5)*chunkSide*regionSide + int(slot&31)*chunkSide
}
